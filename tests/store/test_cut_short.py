"""Killed while the database is being opened or closed: nothing is lost, and nothing is missed."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from bot.store.db import open_store
from tests.store.samples import length, python
from tests.store.test_disk import WAL

_MOMENTS = {
    "checked": ("opening", "_bring_up_to_date", "before", 1),
    "about to note that all is folded": ("lock.FolderLock", "mark_closed", "before", 1),
    "up to date": ("opening", "_bring_up_to_date", "after", 1),
    "about to connect": ("db.SqliteStore", "connect", "before", 1),
    "about to note that it is open": ("lock.FolderLock", "mark_open", "before", 1),
    "connected": ("db.SqliteStore", "connect", "after", 1),
    "about to fold": ("db.GroupWriter", "close", "after", 1),
    "about to note the end": ("lock.FolderLock", "mark_closed", "before", 2),
    "about to disconnect": ("db.SqliteStore", "_drop_reader", "before", 1),
    "disconnected": ("db.SqliteStore", "_drop_reader", "after", 1),
    "about to let go": ("lock.FolderLock", "release", "before", 1),
}
"""Where a process ends: in the n-th call of which function, before or after it has worked."""

_DIE = """
import ast, asyncio, os, sys
from pathlib import Path
from bot.store import db, lock, opening
from tests.store.samples import step, table

def die_at(place, name, when, turn):
    module, _, inner = place.partition(".")
    owner = {"db": db, "lock": lock, "opening": opening}[module]
    owner = getattr(owner, inner) if inner else owner
    real, calls = getattr(owner, name), []

    def count(now):
        calls.extend([now] * (now == when))
        if len(calls) == turn:
            os._exit(9)

    def at_once(*values):
        count("before")
        real(*values)
        count("after")

    async def later(*values):
        count("before")
        await real(*values)
        count("after")

    setattr(owner, name, later if asyncio.iscoroutinefunction(real) else at_once)

async def play(folder, number, is_killed):
    store = await db.open_store(folder)
    session = await store.open_session(table(number)) if how != "idle" else 0
    for ply in range(5 if session else 0):
        await store.commit(step(session, ply))
    while store._marking is not None:
        await asyncio.sleep(0.01)
    if is_killed:
        os._exit(9)
    await store.close()

def run(*values, at=None):
    if not (child := os.fork()):
        if at is not None:
            die_at(*at)
        asyncio.run(play(*values))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

how = sys.argv[2]
for moment, at in ast.literal_eval(sys.argv[3]).items():
    folder = Path(sys.argv[1]) / moment
    assert run(folder, 1, how != "stopped") == (0 if how == "stopped" else 9)
    if how == "lost":
        for end in ("wal", "shm"):
            (folder / f"nightwatch.db-{end}").unlink()
    assert run(folder, 2, False, at=at) == 9, moment
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
@pytest.mark.parametrize("how", ["stopped", "killed", "idle"])
async def test_a_run_cut_short_lets_nobody_miss_what_is_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, how: str
) -> None:
    """DB-08: between the step that puts the -wal away and the note of it, at a start and at an end,
    after a proper end, a kill, or runs without a single move: the next start has all, and tells no
    table of a loss.
    """
    caplog.set_level(logging.WARNING)
    process = python(_DIE, tmp_path, how, _MOMENTS)
    assert (*process.communicate(timeout=60), process.returncode) == ("", "", 0)
    for moment in _MOMENTS:
        async with await open_store(tmp_path / moment) as store:
            assert not store.newest_lost, moment
            plies = [await length(store, row.id) for row in await store.live_sessions()]
            assert plies in ([[]] if how == "idle" else [[5], [5, 5]]), moment
    assert caplog.messages == []


@pytest.mark.skipif(sys.platform == "win32", reason="no fork there")
async def test_a_run_cut_short_before_anybody_was_told_tells_again(tmp_path: Path) -> None:
    """DB-08: the -wal was lost, and the start that found out did not come as far as the tables."""
    moments = ("checked", "up to date", "about to connect")
    process = python(_DIE, tmp_path, "lost", {moment: _MOMENTS[moment] for moment in moments})
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    for moment in moments:
        assert not (tmp_path / moment / WAL).exists()
        async with await open_store(tmp_path / moment) as store:
            assert store.newest_lost, moment
        async with await open_store(tmp_path / moment) as store:
            assert not store.newest_lost, moment
