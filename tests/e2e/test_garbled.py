"""What people are told where rows of the database are garbled: one sentence, and the rest."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from bot.sessions.servers import KEYS
from bot.store.opening import DATABASE_NAME
from tests.e2e.moderating import press
from tests.e2e.test_settings import play, settings, small
from tests.e2e.world import text


def garble(folder: Path, *statements: str) -> None:
    """Change the database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as found, found:
        for statement in statements:
            assert found.execute(statement).rowcount != 0


@pytest.mark.parametrize("stored", ["{", "[1]", '{"tables": "three", "pace": "fast"}'])
async def test_garbled_settings_are_said_and_can_be_set_anew(tmp_path: Path, stored: str) -> None:
    """RPL-09: the installation's hold, so that games go on starting; whoever looks is told, and
    the next choice mends it, for good.
    """
    async with small(tmp_path) as world:
        sound = await settings(world, tables=3, pace="live")
        assert "cannot read" not in sound
        garble(tmp_path, f"UPDATE server SET settings = '{stored}'")
        await world.restart()
        told = await settings(world)
        assert "I cannot read any more" in told
        assert told.count("(as I was set up)") == len(KEYS)
        assert "cannot" not in await play(world)
        assert "I cannot read" not in await settings(world, tables=4, pace="days")
        await world.restart()
        told = await settings(world)
        assert told.count("(chosen here)") == 2
        assert "I cannot read" not in told


async def test_garbled_settings_can_be_reset(tmp_path: Path) -> None:
    """Going back to the installation's, which hold already, mends the row as well."""
    async with small(tmp_path) as world:
        await settings(world, tables=3)
        garble(tmp_path, "UPDATE server SET settings = '{'")
        await world.restart()
        for how in ({"reset": "all"}, {}):
            told = await settings(world, **how)
            assert told.count("(as I was set up)") == len(KEYS)
            assert "I cannot read" not in told
            await world.restart()


@pytest.mark.parametrize(
    "change", ["facts = '{'", "facts = '[[1]]'", "facts = CAST(x'7bff7d' AS TEXT)"]
)
async def test_a_garbled_line_of_the_log(tmp_path: Path, change: str) -> None:
    """RPL-09: the log shows when and by whom, says that the rest cannot be read, and goes on with
    the other lines.
    """
    async with small(tmp_path) as world:
        await settings(world, tables=3)
        await settings(world, tables=4)
        await settings(world, tables=5)
        garble(
            tmp_path,
            "DROP TRIGGER act_is_never_changed",
            f"UPDATE act SET {change} WHERE id = (SELECT min(id) + 1 FROM act)",
        )
        told = text((await world.slash("Olga", "session log")).response)
        lines = [line for line in told.splitlines() if line.startswith("- ")]
        assert len(lines) == 3
        assert "what it was, I cannot read any more" in lines[1]
        assert str(world.owner.id) in lines[1]
        assert "5" in lines[0]
        assert "cannot read" not in lines[0] + lines[2]


async def test_a_table_whose_game_is_not_known(tmp_path: Path) -> None:
    """It is listed as such; `/play` in its channel is told of it, and a moderator ends it after a
    question: then the channel is free.
    """
    async with small(tmp_path) as world:
        world.players.setdefault("Olga", world.owner)
        assert "cannot" not in await play(world)
        (code,) = [session.code for session in world.bot.registry.live()]
        garble(tmp_path, "UPDATE session SET game = 'old_game'")
        await world.restart()
        listed = text((await world.slash("Olga", "session list")).response)
        assert f"**Old game · {code}**" in listed
        assert "a game that I do not have in this version" in listed
        refused = await play(world)
        assert code in refused
        assert "/session end" in refused
        asked = (await world.slash("Olga", "session end", table=code)).response
        assert f"Old game · {code}" in text(asked)
        assert asked is not None
        ended = await press(world, asked, "end_yes")
        assert f"Old game · {code} is ended" in text(ended)
        assert code not in text((await world.slash("Olga", "session list")).response)
        assert "end" not in await play(world)
        assert len(world.bot.registry.live()) == 1
