"""Whole games by computer players, without Discord, without a clock, the same for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from bot.counted import counted
from bot.titles import Title
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.game import Agent, Choice
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough

Play = Playthrough[Any, Any, Any]

SECONDS_PER_ANSWER: Final = 8
"""How fast sand falls here: a headless game has no clock, so each answer takes this long."""

MOST_ANSWERS: Final = 20_000
"""A game that has not ended by then is taken for one that never will."""


class Stuck(Exception):
    """The game goes on, but no computer player answers, or it does not end."""


def header_for(
    title: Title, seats: int, options: Mapping[str, str], seed: str, number: int
) -> Header:
    """The header of the seed's game of that number; all its chance comes from it."""
    key = _key("game", title.key, seats, seed, number).hex()
    game = title.game
    return Header(game.key, game.rules_version, title.content.digest, key, seats, options)


class Player:
    """All seats of one game, played by the same kind of computer player."""

    def __init__(self, play: Play, agent: Agent[Any], seed: str, number: int) -> None:
        self.play = play
        self._agent = agent
        seats = play.header.seats
        self._dice = [Chance(_key("agent", seed, number, seat)) for seat in range(seats)]
        self._fallen: dict[int, int] = {}

    def step(self) -> None:
        """One answer, or a timer that runs out. Stuck if nobody answers what is asked."""
        play = self.play
        if play.ply >= MOST_ANSWERS:
            raise Stuck(f"no end after {counted(play.ply, 'answer')}")
        for timer in play.timers:
            fallen = self._fallen.get(timer.question, 0)
            if fallen >= timer.seconds:
                play.run_out(timer.question)
                return
            self._fallen[timer.question] = fallen + SECONDS_PER_ANSWER
        choice = self._choice()
        decision = choice.decision
        play.answer(decision.seat, decision.question, decision.kind, choice.value, by="agent")

    def _choice(self) -> Choice:
        # Those who are not asked go first: an offer would come too late after the answer.
        play = self.play
        asked: dict[int, list[Decision]] = {}
        offers: dict[int, list[Decision]] = {}
        for decision in play.asked:
            if decision.current is None:
                asked.setdefault(decision.seat, []).append(decision)
        for offer in play.offers:
            offers.setdefault(offer.seat, []).append(offer)
        for seat in (*(seat for seat in offers if seat not in asked), *asked):
            view = play.view(seat)
            choice = self._agent(view, asked.get(seat, ()), offers.get(seat, ()), self._dice[seat])
            if choice is not None:
                return choice
        raise Stuck(f"nobody answers {[(d.kind, d.seat) for d in play.asked]}")


def _key(*parts: object) -> bytes:
    return hashlib.sha256("/".join(map(str, parts)).encode()).digest()
