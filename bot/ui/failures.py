"""Discord's errors by the names that the sessions know (bot.sessions.ports)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import aiohttp
import discord

from bot.sessions.ports import (
    ChannelError,
    DirectMessagesClosed,
    EditLimit,
    MessageGone,
    NotAllowed,
    PlaceGone,
    ThreadShut,
    Unreachable,
)

_log = logging.getLogger(__name__)

T = TypeVar("T")

MISSING_PERMISSION: Final = 50013

_NAMED: Final[dict[int, type[ChannelError]]] = {
    10008: MessageGone,  # unknown message
    30046: EditLimit,  # too many edits of a message older than an hour
    10003: PlaceGone,  # unknown channel
    10004: PlaceGone,  # unknown guild
    50001: PlaceGone,  # missing access
    MISSING_PERMISSION: NotAllowed,
    50083: ThreadShut,  # the thread is archived
    160005: ThreadShut,  # the thread is locked
    160006: NotAllowed,  # too many active threads
    200000: NotAllowed,  # the server's own filter
    50007: DirectMessagesClosed,
    50278: DirectMessagesClosed,  # no server in common
    40003: Unreachable,  # direct messages opened too fast
    20028: Unreachable,  # writing too fast in this channel
    20029: Unreachable,  # writing too fast in this server
}


async def translated(call: Callable[[], Awaitable[T]]) -> T:
    """The call's result, or one of the named failures."""
    try:
        return await call()
    except discord.HTTPException as error:
        raise named(error) from error
    except (aiohttp.ClientError, OSError, TimeoutError, discord.DiscordException) as error:
        raise Unreachable(type(error).__name__) from error


def named(error: discord.HTTPException) -> ChannelError:
    """The failure that an answer of Discord's means."""
    kind = _NAMED.get(error.code)
    if error.status >= 500 or (kind is None and error.status in (401, 429)):
        kind = Unreachable
    if kind is None and error.status == 403:
        kind = NotAllowed
    if kind is None and error.status == 404:
        kind = PlaceGone
    if kind is None:
        _log.error("Discord refused a message: %s", error)
        kind = Unreachable
    return kind(f"{error.status} {error.code}")
