"""Told to stop: SIGTERM and Ctrl-C, at every stage of a game and while Discord does not answer."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.offline.wire import Call, CannotAct, Reply
from tests.wire.evening import Evening
from tests.wire.harness import Harness
from tests.wire.line import Line
from tests.wire.playing import (
    QUIET,
    in_words,
    lay_lobby,
    lay_table,
    night,
    sand_is_turned,
    turn_is_played,
    vote_is_called,
)
from tests.wire.remains import (
    Births,
    Disk,
    check_ballots,
    check_counted,
    check_messages,
    check_table,
    glass_ends,
    published,
    staged,
)

STAGES = ("lobby", "turn", "vote", "hour")

#: Seconds in which a stop must be done: a container is given ten.
WITHIN = 8.0


async def ended(world: Harness, number: signal.Signals) -> int:
    """Send the signal and wait for the end: the exit code."""
    assert world.child is not None
    world.child.process.send_signal(number)
    async with asyncio.timeout(30):
        code = await world.child.process.wait()
    world.simulation.nobody_answers = True
    world.simulation.touch()
    return code


@dataclass
class House:
    """Four tables in one process, each at another stage."""

    world: Harness
    disk: Disk
    births: Births
    evenings: dict[str, Evening]
    sessions: dict[str, int]

    def live(self) -> dict[str, int]:
        """The live message of each table."""
        return {stage: self.evenings[stage].live().id for stage in STAGES}

    async def published(self) -> None:
        """Wait until nothing is owed at any table."""
        await published(self.world, self.disk, *self.sessions.values())

    async def stop(self, number: signal.Signals) -> tuple[int, float]:
        """Send the signal and wait for the end: the exit code, and how many seconds it took."""
        began = time.monotonic()
        code = await ended(self.world, number)
        return code, time.monotonic() - began

    def check_output(self) -> None:
        """Nothing was logged that an operator would have to look into."""
        assert not [line for line in self.world.output if "Traceback" in line or " ERROR " in line]

    def check(self) -> None:
        """At each table: what was acknowledged is there, nothing is doubled, nothing missing."""
        for stage in STAGES:
            check_counted(self.evenings[stage], self.disk, self.sessions[stage])
            check_messages(self.evenings[stage], self.births, self.disk, self.sessions[stage])
        check_ballots(self.evenings["vote"], self.disk.game(self.sessions["vote"]))


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """The four tables on the disk."""
    data = tmp_path / "data"
    data.mkdir()
    async with Harness(data, quiet=QUIET, channels=("table", *STAGES)) as world:
        in_words(world)
        sessions = {
            "lobby": await lay_lobby(world, channel="lobby"),
            "turn": await lay_table(world, night(turn_is_played), channel="turn"),
            "vote": await lay_table(world, night(vote_is_called), channel="vote"),
            "hour": await lay_table(world, night(sand_is_turned), channel="hour"),
        }
        evenings = {stage: Evening(world, stage) for stage in STAGES}
        yield House(world, Disk(data), Births(world), evenings, sessions)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["sigterm", "ctrl-c"])
async def test_a_stop_is_tidy_at_every_stage(
    house: House, tmp_path: Path, number: signal.Signals
) -> None:
    """Told to stop with a lobby, a turn, a vote and the hourglass open, while people click: exit 0
    within eight seconds, no acknowledged click is lost, the sand is stored, and the next start goes
    on with the same messages.
    """
    evenings, hour = house.evenings, house.sessions["hour"]
    await house.world.start_bot()
    await house.published()
    live = house.live()
    (letter,) = evenings["vote"].ballots("Ann")
    panel = await evenings["turn"].panel("Cleo")
    assert panel is not None
    marked = await evenings["vote"].mark("Ann", letter, 0, 0)
    assert marked.message is not None
    ends = glass_ends(evenings["hour"].live())
    assert ends is not None

    clicks = [
        asyncio.create_task(evenings["lobby"].click("Ben", evenings["lobby"].live(), "join")),
        asyncio.create_task(evenings["turn"].choose("Cleo", panel)),
        asyncio.create_task(evenings["vote"].vote("Ann", marked.message, shift=1)),
        asyncio.create_task(evenings["hour"].click("Ben", evenings["hour"].live(), "act")),
    ]
    await asyncio.sleep(0.02)
    code, took = await house.stop(number)
    replies = await asyncio.gather(*clicks, return_exceptions=True)
    assert (code, took < WITHIN) == (0, True)
    house.check_output()
    for reply in replies:
        if isinstance(reply, Reply):
            assert reply.acknowledged or not house.disk.was_counted(reply.id)
        else:  # the bot refused one mark of a ballot, so there was no other to click
            assert isinstance(reply, CannotAct)
    for stage in STAGES:
        check_counted(evenings[stage], house.disk, house.sessions[stage])
    left = house.disk.sand(hour)
    assert ends - time.time() - 1.0 <= left <= 300.0

    started = time.time()
    await house.world.start_bot()
    await house.world.until(lambda: glass_ends(evenings["hour"].live()) != ends)
    again = glass_ends(evenings["hour"].live())
    assert again is not None
    assert again >= started + left - 1.5
    await house.published()
    house.check()
    assert house.live() == live
    for stage in ("turn", "vote", "hour"):
        assert await evenings[stage].play(answers=1) == 1
    await evenings["lobby"].click("Cleo", evenings["lobby"].live(), "join")
    await house.published()
    house.check()
    assert (await house.stop(number))[0] == 0
    house.check_output()
    for stage in ("turn", "hour"):
        await check_table(evenings[stage], house.sessions[stage], tmp_path / stage)


async def test_a_stop_does_not_wait_for_ever_and_a_second_signal_hurries_it(
    tmp_path: Path,
) -> None:
    """While Discord takes messages and does not answer, a stop still ends with exit 0 within eight
    seconds; a second signal ends it at once; and nothing acknowledged is lost either way.
    """
    async with staged(tmp_path) as scene:
        world, silent = scene.world, True

        async def hook(stage: str, call: Call) -> None:
            child = world.child
            if stage == "before" and call.method == "PATCH" and "menu:" in str(call.body):
                await world.until(
                    lambda: not silent or child is not world.child or not (child and child.alive),
                    60.0,
                )

        await scene.lay(night(turn_is_played))
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        world.server.rest.hooks.append(hook)
        assert await scene.evening.play(answers=1) == 1
        await asyncio.sleep(1.2)
        began = time.monotonic()
        code = await ended(world, signal.SIGTERM)
        slow = time.monotonic() - began
        assert (code, slow < WITHIN) == (0, True)
        check_counted(scene.evening, scene.disk, scene.session)

        await world.start_bot()
        assert await scene.evening.play(answers=1) == 1
        await asyncio.sleep(0.7)
        began = time.monotonic()
        first = asyncio.create_task(ended(world, signal.SIGINT))
        await asyncio.sleep(0.3)
        await ended(world, signal.SIGINT)
        code, took = await first, time.monotonic() - began
        assert (code, took < WITHIN) == (0, True)
        assert took < slow
        silent = False
        check_counted(scene.evening, scene.disk, scene.session)


async def test_a_stop_ends_in_time_when_the_gateway_is_silent(house: House) -> None:
    """The connection stands and nothing passes: a stop still ends with exit 0 in eight seconds."""
    async with Line(house.world) as line:
        await house.world.start_bot()
        await house.published()
        line.freeze()
        code, took = await house.stop(signal.SIGTERM)
        assert (code, took < WITHIN) == (0, True), took
        house.check()
