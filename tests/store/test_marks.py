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

_PLAY_ANEW = _PLAY_ON.replace(
    "    os.kill(",
    """    import contextlib, sqlite3
    with contextlib.closing(sqlite3.connect(store.path)) as other:
        ((is_busy, *_),) = other.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
        assert not is_busy
    store._lock.note = lambda mark: None
    await store.commit(step(number, 20))
    os.kill(""",
)

_ONLY_START = """
import asyncio, os, sys
from pathlib import Path
from bot.store.db import open_store
asyncio.run(open_store(Path(sys.argv[1])))
os._exit(9)
"""


@pytest.mark.parametrize(
    ("how", "is_missed"),
    [
        ("whole", False),
        ("cut", True),
        ("cut in its header", True),
        ("cut to nothing", True),
        ("turned", True),
        ("header turned", True),
        ("folded", False),
        ("folded and emptied", False),
        ("folded and gone", False),
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
    elif how == "cut in its header":
        os.truncate(folder / WAL, 20)
    elif how == "cut to nothing":
        os.truncate(folder / WAL, 0)
    elif how == "turned":
        (folder / WAL).write_bytes(wal[:-9000] + b"\xa5" * 8 + wal[-8992:])
    elif how == "header turned":
        (folder / WAL).write_bytes(wal[:8] + b"\xa5" * 4 + wal[12:])
    elif how != "whole":
        with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as other:
            way = "TRUNCATE" if how == "folded and emptied" else "PASSIVE"
            ((_, *folding),) = other.execute(f"PRAGMA wal_checkpoint({way})").fetchall()
            assert folding[0] == folding[1]
            kept = {file: file.read_bytes() for file in folder.iterdir()}
        if how == "folded and gone":
            assert not (folder / WAL).exists()
        else:
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


async def test_a_mark_of_an_earlier_wal_is_none(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The -wal has begun anew, and the kill comes before that is noted: nothing is missed."""
    process = python(_PLAY_ANEW, tmp_path)
    assert (*process.communicate(timeout=20), process.returncode) == ("", "", -signal.SIGKILL)
    mark = look(tmp_path).mark
    assert mark is not None
    assert (tmp_path / WAL).read_bytes()[16:24].hex() != mark.salt
    assert newest_lost(tmp_path) is None
    async with await open_store(tmp_path) as store:
        assert not store.newest_lost
        plies = [await length(store, row.id) for row in await store.live_sessions()]
        assert plies == [20, 20, 21]
    assert caplog.messages == []


async def test_a_start_forgets_the_mark_of_the_run_before(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Killed again before the first commit: the -wal is empty, and nothing of it is missed."""
    process = python(_PLAY_ON, tmp_path)
    process.communicate(timeout=20)
    assert look(tmp_path).mark is not None
    process = python(_ONLY_START, tmp_path)
    process.communicate(timeout=20)
    assert process.returncode == 9
    assert (tmp_path / WAL).read_bytes() == b""
    assert (look(tmp_path).was_cut_off, look(tmp_path).mark) == (True, None)
    assert newest_lost(tmp_path) is None
    async with await open_store(tmp_path) as store:
        assert not store.newest_lost
    assert caplog.messages == []


async def test_a_mark_follows_and_goes(tmp_path: Path) -> None:
    """It is noted right after a commit, not of an empty -wal, and none is left by a proper end."""
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
        with contextlib.closing(sqlite3.connect(store.path)) as other:
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert store._gauge.mark() is None
    assert look(tmp_path).mark is None


@pytest.mark.parametrize(
    ("line", "mark"),
    [
        ("wal 0a0b0c0d 46", Mark("0a0b0c0d", 46)),
        ("wal 0a0b0c0d 46 7 99", Mark("0a0b0c0d", 46, 7, 99)),
        (f"wal 0a0b0c0d 46 1{'0' * 60} 99", Mark("0a0b0c0d", 46, 10**60, 99)),
        ("wal 0a0b0c0d", None),
        ("wal 0a0b0c0d x", None),
        ("wal 0a0b0c0d 46 -7 99", None),
        ("open", None),
    ],
)
async def test_a_mark_as_a_line(tmp_path: Path, line: str, mark: Mark | None) -> None:
    """With the last page or, as versions before wrote it, without; what is garbled is none, and
    says of no database that it has all.
    """
    async with await open_store(tmp_path):
        pass
    found = Mark.read(line)
    assert found == mark
    assert found is None or not found.is_in(tmp_path / DATABASE_NAME)


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
