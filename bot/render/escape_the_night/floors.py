"""Floors of the house: what each room is laid out with, drawn at twice the size of the picture."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Final

from PIL import Image, ImageDraw

from bot.render.kit.paint import Rgb, mix, rgb

OAK: Final = rgb("5f4630")
WALNUT: Final = rgb("49342a")
CHESTNUT: Final = rgb("6a4530")
MARBLE: Final = rgb("57607a")
SLATE: Final = rgb("333d57")
CREAM: Final = rgb("8a8371")
BRASS: Final = rgb("c79a4b")
CRIMSON: Final = rgb("6b2530")
BOTTLE: Final = rgb("20503f")
INDIGO: Final = rgb("2a3a70")
PLUM: Final = rgb("4d2a52")

Painter = Callable[[ImageDraw.ImageDraw, int, int, int, random.Random], None]
"""Paints width x height pixels in which a space is `cell` wide."""


def planks(colour: Rgb) -> Painter:
    """Boards along the room, each of a slightly different tone."""

    def paint(
        pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
    ) -> None:
        deep = cell // 4
        for n, y in enumerate(range(0, height, deep)):
            x = -(n * 5 % 7) * cell // 3
            while x < width:
                long = cell * 2 + (n * 3 + x) % 3 * cell // 2
                tone = mix(colour, (20, 14, 12), 0.16 * rng.random())
                pen.rectangle((x, y, x + long, y + deep), fill=tone)
                pen.line((x, y, x, y + deep), fill=mix(colour, (10, 8, 8), 0.5), width=2)
                x += long
            pen.line((0, y, width, y), fill=mix(colour, (10, 8, 8), 0.4), width=2)

    return paint


def herringbone(colour: Rgb) -> Painter:
    """Parquet in zigzag."""

    def paint(
        pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
    ) -> None:
        wide = cell // 4
        light, dark = mix(colour, (255, 220, 170), 0.05), mix(colour, (12, 8, 8), 0.22)
        seam = mix(colour, (10, 8, 8), 0.5)
        step = wide * 2
        for column in range(-1, width // step + 2):
            for row in range(-4, height // wide + 4):
                x, y = column * step, row * wide
                left = [(x, y), (x + wide, y + wide), (x + wide, y + 2 * wide), (x, y + wide)]
                right = [
                    (x + wide, y + wide),
                    (x + step, y),
                    (x + step, y + wide),
                    (x + wide, y + 2 * wide),
                ]
                pen.polygon(left, fill=light if row % 2 else mix(light, dark, 0.3), outline=seam)
                pen.polygon(right, fill=dark if row % 2 else mix(dark, light, 0.3), outline=seam)

    return paint


def chequer(one: Rgb, other: Rgb, parts: int = 2, *, slanted: bool = False) -> Painter:
    """Tiles in two colours, `parts` to a space; `slanted` stand on their corners."""

    def paint(
        pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
    ) -> None:
        pen.rectangle((0, 0, width, height), fill=one)
        side = cell // parts
        for row in range(-1, height // side + 2):
            for column in range(-1, width // side + 2):
                x, y = column * side, row * side
                if slanted:
                    half = side // 2
                    pen.polygon(
                        [(x + half, y), (x + side, y + half), (x + half, y + side), (x, y + half)],
                        fill=other,
                    )
                elif (row + column) % 2:
                    pen.rectangle((x, y, x + side - 1, y + side - 1), fill=other)

    return paint


def flags(colour: Rgb) -> Painter:
    """Stone slabs in courses."""

    def paint(
        pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
    ) -> None:
        high = cell // 2
        seam = mix(colour, (8, 10, 20), 0.5)
        for n, y in enumerate(range(0, height, high)):
            for x in range(-(n % 2) * cell // 2, width, cell):
                tone = mix(colour, (10, 12, 24), 0.2 * rng.random())
                pen.rectangle((x, y, x + cell, y + high), fill=tone, outline=seam, width=2)

    return paint


def carpet(under: Painter, colour: Rgb, motif: str = "", *, inset: float = 0.3) -> Painter:
    """A carpet with a brass border on another floor; `motif` is what is woven into it."""

    def paint(
        pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
    ) -> None:
        under(pen, width, height, cell, rng)
        edge = int(cell * inset)
        box = (edge, edge, width - edge, height - edge)
        border = mix(BRASS, colour, 0.35)
        pen.rectangle(box, fill=mix(colour, (6, 6, 14), 0.35))
        for inner, tone, wide in (
            (cell // 14, border, 4),
            (cell // 5, mix(border, colour, 0.4), 3),
        ):
            pen.rectangle(
                (box[0] + inner, box[1] + inner, box[2] - inner, box[3] - inner),
                fill=colour,
                outline=tone,
                width=wide,
            )
        _weave(pen, motif, width, height, cell, mix(colour, BRASS, 0.32))

    return paint


def _weave(
    pen: ImageDraw.ImageDraw, motif: str, width: int, height: int, cell: int, tone: Rgb
) -> None:
    x, y = width / 2, height / 2
    reach = min(width, height) / 2 - cell * 0.62
    match motif:
        case "orbits":
            for n, share in enumerate((0.35, 0.68, 1.0)):
                r = reach * share
                pen.ellipse((x - r, y - r, x + r, y + r), outline=tone, width=3)
                angle = 0.7 + 2.1 * n
                px, py, s = x + r * math.cos(angle), y + r * math.sin(angle), cell / 11
                pen.ellipse((px - s, py - s, px + s, py + s), fill=tone)
            _star(pen, x, y, cell * 0.2, 8, tone)
        case "lozenges":
            step = cell // 2
            for n, py in enumerate(range(int(cell * 0.7), int(height - cell * 0.6), step)):
                for px in range(int(cell * 0.7) + n % 2 * step // 2, int(width - cell * 0.6), step):
                    s = cell / 10
                    pen.polygon(
                        [(px, py - s), (px + s, py), (px, py + s), (px - s, py)],
                        fill=mix(tone, (0, 0, 0), 0.2),
                    )
        case "sun":
            for n in range(24):
                angle = n * math.tau / 24
                a, b = reach * 0.3, reach * (0.95 if n % 2 else 0.7)
                pen.line(
                    (
                        x + a * math.cos(angle),
                        y + a * math.sin(angle),
                        x + b * math.cos(angle),
                        y + b * math.sin(angle),
                    ),
                    fill=tone,
                    width=4,
                )
            r = reach * 0.22
            pen.ellipse((x - r, y - r, x + r, y + r), outline=tone, width=4)
        case "fans":
            for px in range(int(cell * 0.75), int(width - cell * 0.5), cell // 2):
                for py in range(int(cell * 0.75), int(height - cell * 0.5), cell // 2):
                    for r in (cell // 5, cell // 8):
                        pen.arc((px - r, py - r, px + r, py + r), 180, 360, fill=tone, width=3)
        case _:
            pass


def _star(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, points: int, tone: Rgb) -> None:
    pen.polygon(
        [
            (
                x + (r if n % 2 == 0 else r * 0.4) * math.cos(n * math.pi / points - math.pi / 2),
                y + (r if n % 2 == 0 else r * 0.4) * math.sin(n * math.pi / points - math.pi / 2),
            )
            for n in range(points * 2)
        ],
        fill=tone,
    )


def garden(
    pen: ImageDraw.ImageDraw, width: int, height: int, cell: int, rng: random.Random
) -> None:
    """Green tiles with beds of leaves along the walls."""
    chequer(rgb("2e4a44"), rgb("25403f"), 2)(pen, width, height, cell, rng)
    for _ in range(width * height // 900):
        x, y = rng.random() * width, rng.random() * height
        edge = min(x, y, width - x, height - y)
        if edge > cell * 0.3 * (0.4 + rng.random()):
            continue
        s = cell * (0.06 + 0.1 * rng.random())
        tone = mix(rgb("2f6b45"), rgb("12301f"), rng.random())
        pen.ellipse((x - s, y - s * 0.6, x + s, y + s * 0.6), fill=tone)


PLAIN_FLOORS: Final[tuple[Painter, ...]] = (
    planks(OAK),
    herringbone(CHESTNUT),
    carpet(planks(WALNUT), CRIMSON, "lozenges"),
    chequer(rgb("4c5568"), rgb("2c3448")),
    carpet(planks(OAK), BOTTLE, "fans"),
)
"""For rooms that have no floor of their own, in turn."""

FLOORS: Final[dict[str, Painter]] = {
    "observatory": carpet(planks(WALNUT), INDIGO, "orbits"),
    "chapel": flags(rgb("4a5064")),
    "portrait_gallery": carpet(herringbone(CHESTNUT), CRIMSON, "lozenges", inset=0.42),
    "winter_garden": garden,
    "library": carpet(planks(OAK), BOTTLE, "fans"),
    "dining_room": carpet(herringbone(OAK), PLUM, "sun"),
    "music_room": herringbone(CHESTNUT),
    "trophy_room": carpet(planks(WALNUT), rgb("453a26"), "lozenges"),
    "study": carpet(planks(OAK), rgb("233f63"), "fans"),
    "kitchen": chequer(rgb("5d6675"), rgb("343d4f"), 2),
    "foyer": chequer(rgb("3a4362"), rgb("2b3350"), 1, slanted=True),
    "hall": planks(rgb("4f3a2b")),
}

_SECRET: Final = carpet(flags(rgb("3a3346")), rgb("3b1f3f"), "orbits")


def floor_of(room: str, kind: str, number: int) -> Painter:
    """What the room is laid out with; `number` picks one for rooms that are not known here."""
    if room in FLOORS:
        return FLOORS[room]
    if kind == "dining":
        return _SECRET
    return PLAIN_FLOORS[number % len(PLAIN_FLOORS)]


def laid(painter: Painter, width: int, height: int, cell: int, seed: int) -> Image.Image:
    """A floor of that size."""
    image = Image.new("RGB", (width, height))
    painter(ImageDraw.Draw(image), width, height, cell, random.Random(seed))
    return image
