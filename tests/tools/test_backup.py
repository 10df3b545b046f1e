"""`backup` and `restore-backup`: copies that prove themselves, and the way back from one."""

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreUnusable
from bot.tools.backup import backups_in, made_at
from tests.tools.stored import store_game

ROOT = Path(__file__).parents[2]


def lines(capsys, *args: object) -> tuple[int, list[str], list[str]]:
    """Status, stdout and stderr of a command."""
    status = main([str(arg) for arg in args])
    told = capsys.readouterr()
    return status, told.out.splitlines(), told.err.splitlines()


def refusal(capsys, *args: object) -> str:
    """The one line with which a command refuses; nothing else is said."""
    status, out, err = lines(capsys, *args)
    assert (status, out, len(err)) == (2, [], 1)
    return err[0]


def rows(path, sql: str) -> list[tuple]:
    """What a query finds in a database file."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as found:
        return found.execute(sql).fetchall()


def change(path, sql: str) -> None:
    """Change a database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(path)) as found, found:
        found.execute(sql)


def content_of(folder) -> dict[str, bytes]:
    """Every file below a folder, but the lock's and the one that SQLite can make anew."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file() and not file.name.endswith((".lock", "-shm"))
    }


async def set_value(folder, value: str) -> None:
    """Change something that a restore can be told by."""
    async with await open_store(folder) as store:
        await store.set_setting("commands", value)


def test_a_backup_by_hand(folder, senate, capsys):
    """One line names the file, its size and what was replayed; only the owner can read it."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    asyncio.run(store_game(folder, senate, "BBBBBB", "finished"))
    status, out, err = lines(capsys, "backup")

    (made,) = backups_in(folder)
    assert (status, err) == (0, [])
    assert re.fullmatch(
        rf"{made}: written and checked, 0\.\d MB; 2 games, 1 of them unfinished and replayed",
        out[0],
    )
    assert made_at(made) is not None
    assert "by-hand" in made.name
    assert made.stat().st_mode & 0o077 == 0
    assert rows(made, "SELECT count(*) FROM entry") == [(12,)]
    assert [file.name for file in made.parent.iterdir()] == [made.name]


def test_a_backup_elsewhere(folder, senate, capsys, tmp_path):
    """`--to` takes a file, which is replaced, or a folder; the same data gives the same games."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    file, place = tmp_path / "mine.db", tmp_path / "stick"
    place.mkdir()
    for _ in range(2):
        assert lines(capsys, "backup", "--to", file)[0] == 0
    assert lines(capsys, "backup", "--to", place)[0] == 0

    (other,) = place.iterdir()
    assert other.name.startswith("nightwatch-")
    for made in (file, other):
        assert rows(made, "SELECT code FROM session") == [("AAAAAA",)]
    assert backups_in(folder) == []


_HOLD = """
import asyncio, sys
from pathlib import Path
from bot.store.db import open_store
async def main():
    async with await open_store(Path(sys.argv[1])) as store:
        await store.set_setting("commands", "newest")
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        await store.set_setting("commands", "goes on")
asyncio.run(main())
"""


@contextlib.contextmanager
def held(folder) -> Iterator[int]:
    """Another process works with the data, and has just written something; its number."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(folder)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "open\n"
        yield process.pid
        process.communicate("done\n", timeout=20)
        assert process.returncode == 0
    finally:
        process.kill()
        process.communicate()


def test_a_backup_beside_a_running_bot(folder, senate, capsys):
    """DB-05: what was acknowledged before is in it, though it is still in the -wal."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    copy = folder.parent / "copy.db"
    with held(folder):
        assert lines(capsys, "backup", "--to", copy)[0] == 0
        assert (folder / f"{DATABASE_NAME}-wal").stat().st_size > 0
    assert rows(copy, "SELECT value FROM setting") == [("newest",)]
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("goes on",)]


def test_a_game_that_does_not_fit_is_told(folder, senate, capsys):
    """The copy is kept, each game is named with the ply, and the status warns; what stood still
    before, or belongs to no game known here, is no fault of the copy.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA", trace="0123456789abcdef"))
    asyncio.run(store_game(folder, senate, "BBBBBB", "crashed", odd=1))
    asyncio.run(store_game(folder, senate, "CCCCCC"))
    change(folder / DATABASE_NAME, "UPDATE session SET game = 'chess' WHERE code = 'CCCCCC'")
    status, out, err = lines(capsys, "backup")

    assert status == 1
    assert err == ["backup: game AAAAAA does not fit this code: re-interpreted from ply 4"]
    (made,) = backups_in(folder)
    assert out[0].startswith(f"{made}: written, 0.")
    assert out[0].endswith(
        "MB, but NOT as it should be; 3 games, 3 of them unfinished and replayed,"
        " 1 broken before (BBBBBB), 1 of unknown games (CCCCCC)"
    )
    change(folder / DATABASE_NAME, "DELETE FROM session WHERE code = 'AAAAAA'")
    change(folder / DATABASE_NAME, "DELETE FROM entry WHERE session = 1 AND ply > 0")
    status, _, err = lines(capsys, "backup", "--to", folder.parent / "b.db")
    assert (status, err) == (1, ["backup: rows that refer to nothing in entry"])


