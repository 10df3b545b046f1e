"""What happens on Discord around the tables: places that go away. People: members.py."""

from __future__ import annotations

import discord
from discord.ext import commands

from bot.cogs.base import NightCog


class World(NightCog):
    """Tells the tables."""

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
