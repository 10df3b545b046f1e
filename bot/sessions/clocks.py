"""The clocks of a table with a pace: one for each seat that is out.

A clock is a glass (sand.py) that the bot turns, not the rules. It runs while the table shows what
is asked and can be clicked: it starts when that message is up, and stands still while the table is
being published, while Discord is out of reach, the table is paused or at rest, a card comes first,
or the rules' own sand runs.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.sessions import pace
from bot.sessions.faces import Deadline, Status
from bot.sessions.replaying import Play
from bot.sessions.sand import Sand
from bot.store.rows import NO_SEAT, ClockRow, SeatRow

if TYPE_CHECKING:
    from bot.sessions.memory import Memory

Key = tuple[int, int]
"""Question and seat; NO_SEAT where the first answer decides for several."""

_DRIFT = 5.0
"""Seconds by which a shown deadline may be too early before it is shown anew; a clock that stood
still for longer has a little time at least."""


@dataclass(slots=True)
class Clock(Sand):
    """What is left for an answer.

    ``reminded``: whoever is out was told. ``shown``: when, as the table says, the time is over
    (epoch). ``stands``: since when it stands still, once it has run.
    """

    seat: int = NO_SEAT
    reminded: bool = False
    shown: float | None = None
    stands: float | None = None

    def hold(self, now: float) -> None:
        """Let it stand still from now on, and remember since when."""
        if self.since is not None:
            self.stands = now
        Sand.hold(self, now)

    @property
    def key(self) -> Key:
        """Which clock of the table it is."""
        return self.question, self.seat

    def wants_reminder(self, length: float, now: float) -> bool:
        """Whether so little is left of the whole length that somebody should be told."""
        is_running = self.since is not None and not self.reminded
        return is_running and self.left_at(now) <= length * pace.REMINDER


def awaited(game: Play, seats: Mapping[int, SeatRow]) -> dict[Key, str]:
    """What is asked of people who are there, by clock."""
    found: dict[Key, str] = {}
    for decision in game.waiting():
        row = seats.get(decision.seat)
        if row is not None and row.user_id is not None and not row.away:
            seat = NO_SEAT if decision.shared else decision.seat
            found.setdefault((decision.question, seat), decision.kind)
    return found


def follow(
    clocks: Mapping[Key, Clock], length: float | None, wanted: Mapping[Key, str]
) -> dict[Key, Clock]:
    """The clocks for what is awaited: known ones go on, new ones stand still, with all the time."""
    if length is None:
        return {}
    return {
        key: clocks.get(key) or Clock(key[0], kind, length, seat=key[1])
        for key, kind in wanted.items()
    }


def stored(clocks: Mapping[Key, Clock], now: float) -> tuple[ClockRow, ...]:
    """What the store keeps of them."""
    return tuple(
        ClockRow(c.question, c.seat, c.kind, int(c.left_at(now) * 1000), c.reminded)
        for _, c in sorted(clocks.items())
    )


def recalled(rows: Sequence[ClockRow]) -> dict[Key, Clock]:
    """The clocks as they were stored, standing still."""
    made = (
        Clock(row.question, row.kind, row.left_ms / 1000, seat=row.seat, reminded=row.reminded)
        for row in rows
    )
    known = {clock.key: clock for clock in made}
    for clock in known.values():
        clock.stands = -math.inf  # for as long as the bot was away
    return known


def may_run(session: Memory) -> frozenset[Key]:
    """The clocks that run as soon as players see what is asked."""
    game = session.game
    stands = game is None or game.timers or session.is_resting
    if stands or session.status is not Status.RUNNING or not session.desk.online:
        return frozenset()
    asked = {decision.question for decision in session.playing.asked}
    return frozenset(key for key in session.clocks if key[0] in asked)


def hold(session: Memory, *, besides: Collection[Key] = ()) -> None:
    """Let the clocks stand still, but for those; one that has run out stays so."""
    now = session.desk.time.monotonic()
    for key, clock in session.clocks.items():
        if key not in besides and not clock.has_run_out(now):
            clock.hold(now)


def turn(session: Memory, seen: Collection[Key]) -> bool:
    """Players see what these clocks are for: they run. Whether a shown deadline is wrong now."""
    is_wrong = False
    now = session.desk.time.monotonic()
    for key in may_run(session):
        clock = session.clocks[key]
        if key not in seen or clock.since is not None:
            continue
        if clock.stands is not None and now - clock.stands > _DRIFT:
            length = pace.SECONDS.get(session.row.pace, 0.0)
            clock.left = max(clock.left, length * pace.MERCY)
        clock.turn(now)
        ends_at = session.desk.time.epoch() + clock.left
        is_wrong = is_wrong or (clock.shown is not None and ends_at - clock.shown > _DRIFT)
    return is_wrong


def note_shown(session: Memory) -> None:
    """The table is about to show its clocks as they are now."""
    now, epoch = session.desk.time.monotonic(), session.desk.time.epoch()
    for clock in session.clocks.values():
        clock.shown = epoch + clock.left_at(now)


def deadline_of(session: Memory, seat: int | None = None) -> Deadline | None:
    """The next deadline, as soon as it is running or about to; of one seat, or of all."""
    now, epoch = session.desk.time.monotonic(), session.desk.time.epoch()
    keys = may_run(session)
    if seat is not None:
        asked = {d.question for d in session.playing.asked if d.seat == seat}
        keys = {key for key in keys if key[0] in asked and key[1] in (NO_SEAT, seat)}
    running = [session.clocks[key] for key in keys]
    if not running:
        return None
    first = min(running, key=lambda clock: (clock.left_at(now), clock.key))
    return Deadline(first.question, first.seat, epoch + first.left_at(now))
