"""Disks that are full, read-only, far away or cut off: one line, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.config import Settings, SettingsError
from bot.store import archive
from bot.store import lock as locks
from bot.store.archive import write_backup
from bot.store.copying import CopyStopped
from bot.store.db import open_store
from bot.store.migrate import Migration, shipped_migrations
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreBusy, StoreClosed, StoreInUse, StoreUnusable
from tests.disks import mount
from tests.store.samples import length, python, step, table

Mount = Callable[[str], Path]
WAL = f"{DATABASE_NAME}-wal"


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Mount]:
    """Mounts a small file system of its own, with these options; again with others."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def make(options: str) -> Path:
        mount(folder, options)
        return folder

    yield make
    subprocess.run(["umount", str(folder)], check=False, capture_output=True)


async def a_game(folder: Path, plies: int = 5) -> None:
    """A game of a few moves, put away properly."""
    async with await open_store(folder) as store:
        number = await store.open_session(table(1))
        for ply in range(plies):
            await store.commit(step(number, ply))


async def refusal(folder: Path, **more: object) -> str:
    """The one line with which the store refuses to open."""
    with pytest.raises(StoreUnusable) as refused:
        await open_store(folder, **more)  # type: ignore[arg-type]
    assert "\n" not in str(refused.value)
    return str(refused.value)


async def test_a_folder_on_a_read_only_disk(mounted: Mount) -> None:
    """OPS-04: the line says so, and advises no change of owner, which could not help."""
    folder = mounted("size=3m")
    await a_game(folder)
    mounted("remount,ro,size=3m")
    told = await refusal(folder)
    assert "Read-only file system" in told
    assert "mount it so that it can be written" in told
    with pytest.raises(SettingsError) as refused:
        Settings.read({"DATA_DIR": str(folder)}, folder)
    assert str(refused.value).startswith(f"DATA_DIR: {folder} cannot be written to")
    assert "chown" not in f"{told} {refused.value}"
    mounted("remount,rw,size=3m")
    async with await open_store(folder) as store:
        assert await length(store, 1) == 5


def leave(folder: Path, free: int) -> Path:
    """Fill the disk but for so many bytes."""
    ballast = folder / "ballast"
    ballast.write_bytes(bytes(shutil.disk_usage(folder).free - free))
    return ballast


async def test_starting_on_a_full_disk(mounted: Mount) -> None:
    """DB-03: it starts, or says in one line that the disk is full; later all is there."""
    folder = mounted("size=3m")
    await a_game(folder)
    for free in (0, 8192, 40_960):
        ballast = leave(folder, free)
        try:
            async with await open_store(folder, patience=0.2) as store:
                assert await length(store, 1) == 5
        except StoreUnusable as error:
            assert "free some space there" in str(error)  # noqa: PT017 - either outcome is right
        except StoreBusy:
            pass
        ballast.unlink()
        async with await open_store(folder) as store:
            assert await length(store, 1) == 5


async def test_an_upgrade_on_a_full_disk(mounted: Mount) -> None:
    """DB-10, DB-03: without space for the copy that comes first nothing is changed; later it works.
    A migration that itself fills the disk is undone.
    """
    folder = mounted("size=3m")
    await a_game(folder, 60)
    shipped = shipped_migrations()
    columns = "hex(randomblob(8)), hex(zeroblob(450))"
    line = f"INSERT INTO setting (key, value) SELECT {columns} FROM entry;"
    greedy = Migration(len(shipped) + 1, "greedy.sql", f"{line}\n" * 20)
    for free in (60_000, 700_000):
        ballast = leave(folder, free)
        told = await refusal(folder, migrations=(*shipped, greedy))
        assert "free some space there" in told
        assert list((folder / "backups").glob("*.part*")) == []
        ballast.unlink()
        async with await open_store(folder) as store:
            assert await length(store, 1) == 60
    async with await open_store(folder, migrations=(*shipped, greedy)) as store:
        assert await length(store, 1) == 60


