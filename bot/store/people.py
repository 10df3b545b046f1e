"""What belongs to no session: preferences, settings, stored content, and forgetting a person."""

from __future__ import annotations

import zlib

import aiosqlite

from bot.store.journals import fetch
from bot.store.protocol import StoreDamaged
from bot.store.reading import Fetch
from bot.store.rows import PreferenceRow


async def preference(read: Fetch, user: int) -> PreferenceRow:
    """What the user has chosen, or the defaults."""
    sql = "SELECT pings, ballots, own_ballots FROM preference WHERE user_id = ?"
    for pings, ballots, own in await read(sql, (user,)):
        return PreferenceRow(user, pings, bool(ballots), bool(own))
    return PreferenceRow(user)


async def put_preference(connection: aiosqlite.Connection, row: PreferenceRow) -> None:
    """In place of what the user had chosen before."""
    sql = """INSERT OR REPLACE INTO preference (user_id, pings, ballots, own_ballots)
        VALUES (?, ?, ?, ?)"""
    values = (row.user_id, row.pings, int(row.ballots), int(row.own_ballots))
    await fetch(connection, sql, values)


async def setting(read: Fetch, key: str) -> str | None:
    """None if it has never been set."""
    rows = await read("SELECT value FROM setting WHERE key = ?", (key,))
    return rows[0][0] if rows else None


async def put_setting(connection: aiosqlite.Connection, key: str, value: str | None) -> None:
    """None removes it."""
    if value is None:
        await fetch(connection, "DELETE FROM setting WHERE key = ?", (key,))
    else:
        sql = "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)"
        await fetch(connection, sql, (key, value))


async def content(read: Fetch, digest: str) -> bytes | None:
    """The content as it was put in. Raises StoreDamaged if it cannot be unpacked."""
    rows = await read("SELECT body FROM content WHERE digest = ?", (digest,))
    if not rows:
        return None
    try:
        return zlib.decompress(rows[0][0])
    except zlib.error as error:
        raise StoreDamaged(f"the stored content {digest} cannot be unpacked: {error}") from error


async def put_content(
    connection: aiosqlite.Connection, digest: str, game: str, packed: bytes
) -> None:
    """Content is named by its digest, so what is there already is the same."""
    sql = "INSERT INTO content (digest, game, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
    await fetch(connection, sql, (digest, game, packed))


async def was_counted(read: Fetch, interaction: int) -> bool:
    """Whether a committed change has counted this interaction."""
    return bool(await read("SELECT 1 FROM interaction WHERE id = ?", (interaction,)))


async def purge_interactions(connection: aiosqlite.Connection, before: float) -> int:
    """How many ids were counted before that moment, and are now forgotten."""
    return len(
        await fetch(connection, "DELETE FROM interaction WHERE at < ? RETURNING id", (before,))
    )


async def forget(connection: aiosqlite.Connection, user: int, name: str) -> tuple[int, ...]:
    """Seats go to computer players, tables lose their host, the preferences go."""
    seats = await fetch(
        connection,
        "UPDATE seat SET user_id = NULL, name = ?, kind = 'computer', draft = NULL,"
        " misses = 0, away = 0"
        " WHERE user_id = ? RETURNING session",
        (name, user),
    )
    hosted = await fetch(
        connection, "UPDATE session SET host_id = NULL WHERE host_id = ? RETURNING id", (user,)
    )
    await fetch(connection, "DELETE FROM preference WHERE user_id = ?", (user,))
    return tuple(sorted({row[0] for row in (*seats, *hosted)}))
