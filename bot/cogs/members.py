"""People who leave the server. Without the members intent only bans are announced.

So whoever is called to a table is looked up, and at intervals those who are waited for, who are
away, or who sit in a lobby.
"""

from __future__ import annotations

import logging
from typing import Any

import discord
from discord.ext import commands, tasks

from bot.cogs.base import NightCog
from bot.cogs.lobby import computer_name
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui.dispatcher import Dispatcher
from bot.ui.house import House

_log = logging.getLogger(__name__)

_EVERY = 120.0
_FETCHES = 20
_KNOWN = 30.0
"""Seconds for which it is believed that somebody is there who was just found there."""

_GONE = (10007, 10013)

Person = tuple[int, int]
"""A server and a user."""


class Members(NightCog):
    """Tells the tables who is not there any more."""

    def __init__(self, house: House, dispatcher: Dispatcher, client: discord.Client) -> None:
        super().__init__(house, dispatcher)
        self.client = client
        self._looked: dict[Person, float] = {}

    async def cog_load(self) -> None:
        """Begin to look after people."""
        self.house.registry.desk.called = self.called
        self.look_for_missing.start()

    async def cog_unload(self) -> None:
        """Stop looking."""
        self.look_for_missing.cancel()

    @commands.Cog.listener()
    async def on_member_ban(self, guild: discord.Guild, user: discord.abc.User) -> None:
        """Somebody was banned: they are gone."""
        await self.gone((guild.id, user.id))

    def called(self, guild_id: int, user_id: int) -> None:
        """Somebody was called to a table: see whether they are still on the server."""
        person = (guild_id, user_id)
        looked = self._looked.get(person)
        if looked is None or self.dispatcher.clock() - looked > _KNOWN:
            self.house.registry.desk.spawn(self._look_up(person), f"member {user_id}")

    async def gone(self, person: Person) -> None:
        """A person is not on the server any more: each of their tables there does without them."""
        guild_id, user_id = person
        for session in self.house.registry.of_user(user_id):
            if session.guild_id != guild_id:
                continue
            try:
                await session.gone(user_id, computer_name(session))
            except Refusal as refusal:
                _log.info("table %s keeps an absent player: %s", session.code, refusal.problem)

    @tasks.loop(seconds=_EVERY)
    async def look_for_missing(self) -> None:
        """Ask Discord about those who are waited for, the longest unseen first."""
        try:
            persons: dict[Person, None] = {}
            for session in self._tables():
                persons |= dict.fromkeys(await _expected(session))
            first = sorted(persons, key=lambda person: self._looked.get(person, 0.0))
            self._looked = {p: at for p, at in self._looked.items() if p in persons}
            for person in first[:_FETCHES]:
                await self._look_up(person)
        except (discord.DiscordException, OSError, Refusal) as error:
            _log.warning("looking for missing players: %s", type(error).__name__)

    def _tables(self) -> list[Session]:
        found: dict[int, Session] = {}
        for guild in self.client.guilds:
            for session in self.house.registry.in_guild(guild.id):
                if session.status in (Status.LOBBY, Status.RUNNING):
                    found[session.id] = session
        return list(found.values())

    async def _look_up(self, person: Person) -> None:
        guild_id, user_id = person
        guild: Any = self.client.get_guild(guild_id)
        if guild is None or guild.unavailable:
            return
        self._looked[person] = self.dispatcher.clock()
        try:
            await guild.fetch_member(user_id)
        except discord.NotFound as error:
            if error.code in _GONE:
                _log.info("a player has left server %d", guild_id)
                await self.gone(person)
        except (discord.HTTPException, OSError) as error:
            _log.info("a player could not be looked up: %s", type(error).__name__)


async def _expected(session: Session) -> list[Person]:
    """Those without whom a table does not go on: in a lobby all, in a game who is out or away."""
    if session.status is Status.LOBBY:
        return [(session.guild_id, user_id) for user_id in session.persons().values()]
    snapshot = await session.snapshot()
    out = {one.seat for one in snapshot.waiting}
    return [
        (session.guild_id, card.user_id)
        for card in snapshot.seats
        if card.user_id is not None and (card.seat in out or card.away)
    ]
