"""Killed while moves are made, copied meanwhile: what was acknowledged is there."""

from __future__ import annotations

import asyncio
import contextlib
import random
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from bot.store.db import SqliteStore, open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import StoreBusy, Write
from tests.store.samples import length, python, step, table

_PLAY = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, ".")
from bot.store.db import open_store
from tests.store.samples import step, message
from dataclasses import replace
async def play(store, number):
    ply = (await store.session(number)).ply
    while True:
        change = step(number, ply, interaction=number * 1_000_000 + ply)
        await store.commit(replace(change, messages=(message(number, ply),)))
        ply += 1
        print(number, ply, flush=True)
async def main():
    store = await open_store(Path(sys.argv[1]))
    sessions = await store.live_sessions()
    await asyncio.gather(*(play(store, session.id) for session in sessions))
asyncio.run(main())
"""


async def kill_at_random(folder: Path, rounds: int, seed: int) -> int:
    """Start, kill, look, again and again in one folder. How many moves were acknowledged."""
    chooser = random.Random(seed)
    async with await open_store(folder) as store:
        ids = [await store.open_session(table(n)) for n in range(4)]
    acknowledged = dict.fromkeys(ids, 0)
    for _ in range(rounds):
        process = python(_PLAY, folder)
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(chooser.random() / 4)  # noqa: ASYNC251 - nothing else runs here
        process.send_signal(signal.SIGKILL)
        output, errors = process.communicate(timeout=20)
        assert errors == ""
        for line in (first + output).splitlines(keepends=True):
            if line.endswith("\n"):
                number, ply = map(int, line.split())
                acknowledged[number] = max(acknowledged[number], ply)
        async with await open_store(folder) as store:
            for number in ids:
                found = await length(store, number)
                assert found in (acknowledged[number], acknowledged[number] + 1)
                # The intention and the click came with the entry, or neither did.
                assert len(await store.messages(number)) == found
                assert await store.was_counted(number * 1_000_000 + found - 1)
                assert not await store.was_counted(number * 1_000_000 + found)
                acknowledged[number] = found
    return sum(acknowledged.values())


async def test_nothing_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    """What a killed process had printed as counted is on the disk, whole, at most one move more."""
    assert await kill_at_random(tmp_path, rounds=5, seed=1) > 20


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_nothing_acknowledged_is_lost_by_many_kills(tmp_path: Path) -> None:
    """The same, a hundred times in one folder."""
    assert await kill_at_random(tmp_path, rounds=100, seed=2) > 500


async def test_a_backup_during_play_has_all_that_was_acknowledged(
    tmp_path: Path, store: SqliteStore
) -> None:
    """Five copies while four tables move: each is sound and no older than its beginning."""
    ids = [await store.open_session(table(n)) for n in range(4)]
    plies = dict.fromkeys(ids, 0)
    playing = True

    async def play(number: int) -> None:
        while playing:
            await store.commit(step(number, plies[number]))
            plies[number] += 1

    players = [asyncio.create_task(play(number)) for number in ids]
    for copy in range(5):
        await asyncio.sleep(0.05)
        acknowledged = dict(plies)
        folder = tmp_path / f"copy-{copy}"
        folder.mkdir()
        await store.backup(folder / DATABASE_NAME)
        async with await open_store(folder) as restored:
            for number in ids:
                assert await length(restored, number) >= acknowledged[number]
            await restored.commit(Write(session=ids[0], fields={"status": "paused"}))
    playing = False
    await asyncio.gather(*players)
    assert min(plies.values()) > 5


async def test_a_plain_copy_is_why_there_is_a_backup(tmp_path: Path, store: SqliteStore) -> None:
    """Copying the file alone loses moves and still looks sound, so the manual warns of it."""
    number = await store.open_session(table(1))
    plain, sound = tmp_path / "plain.db", tmp_path / "sound.db"
    for ply in range(3):
        await store.commit(step(number, ply))
    plain.write_bytes(store.path.read_bytes())
    await store.backup(sound)
    counts: list[int] = []
    for path in (plain, sound):
        with contextlib.closing(sqlite3.connect(path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            counts.extend(connection.execute("SELECT count(*) FROM entry").fetchone())
    assert counts == [0, 3]


async def test_a_backup_is_one_file(tmp_path: Path, store: SqliteStore) -> None:
    """Looking into a copy makes no file beside it that would have to move with it."""
    folder = tmp_path / "copies"
    folder.mkdir()
    await store.backup(folder / "copy.db")
    uri = f"file:{folder / 'copy.db'}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
        assert connection.execute("SELECT count(*) FROM session").fetchall() == [(0,)]
        assert [file.name for file in folder.iterdir()] == ["copy.db"]


async def test_a_backup_that_fails_leaves_the_old_one(tmp_path: Path, store: SqliteStore) -> None:
    """Over an existing copy: replaced when complete; where it cannot be written, StoreBusy."""
    target = tmp_path / "copy.db"
    await store.set_setting("a", "1")
    await store.backup(target)
    await store.set_setting("a", "2")
    await store.backup(target)
    with contextlib.closing(sqlite3.connect(target)) as connection:
        assert connection.execute("SELECT value FROM setting").fetchall() == [("2",)]
    with pytest.raises(StoreBusy):
        await store.backup(tmp_path / "missing" / "copy.db")
    await store.set_setting("a", "3")
