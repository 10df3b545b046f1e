"""The SQL that brings a whole game in: its session, journal, seats and notes, or nothing of it."""

from __future__ import annotations

from dataclasses import replace

import aiosqlite

from bot.store import moderation
from bot.store.columns import ENTRY_COLUMNS, entry_values
from bot.store.journals import insert_session
from bot.store.protocol import BadWrite, Write
from bot.store.rows import Arrival

# The names are constants of this package, never data.
_PUT_ENTRY = f"""INSERT INTO entry ({", ".join(ENTRY_COLUMNS)})
    VALUES ({", ".join("?" * len(ENTRY_COLUMNS))})"""  # noqa: S608


async def bring_in(connection: aiosqlite.Connection, arrival: Arrival) -> int:
    """The new session's number. Raises the errors that Store.open_session names."""
    plies = [entry.ply for entry in arrival.entries]
    if plies != list(range(arrival.row.ply)):
        raise BadWrite(f"a journal of length {arrival.row.ply}, but plies {plies[:3]}...")
    number = await insert_session(
        connection, arrival.row, arrival.seats, arrival.messages, arrival.interaction
    )
    entries = [entry_values(replace(entry, session=number)) for entry in arrival.entries]
    async with connection.executemany(_PUT_ENTRY, entries):
        pass
    write = Write(
        session=number,
        acts=(replace(arrival.act, session=number),),
        sittings=tuple(replace(row, session=number) for row in arrival.sittings),
    )
    await moderation.note(connection, write)
    for row in arrival.formers:
        await moderation.put_former(connection, replace(row, session=number))
    return number
