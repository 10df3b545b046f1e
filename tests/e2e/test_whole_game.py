"""One game of Escape the Night from /play to the story, by clicks alone, with a restart inside."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.sessions.faces import SeatLook
from bot.sessions.ports import Refusal
from tests.e2e.world import NAMES, Part, World, find, labels, parts, text

GAME = "escape_the_night"


class Hands:
    """Four people at their clients: they see messages, and click what these show."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.rng = random.Random(seed)
        self.clicks = 0

    async def step(self) -> None:
        """Whoever is waited for does the next thing; who that is, is read at the table."""
        session = self.world.bot.registry.in_channel(self.world.channel.id)
        assert session is not None
        snapshot = await session.snapshot()
        waiting = snapshot.waiting
        assert waiting, "the game is not over, and nobody is waited for"
        seat = self.rng.choice(waiting).seat
        name = NAMES[seat]
        table = self.world.live()
        acts = [part for part in parts(table) if part.custom_id.split(":")[2] == "act"]
        self.clicks += 1
        if acts and any(d.seat == seat for d in snapshot.public_asked):
            await self._choose(name, table, acts)
        else:
            await self._in_panel(name, table)
        await self.world.beat()

    async def _choose(self, name: str, message: Any, acts: Sequence[Part]) -> Any:
        part = self.rng.choice(acts)
        if not part.options:
            return await self.world.press(name, message, part.custom_id)
        values = self.rng.sample(part.options, max(1, part.least))
        return await self.world.select(name, message, values, custom_id=part.custom_id)

    async def _in_panel(self, name: str, table: Any) -> None:
        result = await self.world.click(name, table, "panel")
        panel = result.response
        assert panel is not None
        assert panel.ephemeral
        drafts = [p for p in parts(panel) if p.custom_id.split(":")[2] == "draft"]
        if not drafts:
            acts = [p for p in parts(panel) if p.custom_id.split(":")[2] == "act"]
            await self._choose(name, panel, acts)
            return
        first = self.rng.randrange(3)
        for index, part in enumerate(drafts):
            value = part.options[(first + index) % len(part.options)]
            await self.world.select(name, panel, [value], custom_id=part.custom_id)
        panel = result.response
        cast = find(panel, "cast")
        done = await self.world.press(name, panel, cast.custom_id)
        assert "Counted" in text(done.response)


@pytest.mark.timeout(240)
async def test_a_whole_game_by_clicks(world: World, tmp_path: Path) -> None:
    """Every question of the game can be answered through what the messages show; the bot is
    restarted twice on the way, and the buttons from before still work. Its record can be checked.
    """
    async with world:
        await _whole_game(world, tmp_path / "record.json")


def verified_by_tool(path: Path, body: str) -> bool:
    """Whether `python -m bot verify` finds nothing wrong with a file."""
    path.write_text(body, encoding="utf-8")
    return main(["verify", str(path)]) == 0


async def _whole_game(world: World, record: Path) -> None:
    await world.slash("Ann", "play", game=GAME, hourglass="untimed")
    await world.beat()
    lobby = world.live()
    for name in NAMES[1:]:
        await world.click(name, lobby, "join")
    await world.beat()
    await world.click("Ann", world.live(), "start")
    await world.beat()
    hands = Hands(world, 7)
    restarts = [25, 60]
    while world.bot.registry.in_channel(world.channel.id) is not None:
        await hands.step()
        if restarts and hands.clicks >= restarts[0]:
            restarts.pop(0)
            before = world.live()
            await world.restart()
            assert world.live().id == before.id
        assert hands.clicks < 1200
    assert not restarts
    await world.beat()

    closing = world.live()
    assert labels(closing) == ["Play again", "Story"]
    assert "you have" in text(closing)
    assert len(closing.attachments) == 1
    assert "The secret of the dice was" in text(closing)
    earlier = world.messages()[:-1]
    assert all(not parts(message) for message in earlier)

    story = (await world.click("Dan", closing, "story")).response
    assert story is not None
    (attached,) = story.attachments
    assert attached.filename.startswith("story-")
    assert attached.size > 2000

    verified = (await world.slash("Dan", "verify")).response
    assert verified is not None
    (attached,) = verified.attachments
    body = (world.env.backend.cdn.get(attached.url) or b"").decode()
    assert verified_by_tool(record, body)
    assert not [word for name in NAMES for word in (name, str(world[name].id)) if word in body]

    history = (await world.slash("Ben", "history")).response
    assert "Escape the Night" in text(history)

    await world.click("Ben", closing, "again")
    await world.beat()
    again = world.live()
    assert "Counted in turns" in text(again)
    assert all(name in text(again) for name in NAMES)
    assert "Ben (host)" in text(again)


async def test_every_decision_has_words(world: World, caplog: Any) -> None:
    """Nothing that Escape the Night asks or tells is without words: no warning is logged."""
    async with world:
        await _many_moves(world)
    assert [r.message for r in caplog.records if r.message.startswith(("words:", "no words"))] == []


async def _many_moves(world: World) -> None:
    await world.slash("Ann", "play", game=GAME)
    await world.beat()
    for _ in range(3):
        await world.click("Ann", world.live(), "add_computer")
        await world.beat()
    await world.click("Ann", world.live(), "start")
    await world.beat()
    hands = Hands(world, 3)
    for _ in range(12):
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        try:
            look: SeatLook | None = await session.look(world["Ann"].id)
        except Refusal:
            look = None
        if look is not None and look.asked:
            await hands.step()
        else:
            await world.beat(3)
