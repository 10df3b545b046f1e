"""The SQL that changes sessions: entries, seats, intentions, counted interactions.

Every function runs inside a transaction that holds the write lock, in a savepoint of its own (see
group.py). So what it looks up cannot change before it writes, and whatever it raises undoes it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace

import aiosqlite

from bot.store.columns import (
    ENTRY_COLUMNS,
    MESSAGE_COLUMNS,
    SEAT_COLUMNS,
    SESSION_COLUMNS,
    entry_values,
    message_values,
    seat_values,
    session_value,
    session_values,
)
from bot.store.protocol import (
    AlreadyCounted,
    BadWrite,
    ChannelTaken,
    CodeTaken,
    SeatTaken,
    UnknownSession,
    Write,
    WrongPly,
)
from bot.store.rows import HOLDS_CHANNEL, MessageRow, SeatRow, SessionRow


def _insert(table: str, columns: tuple[str, ...]) -> str:
    # The names are constants of this package, never data.
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608


_INSERT_SESSION = f"{_insert('session', SESSION_COLUMNS)} RETURNING id"
_INSERT_SEAT = _insert("seat", SEAT_COLUMNS)
_INSERT_ENTRY = _insert("entry", ENTRY_COLUMNS)
_UPSERT_MESSAGE = f"""{_insert("message", MESSAGE_COLUMNS)}
    ON CONFLICT (session, purpose, seat, serial) DO UPDATE SET
        channel_id = excluded.channel_id, message_id = excluded.message_id, want = excluded.want,
        question = excluded.question, made_at = excluded.made_at"""
_POSTED = """UPDATE message SET channel_id = ?, message_id = ?,
        want = CASE want WHEN 'post' THEN 'keep' ELSE want END
    WHERE session = ? AND purpose = ? AND seat = ? AND serial = ?"""
_KEEP_ASIDE = """INSERT INTO aside
    (session, ply, record, interaction_id, received_at, sand, at)
    SELECT session, ply, record, interaction_id, received_at, sand, ? FROM entry
    WHERE session = ? AND ply >= ?"""
_HOLDERS = ", ".join(f"'{status}'" for status in HOLDS_CHANNEL)
_HOLDER = f"SELECT id FROM session WHERE channel_id = ? AND status IN ({_HOLDERS}) AND id <> ?"  # noqa: S608


async def fetch(
    connection: aiosqlite.Connection, sql: str, values: Iterable[object] = ()
) -> list[sqlite3.Row]:
    """All rows at once: a cursor that is not read to its end would break the COMMIT."""
    return list(await connection.execute_fetchall(sql, tuple(values)))


async def _many(
    connection: aiosqlite.Connection, sql: str, values: Sequence[tuple[object, ...]]
) -> None:
    if values:
        async with connection.executemany(sql, values):
            pass


async def apply_write(connection: aiosqlite.Connection, write: Write) -> None:
    """One change to one session. Raises the errors that Store.commit names."""
    # First of all: a click that comes twice finds the ply moved on, but "counted" is the reason.
    await _count(connection, write)
    await _update_session(connection, write)
    await _many(connection, _INSERT_ENTRY, [entry_values(row) for row in write.entries])
    await _put_seats(connection, write.session, write.seats, write.drop_seats)
    await put_messages(connection, write.messages)
    posted = [
        (m.channel_id, m.message_id, m.session, m.purpose, m.seat, m.serial) for m in write.posted
    ]
    await _many(connection, _POSTED, posted)


async def insert_session(
    connection: aiosqlite.Connection,
    row: SessionRow,
    seats: tuple[SeatRow, ...],
    messages: tuple[MessageRow, ...],
    interaction: int | None,
) -> int:
    """A new session with its first rows. Raises the errors that Store.open_session names."""
    if row.status in HOLDS_CHANNEL:
        await _demand_channel(connection, row.channel_id, besides=0)
    if await fetch(connection, "SELECT id FROM session WHERE code = ?", (row.code,)):
        raise CodeTaken(f"another session has the code {row.code}")
    ((number,),) = await fetch(connection, _INSERT_SESSION, session_values(row))
    if interaction is not None:
        await _count_one(connection, interaction, number, row.created_at)
    await _put_seats(connection, number, tuple(replace(seat, session=number) for seat in seats), ())
    await put_messages(connection, tuple(replace(m, session=number) for m in messages))
    return number


async def set_aside(connection: aiosqlite.Connection, session: int, ply: int, at: float) -> int:
    """Move the end of a journal, from that ply on, to where it no longer counts; how many records.

    Raises UnknownSession, or BadWrite where that would leave a journal with a gap.
    """
    rows = await fetch(connection, "SELECT ply FROM session WHERE id = ?", (session,))
    if not rows:
        raise UnknownSession(f"there is no session {session}")
    sql = "SELECT count(*) FROM entry WHERE session = ? AND ply < ?"
    ((good,),) = await fetch(connection, sql, (session, ply))
    if not 0 <= ply <= rows[0][0] or good != ply:
        told = f"records before ply {ply}: {good} of {rows[0][0]}"
        raise BadWrite(f"session {session}: its journal cannot go on there, {told}")
    await fetch(connection, _KEEP_ASIDE, (at, session, ply))
    sql = "DELETE FROM entry WHERE session = ? AND ply >= ? RETURNING ply"
    moved = await fetch(connection, sql, (session, ply))
    await fetch(
        connection,
        "UPDATE session SET ply = ?, published_ply = min(published_ply, ?), touched_at = ?"
        " WHERE id = ?",
        (ply, ply, at, session),
    )
    return len(moved)


async def put_messages(connection: aiosqlite.Connection, messages: tuple[MessageRow, ...]) -> None:
    """Write intentions, in place of the ones with the same keys."""
    await _many(connection, _UPSERT_MESSAGE, [message_values(row) for row in messages])


async def _count(connection: aiosqlite.Connection, write: Write) -> None:
    counted: dict[int, float | None] = {
        entry.interaction_id: entry.received_at
        for entry in write.entries
        if entry.interaction_id is not None
    }
    if write.interaction is not None:
        counted[write.interaction] = write.at
    for interaction, at in counted.items():
        await _count_one(connection, interaction, write.session, at)


async def _count_one(
    connection: aiosqlite.Connection, interaction: int, session: int, at: float | None
) -> None:
    fresh = await fetch(
        connection,
        "INSERT INTO interaction (id, session, at) SELECT ?, id, ? FROM session WHERE id = ?"
        " ON CONFLICT (id) DO NOTHING RETURNING id",
        (interaction, at, session),
    )
    if not fresh:
        if not await fetch(connection, "SELECT 1 FROM session WHERE id = ?", (session,)):
            raise UnknownSession(f"there is no session {session}")
        raise AlreadyCounted(interaction)


async def _update_session(connection: aiosqlite.Connection, write: Write) -> None:
    fields = dict(write.fields)
    if write.at is not None:
        fields.setdefault("touched_at", write.at)
    if fields.keys() & {"status", "channel_id"}:
        await _demand_channel_after(connection, write.session, fields)
    assignments = ["ply = ply + ?"] + [f"{column} = ?" for column in fields]
    values: list[object] = [len(write.entries)]
    values += [session_value(column, value) for column, value in fields.items()]
    where = "id = ?"
    values.append(write.session)
    if write.expected_ply is not None:
        where += " AND ply = ?"
        values.append(write.expected_ply)
    # The columns have been checked against SESSION_FIELDS when the write was made.
    sql = f"UPDATE session SET {', '.join(assignments)} WHERE {where} RETURNING ply"  # noqa: S608
    if len(await fetch(connection, sql, values)) != 1:
        found = await fetch(connection, "SELECT ply FROM session WHERE id = ?", (write.session,))
        if not found or write.expected_ply is None:
            raise UnknownSession(f"there is no session {write.session}")
        raise WrongPly(write.session, write.expected_ply, found[0][0])


async def _demand_channel_after(
    connection: aiosqlite.Connection, session: int, fields: dict[str, object]
) -> None:
    sql = "SELECT status, channel_id FROM session WHERE id = ?"
    for status, channel_id in await fetch(connection, sql, (session,)):
        if fields.get("status", status) in HOLDS_CHANNEL:
            channel = fields.get("channel_id", channel_id)
            await _demand_channel(connection, channel, besides=session)


async def _demand_channel(
    connection: aiosqlite.Connection, channel: object, *, besides: int
) -> None:
    for (holder,) in await fetch(connection, _HOLDER, (channel, besides)):
        raise ChannelTaken(holder)


async def _put_seats(
    connection: aiosqlite.Connection,
    session: int,
    seats: tuple[SeatRow, ...],
    drop: tuple[int, ...],
) -> None:
    # All old rows go before the first new one comes, so that two people can swap seats.
    gone = [(session, number) for number in (*drop, *(seat.seat for seat in seats))]
    await _many(connection, "DELETE FROM seat WHERE session = ? AND seat = ?", gone)
    for seat in seats:
        if seat.user_id is not None:
            sql = "SELECT seat FROM seat WHERE session = ? AND user_id = ?"
            for (taken,) in await fetch(connection, sql, (session, seat.user_id)):
                raise SeatTaken(session, taken)
        await fetch(connection, _INSERT_SEAT, seat_values(seat))
