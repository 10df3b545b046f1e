"""Told to stop in the middle of something long: a migration, a drawing, an upload, a restore."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import sys
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.offline.child import Child
from bot.offline.wire import Call
from bot.store.migrate import shipped_migrations
from bot.store.opening import DATABASE_NAME
from tests.wire.harness import ROOT, Harness
from tests.wire.playing import QUIET, night, turn_is_played
from tests.wire.remains import check_counted, published, staged
from tests.wire.test_data_folder import program
from tests.wire.test_stop import WITHIN

SAVED = ROOT / "tests" / "store" / "saved"
NEWEST = len(shipped_migrations())

_SLOW_MIGRATION = """
import sys, time
from bot.store import opening
real = opening.migrate
def slow(connection, path, migrations, *more, **options):
    def before(statement):
        time.sleep(0.04)
        if not before.told:
            print("migrating", flush=True)
        before.told = True
    before.told = False
    real(connection, path, migrations, before, **options)
opening.migrate = slow
from bot.__main__ import main
sys.exit(main())
"""

_SLOW_DRAWING = """
import sys, time
from bot.render import escape_the_night as drawn
real = drawn.draw
def slow(*arguments):
    print("drawing", flush=True)
    time.sleep(3)
    return real(*arguments)
drawn.draw = slow
from bot.__main__ import main
sys.exit(main())
"""

_SLOW_RESTORE = """
import sys, time
from bot.store import copying, replacing
real = replacing.copy_database
def slow(source, target, go_on=lambda: True, **more):
    def step():
        print("copying", flush=True)
        time.sleep(1)
        return go_on()
    return real(source, target, go_on=step, **more)
