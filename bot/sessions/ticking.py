"""When the clocks of a table run: once players see what is asked, and never behind their back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.sessions import pace, sand
from bot.sessions.clocks import Clock, Key
from bot.sessions.faces import Deadline
from bot.sessions.memory import Memory
from bot.store.rows import NO_SEAT

_DRIFT: Final = 5.0
"""Seconds by which a shown deadline may be too early before it is shown anew; a clock that stood
still for longer has a little time at least."""

_ROUNDED: Final = 0.5
"""Seconds by which it may be too late: two clocks are read, one after the other."""


def may_run(session: Memory) -> frozenset[Key]:
    """The clocks that run as soon as players see what is asked."""
    game = session.game
    if game is None or game.timers or session.stands_still:
        return frozenset()
    asked = {decision.question for decision in session.playing.asked}
    return frozenset(key for key in session.clocks if key[0] in asked)


def hold(session: Memory, *, besides: Collection[Key] = ()) -> None:
    """Let the clocks stand still, but for those; one that has run out stays so."""
    now = session.desk.time.monotonic()
    for key, clock in session.clocks.items():
        if key not in besides and not clock.has_run_out(now):
            clock.hold(now)


def stop(session: Memory) -> None:
    """Let the sand and the clocks stand still, since nobody can see or click anything."""
    if sand.hold(session.sands, session.desk.time.monotonic()):
        session.version += 1
    hold(session)


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
        clock.shown = _ends_at(clock, now, epoch)


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
    return Deadline(first.question, first.seat, _ends_at(first, now, epoch))


def _ends_at(clock: Clock, now: float, epoch: float) -> float:
    """When the time is over; as it is shown already, if that is about right."""
    ends_at = epoch + clock.left_at(now)
    is_right = clock.shown is not None and -_ROUNDED < ends_at - clock.shown <= _DRIFT
    return clock.shown if is_right and clock.shown is not None else ends_at
