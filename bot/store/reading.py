"""The SQL that looks up sessions and what belongs to them. All of it runs on the reading side,
which sees only what is durable.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Sequence

from bot.store.columns import (
    ENTRY_COLUMNS,
    MESSAGE_COLUMNS,
    SEAT_COLUMNS,
    read_act,
    read_entry,
    read_message,
    read_motion,
    read_seat,
    read_session,
)
from bot.store.protocol import JournalDamaged
from bot.store.rows import (
    LIVE,
    OPEN_WANTS,
    ActRow,
    EntryRow,
    FormerRow,
    MessageRow,
    MotionRow,
    SeatRow,
    SessionRow,
    SittingRow,
)

Fetch = Callable[[str, tuple[object, ...]], Awaitable[Sequence[sqlite3.Row]]]

# Crockford's alphabet leaves these letters out; people type them all the same.
_AS_DIGITS = str.maketrans("OIL", "011")


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


_LIVE = f"status IN ({_quoted(LIVE)})"
_OPEN = f"want IN ({_quoted(OPEN_WANTS)})"
_OVER = "status IN ('finished', 'abandoned')"
_SEATS = ", ".join(SEAT_COLUMNS)
_MESSAGES = ", ".join(MESSAGE_COLUMNS)
_ENTRIES = ", ".join(f"e.{column}" for column in ENTRY_COLUMNS)


async def session_by_id(fetch: Fetch, number: int) -> SessionRow | None:
    """A row that is garbled comes back as a crashed session (see columns.read_session)."""
    rows = await fetch("SELECT * FROM session WHERE id = ?", (number,))
    return read_session(rows[0]) if rows else None


async def session_by_code(fetch: Fetch, code: str) -> SessionRow | None:
    """The code may come as a person has typed it."""
    plain = code.strip().upper().translate(_AS_DIGITS)
    rows = await fetch("SELECT * FROM session WHERE code = ?", (plain,))
    return read_session(rows[0]) if rows else None


async def live_sessions(fetch: Fetch) -> tuple[SessionRow, ...]:
    """The next to wake first, those that nothing wakes last."""
    sql = f"SELECT * FROM session WHERE {_LIVE} ORDER BY wake_at NULLS LAST, id"  # noqa: S608
    return tuple(read_session(row) for row in await fetch(sql, ()))


async def sessions_of_channel(fetch: Fetch, channel: int, *, live: bool) -> tuple[SessionRow, ...]:
    """In the channel, or in a thread that was made for a call in it; newest first."""
    only = f"AND {_LIVE}" if live else ""
    sql = f"""SELECT * FROM session
        WHERE (channel_id = ? OR parent_id = ?) {only} ORDER BY id DESC"""  # noqa: S608
    return tuple(read_session(row) for row in await fetch(sql, (channel, channel)))


async def sessions_of_user(fetch: Fetch, user: int, *, live: bool) -> tuple[SessionRow, ...]:
    """Where the user sits or is in charge; newest first."""
    only = f"AND {_LIVE}" if live else ""
    sql = f"""SELECT * FROM session
        WHERE (host_id = ? OR id IN (SELECT session FROM seat WHERE user_id = ?)) {only}
        ORDER BY id DESC"""  # noqa: S608
    return tuple(read_session(row) for row in await fetch(sql, (user, user)))


async def finished(fetch: Fetch, guild: int, limit: int, offset: int) -> tuple[SessionRow, ...]:
    """Games that are over, the latest first."""
    sql = f"""SELECT * FROM session WHERE guild_id = ? AND {_OVER}
        ORDER BY ended_at DESC, id DESC LIMIT ? OFFSET ?"""  # noqa: S608
    return tuple(read_session(row) for row in await fetch(sql, (guild, limit, offset)))


async def seats(fetch: Fetch, session: int) -> tuple[SeatRow, ...]:
    """In seat order."""
    sql = f"SELECT {_SEATS} FROM seat WHERE session = ? ORDER BY seat"  # noqa: S608
    return tuple(read_seat(row) for row in await fetch(sql, (session,)))


async def entries(fetch: Fetch, session: int) -> tuple[EntryRow, ...]:
    """The whole journal. Raises JournalDamaged if it has gaps or another length than its session.

    Length and records come from one statement, so a commit in between cannot set them at odds.
    """
    sql = f"""SELECT s.ply AS length, {_ENTRIES}
        FROM session s LEFT JOIN entry e ON e.session = s.id WHERE s.id = ? ORDER BY e.ply"""  # noqa: S608
    rows = [tuple(row) for row in await fetch(sql, (session,))]
    found = tuple(read_entry(row[1:]) for row in rows if row[1] is not None)
    length: int = rows[0][0] if rows else 0
    for ply, entry in enumerate(found):
        if entry.ply != ply:
            raise JournalDamaged(session, f"the record of ply {ply} is missing")
    if len(found) != length:
        raise JournalDamaged(session, f"records expected: {length}, found: {len(found)}")
    return found


async def messages(fetch: Fetch, session: int) -> tuple[MessageRow, ...]:
    """The oldest first."""
    sql = f"""SELECT {_MESSAGES} FROM message
        WHERE session = ? ORDER BY made_at, serial, purpose, seat"""  # noqa: S608
    return tuple(read_message(row) for row in await fetch(sql, (session,)))


async def open_messages(fetch: Fetch) -> tuple[MessageRow, ...]:
    """What is still to be done for any session; the oldest first."""
    sql = f"""SELECT {_MESSAGES} FROM message
        WHERE {_OPEN} ORDER BY made_at, session, serial, purpose, seat"""  # noqa: S608
    return tuple(read_message(row) for row in await fetch(sql, ()))


async def acts(
    fetch: Fetch, guild: int, session: int | None, limit: int, offset: int
) -> tuple[ActRow, ...]:
    """The newest first."""
    only = "" if session is None else "AND a.session = ?"
    values = (guild, *(() if session is None else (session,)), limit, offset)
    sql = f"""SELECT a.*, b.user_id AS by_user, c.user_id AS about_user FROM act a
        LEFT JOIN person b ON b.id = a.by_person LEFT JOIN person c ON c.id = a.about_person
        WHERE a.guild_id = ? {only} ORDER BY a.id DESC LIMIT ? OFFSET ?"""  # noqa: S608
    return tuple(read_act(row) for row in await fetch(sql, values))


async def sittings(fetch: Fetch, session: int) -> tuple[SittingRow, ...]:
    """In the order of seats."""
    sql = """SELECT session, user_id, seat, barred FROM sitting
        WHERE session = ? ORDER BY seat, user_id"""
    rows = await fetch(sql, (session,))
    return tuple(SittingRow(row[0], row[1], row[2], bool(row[3])) for row in rows)


async def formers(fetch: Fetch, session: int) -> tuple[FormerRow, ...]:
    """In the order of seats."""
    sql = "SELECT session, mark, seat, barred FROM former WHERE session = ? ORDER BY seat, mark"
    rows = await fetch(sql, (session,))
    return tuple(FormerRow(row[0], row[1], row[2], bool(row[3])) for row in rows)


async def motions(fetch: Fetch, session: int) -> tuple[MotionRow, ...]:
    """The oldest first."""
    sql = "SELECT * FROM motion WHERE session = ? ORDER BY number"
    return tuple(read_motion(row) for row in await fetch(sql, (session,)))
