"""The place that a moderator names for a table, or that a table has had so far."""

from __future__ import annotations

from typing import Final

import discord

from bot.cogs.base import Press
from bot.sessions.ports import Refusal
from bot.ui.house import House

_NEEDED: Final = ("view_channel", "embed_links", "attach_files", "read_message_history")

Where = discord.TextChannel | discord.Thread


def check(house: House, press: Press, where: Where) -> None:
    """The moderator must be able to write there, and the bot to show a table there.

    Refusal ``no_place_there`` or ``missing_permissions``.
    """
    write = "send_messages_in_threads" if isinstance(where, discord.Thread) else "send_messages"
    member = press.interaction.user
    theirs = where.permissions_for(member) if isinstance(member, discord.Member) else None
    if theirs is None or not (theirs.view_channel and getattr(theirs, write)):
        raise Refusal("no_place_there")
    me: discord.Member | None = where.guild.me  # None while a server is only half known
    mine = discord.Permissions.all() if me is None else where.permissions_for(me)
    missing = [name for name in (*_NEEDED, write) if not getattr(mine, name)]
    if missing:
        names = tuple(house.say(f"permissions.{name}") for name in missing)
        raise Refusal("missing_permissions", permissions=names)


async def is_there(press: Press, channel_id: int) -> bool:
    """Whether the server of a command has that channel or thread, as far as the bot can see."""
    guild = press.interaction.guild
    if guild is None:
        return False
    if guild.get_channel_or_thread(channel_id) is not None:
        return True
    try:
        await guild.fetch_channel(channel_id)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return False
    return True
