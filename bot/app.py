"""The bot itself: everything is put together here."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands, tasks

from bot import health
from bot.cogs.absence import Absence
from bot.cogs.doctor import Doctor
from bot.cogs.fairness import Fairness
from bot.cogs.lobby import Lobby
from bot.cogs.members import Members
from bot.cogs.moving import Moving
from bot.cogs.notify import Notify
from bot.cogs.pacing import Pacing
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
from bot.metrics import CountedChannel, Metrics
from bot.sessions.ports import Refusal, Time
from bot.sessions.registry import Registry
from bot.sessions.retention import EVERY, Retention, Sweep
from bot.store.protocol import Store
from bot.titles import Title
from bot.tools.backup_schedule import Schedule
from bot.ui import ids
from bot.ui.buttons import ITEMS
from bot.ui.channel import DiscordChannel
from bot.ui.dispatcher import Dispatcher, Interaction, Press, Reply
from bot.ui.house import House
from bot.ui.layout import Sheet, Shown
from bot.ui.pictures import Pictures
from bot.ui.registration import put_into_words, register
from bot.ui.rulebook import Rulebook
from bot.ui.silence import Silence
from content.words import Words

_log = logging.getLogger(__name__)

PUMP: Final = 0.25
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
        channel = DiscordChannel(self, games, pictures)
        counted = CountedChannel(channel, self.metrics)
        self.registry = Registry(games, store, counted, clock)
        silence = Silence(self, self.registry.publisher.barred, clock.monotonic)
        self.registry.desk.may_write = silence.may_write
        self.house = House(self.registry, words, pictures, silence=silence)
        self.dispatcher = Dispatcher(
            words, self.house, clock.monotonic, self.registry.handled, self._guild_of
        )
        self.registry.desk.ended = self._ended
        pictures.rendered = self.metrics.rendered
        self.dispatcher.acknowledged = self.metrics.acknowledged
        self.dispatcher.failed = self.metrics.failed
        self.dispatcher.replaced = self._replaced
        self._channel = channel
        self.tree.error(self._command_failed)

    def _replaced(self, session_id: int, message_id: int) -> None:
        self._channel.replaced(message_id)
        self.registry.replaced(session_id, message_id)

    def _ended(self, session_id: int) -> None:
        def over() -> Shown:
            return Sheet().text(self.house.say("refusals.game_over")).shown()

        close = self.dispatcher.panels.close(session_id, over)
        self.registry.desk.spawn(close, f"panels of session {session_id}")

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
        pacing = Pacing(house, dispatcher)
        for command in (doctor.command(), pacing.command(), *moving.commands()):
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
            pacing,
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
            if isinstance(error, app_commands.TransformerError) and error.__cause__ is None:
                _log.info("what a command was given was not found: %s", error)
                return self.house.note("failures.not_found")
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
