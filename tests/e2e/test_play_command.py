"""What Discord is told of /play when there are several games."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from discord import app_commands

from bot import titles
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.world import World, text


async def test_an_option_says_to_which_game_it_belongs(tmp_path: Path) -> None:
    """Every lobby option of every game is a parameter, described with its game's name; another
    game's option is refused in one sentence.
    """
    games = {
        key: dataclasses.replace(title, renderer=PlainPicture())
        for key, title in titles.load_all().items()
    }
    async with World(tmp_path, games) as world:
        play = world.bot.tree.get_command("play")
        assert isinstance(play, app_commands.Command)
        described = {one.name: str(one.description) for one in play.parameters}
        names = {key: title.content.words.say("game.name") for key, title in games.items()}
        for key, title in games.items():
            for option in title.game.options:
                assert names[key] in described[option.key]
        assert all(len(told) <= 100 for told in described.values())
        no = await world.slash("Ann", "play", game="fear_of_the_dark", hourglass="5")
        assert text(no.response) == (
            "That game has no such choice for hourglass. Its options: difficulty and lead."
        )
