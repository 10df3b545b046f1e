"""Where things lie on the picture: the house in pixels, its walls, doors and name plates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from bot.render.kit.paint import Box
from engines.escape_the_night.view import SeatView

SIZE: Final = (1200, 900)

TOP: Final[Box] = (8, 8, 884, 96)
"""The clock and the mantle."""

SIDE: Final[Box] = (892, 8, 1192, 892)
"""The Mysterious Man, the seats, what is going on."""

FIELD: Final[Box] = (0, 97, 884, 804)
"""The house with its coordinates."""

YARD: Final[Box] = (8, 808, 884, 892)
"""Outside the front door, and the graveyard."""

GUTTER: Final = (44, 35)
"""Room for the coordinates: width on the left, height at the top."""

CELL_MOST: Final = 60
DOORWAY: Final = 0.6
"""How much of a space's side a door opens."""

Way = Literal["across", "down"]


@dataclass(frozen=True, slots=True)
class Edge:
    """A side of a space: from (x, y) one space long, in grid units from the upper left corner.

    `outer` edges have the night on one side, `moonlit` ones on that of the moon: north or west.
    """

    x: int
    y: int
    way: Way
    outer: bool
    moonlit: bool


class House:
    """A floor plan laid out in `FIELD`. All pixels are of the finished picture."""

    def __init__(self, view: SeatView) -> None:
        board = view.board
        self.rooms: dict[str, str] = {
            f"{chr(ord('a') + column)}{row}": board.marks[mark]
            for row, text in enumerate(board.plan, 1)
            for column, mark in enumerate(text)
            if mark != "."
        }
        self.columns = max(len(text) for text in board.plan)
        self.rows = len(board.plan)
        self.doors = board.doors
        self.circles = board.circles
        self.triangles: Mapping[str, str] = board.triangles
        self.steps = board.steps
        self.ritual = board.ritual
        self.kinds = {room: board.rooms[room].kind for room in board.rooms}
        left, top, right, bottom = FIELD
        across = (right - left - GUTTER[0]) // self.columns
        down = (bottom - top - GUTTER[1]) // self.rows
        self.cell = min(across, down, CELL_MOST)
        spare = right - left - GUTTER[0] - self.cell * self.columns
        self.left = left + GUTTER[0] + spare // 2
        self.top = top + GUTTER[1]

    @staticmethod
    def place(space: str) -> tuple[int, int]:
        """Column and row of a space, from 0."""
        return ord(space[0]) - ord("a"), int(space[1:]) - 1

    @staticmethod
    def name(column: int, row: int) -> str:
        """The space in that column and row."""
        return f"{chr(ord('a') + column)}{row + 1}"

    def room(self, column: int, row: int) -> str | None:
        """The room there, None outside the house."""
        return self.rooms.get(self.name(column, row)) if column >= 0 and row >= 0 else None

    def box(self, space: str) -> Box:
        """The space's square."""
        column, row = self.place(space)
        x, y = self.left + column * self.cell, self.top + row * self.cell
        return (x, y, x + self.cell, y + self.cell)

    def middle(self, space: str) -> tuple[int, int]:
        """The middle of the space."""
        left, top, right, bottom = self.box(space)
        return (left + right) // 2, (top + bottom) // 2

    def spaces_of(self, room: str) -> list[str]:
        """The spaces of a room, row by row."""
        return [space for space, name in self.rooms.items() if name == room]

    def around(self, room: str, inset: int) -> Box:
        """The box around all spaces of a room, smaller by `inset` on each side."""
        boxes = [self.box(space) for space in self.spaces_of(room)]
        return (
            min(box[0] for box in boxes) + inset,
            min(box[1] for box in boxes) + inset,
            max(box[2] for box in boxes) - inset,
            max(box[3] for box in boxes) - inset,
        )

    @cached_property
    def area(self) -> Box:
        """The whole grid."""
        return (
            self.left,
            self.top,
            self.left + self.columns * self.cell,
            self.top + self.rows * self.cell,
        )

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """All sides of spaces on which a wall stands, doors or not."""
        found: list[Edge] = []
        for row in range(self.rows + 1):
            for column in range(self.columns + 1):
                here = self.room(column, row)
                for way, beside in (
                    ("across", self.room(column, row - 1)),
                    ("down", self.room(column - 1, row)),
                ):
                    if here != beside:
                        outer = here is None or beside is None
                        way_: Way = "across" if way == "across" else "down"
                        found.append(Edge(column, row, way_, outer, beside is None))
        return tuple(found)

    @cached_property
    def doorways(self) -> tuple[Edge, ...]:
        """The sides of spaces with a door in them."""
        found: list[Edge] = []
        for one, other in self.doors:
            (c1, r1), (c2, r2) = self.place(one), self.place(other)
            way: Way = "across" if c1 == c2 else "down"
            found.append(Edge(max(c1, c2), max(r1, r2), way, outer=False, moonlit=False))
        return tuple(found)

    def doorway(self, edge: Edge, thickness: int) -> Box:
        """The opening of a door in a wall that thick."""
        x, y = self.left + edge.x * self.cell, self.top + edge.y * self.cell
        half = thickness // 2
        gap = round(self.cell * (1 - DOORWAY) / 2)
        if edge.way == "across":
            return (x + gap, y - half, x + self.cell - gap, y + half)
        return (x - half, y + gap, x + half, y + self.cell - gap)


def spread(
    points: Sequence[tuple[float, float]], apart: float, within: Sequence[Box]
) -> list[tuple[int, int]]:
    """The points pushed away from each other until all are `apart`, or as far as 60 steps bring.

    Each stays within its own box.
    """
    now = [
        # Points on the same spot need some direction to part in; the order gives it.
        (x + 0.5 * ((n * 7) % 5 - 2), y + 0.5 * ((n * 3) % 5 - 2))
        for n, (x, y) in enumerate(points)
    ]
    for _ in range(60):
        moved = False
        for n in range(len(now)):
            for m in range(n):
                dx, dy = now[n][0] - now[m][0], now[n][1] - now[m][1]
                far = (dx * dx + dy * dy) ** 0.5
                if far >= apart:
                    continue
                moved = True
                if far < 0.01:
                    dx, dy, far = 1.0, 0.5, 1.1
                push = (apart - far) / far / 2
                now[n] = _inside(now[n][0] + dx * push, now[n][1] + dy * push, within[n])
                now[m] = _inside(now[m][0] - dx * push, now[m][1] - dy * push, within[m])
        if not moved:
            break
    return [(round(x), round(y)) for x, y in now]


def _inside(x: float, y: float, box: Box) -> tuple[float, float]:
    return (min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3]))
