"""What is refused before the bot logs in: damaged, foreign, newer, locked, unwritable data."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bot.store.db import open_store
from bot.store.lock import LOCK_NAME
from bot.store.migrate import shipped_migrations
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import (
    StoreDamaged,
    StoreInUse,
    StoreTooNew,
    StoreUnusable,
    Write,
)
from bot.store.replacing import restore_backup
from bot.store.rows import EntryRow
from tests.store.samples import message, python, table


async def some_data(folder: Path) -> Path:
    """A data folder with a few games; its database."""
    async with await open_store(folder) as store:
        for channel in range(4):
            number = await store.open_session(table(channel))
            for ply in range(30):
                row = EntryRow(number, ply, '{"words":"' + "night " * 60 + '"}')
                await store.commit(Write(session=number, expected_ply=ply, entries=(row,)))
    return folder / DATABASE_NAME


def bytes_in(folder: Path) -> dict[str, bytes]:
    """All files but the lock's."""
    return {
        file.name: file.read_bytes()
        for file in folder.iterdir()
        if file.is_file() and file.name != LOCK_NAME
    }


def restore(path: Path, saved: bytes) -> None:
    """What the refusal tells the operator to do."""
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    path.write_bytes(saved)


def overwrite_the_middle(path: Path) -> None:
    """4 KB of something else in the middle."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096)


def cut_in_half(path: Path) -> None:
    """As a copy that stopped."""
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    """Zero bytes where games have been."""
    os.truncate(path, 0)


def replace_by_text(path: Path) -> None:
    """Somebody's notes under the database's name."""
    path.write_text("not a database at all\n" * 300)


def leave_only_the_wal(path: Path) -> None:
    """The database is gone, what belongs to it is not."""
    path.rename(path.with_name(f"{path.name}-wal"))


@pytest.mark.parametrize(
    "harm",
    [overwrite_the_middle, cut_in_half, empty, replace_by_text, leave_only_the_wal],
    ids=lambda harm: harm.__name__,
)
async def test_damage_is_refused_and_left_alone(tmp_path: Path, harm) -> None:
    """The refusal names the file and how to restore; no byte changes; restoring works."""
    path = await some_data(tmp_path)
    saved = path.read_bytes()
    harm(path)
    before = bytes_in(tmp_path)
    for _ in range(2):
        with pytest.raises(StoreDamaged) as refused:
            await open_store(tmp_path)
        words = str(refused.value)
        assert str(path) in words
        assert "backup" in words
        assert "\n" not in words
    after = bytes_in(tmp_path)
    assert {name: after[name] for name in before} == before
    restore(path, saved)
    async with await open_store(tmp_path) as store:
        assert len(await store.live_sessions()) == 4


@pytest.mark.parametrize("was_killed", [False, True], ids=["stopped", "killed"])
async def test_a_database_that_is_gone_is_not_made_anew(tmp_path: Path, was_killed: bool) -> None:
    """DB-09: it has been deleted. The refusal names the file, the way back and how to begin anew,
    and makes no database; both ways work.
    """
    path = await some_data(tmp_path)
    saved = path.read_bytes()
    if was_killed:
        with (tmp_path / LOCK_NAME).open("a", encoding="utf-8") as file:
            file.write("open\n")
    restore(path, b"")
    path.unlink()
    for _ in range(2):
        with pytest.raises(StoreDamaged) as refused:
            await open_store(tmp_path)
        words = str(refused.value)
        assert words.startswith(f"{path} is gone")
        assert "restore-backup FILE" in words
        assert f"remove {tmp_path / LOCK_NAME} too" in words
        assert bytes_in(tmp_path) == {}
    backup = tmp_path / "saved.db"
    backup.write_bytes(saved)
    assert restore_backup(tmp_path, backup, 0.0) is None
    async with await open_store(tmp_path) as store:
        assert len(await store.live_sessions()) == 4
    restore(path, b"")
    path.unlink()
    (tmp_path / LOCK_NAME).unlink()
    async with await open_store(tmp_path) as store:
        assert await store.live_sessions() == ()


@pytest.mark.parametrize("left", [None, b""], ids=["no file", "empty file"])
async def test_a_fresh_folder_gets_a_database(tmp_path: Path, left: bytes | None) -> None:
    """Nothing there, or an empty file where nothing has been: the bot starts."""
    folder = tmp_path / "some" / "where"
    if left is not None:
        folder.mkdir(parents=True)
        (folder / DATABASE_NAME).write_bytes(left)
    async with await open_store(folder) as store:
        assert await store.live_sessions() == ()


async def test_a_newer_database_is_refused_unchanged(tmp_path: Path) -> None:
    """A schema number from the future: advice, and every byte and the journal mode stay."""
    path = await some_data(tmp_path)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        connection.execute("PRAGMA user_version = 999").fetchall()
    before = bytes_in(tmp_path)
    with pytest.raises(StoreTooNew, match=r"999.*upgrade"):
        await open_store(tmp_path)
    assert bytes_in(tmp_path) == before


async def test_a_newer_version_in_the_wal_is_noticed(tmp_path: Path) -> None:
    """The number may not have reached the main file yet; the same refusal, the same bytes."""
    path = await some_data(tmp_path)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA user_version = 999").fetchall()
    copy = tmp_path / "copy"
    copy.mkdir()
    for name in (path.name, f"{path.name}-wal"):
        shutil.copy(tmp_path / name, copy / name)
    writer.close()
    before = bytes_in(copy)
    with pytest.raises(StoreTooNew):
        await open_store(copy)
    after = bytes_in(copy)
    assert {name: after[name] for name in before} == before


async def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    """Sound, but not ours: it is not built upon."""
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as connection:
        connection.execute("CREATE TABLE shopping (item TEXT)")
    before = bytes_in(tmp_path)
    with pytest.raises(StoreDamaged, match="another program"):
        await open_store(tmp_path)
    assert bytes_in(tmp_path) == before


@pytest.mark.skipif(sys.platform == "win32", reason="a way to the disk that only Unix has")
async def test_without_wal_the_data_is_refused(tmp_path: Path) -> None:
    """Where SQLite cannot keep a write-ahead log, as on a share, the reason is told."""
    with pytest.raises(StoreUnusable, match="journal mode 'delete'.*network share"):
        await open_store(tmp_path, vfs="unix-dotfile")


async def test_a_durable_log_is_what_is_used(tmp_path: Path) -> None:
    """WAL, and a commit waits for the disk; also after the connection has been replaced."""
    async with await open_store(tmp_path) as store:
        for _ in range(2):
            connection = store._writer._connection
            assert connection is not None
            for pragma, value in (("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)):
                ((found,),) = await connection.execute_fetchall(f"PRAGMA {pragma}")
                assert found == value
            await connection.close()
            await store.set_setting("a", "b")


async def test_a_locked_database_at_the_start(tmp_path: Path, monkeypatch) -> None:
    """Another program keeps it to itself: one clear line after a while, and later it opens."""
    monkeypatch.setattr("bot.store.opening._START_PATIENCE", 0.2)
    path = await some_data(tmp_path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreInUse, match="another program"):
            await open_store(tmp_path)
        other.execute("ROLLBACK")
    async with await open_store(tmp_path) as store:
        assert len(await store.live_sessions()) == 4


_HOLD = """
import asyncio, sys, time
from pathlib import Path
from bot.store.db import open_store
async def main():
    store = await open_store(Path(sys.argv[1]))
    print("open", flush=True)
    await asyncio.sleep(60)
