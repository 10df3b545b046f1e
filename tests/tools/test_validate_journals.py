"""`validate-journals`: which unfinished games of a real store this code can play on."""

import asyncio
import contextlib
import dataclasses
import sqlite3

import pytest

from bot.__main__ import main
from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from tests.tools.stored import store_game


def validate(capsys) -> tuple[int, list[str]]:
    """Status, and the lines of stdout."""
    status = main(["validate-journals"])
    return status, capsys.readouterr().out.splitlines()


def test_games_that_fit(folder, senate, capsys):
    """Every unfinished game is replayed and listed."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    asyncio.run(store_game(folder, senate, "BBBBBB"))
    status, lines = validate(capsys)

    assert status == 0
    assert sorted(lines[:2]) == ["AAAAAA: fits, 6 records", "BBBBBB: fits, 6 records"]
    assert lines[2] == "2 unfinished games; not fitting: 0"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"value": ["bribe"]}, "diverged at ply 4: "),
        ({"mark": "0123456789ab/9"}, "diverged at ply 4: "),
        ({"trace": "0123456789abcdef"}, "re-interpreted from ply 4"),
        ({"odd": 1}, "record 4: unknown field 'odd'"),
    ],
)
def test_games_that_do_not_fit(folder, senate, capsys, changes, said):
    """A game that this code plays otherwise is listed with the ply; the status warns."""
    asyncio.run(store_game(folder, senate, "AAAAAA", **changes))
    asyncio.run(store_game(folder, senate, "BBBBBB"))
    status, lines = validate(capsys)

    assert status == 1
    assert any(line.startswith(f"AAAAAA: {said}") for line in lines)
    assert "BBBBBB: fits, 6 records" in lines
    assert lines[-1] == "2 unfinished games; not fitting: 1"


def test_it_works_beside_a_running_bot(folder, senate, capsys):
    """The check needs no lock: it looks at a copy, and changes nothing."""

    async def beside() -> tuple[int, list[str]]:
        async with await open_store(folder):
            return await asyncio.to_thread(validate, capsys)

    asyncio.run(store_game(folder, senate, "AAAAAA"))
    status, lines = asyncio.run(beside())

    assert status == 0
    assert lines[0] == "AAAAAA: fits, 6 records"


def test_nothing_to_check(folder, capsys):
    """A fresh installation has no games."""
    assert validate(capsys) == (
        0, [f"{folder / DATABASE_NAME} does not exist: nothing to check"],
    )  # fmt: skip


def test_a_damaged_database(folder, capsys):
    """A file that is no database is told in one line."""
    (folder / DATABASE_NAME).write_bytes(b"not a database" * 100)

    assert main(["validate-journals"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"validate-journals: {folder / DATABASE_NAME} is not a database of")
    assert told.count("\n") == 1


def test_a_game_that_stood_still_before_is_no_news(folder, senate, capsys):
    """A table that crashed long ago is listed, and does not make a deploy look bad for ever."""
    asyncio.run(store_game(folder, senate, "AAAAAA", "crashed", odd=1))
    asyncio.run(store_game(folder, senate, "BBBBBB", "crashed"))
    status, lines = validate(capsys)

    assert status == 0
    assert "AAAAAA: stands still already: record 4: unknown field 'odd'" in lines
    assert "BBBBBB: fits, 6 records" in lines
    assert lines[-1] == "2 unfinished games; not fitting: 0; standing still before: 1"


def test_a_view_that_breaks_is_found_before_the_players_do(folder, senate, capsys, monkeypatch):
    """Rules that play on but cannot show one seat its table would stop it at the first glance."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))

    class Unseen(type(senate.game)):
        def view(self, state, seat):
            if seat == 2:
                raise KeyError("consul")
            return super().view(state, seat)

    broken = dataclasses.replace(senate, game=Unseen())
    monkeypatch.setattr("bot.titles.load", lambda _: broken)

    assert validate(capsys) == (1, [
        "AAAAAA: it cannot be shown: KeyError: 'consul'",
        "1 unfinished game; not fitting: 1",
    ])  # fmt: skip


def test_other_rules_and_no_rules(folder, senate, capsys, monkeypatch):
    """RPL-07: a game of other rules, of content that is lost, or of no game known is named."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as database, database:
        database.execute("UPDATE session SET header = replace(header, '\"rules\":', '\"rules\":9')")
    status, (first, _) = validate(capsys)
    assert status == 1
    assert first.startswith("AAAAAA: rules version 9")

    monkeypatch.setattr("bot.titles.load_all", dict)
    assert validate(capsys)[1][0] == "AAAAAA: there is no game 'senate'"


def test_an_older_schema_is_brought_up_to_date_in_the_copy_only(folder, senate, capsys, shipped):
    """Before a deploy that migrates, the database of now is read as it will be, and left alone."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    before = (folder / DATABASE_NAME).read_bytes()
    shipped("ALTER TABLE preference ADD COLUMN tongue TEXT;")

    assert validate(capsys)[1] == [
        "AAAAAA: fits, 6 records", "1 unfinished game; not fitting: 0",
    ]  # fmt: skip
    assert (folder / DATABASE_NAME).read_bytes() == before
