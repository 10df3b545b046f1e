"""The maze where light falls: flagstones, walls, long shadows, the circle of a match."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.glyphs import Point, coloured, oval, shaken
from bot.render.fear_of_the_dark.plan import Plan, outwards
from bot.render.fear_of_the_dark.things import things
from bot.render.kit.paint import Box, glow, mix, sprite
from engines.fear_of_the_dark.view import SIDES, LocationView, Maze, Room, Side

VARIANTS: Final = 9
REACH: Final = 1.9
"""How far the light of a match reaches, in rooms."""
SPILL: Final = 0.5
"""How bright a neighbouring room is where the match does not shine into it directly."""


@lru_cache(maxsize=64)
def flagstone(f: int, variant: int) -> Image.Image:
    """One field of the floor."""
    dice = random.Random(f"flag {variant}")
    base = mix(p.OCHRE, p.OCHRE_LIGHT if variant % 2 else p.OCHRE_DARK, dice.uniform(0.05, 0.3))

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = f * fine
        e = 0.018 * s
        pen.rectangle((0, 0, s, s), fill=mix(p.OCHRE_DARK, p.EARTH, 0.55))
        slabs = [(0.0, 0.0, 1.0, 1.0)]
        if variant in (2, 5):
            cut = dice.uniform(0.38, 0.62)
            slabs = [(0.0, 0.0, cut, 1.0), (cut, 0.0, 1.0, 1.0)]
        elif variant in (4, 7):
            cut = dice.uniform(0.38, 0.62)
            slabs = [(0.0, 0.0, 1.0, cut), (0.0, cut, 1.0, 1.0)]
        for a, b, c, d in slabs:
            tone = mix(base, p.OCHRE_DARK, dice.uniform(0, 0.16))
            box = (a * s + e, b * s + e, c * s - e, d * s - e)
            r = 0.05 * s
            pen.rounded_rectangle(box, r, fill=mix(tone, p.EARTH, 0.35))
            up = (box[0], box[1], box[2] - 1.2 * e, box[3] - 1.6 * e)
            pen.rounded_rectangle(up, r, fill=mix(tone, p.FLAME_CORE, 0.22))
            flat = (box[0] + e, box[1] + 1.2 * e, box[2] - 1.4 * e, box[3] - 1.8 * e)
            pen.rounded_rectangle(flat, r, fill=tone)
        for _ in range(3 if variant % 3 else 1):
            x, y, r = dice.uniform(0.15, 0.85) * s, dice.uniform(0.15, 0.85) * s, 0.02 * s
            pen.ellipse((x - r, y - r * 0.7, x + r, y + r * 0.7), fill=mix(base, p.EARTH, 0.3))
        if variant in (0, 3, 6):
            x, y = dice.uniform(0.1, 0.4) * s, 0.03 * s
            path = [(x, y)]
            for _ in range(4):
                x, y = x + dice.uniform(-0.05, 0.16) * s, y + dice.uniform(0.08, 0.2) * s
                path.append((x, y))
            pen.line(path, fill=mix(base, p.EARTH, 0.5), width=round(0.018 * s), joint="curve")

    return sprite(f, f, paint).convert("RGB")


def stone_room(
    image: Image.Image,
    shade: Image.Image,
    plan: Plan,
    maze: Maze,
    room: Room,
    locations: Sequence[LocationView],
    light: tuple[int, int],
    *,
    fresh: bool = False,
) -> list[tuple[Image.Image, int, int]]:
    """Floor and walls of a room; the shadows go onto `shade`. What stands on it, for later."""
    f, wall = plan.f, plan.wall
    left, top, right, bottom = plan.floor(room.x, room.y)
    around = (left - wall, top - wall, right + wall, bottom + wall)
    _wall(image, around, wall, f"{room.tile}{room.letter}")
    dice = random.Random(f"floor {room.tile}")
    for number in range(1, 10):
        x, y, *_ = plan.field(room, number)
        image.paste(flagstone(f, dice.randrange(VARIANTS)), (x, y))
    pen = ImageDraw.Draw(image)
    pen.rectangle((left - 2, top - 2, right + 1, bottom + 1), outline=p.OCHRE_LIGHT, width=3)
    for side in SIDES:
        _door(image, plan, maze, room, side)
    standing: list[tuple[Image.Image, int, int]] = []
    cast = ImageDraw.Draw(shade)
    for number, thing in things(room, maze, locations, fresh=fresh).items():
        x, y, size = thing.spot(plan.field(room, number), number)
        if thing.name == "hole":
            standing.append((_pit(size), x, y))
        else:
            standing.append((coloured(thing.name, size, thing.number), x, y))
            if not thing.name.endswith("_empty"):
                _shadow(cast, light, x, y + size * 0.16, size * 0.42, f * 2.2)
    return standing


@lru_cache(maxsize=8)
def _blocks(length: int, thick: int, seed: int) -> Image.Image:
    """A row of the stones that walls are made of."""
    dice = random.Random(f"wall {seed}")
    image = Image.new("RGB", (length, thick), mix(p.EARTH, p.PIT, 0.4))
    pen = ImageDraw.Draw(image)
    x = 0
    while x < length:
        wide = round(thick * dice.uniform(1.3, 2.4))
        tone = mix(p.OCHRE_DARK, p.EARTH, dice.uniform(0.25, 0.6))
        pen.rounded_rectangle((x + 1, 1, x + wide - 2, thick - 2), 3, fill=tone)
        pen.line((x + 3, 2, x + wide - 4, 2), fill=mix(tone, p.OCHRE_LIGHT, 0.3), width=2)
        x += wide
    return image


def _wall(image: Image.Image, around: Box, wall: int, seed: str) -> None:
    left, top, right, bottom = around
    number = random.Random(seed).randrange(3)
    row = _blocks(right - left, wall, number)
    column = row.transpose(Image.Transpose.ROTATE_270)
    image.paste(column, (left, top))
    image.paste(column, (right - wall, top))
    image.paste(row, (left, top))
    image.paste(row, (left, bottom - wall))


def _door(image: Image.Image, plan: Plan, maze: Maze, room: Room, side: Side) -> None:
    """The gap in the wall, or what fills it."""
    door = maze.door(room.letter, side)
    if door == "none":
        return
    gap = plan.doorway(room.x, room.y, side)
    left, top, right, bottom = gap
    across = side in ("n", "s")
    pen = ImageDraw.Draw(image)
    secret = side in room.secret_doors
    floor = mix(p.OCHRE_DARK, p.OCHRE, 0.45)
    box = (left, top - 2, right, bottom + 2) if across else (left - 2, top, right + 2, bottom)
    if door == "shut":
        pen.rectangle(box, fill=p.PIT)
        inner = (left + 2, top + 2, right - 3, bottom - 3)
        pen.rectangle(inner, fill=mix(p.WOOD, p.OCHRE_DARK, 0.55), outline=p.PIT, width=2)
        pen.line((left + 2, top + 2, right - 3, bottom - 3), fill=p.PIT, width=4)
        pen.line((left + 2, bottom - 3, right - 3, top + 2), fill=p.PIT, width=4)
        return
    pen.rectangle(box, fill=floor if door == "open" else p.PIT)
    if door == "dark":
        # The threshold still shows; behind it nothing does.
        dx, dy = outwards(side)
        for n in range(5):
            deep = (right - left if not across else bottom - top) / 5
            tone = mix(floor, p.PIT, min(1.0, 0.25 + n * 0.22))
            if across:
                y0 = bottom - deep * (n + 1) if dy < 0 else top + deep * n
                pen.rectangle((left, y0, right, y0 + deep), fill=tone)
            else:
                x0 = right - deep * (n + 1) if dx < 0 else left + deep * n
                pen.rectangle((x0, top, x0 + deep, bottom), fill=tone)
    jamb = p.OCHRE_LIGHT
    if secret:
        _broken(pen, gap, across)
    elif across:
        pen.line((left - 1, top, left - 1, bottom), fill=jamb, width=3)
        pen.line((right, top, right, bottom), fill=jamb, width=3)
    else:
        pen.line((left, top - 1, right, top - 1), fill=jamb, width=3)
        pen.line((left, bottom, right, bottom), fill=jamb, width=3)


def _broken(pen: ImageDraw.ImageDraw, gap: Box, across: bool) -> None:
    """Edges of a wall that was knocked in."""
    left, top, right, bottom = gap
    for way, edge in ((-1, left if across else top), (1, right if across else bottom)):
        low, high = (top, bottom) if across else (left, right)
        teeth = [(low + (high - low) * t, edge + way * s) for t, s in _TEETH]
        path = [(b, a) if across else (a, b) for a, b in teeth]
        pen.line(path, fill=p.FLAME_CORE, width=4, joint="curve")


_TEETH: Final = ((0, 0), (0.25, 7), (0.45, -5), (0.7, 8), (1, -2))


@lru_cache(maxsize=16)
def _pit(size: int) -> Image.Image:
    """A hole in the floor with a ragged rim."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        dice = random.Random("pit")
        rim = shaken(list(oval(s / 2, s / 2, s * 0.47, s * 0.44)), dice, s * 0.025)
        pen.polygon(rim, fill=p.OCHRE_LIGHT)
        inner = [(s / 2 + (x - s / 2) * 0.9, s / 2 + (y - s / 2) * 0.89 + s * 0.01) for x, y in rim]
        pen.polygon(inner, fill=p.EARTH)
        deep = [(s / 2 + (x - s / 2) * 0.8, s / 2 + (y - s / 2) * 0.74 + s * 0.05) for x, y in rim]
        pen.polygon(deep, fill=p.PIT)

    return sprite(size, size, paint)


