"""The SQL for what is decided above the game: acts, sittings, motions.

The log of acts is only ever added to; the schema refuses anything else. It names no user, only a
person, who can be forgotten without touching it.
"""

from __future__ import annotations

import aiosqlite

from bot.store.columns import MOTION_COLUMNS, motion_values, to_json
from bot.store.journals import fetch
from bot.store.protocol import Write
from bot.store.rows import LIVE, ActRow, FormerRow, MotionRow, SittingRow, mark_of

_PUT_ACT = """INSERT INTO act
    (guild_id, session, code, at, what, by_person, about_person, facts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)"""
_PUT_SITTING = """INSERT INTO sitting (session, user_id, seat, barred) VALUES (?, ?, ?, ?)
    ON CONFLICT (session, user_id) DO UPDATE SET seat = excluded.seat, barred = excluded.barred"""
_PUT_FORMER = """INSERT INTO former (session, mark, seat, barred) VALUES (?, ?, ?, ?)
    ON CONFLICT (session, mark) DO UPDATE SET seat = excluded.seat, barred = excluded.barred"""
_FOR_GOOD = ("finished", "cancelled")
# A game that has ended for good needs no marks of those who sat there.
_SAT = f"""SELECT t.session, s.secret, t.seat, t.barred FROM sitting t
    JOIN session s ON s.id = t.session WHERE t.user_id = ?
    AND (s.status IN ({", ".join("?" * len(LIVE))})
        OR s.status = 'abandoned' AND s.told_at IS NULL)"""  # noqa: S608
# Not OR REPLACE: that would also replace another motion that is still open. The names are constants
# of this package, never data.
_PUT_MOTION = f"""INSERT INTO motion ({", ".join(MOTION_COLUMNS)})
    VALUES ({", ".join("?" * len(MOTION_COLUMNS))})
    ON CONFLICT (session, number) DO UPDATE SET
        user_id = excluded.user_id, name = excluded.name, voices = excluded.voices,
        state = excluded.state"""  # noqa: S608


async def note(connection: aiosqlite.Connection, write: Write) -> None:
    """The part of a write that is about acts, sittings and motions; marks go with their game."""
    is_told = write.fields.get("told_at") is not None
    if is_told or write.fields.get("status") in _FOR_GOOD:
        await fetch(connection, "DELETE FROM former WHERE session = ?", (write.session,))
    for act in write.acts:
        await put_act(connection, act)
    for sitting in write.sittings:
        await _put_sitting(connection, sitting)
    for motion in write.motions:
        await _put_motion(connection, motion)


async def put_act(connection: aiosqlite.Connection, act: ActRow) -> None:
    """One more line of the log."""
    by = await _person(connection, act.by)
    about = await _person(connection, act.about)
    facts = to_json(dict(act.facts), "facts")
    values = (act.guild_id, act.session, act.code, act.at, act.what, by, about, facts)
    await fetch(connection, _PUT_ACT, values)


async def _person(connection: aiosqlite.Connection, user: int | None) -> int | None:
    if user is None:
        return None
    known = await fetch(connection, "SELECT id FROM person WHERE user_id = ?", (user,))
    if not known:
        sql = "INSERT INTO person (user_id) VALUES (?) RETURNING id"
        known = await fetch(connection, sql, (user,))
    number: int = known[0][0]
    return number


async def _put_sitting(connection: aiosqlite.Connection, row: SittingRow) -> None:
    values = (row.session, row.user_id, row.seat, int(row.barred))
    await fetch(connection, _PUT_SITTING, values)


async def _put_motion(connection: aiosqlite.Connection, row: MotionRow) -> None:
    await fetch(connection, _PUT_MOTION, motion_values(row))


async def put_former(connection: aiosqlite.Connection, row: FormerRow) -> None:
    """In place of what was kept of the same person at the same table."""
    await fetch(connection, _PUT_FORMER, (row.session, row.mark, row.seat, int(row.barred)))


async def forget(connection: aiosqlite.Connection, user: int) -> None:
    """The log keeps what was done, but no longer by whom; what was asked is dropped.

    At tables that may go on a mark stays, so that nobody gets a second seat by being forgotten.
    """
    await fetch(connection, "UPDATE person SET user_id = NULL WHERE user_id = ?", (user,))
    for session, secret, seat, barred in await fetch(connection, _SAT, (user, *LIVE)):
        await put_former(connection, FormerRow(session, mark_of(secret, user), seat, bool(barred)))
    await fetch(connection, "DELETE FROM sitting WHERE user_id = ?", (user,))
    await fetch(
        connection,
        "UPDATE motion SET asked_by = NULL, user_id = NULL, name = '',"
        " state = CASE state WHEN 'open' THEN 'lapsed' ELSE state END"
        " WHERE asked_by = ? OR user_id = ?",
        (user, user),
    )
