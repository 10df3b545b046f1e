"""Computer players."""

from __future__ import annotations

from collections.abc import Sequence

from engines.escape_the_night.view import SeatView
from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.game import Choice


def sensible(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """To be filled in."""
    return random_agent(view, asked, offers, rng)