asyncio.run(main())
"""


async def test_a_second_process_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    """The second hears who is there; after kill -9 of the first it starts at once."""
    process = python(_HOLD, tmp_path)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    with pytest.raises(StoreInUse, match=f"process {process.pid} "):
        await open_store(tmp_path)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)
    began = time.monotonic()
    async with await open_store(tmp_path):
        assert time.monotonic() - began < 20
        with pytest.raises(StoreInUse):
            await open_store(tmp_path)
    async with await open_store(tmp_path):
        pass


_TRY = """
import asyncio, sys
from pathlib import Path
from bot.store.db import open_store
from bot.store.migrate import shipped_migrations
from bot.store.protocol import StoreUnusable
migrations = shipped_migrations()
async def main():
    try:
        await open_store(Path(sys.argv[1]), migrations=migrations)
    except StoreUnusable as error:
        sys.exit(str(error))
import os
# What the loop needs must be loaded while the interpreter's own files can be read.
asyncio.run(asyncio.to_thread(int))
if os.getuid() == 0:
    os.setgid(65534)
    os.setuid(65534)
asyncio.run(main())
"""


@pytest.fixture
def public_folder() -> Iterator[Path]:
    """A folder that other users may enter; pytest's own ones are closed to them."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def protect(folder: Path, what: str) -> None:
    """Take away the right to write: to make the folder, to write in it, or only its database."""
    data = folder / "data"
    if what == "missing":
        folder.chmod(0o555)
    elif what == "folder":
        data.chmod(0o555)
    else:
        data.chmod(0o777)
        (data / LOCK_NAME).chmod(0o666)
        (data / DATABASE_NAME).chmod(0o444)


@pytest.mark.skipif(sys.platform == "win32", reason="folders of Windows have other rights")
@pytest.mark.parametrize("what", ["missing", "folder", "database"])
async def test_a_folder_that_cannot_be_written(public_folder: Path, what: str) -> None:
    """One line with the path, the user and the command; the exit code is not 0."""
    data = public_folder / "data"
    if what != "missing":
        await some_data(data)
    protect(public_folder, what)
    process = python(_TRY, data)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert errors.count("\n") == 1
    assert str(data) in errors
    user = 65534 if os.getuid() == 0 else os.getuid()
    assert f"user {user}" in errors
    assert "chown -R" in errors


async def test_a_record_the_store_does_not_know_is_handed_on(tmp_path: Path) -> None:
    """The store neither judges nor drops what the codec may not understand."""
    async with await open_store(tmp_path) as store:
        number = await store.open_session(table(1), messages=(message(0),))
        strange = ('{"kind":"from the future","extra":1}', '{"torn', "")
        rows = tuple(EntryRow(number, ply, text) for ply, text in enumerate(strange))
        await store.commit(Write(session=number, expected_ply=0, entries=rows))
    async with await open_store(tmp_path) as store:
        assert tuple(row.record for row in await store.entries(number)) == strange


def test_the_shipped_migrations_are_complete() -> None:
    """They are found as package data, numbered from 1 without a gap, each statement ended."""
    migrations = shipped_migrations()
    assert [migration.number for migration in migrations] == list(range(1, len(migrations) + 1))
    assert all(list(migration.statements()) for migration in migrations)
    cut = replace(migrations[0], script="CREATE TABLE a (b);\n-- end\nSELECT 1")
    with pytest.raises(ValueError, match="no end"):
        list(cut.statements())
