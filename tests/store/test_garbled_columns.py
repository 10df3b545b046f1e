"""Every text of the database garbled, one at a time: only the smallest thing concerned stops."""

from __future__ import annotations

import contextlib
import copy
import logging
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.sessions.faces import Status
from bot.store.migrate import migrate, shipped_migrations
from bot.store.opening import DATABASE_NAME
from bot.store.rows import PreferenceRow
from tests.sessions.house import ANN, BEA, CID, GUILD, MOD, ROOM, House
from tests.sessions.waiting import act

NO_TEXT = "x'ff7b225b'"
"""Bytes that are no UTF-8, as SQL writes them."""

NO_JSON = ("'[[{'", "'[[1]]'", "'7'")
"""No JSON, and JSON of other shapes."""

JSON = (
    "clocks", "crash", "draft", "facts", "options", "outcome", "sand", "settings", "timers",
    "voices",
)  # fmt: skip


def columns() -> Iterator[tuple[str, str]]:
    """Each text of the schema that this version makes, by table and column."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
        migrate(database, Path(DATABASE_NAME), shipped_migrations(), keep_copy=False)
        sql = """SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND c.type = 'TEXT' AND m.name NOT LIKE 'sqlite_%'
            ORDER BY 1, 2"""
        yield from database.execute(sql).fetchall()


@pytest.fixture
async def laid(tmp_path: Path) -> House:
    """A bot that was stopped, with two games in their first moves, a server's choices and a log."""
    house = await House(tmp_path / "laid").open()
    mod = house.click(MOD, may_manage=True)
    await house.registry.desk.servers.change(mod, GUILD, {"pace": "live", "tables": 3})
    await house.store.set_preference(PreferenceRow(ANN, "dm"))
    await house.store.put_content("0" * 64, "senate", b"{}")
    for room in (ROOM, ROOM + 1):
        session = await house.registry.open_lobby(
            house.click(ANN), game=house.title.key, guild_id=GUILD, channel_id=room
        )
        for user in (BEA, CID):
            await session.join(house.click(user))
        await session.start(house.click(ANN))
        assert await act(house, session, ANN)
        await session.pause(house.click(MOD, may_manage=True))
        await session.resume(house.click(MOD, may_manage=True))
        await house.run(2)
    await house.die()
    return house


def garble(folder: Path, table: str, column: str, text: str) -> int:
    """Put that text into the column, in the rows of the first game where they are of a game."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as database, database:
        database.execute("PRAGMA ignore_check_constraints = 1")
        database.execute("DROP TRIGGER act_is_never_changed")
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
        where = {"session": "id = 1", "seat": "session = 1 AND seat = 0"}.get(table)
        if where is None and "session" in names:
            where = "session = 1"
        sql = f"UPDATE OR IGNORE {table} SET {column} = CAST({text} AS TEXT)"
        return database.execute(f"{sql} WHERE {where}" if where else sql).rowcount


@pytest.mark.parametrize(("table", "column"), list(columns()), ids=str)
async def test_whatever_text_is_garbled_other_tables_play_on(
    laid: House, tmp_path: Path, caplog: pytest.LogCaptureFixture, table: str, column: str
) -> None:
    """RPL-09, GAM-25: the bot starts, the other table's players play, what people and moderators
    ask for is answered, and nothing but the one table is told to be broken.
    """
    code = laid.registry.session(1).code
    for number, text in enumerate((NO_TEXT, *(NO_JSON if column in JSON else ()))):
        folder = tmp_path / f"{number}"
        shutil.copytree(laid.folder, folder)
        garble(folder, table, column, text)
        caplog.clear()
        house = House(folder)
        house.channel = copy.deepcopy(laid.channel)
        await house.open()
        await house.run(2)
        other = house.registry.session(2)
        assert other.status is Status.RUNNING
        assert await act(house, other, BEA) or await act(house, other, ANN)
        assert len(await house.store.acts(GUILD)) >= 5
        assert len(await house.registry.desk.servers.all(GUILD)) == 6
        await house.store.about(ANN)
        await house.store.preference(ANN)
        await house.registry.finished(GUILD)
        await house.restart()
        assert house.registry.session(2).status is Status.RUNNING
        await house.die()
        told = [record for record in caplog.records if record.levelno >= logging.ERROR]
        assert not [one for one in told if other.code in one.getMessage()]
        wild = [one.getMessage() for one in told if one.exc_info]
        assert all(line.startswith(f"table {code} crashed at record") for line in wild)
