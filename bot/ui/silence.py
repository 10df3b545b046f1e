"""What players are told in private where the bot cannot speak: why the table does not move.

What Discord's cache says of timeouts and permissions comes first, since it knows before anything
has failed; then what the publisher has met.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import discord

from bot.sessions.ports import Click

NEEDED: Final = ("view_channel", "send_messages")
NEEDED_IN_THREADS: Final = ("view_channel", "send_messages_in_threads")

_KEPT: Final = 1000


class Table(Protocol):
    """As much of a session as is needed here."""

    @property
    def id(self) -> int:
        """Its number."""
        ...

    @property
    def guild_id(self) -> int:
        """The server."""
        ...

    @property
    def channel_id(self) -> int:
        """The channel or thread."""
        ...


@dataclass(slots=True)
class Silence:
    """``client``'s cache, ``barred`` (Publisher.barred) and ``clock`` (monotonic, seconds)."""

    client: discord.Client | None = None
    barred: Callable[[int], str] = lambda _: ""
    clock: Callable[[], float] = lambda: 0.0
    _told: dict[tuple[int, int], float] = field(default_factory=dict[tuple[int, int], float])

    def told(self, table: Table) -> str:
        """The words for why nothing can be written at a table; empty if it can."""
        barred = self.barred(table.id)
        if barred == "thread":
            return "silence.thread"
        guild = self._guild(table)
        if guild is not None and guild.me is not None and guild.me.is_timed_out():
            return "silence.timed_out"
        if self.missing(table):
            return "silence.permission"
        return {"": "", "permission": "silence.other"}.get(barred, "silence.behind")

    def may_write(self, guild_id: int, channel_id: int) -> bool:
        """Whether a channel or thread can be written in, as far as the cache knows."""
        guild = None if self.client is None else self.client.get_guild(guild_id)
        if guild is None or guild.me is None:
            return True
        return not guild.me.is_timed_out() and not _lacking(guild, channel_id)

    def missing(self, table: Table) -> tuple[str, ...]:
        """The permissions to write there that the bot lacks, as far as the cache knows."""
        guild = self._guild(table)
        return () if guild is None else _lacking(guild, table.channel_id)

    def facts(self, table: Table, say: Callable[..., str]) -> dict[str, object]:
        """What fills the words."""
        names = [say(f"permissions.{name}") for name in self.missing(table)]
        return {"place": f"<#{table.channel_id}>", "permissions": ", ".join(names)}

    def is_news(self, click: Click, table: Table, seconds: float) -> bool:
        """Whether this person was not told within so many seconds; now they are."""
        now = self.clock()
        if len(self._told) > _KEPT:
            self._told = {key: at for key, at in self._told.items() if now - at < seconds}
        key = click.user_id, table.id
        last = self._told.get(key)
        if last is not None and now - last < seconds:
            return False
        self._told[key] = now
        return True

    def _guild(self, table: Table) -> discord.Guild | None:
        return None if self.client is None else self.client.get_guild(table.guild_id)


def _lacking(guild: discord.Guild, channel_id: int) -> tuple[str, ...]:
    """What is missing in a channel or thread of a server, as far as the cache knows."""
    place = guild.get_channel_or_thread(channel_id)
    if place is None or guild.me is None:
        return ()
    needed = NEEDED_IN_THREADS if isinstance(place, discord.Thread) else NEEDED
    try:
        mine = place.permissions_for(guild.me)
    except discord.ClientException:
        return ()
    lacks = tuple(name for name in needed if not getattr(mine, name))
    return lacks[:1] if "view_channel" in lacks else lacks
