"""Locked, full, disconnected: nothing half written, and everything works again afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import aiosqlite
import pytest

from bot.store.db import SqliteStore, open_store
from bot.store.protocol import (
    BadWrite,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    Write,
    WrongPly,
)
from tests.disks import small_disk
from tests.store.samples import length, message, python, step, table


@contextlib.contextmanager
def locked(store: SqliteStore) -> Iterator[sqlite3.Connection]:
    """Another program holds the write lock, as a shell with an open transaction does."""
    with contextlib.closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


async def test_a_short_lock_is_invisible(tmp_path: Path) -> None:
    """A lock that is let go within the patience only delays the moves."""
    async with await open_store(tmp_path) as store:
        await wait_out_a_lock(store)


async def wait_out_a_lock(store: SqliteStore) -> None:
    """Three tables move while another program writes for half a second."""
    ids = [await store.open_session(table(n)) for n in range(3)]
    with locked(store) as other:
        moves = [asyncio.create_task(store.commit(step(number, 0))) for number in ids]
        await asyncio.sleep(0.5)
        assert not any(move.done() for move in moves)
        # Reading goes on meanwhile.
        assert await length(store, ids[0]) == 0
        other.execute("ROLLBACK")
        await asyncio.gather(*moves)
    assert [await length(store, number) for number in ids] == [1, 1, 1]


async def test_a_long_lock_is_reported_and_passes(store: SqliteStore) -> None:
    """Beyond the patience all who wait hear StoreBusy; nothing was written; then moves work."""
    ids = [await store.open_session(table(n)) for n in range(3)]
    with locked(store):
        began = time.monotonic()
        results = await asyncio.gather(
            *(store.commit(step(number, 0, interaction=number)) for number in ids),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [StoreBusy] * 3
        assert 0.9 < time.monotonic() - began < 30
        assert len({id(result) for result in results}) == 3
    assert [await length(store, number) for number in ids] == [0, 0, 0]
    for number in ids:
        await store.commit(step(number, 0, interaction=number))


async def test_each_change_has_its_own_patience(store: SqliteStore) -> None:
    """One that came late is not given up together with one that has waited long."""
    one, two = [await store.open_session(table(n)) for n in range(2)]
    with locked(store) as other:
        early = asyncio.create_task(store.commit(step(one, 0)))
        await asyncio.sleep(0.9)
        late = asyncio.create_task(store.commit(step(two, 0)))
        with pytest.raises(StoreBusy):
            await early
        assert not late.done()
        other.execute("ROLLBACK")
        await late
    assert [await length(store, number) for number in (one, two)] == [0, 1]


async def test_cancelling_while_locked_leaves_nothing_open(store: SqliteStore) -> None:
    """Callers go away while the database is busy: afterwards no transaction is in the way."""
    await cancel_while_locked(store, 12)


@pytest.mark.soak
@pytest.mark.timeout(1200)
async def test_cancelling_two_thousand_times(store: SqliteStore) -> None:
    """DB-02: the same for two thousand callers, at moments of all kinds."""
    await cancel_while_locked(store, 670)


async def test_cancelled_at_every_await(store: SqliteStore) -> None:
    """DB-02: a caller cancelled after each number of steps of the loop: the
    change was made whole or not at all, and the next one works at once.
    """
    number = await store.open_session(table(1))
    ply = 0
    for steps in range(60):
        move = asyncio.create_task(store.commit(step(number, ply, interaction=1000 + steps)))
        for _ in range(steps):
            await asyncio.sleep(0 if steps < 30 else 0.0005)
        move.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await move
        await store.set_setting("after", str(steps))
        found = await length(store, number)
        assert found in (ply, ply + 1)
        assert await store.was_counted(1000 + steps) == (found == ply + 1)
        ply = found
    assert 0 < ply < 60


async def cancel_while_locked(store: SqliteStore, rounds: int) -> None:
    """Three callers a round, who go away after up to an eighth of a second."""
    chooser = random.Random(3)
    number = await store.open_session(table(1))
    for ply in range(rounds):
        with locked(store):
            moves = [asyncio.create_task(store.commit(step(number, ply))) for _ in range(3)]
            await asyncio.sleep(chooser.random() / 8)
            for move in moves:
                move.cancel()
            results = await asyncio.gather(*moves, return_exceptions=True)
            assert all(isinstance(result, asyncio.CancelledError) for result in results)
        await store.set_setting("after", "lock")
        assert await length(store, number) == ply + 1
    with contextlib.closing(sqlite3.connect(store.path, timeout=0)) as other:
        other.execute("BEGIN IMMEDIATE")


def names(folder: Path, pattern: str) -> list[str]:
    """The files there that match."""
    return sorted(file.name for file in folder.glob(pattern))


async def fill(store: SqliteStore, number: int, ply: int) -> int:
    """Play until the disk is full; the ply that was refused."""
    while ply < 20_000:
        try:
            await store.commit(Write(session=number, messages=_filling(number, ply)))
            await store.commit(step(number, ply))
        except StoreBusy:
            return ply
        ply += 1
    raise AssertionError("the disk is not getting full")


def _filling(number: int, ply: int):
    return tuple(message(number, ply * 8 + n, purpose="x" * 400) for n in range(8))


async def test_a_database_that_may_not_grow(store: SqliteStore) -> None:
    """SQLite's own limit on pages: refused, nothing acknowledged is lost, later it goes on."""
    number = await store.open_session(table(1))
    connection = store._writer._connection
    assert connection is not None
    ((pages,),) = await connection.execute_fetchall("PRAGMA page_count")
    await connection.execute_fetchall(f"PRAGMA max_page_count = {pages + 20}")
    ply = await fill(store, number, 0)
    assert ply > 0
    assert await length(store, number) == ply
    assert store._writer._connection is connection
    await connection.execute_fetchall("PRAGMA max_page_count = 100000")
    await store.commit(step(number, ply))
    assert await length(store, number) == ply + 1


