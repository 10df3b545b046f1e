"""A game made of one coroutine, for tests of single devices of the kernel."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.kernel.agents import random_agent
from engines.kernel.decision import Decision, Seat
from engines.kernel.game import Agent, GameOption, Outcome, Setting
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry, Table

KEY = "0b" * 32

Notes = dict[str, Any]
"""The state of a small game: whatever its rules write down."""

Rules = Callable[[Table, Notes], Coroutine[Any, Any, Any]]
Play = Playthrough[None, Notes, Notes]


@dataclass(frozen=True)
class Small:
    """Its rules may return nothing; the view shows all notes to everybody."""

    rules: Rules
    key: str = "small"
    rules_version: int = 1
    seats: range = range(1, 7)
    options: tuple[GameOption, ...] = ()
    agents: Mapping[str, Agent[Notes]] = field(default_factory=lambda: {"random": random_agent})

    def setup(
        self, table: Table, content: None, setting: Setting
    ) -> tuple[Notes, Coroutine[Any, Any, Outcome]]:
        """No notes yet."""
        notes: Notes = {}

        async def to_the_end() -> Outcome:
            result = await self.rules(table, notes)
            return result if result is not None else Outcome("done", True)

        return notes, to_the_end()

    def view(self, state: Notes, seat: Seat | None) -> Notes:
        """All notes."""
        return dict(state)


def header(seats: int = 3, key: str = KEY) -> Header:
    """The header of a small game."""
    return Header("small", 1, "none", key, seats, {})


def start(rules: Rules, seats: int = 3, *, key: str = KEY, checks: bool = True) -> Play:
    """The game at its first question."""
    return Playthrough(Small(rules), None, header(seats, key), checks=checks)


def replay(rules: Rules, entries: Iterable[Entry], seats: int = 3, *, key: str = KEY) -> Play:
    """The entries under these rules."""
    return Playthrough.replay(Small(rules), None, header(seats, key), entries)


def by_seat(play: Playthrough[Any, Any, Any], seat: Seat, kind: str | None = None) -> Decision:
    """The one thing that a seat is asked or, given its kind, asked or offered."""
    (found,) = [
        d
        for d in (*play.asked, *(play.offers if kind else ()))
        if d.seat == seat and kind in (None, d.kind)
    ]
    return found


def say(play: Playthrough[Any, Any, Any], seat: Seat, *keys: str, kind: str | None = None):
    """Answer what a seat is asked (or, given its kind, offered)."""
    decision = by_seat(play, seat, kind)
    return play.answer(seat, decision.question, decision.kind, keys)


def told(play: Playthrough[Any, Any, Any], seat: Seat | None = None) -> list[str]:
    """The kinds of all events that a seat, or a spectator, has seen."""
    return [e.event.kind for e in play.events if e.event.is_for(seat)]


def seats_of(decisions: Sequence[Decision]) -> list[Seat]:
    """Who is asked."""
    return [decision.seat for decision in decisions]