copying._STEP = 1
replacing.copy_database = slow
from bot.__main__ import main
sys.exit(main())
"""


def old_database(folder: Path) -> None:
    """The data of the first release."""
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / DATABASE_NAME) as connection:
        connection.executescript((SAVED / "schema-1.sql").read_text("utf-8"))
    connection.close()


def version(folder: Path) -> int:
    """The version of the schema; AssertionError if the database is not sound."""
    connection = sqlite3.connect(folder / DATABASE_NAME)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


@asynccontextmanager
async def started(argv: Sequence[str], env: Mapping[str, str]) -> AsyncIterator[Child]:
    """A process that is gone in the end, whatever happens."""
    child = await Child.start(argv, dict(env), captured=True)
    try:
        yield child
    finally:
        if child.alive:
            child.kill()
        await child.process.communicate()


async def line_with(child: Child, word: str) -> None:
    """Read its output up to a line with that word."""
    assert child.process.stdout is not None
    async with asyncio.timeout(30):
        async for line in child.process.stdout:
            if word in line.decode():
                return
    raise AssertionError(f"it ended without {word}")


@pytest.mark.parametrize("signals", [1, 2])
async def test_a_stop_during_a_migration(tmp_path: Path, signals: int) -> None:
    """OPS-06: the migration is finished first, nothing is signed in to, and the exit status is 0; a
    second signal ends it at once and the database is as of a version. The next start is clean.
    """
    data = tmp_path / "data"
    old_database(data)
    async with Harness(data, quiet=QUIET) as world:
        argv = (sys.executable, "-c", _SLOW_MIGRATION, "run")
        async with started(argv, world.environment()) as child:
            await line_with(child, "migrating")
            began = time.monotonic()
            for _ in range(signals):
                child.process.send_signal(signal.SIGTERM)
                await asyncio.sleep(0.2)
            async with asyncio.timeout(30):
                code = await child.process.wait()
            took = time.monotonic() - began
        assert code == (0 if signals == 1 else 1)
        assert took < (30 if signals == 1 else 15)
        assert version(data) == NEWEST if signals == 1 else version(data) < NEWEST
        assert sum(world.calls.values()) == 0
        await world.start_bot()
        assert await world.stop_bot() == 0
        assert not [line for line in world.output if " ERROR " in line or "Traceback" in line]
    assert version(data) == NEWEST


@pytest.mark.parametrize("delay", [0.5, 1.0])
async def test_a_stop_at_any_moment_of_the_start(tmp_path: Path, delay: float) -> None:
    """OPS-05: SIGTERM while modules are loaded, content is read, the data are opened or Discord is
    signed in to: heard at once, exit 0, and the next start finds everything sound. Only before a
    line of ours has run is it the system that ends the process.
    """
    data = tmp_path / "data"
    old_database(data)
    async with Harness(data, quiet=QUIET) as world:
        async with started(world.argv, world.environment()) as child:
            await asyncio.sleep(delay)
            began = time.monotonic()
            child.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(30):
                code = await child.process.wait()
            took = time.monotonic() - began
        assert code in (0, -signal.SIGTERM)
        assert took < WITHIN
        assert version(data) in range(1, NEWEST + 1)
        await world.start_bot()
        assert await world.stop_bot() == 0


async def test_a_stop_while_a_board_is_drawn(tmp_path: Path) -> None:
    """OPS-06: a drawing that takes long holds the stop up for no longer than it takes; nothing that
    was acknowledged is lost and the next start draws it.
    """
    async with staged(tmp_path, pictures=True) as scene:
        world = scene.world
        world.argv = (sys.executable, "-c", _SLOW_DRAWING, "run")
        await scene.lay(night(turn_is_played))
        await world.start_bot()
        await world.until(lambda: any("drawing" in line for line in world.output))
        assert world.child is not None
        began = time.monotonic()
        assert await world.stop_bot() == 0
        assert time.monotonic() - began < WITHIN
        assert not [line for line in world.output if "Traceback" in line or " ERROR " in line]
        world.argv = (sys.executable, "-m", "bot", "run")
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        assert await scene.evening.play(answers=1) == 1
        await published(world, scene.disk, scene.session)
        check_counted(scene.evening, scene.disk, scene.session)


async def test_a_stop_while_an_upload_hangs(tmp_path: Path) -> None:
    """OPS-06: Discord takes a picture and never answers: the stop ends in time with 0, the table is
    there once after the next start, and the answer before it counts once.
    """
    async with staged(tmp_path, pictures=True) as scene:
        world = scene.world
        hangs: list[Call] = []

        async def hook(stage: str, call: Call) -> None:
            child = world.child
            if stage == "before" and call.method == "PATCH" and "attachments" in str(call.body):
                hangs.append(call)
                await world.until(lambda: child is not world.child or not child, 60.0)

        await scene.lay(night(turn_is_played))
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        world.server.rest.hooks.append(hook)
        assert await scene.evening.play(answers=1) == 1
        await world.until(lambda: hangs)
        began = time.monotonic()
        assert await world.stop_bot() == 0
        assert time.monotonic() - began < WITHIN
        world.server.rest.hooks.remove(hook)
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        await scene.all_is_well()


async def test_a_stop_during_a_restore(tmp_path: Path) -> None:
    """OPS-06: told to stop while a backup is put in the database's place: it gives up, and the data
    are those of before, with nothing half written beside them; afterwards the restore works.
    """
    async with staged(tmp_path) as scene:
        await scene.lay(night(turn_is_played))
        environ, folder = scene.world.environment(), scene.world.data_dir
        backup = tmp_path / "backup.db"
        code, told = await program(environ, "backup", "--to", backup)
        assert code == 0, told
        entries = len(scene.disk.entries(scene.session))
        before = sorted(path.name for path in folder.rglob("*") if path.is_file())
        argv = (sys.executable, "-c", _SLOW_RESTORE, "restore-backup", str(backup))
        async with started(argv, environ) as child:
            await line_with(child, "copying")
            child.process.send_signal(signal.SIGTERM)
            async with asyncio.timeout(30):
                assert await child.process.wait() == 130
        after = sorted(path.name for path in folder.rglob("*") if path.is_file())
        assert [name for name in after if name not in before] == []
        assert version(folder) == NEWEST
        assert len(scene.disk.entries(scene.session)) == entries
        code, told = await program(environ, "restore-backup", backup)
        assert code == 0, told
        await scene.world.start_bot()
        await published(scene.world, scene.disk, scene.session)