async def test_a_backup_on_a_full_disk(mounted: Mount, tmp_path: Path) -> None:
    """DB-03: no half copy is left to take up what space there is, and moves go on."""
    folder = tmp_path / "data"
    await a_game(folder, 60)
    disk = mounted("size=64k")
    with pytest.raises(StoreUnusable, match="no backup was written to .*full"):
        write_backup(folder, disk / "copy.db")
    assert list(disk.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks otherwise")
@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
async def test_a_share_that_cannot_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """DB-13: a lock that nobody can rely on is told at the start, and nothing is opened."""

    def flock(_handle: int, _how: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(locks.fcntl, "flock", flock)
    assert "network share? Use a local disk" in await refusal(tmp_path)
    assert not (tmp_path / DATABASE_NAME).exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a way to the disk that only Unix has")
async def test_a_share_on_which_sqlite_cannot_lock(tmp_path: Path) -> None:
    """DB-13: games that were played on a local disk are not opened where WAL does not work, and are
    left as they are.
    """
    await a_game(tmp_path)
    before = (tmp_path / DATABASE_NAME).read_bytes()
    assert str(tmp_path / DATABASE_NAME) in await refusal(tmp_path, vfs="unix-dotfile")
    assert (tmp_path / DATABASE_NAME).read_bytes() == before
    async with await open_store(tmp_path) as store:
        assert await length(store, 1) == 5


PLAY = """
import asyncio, os, signal, sys
from pathlib import Path
sys.path.insert(0, ".")
from bot.store.db import open_store
from tests.store.samples import step, table
async def main():
    store = await open_store(Path(sys.argv[1]))
    for number in [await store.open_session(table(n)) for n in range(3)]:
        for ply in range(20):
            await store.commit(step(number, ply, interaction=number * 100 + ply))
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""


def killed_in_play(folder: Path) -> bytes:
    """Three tables of twenty moves, and no time to put anything away; the -wal."""
    process = python(PLAY, folder)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (-signal.SIGKILL, "")
    return (folder / WAL).read_bytes()


async def test_a_torn_wal_gives_an_earlier_moment(tmp_path: Path) -> None:
    """Cut anywhere, as by a power cut on a disk that lies about what it has written: the store
    opens, every journal is whole up to some move, and play goes on from there.
    """
    wal = killed_in_play(tmp_path / "data")
    chooser, seen = random.Random(5), set[int]()
    for number in range(12):
        folder = tmp_path / f"torn-{number}"
        shutil.copytree(tmp_path / "data", folder)
        cut = len(wal) if number == 0 else chooser.randrange(len(wal) // 3, len(wal))
        (folder / WAL).write_bytes(wal[:cut])
        (folder / f"{DATABASE_NAME}-shm").unlink(missing_ok=True)
        async with await open_store(folder) as store:
            total = 0
            for row in await store.live_sessions():
                assert await length(store, row.id) == row.ply
                assert await store.was_counted(row.id * 100 + row.ply) is False
                total += row.ply
                await store.commit(step(row.id, row.ply, interaction=row.id * 100 + row.ply))
            seen.add(total)
    assert max(seen) == 60
    assert len(seen) > 5


async def test_a_garbled_wal_gives_an_earlier_moment(tmp_path: Path) -> None:
    """Bytes turned in the middle of it: nothing that stands behind them is taken for good."""
    wal = killed_in_play(tmp_path / "data")
    for place in (40, len(wal) // 2, len(wal) - 9):
        folder = tmp_path / f"garbled-{place}"
        shutil.copytree(tmp_path / "data", folder)
        (folder / WAL).write_bytes(wal[:place] + b"\xa5" * 8 + wal[place + 8 :])
        (folder / f"{DATABASE_NAME}-shm").unlink(missing_ok=True)
        async with await open_store(folder) as store:
            for row in await store.live_sessions():
                assert await length(store, row.id) == row.ply < 20 + (place > 1000)


@pytest.mark.parametrize("how", ["gone", "there", "closed", "moved"])
async def test_a_wal_that_is_gone_is_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    """DB-08: only after a run that was cut off, in one line, once; not when the -wal is there, not
    after a proper end, not for a database that came alone to a new folder.
    """
    caplog.set_level(logging.WARNING)
    folder = tmp_path / "data"
    if how == "closed":
        await a_game(folder)
    else:
        async with await open_store(folder):
            pass
        killed_in_play(folder)
    if how in ("gone", "moved"):
        (folder / WAL).unlink()
    if how == "moved":
        (tmp_path / "new").mkdir()
        shutil.copy(folder / DATABASE_NAME, tmp_path / "new" / DATABASE_NAME)
        folder = tmp_path / "new"
    for number in range(2):
        async with await open_store(folder) as store:
            assert store.newest_lost == (how == "gone" and number == 0)
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == (how == "gone")
    assert all(
        "the newest moves are missing" in line and str(folder / WAL) in line for line in said
    )


async def test_a_backup_does_not_wait_for_ever(tmp_path: Path) -> None:
    """NET-12: somebody keeps the database to themselves: one line after a while, no half copy."""
    await a_game(tmp_path / "data")
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / DATABASE_NAME)) as other:
        other.isolation_level = None
        other.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        other.execute("BEGIN EXCLUSIVE")
        began = time.monotonic()
        with pytest.raises(StoreInUse, match="another program keeps .* locked; close it"):
            await asyncio.to_thread(
                write_backup, tmp_path / "data", tmp_path / "copy.db", patience=0.3
            )
        assert time.monotonic() - began < 20
        other.execute("ROLLBACK")
    assert os.listdir(tmp_path) == ["data"]  # noqa: PTH208
    write_backup(tmp_path / "data", tmp_path / "copy.db")


async def test_a_copy_holds_one_moment_while_others_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DB-05: copied page by page while moves come in: it ends, and all its journals are whole."""
    monkeypatch.setattr("bot.store.copying._STEP", 1)
    async with await open_store(tmp_path / "data") as store:
        ids = [await store.open_session(table(n)) for n in range(4)]
        copying = asyncio.create_task(store.backup(tmp_path / "copy.db"))
        plies = 0
        while not copying.done():
            await asyncio.gather(*(store.commit(step(number, plies)) for number in ids))
            plies += 1
        await copying
    assert plies > 0
    with contextlib.closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
        told = copy.execute(
            "SELECT ply, (SELECT count(*) FROM entry WHERE session = session.id) FROM session"
        ).fetchall()
    assert len(told) == 4
    assert all(ply == count for ply, count in told)
    assert len({ply for ply, _ in told}) == 1


async def test_a_long_look_through_a_copy_can_be_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OPS-06: told to stop after the last page was copied, while the copy is looked through."""
    monkeypatch.setattr("bot.store.copying._LOOKS", 10)
    await a_game(tmp_path / "data", 60)
    asked = 0

    def go_on() -> bool:
        nonlocal asked
        asked += 1
        return asked < 4  # the copying itself asks once a megabyte

    with pytest.raises(StoreClosed):
        write_backup(tmp_path / "data", tmp_path / "copy.db", go_on=go_on)
    assert asked >= 4
    assert os.listdir(tmp_path) == ["data"]  # noqa: PTH208
    write_backup(tmp_path / "data", tmp_path / "copy.db")
    started, cancelled, stopped = threading.Event(), threading.Event(), threading.Event()
    real = archive.fault_of

    def watched(shown: sqlite3.Connection, wanted: Callable[[], bool]) -> str | None:
        started.set()
        cancelled.wait(5)
        try:
            return real(shown, wanted)
        except CopyStopped:
            stopped.set()
            raise

    monkeypatch.setattr(archive, "fault_of", watched)
    opening = asyncio.create_task(look_into(tmp_path / "copy.db"))
    await asyncio.to_thread(started.wait, 5)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    cancelled.set()
    assert await asyncio.to_thread(stopped.wait, 5)


async def look_into(path: Path) -> None:
    """Open a backup and close it again."""
    async with archive.open_archive(path):
        pass
