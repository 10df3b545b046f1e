"""The hourglass of the last hour: kills, time that passes while the bot is down, late clicks."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.opening import DATABASE_NAME
from engines.kernel.decision import CLOCK
from tests.wire.playing import controls, night, sand_is_turned
from tests.wire.remains import Scene, glass_ends, published, staged


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """A server, and an empty data folder."""
    async with staged(tmp_path) as made:
        yield made


def sent_at(scene: Scene, method: str) -> float:
    """When the table was last sent or edited (monotonic): the sand runs from there on."""
    calls = scene.world.server.rest.log.calls
    start = f"/channels/{scene.evening.channel_id}/messages"
    return [
        call.at
        for call in calls
        if call.method == method and call.path.startswith(start) and "menu:" in str(call.body)
    ][-1]


async def until(moment: float) -> None:
    """Sleep until then (monotonic)."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


def is_over(scene: Scene) -> bool:
    """Whether the game has ended, as the disk knows it."""
    return scene.disk.session(scene.session)["status"] == "finished"


async def test_no_sand_falls_while_the_bot_is_down(scene: Scene) -> None:
    """Killed one second into the hourglass, with two seconds of sand, and down for longer: the same
    message goes on with what was last stored, and the night ends when that has run.
    """
    await scene.lay(night(sand_is_turned), sand=2.0)
    await scene.world.start_bot()
    table = await scene.evening.up()
    await until(sent_at(scene, "POST") + 1.0)
    await scene.world.kill_bot()
    stored = scene.disk.sand(scene.session)
    assert 1.0 <= stored <= 2.0
    await asyncio.sleep(2.0)
    assert not is_over(scene)

    await scene.world.start_bot()
    edits = scene.world.calls["PATCH /channels/{id}/messages/{id}"]
    await scene.world.until(lambda: scene.world.calls["PATCH /channels/{id}/messages/{id}"] > edits)
    began = sent_at(scene, "PATCH")
    assert scene.evening.live().id == table.id
    assert controls(scene.evening.live(), "act")
    await until(began + stored - 0.3)
    assert not is_over(scene)
    await scene.world.until(lambda: is_over(scene))
    assert stored <= time.monotonic() - began < stored + 2.0
    closing = await scene.evening.up("again")
    await scene.all_is_well(last=False)
    assert scene.evening.live().id == closing.id
    assert scene.disk.entries(scene.session)[-1]["seat"] == CLOCK


async def test_the_sand_is_stored_as_it_runs(scene: Scene) -> None:
    """What is left is stored with every answer and every few seconds; after a kill the glass goes
    on with no less than that, and everybody is called to it only once.
    """
    await scene.lay(night(sand_is_turned))
    await scene.world.start_bot()
    await scene.evening.up()
    await until(sent_at(scene, "POST") + 1.2)
    assert scene.disk.sand(scene.session) == 300.0
    assert await scene.evening.play(answers=1) == 1
    assert 298.0 < scene.disk.sand(scene.session) < 299.0
    (sand,) = scene.disk.entries(scene.session)[-1]["sand"].strip("{}").split(",")
    assert 298_000 < int(sand.split(":")[1]) < 299_000
    await scene.world.until(lambda: scene.disk.sand(scene.session) < 298.0)
    stored = scene.disk.sand(scene.session)
    assert stored >= 300.0 - (time.monotonic() - sent_at(scene, "POST"))
    ends = glass_ends(scene.evening.live())
    await scene.world.kill_bot()

    await scene.world.start_bot()
    await scene.world.until(lambda: glass_ends(scene.evening.live()) != ends)
    now = glass_ends(scene.evening.live())
    assert now is not None
    assert stored - 1.0 <= now - time.time() <= stored + 1.0
    await published(scene.world, scene.disk, scene.session)
    calls = [one for one in scene.evening.public() if one.pings]
    assert [len(one.pings) for one in calls] == [3]
    assert await scene.evening.play(answers=2) == 2
    await scene.all_is_well()


async def test_a_click_that_reached_the_process_too_late_does_not_count(scene: Scene) -> None:
    """The last grain falls while a click is on its way: the night is over, the click changed
    nothing, and its player is told so.
    """
    await scene.lay(night(sand_is_turned), sand=3.0)
    await scene.world.start_bot()
    table = await scene.evening.up()
    ends = sent_at(scene, "POST") + 3.0
    assert scene.world.child is not None
    process = scene.world.child.process
    await until(ends - 0.6)
    process.send_signal(signal.SIGSTOP)
    click = asyncio.create_task(scene.evening.click("Ben", table, "act"))
    await until(ends + 0.6)
    process.send_signal(signal.SIGCONT)
    reply = await click
    assert reply.acknowledged
    assert reply.ephemeral
    await scene.evening.up("again")
    assert not scene.disk.was_counted(reply.id)
    entries = scene.disk.entries(scene.session)
    assert entries[-1]["seat"] == CLOCK
    assert reply.id not in [one["interaction_id"] for one in entries]
    await scene.all_is_well(last=False)


async def test_a_click_that_reached_the_process_in_time_counts(scene: Scene) -> None:
    """A click arrives while there is sand, but the disk is held by somebody else until all has run:
    the click counts first, and then the night is over.
    """
    await scene.lay(night(sand_is_turned), sand=4.0)
    await scene.world.start_bot()
    table = await scene.evening.up()
    ends = sent_at(scene, "POST") + 4.0
    question = await scene.world.players["Cleo"].slash(scene.evening.channel_id, "leave")
    assert question.message is not None
    await until(ends - 1.4)
    database = sqlite3.connect(
        scene.world.data_dir / DATABASE_NAME, isolation_level=None, check_same_thread=False
    )
    with contextlib.closing(database):
        database.execute("BEGIN IMMEDIATE")
        first = asyncio.create_task(scene.evening.click("Cleo", question.message, "leave_yes"))
        await until(ends - 0.7)
        second = asyncio.create_task(scene.evening.click("Ben", table, "act"))
        await until(ends + 0.7)
        assert not is_over(scene)
        database.execute("ROLLBACK")
    await first
    reply = await second
    assert reply.acknowledged
    await scene.evening.up("again")
    entries = scene.disk.entries(scene.session)
    assert [one["seat"] for one in entries[-2:]] == [1, CLOCK]
    assert entries[-2]["interaction_id"] == reply.id
    await scene.all_is_well(last=False)
