"""For moderators: /session list, restore and end. The table's host may end it, too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui.buttons import Style, button
from bot.ui.fitting import OPTION, fit_label
from bot.ui.house import message_link
from bot.ui.ids import Control
from bot.ui.layout import Sheet

_LISTED = 25


class SessionAdmin(NightCog):
    """What needs "Manage Server"; Discord hides it from everybody else."""

    verbs: ClassVar[Mapping[str, str]] = {"end": "open_end", "end_yes": "end_now"}

    session = app_commands.Group(
        name="session",
        description="-",
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )

    @session.command(name="list", description="-")
    async def list_command(self, interaction: discord.Interaction) -> None:
        """All tables of this server, also those that have stopped."""
        await self.run(interaction, self.list_tables)

    @session.command(name="restore", description="-")
    async def restore_command(self, interaction: discord.Interaction, table: str) -> None:
        """Bring a stopped table back."""
        await self.run(interaction, lambda press: self.restore(press, table))

    @session.command(name="end", description="-")
    async def end_command(self, interaction: discord.Interaction, table: str) -> None:
        """End a table without a result, after a second confirmation."""
        await self.run(interaction, lambda press: self.end(press, table))

    @restore_command.autocomplete("table")
    @end_command.autocomplete("table")
    async def _codes(
        self, interaction: discord.Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The tables of this server."""
        found = self.house.registry.in_guild(interaction.guild_id or 0)
        names = [(f"{self.house.name_of(s)}, {self._status(s)}", s.code) for s in found]
        return [
            app_commands.Choice(name=fit_label(name, OPTION), value=code)
            for name, code in names
            if current.casefold() in name.casefold()
        ][:_LISTED]

    def _status(self, session: Session) -> str:
        return self.house.say(f"status.{session.status.value}")

    def _guild(self, press: Press) -> int:
        """The server that is managed from here."""
        if press.interaction.guild_id is None:
            raise Refusal("server_command")
        if not press.click.may_manage:
            raise Refusal("only_moderators")
        return press.interaction.guild_id

    def _table(self, press: Press, code: str) -> Session:
        """A table of this server by its code, for a moderator."""
        for session in self.house.registry.in_guild(self._guild(press)):
            if session.code == code.strip().upper():
                return session
        raise Refusal("no_such_code")

    async def list_tables(self, press: Press) -> Reply:
        """What there is, where, and how it stands."""
        found = self.house.registry.in_guild(self._guild(press))
        sheet = Sheet().text(f"## {self.house.say('tables.heading')}")
        lines = [self._line(session) for session in found[:_LISTED]]
        return Reply(sheet.text("\n".join(lines) or self.house.say("tables.none"), 3400).shown())

    def _line(self, session: Session) -> str:
        place = session.live_message or (session.channel_id, None)
        return self.house.say(
            "session.line",
            name=self.house.name_of(session),
            status=self._status(session),
            count=len(session.seats),
            ply=session.row.ply,
            reference=session.crash_reference or "",
            link=message_link(session.guild_id, *place),
        )

    async def restore(self, press: Press, code: str) -> Reply:
        """Rebuild a crashed or orphaned table from its journal and post it again."""
        session = self._table(press, code)
        await session.restore(press.click)
        return self.house.note("session.restored", name=self.house.name_of(session))

    async def end(self, press: Press, code: str) -> Reply:
        """Ask for the second confirmation."""
        return self._ask(self._table(press, code))

    def _ask(self, session: Session) -> Reply:
        told = self.house.say("session.confirm", name=self.house.name_of(session))
        yes = button(
            Control("end_yes", session.id), self.house.say("buttons.end_yes"), Style.danger
        )
        no = button(Control("never_mind", session.id), self.house.say("buttons.never_mind"))
        return Reply(Sheet().text(told).row(yes, no).shown())

    async def open_end(self, press: Press) -> Reply:
        """The button "End the game" in the table's menu."""
        session = self.clicked(press)
        session.check_host(press.click)
        if session.is_over:
            raise Refusal("game_over")
        return self._ask(session)

    async def end_now(self, press: Press) -> Reply:
        """Confirmed."""
        session = self.clicked(press)
        if session.status is Status.LOBBY:
            await session.cancel(press.click)
        else:
            await session.end(press.click)
        told = self.house.say("session.ended", name=self.house.name_of(session))
        return Reply(Sheet().text(told).shown(), here=True)
