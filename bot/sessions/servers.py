"""What each server has chosen: where and by whom games are started, and how tables begin there.

A choice that a server has not made is the installation's. Every change goes into the log of acts
in the same transaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.sessions import pace
from bot.sessions.ports import Click, Refusal, Time
from bot.store.protocol import Store, StoreError
from bot.store.rows import ActRow, Json, ServerRow

MOST_TABLES: Final = 25
MOST_CHANNELS: Final = 50
"""Channels that a server can name; more is what Discord's own settings are for."""

KEYS: Final = ("channels", "role", "pace", "thread", "ballots", "tables")

Defaults = Mapping[str, Json]

DEFAULTS: Final[Defaults] = {
    "channels": [],
    "role": None,
    "pace": pace.DEFAULT,
    "thread": False,
    "ballots": True,
    "tables": MOST_TABLES,
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """One setting of a server: its value, and whether the server itself has chosen it."""

    key: str
    value: Json
    own: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody wants to start a game: a channel, and the one that a thread belongs to."""

    guild_id: int
    channel_id: int
    parent_id: int | None = None


class Servers:
    """The settings of all servers, remembered after the first look.

    ``defaults`` are the installation's; its number of tables is also the most that a server may
    choose.
    """

    def __init__(self, store: Store, clock: Time, defaults: Defaults | None = None) -> None:
        self._store = store
        self._clock = clock
        self.defaults: Defaults = {**DEFAULTS, **(defaults or {})}
        self._rows: dict[int, ServerRow] = {}
        self._doors: dict[int, asyncio.Lock] = {}

    async def all(self, guild_id: int) -> Sequence[Chosen]:
        """Every setting, in a fixed order."""
        own = (await self._row(guild_id)).settings
        return [
            Chosen(key, self._sound(key, own[key]), own=True)
            if key in own and self._fits(key, own[key])
            else Chosen(key, self.defaults[key], own=False)
            for key in KEYS
        ]

    async def is_garbled(self, guild_id: int) -> bool:
        """Whether something that the server has chosen cannot be read any more."""
        row = await self._row(guild_id)
        known = {key: value for key, value in row.settings.items() if key in KEYS}
        return row.is_garbled or not all(self._fits(key, known[key]) for key in known)

    async def value(self, guild_id: int, key: str) -> Json:
        """One setting."""
        return {one.key: one.value for one in await self.all(guild_id)}[key]

    def _sound(self, key: str, value: Json) -> Json:
        """What was chosen, as far as the installation (still) allows it."""
        if key == "tables" and isinstance(value, int):
            return min(value, self.most_tables)
        return value

    @property
    def most_tables(self) -> int:
        """How many tables a server may have at once at most."""
        most = self.defaults["tables"]
        return most if isinstance(most, int) else MOST_TABLES

    async def ballots(self, guild_id: int) -> bool:
        """Whether ballots come by direct message to those who have not chosen."""
        try:
            return bool(await self.value(guild_id, "ballots"))
        except StoreError:  # a ballot is in the table's panel in any case
            return bool(self.defaults["ballots"])

    async def _row(self, guild_id: int) -> ServerRow:
        if guild_id not in self._rows:
            self._rows[guild_id] = await self._store.server(guild_id)
        return self._rows[guild_id]

    # Changing

    async def change(self, click: Click, guild_id: int, wanted: Mapping[str, Json | None]) -> None:
        """Set what is named; None goes back to the installation's. The log tells what is another
        choice than before, and gets no line if nothing is.

        Refusals ``only_moderators``, ``bad_setting``, ``too_many_channels``, ``not_saved``.
        """
        if not click.may_manage:
            raise Refusal("only_moderators")
        for key, value in wanted.items():
            self._check(key, value)
        async with self._door(guild_id):
            row = await self._row(guild_id)
            settings = dict(row.settings)
            for key, value in wanted.items():
                # A list without channels is no choice of its own where there is none to begin with.
                if value is None or (value == [] and self.defaults[key] == []):
                    settings.pop(key, None)
                else:
                    settings[key] = value
            if settings == row.settings and not row.is_garbled:
                return
            told = {
                key: value
                for key, value in wanted.items()
                if row.is_garbled or settings.get(key) != row.settings.get(key)
            }
            act = self.act(guild_id, click, "setting", **told)
            try:
                await self._store.set_server(guild_id, settings, act)
            except StoreError as error:
                raise Refusal("not_saved") from error
            self._rows[guild_id] = ServerRow(guild_id, settings, row.left_at)

    def _check(self, key: str, value: Json | None) -> None:
        if value is None and key in KEYS:
            return
        if key == "channels" and isinstance(value, list) and len(value) > MOST_CHANNELS:
            raise Refusal("too_many_channels", most=MOST_CHANNELS)
        is_too_many = key == "tables" and isinstance(value, int) and value > self.most_tables
        if is_too_many or not self._fits(key, value):
            raise Refusal("bad_setting", most=self.most_tables)

    def _fits(self, key: str, value: Json | None) -> bool:
        """Whether that can be a server's choice; of what is stored, only if it is garbled not."""
        match key, value:
            case "channels", list():
                return all(type(one) is int for one in value)
            case "role", int():
                return not isinstance(value, bool)
            case "pace", str():
                return value in pace.PACES
            case (("thread" | "ballots"), bool()):
                return True
            case "tables", int():
                return not isinstance(value, bool) and value >= 1
            case _:
                return False

    def act(self, guild_id: int, click: Click, what: str, **facts: Json) -> ActRow:
        """A line for the log of acts that is about the server and no table."""
        return ActRow(
            guild_id=guild_id,
            session=0,
            code="",
            at=self._clock.epoch(),
            what=what,
            by=click.user_id,
            facts=facts,
        )

    async def note(self, guild_id: int, click: Click, what: str, **facts: Json) -> None:
        """Write down what a moderator did that changes nothing. Refusal ``not_saved``."""
        try:
            await self._store.note_act(self.act(guild_id, click, what, **facts))
        except StoreError as error:
            raise Refusal("not_saved") from error

    def forget(self, guild_id: int) -> None:
        """A server whose data is gone."""
        self._rows.pop(guild_id, None)

    # Starting a game

    def opening(self, guild_id: int) -> asyncio.Lock:
        """To be held from the look at a server's tables until a new one stands among them."""
        return self._door(guild_id)

    def _door(self, guild_id: int) -> asyncio.Lock:
        return self._doors.setdefault(guild_id, asyncio.Lock())

    async def check_start(
        self, click: Click, place: Place, roles: Sequence[int], tables: int
    ) -> None:
        """Refuse a game that the server's settings do not let begin.

        ``roles`` are those of whoever starts it, ``tables`` how many hold a channel already. Who
        manages the server may start everywhere, but not more tables than there may be.
        """
        found = {one.key: one.value for one in await self.all(place.guild_id)}
        channels, role, most = found["channels"], found["role"], found["tables"]
        if isinstance(most, int) and tables >= most:
            raise Refusal("enough_tables", most=most)
        if click.may_manage:
            return
        if (
            isinstance(channels, list)
            and channels
            and not {place.channel_id, place.parent_id} & set(channels)
        ):
            raise Refusal("other_channels", channels=tuple(channels))
        if isinstance(role, int) and role not in roles:
            raise Refusal("needs_role", role=role)
