"""Short ways to a table that has begun."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.e2e.script import Question, script
from tests.e2e.world import World, controls


def world_of(folder: Path, *questions: Question) -> World:
    """A server with a game that asks these questions."""
    title = script(*questions)
    return World(folder, {title.key: title})


async def begin(world: World, game: str = "script", *others: str, **options: Any) -> None:
    """A table that Ann hosts and that has begun."""
    await world.slash("Ann", "play", game=game, **options)
    await world.beat()
    for name in others:
        await world.click(name, world.live(), "join")
    await world.click("Ann", world.live(), "start")
    await world.beat()


async def mark(world: World, name: str, message: Any, values: Sequence[str]) -> Any:
    """Choose for each token of a ballot; the last reply."""
    result: Any = None
    for part, value in zip(controls(message, "draft"), values, strict=True):
        result = await world.select(name, message, [value], custom_id=part.custom_id)
    return result


def picks(count: int) -> Sequence[Question]:
    """So many questions for the first seat."""
    return [Question("pick", 3, seats=(0,)) for _ in range(count)]


async def pick(world: World) -> Any:
    """Ann presses the first choice on the table."""
    table = [m for m in world.messages() if controls(m, "act")][-1]
    result = await world.press("Ann", table, controls(table, "act")[0].custom_id)
    await world.beat()
    return result
