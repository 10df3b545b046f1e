"""Escape the Night at a harness: tables laid out on the disk, and people who play by clicks alone.

A night is played by computer players in memory up to the wanted point and written down; its last
answer goes through the sessions themselves, so what the process finds on the disk is what a bot
leaves that dies after a commit and before it has published anything.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import discord

from bot import titles
from bot.offline.wire import Call, CannotAct, Reply, Severed, Shown
from bot.sessions.desk import SystemTime
from bot.sessions.ports import Click
from bot.sessions.registry import Registry
from bot.store.db import SqliteStore, open_store
from bot.store.protocol import Write
from bot.store.rows import NO_SEAT, EntryRow, MessageRow, SeatRow, SessionRow, TimerRow
from bot.titles import Title
from bot.tools.playing import Player as Computer
from bot.tools.playing import header_for
from engines.kernel.journal import Header, dump_header, dump_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.wire.harness import Harness, Trap

GAME = "escape_the_night"
NAMES = ("Ann", "Ben", "Cleo")

#: Seconds without a call after which an action is over: what is published later is waited for.
QUIET = 0.01

#: A first answer that comes sooner than the bot's bare receipt says that the click has counted.
SOONER = 1.4

Play = Playthrough[Any, Any, Any]
Until = Callable[[Play], bool]


@functools.cache
def escape() -> Title:
    """The game with its real content."""
    return titles.load(GAME)


def vote_is_called(game: Play) -> bool:
    """The first vote is open, and nobody has cast."""
    return any(d.kind == "vote" for d in game.asked)


def sand_is_turned(game: Play) -> bool:
    """The tenth hour has begun."""
    return bool(game.timers)


def turn_is_played(game: Play) -> bool:
    """Somewhere in the first hour: a seat is in the middle of its turn."""
    return game.ply >= 8


@dataclass(frozen=True, slots=True)
class Night:
    """A night up to the point where something is asked; ``entries`` lead to it."""

    header: Header
    entries: tuple[Entry, ...]


@functools.cache
def night(until: Until, *, seed: int = 1, seats: int = len(NAMES)) -> Night:
    """The seed's night up to there; the same every time."""
    title = escape()
    options = {option.key: option.default for option in title.game.options}
    header = header_for(title, seats, options, "wire", seed)
    game: Play = Playthrough(title.game, title.content.rules, header)
    computer = Computer(game, title.game.agents["sensible"], "wire", seed)
    while not until(game):
        computer.step()
    return Night(header, tuple(game.entries))


class Mute:
    """A channel for a bot that never gets to speak: the registry is not connected."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} is called before anything may be published")


@contextlib.asynccontextmanager
async def disk(folder: Path) -> AsyncIterator[tuple[SqliteStore, Registry]]:
    """The sessions of a data folder without Discord, while no process works with it."""
    channel: Any = Mute()
    title = escape()
    async with await open_store(folder) as store:
        registry = Registry({title.key: title}, store, channel, SystemTime())
        await registry.open()
        try:
            yield store, registry
        finally:
            await registry.desk.drain(5.0)


_codes = itertools.count(1)


def new_code() -> str:
    """The code of one more table."""
    return f"N{next(_codes):05}"


async def lay_lobby(
    world: Harness, *, channel: str = "table", people: Sequence[str] = ("Ann",)
) -> int:
    """An open lobby with these people, the first as host; the session's number."""
    async with disk(world.data_dir) as (_, registry):
        session = await registry.open_lobby(
            click_of(world, people[0]),
            game=GAME,
            guild_id=world.guild_id,
            channel_id=world.channels[channel],
        )
        for name in people[1:]:
            await session.join(click_of(world, name))
        return session.id


