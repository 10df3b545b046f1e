"""Backups that the running bot makes: when, how many stay, and what happens when one fails."""

import asyncio
import contextlib
import logging
import os
import shutil
import sqlite3
import time

import pytest

from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreClosed, Write
from bot.tools.backup import backups_in, made_at, name_of
from bot.tools.backup_schedule import AGAIN, Schedule
from tests.tools.stored import store_game

HOUR = 3600.0
NOW = 1_800_000_000.0


class Clock:
    """A time that is set."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    """Begins at NOW."""
    return Clock()


@pytest.fixture
async def store(folder, senate):
    """An open store with one game in it."""
    await store_game(folder, senate, "AAAAAA")
    async with await open_store(folder) as opened:
        yield opened


@pytest.fixture
def schedule(store, folder, senate, clock):
    """A backup a day, of which three are kept."""
    return Schedule(store, folder, {"senate": senate}, 24, 3, epoch=clock, look=0.02)


async def later(schedule, clock, hours: float) -> int:
    """Let time pass and look; how many backups there are."""
    clock.now += hours * HOUR
    await schedule.look()
    return len(backups_in(schedule._data_dir))


async def test_one_a_day_and_three_are_kept(schedule, store, folder, clock, caplog):
    """Not at once at the start, then every 24 hours; the oldest of its own go, what was made by
    hand or before an upgrade stays; each is a line in the log.
    """
    caplog.set_level(logging.INFO)
    assert (await later(schedule, clock, 0), schedule.last) == (0, None)
    assert (await later(schedule, clock, 0.02), schedule.last) == (1, clock.now)
    assert await later(schedule, clock, 23.9) == 1
    kept = [folder / "backups" / name for name in (
        name_of(NOW - 900 * HOUR, by_hand=True), "before-schema-2.db", "mine.db",
    )]  # fmt: skip
    for path in kept:
        path.write_bytes(b"")
    for day in range(4):
        await store.set_setting("commands", f"day {day}")
        await later(schedule, clock, 24)
    ours = backups_in(folder, by_hand=False)
    assert [made_at(path) for path in ours] == [clock.now - n * 24 * HOUR for n in range(3)]
    assert all(path.exists() for path in kept)
    with contextlib.closing(sqlite3.connect(ours[1])) as found:
        assert found.execute("SELECT value FROM setting").fetchall() == [("day 2",)]
    assert schedule.failure is None
    said = [record.getMessage() for record in caplog.records]
    assert said[0].endswith("written and checked: 1 game, 1 of them unfinished and replayed")
    assert len(said) == 5


async def test_a_restart_neither_repeats_nor_forgets_one(store, folder, senate, clock):
    """The age of the newest file decides, whoever made it; so does a bot that restarts often."""
    first = Schedule(store, folder, {"senate": senate}, 24, 3, epoch=clock)
    await first.look()
    assert await later(first, clock, 1) == 1
    for n in range(30):
        again = Schedule(store, folder, {"senate": senate}, 24, 3, epoch=clock)
        await again.look()
        assert again.last is not None
        assert await later(again, clock, 1) == (1 if n < 23 else 2)


async def test_none_at_all(store, folder, senate, clock):
    """With 0 hours nothing is written, but the time of one made by hand is known."""
    off = Schedule(store, folder, {"senate": senate}, 0, 3, epoch=clock)
    assert await later(off, clock, 100) == 0
    (folder / "backups").mkdir()
    (folder / "backups" / name_of(NOW, by_hand=True)).write_bytes(b"")
    assert await later(off, clock, 100) == 1
    assert off.last == NOW


async def test_a_clock_that_was_wrong(schedule, clock):
    """OPS-10: after a jump back a backup from the future does not stop all others."""
    await later(schedule, clock, 0)
    assert await later(schedule, clock, 1) == 1
    assert await later(schedule, clock, -5000) == 2
    assert await later(schedule, clock, 24) == 3


def told(caplog) -> str:
    """The one line in the log, which holds no traceback."""
    (record,) = caplog.records
    caplog.clear()
    assert record.levelno == logging.WARNING
    assert record.exc_info is None
    assert "\n" not in record.getMessage()
    return record.getMessage()


async def test_one_that_fails_is_a_line_and_is_tried_again(schedule, folder, clock, caplog):
    """The folder cannot be made, for a while: one line an hour; the next one works."""
    (folder / "backups").write_text("in the way")
    await later(schedule, clock, 0)
    assert await later(schedule, clock, 1) == 0
    assert "cannot be made (File exists)" in told(caplog)
    assert schedule.failure is not None
    assert await later(schedule, clock, 0.5) == 0
    assert caplog.records == []
    assert await later(schedule, clock, 0.5) == 0
    assert "cannot be made" in told(caplog)
    (folder / "backups").unlink()
    assert await later(schedule, clock, AGAIN / HOUR) == 1
    assert schedule.failure is None


async def test_it_never_takes_the_last_of_the_disk(schedule, folder, clock, caplog, monkeypatch):
    """DB-03: where little is left the games need it."""
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=15_000_000))
    await later(schedule, clock, 0)
    assert await later(schedule, clock, 1) == 0
    assert told(caplog) == (f"no backup was made: {folder} has 15 MB left, it needs 20 MB free")


async def test_damage_is_told_and_pushes_no_good_one_out(schedule, store, folder, clock, caplog):
    """DB-09: a database that has turned bad gives no new backup, so none of the old ones goes."""
    await later(schedule, clock, 0)
    assert await later(schedule, clock, 1) == 1
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    size = (folder / DATABASE_NAME).stat().st_size
    with (folder / DATABASE_NAME).open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))
    for _ in range(5):
        assert await later(schedule, clock, 24) == 1
        assert "damaged" in told(caplog)
    assert [path.suffix for path in (folder / "backups").iterdir()] == [".db"]


async def test_one_with_a_fault_pushes_no_other_out(schedule, store, folder, clock, caplog):
    """RPL-10: while a running game's journal cannot be replayed, every backup stays: the older ones
    may be the better ones.
    """
    await later(schedule, clock, 0)
    await later(schedule, clock, 1)
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as other, other:
        other.execute("UPDATE entry SET record = replace(record, '\"by\":', '\"be\":')")
    for count in range(2, 7):
        assert await later(schedule, clock, 24) == count
        assert "game AAAAAA does not fit this code: record 1: unknown field 'be'" in told(caplog)
    assert schedule.failure is not None


async def test_what_a_killed_one_left_is_cleared_away(schedule, folder, clock):
    """Half-written copies of a day ago go; one that another process may be writing stays."""
    (folder / "backups").mkdir()
    for name, age in (
        ("old.db.1.part", 90_000.0),
        ("old.db.1.part-journal", 90_000.0),
        ("new.db.2.part", 60.0),
    ):
        (folder / "backups" / name).write_bytes(b"half")
        at = clock.now - age
        os.utime(folder / "backups" / name, (at, at))
    await later(schedule, clock, 0)
    await later(schedule, clock, 0.1)
    left = [path.name for path in (folder / "backups").iterdir() if "part" in path.name]
    assert left == ["new.db.2.part"]


async def test_it_runs_by_itself_and_play_goes_on(store, folder, senate, clock):
    """NET-11: while one backup after the other is made, moves are written and the loop is free."""
    busy = Schedule(store, folder, {"senate": senate}, 1, 2, epoch=clock, look=0.0)
    busy.start()
    longest, moves, until = 0.0, 0, time.monotonic() + 2.0
    while time.monotonic() < until or (moves <= 20 and time.monotonic() < until + 20.0):
        clock.now += HOUR
        began = time.monotonic()
        await store.commit(Write(session=1, fields={"wake_at": float(moves)}))
        await asyncio.sleep(0)
        longest, moves = max(longest, time.monotonic() - began), moves + 1
    await busy.stop()
    assert moves > 20
    assert longest < 10.0
    assert busy.failure is None
    # Stopped at any moment: the oldest may not have been deleted yet.
    assert len(backups_in(folder)) in (2, 3)


async def test_a_stop_does_not_wait_for_a_backup(store, folder, senate, clock, monkeypatch):
    """OPS-06: one that is being written is given up, and leaves nothing half written."""
    monkeypatch.setattr("bot.store.copying._STEP", 1)
    reached = asyncio.Event()
    loop = asyncio.get_running_loop()

    steps: list[bool] = []

    def slow(*_: object) -> bool:
        loop.call_soon_threadsafe(reached.set)
        time.sleep(0.05)
        steps.append(store._closing is None)
        return steps[-1]

    from bot.store import db

    real = db.copy_database
    monkeypatch.setattr(
        db, "copy_database", lambda source, target, go_on: real(source, target, go_on=slow)
    )
    schedule = Schedule(store, folder, {"senate": senate}, 1, 2, epoch=clock, look=0.0)
    schedule.start()
    await reached.wait()
    began = time.monotonic()
    await schedule.stop()
    await store.close()
    assert time.monotonic() - began < 20.0
    for _ in range(100):
        if not list((folder / "backups").iterdir()):
            break
        await asyncio.sleep(0.02)
    assert steps[-1] is False
    assert list((folder / "backups").iterdir()) == []
    with pytest.raises(StoreClosed):
        await store.backup(folder / "copy.db")


async def test_a_fault_of_ours_ends_neither_backups_nor_the_bot(
    schedule, clock, caplog, monkeypatch
):
    """Whatever the code of backups does wrong is logged with its traceback, and it goes on."""
    monkeypatch.setattr("bot.tools.backup_schedule.backups_in", lambda _: 1 / 0)
    schedule.start()
    await asyncio.sleep(0.1)
    monkeypatch.undo()
    for _ in range(200):
        clock.now += 1.0
        await asyncio.sleep(0.02)
        if schedule.last is not None:
            break
    await schedule.stop()
    assert schedule.last is not None
    assert any("ZeroDivisionError" in str(record.exc_info) for record in caplog.records)


async def test_a_fault_of_ours_is_not_repeated_every_minute(schedule, clock, caplog, monkeypatch):
    """A backup whose proof breaks in an unforeseen way is tried again after an hour only."""

    async def breaks(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("bot.tools.backup_schedule.prove", breaks)
    monkeypatch.setattr("bot.store.db.copy_database", lambda *_, **__: None)
    await later(schedule, clock, 0)
    with pytest.raises(ZeroDivisionError):
        await later(schedule, clock, 0.1)
    assert await later(schedule, clock, 0.5) == 0
    assert schedule.failure is not None
    with pytest.raises(ZeroDivisionError):
        await later(schedule, clock, 0.5)
