"""The bot itself: everything is put together here, started, and stopped in good order."""

from __future__ import annotations

import asyncio
import logging
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import aiohttp
import discord
import yarl
from discord import app_commands
from discord.ext import commands, tasks
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot import health, titles
from bot.cogs.absence import Absence
from bot.cogs.doctor import Doctor
from bot.cogs.fairness import Fairness
from bot.cogs.lobby import Lobby
from bot.cogs.members import Members
from bot.cogs.moving import Moving
from bot.cogs.notify import Notify
from bot.cogs.play import Play
from bot.cogs.privacy import Privacy
from bot.cogs.rewinding import Rewinding
from bot.cogs.rules import Rules
from bot.cogs.seating import Seating
from bot.cogs.seats import Seats
from bot.cogs.session_admin import SessionAdmin
from bot.cogs.settings import ServerSettings
from bot.cogs.status import BotStatus, Vitals
from bot.cogs.tables import Tables
from bot.cogs.undo import Undo
from bot.cogs.world import World
from bot.config import Settings
from bot.exporter import serve
from bot.metrics import CountedChannel, Metrics
from bot.sessions.desk import SystemTime
from bot.sessions.ports import Refusal, Time
from bot.sessions.registry import Registry
from bot.sessions.retention import EVERY, Retention, Sweep
from bot.store.db import open_store
from bot.store.protocol import Store, StoreUnusable
from bot.titles import Title
from bot.tools.backup_schedule import Schedule
from bot.ui import ids
from bot.ui.buttons import ITEMS
from bot.ui.channel import DiscordChannel
from bot.ui.dispatcher import Dispatcher, Interaction, Press, Reply
from bot.ui.house import House
from bot.ui.pictures import Pictures
from bot.ui.registration import put_into_words, register
from bot.ui.rulebook import ROOT, Rulebook
from content.words import Words, load_folder

_log = logging.getLogger(__name__)

PUMP: Final = 0.25
CLOSING: Final = 7.0
"""Seconds for a stop, of the ten that a container is given."""

SERVERS_QUIET: Final = 0.25
"""Seconds without another server's arrival after which tables come back; none needs the cache."""

INTENTS: Final = discord.Intents(guilds=True, moderation=True)
_COUNTED: Final = (
    discord.InteractionType.application_command,
    discord.InteractionType.component,
    discord.InteractionType.modal_submit,
)


