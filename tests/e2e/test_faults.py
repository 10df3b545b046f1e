"""What a slow or full disk and our own mistakes do to a click: it is always answered."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from bot.store.protocol import StoreBusy
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.world import text


async def test_a_slow_disk_gets_a_receipt_first(tmp_path: Path) -> None:
    """The commit takes longer than Discord waits: a bare receipt goes out in time, the answer
    follows, and the move counts once.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        panel = await world.slash("Ann", "act")
        button = controls(panel.response, "act")[0].custom_id
        await world.beat(3)
        commit = world.store.commit

        async def slow(write: Any) -> None:
            await asyncio.sleep(2.2)
            await commit(write)

        world.store.commit = slow
        began = time.perf_counter()
        try:
            result = await world.press("Ann", panel.response, button)
        finally:
            world.store.commit = commit
        assert time.perf_counter() - began > 2
        assert result.deferred
        assert "Counted: Thing 1." in text(panel.response)
        await world.beat()
        assert text(world.live()).count("Ann chose one thing.") == 1


async def test_a_full_disk(tmp_path: Path) -> None:
    """A move that cannot be saved does not count, says so, and can be made again."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        commit = world.store.commit

        async def full(write: Any) -> None:
            raise StoreBusy("full")

        world.store.commit = full
        table = world.live()
        result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(result.response).startswith("That could not be saved")
        world.store.commit = commit
        await world.beat(5)
        await pick(world)
        assert text(world.live()).count("Ann chose one thing.") == 1


async def test_our_own_fault_has_a_reference(tmp_path: Path, caplog: Any) -> None:
    """An unexpected error becomes a sentence with a reference that the log has, too."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)

        async def broken(*_: Any) -> None:
            raise RuntimeError("a bug")

        session: Any = world.bot.registry.in_channel(world.channel.id)
        session.answer = broken
        result = await world.press("Ann", world.live(), controls(world.live(), "act")[0].custom_id)
        said = text(result.response)
        assert "it is my fault" in said
        reference = said.partition("(Reference ")[2].partition(")")[0]
        (record,) = [r for r in caplog.records if reference in r.getMessage()]
        assert record.exc_info is not None
        del session.answer
        await world.beat()
        await pick(world)
        assert "Ann chose one thing." in text(world.live())


async def test_a_picture_that_cannot_be_drawn(tmp_path: Path) -> None:
    """A fault in the renderer costs the picture, not the table."""
    async with world_of(tmp_path, *picks(3)) as world:
        title = world.titles["script"]

        def broken(*_: Any) -> bytes:
            raise ValueError("no paint")

        renderer: Any = title.renderer
        renderer.draw = broken
        renderer.alt_text = broken
        await begin(world)
        assert world.live().attachments == []
        await pick(world)
        assert "Ann chose one thing." in text(world.live())
        board = await world.slash("Ann", "board")
        assert "+---+" in text(board.response)


async def test_a_click_while_the_bot_stops(tmp_path: Path) -> None:
    """It is answered, and does not count."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        await world.bot.registry.close()
        table = world.live()
        result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(result.response).startswith("I am about to restart")


async def test_a_receipt_for_a_slow_command(tmp_path: Path) -> None:
    """A command whose work takes long gets its answer in place of the receipt."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        pictures: Any = world.bot.house.pictures
        board = pictures.board

        async def slow(*given: Any) -> Any:
            await asyncio.sleep(2.5)
            return await board(*given)

        pictures.board = slow
        sent = len(world.env.http_requests)
        result = await world.slash("Ann", "board")
        mine = ("/interactions/", "/webhooks/")
        requests = [r for r in world.env.http_requests[sent:] if r.path.startswith(mine)]
        receipt, answer = requests
        assert receipt.json == {"type": 5, "data": {"flags": 64}}
        assert (answer.method, answer.path[:10]) == ("PATCH", "/webhooks/")
        assert "The Script" in text(result.response)
        assert len(result.response.attachments) == 1
        assert result.response.ephemeral


@pytest.mark.parametrize(("status", "code"), [(400, 40060), (404, 10062), (502, 0)])
async def test_an_answer_that_discord_does_not_take(
    tmp_path: Path, caplog: Any, status: int, code: int
) -> None:
    """Answered already, too late, or a hiccup: the move counts once, and nothing is made of it."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        world.env.inject_error("POST", "/interactions/*/callback", status=status, code=code)
        table = world.live()
        button = controls(table, "act")[0].custom_id
        await world["Ann"].click(table, custom_id=button)
        await world.beat()
        assert text(world.live()).count("Ann chose one thing.") == 1
        assert not [r for r in caplog.records if r.levelname == "ERROR"]