@pytest.fixture
def little_room(tmp_path: Path) -> Iterator[Path]:
    """A file system of 3 MB."""
    with small_disk(tmp_path / "small", "3m") as folder:
        yield folder


async def test_a_full_disk(little_room: Path) -> None:
    """A really full disk: moves refused, all acknowledged ones there; it goes on by itself."""
    async with await open_store(little_room, patience=0.5) as store:
        number = await store.open_session(table(1))
        ballast = little_room / "ballast"
        ballast.write_bytes(bytes(1_000_000))
        ply = await fill(store, number, 0)
        for _ in range(3):
            with pytest.raises(StoreBusy):
                await store.commit(Write(session=number, messages=_filling(number, ply)))
        with pytest.raises(StoreBusy):
            await store.backup(little_room / "copy.db")
        assert names(little_room, "copy*") == []
        ballast.unlink()
        assert await length(store, number) == ply
        await store.commit(step(number, ply))
    async with await open_store(little_room) as again:
        assert await length(again, number) == ply + 1


async def test_one_failure_does_not_spoil_the_next_write(store: SqliteStore) -> None:
    """DB-17: a broken constraint, a wrong ply, nonsense and a lock, each followed by a move."""
    number = await store.open_session(table(1))
    ply = 0
    for bad, error in (
        (Write(session=number, fields={"content_digest": "none"}), BadWrite),
        (step(number, 77), WrongPly),
        (Write(session=number, fields={"host_id": 2**70}), BadWrite),
        (Write(session=number, fields={"host_id": "five"}), BadWrite),
        (Write(session=number, fields={"crash": object()}), BadWrite),
        (Write(session=number, fields={"timers": 3}), BadWrite),
        (Write(session=number, fields={"fingerprint": "\ud800"}), BadWrite),
        (Write(session=number, fields={"status": "unheard of"}), BadWrite),
    ):
        with pytest.raises(error):
            await store.commit(bad)
        await store.commit(step(number, ply))
        ply += 1
    with locked(store), pytest.raises(StoreBusy):
        await store.commit(step(number, ply))
    await store.commit(step(number, ply))
    assert await length(store, number) == ply + 1


async def test_one_fault_after_another(store: SqliteStore) -> None:
    """DB-17: a broken constraint, a lock, a closed connection, in turn and round and round: each is
    followed by a move that works, also by one that has waited behind it.
    """
    number = await store.open_session(table(1))
    ply = 0
    for _ in range(3):
        with pytest.raises(BadWrite):
            await store.commit(Write(session=number, fields={"content_digest": "none"}))
        await store.commit(step(number, ply))
        with locked(store):
            with pytest.raises(StoreBusy):
                await store.commit(step(number, ply + 1))
            waiting = asyncio.create_task(store.commit(step(number, ply + 1)))
            await asyncio.sleep(0.1)
        await waiting
        connection = store._writer._connection
        assert connection is not None
        await connection.close()
        await store.commit(step(number, ply + 2))
        ply += 3
        assert await length(store, number) == ply


