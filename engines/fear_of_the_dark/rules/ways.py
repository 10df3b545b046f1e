"""[The Maze and Movement] where the Lost can go from here, and what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.fear_of_the_dark.maze import ITEMS, SECRETS, Way, door_field, door_of
from engines.fear_of_the_dark.rules import light
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

FIRST: Final = ("exit", "reveal", "near", "field")
"""The words of options where to walk, in the order in which they are offered."""


def can_walk(g: State, *, tiptoe: bool) -> bool:
    """Whether one step at least is possible."""
    on = any(g.maze.can_enter(place, tiptoe=tiptoe) for place in g.maze.near(g.lost))
    return on or door_before(g, g.lost) is not None


def ways(g: State, steps: int) -> dict[str, Way]:
    """The ways from here; in the Light around the leak where that is short enough; RULE-F43."""
    return g.maze.ways(g.lost, steps, tiptoe=g.is_tiptoeing, dry=g.is_light)


def ways_out(g: State, steps: int) -> dict[str, Way]:
    """The unused doors for which a step is left, each with the way to the field before it."""
    to = {g.lost: (), **ways(g, steps - 1)}
    before = {door: door_field(*door_of(door)) for door in g.maze.unused_doors()}
    return {door: to[place] for door, place in before.items() if place in to}


def places(g: State, steps: int) -> list[Option]:
    """The doors and fields within so many steps: ways on first, then what lies near something."""
    options: list[Option] = []
    for door, path in ways_out(g, steps).items():
        letter, side = door_of(door)
        about = {"room": letter, "side": side, "steps": len(path) + 1, "leaks": _leaks(g, path)}
        options.append(Option(door.lower(), "reveal" if g.tiles else "exit", about))
    for place, path in ways(g, steps).items():
        room = g.maze.rooms[place[0]]
        facts: dict[str, object] = {
            "field": place,
            "room": room.letter,
            "tile": room.tile,
            "steps": len(path),
            "leaks": _leaks(g, path),
            "drips": room.leakage,
        }
        things = things_near(g, place)
        if things:
            facts["near"] = things
        options.append(Option(place.lower(), "near" if things else "field", facts))
    return sorted(options, key=lambda option: FIRST.index(option.word))


def things_near(g: State, place: str) -> list[str]:
    """What somebody on that field could turn to."""
    found: list[str] = []
    for other in g.maze.near(place):
        mark, token = g.maze.mark(other), g.maze.tokens.get(other)
        if token is not None:
            found.append(token)
        elif mark in ITEMS and g.items[ITEMS.index(mark)]:
            found.append("item")
        elif mark in SECRETS and g.secrets[SECRETS.index(mark)]:
            found.append("secret")
    if door_before(g, place) is not None:
        found.append("door" if g.tiles else "exit")
    return list(dict.fromkeys(found))


def door_before(g: State, place: str) -> str | None:
    """The unused door that one stands in front of on that field."""
    doors = g.maze.unused_doors()
    return next((door for door in doors if door_field(*door_of(door)) == place), None)


def go(g: State, t: Table, path: Sequence[str]) -> None:
    """Walk all the way. Water on it takes the hand, but the move is completed; RULE-F22."""
    start = g.lost
    g.lost = path[-1]
    g.steps -= len(path)
    t.tell(
        "walked",
        field=g.lost,
        path=list(path),
        steps=len(path),
        left=g.steps,
        room=g.lost[0],
        tile=g.maze.rooms[g.lost[0]].tile,
        entered=g.lost[0] != start[0],
    )
    if _leaks(g, path):
        light.douse(g, t, "leak")


def _leaks(g: State, path: Sequence[str]) -> bool:
    return any(g.maze.rooms[place[0]].leakage for place in path)
