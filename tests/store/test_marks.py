"""A database whose -wal has lost its end looks sound; a mark outside of it tells."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import sqlite3
from pathlib import Path

import pytest

from bot.store.db import open_store
from bot.store.lock import look
from bot.store.mark import Mark
from bot.store.opening import DATABASE_NAME, newest_lost
from tests.store.samples import length, python, table
from tests.store.test_disk import PLAY, WAL

_PLAY_ON = PLAY.replace(
    "    os.kill(",
    """    while store._marking is not None:
        await asyncio.sleep(0.01)
    os.kill(""",
)


@pytest.mark.parametrize(
    ("how", "is_missed"),
    [
        ("whole", False),
        ("cut", True),
        ("cut to nothing", True),
        ("turned", True),
        ("header turned", True),
        ("folded", False),
    ],
)
async def test_a_wal_that_has_lost_its_end_is_missed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str, is_missed: bool
) -> None:
    """DB-08: SQLite leaves the end out without a word; the start says so in one line, once, and so
    does a backup, and the tables go on. Nothing is said where all is there, in whichever file.
    """
    caplog.set_level(logging.WARNING)
    folder = tmp_path / "data"
    process = python(_PLAY_ON, folder)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (-signal.SIGKILL, "")
    wal = (folder / WAL).read_bytes()
    if how == "cut":
        os.truncate(folder / WAL, len(wal) - 5000)
    elif how == "cut to nothing":
        os.truncate(folder / WAL, 0)
    elif how == "turned":
        (folder / WAL).write_bytes(wal[:-9000] + b"\xa5" * 8 + wal[-8992:])
    elif how == "header turned":
        (folder / WAL).write_bytes(wal[:8] + b"\xa5" * 4 + wal[12:])
    elif how != "whole":
        with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as other:
            other.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            kept = {file: file.read_bytes() for file in folder.iterdir()}
        for file, content in kept.items():
            file.write_bytes(content)
    lost = newest_lost(folder)
    assert (lost is not None) == is_missed
    for number in range(2):
        async with await open_store(folder) as store:
            assert store.newest_lost == (is_missed and number == 0)
            plies = sum([await length(store, row.id) for row in await store.live_sessions()])
            assert (plies < 60) == is_missed
    said = [record.getMessage() for record in caplog.records]
    assert said == ([f"{lost}; the tables go on from what is there"] if is_missed else [])
    where = f"{folder / WAL} is empty" if how == "cut to nothing" else f"{folder / WAL} the end"
    assert all(where in line for line in said)


async def test_a_mark_follows_and_goes(tmp_path: Path) -> None:
    """It is noted right after a commit, and none is left by a proper end."""
    async with await open_store(tmp_path) as store:
        marks: list[Mark | None] = []
        for number in range(2):
            await store.open_session(table(number))
            if (noting := store._marking) is not None:
                await noting
            marks.append(look(tmp_path).mark)
        first, second = marks
        assert first is not None
        assert second is not None
        assert first.salt == second.salt
        assert 0 < first.frames < second.frames
    assert look(tmp_path).mark is None


_LOOKS = """
import sqlite3, sys
for _ in range(300):
    shown = sqlite3.connect(f"file:{sys.argv[1]}/nightwatch.db?mode=ro", uri=True)
    assert shown.execute("SELECT count(*) FROM session").fetchone()[0] > 0
    shown.close()
"""

_PLAY_WATCHED = """
import asyncio, subprocess, sys
from pathlib import Path
from bot.store.db import open_store
from tests.store.samples import step, table

async def main():
    async with await open_store(Path(sys.argv[1])) as store:
        number = await store.open_session(table(1))
        await asyncio.sleep(0.1)
        looks = subprocess.Popen([sys.executable, "-c", LOOKS, sys.argv[1]])
        ply = 0
        while looks.poll() is None or ply < 50:
            await store.commit(step(number, ply, interaction=ply + 1))
            ply += 1
            assert len(await store.entries(number)) == ply
        assert looks.returncode == 0

asyncio.run(main())
"""


def test_another_program_may_look_in_after_a_mark(tmp_path: Path) -> None:
    """What is noted costs SQLite none of its locks: others open the database beside the bot after
    it, over and over, and neither ends the bot nor reads what is old.
    """
    play = f"LOOKS = {_LOOKS!r}\n{_PLAY_WATCHED}"
    process = python(play, tmp_path / "data")
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (0, "")
