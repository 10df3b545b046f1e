"""What happens on Discord around the tables: places and people that go away."""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord.ext import commands, tasks

from bot.cogs.base import NightCog
from bot.cogs.lobby import computer_name
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal
from bot.sessions.session import Session
from bot.ui.dispatcher import Dispatcher
from bot.ui.house import House

_log = logging.getLogger(__name__)

_EVERY = 120.0
_FETCHES = 20


class World(NightCog):
    """Tells the tables. Without the members intent nobody announces a leave, so it is looked up."""

    def __init__(self, house: House, dispatcher: Dispatcher, client: discord.Client) -> None:
        super().__init__(house, dispatcher)
        self.client = client

    async def cog_load(self) -> None:
        """Begin to look after people who were waited for and may have left."""
        self.look_for_missing.start()

    async def cog_unload(self) -> None:
        """Stop looking."""
        self.look_for_missing.cancel()

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel was deleted, and its threads with it."""
        await self.house.registry.channel_gone(channel.id)
        for session in self.house.registry.in_guild(channel.guild.id):
            if session.row.parent_id == channel.id:
                await self.house.registry.channel_gone(session.channel_id)

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread was deleted."""
        await self.house.registry.channel_gone(payload.thread_id)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Heard only if somebody grants the messages intent; a failed edit tells it otherwise."""
        await self.house.registry.message_gone(payload.channel_id, payload.message_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server. An outage is another event and changes nothing."""
        await self.house.registry.guild_gone(guild.id)

    @commands.Cog.listener()
    async def on_member_ban(self, guild: discord.Guild, user: discord.abc.User) -> None:
        """Somebody was banned: their seats go to computer players."""
        await self.gone(guild.id, user.id)

    async def gone(self, guild_id: int, user_id: int) -> None:
        """A person is not on the server any more."""
        for session in self.house.registry.of_user(user_id):
            if session.guild_id == guild_id:
                await self._give_up(session, user_id)

    async def _give_up(self, session: Session, user_id: int) -> None:
        now = discord.utils.utcnow()
        click = Click(
            user_id,
            "",
            discord.utils.time_snowflake(now) + user_id % (1 << 22),
            self.dispatcher.clock(),
        )
        try:
            if session.status is Status.LOBBY:
                await session.leave_lobby(click)
            else:
                await session.hand_over(click, name=computer_name(session))
        except Refusal as refusal:
            _log.info("table %s keeps an absent player: %s", session.code, refusal.problem)

    @tasks.loop(seconds=_EVERY)
    async def look_for_missing(self) -> None:
        """Ask Discord whether those who are waited for are still on the server."""
        try:
            await self._look()
        except (discord.DiscordException, OSError, Refusal) as error:
            _log.warning("looking for missing players: %s", type(error).__name__)

    async def _look(self) -> None:
        left = _FETCHES
        for session in self._running():
            snapshot = await session.snapshot()
            for seat in dict.fromkeys(one.seat for one in snapshot.waiting):
                user_id = snapshot.seats[seat].user_id
                if user_id is not None and left:
                    left -= 1
                    if await self._is_missing(session.guild_id, user_id):
                        await self.gone(session.guild_id, user_id)

    def _running(self) -> list[Session]:
        found: dict[int, Session] = {}
        for guild in self.client.guilds:
            for session in self.house.registry.in_guild(guild.id):
                if session.status is Status.RUNNING:
                    found[session.id] = session
        return list(found.values())

    async def _is_missing(self, guild_id: int, user_id: int) -> bool:
        guild: Any = self.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return False
        try:
            await guild.fetch_member(user_id)
        except discord.NotFound as error:
            return error.code == 10007
        return False
