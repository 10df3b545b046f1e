"""One data folder and real processes around it: a second bot, backups, restoring, faults."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from bot import titles
from bot.store.opening import DATABASE_NAME
from tests.disks import small_disk
from tests.wire.evening import Evening, controls
from tests.wire.harness import ROOT, Harness
from tests.wire.playing import (
    NAMES,
    QUIET,
    in_words,
    night,
    turn_is_played,
)
from tests.wire.remains import Births, Disk, Scene, check_counted, published, staged


async def program(
    environ: Mapping[str, str],
    *args: object,
    within: float = 30.0,
    python: Sequence[str] = (),
    cwd: Path = ROOT,
) -> tuple[int, str]:
    """`python -m bot` with these arguments, to its end: exit code, and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *python, "-m", "bot", *map(str, args),
        cwd=cwd, env=dict(environ),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        async with asyncio.timeout(within):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return process.returncode, output.decode()


def one_line(output: str) -> str:
    """The only line of an output."""
    (line,) = output.splitlines()
    return line


async def at_a_table(scene: Scene) -> None:
    """A table in the first hour, with the bot running and everything posted."""
    await scene.lay(night(turn_is_played))
    await scene.world.start_bot()
    await published(scene.world, scene.disk, scene.session)


def forget(scene: Scene) -> None:
    """What players were told lies after the moment to which their table has gone back."""
    scene.evening.told.clear()
    scene.evening.panels.clear()


async def test_a_backup_beside_the_running_bot_brings_a_table_back(tmp_path: Path) -> None:
    """DB-05: every acknowledged move is in the backup; it is not restored under a running bot; once
    that is stopped it is, and the table goes on from there with the same message.
    """
    async with staged(tmp_path) as scene:
        await at_a_table(scene)
        world, environ = scene.world, scene.world.environment()
        assert await scene.evening.play(answers=2) == 2
        await published(world, scene.disk, scene.session)
        check_counted(scene.evening, scene.disk, scene.session)
        before, copy = len(scene.disk.entries(scene.session)), tmp_path / "copy.db"
        acknowledged = Evening(world, told=[*scene.evening.told])
        code, output = await program(environ, "backup", "--to", copy)
        assert (code, "written and checked" in one_line(output)) == (0, True), output
        with contextlib.closing(sqlite3.connect(copy)) as found:
            assert found.execute("SELECT count(*) FROM entry").fetchall() == [(before,)]

        assert await scene.evening.play(answers=2) == 2
        code, output = await program(environ, "restore-backup", copy)
        assert code == 2
        assert "works with the data in" in one_line(output)
        assert await world.stop_bot() == 0
        played_on = len(scene.disk.entries(scene.session))
        assert played_on > before
        code, output = await program(environ, "restore-backup", copy)
        assert (code, "is restored: 1 game, " in one_line(output)) == (0, True), output
        assert len(scene.disk.entries(scene.session)) == before

        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        code, output = await program(
            {**environ, "DATA_DIR": str(elsewhere)}, "restore-backup", copy
        )
        assert (code, "is restored: 1 game, " in one_line(output)) == (0, True), output
        assert Disk(elsewhere).entries(scene.session) == scene.disk.entries(scene.session)
        check_counted(acknowledged, Disk(elsewhere), scene.session)
        live = scene.evening.live().id
        forget(scene)
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        assert scene.evening.live().id == live
        assert await scene.evening.play(answers=1) == 1
        assert not [line for line in world.output if "Traceback" in line or " ERROR " in line]


async def test_the_bot_makes_backups_by_itself(tmp_path: Path) -> None:
    """With the shortest settings and a due date long ago the first one is there after the first
    look, is told in one line, and the stop is clean.
    """
    async with staged(tmp_path) as scene:
        scene.world.argv = (sys.executable, "-c", _IMPATIENT, "run")
        await at_a_table(scene)
        world, folder = scene.world, scene.world.data_dir / "backups"
        await world.until(lambda: list(folder.glob("nightwatch-*.db")))
        await world.until(lambda: [line for line in world.output if "written and checked" in line])
        assert await scene.evening.play(answers=2) == 2
        assert await world.stop_bot() == 0
        assert not [line for line in world.output if "Traceback" in line or " ERROR " in line]
        assert not [file for file in folder.iterdir() if file.suffix != ".db"]


