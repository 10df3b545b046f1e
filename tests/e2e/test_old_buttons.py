"""Buttons that are old or look alike, and pictures that take too long."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.ui import channel
from bot.ui.layout import Attached
from tests.e2e.play import begin, pick, picks, world_of


@pytest.mark.parametrize("restarts", [False, True])
async def test_two_tables_of_one_game(tmp_path: Path, restarts: bool) -> None:
    """Clicks on the older and on the newer table by turns: each changes its own table only."""
    async with world_of(tmp_path, *picks(9)) as world:
        rooms = [world.channel, world.lounge]
        for room in rooms:
            world.channel = room
            await begin(world)
        if restarts:
            await world.restart()
        sessions = [world.bot.registry.in_channel(room.id) for room in rooms]
        counts = [0, 0]
        for turn in (0, 1, 0, 0, 1):
            world.channel = rooms[turn]
            await pick(world)
            counts[turn] += 1
            plies = [(await one.snapshot()).ply for one in sessions if one is not None]
            assert plies == counts


async def test_an_upload_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a few seconds a message goes without its picture, and is sent just once more."""
    monkeypatch.setattr(channel, "_UPLOAD", 0.05)
    tried: list[bool] = []

    async def send(picture: Attached | None) -> str:
        tried.append(picture is not None)
        await asyncio.sleep(25 if picture is not None else 0)
        return "sent"

    picture = Attached("board.png", b"png")
    assert await asyncio.wait_for(channel._with_or_without(picture, send), 20) == "sent"
    assert tried == [True, False]
