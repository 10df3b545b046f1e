"""The process that plays on Discord: a checked start, and a stop in good order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Final

import aiohttp
import discord
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import health, titles
from bot.app import Nightwatch
from bot.config import Settings
from bot.exporter import serve
from bot.sessions.desk import SystemTime
from bot.sessions.retention import Retention
from bot.stopping import Stop
from bot.store.db import SqliteStore, open_store
from bot.store.protocol import StoreError, StoreUnusable
from bot.titles import Title
from bot.tools.backup_schedule import Schedule
from bot.ui.rulebook import ROOT, Rulebook
from content.words import Words, load_folder

_log = logging.getLogger(__name__)

CLOSING: Final = 6.5
"""Seconds for a stop, of the ten that a container is given."""

PARTING: Final = 1.5
"""Seconds for the connection to Discord to end."""


def main(settings: Settings) -> int:
    """Play on Discord until told to stop; the exit status. ContentError for broken content.

    Content and data are checked before signing in: a fault there costs no login.
    """
    # No table needs a voice; discord.py would warn about it at each start.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    games = titles.load_all()
    words = load_folder(ROOT / "common")
    rulebook = Rulebook.load(games)
    try:
        return asyncio.run(_online(settings, games, words, rulebook))
    except StoreUnusable as error:
        _log.critical("%s", error)
        return 1


async def _online(
    settings: Settings, games: Mapping[str, Title], words: Words, rulebook: Rulebook
) -> int:
    stop = Stop()
    async with await open_store(settings.data_dir) as store:
        status = 0
        if not stop.asked.is_set():
            stop.is_open = True
            status = await _with(store, settings, games, words, rulebook, stop)
    return stop.leave(status)


async def _with(
    store: SqliteStore,
    settings: Settings,
    games: Mapping[str, Title],
    words: Words,
    rulebook: Rulebook,
    stop: Stop,
) -> int:
    hours, keep = settings.backup_hours, settings.backup_keep
    backups = Schedule(store, settings.data_dir, games, hours, keep)
    hush: Callable[[], None] = lambda: None  # noqa: E731 - replaced where metrics are wanted
    try:
        backups.start()
        if settings.discord_api:
            Route.BASE = settings.discord_api
        if settings.discord_gateway:
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(settings.discord_gateway)
        bot = Nightwatch(
            games,
            words,
            rulebook,
            store,
            SystemTime(),
            dev_guild_id=settings.dev_guild_id,
            heartbeat=settings.data_dir / health.HEARTBEAT,
            backups=backups,
            retention=Retention(settings.retention_days, settings.left_server_days),
        )
        if settings.metrics_port is not None:
            hush = serve(bot.metrics, settings.metrics_host, settings.metrics_port)
        return await _until_stopped(bot, settings.token or "", stop)
    finally:
        await asyncio.to_thread(hush)
        await backups.stop()


async def _until_stopped(bot: Nightwatch, token: str, stop: Stop) -> int:
    """Run until a signal comes or Discord will have us no longer."""
    running = asyncio.create_task(bot.start(token), name="bot")
    stopping = asyncio.create_task(stop.asked.wait(), name="stop")
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    asked = stop.asked.is_set()
    if asked:
        _log.info("stopping")
        await _shut_down(bot, stop.hurry)
    stopping.cancel()
    parting = asyncio.create_task(_part(bot, running), name="parting")
    await asyncio.wait({parting}, timeout=PARTING)
    if not parting.done():
        _log.warning("ended while Discord was still being reached")
        stop.is_stuck = True
    return 0 if asked else _why(await parting)


async def _part(bot: Nightwatch, running: asyncio.Task[None]) -> BaseException | None:
    """End the connection to Discord; why it ended by itself, if it did.

    While it reconnects, discord.py takes no notice of being cancelled. Closing wakes it up.
    """
    running.cancel()
    if not bot.is_closed():
        await bot.close()
    (result,) = await asyncio.gather(running, return_exceptions=True)
    return result


async def _shut_down(bot: Nightwatch, hurry: asyncio.Event) -> None:
    """Stop in good order; a second signal, or too long a wait, cuts it short."""
    closing = asyncio.create_task(bot.shut_down(), name="shut down")
    hurried = asyncio.create_task(hurry.wait(), name="hurry")
    await asyncio.wait({closing, hurried}, timeout=CLOSING, return_when=asyncio.FIRST_COMPLETED)
    hurried.cancel()
    if not closing.done():
        _log.warning("stopped before everything was published")
        closing.cancel()
    (result,) = await asyncio.gather(closing, return_exceptions=True)
    if isinstance(result, Exception):
        _log.error("stopping failed", exc_info=result)


def _why(result: BaseException | None) -> int:
    """One line on why the bot ended by itself, and the exit status."""
    match result:
        case discord.LoginFailure():
            _log.critical("Discord refused the token: check DISCORD_TOKEN")
            return 2
        case discord.PrivilegedIntentsRequired() | discord.ConnectionClosed(code=4013 | 4014):
            _log.critical("Discord refused the intents; the bot needs none that are privileged")
            return 2
        case (
            discord.HTTPException() | aiohttp.ClientError() | OSError() | discord.GatewayNotFound()
        ):
            _log.critical("Discord cannot be reached: %s", result)
            return 1
        case StoreError():
            _log.critical("%s", result)
            return 1
        case None:
            _log.critical("the connection to Discord has ended")
            return 1
        case _:
            _log.critical("the bot has failed", exc_info=result)
            return 1