async def lay_table(
    world: Harness,
    found: Night,
    *,
    channel: str = "table",
    people: Sequence[str] = NAMES,
    sand: float | None = None,
    called: bool = False,
) -> int:
    """A table at which this night was played by these people; the session's number.

    ``sand``: seconds left in the glass. ``called``: whoever is to move has not clicked lately, and
    will be called.
    """
    title, header, at = escape(), found.header, time.time()
    row = SessionRow(
        code=new_code(),
        game=title.key,
        guild_id=world.guild_id,
        channel_id=world.channels[channel],
        status="running",
        host_id=world.players[people[0]].id,
        options=header.options,
        secret=bytes(32),
        header=dump_header(header),
        content_digest=title.content.digest,
        created_at=at,
        started_at=at,
        touched_at=at,
    )
    seats = tuple(
        SeatRow(0, n, world.players[name].id, name, "person", acted_at=None if called else at)
        for n, name in enumerate(people)
    )
    page = MessageRow(0, "table", NO_SEAT, 1, None, None, "post", -1, at)
    async with disk(world.data_dir) as (store, _):
        content = title.content
        await store.put_content(content.digest, title.key, content.dump.encode())
        session_id = await store.open_session(row, seats, (page,))
        entries = tuple(
            EntryRow(session_id, n, dump_record(entry))
            for n, entry in enumerate(found.entries[:-1])
        )
        await store.commit(Write(session=session_id, expected_ply=0, entries=entries, at=at))
    async with disk(world.data_dir) as (store, registry):
        session, last = registry.session(session_id), found.entries[-1]
        click = click_of(world, people[last.seat])
        assert last.value is not None
        await session.answer(click, last.question, last.kind, last.value)
        if called:
            rows = tuple(replace(seat, acted_at=None) for seat in session.seats.values())
            await store.commit(Write(session=session_id, seats=rows))
        if sand is not None:
            timers = tuple(
                TimerRow(one.question, one.kind, int(sand * 1000)) for one in session.row.timers
            )
            assert timers
            await store.commit(Write(session=session_id, fields={"timers": timers}))
    return session_id


def click_of(world: Harness, name: str) -> Click:
    """A click that somebody made before the process was started."""
    clock = world.simulation.backend.clock
    made = discord.utils.time_snowflake(clock.now()) + next(_codes)
    return Click(world.players[name].id, name, made, SystemTime().monotonic())


def in_words(world: Harness, *, yes: bool = True) -> None:
    """The bot may not attach files: tables go in words, which costs the first drawing less.

    A bot that runs hears nothing of it: it holds from the next start.
    """
    guild = world.simulation.guild
    roles = (guild.roles[world.simulation.backend.bot_user.name], guild.default_role)
    for role in roles:
        permissions = discord.Permissions(role._role.permissions)
        permissions.update(attach_files=not yes)
        role._role.permissions = permissions.value


def kill_at_next_call(world: Harness) -> Trap:
    """Kill the bot at whatever it says or sends next; Discord hears nothing of it.

    What else is on its way at that moment is lost too.
    """
    trap, doomed = Trap(), world.child

    async def hook(stage: str, call: Call) -> None:
        if world.child is not doomed:
            world.server.rest.hooks.remove(hook)
        elif stage == "before":
            if trap.call is None:
                trap.call = call
                await world._kill()
                trap.spring(call)
            raise Severed

    world.server.rest.hooks.append(hook)
    return trap


# Clicks


def verb(custom_id: str) -> str:
    """What a control does."""
    return custom_id.split(":")[2]


def controls(shown: Shown, *verbs: str) -> list[str]:
    """The controls of a message that can be used and do one of these things."""
    return [one for one in shown.custom_ids if verb(one) in verbs]


@dataclass(frozen=True, slots=True)
class Told:
    """Somebody was told that this has counted; ``interaction`` is the click's id."""

    interaction: int
    name: str
    custom_id: str
    keys: tuple[str, ...]

    @property
    def verb(self) -> str:
        """What the control does."""
        return verb(self.custom_id)

    @property
    def question(self) -> int:
        """The question that was answered."""
        return int(self.custom_id.split(":")[4], 36)


