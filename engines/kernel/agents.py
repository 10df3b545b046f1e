"""The computer player that every game has for nothing: it chooses at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Value
from engines.kernel.game import Choice

_OFFER_ODDS: Final = 8


def random_value(decision: Decision, rng: Chance) -> Value:
    """A legal answer, each option equally likely."""
    shape = decision.shape
    keys = list(decision.keys())
    least = max(shape.least, decision.distinct)
    most = shape.most if shape.repeats else min(shape.most, len(keys))
    size = least + rng.below("size", most - least + 1)
    if not shape.repeats:
        return tuple(rng.shuffled("options", keys)[:size])
    spread = rng.shuffled("options", keys)[: decision.distinct]
    while len(spread) < size:
        spread.append(rng.pick("token", keys))
    return tuple(spread)


def random_agent(
    view: object, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Answers at random, and now and then plays an offer."""
    if offers and rng.below("offer", _OFFER_ODDS) == 0:
        decision = rng.pick("which", offers)
        return Choice(decision, random_value(decision, rng))
    unanswered = [decision for decision in asked if decision.current is None]
    if not unanswered:
        return None
    decision = rng.pick("which", unanswered)
    return Choice(decision, random_value(decision, rng))
