"""Tables that have lost their place where no channel could be told: the next moderator is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.sessions import letters
from bot.sessions.registry import Registry
from bot.sessions.session import Session
from bot.sessions.upkeep import settle, tell_of_return

_WITHIN: Final = 5.0
"""Seconds in which a notice finds a channel that takes it, if there is one."""


async def invited_again(registry: Registry, guild_id: int) -> None:
    """The bot is on a server: tables that rest since it was removed from it are told of, once."""
    for session in registry.in_guild(guild_id):
        await tell_of_return(session)


def untold(registry: Registry, guild_id: int) -> Iterator[tuple[Session, str]]:
    """The tables of a server, each with the word of its notice."""
    since = registry.desk.time.epoch() - _WITHIN
    for session in registry.in_guild(guild_id):
        for row in session.messages.values():
            if letters.is_untold(session, row) and row.made_at < since:
                yield session, letters.NOTICES[row.question]


def told(session: Session) -> None:
    """A moderator is told of such a table: once is enough, also after a restart."""
    for row in list(session.messages.values()):
        if letters.is_untold(session, row):
            work = session.locked(lambda r=row: settle(session, r.serial), "told")
            session.desk.spawn(work, f"told {session.code}")
