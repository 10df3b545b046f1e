"""A small bot with one of everything that the simulated Discord must carry. Run as a script."""

from __future__ import annotations

import asyncio
import io
import os
import re
from typing import Any, Self

import discord
import yarl
from discord import app_commands, ui
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route
from PIL import Image

Route.BASE = os.environ["DISCORD_API"]
DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(os.environ["DISCORD_GATEWAY"])


def picture(number: int) -> discord.File:
    """A picture that differs with the number."""
    data = io.BytesIO()
    Image.new("RGB", (320, 180), (40, 60 + number * 20 % 190, 90)).save(data, "PNG")
    data.seek(0)
    return discord.File(data, "board.png", description=f"A board showing {number}")


class Count(ui.DynamicItem[ui.Button[Any]], template=r"count:(?P<number>\d+)"):
    def __init__(self, number: int) -> None:
        super().__init__(ui.Button(label="Count", custom_id=f"count:{number}"))
        self.number = number

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        _item: ui.Item[Any],
        match: re.Match[str],
        /,
    ) -> Self:
        return cls(int(match["number"]))

    async def callback(self, interaction: discord.Interaction) -> None:
        board = Board(self.number + 1)
        await interaction.response.edit_message(view=board, attachments=[picture(board.number)])


class Whisper(ui.DynamicItem[ui.Button[Any]], template=r"whisper"):
    def __init__(self) -> None:
        super().__init__(ui.Button(label="Whisper", custom_id="whisper"))

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        _item: ui.Item[Any],
        _match: re.Match[str],
        /,
    ) -> Self:
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"only {interaction.user.mention}", ephemeral=True)
        await interaction.user.send("a letter", view=dm_view())


class Pick(ui.DynamicItem[ui.Select[Any]], template=r"pick"):
    def __init__(self) -> None:
        options = [discord.SelectOption(label=name.title(), value=name) for name in ("ash", "oak")]
        super().__init__(ui.Select(custom_id="pick", placeholder="Pick a tree", options=options))

    @classmethod
    async def from_custom_id(
        cls,
        _interaction: discord.Interaction,
        _item: ui.Item[Any],
        _match: re.Match[str],
        /,
    ) -> Self:
        return cls()

    async def callback(self, interaction: discord.Interaction) -> None:
        assert isinstance(interaction.data, dict)
        values = interaction.data.get("values", [])
        await interaction.response.send_message(f"picked {values[0]}", ephemeral=True)


def row(*items: ui.Item[Any]) -> ui.ActionRow[Any]:
    """Dynamic items side by side; the constructor's types do not take them."""
    made: ui.ActionRow[Any] = ui.ActionRow()
    for item in items:
        made.add_item(item)
    return made


class Board(ui.LayoutView):
    def __init__(self, number: int) -> None:
        super().__init__(timeout=None)
        self.number = number
        gallery = ui.MediaGallery()
        gallery.add_item(media="attachment://board.png", description=f"A board showing {number}")
        self.add_item(
            ui.Container(
                ui.TextDisplay(f"## Board\nnumber **{number}**"),
                gallery,
                ui.Separator(),
                row(Count(number), Whisper()),
                row(Pick()),
            )
        )


def dm_view() -> ui.View:
    """The one button of a letter."""
    view = ui.View(timeout=None)
    view.add_item(Whisper())
    return view


class Form(ui.Modal, title="A form"):
    word = ui.Label(text="A word", component=ui.TextInput(custom_id="word", max_length=20))
    tree = ui.Label(
        text="A tree",
        component=ui.Select(
            custom_id="tree", options=[discord.SelectOption(label="Oak", value="oak")]
        ),
    )

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.word.component, ui.TextInput)
        assert isinstance(self.tree.component, ui.Select)
        answer = f"{self.word.component.value} {self.tree.component.values[0]}"
        await interaction.response.send_message(answer, ephemeral=True)


bot = commands.AutoShardedBot(commands.when_mentioned, intents=discord.Intents(guilds=True))


@bot.tree.command(description="Post the board")
async def board(interaction: discord.Interaction) -> None:
    """A message with a picture, buttons and a menu."""
    await interaction.response.send_message("here it comes", ephemeral=True)
    assert isinstance(interaction.channel, discord.TextChannel)
    await interaction.channel.send(view=Board(0), file=picture(0))


@bot.tree.command(description="Fill in a form")
async def form(interaction: discord.Interaction) -> None:
    """A form with a text and a menu."""
    await interaction.response.send_modal(Form())


@bot.tree.command(description="Say something")
@app_commands.describe(word="what to say", loud="whether to shout")
async def say(interaction: discord.Interaction, word: str, loud: bool = False) -> None:
    """A deferred answer."""
    await interaction.response.defer(ephemeral=True)
    await interaction.followup.send(word.upper() if loud else word)


@say.autocomplete("word")
async def words(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
    """Three words to choose from."""
    return [
        app_commands.Choice(name=word.title(), value=word)
        for word in ("dawn", "dusk", "night")
        if word.startswith(typed)
    ]


@bot.tree.command(description="Send several messages")
async def flood(interaction: discord.Interaction, number: int) -> None:
    """More messages than the rate limit lets pass at once."""
    await interaction.response.send_message("now", ephemeral=True)
    assert isinstance(interaction.channel, discord.TextChannel)
    await asyncio.gather(*(interaction.channel.send(f"message {n}") for n in range(number)))


@bot.tree.command(description="Send the same message twice")
async def twice(interaction: discord.Interaction) -> None:
    """One nonce, two sends."""
    await interaction.response.send_message("now", ephemeral=True)
    assert isinstance(interaction.channel, discord.TextChannel)
    sent = [await interaction.channel.send("once only", nonce="table-1") for _ in range(2)]
    await interaction.followup.send(str(sent[0].id == sent[1].id), ephemeral=True)


@bot.tree.command(description="Fail in a way of your choice")
async def fail(interaction: discord.Interaction, how: str) -> None:
    """What Discord refuses, or a sudden death."""
    try:
        if how == "followup":
            await interaction.followup.send("too early")
        elif how == "large":
            big = discord.File(io.BytesIO(bytes(10 * 1024 * 1024 + 1)), "big.bin")
            await interaction.response.send_message(file=big)
        elif how == "bytes":
            view = ui.LayoutView(timeout=None)
            view.add_item(ui.TextDisplay("\N{FULL MOON SYMBOL}" * 3000))
            await interaction.response.send_message(view=view)
        elif how == "exit":
            os._exit(3)
    except discord.HTTPException as error:
        await interaction.response.send_message(f"{error.status} {error.code}", ephemeral=True)


@bot.event
async def setup_hook() -> None:
    """Buttons of earlier runs work; commands are registered."""
    bot.add_dynamic_items(Count, Whisper, Pick)
    await bot.tree.sync()


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"])
