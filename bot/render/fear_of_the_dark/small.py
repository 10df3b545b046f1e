"""The whole maze, small: where the large picture shows a part, and at the end."""

from __future__ import annotations

from typing import Final

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.plan import Plan, places
from bot.render.fear_of_the_dark.things import ways_out
from bot.render.kit.paint import Box, rgb
from bot.render.kit.sheet import Placed, Sheet
from engines.fear_of_the_dark.view import SIDES, SeatView, Side

LETTERED: Final = 44
"""A room of so many pixels has its letter on it."""
TINY: Final = 14
PAD: Final = 10


def put_small(
    sheet: Sheet, view: SeatView, left: int, top: int, cell: int, plan: Plan | None = None
) -> None:
    """The maze with rooms of `cell` pixels from there on; what `plan` shows framed."""
    maze = view.maze
    x0, y0, _, _ = _bounds(view)
    exits = ways_out(view)
    gap = 2 if cell < LETTERED else 4
    for room in maze.rooms.values():
        x, y = left + (room.x - x0) * cell, top + (room.y - y0) * cell
        here = room.letter == view.lost[0]
        box = (x + gap, y + gap, x + cell - gap, y + cell - gap)
        edge = p.FLAME if here else p.WATER if room.leakage else p.CHALK_DIM
        if cell < LETTERED:
            sheet.veil(box, edge, 1, 2)
        else:
            sheet.veil(box, edge, 1, 5)
            inner = (box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3)
            ground = p.FLAME if here else rgb("1d1a16")
            sheet.veil(inner, ground, 1, 3)
            colour = p.EARTH if here else p.CHALK
            sheet.write(room.letter, inner, colour=colour, kind="title", align="middle")
        for side in SIDES:
            if maze.door(room.letter, side) == "open" and side in ("e", "s"):
                half = max(2, cell // 8)
                if side == "e":
                    mid = (box[1] + box[3]) // 2
                    link = (box[2] - 1, mid - half, box[2] + 2 * gap + 1, mid + half)
                else:
                    mid = (box[0] + box[2]) // 2
                    link = (mid - half, box[3] - 1, mid + half, box[3] + 2 * gap + 1)
                sheet.veil(link, p.CHALK_DIM, 1)
            elif f"{room.letter}.{side}" in exits:
                sheet.veil(_way_out(box, side, max(3, cell // 7)), p.DAWN, 1)
    if view.reveal is not None and cell >= LETTERED:
        x, y = left + (view.reveal.x - x0) * cell, top + (view.reveal.y - y0) * cell
        box = (x + gap, y + gap, x + cell - gap, y + cell - gap)
        sheet.write(view.reveal.letter, box, colour=p.FLAME, kind="title", align="middle")
    if plan is not None:
        _frame(sheet, plan, left, top, cell, x0, y0)


def _way_out(box: Box, side: Side, r: int) -> Box:
    """A tab outside of a room, where day comes in."""
    left, top, right, bottom = box
    x, y = (left + right) // 2, (top + bottom) // 2
    return {
        "n": (x - r, top - 5, x + r, top + 1),
        "s": (x - r, bottom - 1, x + r, bottom + 5),
        "w": (left - 5, y - r, left + 1, y + r),
        "e": (right - 1, y - r, right + 5, y + r),
    }[side]


def _frame(sheet: Sheet, plan: Plan, left: int, top: int, cell: int, x0: int, y0: int) -> None:
    """What part is on the large picture."""
    a, b = left + (plan.left - x0) * cell - 2, top + (plan.top - y0) * cell - 2
    c, d = a + plan.across * cell + 4, b + plan.down * cell + 4
    for box in ((a, b, c, b + 3), (a, d - 3, c, d), (a, b, a + 3, d), (c - 3, b, c, d)):
        sheet.veil(box, p.FLAME_CORE, 1)


def extent(view: SeatView) -> tuple[int, int]:
    """How many rooms across and down the maze is."""
    x0, y0, x1, y1 = _bounds(view)
    return x1 - x0 + 1, y1 - y0 + 1


def _bounds(view: SeatView) -> Box:
    """The first and the last place of the grid that are taken, across and down."""
    xs, ys = zip(*places(view), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def put_in_corner(sheet: Sheet, view: SeatView, plan: Plan) -> None:
    """The small maze in that corner of the picture where it covers the least."""
    across, down = extent(view)
    edge = plan.wall + 4
    taken = [
        (left - edge, top - edge, right + edge, bottom + edge)
        for left, top, right, bottom in (
            plan.floor(x, y) for x, y in places(view) if plan.shows(x, y)
        )
    ]
    found: list[tuple[int, int, int, int]] = []
    for cell in (LETTERED + 8, LETTERED, TINY):
        for n, box in enumerate(_corners(plan.ground, across * cell, down * cell)):
            if box[0] >= plan.ground[0] and box[1] >= plan.ground[1]:
                found.append((sum(_shared(box, other) for other in taken), -cell, n, cell))
    if not found:
        return
    _, _, n, cell = min(found)
    box = _corners(plan.ground, across * cell, down * cell)[n]
    sheet.veil((box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3), p.CHALK_DIM, 0.8, 9)
    sheet.veil(box, p.PIT, 1, 7)
    put_small(sheet, view, box[0] + PAD, box[1] + PAD, cell, plan)
    sheet.placed.append(Placed("piece", "small map", box, box, cell))


def _corners(ground: Box, wide: int, high: int) -> list[Box]:
    """Room for a plate of that size in each corner, and in the middle of each side."""
    left, top, right, bottom = ground
    w, h = wide + 2 * PAD, high + 2 * PAD
    xs, ys = (right - 10 - w, left + 10), (top + 10, bottom - 10 - h)
    mid_x, mid_y = (left + right - w) // 2, (top + bottom - h) // 2
    spots = [(x, y) for y in ys for x in xs]
    spots += [(mid_x, y) for y in ys] + [(x, mid_y) for x in xs]
    return [(x, y, x + w, y + h) for x, y in spots]


def _shared(one: Box, other: Box) -> int:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0