_IMPATIENT = """
import sys
from bot.tools import backup_schedule
backup_schedule.Schedule.__init__.__kwdefaults__["look"] = 0.5
from bot.__main__ import main
sys.exit(main())
"""


async def test_a_wal_that_is_gone_is_missed(tmp_path: Path) -> None:
    """DB-08: killed, then the -wal deleted. The start says so in one line and the table is told,
    once; it stands at an earlier move, shown on its message. With its -wal in place nothing is
    said.
    """
    async with staged(tmp_path) as scene:
        await at_a_table(scene)
        world, wal = scene.world, scene.world.data_dir / f"{DATABASE_NAME}-wal"
        assert await scene.evening.play(answers=1) == 1
        await world.restart_bot()
        assert not [line for line in world.output if "is not there any more" in line]
        assert await scene.evening.play(answers=3) == 3
        await published(world, scene.disk, scene.session)
        await world.kill_bot()
        played = len(scene.disk.entries(scene.session))
        wal.unlink()

        await world.start_bot()
        (line,) = [line for line in world.output if "is not there any more" in line]
        assert str(wal) in line
        assert len(scene.disk.entries(scene.session)) < played
        await published(world, scene.disk, scene.session)
        scene.disk.game(scene.session)
        forget(scene)
        assert await scene.evening.play(answers=1) == 1
        await published(world, scene.disk, scene.session)
        await world.restart_bot()
        await published(world, scene.disk, scene.session)
        told = [one for one in scene.evening.public() if "I was cut off" in one.text]
        assert len(told) == 1
        assert len(scene.evening.public()) == 2
        scene.births.check()


@pytest.fixture
def small_data(tmp_path: Path) -> Iterator[Path]:
    """A data folder on a disk of 3 MB."""
    with small_disk(tmp_path / "data", "3m") as data:
        yield data


async def test_a_disk_that_fills_up_during_play(small_data: Path, tmp_path: Path) -> None:
    """DB-03: the disk gets full: a move is refused in a sentence, the operator has a line, the
    database is sound; with space again the game goes on without a restart, and nothing that was
    acknowledged is missing.
    """
    data = small_data
    async with Harness(data, quiet=QUIET) as world:
        in_words(world)
        scene = Scene(world, Evening(world), Births(world), Disk(data), tmp_path)
        await at_a_table(scene)
        ballast = data / "ballast"
        ballast.write_bytes(bytes(shutil.disk_usage(data).free - 100_000))
        refused, before = None, 0
        while refused is None or "could not be saved" not in refused.text:
            before = len(scene.disk.entries(scene.session))
            told, shown = len(scene.evening.told), [await scene.evening.panel(n) for n in NAMES]
            name, panel = next(
                (n, one)
                for n, one in zip(NAMES, shown, strict=True)
                if one and controls(one, "act")
            )
            refused = await scene.evening.choose(name, panel)
            assert refused is not None
            del scene.evening.told[told + ("could not be saved" not in refused.text) :]
        assert len(scene.disk.entries(scene.session)) == before
        assert scene.disk.rows("PRAGMA integrity_check") == [{"integrity_check": "ok"}]
        assert any("database or disk is full" in line for line in world.output)
        ballast.unlink()
        assert await scene.evening.play(answers=2) == 2
        assert len(scene.disk.entries(scene.session)) == before + 2
        await published(world, scene.disk, scene.session)
        check_counted(scene.evening, scene.disk, scene.session)
        scene.births.check()
        assert await world.stop_bot() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["sigterm", "ctrl-c"])
async def test_a_backup_told_to_stop_leaves_nothing_half_written(
    tmp_path: Path, number: signal.Signals
) -> None:
    """OPS-06: the command ends at once, not with 0, and neither file nor part of one is left."""
    async with staged(tmp_path) as scene:
        environ, folder = scene.world.environment(), scene.world.data_dir
        code, output = await program(environ, "backup")
        assert (code, "there is nothing to back up" in one_line(output)) == (2, True)
        await scene.lay(night(turn_is_played))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", _SLOW, "backup",
            cwd=ROOT, env=environ,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        assert process.stdout is not None
        assert await process.stdout.readline() == b"copying\n"
        assert list((folder / "backups").iterdir()) != []
        began = time.monotonic()
        process.send_signal(number)
        assert await process.stdout.read() == b""
        assert await process.wait() == 130
        assert time.monotonic() - began < 20.0
        assert list((folder / "backups").iterdir()) == []


