"""What is known of a person: told to them, and forgotten if they wish.

Replays stay as they are, since no journal names anybody. Tables that go on lose the person as if
they had left, and keep a mark by which they would know them again: nobody gets a second seat by
being forgotten. Those that have ended keep the seat under a name that is nobody's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any

from bot.sessions.ports import Refusal
from bot.sessions.registry import Registry
from bot.sessions.session import Session
from bot.store.protocol import StoreError
from bot.store.rows import FormerRow, Json, mark_of

_log = logging.getLogger(__name__)


async def about(registry: Registry, user_id: int) -> dict[str, Json]:
    """All that is stored about a person. Refusal ``not_read``."""
    try:
        return await registry.desk.store.about(user_id)
    except StoreError as error:
        raise Refusal("not_read") from error


async def forget(
    registry: Registry, user_id: int, name: str, computer: Callable[[Session], str]
) -> int:
    """Forget a person; in how many tables they stood. Refusal ``not_saved``: nothing is forgotten.

    ``name`` takes the place of theirs, ``computer`` names the computer player that takes a seat at
    a table which goes on.
    """
    if registry.desk.closing:
        raise Refusal("shutting_down")
    left = registry.of_user(user_id)
    for session in left:
        try:
            await session.gone(user_id, computer(session))
        except Refusal as refusal:
            # A table that stands still loses the person below, with its rows.
            _log.info("table %s: a seat is given up without it: %s", session.code, refusal.problem)
    known = [session for session in registry.everything() if concerns(session, user_id)]
    stood = await _under_locks(known, lambda: _forget(registry, known, user_id, name))
    return len(stood | {session.id for session in left})


def concerns(session: Session, user_id: int) -> bool:
    """Whether a table in memory names a person."""
    asked = any(user_id in (one.asked_by, one.user_id) for one in session.motions.values())
    sits = session.seat_of(user_id) is not None or user_id in session.sittings
    return asked or sits or session.host_id == user_id


async def _under_locks(
    sessions: Sequence[Session], work: Callable[[], Coroutine[Any, Any, set[int]]]
) -> set[int]:
    """Do work while none of these tables can change."""
    if not sessions:
        return await work()
    first, *rest = sessions
    return await first.locked(lambda: _under_locks(rest, work), "forget")


async def _forget(
    registry: Registry, known: Sequence[Session], user_id: int, name: str
) -> set[int]:
    store = registry.desk.store
    try:
        touched = await store.forget(user_id, name)
    except StoreError as error:
        raise Refusal("not_saved") from error
    registry.desk.forget(user_id)
    for session in known:
        _drop(session, user_id, name)
    return {*touched, *(session.id for session in known)}


def _drop(session: Session, user_id: int, name: str) -> None:
    """Follow in memory what the store has done."""
    for seat, row in session.seats.items():
        if row.user_id == user_id:
            session.seats[seat] = replace(
                row, user_id=None, name=name, kind="computer", draft=None, misses=0, away=False
            )
    sitting = session.sittings.pop(user_id, None)
    if sitting is not None and session.may_go_on:
        mark = mark_of(session.row.secret, user_id)
        session.formers[mark] = FormerRow(session.id, mark, sitting.seat, sitting.barred)
    for number, motion in session.motions.items():
        if user_id in (motion.asked_by, motion.user_id):
            state = "lapsed" if motion.state == "open" else motion.state
            session.motions[number] = replace(
                motion, asked_by=None, user_id=None, name="", state=state
            )
    if session.host_id == user_id:
        session.row = replace(session.row, host_id=None)
    session.lost.clear()
    session.asked_of.clear()
    session.names = {row.name for row in session.seats.values()}
    session.version += 1
    session.wake_computers()
    session.desk.nudge(session.id, False)
