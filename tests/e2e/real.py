"""The games that there are, with their own content, and pictures that cost nothing."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import simcord

from bot import titles
from bot.app import Nightwatch
from bot.offline.wire.limits import walk
from bot.sessions.session import Session
from bot.titles import Title
from bot.ui.text import Voice
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.play import begin, controls
from tests.e2e.world import NAMES, World, parts, raw, text

GAMES = titles.KEYS


@functools.cache
def games() -> Mapping[str, Title]:
    """Every game, by key."""
    return {key: dataclasses.replace(titles.load(key), renderer=PlainPicture()) for key in GAMES}


class Worded(PlainPicture):
    """A plain picture, and all else as the game's own renderer tells it."""

    def __init__(self, own: Any) -> None:
        self.own = own
        self.board_words = own.board_words
        self.alt_text = own.alt_text
        self.hand_words = own.hand_words
        self.heading = own.heading


class Patient(World):
    """A world in which the simulation waits a while for a bot that is slow on purpose."""

    def attach(self, bot: Nightwatch) -> Any:
        return simcord.run(bot, shard_count=1, settle_timeout=12)


def real_world(folder: Path) -> World:
    """A server on which every game can be played."""
    return Patient(folder, games())


@dataclass(frozen=True, slots=True)
class Move:
    """Something that somebody may do now: with what, and by clicking where."""

    name: str
    message: Any
    custom_id: str
    values: tuple[str, ...]

    async def make(self, world: World) -> Any:
        """Do it."""
        if self.values:
            return await world.select(
                self.name, self.message, self.values, custom_id=self.custom_id
            )
        return await world.press(self.name, self.message, self.custom_id)

    def click(self, world: World) -> Any:
        """The bare action, for several at one instant."""
        member = world[self.name]
        if self.values:
            return member.select(self.message, self.values, custom_id=self.custom_id)
        return member.click(self.message, custom_id=self.custom_id)


def session_in(world: World) -> Session:
    """The table in the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


def drawn(session: Session, snapshot: Any) -> bytes:
    """The picture of this moment, drawn once more."""
    names = snapshot.seat_names
    return session.title.renderer.draw(snapshot.view, Voice(session.title, names).plain, names)


def attached(world: World, message: Any) -> list[bytes]:
    """The pictures that a message shows: each is attached, and there is no other attachment."""
    items = [item for one in walk(raw(message)) for item in one.get("items", ())]
    places = [str(item["media"]["url"]).rpartition("/")[2] for item in items]
    assert sorted(places) == sorted(one.filename for one in message.attachments)
    return [world.env.backend.cdn.get(one.url) or b"" for one in message.attachments]


def words_of(message: Any) -> str:
    """All that a message shows in words: texts, labels, choices, and what its picture is called."""
    words = [text(message)]
    waiting: list[Any] = [*raw(message)]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            words += [
                str(one[key]) for key in ("label", "placeholder", "description") if key in one
            ]
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one
    return "\n".join(words).replace("\\", "")


async def begun(world: World, game: str, *others: str) -> Session:
    """A table of Ann's without a pace that has begun."""
    await begin(world, game, *others, pace="none")
    return session_in(world)


async def next_move(world: World, turn: int = 0) -> Move:
    """What whoever is waited for can do: at the table, or in the own panel; a ballot is marked.

    Where several are waited for, ``turn`` says whose move it is.
    """
    session = session_in(world)
    while True:
        snapshot = await session.snapshot()
        people = [one for one in snapshot.waiting if snapshot.seats[one.seat].user_id]
        if people and session.row.published_ply == session.row.ply:
            break
        await world.beat(0.5)
    name = NAMES[people[turn % len(people)].seat]
    message = world.table()
    if not controls(message, "act"):
        message = (await world.click(name, message, "panel")).response
    drafts = controls(message, "draft")
    for index, part in enumerate(drafts):
        value = part.options[index % len(part.options)]
        marked = await world.select(name, message, [value], custom_id=part.custom_id)
        message = marked.response or message
    if drafts:
        return Move(name, message, controls(message, "cast")[0].custom_id, ())
    assert controls(message, "act"), [(one.custom_id, one.label) for one in parts(message)]
    part = controls(message, "act")[0]
    return Move(name, message, part.custom_id, part.options[: max(1, part.least)])
