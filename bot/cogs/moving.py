"""/session export and /session import: a game as a sealed file, and back again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, ClassVar, Final

import aiohttp
import discord
from discord import app_commands

from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog
from bot.cogs.settings import check_start
from bot.counted import counted
from bot.sessions import moving, servers
from bot.sessions.moderating import Place
from bot.sessions.ports import Refusal
from bot.sessions.sealing import MOST_SEALED, Seals
from bot.sessions.session import Session
from bot.ui.buttons import Style, button
from bot.ui.dispatcher import Dispatcher, Interaction
from bot.ui.fitting import OPTION, fit_label
from bot.ui.house import House
from bot.ui.ids import MENU_SIZE, Control
from bot.ui.layout import Attached, Sheet
from bot.ui.text import said

_log = logging.getLogger(__name__)

_DOWNLOAD: Final = 10.0
_NEEDED: Final = ("view_channel", "embed_links", "attach_files", "read_message_history")
_LOST: Final = (discord.DiscordException, aiohttp.ClientError, OSError, TimeoutError)


class Moving(ModeratorCog):
    """Games out and in."""

    verbs: ClassVar[Mapping[str, str]] = {"seat_again": "seat_again"}

    def __init__(self, house: House, dispatcher: Dispatcher) -> None:
        super().__init__(house, dispatcher)
        self.seals = Seals(house.registry.desk.store)

    def commands(self) -> list[app_commands.Command[Any, ..., Any]]:
        """The two commands, for the group of moderators' commands."""

        async def export(interaction: Interaction, table: str) -> None:
            await self.run(interaction, lambda press: self.export(self.let_through(press), table))

        async def bring_in(interaction: Interaction, file: discord.Attachment) -> None:
            await self.run(interaction, lambda press: self.bring_in(self.let_through(press), file))

        async def codes(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
            return await self._codes(interaction.guild_id or 0, current)

        out = app_commands.Command(name="export", description="-", callback=export)
        out.autocomplete("table")(codes)
        return [out, app_commands.Command(name="import", description="-", callback=bring_in)]

    async def _codes(self, guild_id: int, typed: str) -> list[app_commands.Choice[str]]:
        """The games of this server, those that go on first, then those that ended last."""
        registry = self.house.registry
        found = [
            (session.title.key, session.code)
            for session in registry.in_guild(guild_id)
            if session.row.header is not None
        ]
        found += [(one.game, one.code) for one in await registry.finished(guild_id, MENU_SIZE)]
        names = [
            (self.house.say("tables.name", game=self._game(game), code=code), code)
            for game, code in found
        ]
        return [
            app_commands.Choice(name=fit_label(name, OPTION), value=code)
            for name, code in names
            if typed.casefold() in name.casefold()
        ][:MENU_SIZE]

    def _game(self, key: str) -> str:
        return said(self.house.titles[key].content.words, "game.name")

    async def export(self, press: Press, code: str) -> Reply:
        """A game as a file, seen by whoever asks only, and readable by nobody."""
        session = await self.table(press, code)
        sealed = await moving.export(session, self.seals, press.click)
        attached = Attached(f"table-{session.code}.nightwatch", sealed)
        told = self.house.say("moving.exported", name=self.house.name_of(session), days=moving.DAYS)
        return Reply(Sheet().text(told).attach(attached).attachment(attached.name).shown())

    async def bring_in(self, press: Press, file: discord.Attachment) -> Reply:
        """A game out of a file, into this channel."""
        guild_id, channel = press.interaction.guild_id or 0, press.interaction.channel
        try:
            moved = await self._read(file)
            if not moved.is_over:
                self._check_place(press)
            parent = channel.parent_id if isinstance(channel, discord.Thread) else None
            where = servers.Place(guild_id, press.interaction.channel_id or 0, parent)
            names = self._names(moved)
            async with self.house.registry.desk.servers.opening(guild_id):
                if not moved.is_over:
                    await check_start(self.house, press, where)
                place = Place(where.channel_id, parent)
                session = await moving.bring_in(
                    self.house.registry, press.click, moved, guild_id, place, names
                )
        except Refusal as refusal:
            _log.info(
                "server %d: a file of %s is not brought in: %s",
                guild_id, counted(file.size, "byte"), refusal.problem,
            )  # fmt: skip
            raise
        return await self._came(press, session)

    async def _read(self, file: discord.Attachment) -> moving.Moved:
        if file.size > MOST_SEALED:
            raise Refusal("file_too_big", most=MOST_SEALED // 1024**2)
        try:
            sealed = await asyncio.wait_for(file.read(), _DOWNLOAD)
        except _LOST as error:
            raise Refusal("file_not_read") from error
        return await moving.read(self.seals, sealed, self.house.registry.desk.time.epoch())

    def _check_place(self, press: Press) -> None:
        """What a table needs is there before anything is written."""
        in_thread = isinstance(press.interaction.channel, discord.Thread)
        allowed = press.interaction.app_permissions
        needed = (*_NEEDED, "send_messages_in_threads" if in_thread else "send_messages")
        missing = [name for name in needed if not getattr(allowed, name)]
        if missing:
            names = tuple(self.house.say(f"permissions.{name}") for name in missing)
            raise Refusal("missing_permissions", permissions=names)

    def _names(self, moved: moving.Moved) -> list[str]:
        """A name for a computer player at each seat, none of which anybody there has had."""
        taken = {row.name for row in moved.seats}
        names: list[str] = []
        number = 0
        while len(names) < len(moved.seats):
            path = f"lobby.computer_names.{number}"
            has_more = self.house.words.has(path)
            name = said(self.house.words, path) if has_more else f"{number}"
            if name not in taken:
                names.append(name)
            number += 1
        return names

    async def _came(self, press: Press, session: Session) -> Reply:
        say = self.house.say
        name = self.house.name_of(session)
        if session.is_over:
            return self.house.note("moving.came_over", name=name, code=session.code)
        sheet = Sheet().text(say("moving.came", name=name))
        before = moving.sat_before(session)
        if before:
            lines = [
                say("moving.sat", number=seat + 1, who=f"<@{user}>")
                for seat, user in before.items()
            ]
            sheet.text("\n".join([say("moving.who"), *(f"- {line}" for line in lines)]), 1500)
            key = await self.key(press)
            control = Control("seat_again", session.id, key=key)
            sheet.row(button(control, say("buttons.seat_again"), Style.primary))
        return Reply(sheet.shown())

    async def seat_again(self, press: Press) -> Reply:
        """Confirmed: those who sat there before, and are on this server, sit there again."""
        session = self.clicked(press)
        press = await self.again(press, session.guild_id)
        guild = press.interaction.guild
        names: dict[int, str] = {}
        for user in moving.sat_before(session).values():
            if guild is None:
                break
            try:
                member = guild.get_member(user) or await guild.fetch_member(user)
            except discord.NotFound:
                continue
            if not member.bot:
                names[user] = member.display_name
        count = await moving.seat_again(session, press.click, names)
        told = self.house.say("moving.seated", name=self.house.name_of(session), count=count)
        return Reply(Sheet().text(told).shown(), here=True)
