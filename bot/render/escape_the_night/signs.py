"""Name plates of rooms: each hangs where little is covered, and makes way for pawns.

A plate has a home for as long as nobody stands there, so that a room's name is found again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night.plan import House
from bot.render.kit.paint import Box
from bot.render.kit.sheet import Sheet

HEIGHT: Final = 34
PAD: Final = 8
PIECE: Final = 22
"""Half the size of tiles and artifacts."""
TOLD: Final = 5
"""How far a plate reaches beyond its letters, above and below."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a plate, with what speaks against it before anybody stands there."""

    against: float
    box: Box


@dataclass(frozen=True, slots=True)
class Sign:
    """A room's name with the places where it may hang, the best first."""

    text: str
    places: tuple[Place, ...]


def signs(house: House, names: Mapping[str, str], widths: Mapping[str, int]) -> list[Sign]:
    """The rooms' names with their places, on a line between two rows of the room if there is one.

    `widths` are the names' natural widths in pixels. The front steps have no name.
    """
    found: list[Sign] = []
    for room, text in names.items():
        spaces = house.spaces_of(room)
        if not spaces or room == house.rooms.get(house.steps):
            continue
        places = [
            place for run in _runs(house, room) for place in _places(house, run, widths[room])
        ]
        if places:
            found.append(Sign(text, tuple(sorted(places, key=lambda o: (o.against, o.box)))))
    return found


def hung(sign: Sign, pawns: Sequence[Box]) -> Box:
    """Where the plate hangs while pawns cover those boxes."""
    return min(
        sign.places, key=lambda place: (place.against + _hidden(place.box, pawns), place.box)
    ).box


def hang(sheet: Sheet, sign: Sign, box: Box) -> None:
    """Draw the plate there."""
    sheet.veil(box, p.BRASS_DARK, 0.95, 7)
    inner = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
    sheet.veil(inner, p.NIGHT, 0.93, 5)
    # Accents on capitals may rise above the plate.
    room = (box[0] + PAD - 2, box[1] - 6, box[2] - PAD + 2, box[3] + 6)
    sheet.write(sign.text, room, colour=p.IVORY, kind="title", align="middle")


@dataclass(frozen=True, slots=True)
class _Run:
    """Spaces side by side in `row`, and whether the row below them is of the same room."""

    row: int
    first: int
    last: int
    between: bool


def _runs(house: House, room: str) -> list[_Run]:
    found: list[_Run] = []
    for between in (True, False):
        for row in range(house.rows):
            start: int | None = None
            for column in range(house.columns + 1):
                inside = house.room(column, row) == room and (
                    not between or house.room(column, row + 1) == room
                )
                if inside and start is None:
                    start = column
                elif not inside and start is not None:
                    found.append(_Run(row, start, column - 1, between))
                    start = None
    return found


def _places(house: House, run: _Run, width: int) -> list[Place]:
    """Places for a plate along a run of spaces."""
    cell = house.cell
    left = house.left + run.first * cell + 5
    right = house.left + (run.last + 1) * cell - 5
    wide = min(width + 2 * PAD, right - left)
    y = round(house.top + (run.row + (1 if run.between else 0.5)) * cell)
    pieces = [house.middle(space) for space in (*house.circles, *house.triangles.values())]
    ritual = [house.middle(space) for space in house.ritual]
    middle = round((left + right - wide) / 2)
    cost = max(0.0, width + 2 * PAD - (right - left)) * 2
    cost += (0 if run.between else 40) + run.row * 0.5
    found: list[Place] = []
    for x in sorted({left, right - wide, middle, *range(left, right - wide, cell // 2)}):
        for shift in (0, -8, 8) if run.between else (0,):
            top = y + shift - HEIGHT // 2
            box = (x, top, x + wide, top + HEIGHT)
            against = cost + abs(x - middle) * 0.05 + abs(shift) * 0.4
            against += sum(_covered(box, *at, PIECE) ** 2 for at in pieces) / 6
            against += sum(_covered(box, *at, cell // 2) ** 2 for at in ritual) / 6
            found.append(Place(against, box))
    return found


def _covered(box: Box, x: int, y: int, half: int) -> int:
    """How many pixels deep a square around (x, y) and the box run into each other."""
    return overlap(box, (x - half, y - half, x + half, y + half))


def _hidden(box: Box, pawns: Sequence[Box]) -> float:
    """What speaks against the place because pawns stand on its letters; one deep is worst."""
    told = (box[0] + PAD, box[1] + TOLD, box[2] - PAD, box[3] - TOLD)
    return sum(overlap(told, pawn) ** 2 for pawn in pawns) * 3


def overlap(one: Box, other: Box) -> int:
    """How many pixels deep two boxes run into each other, 0 if they do not."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return min(across, down) if across > 0 and down > 0 else 0
