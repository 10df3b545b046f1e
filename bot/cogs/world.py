"""What happens on Discord around the tables: places that go away. People: members.py."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import discord
from discord.ext import commands

from bot.cogs.base import NightCog
from bot.sessions import losses, reopening
from bot.sessions.faces import Status
from bot.ui.dispatcher import Dispatcher
from bot.ui.house import House

_ASKED = 50
"""So many places are asked for after a start; the others are found out when they are used."""


class World(NightCog):
    """Tells the tables."""

    def __init__(self, house: House, dispatcher: Dispatcher, client: discord.Client) -> None:
        super().__init__(house, dispatcher)
        self.client = client

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """What happened while nobody could tell us is found out now.

        What the cache does not have is asked for: only a plain no makes a table rest. It has the
        threads that are open.
        """
        for guild in self.client.guilds:
            await self._look_over(guild)
        left = _ASKED
        for session in self.house.registry.live():
            guild = self.client.get_guild(session.guild_id)
            known = guild is not None and (
                guild.unavailable or guild.get_channel_or_thread(session.channel_id) is not None
            )
            if known or not left or session.status is Status.ORPHANED:
                continue
            left -= 1
            channel_id = session.channel_id
            if not await _is_gone(lambda place=channel_id: self.client.fetch_channel(place)):
                continue
            if guild is None:
                await self.house.registry.guild_gone(session.guild_id)
            else:
                await self.house.registry.channel_gone(channel_id)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server came late, or is back from an outage: its open threads are known now."""
        await self._look_over(guild)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        await self._look_over(guild)

    async def _look_over(self, guild: discord.Guild) -> None:
        if guild.unavailable:
            return
        await losses.invited_again(self.house.registry, guild.id)
        for session in self.house.registry.in_guild(guild.id):
            thread = guild.get_thread(session.channel_id) if session.is_shut_out else None
            if thread is not None and not thread.archived and not thread.locked:
                await self._opened(thread.id)

    async def _opened(self, thread_id: int) -> None:
        """A thread can be written in: the tables that wait for it go on."""
        # Those that have ended too: their controls may still stand there.
        for session in self.house.registry.everything():
            self.house.registry.publisher.opened(session, thread_id)
            if session.channel_id == thread_id:
                await reopening.go_on(session)

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
    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread was changed: perhaps it can be written in again."""
        meta = payload.data.get("thread_metadata", {})
        if not meta.get("archived") and not meta.get("locked"):
            await self._opened(payload.thread_id)

    @commands.Cog.listener()
    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Heard only if somebody grants the messages intent; a failed edit tells it otherwise."""
        await self.house.registry.message_gone(payload.channel_id, payload.message_id)

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was removed from a server. An outage is another event and changes nothing."""
        await self.house.registry.guild_gone(guild.id)


async def _is_gone(fetch: Callable[[], Awaitable[object]]) -> bool:
    """Whether Discord says that there is no such place, or none that we may see."""
    try:
        await fetch()
    except (discord.NotFound, discord.Forbidden):
        return True
    except (discord.DiscordException, OSError):
        return False
    return False
