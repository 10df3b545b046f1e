"""Computer players of Fear of the Dark."""

from __future__ import annotations

from collections.abc import Sequence

from engines.fear_of_the_dark.view import SeatView
from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.game import Choice


def sensible(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Answers at random."""
    return random_agent(view, asked, offers, rng)
