"""The offline table's Discord: its server, channels and people, and how they outlive a restart.

Everything is kept in one file of the data folder, so that after a restart the same messages, ids
and buttons are there. The file is SimCord's own objects, hence tied to one SimCord version: one
that does not fit, or was damaged, is set aside under another name and a new world begins.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import os
import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import discord
import simcord

from bot.offline.wire import Memory, Player, Simulation

_log = logging.getLogger(__name__)

#: Raised when the layout of the saved file changes.
FORMAT = 1

#: What the bot asks for when it is invited; never more here than on Discord.
INVITED_WITH = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    create_public_threads=True,
)

#: Channels with their topics.
CHANNELS = (("table", "Games are played here"), ("lounge", "Talk, or a second game"))

BOT_NAME, SERVER_NAME = "Nightwatch", "Offline table"

#: Modules whose classes a saved world may contain, and single names of others.
_TRUSTED_MODULES = ("simcord.", "bot.offline.")
_TRUSTED_NAMES = frozenset(
    {
        ("builtins", "frozenset"),
        ("builtins", "set"),
        ("collections", "deque"),
        ("copyreg", "_reconstructor"),
        ("datetime", "datetime"),
        ("datetime", "timedelta"),
        ("datetime", "timezone"),
    }
)


class Unusable(Exception):
    """A saved world that cannot be used; the message says why."""


@dataclass(slots=True)
class World:
    """The simulated Discord of the offline table. Read marks are message ids."""

    simulation: Simulation
    memory: Memory = field(default_factory=Memory)
    guild_id: int = 0
    people: list[int] = field(default_factory=list)
    read: dict[tuple[int, int], int] = field(default_factory=dict)
    dismissed: set[tuple[int, int]] = field(default_factory=set)

    def player(self, number: int) -> Player:
        """The player with this number, counted from 0."""
        return Player(self.simulation, self.guild_id, self.people[number])

    def data(self) -> dict[str, Any]:
        """What is saved."""
        return {
            "backend": self.simulation.data(),
            "memory": self.memory,
            "guild_id": self.guild_id,
            "people": self.people,
            "read": self.read,
            "dismissed": self.dismissed,
        }


def new_world(names: Sequence[str]) -> World:
    """A server with two channels; the first of ``names`` owns it."""
    simulation = Simulation()
    simulation.backend.bot_user.name = BOT_NAME
    owner = simulation.create_user(names[0].lower(), global_name=names[0])
    guild = simulation.create_guild(SERVER_NAME, owner=owner)
    guild.roles[BOT_NAME]._role.permissions = INVITED_WITH.value
    for name, topic in CHANNELS:
        guild.create_text_channel(name, topic=topic)
    world = World(simulation, guild_id=guild.id, people=[owner.id])
    seat(world, names)
    return world


def seat(world: World, names: Sequence[str]) -> None:
    """Add the people of ``names`` that the world does not have yet; nobody is removed.

    Each has a direct channel with the bot, as if they had opened its profile.
    """
    guild = world.simulation.guild
    for name in names[len(world.people) :]:
        user = world.simulation.create_user(name.lower(), global_name=name)
        guild.add_member(user)
        world.people.append(user.id)
    for person in world.people:
        world.simulation.backend.get_dm_channel(person)


def open_world(path: Path, names: Sequence[str]) -> World:
    """The saved world, or a new one when there is none that can be used."""
    try:
        world = load(path)
    except FileNotFoundError:
        return new_world(names)
    except Unusable as why:
        aside = _aside(path)
        path.rename(aside)
        _log.warning(
            "the saved table cannot be used (%s); kept as %s, a new one begins", why, aside
        )
        return new_world(names)
    seat(world, names)
    return world


def pack(world: World) -> bytes:
    """The world as bytes: one line that says what follows, then the pickle."""
    world.simulation.forget_spent()
    body = pickle.dumps(world.data(), protocol=5)
    return f"{_headline()} {hashlib.sha256(body).hexdigest()}\n".encode() + body


def save(path: Path, packed: bytes) -> None:
    """Write a packed world so that a crash leaves the old file or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    # It holds everybody's secrets, as Discord's own servers do.
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(packed)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def load(path: Path) -> World:
    """Read a saved world. Raises Unusable with the reason, FileNotFoundError when there is none."""
    headline, _, body = path.read_bytes().partition(b"\n")
    said, _, digest = headline.decode(errors="replace").rpartition(" ")
    if said != _headline():
        raise Unusable(f"it was written by {said[:60]!r}, this is {_headline()!r}")
    if hashlib.sha256(body).hexdigest() != digest:
        raise Unusable("its contents are damaged")
    try:
        data = _Reader(io.BytesIO(body)).load()
        simulation = Simulation()
        simulation.restore(data["backend"])
        world = World(
            simulation,
            memory=data["memory"],
            guild_id=data["guild_id"],
            people=data["people"],
            read=data["read"],
            dismissed=data["dismissed"],
        )
        simulation.guild  # noqa: B018  # raises when there is no server
    except Exception as wrong:  # whatever an old layout does to new code
        raise Unusable(f"{type(wrong).__name__}: {wrong}") from wrong
    return world


def _headline() -> str:
    return f"nightwatch-offline-table {FORMAT} simcord {simcord.__version__}"


def _aside(path: Path) -> Path:
    """A free name beside ``path`` for a file that cannot be used."""
    number = 1
    while (found := path.with_suffix(f".unusable-{number}")).exists():
        number += 1
    return found


class _Reader(pickle.Unpickler):
    """Builds simulator objects and plain data only: a saved world cannot run anything else."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith(_TRUSTED_MODULES) or (module, name) in _TRUSTED_NAMES:
            with contextlib.suppress(AttributeError):
                return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} has no place in a saved table")
