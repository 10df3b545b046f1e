"""The maze in chalk: walls, doors and things, as they were felt in the dark."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.chalk import Slate
from bot.render.fear_of_the_dark.glyphs import Point, oval, shaken
from bot.render.fear_of_the_dark.plan import Plan, outwards
from bot.render.fear_of_the_dark.things import things
from bot.render.kit.paint import Box
from engines.fear_of_the_dark.view import SIDES, LocationView, Maze, Room, Side

TURNS: Final = {"n": 0, "e": 1, "s": 2, "w": 3}
FARTHEST: Final = 0.55
"""How much of the chalk is left where nobody has been for long."""


def chalk_room(
    slate: Slate,
    plan: Plan,
    maze: Maze,
    room: Room,
    locations: Sequence[LocationView],
    exits: Collection[str],
    *,
    fresh: bool = False,
) -> None:
    """One room: its walls, its doors, what lies in it."""
    f = plan.f
    left, top, right, bottom = plan.floor(room.x, room.y)
    for n in (1, 2):  # the fields, barely
        for one, other in (
            ((left + n * f, top + 6), (left + n * f, bottom - 6)),
            ((left + 6, top + n * f), (right - 6, top + n * f)),
        ):
            slate.dashes(one, other, 1.6, dash=4, tone=88)
    if room.leakage:
        _chalk_water(slate, plan, room)
    for side in SIDES:
        _chalk_side(slate, plan, maze, room, side, f"{room.letter}.{side}" in exits)
    for number, thing in things(room, maze, locations, fresh=fresh).items():
        x, y, size = thing.spot(plan.field(room, number), number)
        if thing.name == "hole":
            _chalk_hole(slate, x, y, size)
        else:
            slate.stamp(thing.name, x, y, size, thing.number)


def _chalk_side(
    slate: Slate, plan: Plan, maze: Maze, room: Room, side: Side, is_exit: bool
) -> None:
    """The wall on one side, with what door it has."""
    left, top, right, bottom = plan.floor(room.x, room.y)
    corners: dict[Side, tuple[Point, Point]] = {
        "n": ((left, top), (right, top)),
        "s": ((left, bottom), (right, bottom)),
        "w": ((left, top), (left, bottom)),
        "e": ((right, top), (right, bottom)),
    }
    one, other = corners[side]
    door = maze.door(room.letter, side)
    if door == "none":
        slate.line((one, other), 4.2)
        return
    gap = plan.doorway(room.x, room.y, side)
    across = side in ("n", "s")
    dx, dy = outwards(side)
    a, b = ((gap[0], one[1]), (gap[2], one[1])) if across else ((one[0], gap[1]), (one[0], gap[3]))
    slate.line((one, a), 4.2)
    slate.line((b, other), 4.2)
    deep = plan.wall if door == "dark" else plan.wall / 2
    secret = side in room.secret_doors
    for (x, y), way in ((a, -1), (b, 1)):
        sx, sy = (way, 0) if across else (0, way)
        if secret:
            points = [
                (x + dx * deep * t + sx * s, y + dy * deep * t + sy * s)
                for t, s in ((0, 0), (0.25, 6), (0.45, -4), (0.7, 7), (1, -2))
            ]
            slate.line(points, 3.6, waver=0.4)
        else:
            slate.line(((x, y), (x + dx * deep, y + dy * deep)), 4.2)
    mx, my = (gap[0] + gap[2]) / 2, (gap[1] + gap[3]) / 2
    if door == "shut":
        _chalk_slab(slate, gap, across)
    elif door == "dark" and not is_exit:
        big = min(7.0, max(5.0, plan.f * 0.085))
        for n in range(3):
            far = plan.wall * 0.1 + n * big * 1.7
            slate.dot(mx + dx * far, my + dy * far, big - n * big * 0.25, 255 - n * 40)
    elif door == "open":
        there = maze.beyond(room.letter, side)
        if there is not None and not (plan.whole or plan.shows(there.x, there.y)):
            _chalk_arrow(slate, mx, my, dx, dy, plan.wall * 0.55)


def _chalk_slab(slate: Slate, gap: Box, across: bool) -> None:
    """A door that leads against a wall: a slab across it, with a cross."""
    left, top, right, bottom = gap
    if across:
        top, bottom = top + 1, bottom - 1
    else:
        left, right = left + 1, right - 1
    slate.line(((left, top), (right, top), (right, bottom), (left, bottom), (left, top)), 3.2)
    slate.line(((left, top), (right, bottom)), 3.2)
    slate.line(((left, bottom), (right, top)), 3.2)


def _chalk_arrow(slate: Slate, x: float, y: float, dx: int, dy: int, r: float) -> None:
    """There is more that way."""
    for back in (-0.5, 0.5):
        tip = (x + dx * r * (back + 0.5), y + dy * r * (back + 0.5))
        wings = [
            (tip[0] - dx * r + dy * r * way, tip[1] - dy * r + dx * r * way) for way in (-1, 1)
        ]
        slate.line((wings[0], tip, wings[1]), 3.4, waver=0.3)


def _chalk_hole(slate: Slate, x: int, y: int, size: int) -> None:
    """A ragged rim, and strokes that run down into it."""
    r = size / 2
    rim = shaken(list(oval(x, y, r * 0.96, r * 0.9)), slate.dice, r * 0.06)
    slate.line([*rim, rim[0]], 3.8)
    for n in range(-2, 3):
        h = r * 0.34 * n
        half = math.sqrt(max(0.0, (r * 0.82) ** 2 - h * h))
        k = math.sqrt(0.5)
        ends = [((h - s * half) * k, (h + s * half) * k) for s in (-1, 1)]
        slate.line([(x + a, y + b) for a, b in ends], 2.6, tone=190)


def _chalk_water(slate: Slate, plan: Plan, room: Room) -> None:
    """Ripples over the whole floor: it drips."""
    f = plan.f
    left, top, *_ = plan.floor(room.x, room.y)
    for n, (u, v) in enumerate(((1.0, 1.02), (2.02, 0.98), (0.98, 2.0), (2.0, 2.02))):
        x, y = left + u * f, top + v * f
        for k, r in enumerate((0.1, 0.24, 0.38)):
            ring = oval(x, y, r * f, r * f * 0.5)
            slate.line(ring[: 26 - 4 * (n % 2)], 3.0, tone=255 - 40 * k, waver=0.4)


def faded(mask: Image.Image, plan: Plan, at: tuple[int, int], *, dark: bool) -> Image.Image:
    """The chalk, fainter far from the Lost: what was touched last is clearest."""
    if not dark:
        return mask.point([round(v * 0.86) for v in range(256)])
    wide, high = mask.size
    r = plan.pitch * 2.4
    fall = Image.radial_gradient("L").resize((round(2 * r), round(2 * r)))
    fall = fall.point([255 - round(min(255, v * 1.0) * (1 - FARTHEST)) for v in range(256)])
    whole = Image.new("L", (wide, high), round(255 * FARTHEST))
    whole.paste(fall, (round(at[0] - r), round(at[1] - r)))
    return ImageChops.multiply(mask, whole)


def chalk_colours(size: tuple[int, int], plan: Plan, rooms: Sequence[Room]) -> Image.Image:
    """What colour the chalk has where: blue where it drips."""
    image = Image.new("RGB", size, p.CHALK)
    pen = ImageDraw.Draw(image)
    for room in rooms:
        if room.leakage:
            pen.rectangle(plan.floor(room.x, room.y), fill=p.WATER)
    return image
