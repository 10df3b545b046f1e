"""The place that a moderator names for a table, or that a table has had so far."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, Final

import aiohttp
import discord
from discord import app_commands

from bot.cogs.base import Press
from bot.sessions.ports import Refusal
from bot.ui.house import House

_NEEDED: Final = ("view_channel", "embed_links", "attach_files", "read_message_history")

_HIDDEN: Final = (discord.NotFound, discord.Forbidden, discord.InvalidData)

Where = discord.TextChannel | discord.Thread


class _AnyPlace(app_commands.Transformer):
    """An option for a text channel or a thread, as Discord names it.

    The library would refuse what its cache does not have, as all threads that are archived.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        """What Discord offers."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """Those in which a table can stand."""
        kinds = discord.ChannelType
        return [
            kinds.text,
            kinds.news,
            kinds.news_thread,
            kinds.private_thread,
            kinds.public_thread,
        ]

    async def transform(self, interaction: discord.Interaction, value: Any, /) -> Any:
        """As it came: Discord is asked later, by what answers in time."""
        return value


Named = app_commands.Transform[
    app_commands.AppCommandChannel | app_commands.AppCommandThread, _AnyPlace
]


async def found(named: Named | None) -> Where | None:
    """What a moderator has named, asked of Discord if the cache does not have it.

    Refusal ``place_unseen``, or ``not_read`` if Discord cannot tell now.
    """
    if named is None:
        return None
    place: object = named.resolve()
    try:
        place = place or await named.fetch()
    except _HIDDEN as error:
        raise Refusal("place_unseen") from error
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        raise Refusal("not_read") from error
    if not isinstance(place, discord.TextChannel | discord.Thread):
        raise Refusal("place_unseen")
    # Without a thread's channel nobody's permissions are known.
    if isinstance(place, discord.Thread) and place.parent is None:
        raise Refusal("place_unseen")
    return place


def is_shut(thread: discord.Thread, me: discord.Member | None) -> bool:
    """Whether the bot may neither write in a thread nor open it, as far as Discord tells."""
    if not thread.locked:
        return False
    try:
        return thread.archived or (me is not None and not thread.permissions_for(me).manage_threads)
    except discord.ClientException:
        return True


@contextlib.contextmanager
def naming_another() -> Iterator[None]:
    """Where a table is brought back and another one is there: say how to name another place."""
    try:
        yield
    except Refusal as refusal:
        if refusal.problem != "channel_taken":
            raise
        raise Refusal("restore_taken", **refusal.facts) from refusal


def check(house: House, press: Press, where: Where) -> None:
    """The moderator must be able to write there, and the bot to show a table there.

    Refusal ``no_place_there``, ``missing_permissions`` or ``place_shut``.
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
    if isinstance(where, discord.Thread) and is_shut(where, me):
        raise Refusal("place_shut", place=where.id)


async def is_there(press: Press, channel_id: int) -> bool:
    """Whether the server of a command has that channel or thread, as far as the bot can see."""
    guild = press.interaction.guild
    if guild is None:
        return False
    if guild.get_channel_or_thread(channel_id) is not None:
        return True
    try:
        await guild.fetch_channel(channel_id)
    except _HIDDEN:
        return False
    return True
