"""/verify: the promise, the secret and the public record of a game that is over."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions import history
from bot.sessions.ports import Refusal
from bot.sessions.record import dump
from bot.ui.fitting import OPTION, fit_label
from bot.ui.house import message_link
from bot.ui.layout import Attached, Sheet
from bot.ui.text import said

_LISTED = 25
_LOOKED_AT = 100


class Fairness(NightCog):
    """Anybody on the server may check any game that was played there."""

    @app_commands.command(name="verify", description="-")
    @app_commands.guild_only()
    async def verify_command(
        self, interaction: discord.Interaction, table: str | None = None
    ) -> None:
        """Check the dice of a game that is over."""
        await self.run(interaction, lambda press: self.verify(press, table))

    @verify_command.autocomplete("table")
    async def _codes(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The games of this server that are over, the latest first."""
        found = await self.house.registry.finished(interaction.guild_id or 0, _LOOKED_AT)
        names = [(self._name(table.game, table.code), table) for table in found]
        return [
            app_commands.Choice(
                name=fit_label(f"{name}, {', '.join(table.seats)}", OPTION), value=table.code
            )
            for name, table in names
            if current.casefold() in f"{name}, {', '.join(table.seats)}".casefold()
        ][:_LISTED]

    def _name(self, game: str, code: str) -> str:
        words = self.house.titles[game].content.words
        return self.house.say("tables.name", game=said(words, "game.name"), code=code)

    async def verify(self, press: Press, code: str | None) -> Reply:
        """The promise, the secret, and the file."""
        guild_id, channel_id = press.interaction.guild_id, press.interaction.channel_id
        if guild_id is None or channel_id is None:
            raise Refusal("server_command")
        registry = self.house.registry
        if code:
            session = await history.by_code(registry, guild_id, code)
        else:
            session = await history.newest_in(registry, channel_id)
        record = await session.public_record()
        head, say = record["header"], self.house.say
        place = session.pledge_message
        link = message_link(guild_id, *place) if place else ""
        sheet = Sheet().text(say("verify.heading", name=self.house.name_of(session)), 300)
        sheet.text(say("verify.pledge", link=link), 300)
        sheet.text(say("verify.secret", secret=head["secret"], hash=head["pledge"]), 600)
        sheet.text(say("verify.how"), 600)
        attached = Attached(f"record-{session.code}.json", dump(record).encode())
        sheet.attach(attached).attachment(attached.name)
        return Reply(sheet.text(say("verify.digest", digest=record["digest"]), 200).shown())
