"""A moderator at a table, for tests."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.sessions.session import Session
from tests.e2e.play import begin, controls, world_of
from tests.e2e.script import Question
from tests.e2e.world import World, parts, text

PICKS = [Question("pick", 3, seats=(n % 2,)) for n in range(8)]


COMMANDS = (
    "list", "inspect", "check", "restore", "rewind", "pause", "resume", "seat", "end", "log",
)  # fmt: skip


@asynccontextmanager
async def at_table(
    folder: Path, *questions: Question, seated: bool = False
) -> AsyncIterator[World]:
    """A table of Ann (host) and Ben, or Ann and the moderator Olga; Olga owns the server."""
    async with world_of(folder, *(questions or PICKS)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Olga" if seated else "Ben")
        yield world


def table(world: World) -> Session:
    """The table of the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


async def session(world: World, command: str, name: str = "Olga", **options: Any) -> Any:
    """The reply to a command about the table of the channel."""
    known = {"table": table(world).code, **options}
    if command in ("list", "log"):
        known = options
    result = await world.slash(name, f"session {command}", **known)
    return result.response


async def press(world: World, message: Any, verb: str, name: str = "Olga") -> Any:
    """The reply to a button of a private panel."""
    result = await world.click(name, message, verb)
    return result.response


async def choose(world: World, message: Any, value: str, name: str = "Olga") -> Any:
    """The reply to a choice in the only menu of a panel."""
    menu = next(part for part in parts(message) if part.options)
    result = await world.select(name, message, [value], custom_id=menu.custom_id)
    return result.response


def beginning(listed: Any) -> str:
    """The choice that takes everything back."""
    return next(value for part in parts(listed) for value in part.options if value[:2] == "0.")


async def move(world: World, name: str = "Ann") -> None:
    """Whoever that is presses the first choice on the table."""
    live = [m for m in world.messages() if controls(m, "act")][-1]
    await world.press(name, live, controls(live, "act")[0].custom_id)
    await world.beat()


def newest(world: World) -> str:
    """All that the channel's messages say, as one text."""
    return "\n".join(text(message) for message in world.messages())
