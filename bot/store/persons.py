"""The SQL that finds all that is stored about one person, for that person to read."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import Any

from bot.store.reading import Fetch
from bot.store.rows import Json, mark_of

_SEATS = """SELECT s.code, s.game, s.guild_id AS server, s.status, s.started_at, s.ended_at,
    p.seat + 1 AS seat, p.name FROM seat p JOIN session s ON s.id = p.session
    WHERE p.user_id = ? ORDER BY s.id"""
_HOSTED = "SELECT code, guild_id AS server FROM session WHERE host_id = ? ORDER BY id"
_SAT = """SELECT s.code, t.seat + 1 AS seat, t.barred FROM sitting t
    JOIN session s ON s.id = t.session WHERE t.user_id = ? ORDER BY s.id"""
_MARKS = """SELECT s.code, s.secret, f.mark, f.seat + 1 AS seat, f.barred FROM former f
    JOIN session s ON s.id = f.session ORDER BY s.id"""
_ASKED = """SELECT s.code, m.kind, m.seat + 1 AS seat, m.state, m.name, m.made_at,
    m.asked_by IS ?1 AS by_me, m.user_id IS ?1 AS about_me FROM motion m
    JOIN session s ON s.id = m.session WHERE m.asked_by = ?1 OR m.user_id = ?1
    ORDER BY s.id, m.number"""
_ACTS = """SELECT a.at, a.guild_id AS server, a.code, a.what, a.facts,
    b.user_id IS ?1 AS by_me, c.user_id IS ?1 AS about_me FROM act a
    LEFT JOIN person b ON b.id = a.by_person LEFT JOIN person c ON c.id = a.about_person
    WHERE b.user_id = ?1 OR c.user_id = ?1 ORDER BY a.id"""


async def about(read: Fetch, user: int) -> dict[str, Json]:
    """Everything in which this user stands, by kind; times in seconds since 1970."""
    found: dict[str, Json] = {"user": user, "preferences": None}
    sql = "SELECT pings, ballots, own_ballots FROM preference WHERE user_id = ?"
    for row in await read(sql, (user,)):
        found["preferences"] = {
            "pings": row["pings"],
            "ballots_by_message": bool(row["ballots"]) if row["own_ballots"] else None,
        }
    for kind, text in (
        ("seats", _SEATS),
        ("hosted", _HOSTED),
        ("sat", _SAT),
        ("asked", _ASKED),
        ("acts", _ACTS),
    ):
        listed: list[Json] = []
        for row in await read(text, (user,)):
            plain = dict(row)
            if "facts" in plain:
                with contextlib.suppress(ValueError, RecursionError):  # garbled: as it stands
                    plain["facts"] = json.loads(plain["facts"])
            listed.append(plain)
        found[kind] = listed
    rows = await read(_MARKS, ())
    found["marks"] = await asyncio.to_thread(_marks, [tuple(row) for row in rows], user)
    return found


def _marks(rows: list[tuple[Any, ...]], user: int) -> list[Json]:
    """What is left of a user who was forgotten before: found only by comparing every mark."""
    return [
        {"code": code, "seat": seat, "barred": barred}
        for code, secret, mark, seat, barred in rows
        if mark == mark_of(secret, user)
    ]
