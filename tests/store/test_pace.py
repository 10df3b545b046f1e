"""What the store keeps of pace, clocks, absent players, and tables that expire."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
from pathlib import Path

from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import Write
from bot.store.rows import NO_SEAT, ClockRow
from tests.store.samples import seat, table

SAVED = Path(__file__).parent / "saved"
CLOCKS = (ClockRow(3, 1, "vote", 90_500, reminded=True), ClockRow(4, NO_SEAT, "step", 1))


async def test_clocks_and_absence_come_back_as_they_were_stored(tmp_path: Path) -> None:
    """DB-18: pace, what is left for whom, misses and absence are equal after a restart, types too,
    whether they came with the table or were written later.
    """
    async with await open_store(tmp_path) as store:
        row = table(1, pace="live", clocks=CLOCKS, expires_at=2000.5)
        away = dataclasses.replace(seat(0, 0, 5), misses=2, away=True)
        number = await store.open_session(row, (away, seat(0, 1, 6)))
        other = await store.open_session(table(2))
        fields: dict[str, object] = {"pace": "days", "clocks": CLOCKS[:1], "expires_at": None}
        await store.commit(Write(session=other, fields=fields))
    async with await open_store(tmp_path) as store:
        stored = await store.session(number)
        assert stored is not None
        assert (stored.pace, stored.clocks, stored.expires_at) == ("live", CLOCKS, 2000.5)
        first, second = await store.seats(number)
        assert (first.misses, first.away) == (2, True)
        assert (second.misses, second.away) == (0, False)
        stored = await store.session(other)
        assert stored is not None
        assert (stored.pace, stored.clocks, stored.expires_at) == ("days", CLOCKS[:1], None)


async def test_garbled_clocks_stop_no_game(tmp_path: Path) -> None:
    """Whoever's clock cannot be read simply has all their time again."""
    async with await open_store(tmp_path) as store:
        number = await store.open_session(table(1, clocks=CLOCKS))
    for garbled in ("{[", '{"question": 1}', "[1]", '[{"question": 1}]'):
        with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as connection:
            connection.execute("UPDATE session SET clocks = ?", (garbled,))
            connection.commit()
        async with await open_store(tmp_path) as store:
            stored = await store.session(number)
            assert stored is not None
            assert (stored.status, stored.clocks) == ("running", ())


async def test_an_upgrade_hurries_nobody(tmp_path: Path) -> None:
    """A game begun before there was a pace has none; a lobby of then closes half an hour after its
    last change.
    """
    path = tmp_path / DATABASE_NAME
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript((SAVED / "schema-4.sql").read_text("utf-8"))
        connection.execute(
            "INSERT INTO session (code, game, guild_id, channel_id, status, options, secret,"
            " timers, created_at, touched_at)"
            " VALUES ('B0BBY0', 'senate', 7, 77, 'lobby', '{}', zeroblob(32), '[]', 1.0, 5.0)"
        )
        connection.commit()
    async with await open_store(tmp_path) as store:
        for row in await store.live_sessions():
            is_lobby = row.status == "lobby"
            assert (row.pace, row.clocks) == ("none", ())
            assert row.expires_at == (1805.0 if is_lobby else None)
            assert not any(one.away or one.misses for one in await store.seats(row.id))
        assert len(await store.live_sessions()) == 2


async def test_a_forgotten_person_is_not_away(tmp_path: Path) -> None:
    """The computer player that takes a forgotten person's seat has none of their misses."""
    async with await open_store(tmp_path) as store:
        away = dataclasses.replace(seat(0, 0, 5), misses=2, away=True)
        number = await store.open_session(table(1), (away,))
        await store.forget(5, "Agatha")
        (row,) = await store.seats(number)
        assert (row.user_id, row.misses, row.away) == (None, 0, False)