def test_what_cannot_be_backed_up(folder, senate, capsys, tmp_path):
    """Nothing there, damaged, another program's, newer: one line each, and no file is made."""
    database, target = folder / DATABASE_NAME, tmp_path / "copy.db"
    wanted = ("backup", "--to", target)
    assert refusal(capsys, *wanted) == (
        f"backup: {database} does not exist: there is nothing to back up"
    )
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    saved = database.read_bytes()
    middle = len(saved) // 2 // 4096 * 4096
    database.write_bytes(saved[:middle] + b"\xa5" * 4096 + saved[middle + 4096 :])
    assert refusal(capsys, *wanted).startswith(
        f"backup: no backup was written to {target}: {database} is damaged ("
    )
    database.write_bytes(saved)
    change(database, "PRAGMA user_version = 999")
    assert "was written by a newer version of the bot" in refusal(capsys, *wanted)
    change(database, "PRAGMA application_id = 7")
    assert "is the database of another program" in refusal(capsys, *wanted)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_where_no_backup_may_go(folder, senate, capsys, tmp_path):
    """A missing folder, somebody's file, the database itself and what belongs to it: refused."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    letter = tmp_path / "letter.txt"
    letter.write_text("dear moderators")
    before = content_of(tmp_path)
    for target, why in (
        (tmp_path / "none" / "copy.db", "is no folder: make it first"),
        (letter, "is not one of this bot's backups"),
        (folder / DATABASE_NAME, "belongs to the running database"),
        (folder / f"{DATABASE_NAME}-wal", "belongs to the running database"),
        (tmp_path / "data" / ".." / "data" / DATABASE_NAME, "belongs to the running database"),
    ):
        assert why in refusal(capsys, "backup", "--to", target)
    after = content_of(tmp_path)
    assert {name: after[name] for name in before} == before


@pytest.fixture
def full_disk(tmp_path) -> Iterator[Path]:
    """A folder on a disk that has no room for a database."""
    full = tmp_path / "full"
    full.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(full)]
    if sys.platform != "linux" or os.getuid() != 0:
        pytest.skip("only root can mount a file system")
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    yield full
    subprocess.run(["umount", str(full)], check=True)


def test_a_full_disk_is_named(folder, senate, capsys, full_disk, monkeypatch):
    """DB-03: the line says which disk is full and what helps, for a backup and for the way back;
    nothing half written stays behind.
    """
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup, full = folder.parent / "copy.db", f"the disk that holds {full_disk} is full"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    told = refusal(capsys, "backup", "--to", full_disk)
    assert told.startswith(f"backup: no backup was written to {full_disk}")
    assert told.endswith(f": {full}: free some space there")
    assert list(full_disk.iterdir()) == []
    monkeypatch.setenv("DATA_DIR", str(full_disk))
    assert refusal(capsys, "restore-backup", backup) == (
        f"restore-backup: {backup} cannot be restored: {full}: free some space there"
    )
    assert not (full_disk / DATABASE_NAME).exists()


def test_going_on_from_a_backup(folder, senate, capsys):
    """DB-05: the state of the backup comes back, and the one of now is kept, whole."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    asyncio.run(set_value(folder, "old"))
    backup = folder.parent / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    asyncio.run(set_value(folder, "new"))
    status, out, err = lines(capsys, "restore-backup", backup)

    (kept,) = (folder / "backups").iterdir()
    assert (status, err) == (0, [])
    assert out == [
        f"{backup} is restored: 1 game, 1 of them unfinished and replayed;"
        f" the database of before is kept as {kept}"
    ]
    assert kept.name.startswith("before-restore-")
    assert sorted(content_of(folder)) == [f"backups/{kept.name}", DATABASE_NAME]
    assert rows(kept, "SELECT value FROM setting") == [("new",)]
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("old",)]
    assert (folder / DATABASE_NAME).stat().st_mode & 0o077 == 0
    # What was kept is a backup like any other.
    assert lines(capsys, "restore-backup", kept)[0] == 0
    asyncio.run(set_value(folder, "newer"))


def test_restoring_on_a_new_machine(folder, senate, capsys, tmp_path, monkeypatch):
    """An empty data folder: the games are there, and nothing had to be kept."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    assert lines(capsys, "backup", "--to", tmp_path / "copy.db")[0] == 0
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("DATA_DIR", str(other))
    status, out, _ = lines(capsys, "restore-backup", tmp_path / "copy.db")

    assert status == 0
    assert out[0].endswith("; there was no database before")
    assert lines(capsys, "validate-journals")[1][0] == "AAAAAA: fits, 6 records"


def test_a_backup_that_is_restored_may_be_in_two_files(folder, senate, capsys, tmp_path):
    """The files of a killed bot, moved together: what is in the -wal only is restored as well."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    moved = tmp_path / "moved"

    async def copied_while_open() -> None:
        async with await open_store(folder) as store:
            await store.set_setting("commands", "in the wal")
            shutil.copytree(folder, moved)

    asyncio.run(copied_while_open())
    asyncio.run(set_value(folder, "later"))
    assert lines(capsys, "restore-backup", moved / DATABASE_NAME)[0] == 0
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("in the wal",)]


