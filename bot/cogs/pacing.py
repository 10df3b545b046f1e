"""/session pace: how long everybody at a table has for an answer, changed during the game."""

from __future__ import annotations

from typing import Any

from discord import app_commands

from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog
from bot.sessions.faces import Status
from bot.sessions.pace import PACES
from bot.ui.dispatcher import Interaction
from bot.ui.fitting import OPTION, fit_label
from bot.ui.ids import MENU_SIZE
from bot.ui.layout import Sheet

_PLAYED = (Status.LOBBY, Status.RUNNING, Status.PAUSED)


class Pacing(ModeratorCog):
    """The moderators' way; the host's is in the table's menu (cogs/absence.py)."""

    def command(self) -> app_commands.Command[Any, ..., Any]:
        """For the group of moderators' commands."""

        async def pace(interaction: Interaction, table: str, pace: str) -> None:
            await self.run(
                interaction, lambda press: self.set_pace(self.let_through(press), table, pace)
            )

        async def tables(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
            return self._tables(interaction.guild_id or 0, current)

        command: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name="pace", description="-", callback=pace
        )
        command.autocomplete("table")(tables)
        command.autocomplete("pace")(self._paces)
        return command

    def _tables(self, guild_id: int, typed: str) -> list[app_commands.Choice[str]]:
        found = [s for s in self.house.registry.in_guild(guild_id) if s.status in _PLAYED]
        names = [(self.house.name_of(session), session.code) for session in found]
        return [
            app_commands.Choice(name=fit_label(name, OPTION), value=code)
            for name, code in names
            if typed.casefold() in name.casefold()
        ][:MENU_SIZE]

    async def _paces(self, _: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        names = [(fit_label(self.house.say(f"pace.{one}"), OPTION), one) for one in PACES]
        return [
            app_commands.Choice(name=name, value=one)
            for name, one in names
            if typed.casefold() in name.casefold()
        ]

    async def set_pace(self, press: Press, code: str, value: str) -> Reply:
        """Change it, and tell the table."""
        session = await self.table(press, code)
        await session.set_pace(press.click, value)
        told = self.house.say("pace.changed", name=self.house.name_of(session))
        return Reply(Sheet().text(told).shown())
