"""/settings: how games start on a server; and the look at them when somebody starts one."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import discord
from discord import app_commands

from bot.cogs.base import Press, Reply
from bot.cogs.moderator import ModeratorCog
from bot.sessions.faces import Status
from bot.sessions.pace import PACES
from bot.sessions.ports import Refusal
from bot.sessions.servers import KEYS, MOST_TABLES, Place
from bot.store.rows import Json
from bot.ui.dispatcher import Interaction
from bot.ui.house import House
from bot.ui.layout import Sheet
from bot.ui.servers import value_told

_log = logging.getLogger(__name__)

_LISTED = 12
_HOLDING = (Status.LOBBY, Status.RUNNING, Status.PAUSED)


class ServerSettings(ModeratorCog):
    """Needs "Manage Server", unless the server's settings give the command to others."""

    @app_commands.command(name="settings", description="-")
    @app_commands.guild_only()
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.choices(
        pace=[app_commands.Choice(name=value, value=value) for value in PACES],
        reset=[app_commands.Choice(name=value, value=value) for value in (*KEYS, "all")],
    )
    async def settings_command(
        self,
        interaction: discord.Interaction,
        channel: discord.TextChannel | None = None,
        without: discord.TextChannel | None = None,
        role: discord.Role | None = None,
        pace: str | None = None,
        thread: bool | None = None,
        ballots: bool | None = None,
        tables: app_commands.Range[int, 1, MOST_TABLES] | None = None,
        reset: str | None = None,
    ) -> None:
        """See and change how games start here."""
        plain: dict[str, Json] = {
            "role": role.id if role else None,
            "pace": pace,
            "thread": thread,
            "ballots": ballots,
            "tables": tables,
        }
        wanted = {key: value for key, value in plain.items() if value is not None}
        add = channel.id if channel else None
        drop = without.id if without else None
        await self.run(
            interaction,
            lambda press: self.settings(
                self.let_through(press), wanted, add=add, drop=drop, reset=reset
            ),
        )

    async def settings(
        self,
        press: Press,
        wanted: Mapping[str, Json],
        *,
        add: int | None = None,
        drop: int | None = None,
        reset: str | None = None,
    ) -> Reply:
        """Change what was named, and show how things stand and why."""
        guild_id = press.interaction.guild_id or 0
        servers = self.house.registry.desk.servers
        changes: dict[str, Json] = {}
        if reset is not None:
            changes |= dict.fromkeys(KEYS if reset == "all" else (reset,))
        changes |= wanted
        if add != drop:  # the same channel put on the list and taken off it changes nothing
            kept = [] if reset in ("channels", "all") else await servers.value(guild_id, "channels")
            listed = list(kept) if isinstance(kept, list) else []
            if drop is not None and drop not in listed:
                raise Refusal("not_in_list")
            if add is not None and add not in listed:
                listed.append(add)
            listed = [one for one in listed if one != drop]
            if listed != kept or "channels" in changes:
                changes["channels"] = listed
        if changes:
            await servers.change(press.click, guild_id, changes)
        return await self._shown(press, guild_id, changed=bool(changes))

    async def _shown(self, press: Press, guild_id: int, *, changed: bool) -> Reply:
        guild = press.interaction.guild
        say = self.house.say

        def has_channel(channel_id: int) -> bool:
            return guild is None or guild.get_channel(channel_id) is not None

        def has_role(role_id: int) -> bool:
            return guild is None or guild.get_role(role_id) is not None

        lines = [
            say(
                "settings.line",
                name=say(f"settings.names.{one.key}"),
                value=value_told(
                    one.key, one.value, say, has_channel=has_channel, has_role=has_role
                ),
                own=one.own,
            )
            for one in await self.house.registry.desk.servers.all(guild_id)
        ]
        sheet = Sheet().text(f"## {say('settings.heading')}")
        if changed:
            sheet.text(say("settings.changed"))
        if await self.house.registry.desk.servers.is_garbled(guild_id):
            sheet.text(say("settings.garbled"))
        sheet.text("\n".join(lines), 3000)
        return Reply(sheet.text(say("settings.how"), 300).shown())


async def check_start(house: House, press: Press, place: Place) -> None:
    """Refuse a game that the server's settings do not let begin, with one kind sentence.

    Held by whoever opens the lobby: ``desk.servers.opening``.
    """
    registry = house.registry
    found = registry.in_guild(place.guild_id)
    tables = sum(session.status in _HOLDING for session in found)
    user = press.interaction.user
    roles = [role.id for role in user.roles] if isinstance(user, discord.Member) else []
    try:
        await registry.desk.servers.check_start(press.click, place, roles, tables)
    except Refusal as refusal:
        _log.info("server %d: no game may start here: %s", place.guild_id, refusal.problem)
        raise _worded(press.interaction, refusal) from refusal


def _worded(interaction: Interaction, refusal: Refusal) -> Refusal:
    """The same refusal, its channels and roles as Discord shows them."""
    guild = interaction.guild
    facts = refusal.facts
    if refusal.problem == "other_channels" and isinstance(facts["channels"], tuple):
        told = ", ".join(f"<#{one}>" for one in facts["channels"][:_LISTED])
        return Refusal("other_channels", channels=told)
    if refusal.problem == "needs_role" and isinstance(facts["role"], int):
        if guild is not None and guild.get_role(facts["role"]) is None:
            return Refusal("needs_lost_role")
        return Refusal("needs_role", role=f"<@&{facts['role']}>")
    return refusal