def test_what_cannot_be_restored(folder, senate, capsys, tmp_path):
    """Nothing there, no backup, damaged, newer, the database itself: one line, nothing changes."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    sound = backup.read_bytes()
    before = content_of(folder)

    def refused(data: bytes | None) -> str:
        backup.unlink(missing_ok=True)
        if data is not None:
            backup.write_bytes(data)
        return refusal(capsys, "restore-backup", backup)

    assert refused(None) == f"restore-backup: {backup} does not exist"
    assert refused(b"") == f"restore-backup: {backup} is empty"
    assert refused(b"dear moderators") == (
        f"restore-backup: {backup} is not a database of this bot: it is no SQLite file"
    )
    middle = len(sound) // 2 // 4096 * 4096
    for data in (
        sound[: len(sound) // 2],
        sound[:middle] + b"\xa5" * 4096 + sound[middle + 4096 :],
    ):
        assert f"restore-backup: {backup} " in refused(data)
        assert "damaged" in refused(data)
    backup.write_bytes(sound)
    change(backup, "PRAGMA user_version = 999")
    assert "newer version of the bot" in refusal(capsys, "restore-backup", backup)
    change(backup, "PRAGMA application_id = 7")
    assert "another program" in refusal(capsys, "restore-backup", backup)
    assert "is the database itself" in refusal(capsys, "restore-backup", folder / DATABASE_NAME)
    assert "cannot be read (Is a directory)" in refusal(capsys, "restore-backup", tmp_path)
    after = content_of(folder)
    assert {name: after[name] for name in before} == before


def test_nothing_is_restored_under_a_running_bot(folder, senate, capsys, tmp_path):
    """One line says who works with the data; afterwards it is as it was."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0

    with held(folder) as number:
        told = refusal(capsys, "restore-backup", backup)
    assert told == (
        f"restore-backup: process {number} works with the data in {folder} already: stop it,"
        " or give this one another folder"
    )
    assert rows(folder / DATABASE_NAME, "SELECT value FROM setting") == [("goes on",)]
    assert not (folder / "backups").exists()


@pytest.mark.parametrize("harm", ["garbage", "no file", "newer", "with a wal"])
def test_a_database_that_does_not_open_is_replaced_and_kept(folder, senate, capsys, tmp_path, harm):
    """DB-09: the way that the refusal to start names works, and every byte of before is kept."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup, database = tmp_path / "copy.db", folder / DATABASE_NAME
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    wal = database.with_name(f"{DATABASE_NAME}-wal")
    if harm == "newer":
        change(database, "PRAGMA user_version = 999")
    else:
        database.write_bytes(b"SQLite format 3\x00" + b"\xa5" * 9000)
    if harm == "with a wal":
        wal.write_bytes(b"whatever was in here" * 40)
    if harm == "no file":
        database.rename(wal)
    with pytest.raises(StoreUnusable):
        asyncio.run(set_value(folder, "no"))
    before = sorted(content_of(folder).values())

    status, out, _ = lines(capsys, "restore-backup", backup)
    assert status == 0
    assert "is kept as" in out[0]
    kept = content_of(folder / "backups")
    if harm != "newer":  # SQLite may write its header anew there
        assert sorted(kept.values()) == before
    assert all(name.startswith("before-restore-") for name in kept)
    asyncio.run(set_value(folder, "yes"))


def test_an_older_backup_is_brought_up_to_date(folder, senate, capsys, tmp_path, shipped):
    """RPL-07: a backup of the version before proves itself, is restored, and the bot goes on."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    newest = shipped("ALTER TABLE preference ADD COLUMN tongue TEXT;")
    before = backup.read_bytes()

    status, out, _ = lines(capsys, "restore-backup", backup)
    assert status == 0
    assert "1 game, 1 of them unfinished and replayed" in out[0]
    assert backup.read_bytes() == before
    asyncio.run(set_value(folder, "yes"))
    assert rows(folder / DATABASE_NAME, "PRAGMA user_version") == [(newest,)]
    assert f"before-schema-{newest}.db" in content_of(folder / "backups")


def test_a_restore_killed_before_clears_up(folder, senate, capsys, tmp_path):
    """What a killed restore has left half written is gone after the next one."""
    asyncio.run(store_game(folder, senate, "AAAAAA"))
    backup = tmp_path / "copy.db"
    assert lines(capsys, "backup", "--to", backup)[0] == 0
    (folder / f"{DATABASE_NAME}.restored.77.part").write_bytes(b"half")
    (folder / f"{DATABASE_NAME}.restored").write_bytes(b"more")
    assert lines(capsys, "restore-backup", backup)[0] == 0
    assert [name for name in content_of(folder) if "restored" in name] == []