_SLOW = """
import sys, time
from bot.store import copying, archive
copying._STEP = 1
real = archive.copy_database
def slow(source, target, go_on, patience):
    def step():
        print("copying", flush=True) if not step.told else time.sleep(0.2)
        step.told = True
        return True
    step.told = False
    real(source, target, go_on=step, patience=patience)
archive.copy_database = slow
from bot.__main__ import main
sys.exit(main())
"""


def harmed(database: Path, harm: str) -> None:
    """What a disk, or somebody, can do to a database."""
    size = database.stat().st_size
    if harm == "newer":
        with contextlib.closing(sqlite3.connect(database)) as found:
            found.execute("PRAGMA user_version = 999").fetchall()
    elif harm == "overwritten":
        with database.open("r+b") as file:
            file.seek(size // 2 // 4096 * 4096)
            file.write(b"\xa5" * 4096)
    elif harm == "text":
        database.write_text("not a database at all\n" * 300, encoding="utf-8")
    else:
        os.truncate(database, 0 if harm == "emptied" else size // 2)


@pytest.mark.parametrize("harm", ["overwritten", "cut in half", "emptied", "text", "newer"])
async def test_a_database_that_does_not_open_costs_no_login(tmp_path: Path, harm: str) -> None:
    """NET-08, DB-09, DB-12: started again and again, as a restart policy does: one line each time,
    not 0, no sign-in, no byte changed; and what the line says to do works.
    """
    async with staged(tmp_path) as scene:
        await scene.lay(night(turn_is_played))
        world, environ, database = scene.world, scene.world.environment(), scene.disk.path
        code, output = await program(environ, "backup", "--to", tmp_path / "copy.db")
        assert code == 0, output
        harmed(database, harm)
        before = database.read_bytes()
        for _ in range(2):
            code, output = await program(environ, "run", "--online")
            line = one_line(output)
            assert code == 1
            assert str(database) in line
            assert ("newer version" if harm == "newer" else "restore-backup FILE") in line
        assert not world.calls
        assert database.read_bytes() == before
        code, output = await program(environ, "restore-backup", tmp_path / "copy.db")
        assert code == 0, output
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        assert await scene.evening.play(answers=1) == 1


def broken(tree: Path, harm: str) -> Path:
    """Break a copy of the program there: the file in which."""
    if harm == "migration":
        folder = tree / "bot" / "store" / "migrations"
        path = folder / f"{len(list(folder.glob('*.sql'))) + 1:04}_broken.sql"
        path.write_text("CREATE TABLE new_one (a);\nCREATE TABLE entry (a);\n", encoding="utf-8")
    else:
        path = min((tree / "content" / harm).glob("*.yaml"))
        path.write_text(f"{path.read_text(encoding='utf-8')}\n\tno: [\n", encoding="utf-8")
    return path


async def test_a_program_that_cannot_play_costs_no_login(tmp_path: Path) -> None:
    """NET-08: broken content of a game, broken words of the bot, or a migration that fails: the bot
    says so, ends with another status than 0, and never signs in; the data are as they were, and
    the sound program plays on with them.
    """
    tree, data = tmp_path / "tree", tmp_path / "data"
    for part in ("bot", "content", "engines"):
        shutil.copytree(ROOT / part, tree / part)
    data.mkdir()
    async with staged(data) as scene:
        await scene.lay(night(turn_is_played))
        world, entries = scene.world, scene.disk.entries(scene.session)
        schema = "SELECT * FROM sqlite_schema, pragma_user_version ORDER BY name"
        before = scene.disk.rows(schema)
        environ = {**world.environment(), "PYTHONPATH": str(tree)}
        for harm in (titles.KEYS[-1], "common", "migration"):
            path = broken(tree, harm)
            sound = (ROOT / path.relative_to(tree)).read_bytes() if harm != "migration" else None
            code, output = await program(environ, "run", "--online", python=("-P",), cwd=tmp_path)
            assert code == 1, output
            assert (str(scene.disk.path) if sound is None else path.name) in output
            assert "Traceback" not in output
            path.unlink() if sound is None else path.write_bytes(sound)
        assert not world.calls
        assert scene.disk.rows(schema) == before
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        assert scene.disk.entries(scene.session) == entries
        assert await scene.evening.play(answers=1) == 1
