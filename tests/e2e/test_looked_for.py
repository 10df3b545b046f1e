"""A message that somebody deleted unheard comes back as soon as anybody looks for its table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.world import World, text


def delete_all(world: World) -> None:
    """What a moderator's bulk delete does; without the messages intent nobody tells the bot."""
    for message in world.messages():
        world.env.backend.delete_message(world.channel.id, message.id)


@pytest.mark.parametrize("command", ["act", "board", "log", "hand"])
async def test_a_deleted_table_comes_back_for_a_command(tmp_path: Path, command: str) -> None:
    """Whoever asks for the table by a command finds it posted afresh, with working buttons."""
    async with world_of(tmp_path, *picks(6)) as world:
        await begin(world)
        delete_all(world)
        await world.beat(3)
        assert not world.messages()
        await world.slash("Ann", command)
        await world.beat(3)
        await pick(world)
        assert text(world.live()).count("Ann chose one thing.") == 1


async def test_a_deleted_lobby_comes_back_for_whoever_wants_to_play(tmp_path: Path) -> None:
    """A second /play is refused with a link, and the lobby stands there again."""
    async with world_of(tmp_path, *picks(3)) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        delete_all(world)
        await world.slash("Ben", "play", game="script")
        await world.beat(3)
        await world.click("Ben", world.live(), "join")
        await world.beat()
        assert "2. Ben" in text(world.live())


async def test_looking_is_no_storm(tmp_path: Path) -> None:
    """Fifty commands in a row cost a few edits, not fifty."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        await world.beat(3)
        sent = len(world.env.http_requests)
        for _ in range(50):
            await world.slash("Ann", "act")
        await world.beat(3)
        edits: list[Any] = [r for r in world.env.http_requests[sent:] if r.method == "PATCH"]
        assert len(edits) <= 2
        assert controls(world.live(), "act")


async def test_a_full_server_still_shows_the_way_to_its_tables(tmp_path: Path) -> None:
    """Where no further table may be opened, /play still leads to the one that is there."""
    async with world_of(tmp_path, *picks(3)) as world:
        world.bot.registry.desk.servers.defaults = {
            **world.bot.registry.desk.servers.defaults,
            "tables": 1,
        }
        await world.slash("Ann", "play", game="script")
        await world.beat()
        lobby = world.live()
        refused = await world.slash("Ben", "play", game="script")
        assert str(lobby.id) in text(refused.response)
