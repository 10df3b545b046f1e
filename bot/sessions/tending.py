"""What the pump does for one table's clocks, and what it stores of them."""

from __future__ import annotations

import logging
from typing import Final

from bot.sessions import absence, clocks, pace, reopening, sand, ticking
from bot.sessions.session import Session
from bot.store.protocol import StoreError, Write

log = logging.getLogger(__name__)

_PATIENCE: Final = 2.0
"""Seconds until something that is due is begun again, if it did not come to an end."""


def tend(session: Session, now: float) -> None:
    """Begin what is due: an answer, a reminder, a return or the end of a table.

    A deadline waits for clicks that came in time, and for the table to be up to date.
    """
    desk = session.desk
    if not desk.online or now < session.tended:
        return
    if session.may_reopen:
        session.tended = now + _PATIENCE
        desk.spawn(reopening.go_on(session), f"reopen {session.code}")
        return
    if absence.is_expired(session) or absence.is_silent(session):
        session.tended = now + _PATIENCE
        desk.spawn(session.let_expire(), f"expiry {session.code}")
        return
    length = pace.SECONDS.get(session.row.pace)
    if length is None or session.publishing.locked():
        return
    running = [session.clocks[key] for key in ticking.may_run(session)]
    is_over = any(
        clock.has_run_out(now)
        and clock.since is not None
        and not desk.is_click_before(clock.since + clock.left)
        for clock in running
    )
    if is_over or any(clock.wants_reminder(length, now) for clock in running):
        session.tended = now + _PATIENCE
        work = session.pass_time(now if is_over else None)
        desk.spawn(work, f"deadline {session.code}")


async def save(session: Session, now: float, *, whole: bool = False) -> None:
    """Store what is left of sand that runs; of clocks now and then, or if ``whole`` at once."""
    fields: dict[str, object] = {}
    if any(glass.since is not None for glass in session.sands.values()):
        fields["timers"] = sand.stored(session.sands, now)
    is_due = whole or now - session.saved >= pace.saves_every(session.row.pace)
    if is_due and any(clock.since is not None for clock in session.clocks.values()):
        session.saved = now
        fields["clocks"] = clocks.stored(session.clocks, now)
    if not fields:
        return
    try:
        await session.desk.store.commit(Write(session=session.id, fields=fields))
    except StoreError as error:
        log.warning("table %s: its time was not saved: %s", session.code, error)
