"""Computer players of Fear of the Dark."""

from __future__ import annotations

from collections.abc import Sequence

from engines.fear_of_the_dark.agents.answers import answer
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.game import Choice


def sensible(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Goes for the nearest unknown door that it can get through, and looks before it walks.

    It knows what the view shows and what is printed on the player aid. Without dice: the same view
    and questions give the same answer.
    """
    for decision in asked:
        if decision.current is None:
            return Choice(decision, answer(view, decision))
    return None
