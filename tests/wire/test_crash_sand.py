"""The hourglass of the last hour: kills, time that passes while the bot is down, late clicks."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.offline.wire import Shown
from engines.kernel.decision import CLOCK
from tests.wire.evening import controls
from tests.wire.playing import night, sand_is_turned
from tests.wire.remains import Scene, glass_ends, published, staged


@pytest.fixture
async def scene(tmp_path: Path) -> AsyncIterator[Scene]:
    """A server, and an empty data folder."""
    async with staged(tmp_path) as made:
        yield made


def shown(scene: Scene) -> list[float]:
    """When the living table was sent or edited (monotonic)."""
    start = f"/channels/{scene.evening.channel_id}/messages"
    calls = [call for call in scene.world.server.rest.log.calls if call.path.startswith(start)]
    return [call.at for call in calls if ":menu:" in str(call.body)]


async def start(scene: Scene) -> float:
    """Start the bot; since when the sand runs (monotonic): since the table is up to date."""
    before = len(shown(scene))
    await scene.world.start_bot()
    await scene.world.until(lambda: len(shown(scene)) > before)
    await scene.world.settle()
    return shown(scene)[before]


async def until(moment: float) -> None:
    """Sleep until then (monotonic)."""
    await asyncio.sleep(max(0.0, moment - time.monotonic()))


def is_over(scene: Scene) -> bool:
    """Whether the game has ended, as the disk knows it."""
    return scene.disk.session(scene.session)["status"] == "finished"


async def test_no_sand_falls_while_the_bot_is_down(scene: Scene) -> None:
    """Killed one second into the hourglass, and down for longer than there was sand left: the same
    message goes on with what was last stored, and the night ends when that has run.
    """
    await scene.lay(night(sand_is_turned), sand=1.8)
    began = await start(scene)
    table = scene.evening.live()
    await until(began + 1.0)
    await scene.world.kill_bot()
    stored = scene.disk.sand(scene.session)
    assert 0.8 <= stored <= 1.8
    await asyncio.sleep(1.0)
    assert not is_over(scene)

    began = await start(scene)
    assert scene.evening.live().id == table.id
    assert controls(scene.evening.live(), "act")
    await scene.world.until(lambda: is_over(scene))
    assert stored <= time.monotonic() - began < stored + 20.0
    closing = await scene.evening.up("again")
    await scene.all_is_well(last=False)
    assert scene.evening.live().id == closing.id
    assert scene.disk.entries(scene.session)[-1]["seat"] == CLOCK


async def test_the_sand_is_stored_with_every_answer(scene: Scene) -> None:
    """What is left is stored with an answer; after a kill the glass goes on with no less than that,
    and everybody is called to it only once.
    """
    await scene.lay(night(sand_is_turned))
    began = await start(scene)
    await until(began + 1.2)
    assert scene.disk.sand(scene.session) == 300.0
    assert await scene.evening.play(answers=1) == 1
    stored = scene.disk.sand(scene.session)
    assert 299.5 - (time.monotonic() - began) < stored < 299.0
    entry = json.loads(scene.disk.entries(scene.session)[-1]["sand"])
    assert list(entry.values()) == [round(stored * 1000)]
    await kill_and_compare(scene)
    calls = [one for one in scene.evening.public() if one.pings]
    assert [len(one.pings) for one in calls] == [3]
    assert await scene.evening.play(answers=2) == 2
    await scene.all_is_well()


@pytest.mark.soak
async def test_the_sand_is_stored_every_few_seconds(scene: Scene) -> None:
    """Nobody answers: what is left is stored all the same, and the glass goes on with that."""
    await scene.lay(night(sand_is_turned))
    began = await start(scene)
    await scene.world.until(lambda: scene.disk.sand(scene.session) < 300.0)
    assert scene.disk.sand(scene.session) >= 300.0 - (time.monotonic() - began)
    await asyncio.sleep(1.5)
    await kill_and_compare(scene)


async def kill_and_compare(scene: Scene) -> None:
    """Kill the bot and start it: the glass goes on with what was last stored."""
    ends = glass_ends(scene.evening.live())
    await scene.world.kill_bot()
    stored = scene.disk.sand(scene.session)
    await scene.world.start_bot()
    await scene.world.until(lambda: glass_ends(scene.evening.live()) != ends)
    now = glass_ends(scene.evening.live())
    assert now is not None
    assert stored - 1.0 <= now - time.time() <= stored + 1.0
    await published(scene.world, scene.disk, scene.session)


async def test_a_click_that_reached_the_process_too_late_does_not_count(scene: Scene) -> None:
    """Somebody's seat is given up in time, but the disk is held by somebody else; a click comes
    after the last grain has fallen and before the bot could act on that: it counts for nothing,
    its player is told so, and the night is over.
    """
    await scene.lay(night(sand_is_turned), sand=3.0)
    async with held_disk(scene) as (table, _, ends):
        await until(ends + 0.3)
        late = asyncio.create_task(scene.evening.click("Ben", table, "act"))
        await until(ends + 0.7)
        assert not is_over(scene)
    reply = await late
    assert reply.acknowledged
    assert reply.ephemeral
    await scene.evening.up("again")
    assert not scene.disk.was_counted(reply.id)
    entries = scene.disk.entries(scene.session)
    assert entries[-1]["seat"] == CLOCK
    assert reply.id not in [one["interaction_id"] for one in entries]
    await scene.all_is_well(last=False)


async def test_a_move_that_reached_the_process_in_time_counts(scene: Scene) -> None:
    """The same, but the move, a typed one, comes while there is sand: whenever the bot gets round
    to it, it counts first, and then the night is over.
    """
    await scene.lay(night(sand_is_turned), sand=3.0)
    ben, place = scene.world.players["Ben"], scene.evening.channel_id
    async with held_disk(scene) as (_, typed, ends):
        await until(ends - 0.5)
        in_time = asyncio.create_task(ben.slash(place, "act", {"choice": typed}))
        await until(ends + 0.7)
        assert not is_over(scene)
    reply = await in_time
    assert reply.acknowledged
    await scene.evening.up("again")
    entries = scene.disk.entries(scene.session)
    assert [one["seat"] for one in entries[-2:]] == [1, CLOCK]
    assert entries[-2]["interaction_id"] == reply.id
    await scene.all_is_well(last=False)


@pytest.mark.soak
async def test_a_process_that_slept_through_the_end_counts_no_click(scene: Scene) -> None:
    """The process stands still (as on a machine that swaps) while the last grain falls: a click
    made before that reaches it afterwards, and does not count.
    """
    await scene.lay(night(sand_is_turned), sand=3.0)
    ends = await start(scene) + 3.0
    table = scene.evening.live()
    assert scene.world.child is not None
    process = scene.world.child.process
    await until(ends - 0.6)
    process.send_signal(signal.SIGSTOP)
    click = asyncio.create_task(scene.evening.click("Ben", table, "act"))
    await until(ends + 0.6)
    process.send_signal(signal.SIGCONT)
    reply = await click
    await scene.evening.up("again")
    assert not scene.disk.was_counted(reply.id)
    assert scene.disk.entries(scene.session)[-1]["seat"] == CLOCK


@contextlib.asynccontextmanager
async def held_disk(scene: Scene) -> AsyncIterator[tuple[Shown, str, float]]:
    """Hold the database from 1.4 seconds before the sand ends, with a change of Cleo's waiting.

    The table, what Ben can type there, and when its sand will have run (monotonic).
    """
    ends = await start(scene) + 3.0
    table, place = scene.evening.live(), scene.evening.channel_id
    offered = await scene.world.players["Ben"].autocomplete(place, "act", "choice", "")
    question = await scene.world.players["Cleo"].slash(place, "leave")
    assert question.message is not None
    await until(ends - 1.4)
    with scene.disk.held():
        change = asyncio.create_task(scene.evening.click("Cleo", question.message, "leave_yes"))
        yield table, str(offered[0]["name"]), ends
    assert (await change).acknowledged
