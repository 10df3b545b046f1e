"""Where everything lies on the sheet: how large a field is, and which part of the maze is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.render.kit.paint import Box
from engines.fear_of_the_dark.view import BEYOND, Maze, Room, SeatView, Side

SIZE: Final = (1200, 900)
GROUND: Final[Box] = (0, 0, 904, 900)
"""The part of the sheet that is the maze and the dark around it."""
STRIP: Final = 292
"""What the choice of a lie takes at the bottom of it."""
LARGEST: Final = 124
SMALLEST: Final = 52
WALL: Final = 0.27
MARGIN: Final = 0.38
"""Walls between rooms and the dark around the maze, as shares of a field."""


def wall_of(f: int) -> int:
    """How thick the wall between two rooms is, where a field is `f` pixels wide."""
    return max(14, round(WALL * f))


@dataclass(frozen=True, slots=True)
class Plan:
    """Rooms by place of the grid: the shown ones are those from `left`, `top` on.

    `f` is the width of a field in pixels; `x`, `y` are the corner of the floor of the first room
    shown.
    """

    f: int
    left: int
    top: int
    across: int
    down: int
    x: int
    y: int
    ground: Box
    whole: bool

    @property
    def wall(self) -> int:
        """Between two rooms, in pixels."""
        return wall_of(self.f)

    @property
    def pitch(self) -> int:
        """From a room to the next, in pixels."""
        return 3 * self.f + self.wall

    def shows(self, x: int, y: int) -> bool:
        """Whether that place of the grid is on the picture."""
        return 0 <= x - self.left < self.across and 0 <= y - self.top < self.down

    def floor(self, x: int, y: int) -> Box:
        """The floor of the room on that place of the grid, without its walls."""
        left = self.x + (x - self.left) * self.pitch
        top = self.y + (y - self.top) * self.pitch
        return (left, top, left + 3 * self.f, top + 3 * self.f)

    def field(self, room: Room, number: int) -> Box:
        """One of the nine fields of a room."""
        left, top, *_ = self.floor(room.x, room.y)
        row, column = divmod(number - 1, 3)
        x, y = left + column * self.f, top + row * self.f
        return (x, y, x + self.f, y + self.f)

    def middle(self, maze: Maze, place: str) -> tuple[int, int]:
        """The middle of a field like `B5`."""
        left, top, right, bottom = self.field(maze.rooms[place[0]], int(place[1]))
        return (left + right) // 2, (top + bottom) // 2

    def doorway(self, x: int, y: int, side: Side) -> Box:
        """The gap in the wall, as wide as a door, on that side of a room."""
        left, top, right, bottom = self.floor(x, y)
        wide, wall = round(self.f * 0.62), self.wall
        a, b = (3 * self.f - wide) // 2, (3 * self.f + wide) // 2
        match side:
            case "n":
                return (left + a, top - wall, left + b, top)
            case "s":
                return (left + a, bottom, left + b, bottom + wall)
            case "w":
                return (left - wall, top + a, left, top + b)
            case "e":
                return (right, top + a, right + wall, top + b)


def places(view: SeatView) -> list[tuple[int, int]]:
    """The places of the grid that are taken, that of a tile to come among them."""
    found = [(room.x, room.y) for room in view.maze.rooms.values()]
    return found if view.reveal is None else [*found, (view.reveal.x, view.reveal.y)]


def planned(view: SeatView) -> Plan:
    """As large as the whole maze allows; a part around the Lost where it would get too small."""
    taken = places(view)
    here = view.maze.rooms[view.lost[0]]
    focus = (here.x, here.y)
    left, top, right, bottom = GROUND
    if view.reveal is not None:
        focus = (view.reveal.x, view.reveal.y)
        bottom -= STRIP
    ground = (left, top, right, bottom)
    x0, x1 = min(x for x, _ in taken), max(x for x, _ in taken)
    y0, y1 = min(y for _, y in taken), max(y for _, y in taken)
    across, down = x1 - x0 + 1, y1 - y0 + 1
    wide, high = right - left, bottom - top
    f = max(SMALLEST, min(LARGEST, _fitting(wide, across), _fitting(high, down)))
    wall = wall_of(f)
    room = 3 * f + wall
    most_across, most_down = (wide - wall - 8) // room, (high - wall - 8) // room
    whole = across <= most_across and down <= most_down
    if across > most_across:
        x0 = min(max(focus[0] - most_across // 2, x0), x1 - most_across + 1)
        across = most_across
    if down > most_down:
        y0 = min(max(focus[1] - most_down // 2, y0), y1 - most_down + 1)
        down = most_down
    x = left + (wide - across * room - wall) // 2 + wall
    y = top + (high - down * room - wall) // 2 + wall
    return Plan(f, x0, y0, across, down, x, y, ground, whole)


def _fitting(pixels: int, rooms: int) -> int:
    """The largest field with which so many rooms in a row fit, a little dark around them."""
    return int(pixels / (3 * rooms + WALL * (rooms + 1) + 2 * MARGIN))


def outwards(side: Side) -> tuple[int, int]:
    """One step out of a door."""
    return BEYOND[side]
