"""Rate limits and uploads that fail, with the real bot over real HTTP."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from aiohttp import web

from bot import titles
from bot.offline.wire import Call, RateLimit
from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import (
    QUIET,
    lay_table,
    night,
    turn_is_played,
)
from tests.wire.remains import Births, Disk, check_messages, published

LIMIT = RateLimit(5, 5.0)


async def test_many_moves_against_the_limit(tmp_path: Path) -> None:
    """Five edits in five seconds are allowed, and people play as fast as they can: no move waits
    for the limit, edits are merged, the bot is hardly ever told to slow down, and the newest board
    stands there soon after the limit allows it.
    """
    async with Harness(tmp_path, quiet=QUIET, limit=LIMIT) as world:
        births, disk, evening = Births(world), Disk(tmp_path), Evening(world)
        session = await lay_table(world, night(turn_is_played))
        await world.start_bot()
        await published(world, disk, session)
        waits: list[float] = []
        began = time.monotonic()
        given = 0
        while given < 30 and time.monotonic() - began < 20:
            for name in ("Ann", "Ben", "Cleo"):
                asked = time.monotonic()
                panel = await evening.panel(name)
                waits.append(time.monotonic() - asked)
                if panel is None or not controls(panel, "act", "draft"):
                    continue
                asked = time.monotonic()
                reply = await evening.choose(name, panel)
                if reply is not None and not controls(panel, "draft"):
                    waits.append(time.monotonic() - asked)
                given += 1
        took = time.monotonic() - began
        done = time.monotonic()
        await published(world, disk, session)
        assert given >= 10
        assert max(waits) < 2.5, max(waits)
        place = f"/channels/{evening.channel_id}/messages"
        writes = [
            one
            for one in world.server.rest.log.calls
            if one.at > began and one.path.startswith(place) and one.method in ("PATCH", "POST")
        ]
        assert len(writes) < 2 * (took + 12) + 10
        assert world.server.rest.buckets.refused <= 2
        assert time.monotonic() - done < 2 * LIMIT.seconds + 20
        check_messages(evening, births, disk, session)


@pytest.mark.parametrize("game", titles.KEYS)
@pytest.mark.parametrize("how", ["slow", "500"])
async def test_uploads_that_never_arrive(tmp_path: Path, game: str, how: str) -> None:
    """Uploads take longer than anybody waits, or end in 500 however often they are tried: the table
    stands there in words soon, can be played, and never stands there twice, not even when the slow
    upload arrives at last.
    """
    async with Harness(tmp_path, quiet=QUIET) as world:
        disk, evening = Disk(tmp_path), Evening(world)
        failing = True

        async def hook(stage: str, call: Call) -> None:
            if failing and stage == "before" and call.files and call.path.startswith("/channels"):
                if how == "500":
                    raise web.HTTPInternalServerError
                await asyncio.sleep(7.0)

        await world.start_bot()
        await world.players["Ann"].slash(evening.channel_id, "play", {"game": game})
        lobby = await evening.up("start")
        world.server.rest.hooks.append(hook)
        began = time.monotonic()
        await evening.click("Ann", lobby, "start")
        table = await evening.up("menu")
        uploads = [one.at for one in world.server.rest.log.calls if one.files and one.at > began]
        assert time.monotonic() - uploads[0] < 6.5
        assert not table.pictures
        (row,) = disk.rows("SELECT * FROM session")
        reply = await evening.move("Ann")
        assert reply is not None
        assert reply.text.startswith("Counted")
        await asyncio.sleep(max(0.0, began + 8.5 - time.monotonic()))
        tables = [one for one in evening.public() if controls(one, "menu")]
        assert len(tables) == 1
        failing = False
        await evening.move("Ann")
        await published(world, disk, row["id"])
        tables = [one for one in evening.public() if controls(one, "menu")]
        assert len(tables) == 1