def _shadow(
    pen: ImageDraw.ImageDraw, light: tuple[int, int], x: float, y: float, r: float, longest: float
) -> None:
    """What a thing of that radius keeps the light from."""
    dx, dy = x - light[0], y - light[1]
    far = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy = dx / far, dy / far
    length = min(longest, r + far * 0.9)
    wide = r * (1 + length / max(far, 2 * r) * 0.7)
    points: list[Point] = [
        (x - uy * r, y + ux * r),
        (x + uy * r, y - ux * r),
        (x + ux * length + uy * wide, y + uy * length - ux * wide),
        (x + ux * length - uy * wide, y + uy * length + ux * wide),
    ]
    pen.polygon(points, fill=255)


def light_mask(
    size: tuple[int, int],
    plan: Plan,
    maze: Maze,
    lit: Collection[str],
    at: tuple[int, int],
    here: str,
) -> Image.Image:
    """How much light there is: a circle around the match, kept in by walls, let out by doors."""
    wide, high = size
    half = (wide // 2, high // 2)
    inside = Image.new("L", half)
    pen = ImageDraw.Draw(inside)
    wall = plan.wall
    for letter in lit:
        room = maze.rooms[letter]
        left, top, right, bottom = plan.floor(room.x, room.y)
        if letter == here:
            continue
        own = (left - wall, top - wall, right + wall, bottom + wall)
        pen.rectangle(tuple(v / 2 for v in own), fill=round(255 * SPILL))
    for letter in lit:
        if letter != here:
            _fan(inside, plan, maze, maze.rooms[here], maze.rooms[letter], at)
    left, top, right, bottom = plan.floor(maze.rooms[here].x, maze.rooms[here].y)
    pen = ImageDraw.Draw(inside)
    own = (left - wall, top - wall, right + wall, bottom + wall)
    pen.rectangle(tuple(v / 2 for v in own), fill=255)
    inside = inside.filter(ImageFilter.GaussianBlur(max(3, wall / 5)))
    r = round(plan.pitch * REACH)
    fall = Image.radial_gradient("L").resize((2 * r // 2, 2 * r // 2), Image.Resampling.BICUBIC)
    fall = fall.point([round(255 * _fallen(v / 181)) for v in range(256)])
    circle = Image.new("L", half)
    circle.paste(fall, ((at[0] - r) // 2, (at[1] - r) // 2))
    return ImageChops.multiply(inside, circle).resize(size, Image.Resampling.BILINEAR)


def _fallen(share: float) -> float:
    """Light at that share of its reach."""
    return max(0.0, 1.0 - max(0.0, share - 0.12) ** 1.25 * 1.05)


def _fan(
    mask: Image.Image, plan: Plan, maze: Maze, here: Room, other: Room, at: tuple[int, int]
) -> None:
    """The wedge of light that shines through a door into the next room."""
    side: Side = next(s for s in SIDES if maze.beyond(here.letter, s) == other)
    left, top, right, bottom = plan.doorway(here.x, here.y, side)
    posts = {
        "n": ((left, bottom), (right, bottom)), "s": ((left, top), (right, top)),
        "w": ((right, top), (right, bottom)), "e": ((left, top), (left, bottom)),
    }[side]  # fmt: skip
    beam = Image.new("L", mask.size)
    far = 12.0
    ends = [(at[0] + (x - at[0]) * far, at[1] + (y - at[1]) * far) for x, y in posts]
    points = [posts[0], posts[1], ends[1], ends[0]]
    ImageDraw.Draw(beam).polygon([(x / 2, y / 2) for x, y in points], fill=255)
    wall = plan.wall
    floor = plan.floor(other.x, other.y)
    box = (floor[0] - wall, floor[1] - wall, floor[2] + wall, floor[3] + wall)
    half: Box = (max(0, box[0] // 2), max(0, box[1] // 2), box[2] // 2, box[3] // 2)
    part = ImageChops.lighter(mask.crop(half), beam.crop(half))
    mask.paste(part, half[:2])


def warmed(image: Image.Image, at: tuple[int, int], f: int) -> None:
    """The glow around the match itself."""
    size = round(f * 4.4)
    light = glow(size, size, p.FLAME, 0.62)
    image.paste(light, (at[0] - size // 2, at[1] - size // 2), light)


def shaded(image: Image.Image, shade: Image.Image, f: int) -> Image.Image:
    """The stone under its shadows."""
    soft = shade.filter(ImageFilter.GaussianBlur(f / 14)).point(
        [round(v * 0.62) for v in range(256)]
    )
    image.paste(p.PIT, (0, 0), soft)
    return image
