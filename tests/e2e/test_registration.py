"""How the commands are registered and described, and what they say where there is no table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import world_of
from tests.e2e.script import Question
from tests.e2e.world import text

PICKS = [Question("pick", 3, seats=(n % 2,)) for n in range(2)]


async def test_commands_are_registered_once(tmp_path: Path) -> None:
    """Restarts with unchanged code write nothing, though Discord fills in defaults."""
    async with world_of(tmp_path, *PICKS) as world:
        for _ in range(3):
            await world.restart()
        writes = [r for r in world.env.http_requests if r.method == "PUT" and "commands" in r.path]
        assert len(writes) == 1


async def test_a_development_server_leaves_no_doubles(tmp_path: Path) -> None:
    """Commands move between the server's scope and the global one, and are offered once."""
    async with world_of(tmp_path, *PICKS) as world:
        names = sorted(world["Ann"].available_commands(world.channel))
        for scope in (world.guild.id, None, world.guild.id):
            world.options["dev_guild_id"] = scope
            await world.restart()
            application = world.env.backend.application_id
            everywhere = await world.bot.http.get_global_commands(application)
            here = await world.bot.http.get_guild_commands(application, world.guild.id)
            assert bool(everywhere) is (scope is None)
            assert bool(here) is (scope is not None)
            assert sorted(world["Ann"].available_commands(world.channel)) == names


@pytest.mark.parametrize("old", ["renamed", "moved", "other option"])
async def test_an_older_form_of_a_command(tmp_path: Path, caplog: Any, old: str) -> None:
    """INT-19: Discord still offers a command of another name, one that has no group yet, or one
    whose option was called otherwise: the player is told to wait, and reads no more than that;
    the log says in one line how to mend it, and is no traceback. A start mends it.
    """
    async with world_of(tmp_path, *PICKS) as world:
        application = world.env.backend.application_id
        known: list[Any] = [one.to_dict(world.bot.tree) for one in world.bot.tree.get_commands()]
        play = next(one for one in known if one["name"] == "play")
        given: dict[str, Any] = {}
        if old == "other option":
            called = "play"
            options = [
                {**one, "name": "title"} if one["name"] == "game" else one
                for one in play["options"]
            ]
            given = {"title": "script"}
        else:
            called = "cast" if old == "renamed" else "session"
            options = []
        older = [one for one in known if one["name"] != called]
        older += [{**play, "name": called, "options": options}]
        await world.bot.http.bulk_upsert_global_commands(application, older)
        result = await world.slash("Ann", called, **given)
        assert text(result.response).startswith("My commands are being updated.")
        assert "Reference" not in text(result.response)
        assert "Traceback" not in text(result.response)
        assert world.bot.registry.live() == ()
        (line,) = [r for r in caplog.records if r.levelname in ("WARNING", "ERROR")]
        assert "restart to register" in line.getMessage()
        assert line.exc_info is None
        assert len(world.env.errors) == 1  # the simulation counts what the bot has dealt with
        await world.restart()
        again: Any = await world.bot.http.get_global_commands(application)
        assert sorted(one["name"] for one in again) == sorted(one["name"] for one in known)
        opened = await world.slash("Ann", "play", game="script")
        assert "is open in" in text(opened.response)


async def test_every_command_says_what_it_does(tmp_path: Path) -> None:
    """No command or parameter is registered without words."""
    async with world_of(tmp_path, *PICKS) as world:
        application = world.env.backend.application_id
        waiting: list[Any] = [*await world.bot.http.get_global_commands(application)]
        count = 0
        while waiting:
            one = waiting.pop()
            waiting += one.get("options", ())
            count += 1
            assert len(one["description"]) > 3, one
            assert one["description"][0].isupper(), one
        assert count > 20


async def test_autocomplete_without_a_table(tmp_path: Path) -> None:
    """Nothing is offered, and nothing breaks."""
    async with world_of(tmp_path, *PICKS) as world:
        assert await world["Ann"].autocomplete(world.channel, "act", "choice", "x") == []


@pytest.mark.parametrize("command", ["history", "session list"])
async def test_lists_in_an_empty_server(tmp_path: Path, command: str) -> None:
    """They say that there is nothing yet."""
    async with world_of(tmp_path, *PICKS) as world:
        result = await world.owner.slash(world.channel, command)
        assert text(result.response).count("\n") == 1
