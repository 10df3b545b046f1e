"""The connection to Discord is lost in the middle of a game, and what Discord knows of commands."""

from __future__ import annotations

import asyncio
import signal
import time
from pathlib import Path

import pytest

from tests.wire.evening import Evening
from tests.wire.harness import Harness
from tests.wire.line import Line
from tests.wire.playing import (
    QUIET,
    in_words,
    lay_table,
    night,
    sand_is_turned,
    vote_is_called,
)
from tests.wire.remains import (
    Births,
    Disk,
    check_ballots,
    check_counted,
    check_messages,
    glass_ends,
    published,
)

#: Seconds for which the line is cut.
AWAY = 1.5


async def test_a_lost_connection_costs_nothing(tmp_path: Path) -> None:
    """Cut off for a while during a vote and in the last hour, first so that the bot can resume,
    then so that it must identify anew: the same buttons go on, nothing is sent anew, and no sand
    has fallen meanwhile.
    """
    async with (
        Harness(tmp_path, quiet=QUIET, channels=("table", "hour")) as world,
        Line(world) as line,
    ):
        in_words(world)
        births, disk = Births(world), Disk(tmp_path)
        vote, hour = Evening(world), Evening(world, "hour")
        sessions = (
            await lay_table(world, night(vote_is_called)),
            await lay_table(world, night(sand_is_turned), channel="hour"),
        )
        await world.start_bot()
        await published(world, disk, *sessions)
        before = [evening.live() for evening in (vote, hour)]
        posts = world.calls["POST /channels/{id}/messages"]
        for token, forget in enumerate((False, True)):
            (letter,) = vote.ballots("Ann")
            ends = glass_ends(hour.live())
            assert ends is not None
            cut_at = time.monotonic()
            line.hold()
            await world.server.gateway.drop(forget=forget)
            await asyncio.sleep(AWAY)
            line.mend()
            await world.server.connected()
            away = time.monotonic() - cut_at
            await world.until(lambda ends=ends: glass_ends(hour.live()) != ends)
            again = glass_ends(hour.live())
            assert again is not None
            assert again - ends >= away - 1.5
            gateway = world.server.gateway
            assert (gateway.resumes, gateway.identifies) == (1, 2 if forget else 1)

            assert (await vote.mark("Ann", letter, token, token)).kind == "update"
            assert await hour.play(answers=1) == 1
            await published(world, disk, *sessions)
        assert [evening.live().id for evening in (vote, hour)] == [one.id for one in before]
        assert world.calls["POST /channels/{id}/messages"] == posts
        for evening, session in zip((vote, hour), sessions, strict=True):
            check_counted(evening, disk, session)
            check_messages(evening, births, disk, session)
        check_ballots(vote, disk.game(sessions[0]))
        assert not [line for line in world.output if " ERROR bot." in line]


@pytest.mark.parametrize("signals", [1, 2])
@pytest.mark.parametrize("forget", [False, True], ids=["resuming", "anew"])
async def test_a_stop_while_discord_does_not_answer(
    tmp_path: Path, forget: bool, signals: int
) -> None:
    """The line is lost, and Discord takes new connections and stays silent: a stop ends the process
    with 0 within the ten seconds that a container is given, also if it is asked for twice.
    """
    async with Harness(tmp_path) as world, Line(world) as line:
        await world.start_bot()
        line.hold()
        await world.server.gateway.drop(forget=forget)
        await world.until(lambda: line.waits)
        child = world.child
        assert child is not None
        for _ in range(signals):
            child.process.send_signal(signal.SIGTERM)
            await asyncio.sleep(0.02)
        async with asyncio.timeout(10):
            assert await child.process.wait() == 0


async def test_commands_are_registered_once_and_offered_once(tmp_path: Path) -> None:
    """A development server gets its commands at once; without DEV_GUILD_ID they become global and
    leave the server; nothing is ever offered twice, and unchanged code registers nothing again.
    """
    async with Harness(tmp_path, quiet=QUIET) as world:
        ann, table = world.players["Ann"], world.channels["table"]
        to_all, to_one = (
            "PUT /applications/{id}/commands",
            "PUT /applications/{id}/guilds/{id}/commands",
        )
        world.extra_env["DEV_GUILD_ID"] = str(world.guild_id)
        seen: list[tuple[int, int]] = []
        names: list[list[str]] = []
        for life in range(3):
            if life == 1:
                del world.extra_env["DEV_GUILD_ID"]
            await world.start_bot()
            seen.append((world.calls[to_all], world.calls[to_one]))
            visible = world.simulation.backend.visible_commands(user_id=ann.id, channel_id=table)
            names.append(sorted(one["name"] for one in visible))
            await world.kill_bot()
        assert seen == [(0, 1), (1, 2), (1, 2)]
        assert all(one == names[0] for one in names)
        assert len(set(names[0])) == len(names[0]) > 10
