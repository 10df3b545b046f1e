"""Escape the Night at a harness: tables laid out on the disk.

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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import discord

from bot import titles
from bot.offline.wire import Call, Severed
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