class Nightwatch(commands.AutoShardedBot):
    """Wiring only: Discord's events go to the dispatcher, the tables and the cogs."""

    def __init__(
        self,
        games: Mapping[str, Title],
        words: Words,
        rulebook: Rulebook,
        store: Store,
        clock: Time,
        *,
        dev_guild_id: int | None = None,
        heartbeat: Path | None = None,
        backups: Schedule | None = None,
        retention: Retention | None = None,
    ) -> None:
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            intents=INTENTS,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True),
            max_messages=None,
            chunk_guilds_at_startup=False,
            guild_ready_timeout=SERVERS_QUIET,
        )
        self.clock = clock
        self.store = store
        self.rulebook = rulebook
        self.dev_guild_id = dev_guild_id
        self.heartbeat = heartbeat
        self.backups = backups
        self.retention = retention or Retention()
        pictures = Pictures()
        self.metrics = Metrics(clock.monotonic, self._states)
        channel = CountedChannel(DiscordChannel(self, games, pictures), self.metrics)
        self.registry = Registry(games, store, channel, clock)
        self.house = House(self.registry, words, pictures)
        self.dispatcher = Dispatcher(
            words, self.house, clock.monotonic, self.registry.handled, self._guild_of
        )
        pictures.rendered = self.metrics.rendered
        self.dispatcher.acknowledged = self.metrics.acknowledged
        self.dispatcher.failed = self.metrics.failed
        self.tree.error(self._command_failed)

    def _states(self) -> Mapping[str, int]:
        return Counter(session.status.value for session in self.registry.live())

    def _vitals(self) -> Vitals:
        last, failure = (self.backups.last, self.backups.failure) if self.backups else (None, None)
        return Vitals(self.latency, last, failure is not None)

    def _guild_of(self, session_id: int) -> int | None:
        try:
            return self.registry.session(session_id).guild_id
        except Refusal:
            return None

    # Starting

    async def setup_hook(self) -> None:
        """Signed in, but not connected yet: from here on a click may arrive at any moment."""
        await self.registry.open()
        self.add_dynamic_items(*ITEMS)
        house, dispatcher = self.house, self.dispatcher
        dispatcher.on({"go": house.go})
        lobby = Lobby(house, dispatcher)
        rewinding, seating = Rewinding(house, dispatcher), Seating(house, dispatcher)
        self.tree.add_command(lobby.play_command())
        admin = SessionAdmin(house, dispatcher, rewinding, seating)
        doctor = Doctor(house, dispatcher)
        moving = Moving(house, dispatcher)
        for command in (doctor.command(), *moving.commands()):
            admin.session.add_command(command)
        for cog in (
            lobby,
            Play(house, dispatcher),
            Tables(house, dispatcher),
            Fairness(house, dispatcher),
            Seats(house, dispatcher),
            Rules(house, dispatcher, self.rulebook),
            Notify(house, dispatcher),
            Undo(house, dispatcher),
            rewinding,
            seating,
            admin,
            doctor,
            moving,
            ServerSettings(house, dispatcher),
            Privacy(house, dispatcher, self.retention),
            BotStatus(house, dispatcher, self.metrics, self._vitals),
            Absence(house, dispatcher),
            Members(house, dispatcher, self),
            World(house, dispatcher, self),
        ):
            await self.add_cog(cog)
        games = [title.content.words for title in self.registry.titles.values()]
        put_into_words(self.tree, house.words, games)
        await register(self, self.tree, self.store, self.dev_guild_id)
        self.pump.start()
        self.sweep.start()
        self.beat.start()

    async def on_ready(self) -> None:
        """Connected; this may come again, and only the first time brings the tables back."""
        self.registry.connected()
        await self.registry.restore()

    async def on_resumed(self) -> None:
        """Connected again."""
        self.registry.connected()

    async def on_disconnect(self) -> None:
        """Out of reach: the sand stands still."""
        self.registry.disconnected()

    @tasks.loop(seconds=PUMP)
    async def pump(self) -> None:
        """One beat of the tables."""
        self.metrics.beat(time.perf_counter(), PUMP)
        try:
            await self.registry.pump()
        except Exception:  # noqa: BLE001 - the next beat must come, whatever happened in this one
            _log.exception("the pump missed a beat")

    @tasks.loop(seconds=EVERY)
    async def sweep(self) -> None:
        """Take away what has been kept for long enough."""
        try:
            await Sweep(self.registry, self.retention, self._present).sweep()
        except Exception:  # noqa: BLE001 - the next look must come, whatever happened in this one
            _log.exception("what is over could not be taken away")

    @sweep.before_loop
    async def _first(self) -> None:
        await self.wait_until_ready()

    def _present(self) -> frozenset[int] | None:
        """The servers on which the bot is; those in an outage are among them."""
        return frozenset(guild.id for guild in self.guilds) if self.is_ready() else None

    @tasks.loop(seconds=health.EVERY)
    async def beat(self) -> None:
        """A sign of life."""
        if self.heartbeat is None:
            return
        try:
            await asyncio.to_thread(health.touch, self.heartbeat)
        except OSError as error:
            _log.warning("no heartbeat could be left: %s", error.strerror)

    # Interactions

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        """Note when an interaction arrives, before anything else happens to it."""
        if event == "interaction":
            interaction: Interaction = args[0]
            at = self.clock.monotonic()
            interaction.extras["arrived"] = at
            if interaction.type in _COUNTED:
                self.registry.arrived(interaction.id, at)
        super().dispatch(event, *args, **kwargs)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Forms, and controls that no class of ours answers for: these too are answered."""
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit or (
            interaction.type is discord.InteractionType.component
            and not custom_id.startswith((ids.BUTTON, ids.MENU))
        ):
            await self.dispatcher.pressed(interaction, custom_id, form_values(data))

    async def _command_failed(
        self, interaction: Interaction, error: app_commands.AppCommandError
    ) -> None:
        """A command could not even be begun: most often Discord still has an older form of it."""

        async def answer(_: Press) -> Reply:
            if isinstance(
                error, app_commands.CommandSignatureMismatch | app_commands.CommandNotFound
            ):
                _log.warning(
                    "Discord has another form of a command; restart to register: %s", error
                )
                return self.house.note("failures.updating")
            raise getattr(error, "original", error)

        await self.dispatcher.command(interaction, answer)

    # Stopping

    async def shut_down(self) -> None:
        """Take no more clicks, finish what is in flight, then leave."""
        for loop in (self.pump, self.beat, self.sweep):
            loop.cancel()
        await self.registry.close()
        await self.close()


def form_values(data: Mapping[str, Any]) -> list[str]:
    """Everything chosen in a form, in its order."""
    found: list[str] = []
    parts: list[Any] = list(data.get("components", ()))
    while parts:
        part = parts.pop(0)
        found += [str(value) for value in part.get("values", ())]
        parts = [*part.get("components", ()), *parts]
        if "component" in part:
            parts.insert(0, part["component"])
    return found


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
    store = await open_store(settings.data_dir)
    hours, keep = settings.backup_hours, settings.backup_keep
    backups = Schedule(store, settings.data_dir, games, hours, keep)
    backups.start()
    stop: Callable[[], None] = lambda: None  # noqa: E731 - replaced where metrics are wanted
    try:
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
            stop = serve(bot.metrics, settings.metrics_host, settings.metrics_port)
        return await _until_stopped(bot, settings.token or "")
    finally:
        await asyncio.to_thread(stop)
        await backups.stop()
        await store.close()


async def _until_stopped(bot: Nightwatch, token: str) -> int:
    """Run until a signal comes or Discord will have us no longer."""
    stop = asyncio.Event()
    hurry = asyncio.Event()

    def told() -> None:
        (hurry if stop.is_set() else stop).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, told)
    running = asyncio.create_task(bot.start(token), name="bot")
    stopping = asyncio.create_task(stop.wait(), name="stop")
    await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
    asked = stop.is_set()
    if asked:
        _log.info("stopping")
        await _shut_down(bot, hurry)
    stopping.cancel()
    running.cancel()
    (result,) = await asyncio.gather(running, return_exceptions=True)
    if not bot.is_closed():
        await bot.close()
    if asked:
        return 0
    return _why(result)


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
        case None:
            _log.critical("the connection to Discord has ended")
            return 1
        case _:
            _log.critical("the bot has failed", exc_info=result)
            return 1