@dataclass
class Evening:
    """One channel with the people who play there. ``told`` is what they were told has counted."""

    world: Harness
    channel: str = "table"
    told: list[Told] = field(default_factory=list[Told])
    panels: dict[str, Shown] = field(default_factory=dict[str, Shown])

    @property
    def channel_id(self) -> int:
        """The channel's id."""
        return self.world.channels[self.channel]

    # Looking

    def public(self) -> list[Shown]:
        """The bot's messages in the channel, the oldest first."""
        mine = self.world.simulation.backend.bot_user.id
        found = self.world.players["Ann"].messages(self.channel_id)
        return [one for one in found if one.author_id == mine and not one.ephemeral]

    def live(self) -> Shown:
        """The newest message that carries the lobby, the table or its end; CannotAct if none."""
        found = [one for one in self.public() if controls(one, "howto", "menu", "again")]
        if not found:
            raise CannotAct("there is no table")
        return found[-1]

    async def up(self, wanted: str = "menu", *, timeout: float = 15.0) -> Shown:  # noqa: ASYNC109
        """The message with such a control, as soon as there is one."""

        def found() -> list[Shown]:
            return [one for one in self.public() if controls(one, wanted)]

        return (await self.world.until(found, timeout))[-1]

    def letters(self, name: str) -> list[Shown]:
        """The bot's direct messages to somebody."""
        return self.world.players[name].direct_messages()

    def ballots(self, name: str) -> list[Shown]:
        """Somebody's letters that still have controls."""
        return [one for one in self.letters(name) if one.custom_ids]

    # Acting

    async def press(
        self, name: str, shown: Shown, custom_id: str, values: Sequence[str] = ()
    ) -> Reply:
        """Use a control, and note it if the answer says that it has counted."""
        player, began = self.world.players[name], time.monotonic()
        if custom_id.startswith("n:m:"):
            reply = await player.select(shown, custom_id, values)
        else:
            reply = await player.click(shown, custom_id)
        self._note(name, custom_id, tuple(values), reply, time.monotonic() - began)
        return reply

    async def click(self, name: str, shown: Shown, wanted: str) -> Reply:
        """Use the one control that does this; CannotAct if there is none."""
        found = controls(shown, wanted)
        if len(found) != 1:
            raise CannotAct(f"no {wanted}")
        return await self.press(name, shown, found[0])

    async def panel(self, name: str) -> Shown | None:
        """What somebody is asked, in a panel of their own; None if the bot does not answer."""
        reply = await self.world.players[name].slash(self.channel_id, "act")
        return reply.message

    async def move(self, name: str) -> Reply | None:
        """Answer the first thing that somebody is asked with the first choices that will do.

        None when nothing is asked, or when the bot does not answer.
        """
        panel = await self.panel(name)
        return None if panel is None else await self.choose(name, panel)

    async def choose(self, name: str, panel: Shown) -> Reply | None:
        """Answer the first thing in a panel or a letter."""
        if controls(panel, "draft"):
            return await self.vote(name, panel)
        acts = controls(panel, "act")
        if not acts:
            return None
        return await self.press(name, panel, acts[0], self.first_values(panel, acts[0]))

    async def vote(self, name: str, panel: Shown, *, shift: int = 0) -> Reply | None:
        """Mark every token, each on another guest, and cast the ballot."""
        for index in range(len(controls(panel, "draft"))):
            reply = await self.mark(name, panel, index, shift + index)
            if not reply.acknowledged or reply.message is None:
                return reply
            panel = reply.message
        return await self.click(name, panel, "cast")

    async def mark(self, name: str, panel: Shown, index: int, choice: int) -> Reply:
        """Put one token of a ballot on the guest with that number; CannotAct if it is none."""
        drafts = controls(panel, "draft")
        if index >= len(drafts):
            raise CannotAct("no such token")
        custom_id = drafts[index]
        (menu,) = [one for one in panel.menus if one.custom_id == custom_id]
        value, _ = menu.options[choice % len(menu.options)]
        return await self.press(name, panel, custom_id, [value])

    @staticmethod
    def first_values(panel: Shown, custom_id: str) -> list[str]:
        """The first choices of a menu that will do; nothing for a button."""
        for menu in panel.menus:
            if menu.custom_id == custom_id:
                return [value for value, _ in menu.options[: max(1, menu.least)]]
        return []

    async def play(self, names: Sequence[str] = NAMES, *, answers: int = 10**6) -> int:
        """Everybody answers what they are asked, until nobody is asked or the bot is gone."""
        given = 0
        while given < answers:
            before = given
            for name in names:
                if self.world.simulation.nobody_answers:
                    return given
                reply = await self.move(name)
                given += reply is not None and reply.acknowledged
                if given >= answers:
                    break
            if given == before:
                return given
        return given

    def _note(
        self, name: str, custom_id: str, values: tuple[str, ...], reply: Reply, took: float
    ) -> None:
        if not reply.acknowledged:
            return
        on_table = reply.kind == "deferred_update" and took < SOONER
        key = custom_id.rsplit(":", 1)[1]
        told = Told(reply.id, name, custom_id, values or (key,) * (verb(custom_id) == "act"))
        match verb(custom_id):
            case "act" | "cast":
                if on_table or reply.text.startswith("Counted"):
                    self.told.append(told)
            case "draft":
                if reply.kind == "update":
                    self.told.append(told)
            case "join" | "leave_lobby" | "add_computer" | "start":
                if on_table:
                    self.told.append(told)
            case _:
                pass
