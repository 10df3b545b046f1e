"""`validate-journals`: which unfinished games of a real store this code can play on."""

import asyncio
import contextlib
import dataclasses
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from tests.tools.stored import store_game

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("command", ["validate-journals", "backup"])
def test_nothing_to_look_at(tmp_path, monkeypatch, capsys, command):
    """No database, with DATA_DIR set or not: no success, one line with the path, nothing made."""
    monkeypatch.delenv("DATA_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main([command]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"{command}: {tmp_path / 'data' / DATABASE_NAME} does not exist: ")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "data").mkdir()
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    assert main([command]) == 2
    assert capsys.readouterr().err == told
    assert list((tmp_path / "data").iterdir()) == []
    assert main(["health"]) == 1


@pytest.mark.parametrize("how", ["lost", "left", "stopped"])
def test_a_look_after_a_cut_leaves_the_trace_of_a_loss(folder, senate, capsys, caplog, how):
    """DB-08: killed and the -wal gone: both tools say that the newest moves are missing, make no
    file beside the database, and so the next start misses them too. Said of no other folder.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    copy = folder.parent / "copy.db"
    if how != "stopped":
        killed(folder)
    if how == "lost":
        (folder / f"{DATABASE_NAME}-wal").unlink()
        (folder / f"{DATABASE_NAME}-shm").unlink()
    before = sorted(path.name for path in folder.iterdir())
    for command in (["validate-journals"], ["backup", "--to", str(copy)]):
        status = main(command)
        told = capsys.readouterr().err
        assert told.count("the newest moves are missing") == (how == "lost")
        assert status == (how == "lost" and command[0] == "backup")
    assert sorted(path.name for path in folder.iterdir()) == before

    async def start() -> bool:
        async with await open_store(folder) as store:
            return store.newest_lost

    assert asyncio.run(start()) == (how == "lost")
    assert asyncio.run(start()) is False


_DIE = """
import asyncio, os, sys
from pathlib import Path
from bot.store.db import open_store
async def main():
    store = await open_store(Path(sys.argv[1]))
    await store.set_setting("commands", "newest")
    os._exit(9)
asyncio.run(main())
"""


def killed(folder):
    """A process writes something, and ends without closing its database."""
    done = subprocess.run([sys.executable, "-c", _DIE, str(folder)], cwd=ROOT, check=False)
    assert done.returncode == 9


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system")
@pytest.mark.parametrize("how", ["stopped", "killed", "copied"])
def test_a_disk_that_can_only_be_read(folder, senate, capsys, how):
    """OPS-04: a failing disk is mounted read-only: its games can still be checked and saved
    elsewhere, also those of a killed bot without the -shm that SQLite would read the -wal with; a
    backup into it names what to do, and not a file there changes.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    if how != "stopped":
        killed(folder)
    if how == "copied":
        (folder / f"{DATABASE_NAME}-shm").unlink()
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    mounts = (["mount", "--bind", folder, folder], ["mount", "-o", "remount,ro,bind", folder])
    if os.getuid() != 0 or subprocess.run(mounts[0], check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        subprocess.run(mounts[1], check=True, capture_output=True)
        assert validate(capsys)[0] == 0
        assert main(["backup", "--to", str(folder.parent / "copy.db")]) == 0
        assert main(["health"]) == 1
        capsys.readouterr()
        assert main(["backup"]) == 2
        assert "mount it so that it can be written" in capsys.readouterr().err
        assert main(["forget", "5"]) == 2
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    with contextlib.closing(sqlite3.connect(folder.parent / "copy.db")) as saved:
        found = saved.execute("SELECT value FROM setting").fetchall()
    assert found == ([] if how == "stopped" else [("newest",)])
    after = {file.name: file.read_bytes() for file in folder.iterdir()}
    shm = f"{DATABASE_NAME}-shm"  # those who read leave their marks in it
    assert {**after, shm: b""} == {**before, shm: b""}


def test_a_damaged_database(folder, capsys):
    """A file that is no database is told in one line."""
    (folder / DATABASE_NAME).write_bytes(b"not a database" * 100)

    assert main(["validate-journals"]) == 2
    told = capsys.readouterr().err
    what = f"{folder / DATABASE_NAME} is damaged (it is not an SQLite database)"
    assert told.startswith(f"validate-journals: {what}")
    assert "python -m bot restore-backup FILE (backups are in" in told
    assert told.count("\n") == 1


def test_damage_is_told_once_with_the_way_back(folder, senate, capsys):
    """DB-09: the line names the file once and what brings the games back; so for an empty one."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    database = folder / DATABASE_NAME
    database.write_bytes(database.read_bytes()[:16] + b"\xa5" * 9000)
    for what in (f"{database} is damaged (", f"{database} is damaged (it is empty, "):
        assert main(["validate-journals"]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"validate-journals: {what}")
        assert told.count(str(database)) == 1
        assert "python -m bot restore-backup FILE" in told
        database.write_bytes(b"")


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
