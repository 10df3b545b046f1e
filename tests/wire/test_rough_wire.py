"""Rate limits and uploads that fail, with the real bot over real HTTP."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from aiohttp import web

from bot import titles
from bot.offline.wire import Call, RateLimit, Shown
from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import QUIET
from tests.wire.remains import Births, Disk, check_messages, published

LIMIT = RateLimit(5, 5.0)
MOVES = 40


def is_edit(call: Call, evening: Evening) -> bool:
    """Whether a call brings one of the channel's messages up to date."""
    place = f"/channels/{evening.channel_id}/messages/"
    return call.method == "PATCH" and call.path.startswith(place)


@pytest.mark.parametrize(
    "game",
    [titles.KEYS[0], *(pytest.param(one, marks=pytest.mark.soak) for one in titles.KEYS[1:])],
)
async def test_many_moves_against_the_limit(tmp_path: Path, game: str) -> None:
    """NET-01: five edits in five seconds are allowed, and forty moves are made in ten: no move
    waits for the limit, edits are merged, the bot is never told to slow down, and when the limit
    allows an edit again the newest board stands there, and none of those in between.
    """
    async with Harness(tmp_path, quiet=QUIET, limit=LIMIT) as world:
        births, disk, evening = Births(world), Disk(tmp_path), Evening(world)
        await world.start_bot()
        await world.players["Ann"].slash(evening.channel_id, "play", {"game": game})
        await evening.click("Ann", await evening.up("start"), "start")
        await evening.up("menu")
        (row,) = disk.rows("SELECT * FROM session")
        waits: list[float] = []
        panel: Shown | None = None
        began = time.monotonic()
        for number in range(MOVES):
            await asyncio.sleep(max(0.0, began + number * 10 / MOVES - time.monotonic()))
            if panel is None or not controls(panel, "act", "draft"):
                panel = await evening.panel("Ann")
            assert panel is not None
            asked = time.monotonic()
            reply = await evening.choose("Ann", panel)
            waits.append(time.monotonic() - asked)
            assert reply is not None
            assert reply.text.startswith("Counted")
            panel = reply.message
        done = time.monotonic()
        await published(world, disk, row["id"])
        assert max(waits) < 2.5, max(waits)
        assert disk.session(row["id"])["ply"] >= MOVES
        edits = [one.at for one in world.server.rest.log.calls if is_edit(one, evening)]
        assert len([at for at in edits if at > began]) < MOVES / 2
        # What was on its way, the newest, and one for a page that was turned.
        assert len([at for at in edits if at > done]) <= 3
        assert world.server.rest.buckets.refused == 0
        check_messages(evening, births, disk, row["id"])


@pytest.mark.parametrize("game", titles.KEYS)
@pytest.mark.parametrize("seconds", [None, 7.0, pytest.param(25.0, marks=pytest.mark.soak)])
async def test_uploads_that_never_arrive(tmp_path: Path, game: str, seconds: float | None) -> None:
    """NET-14: uploads take longer than anybody waits, or (None) end in 500 however often they are
    tried: the table stands there in words soon, can be played, and never stands
    there twice, not even when the slow upload arrives at last; the picture comes later.
    """
    async with Harness(tmp_path, quiet=QUIET) as world:
        disk, evening = Disk(tmp_path), Evening(world)
        failing = True

        async def hook(stage: str, call: Call) -> None:
            if failing and stage == "before" and call.files and call.path.startswith("/channels"):
                if seconds is None:
                    raise web.HTTPInternalServerError
                await asyncio.sleep(seconds)

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
        await asyncio.sleep(max(0.0, began + (seconds or 7.0) + 1.5 - time.monotonic()))
        tables = [one for one in evening.public() if controls(one, "menu")]
        assert len(tables) == 1
        failing = False
        await evening.move("Ann")
        await published(world, disk, row["id"])
        tables = [one for one in evening.public() if controls(one, "menu")]
        assert len(tables) == 1
