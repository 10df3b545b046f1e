"""Time zones, clocks that jump, and somebody who keeps the database locked, under a real bot."""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path

import pytest

from bot.health import HEARTBEAT
from tests.wire.evening import controls
from tests.wire.playing import night, sand_is_turned, turn_is_played
from tests.wire.remains import Scene, glass_ends, published, staged
from tests.wire.test_data_folder import program

DAY = 86_400


def troubles(scene: Scene) -> list[str]:
    """What an operator would have to look into."""
    return [line for line in scene.world.output if "Traceback" in line or " ERROR " in line]


async def sand_left(scene: Scene) -> tuple[float, float]:
    """Seconds that the glass on the message shows, and those on the disk, at about one moment."""
    await scene.world.until(lambda: glass_ends(scene.evening.live()) is not None)
    ends = glass_ends(scene.evening.live())
    assert ends is not None
    return ends - time.time(), scene.disk.sand(scene.session)


async def test_a_time_zone_changes_no_deadline(tmp_path: Path) -> None:
    """OPS-10: killed and started again under another zone, one that does not exist, a file that is
    none, and none at all, also where no zone is known: the glass shows what is left of it, the zone
    is no word in the log, and play goes on.
    """
    async with staged(tmp_path) as scene:
        await scene.lay(night(sand_is_turned), sand=280.0)
        nothing = {"PYTHONTZPATH": "", "TZDIR": "/nowhere"}
        for zone in ("Asia/Kathmandu", "America/Adak", "Nonsense/Zone", ":/etc/timezone", ""):
            scene.world.extra_env |= {"TZ": zone, **(nothing if zone != "Asia/Kathmandu" else {})}
            await scene.world.restart_bot()
            await published(scene.world, scene.disk, scene.session)
            assert await scene.evening.play(answers=1) == 1
            await scene.world.until(lambda: glass_ends(scene.evening.live()) is not None)
            shown, stored = await sand_left(scene)
            assert 200.0 < stored <= 280.0
            assert abs(shown - stored) < 15.0, zone
            assert troubles(scene) == []


_JUMPS = """
import sys, time
from pathlib import Path
real, ahead = time.time, Path(sys.argv.pop(1))
time.time = lambda: real() + float(ahead.read_text())
from bot.__main__ import main
sys.exit(main())
"""


async def test_a_clock_that_jumps_costs_no_sand_and_no_move(tmp_path: Path) -> None:
    """Set ahead by days and back by a month while the bot runs, and once more while it is down: the
    sand loses no more than has really passed, every click counts once, and the stop is clean.
    """
    async with staged(tmp_path) as scene:
        ahead = tmp_path / "ahead"
        ahead.write_text("0")
        scene.world.argv = (sys.executable, "-c", _JUMPS, str(ahead), "run")
        await scene.lay(night(sand_is_turned), sand=280.0)
        began = time.monotonic()
        await scene.world.start_bot()
        await published(scene.world, scene.disk, scene.session)
        for days in (0, 4, -30):
            ahead.write_text(str(days * DAY))
            assert await scene.evening.play(answers=2) == 2
        ahead.write_text(str(9 * DAY))
        await scene.world.restart_bot()
        await published(scene.world, scene.disk, scene.session)
        assert await scene.evening.play(answers=1) == 1
        assert await scene.world.stop_bot() == 0
        passed = time.monotonic() - began
        assert 280.0 - passed - 1.0 <= scene.disk.sand(scene.session) <= 280.0
        assert troubles(scene) == []
        answered = [one["interaction_id"] for one in scene.disk.entries(scene.session)]
        clicks = [one for one in answered if one is not None]
        assert len(clicks) == len(set(clicks)) >= 7


@pytest.mark.timeout(180)
async def test_a_database_that_is_kept_locked_holds_up_nothing_else(tmp_path: Path) -> None:
    """NET-12, DB-01: another program keeps the write lock for longer than the bot is patient: who
    only looks is answered in time, the sign of life is given, a backup is written beside it, a move
    is refused in a sentence and is not half made; with the lock gone the same move counts, without
    a restart. (The folder's own lock nobody waits for: whoever comes second is refused.)
    """
    async with staged(tmp_path) as scene:
        await scene.lay(night(turn_is_played))
        world = scene.world
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        before = len(scene.disk.entries(scene.session))
        panels = {name: await scene.evening.panel(name) for name in ("Ann", "Ben", "Cleo")}
        name, panel = next(
            (name, shown) for name, shown in panels.items() if shown and controls(shown, "act")
        )
        sign, copy = world.data_dir / HEARTBEAT, tmp_path / "copy.db"
        with scene.disk.held():
            held = time.monotonic()
            move = asyncio.create_task(scene.evening.choose(name, panel))
            while time.monotonic() - held < 12.0:
                began = time.monotonic()
                looked = await world.players["Dan"].slash(scene.evening.channel_id, "tables")
                assert looked.acknowledged
                assert time.monotonic() - began < 2.5
                await asyncio.sleep(0.5)
            refused = await move
            code, told = await program(world.environment(), "backup", "--to", copy)
            assert (code, copy.exists()) == (0, True), told
            seen = sign.stat().st_mtime
        assert refused is not None
        assert "could not be saved" in refused.text
        assert len(scene.disk.entries(scene.session)) == before
        assert not scene.disk.was_counted(refused.id)
        assert time.time() - seen < 30.0
        await world.until(lambda: scene.disk.is_published(scene.session), 30.0)
        assert await scene.evening.play(answers=1) == 1
        assert len(scene.disk.entries(scene.session)) > before
        assert troubles(scene) == []