async def test_a_fault_of_the_disk_fails_the_whole_group(store: SqliteStore) -> None:
    """One of three changes meets it: none was written, each hears StoreBusy, the next gets in."""
    ids = [await store.open_session(table(n)) for n in range(2)]

    async def fails(connection: aiosqlite.Connection) -> None:
        await connection.execute_fetchall("UPDATE session SET ply = 40")
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
        raise error

    async def disconnects(connection: aiosqlite.Connection) -> None:
        await connection._execute(connection._conn.close)
        await connection.execute_fetchall("SELECT 1")

    for fault in (fails, disconnects):
        results = await asyncio.gather(
            store.commit(step(ids[0], 0)),
            store._writer.run(fault),
            store.commit(step(ids[1], 0)),
            return_exceptions=True,
        )
        assert [type(result) for result in results] == [StoreBusy] * 3
        assert [await length(store, number) for number in ids] == [0, 0]
        # The write lock has been let go of, too.
        with contextlib.closing(sqlite3.connect(store.path, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
    for number in ids:
        await store.commit(step(number, 0))


async def test_lost_connections_are_replaced(store: SqliteStore) -> None:
    """Both connections are closed behind the store's back, in two ways: it makes new ones."""
    number = await store.open_session(table(1))
    for ply, deep in enumerate((True, False, True)):
        for connection in (store._writer._connection, store._reader):
            assert connection is not None
            if deep:
                await connection._execute(connection._conn.close)
            else:
                await connection.close()
        await store.commit(step(number, ply))
        assert await length(store, number) == ply + 1
    with pytest.raises(BadWrite):  # The new connection watches foreign keys, too.
        await store.commit(Write(session=number, fields={"content_digest": "none"}))


async def test_a_forgotten_transaction_is_cleared_away(store: SqliteStore) -> None:
    """Somebody left a transaction open on the writing connection: the next move gets through."""
    number = await store.open_session(table(1))
    connection = store._writer._connection
    assert connection is not None
    await connection.execute_fetchall("BEGIN IMMEDIATE")
    await connection.execute_fetchall("UPDATE session SET ply = 40")
    await store.commit(step(number, 0))
    assert await length(store, number) == 1


async def test_damage_while_running_is_named(store: SqliteStore) -> None:
    """Pages that turn bad under a running bot give StoreDamaged, neither hanging nor success."""
    number = await store.open_session(table(1))
    for connection in (store._writer._connection, store._reader):
        assert connection is not None
        await connection.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        await connection.execute_fetchall("PRAGMA cache_size = 0")
        await connection.execute_fetchall("PRAGMA shrink_memory")
    size = store.path.stat().st_size
    with store.path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    with pytest.raises(StoreDamaged):
        await store.commit(step(number, 0))
    with pytest.raises(StoreDamaged):
        await store.entries(number)


async def test_close_finishes_what_was_begun(tmp_path: Path) -> None:
    """Moves under way are written, later ones refused; closing twice is harmless."""
    store = await open_store(tmp_path)
    number = await store.open_session(table(1))
    moves = [asyncio.create_task(store.commit(step(number, ply))) for ply in range(30)]
    await asyncio.sleep(0)
    await asyncio.gather(store.close(), store.close())
    await asyncio.gather(*moves)
    for call in (store.commit(step(number, 30)), store.entries(number), store.backup(tmp_path)):
        with pytest.raises(StoreClosed):
            await call
    await store.close()
    async with await open_store(tmp_path) as again:
        assert await length(again, number) == 30
    assert names(tmp_path, "*-wal") == []


async def test_close_does_not_wait_for_a_lock_for_ever(tmp_path: Path) -> None:
    """Somebody holds the database: the waiting move gets a little time, then it is refused."""
    store = await open_store(tmp_path, patience=60)
    number = await store.open_session(table(1))
    with locked(store):
        move = asyncio.create_task(store.commit(step(number, 0)))
        await asyncio.sleep(0.05)
        began = time.monotonic()
        await store.close()
        assert time.monotonic() - began < 30
        with pytest.raises(StoreBusy):
            await move


_FAILS_AFTER_OPENING = """
import asyncio, sys
from pathlib import Path
from bot.store.db import open_store
async def main():
    store = await open_store(Path(sys.argv[1]))
    kept.append(store)
    print("up", flush=True)
    moves.append(asyncio.create_task(store.set_setting("a", "b")))
    if sys.argv[2] == "raise":
        raise RuntimeError("a later step of the start has failed")
    await asyncio.sleep(60)
kept, moves = [], []
asyncio.run(main())
"""


@pytest.mark.parametrize("how", ["raise", "interrupt"])
async def test_a_store_left_open_does_not_keep_the_process(tmp_path: Path, how: str) -> None:
    """A start that fails, or Ctrl-C, with nobody closing: the process ends, with an exit code."""
    process = python(_FAILS_AFTER_OPENING, tmp_path, how)
    assert process.stdout is not None
    process.stdout.readline()
    if how == "interrupt":
        process.send_signal(2)
    _, errors = process.communicate(timeout=30)
    assert process.returncode != 0
    assert "RuntimeError" in errors or "KeyboardInterrupt" in errors
    async with await open_store(tmp_path) as again:
        assert await again.setting("a") in (None, "b")
