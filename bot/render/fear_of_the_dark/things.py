"""What lies on the fields of a room, and which rooms the light falls into."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.fear_of_the_dark.plan import Plan
from bot.render.kit.paint import Box
from engines.fear_of_the_dark.view import (
    HOLE,
    ITEMS,
    PRINTED,
    SECRETS,
    SIDES,
    Lie,
    LocationView,
    Maze,
    RevealView,
    Room,
    SeatView,
)

BIG: Final = 0.78
SMALL: Final = 0.62
"""How large holes, and what can be explored, are drawn: shares of a field."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a field: the name of its drawing, and the location that it belongs to."""

    name: str
    number: int = 0

    def spot(self, field: Box, number: int) -> tuple[int, int, int]:
        """The middle of its drawing on the field of that number, and how wide it is.

        Not in the first corner, where the letter of the room is, nor where a figure may stand.
        """
        f = field[2] - field[0]
        if self.name == "hole":
            return field[0] + f // 2, field[1] + f // 2, round(BIG * f)
        if self.name == "obstruction":
            return field[0] + round(0.58 * f), field[1] + round(0.44 * f), round(0.74 * f)
        right, down = (0.67, 0.45) if number == 1 else (0.63, 0.36)
        return field[0] + round(right * f), field[1] + round(down * f), round(SMALL * f)


def things(
    room: Room, maze: Maze, locations: Sequence[LocationView], *, fresh: bool = False
) -> Mapping[int, Thing]:
    """By field. In a `fresh` room the printed obstructions and locks are there already."""
    found: dict[int, Thing] = {}
    left = {place.number: place for place in locations}
    for number, mark in enumerate(room.fields, 1):
        token = PRINTED.get(mark) if fresh else maze.tokens.get(f"{room.letter}{number}")
        if token is not None:
            found[number] = Thing(token)
        elif mark == HOLE:
            found[number] = Thing("hole")
        elif mark in ITEMS:
            location = ITEMS.index(mark) + 1
            empty = location in left and not left[location].items
            found[number] = Thing("item_empty") if empty else Thing("item", location)
        elif mark in SECRETS:
            location = SECRETS.index(mark) + 1
            empty = location in left and not left[location].secrets
            found[number] = Thing("secret_empty") if empty else Thing("secret", location)
    return found


def lit_rooms(view: SeatView) -> tuple[str, ...]:
    """The room of the Lost, if there is light, and those that it falls into through open doors."""
    if not view.light or view.leaking:
        return ()
    here = view.lost[0]
    beside = [
        other.letter
        for side in SIDES
        if view.maze.door(here, side) == "open"
        and (other := view.maze.beyond(here, side)) is not None
        and not other.leakage
    ]
    return (here, *beside)


def ways_out(view: SeatView) -> tuple[str, ...]:
    """The doors that lead out of the maze, without the one that a tile has been turned up at."""
    turned = None if view.reveal is None else view.reveal.door
    return tuple(key for key in view.exits if key != turned)


def placed(found: RevealView, lie: Lie) -> Room:
    """The turned up tile as a room that lies like that."""
    return Room(found.letter, found.tile, found.x, found.y, lie.fields, lie.doors, found.danger)


def shown(plan: Plan, maze: Maze) -> list[Room]:
    """The rooms on the picture."""
    return [room for room in maze.rooms.values() if plan.shows(room.x, room.y)]
