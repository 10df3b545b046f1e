"""Computer players that play a game to its end, for tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.kernel.chance import Chance
from engines.kernel.decision import CLOCK, Decision
from engines.kernel.game import Agent
from engines.kernel.playthrough import Playthrough, Step
from engines.kernel.table import Entry

Play = Playthrough[Any, Any, Any]


def own(decisions: tuple[Decision, ...], seat: int) -> list[Decision]:
    """The decisions of one seat."""
    return [decision for decision in decisions if decision.seat == seat]


def one_step(play: Play, agent: Agent[Any], rng: Chance, *, fuss: int = 12) -> Step:
    """One answer by some seat's agent, in no particular order of seats.

    Once in ``fuss`` times, where there is occasion: sand runs out, or an answer is withdrawn.
    """
    if play.timers and rng.below("sand", fuss) == 0:
        return play.run_out(rng.pick("timer", play.timers).question)
    given = [d for d in play.asked if d.revisable and d.current is not None]
    if given and rng.below("withdraw", fuss) == 0:
        decision = rng.pick("which_given", given)
        return play.withdraw(decision.seat, decision.question, decision.kind)
    for seat in rng.shuffled("order", range(play.header.seats)):
        asked, offers = own(play.asked, seat), own(play.offers, seat)
        if not asked and not offers:
            continue
        choice = agent(play.view(seat), asked, offers, rng)
        if choice is not None:
            decision = choice.decision
            return play.answer(decision.seat, decision.question, decision.kind, choice.value)
    raise AssertionError(f"ply {play.ply}: no agent answers {play.asked}")


def answer_again(play: Play, entry: Entry) -> None:
    """Give the answer of a journal's entry once more; AnswerError if it cannot be given."""
    if entry.seat == CLOCK:
        play.run_out(entry.question)
    elif entry.value is None:
        play.withdraw(entry.seat, entry.question, entry.kind)
    else:
        play.answer(entry.seat, entry.question, entry.kind, entry.value)


def play_out(
    play: Play,
    agent: Agent[Any],
    key: bytes = b"agents",
    *,
    fuss: int = 12,
    limit: int = 5000,
    each: Callable[[Step], None] = lambda _: None,
) -> Play:
    """Play to the end, calling ``each`` after every step; AssertionError beyond ``limit`` plies."""
    rng = Chance(key)
    while play.outcome is None:
        assert play.ply < limit, f"no end after {limit} plies"
        each(one_step(play, agent, rng, fuss=fuss))
    return play
