"""/notify: how a person is called."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.cogs.base import NightCog, Press, Reply

PINGS = ("here", "dm", "off")
BALLOTS = ("on", "off")


class Notify(NightCog):
    """Each person's own settings."""

    @app_commands.command(name="notify", description="-")
    @app_commands.choices(
        pings=[app_commands.Choice(name=value, value=value) for value in PINGS],
        ballots=[app_commands.Choice(name=value, value=value) for value in BALLOTS],
    )
    async def notify_command(
        self,
        interaction: discord.Interaction,
        pings: str | None = None,
        ballots: str | None = None,
    ) -> None:
        """Choose where "your move" reaches you, and whether ballots come by letter."""
        await self.run(interaction, lambda press: self.notify(press, pings, ballots))

    async def notify(self, press: Press, pings: str | None, ballots: str | None) -> Reply:
        """Change what was named, and say how things stand."""
        desk = self.house.registry.desk
        user_id = press.click.user_id
        if pings is not None or ballots is not None:
            letters = None if ballots is None else ballots == "on"
            row = await desk.set_preference(user_id, pings=pings, ballots=letters)
        else:
            row = await desk.preference(user_id)
        told = [
            self.house.say(f"notify.pings_{row.pings}"),
            self.house.say("notify.ballots_on" if row.ballots else "notify.ballots_off"),
        ]
        return self.house.note("notify.now", pings=told[0], ballots=told[1])
