"""The driver: it runs one game's rules from answer to answer.

One entry of the journal is one ``send()`` into the rules' coroutine. An answer is checked before it
is sent, so the rules never see bad input, and nothing is noted that was not legal.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engines.kernel.chance import Chance
from engines.kernel.decision import CLOCK, Decision, Seat, Timer, TimeUp
from engines.kernel.errors import (
    AnswerError,
    NotNow,
    ReplayDiverged,
    RulesBug,
    StaleAnswer,
)
from engines.kernel.event import PUBLIC, Numbered, frozen_json
from engines.kernel.game import Game, Outcome, Setting
from engines.kernel.journal import Header
from engines.kernel.table import Entry, Suspension, Table

C = TypeVar("C")
S = TypeVar("S")
V = TypeVar("V")

_MARK_LENGTH = 12
_TRACE_LENGTH = 16

QUESTIONS = 1_000_000
"""By so much the numbers of questions go up with each branch, as seen from outside: what was asked
before a rewind is never taken for what is asked after it. Marks and journals have the bare ones.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """What one answer did: the entry for the journal and the events it caused."""

    entry: Entry
    events: tuple[Numbered, ...]


class Playthrough(Generic[C, S, V]):
    """A game in progress. ``checks=False`` skips marks and traces (for simulations)."""

    def __init__(
        self, game: Game[C, S, V], content: C, header: Header, *, checks: bool = True
    ) -> None:
        self.game = game
        self.header = header
        self.checks = checks
        self.entries: list[Entry] = []
        self.events: list[Numbered] = []
        self.outcome: Outcome | None = None
        self.branch = 0
        self.reinterpreted_from: int | None = None
        self._suspension: Suspension | None = None
        self._broken = False
        self._trace = ""
        hidden = bytes.fromhex(header.hidden) if header.hidden else None
        self._chance = Chance(bytes.fromhex(header.key), hidden)
        self._table = Table(self._chance, header.seats)
        self._state, self._rules = game.setup(
            self._table, content, Setting(header.seats, dict(header.options))
        )
        self._advance(None)

    # What is going on

    @property
    def ply(self) -> int:
        """How many entries were played."""
        return len(self.entries)

    @property
    def chance(self) -> Chance:
        """The game's dice and shuffles; its ``ledger`` lists every draw."""
        return self._chance

    @property
    def asked(self) -> tuple[Decision, ...]:
        """The open questions; revisable ones also of seats that have answered."""
        return self._numbered(self._asked)

    @property
    def offers(self) -> tuple[Decision, ...]:
        """What may be played unasked. Secret: never tell the channel that there is an offer."""
        return self._suspension.offers if self._suspension else ()

    @property
    def timers(self) -> tuple[Timer, ...]:
        """The timers whose sand runs."""
        base = self._base
        return tuple(replace(timer, question=base + timer.question) for timer in self._timers)

    @property
    def interrupted(self) -> tuple[Decision, ...]:
        """Questions that wait until an interrupt is over."""
        return self._numbered(self._suspension.waiting_below) if self._suspension else ()

    def waiting(self) -> tuple[Decision, ...]:
        """Who is still out: open or interrupted questions that have no answer yet."""
        return tuple(d for d in (*self.asked, *self.interrupted) if d.current is None)

    def view(self, seat: Seat | None) -> V:
        """What one seat, or a spectator (None), may see."""
        return self.game.view(self._state, seat)

    @property
    def _asked(self) -> tuple[Decision, ...]:
        return self._suspension.decisions if self._suspension else ()

    @property
    def _timers(self) -> tuple[Timer, ...]:
        return self._suspension.timers if self._suspension else ()

    @property
    def _base(self) -> int:
        return self.branch * QUESTIONS

    def _numbered(self, decisions: Sequence[Decision]) -> tuple[Decision, ...]:
        """Questions by the numbers that they have in this branch."""
        base = self._base
        if not base:
            return tuple(decisions)
        return tuple(replace(decision, question=base + decision.question) for decision in decisions)

    # Playing

    def find(self, seat: Seat, question: int, kind: str) -> Decision:
        """The open decision or offer that an answer means; StaleAnswer or NotNow if none."""
        for decision in (*self.asked, *self.offers):
            if (decision.seat, decision.question, decision.kind) == (seat, question, kind):
                return decision
        for decision in self.interrupted:
            if (decision.seat, decision.question) == (seat, question):
                raise NotNow("interrupted", kind=decision.kind)
        raise StaleAnswer("game_over" if self.outcome else "not_asked", kind=kind)

    def answer(
        self, seat: Seat, question: int, kind: str, value: Sequence[str], *, by: str = "player"
    ) -> Step:
        """Play one answer. IllegalAnswer, StaleAnswer, NotNow: nothing changed."""
        legal = self.find(seat, question, kind).check(value)
        return self._play(Entry(seat, self._bare(question), kind, legal, by, self.branch))

    def withdraw(self, seat: Seat, question: int, kind: str, *, by: str = "player") -> Step:
        """Take back the answer that a seat gave to a revisable question still open."""
        decision = self.find(seat, question, kind)
        if decision.current is None:
            raise StaleAnswer("nothing_to_withdraw", kind=kind)
        return self._play(Entry(seat, self._bare(question), kind, None, by, self.branch))

    def run_out(self, question: int, *, by: str = "clock") -> Step:
        """A timer has run out. StaleAnswer if no such timer is running."""
        for timer in self._timers:
            if self._base + timer.question == question:
                return self._play(Entry(CLOCK, timer.question, timer.kind, (), by, self.branch))
        raise StaleAnswer("no_such_timer", question=question)

    def _bare(self, question: int) -> int:
        return question - self._base if question else question

    def close(self) -> None:
        """Drop the coroutine; the playthrough can be looked at, not played on.

        The rules do not go on: only their ``finally`` blocks run, and what those tell is dropped.
        RulesBug if they await there.
        """
        self._suspension = None
        try:
            self._rules.close()
        except RuntimeError as error:
            raise RulesBug("the rules went on while they were dropped") from error

    @classmethod
    def replay(
        cls,
        game: Game[C, S, V],
        content: C,
        header: Header,
        entries: Iterable[Entry],
        *,
        branch: int | None = None,
    ) -> Playthrough[C, S, V]:
        """The game that these entries tell. ReplayDiverged at the first that does not fit.

        ``branch`` is the one to go on under, if nothing has been played in it yet: both come from
        ``journal.effective``.

        Entries whose marks agree but whose trace differs were re-interpreted: the same questions
        with other consequences. The first such ply is in ``reinterpreted_from``.
        """
        play = cls(game, content, header)
        for entry in entries:
            play.replay_one(entry)
        if branch is not None:
            play.branch = branch
        return play

    def replay_one(self, entry: Entry) -> Step:
        """Play a stored entry again, comparing its mark and its trace."""
        ply = self.ply + 1
        found = self._mark()
        if entry.mark and found != entry.mark:
            told = f"{entry.kind} of seat {entry.seat} under mark {entry.mark}"
            asking = ", ".join(f"{d.kind} of seat {d.seat}" for d in self._asked) or "nothing"
            raise ReplayDiverged(ply, told, f"{asking} asked under mark {found}")
        self.branch = entry.branch
        question = self._base + entry.question if entry.question else entry.question
        try:
            if entry.seat == CLOCK:
                step = self.run_out(question, by=entry.by)
            elif entry.value is None:
                step = self.withdraw(entry.seat, question, entry.kind, by=entry.by)
            else:
                step = self.answer(entry.seat, question, entry.kind, entry.value, by=entry.by)
        except AnswerError as error:
            told = f"{entry.kind} {entry.value} of seat {entry.seat}"
            raise ReplayDiverged(ply, told, str(error)) from error
        if entry.trace and step.entry.trace != entry.trace and self.reinterpreted_from is None:
            self.reinterpreted_from = ply
        return step

    # The trampoline

    def _play(self, entry: Entry) -> Step:
        if self._broken:
            raise RulesBug(f"these rules broke after ply {self.ply}; replay to go on")
        entry = replace(entry, mark=self._mark())
        self._chance.switch(entry.branch)
        self.entries.append(entry)
        try:
            events = self._advance(entry)
        finally:
            if self._broken:
                self.entries.pop()
        entry = replace(entry, trace=self._trace)
        self.entries[-1] = entry
        return Step(entry, events)

    def _advance(self, entry: Entry | None) -> tuple[Numbered, ...]:
        self._broken = True
        try:
            suspension: Any = self._rules.send(entry)
            if not isinstance(suspension, Suspension):
                raise RulesBug(f"the rules awaited {suspension!r}; only Table may suspend")
            self._suspension = suspension
        except StopIteration as stop:
            self._suspension = None
            outcome: Any = stop.value
            if not isinstance(outcome, Outcome):
                raise RulesBug(f"the rules ended with {outcome!r}, not an Outcome") from None
            frozen_json(outcome.facts, outcome.ending)
            self.outcome = outcome
        except (AnswerError, TimeUp) as error:
            # Passed on as it is, it would tell the player that nothing had changed.
            raise RulesBug(f"the rules let {error!r} escape") from error
        self._broken = False
        told = self._table.collect()
        numbered = tuple(Numbered(self.ply, n, *one) for n, one in enumerate(told))
        self.events += numbered
        if self.checks:
            self._trace = _next_trace(self._trace, numbered)
        return numbered

    def _mark(self) -> str:
        if not self.checks:
            return ""
        asked: list[object] = [
            [d.question, d.seat, d.kind, d.keys(), _form(d), d.current]
            for d in (*self._asked, *self.offers)
        ]
        asked.append([[t.question, t.kind, t.seconds] for t in self._timers])
        text = json.dumps(asked, separators=(",", ":"))
        return f"{hashlib.sha256(text.encode()).hexdigest()[:_MARK_LENGTH]}/{self._chance.calls}"


def _form(decision: Decision) -> list[int]:
    shape = decision.shape
    return [shape.least, shape.most, shape.repeats, shape.distinct, decision.revisable]


def _next_trace(before: str, events: Sequence[Numbered]) -> str:
    told = [
        [e.event.kind, e.event.data, None if e.event.only is PUBLIC else list(e.event.only)]
        for e in events
    ]
    text = before + json.dumps(told, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_TRACE_LENGTH]
