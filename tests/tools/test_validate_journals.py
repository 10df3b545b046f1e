"""`validate-journals`: which unfinished games of a real store this code can play on."""

import asyncio
import json

import pytest

from bot.__main__ import main
from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import Write
from bot.store.rows import EntryRow, SessionRow
from bot.tools.playing import Player, header_for
from engines.kernel.journal import dump_header, dump_record
from engines.kernel.playthrough import Playthrough

PLIES = 6


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder of which the settings know."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))
    return tmp_path


async def store_game(folder, title, code: str, **changes: object) -> None:
    """Store a game of some plies, with changes to its records."""
    header = header_for(title, 4, {"length": "long", "cards": "one"}, code, 1)
    play = Playthrough(title.game, title.content.rules, header)
    player = Player(play, title.game.agents["sensible"], code, 1)
    while play.ply < PLIES:
        player.step()
    records = [json.loads(dump_record(entry)) for entry in play.entries]
    records[3] |= changes
    row = SessionRow(
        code=code, game=title.key, guild_id=1, channel_id=len(code) + ord(code[0]),
        status="running", secret=bytes(32), header=dump_header(header),
        content_digest=title.content.digest, created_at=1.0, touched_at=1.0,
    )  # fmt: skip
    async with await open_store(folder) as store:
        await store.put_content(title.content.digest, title.key, title.content.dump.encode())
        session = await store.open_session(row)
        entries = tuple(
            EntryRow(session=session, ply=ply, record=json.dumps(record))
            for ply, record in enumerate(records)
        )
        await store.commit(Write(session=session, expected_ply=0, entries=entries, at=2.0))


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
    assert lines[2] == "2 unfinished games, 0 of which do not fit"


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
    assert lines[-1] == "2 unfinished games, 1 of which do not fit"


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
    assert told.startswith(f"validate-journals: {folder / DATABASE_NAME} cannot be copied: ")
    assert told.count("\n") == 1
