"""/status: how the bot is doing, for moderators. Nothing in it counts what people did in secret."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import discord
from discord import app_commands

from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog
from bot.metrics import Metrics
from bot.sessions.faces import Status
from bot.ui.dispatcher import Dispatcher
from bot.ui.house import House
from bot.ui.layout import Sheet


@dataclass(frozen=True, slots=True)
class Vitals:
    """What only the bot itself knows.

    ``latency``: seconds between the gateway's beat and its echo; not finite when there is none.
    ``backup_at``: when the newest backup was made, None if there is none; ``backup_failed``: the
    latest try came to nothing.
    """

    latency: float
    backup_at: float | None
    backup_failed: bool


class BotStatus(ModeratorCog):
    """Needs "Manage Server", unless the server's settings give the command to others."""

    def __init__(
        self,
        house: House,
        dispatcher: Dispatcher,
        metrics: Metrics,
        vitals: Callable[[], Vitals],
    ) -> None:
        super().__init__(house, dispatcher)
        self.metrics = metrics
        self.vitals = vitals

    @app_commands.command(name="status", description="-")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    async def status_command(self, interaction: discord.Interaction) -> None:
        """How the bot is doing."""
        await self.run(interaction, lambda press: self.tell(self.let_through(press)))

    async def tell(self, press: Press) -> Reply:
        """Times, tables, restores, backups."""
        say = self.house.say
        vitals = self.vitals()
        answers, delays = self.metrics.answers, self.metrics.delays
        registry = self.house.registry
        lines = [
            say(
                "health.answers",
                any=answers.count > 0,
                median=_ms(answers.median),
                worst=_ms(answers.worst),
            ),
            say("health.tables", here=self._states(press.interaction.guild_id or 0)),
            say(
                "health.restores",
                when=f"<t:{round(registry.desk.started_at)}:R>",
                count=registry.start.brought_back,
                failed=registry.start.broken,
            ),
            say(
                "health.backup",
                when="" if vitals.backup_at is None else f"<t:{round(vitals.backup_at)}:R>",
                failed=vitals.backup_failed,
            ),
            say("health.gateway", ms=_ms(vitals.latency)),
            say("health.loop", median=_ms(delays.median), worst=_ms(delays.worst)),
        ]
        sheet = Sheet().text(f"## {say('health.heading')}")
        return Reply(sheet.text("\n".join(f"- {line}" for line in lines)).shown())

    def _states(self, guild_id: int) -> str:
        """How many tables of the server are in each state, in words."""
        say = self.house.say
        here = Counter(session.status for session in self.house.registry.in_guild(guild_id))
        parts = [
            say("health.state", count=here[state], state=say(f"status.{state.value}"))
            for state in Status
            if here[state]
        ]
        return ", ".join(parts) or say("health.no_tables")


def _ms(seconds: float) -> str:
    return str(round(seconds * 1000)) if math.isfinite(seconds) else "–"
