"""Private panels that stand open when their game ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import begin, controls, pick, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, labels, parts, text

ONE = Question("pick", 3, seats=(0,))


async def opened(world: World, name: str) -> list[Any]:
    """Ballot, hand and the table's menu, as somebody has them open."""
    live = world.live()
    panel = (await world.click(name, live, "panel")).response
    hand = (await world.slash(name, "hand")).response
    menu = (await world.click(name, live, "menu")).response
    assert controls(panel, "draft")
    assert controls(hand, "act")
    return [panel, hand, menu]


async def end(world: World) -> None:
    """Ann, the host, ends the game."""
    menu = (await world.click("Ann", world.live(), "menu")).response
    asked = (await world.click("Ann", menu, "end")).response
    await world.click("Ann", asked, "end_yes")
    await world.beat()


async def test_they_lose_their_controls_at_once(tmp_path: Path) -> None:
    """Everybody's, also where a panel was used meanwhile; the table's own message stays what it is,
    and what still makes sense in the table's menu can be pressed.
    """
    async with world_of(tmp_path, ONE, BALLOT, ONE) as world:
        await begin(world, "script", "Ben")
        await pick(world)
        panel, hand, menu = await opened(world, "Ben")
        first = controls(panel, "draft")[0]
        await world.select("Ben", panel, first.options[:1], custom_id=first.custom_id)
        (anns, *_) = await opened(world, "Ann")
        await end(world)
        for message in (panel, hand, anns):
            assert parts(message) == []
            assert text(message) == "This game is over."
        assert "Log" in labels(menu)
        assert "What happened" in text((await world.click("Ben", menu, "log")).response)
        assert "was ended without a result" in [text(m) for m in world.messages()][-1]


async def test_a_panel_of_a_game_that_goes_on_is_left_alone(tmp_path: Path) -> None:
    """Another table's end is nothing to it."""
    async with world_of(tmp_path, ONE, BALLOT, ONE) as world:
        await begin(world, "script", "Ben")
        await pick(world)
        panel, _, _ = await opened(world, "Ben")
        result = await world["Cleo"].slash(world.lounge, "play", game="script")
        await world.beat()
        lobby = world.live(world.lounge)
        await world.click("Cleo", lobby, "start")
        await world.beat()
        assert result.acknowledged
        menu = (await world.click("Cleo", world.live(world.lounge), "menu")).response
        asked = (await world.click("Cleo", menu, "end")).response
        await world.click("Cleo", asked, "end_yes")
        await world.beat()
        assert controls(panel, "draft")


@pytest.mark.parametrize("restarts", [False, True])
async def test_later_a_press_takes_them_away(tmp_path: Path, restarts: bool) -> None:
    """After a quarter of an hour, or a restart, the bot cannot edit a panel by itself: whoever
    presses it reads that the game is over, and the controls are gone.
    """
    async with world_of(tmp_path, ONE, BALLOT, ONE) as world:
        await begin(world, "script", "Ben", pace="none")
        await pick(world)
        panel, hand, _ = await opened(world, "Ben")
        if restarts:
            await world.restart()
        else:
            await world.beat(1000)
        await end(world)
        if restarts:
            await world.restart()
        assert controls(panel, "draft")
        part = controls(panel, "draft")[0]
        await world.select("Ben", panel, part.options[:1], custom_id=part.custom_id)
        await world.press("Ben", hand, controls(hand, "act")[0].custom_id)
        for message in (panel, hand):
            assert parts(message) == []
            assert text(message)
            assert "my fault" not in text(message)


@pytest.mark.parametrize("verb", ["panel", "hand"])
async def test_the_tables_own_message_is_never_replaced(tmp_path: Path, verb: str) -> None:
    """An old button on the public message answers in private, as ever."""
    async with world_of(tmp_path, ONE, BALLOT, ONE) as world:
        await begin(world, "script", "Ben")
        await pick(world)
        live = world.live()
        old = controls(live, verb)[0].custom_id
        await end(world)
        before = [text(message) for message in world.messages()]
        refused = await world.forge("Ben", live, old)
        assert refused.response.ephemeral
        assert text(refused.response) == "This game is over."
        assert [text(message) for message in world.messages()] == before
