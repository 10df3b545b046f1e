"""A registry on a real store, with a channel made of lists and clocks that tests turn."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.sessions.faces import Face
from bot.sessions.ports import Address, ChannelError, Click, MessageGone, Refusal
from bot.sessions.registry import Registry
from bot.sessions.session import Session
from bot.store.db import SqliteStore, open_store
from bot.store.rows import Pace
from bot.titles import Title
from content.loader import LoadedGame
from content.words import Words
from tests.toy import senate_retold
from tests.toy.senate import CONTENT, SENATE, Content

GUILD, ROOM = 100, 200
ANN, BEA, CID, DOT, MOD = 1, 2, 3, 4, 9
ALL = (ANN, BEA, CID)
NAMES = {ANN: "Ann", BEA: "Bea", CID: "Cid", DOT: "Dot"}


@dataclass
class HandTime:
    """Clocks that move only when a test moves them."""

    now: float = 1000.0
    offset: float = 1_700_000_000.0

    def monotonic(self) -> float:
        return self.now

    def epoch(self) -> float:
        return self.offset + self.now


@dataclass
class Posted:
    """A message as the channel has it."""

    place: Address
    faces: list[Face]
    nonce: str
    is_deleted: bool = False

    @property
    def face(self) -> Face:
        return self.faces[-1]


@dataclass
class ListChannel:
    """A channel that keeps every message; it outlives the registries that speak to it.

    ``failures`` are raised, in turn, by the next calls of that name ("post", "edit", ...).
    """

    messages: dict[int, Posted] = field(default_factory=dict[int, Posted])
    failures: dict[str, list[ChannelError]] = field(default_factory=dict[str, list[ChannelError]])
    calls: list[str] = field(default_factory=list[str])
    below: int = 0
    closed: set[int] = field(default_factory=set[int])

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.failures.get(name):
            raise self.failures[name].pop(0)

    async def post(self, address: Address, face: Face, nonce: str) -> tuple[int, int]:
        await asyncio.sleep(0)
        self._call("post")
        for message_id, message in self.messages.items():
            if message.nonce == nonce:
                return message.place.channel_id or 9000, message_id
        message_id = 5000 + len(self.messages)
        self.messages[message_id] = Posted(address, [face], nonce)
        return address.channel_id or 9000 + (address.user_id or 0), message_id

    async def edit(
        self, channel_id: int, message_id: int, face: Face, *, anew: bool = False
    ) -> None:
        await asyncio.sleep(0)
        self._call("edit")
        if self.messages[message_id].is_deleted:
            raise MessageGone
        self.messages[message_id].faces.append(face)

    async def delete(self, channel_id: int, message_id: int) -> None:
        await asyncio.sleep(0)
        self._call("delete")
        self.messages[message_id].is_deleted = True

    async def find(self, address: Address, mark: str) -> tuple[int, int] | None:
        self._call("find")
        for message_id, message in self.messages.items():
            if message.face.mark == mark and not message.is_deleted:
                return message.place.channel_id or 9000, message_id
        return None

    async def depth(self, channel_id: int, message_id: int, limit: int) -> int:
        self._call("depth")
        return min(self.below, limit)

    async def open(self, channel_id: int) -> None:
        self._call("open")

    def of(self, kind: type[Face], *, deleted: bool = False) -> list[Posted]:
        """The messages whose newest face is of a kind."""
        return [
            m
            for m in self.messages.values()
            if isinstance(m.face, kind) and (deleted or not m.is_deleted)
        ]


class NoPictures:
    """The toy has no board to draw."""

    def draw(self, view: Any, words: Words, seats: Sequence[str]) -> bytes:
        return b""

    def closing(self, view: Any, words: Words, seats: Sequence[str], outcome: Any) -> bytes:
        return b""

    def board_words(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        return ""

    def alt_text(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        return ""

    def hand_words(self, view: Any, words: Words) -> str:
        return ""

    def heading(self, view: Any, words: Words) -> str:
        return ""


def toy_title(game: Any = SENATE) -> Title:
    """The toy senate as a title."""
    content: LoadedGame[Content] = LoadedGame(
        rules=CONTENT, words=Words({}, {}), digest=CONTENT.digest, dump="{}"
    )
    return Title(game, content, NoPictures(), senate_retold)


class House:
    """One data folder and one channel, through as many lives of the bot as a test wants."""

    def __init__(self, folder: Path, title: Title | None = None) -> None:
        self.folder = folder
        self.time = HandTime()
        self.channel = ListChannel()
        self.title = title or toy_title()
        self._ids = itertools.count(70_000)
        self.store: SqliteStore
        self.registry: Registry

    async def open(self, *, look: bool = True) -> House:
        """A fresh process on the same data; somebody has a ``look`` at every table at once."""
        self.store = await open_store(self.folder, patience=1.0)
        self.registry = Registry({self.title.key: self.title}, self.store, self.channel, self.time)
        await self.registry.open()
        self.registry.connected()
        await self.registry.restore()
        for row in await self.store.live_sessions() if look else ():
            with contextlib.suppress(Refusal):
                await self.registry.session(row.id).snapshot()
        return self

    async def die(self) -> None:
        """What is left after a kill: the disk and the channel."""
        await self.registry.desk.drain(2.0)
        await self.store.close()

    async def restart(self) -> House:
        """Die and live again."""
        await self.die()
        return await self.open()

    def click(self, user: int, *, at: float | None = None, may_manage: bool = False) -> Click:
        """A click with an id of its own."""
        arrived = self.time.now if at is None else at
        return Click(user, NAMES.get(user, f"U{user}"), next(self._ids), arrived, may_manage)

    async def run(self, seconds: float = 1.5, step: float = 0.25) -> None:
        """Let time pass, with the pump at work."""
        end = self.time.now + seconds
        while self.time.now < end:
            self.time.now += step
            await self.registry.pump()
            await self.registry.desk.drain(2.0)

    async def lobby(self, *users: int, pace: Pace = "none") -> Session:
        """A lobby with these people, the first one as host."""
        session = await self.registry.open_lobby(
            self.click(users[0]), game=self.title.key, guild_id=GUILD, channel_id=ROOM, pace=pace
        )
        for user in users[1:]:
            await session.join(self.click(user))
        return session

    async def game(self, *users: int, computers: int = 0, pace: Pace = "none") -> Session:
        """A game that has just begun."""
        session = await self.lobby(*users, pace=pace)
        for number in range(computers):
            await session.add_computer(self.click(users[0]), f"Computer {number + 1}")
        await session.start(self.click(users[0]))
        return session

    def same(self, session: Session) -> Session:
        """That table in the present life."""
        return self.registry.session(session.id)

    async def answer_all(self, session: Session, *, until: str, rounds: int = 60) -> None:
        """Answer with first options until a question of that kind is open."""
        for _ in range(rounds):
            game = session.game
            assert game is not None
            asked = [d for d in game.asked if d.current is None]
            if not asked or asked[0].kind == until:
                return
            decision = asked[0]
            user = session.seats[decision.seat].user_id
            assert user is not None
            keys = first_value(decision)
            await session.answer(self.click(user), decision.question, decision.kind, keys)
        raise AssertionError(f"{until} was never asked")

    async def answer_all_people(self, session: Session) -> None:
        """Answer for each person, once, what computer players do not answer for them."""
        for seat, user in session.persons().items():
            mine = [d for d in session.playing.asked if d.seat == seat and d.current is None]
            if mine and not mine[0].shared:
                question, kind = mine[0].question, mine[0].kind
                await session.answer(self.click(user), question, kind, first_value(mine[0]))


def first_value(decision: Any) -> tuple[str, ...]:
    """The simplest legal answer."""
    keys = decision.keys()
    shape = decision.shape
    if not shape.repeats:
        preferred = [k for k in ("pass", "aye") if k in keys]
        return (preferred[0] if preferred else keys[0],)
    spread = list(keys[: shape.distinct])
    return tuple(spread + [keys[0]] * (shape.least - len(spread)))
