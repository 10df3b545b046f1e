"""The SQL for whole servers: what each has chosen, when the bot left it, and what then goes.

Games go by their age, a server's data when the bot was removed from it long enough ago. Both take
every row of a session, also those that were set aside.
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Iterable, Mapping
from typing import Any, cast

import aiosqlite

from bot.store.columns import to_json
from bot.store.journals import fetch
from bot.store.reading import Fetch
from bot.store.rows import Json, ServerRow

_log = logging.getLogger(__name__)

#: Tables with rows of a session; their column `session` names it.
_PARTS = ("interaction", "message", "entry", "aside", "seat", "sitting", "former", "motion")
_KNOWN = """SELECT guild_id FROM session UNION SELECT guild_id FROM act
    UNION SELECT guild_id FROM server"""
_OVER = "status IN ('finished', 'cancelled', 'abandoned')"


async def server(read: Fetch, guild: int) -> ServerRow:
    """What is known of a server; nothing chosen if it is new, or if that cannot be read."""
    rows = await read("SELECT settings, left_at FROM server WHERE guild_id = ?", (guild,))
    return _row(guild, rows[0][0], rows[0][1]) if rows else ServerRow(guild)


def _row(guild: int, settings: str, left_at: float | None) -> ServerRow:
    chosen: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        chosen = json.loads(settings)
    if isinstance(chosen, dict):
        return ServerRow(guild, cast("dict[str, Json]", chosen), left_at)
    told = "the settings of server %d cannot be read (%r): what this installation is set up with"
    _log.error(told + " holds there, until its moderators use /settings", guild, settings[:80])
    return ServerRow(guild, {}, left_at, is_garbled=True)


async def set_server(
    connection: aiosqlite.Connection, guild: int, settings: Mapping[str, Json]
) -> None:
    """In place of what the server had chosen before."""
    sql = """INSERT INTO server (guild_id, settings) VALUES (?, ?)
        ON CONFLICT (guild_id) DO UPDATE SET settings = excluded.settings"""
    await fetch(connection, sql, (guild, to_json(dict(settings), "settings")))


async def known_servers(read: Fetch) -> Mapping[int, float | None]:
    """Every server of which there is any row, with the moment at which the bot was removed."""
    sql = f"""SELECT k.guild_id, s.left_at FROM ({_KNOWN}) k
        LEFT JOIN server s ON s.guild_id = k.guild_id ORDER BY k.guild_id"""  # noqa: S608
    return {row[0]: row[1] for row in await read(sql, ())}


async def mark_servers(
    connection: aiosqlite.Connection, left: Iterable[int], back: Iterable[int], at: float
) -> None:
    """Note which servers the bot has left (an earlier moment stays) and to which it is back."""
    for guild in left:
        sql = """INSERT INTO server (guild_id, left_at) VALUES (?, ?)
            ON CONFLICT (guild_id) DO UPDATE SET left_at = coalesce(left_at, excluded.left_at)"""
        await fetch(connection, sql, (guild, at))
    for guild in back:
        await fetch(connection, "UPDATE server SET left_at = NULL WHERE guild_id = ?", (guild,))


async def erase_server(
    connection: aiosqlite.Connection, guild: int, before: float
) -> tuple[int, ...]:
    """All of a server that the bot left before that moment; which sessions were in it."""
    sql = "SELECT 1 FROM server WHERE guild_id = ? AND left_at < ?"
    if not await fetch(connection, sql, (guild, before)):
        return ()
    over = f"SELECT code, ? FROM session WHERE guild_id = ? AND {_OVER}"  # noqa: S608
    sql = f"INSERT INTO gone (code, at) {over} ON CONFLICT DO NOTHING"
    await fetch(connection, sql, (before, guild))
    rows = await fetch(connection, "SELECT id FROM session WHERE guild_id = ?", (guild,))
    for row in rows:
        await _remove(connection, row[0])
    await fetch(connection, "DELETE FROM act WHERE guild_id = ?", (guild,))
    # People stand apart from the acts that name them; those that none names any more go with them.
    await fetch(
        connection,
        "DELETE FROM person WHERE id NOT IN (SELECT by_person FROM act WHERE by_person IS NOT NULL"
        " UNION SELECT about_person FROM act WHERE about_person IS NOT NULL)",
    )
    await fetch(connection, "DELETE FROM server WHERE guild_id = ?", (guild,))
    return tuple(row[0] for row in rows)


async def purge_games(
    connection: aiosqlite.Connection, before: float, at: float, limit: int
) -> tuple[int, ...]:
    """Remove up to `limit` games that ended before that moment, the oldest first; which they were.

    Their codes are kept, so that none of them is brought in again from a file.
    """
    sql = f"""SELECT id, code FROM session
        WHERE {_OVER} AND coalesce(ended_at, touched_at) < ? ORDER BY ended_at, id LIMIT ?"""  # noqa: S608
    rows = await fetch(connection, sql, (before, limit))
    for number, code in rows:
        put = "INSERT INTO gone (code, at) VALUES (?, ?) ON CONFLICT DO NOTHING"
        await fetch(connection, put, (code, at))
        await _remove(connection, number)
    return tuple(row[0] for row in rows)


async def newest(read: Fetch) -> float:
    """When anything was last written down, as far as rows tell; 0 if there is none."""
    sql = """SELECT max(at) FROM (
        SELECT max(touched_at) AS at FROM session UNION SELECT max(ended_at) FROM session
        UNION SELECT max(at) FROM act UNION SELECT max(at) FROM interaction)"""
    return (await read(sql, ()))[0][0] or 0.0


async def is_gone(read: Fetch, code: str) -> bool:
    """Whether a game of that code was here, has ended, and was removed."""
    return bool(await read("SELECT 1 FROM gone WHERE code = ?", (code,)))


async def _remove(connection: aiosqlite.Connection, session: int) -> None:
    # The tables are constants of this module, never data.
    for table in _PARTS:
        await fetch(connection, f"DELETE FROM {table} WHERE session = ?", (session,))  # noqa: S608
    await fetch(connection, "DELETE FROM session WHERE id = ?", (session,))
