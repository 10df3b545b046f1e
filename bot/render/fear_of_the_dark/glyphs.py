"""Small drawings that come in two ways: as chalk on the dark, and in colour where light falls.

Each is a list of strokes and shapes in a square of side 1, so that both ways show the same thing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.render.fear_of_the_dark import palette as p
from bot.render.kit.paint import FINE, Rgb, sprite

Point = tuple[float, float]
Tone = Literal["body", "light", "shade", "hollow", "accent"]

LINE: Final = 0.075
"""How thick a stroke is, as a share of the side."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A closed outline, filled in colour; chalk follows its edge, or fills it if ``solid``."""

    points: tuple[Point, ...]
    tone: Tone = "body"
    solid: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of that width."""

    points: tuple[Point, ...]
    width: float = LINE
    tone: Tone = "hollow"


Glyph = tuple[Shape | Stroke, ...]


def oval(
    x: float, y: float, rx: float, ry: float | None = None, turn: float = 0.0
) -> tuple[Point, ...]:
    """The outline of an ellipse, turned by so many degrees."""
    ry = rx if ry is None else ry
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    found: list[Point] = []
    for n in range(28):
        a, b = rx * math.cos(n * math.tau / 28), ry * math.sin(n * math.tau / 28)
        found.append((x + a * cos - b * sin, y + a * sin + b * cos))
    return tuple(found)


def arc(
    x: float, y: float, r: float, start: float, end: float, ry: float | None = None
) -> tuple[Point, ...]:
    """A part of a circle or ellipse, in degrees clockwise from the east."""
    ry = r if ry is None else ry
    return tuple(
        (
            x + r * math.cos(math.radians(start + (end - start) * n / 16)),
            y + ry * math.sin(math.radians(start + (end - start) * n / 16)),
        )
        for n in range(17)
    )


def _shoe(x: float, y: float, turn: float) -> Glyph:
    return (
        Shape(oval(x, y - 0.1, 0.115, 0.19, turn), "body", solid=True),
        Shape(oval(x, y + 0.2, 0.09, 0.095, turn), "body", solid=True),
    )


def _flame(x: float, y: float, s: float) -> tuple[Point, ...]:
    """A flame whose foot is at that point."""
    right = [(0.0, -1.0), (0.12, -0.74), (0.34, -0.5), (0.38, -0.24), (0.2, -0.04), (0.0, 0.0)]
    left = [(-0.2, -0.04), (-0.36, -0.26), (-0.26, -0.5), (-0.16, -0.62), (-0.1, -0.8)]
    return tuple((x + dx * s, y + dy * s) for dx, dy in (*right, *left))


_EYE: Final = (*arc(0.5, 0.66, 0.36, 205, 335, 0.42), *arc(0.5, 0.34, 0.36, 25, 155, 0.42))

_ROCKS: Final[Glyph] = (
    Shape(
        ((0.08, 0.86), (0.04, 0.62), (0.2, 0.46), (0.42, 0.5), (0.52, 0.68), (0.5, 0.88)), "body"
    ),
    Shape(
        ((0.46, 0.9), (0.48, 0.62), (0.64, 0.46), (0.88, 0.52), (0.97, 0.74), (0.92, 0.9)), "shade"
    ),
    Shape(
        (
            (0.26, 0.5),
            (0.26, 0.26),
            (0.44, 0.1),
            (0.68, 0.14),
            (0.78, 0.34),
            (0.7, 0.5),
            (0.5, 0.6),
        ),
        "light",
    ),
    Stroke(((0.44, 0.1), (0.5, 0.3), (0.42, 0.46)), 0.045),
    Stroke(((0.66, 0.66), (0.74, 0.76)), 0.045),
    Stroke(((0.2, 0.6), (0.28, 0.72)), 0.045),
)

_LOCK: Final[Glyph] = (
    Stroke(arc(0.5, 0.42, 0.25, 180, 360, 0.3), 0.13, "shade"),
    Shape(
        ((0.16, 0.42), (0.84, 0.42), (0.84, 0.82), (0.72, 0.94), (0.28, 0.94), (0.16, 0.82)), "body"
    ),
    Shape(oval(0.5, 0.62, 0.09), "hollow", solid=True),
    Stroke(((0.5, 0.62), (0.5, 0.82)), 0.08),
)

GLYPHS: Final[Mapping[str, Glyph]] = {
    # The mind: what can be done
    "move": (*_shoe(0.32, 0.6, 8), *_shoe(0.68, 0.36, -4)),
    "tiptoe": (
        Shape(
            (
                (0.5, 0.04), (0.72, 0.04), (0.7, 0.3), (0.82, 0.46), (0.8, 0.56), (0.68, 0.58),
                (0.54, 0.64), (0.42, 0.78), (0.24, 0.82), (0.17, 0.77), (0.2, 0.7), (0.34, 0.6),
                (0.48, 0.36),
            ),
            "body",
            solid=True,
        ),
        Stroke(((0.04, 0.92), (0.42, 0.92)), 0.075),
        Stroke(arc(0.66, 0.92, 0.18, 0, 180, 0.07), 0.05),
        Stroke(((0.88, 0.92), (0.98, 0.92)), 0.075),
    ),
    "scout": (
        Stroke(((0.14, 0.95), (0.14, 0.46), *arc(0.5, 0.42, 0.36, 180, 360), (0.86, 0.95)), 0.075),
        Shape(tuple((0.18 + x * 0.64, 0.24 + y * 0.64) for x, y in _EYE), "light"),
        Shape(oval(0.5, 0.56, 0.095), "hollow", solid=True),
        Stroke(((0.06, 0.95), (0.94, 0.95)), 0.06),
    ),
    "explore": (
        Stroke(((0.6, 0.6), (0.92, 0.92)), 0.15, "shade"),
        Shape(oval(0.4, 0.4, 0.3), "light"),
        Stroke(arc(0.4, 0.4, 0.17, 185, 265), 0.05),
    ),
    "clear": (
        Stroke(((0.18, 0.92), (0.68, 0.3)), 0.12, "body"),
        Shape(
            (
                (0.24, 0.2), (0.5, 0.1), (0.74, 0.18), (0.88, 0.42), (0.92, 0.7), (0.78, 0.46),
                (0.62, 0.3), (0.44, 0.22),
            ),
            "shade",
            solid=True,
        ),
        Stroke(((0.66, 0.86), (0.94, 0.9)), 0.06),
    ),
    "light": (
        Stroke(((0.22, 0.94), (0.5, 0.54)), 0.1, "body"),
        Shape(_flame(0.54, 0.62, 0.56), "accent"),
        Shape(_flame(0.54, 0.6, 0.26), "light"),
    ),
    # What is kept
    "match": (
        Shape(((0.06, 0.4), (0.94, 0.4), (0.94, 0.9), (0.06, 0.9)), "body"),
        Shape(((0.22, 0.52), (0.78, 0.52), (0.78, 0.78), (0.22, 0.78)), "light"),
        Stroke(((0.3, 0.4), (0.3, 0.22)), 0.07, "shade"),
        Stroke(((0.5, 0.4), (0.5, 0.16)), 0.07, "shade"),
        Stroke(((0.7, 0.4), (0.7, 0.22)), 0.07, "shade"),
        Shape(oval(0.3, 0.2, 0.07), "accent", solid=True),
        Shape(oval(0.5, 0.14, 0.07), "accent", solid=True),
        Shape(oval(0.7, 0.2, 0.07), "accent", solid=True),
    ),
    "scrap": (
        Shape(
            (
                (0.16, 0.08), (0.74, 0.06), (0.86, 0.2), (0.84, 0.92), (0.7, 0.84), (0.56, 0.95),
                (0.42, 0.84), (0.28, 0.94), (0.16, 0.86),
            ),
            "body",
        ),
        Stroke(((0.3, 0.3), (0.7, 0.29)), 0.06),
        Stroke(((0.3, 0.47), (0.7, 0.46)), 0.06),
        Stroke(((0.3, 0.64), (0.58, 0.63)), 0.06),
    ),
    "key": (
        Stroke(((0.42, 0.5), (0.94, 0.5)), 0.11, "body"),
        Stroke(((0.72, 0.5), (0.72, 0.7)), 0.1, "body"),
        Stroke(((0.89, 0.5), (0.89, 0.76)), 0.1, "body"),
        Stroke((*oval(0.26, 0.5, 0.19), (0.45, 0.5)), 0.11, "body"),
    ),
    "lever": (
        Shape(((0.1, 0.72), (0.9, 0.72), (0.9, 0.94), (0.1, 0.94)), "shade"),
        Stroke(((0.44, 0.74), (0.74, 0.26)), 0.12, "body"),
        Shape(oval(0.77, 0.2, 0.14), "accent"),
    ),
    # On the fields
    "obstruction": _ROCKS,
    "lock": _LOCK,
    "item": (
        Shape(((0.08, 0.46), *arc(0.5, 0.46, 0.42, 180, 360, 0.32), (0.92, 0.46)), "light"),
        Shape(((0.08, 0.46), (0.92, 0.46), (0.92, 0.92), (0.08, 0.92)), "body"),
    ),
    "item_empty": (
        Stroke(((0.08, 0.5), (0.16, 0.12), (0.84, 0.12), (0.92, 0.5)), 0.055, "shade"),
        Stroke(
            ((0.08, 0.5), (0.92, 0.5), (0.92, 0.92), (0.08, 0.92), (0.08, 0.5)), 0.055, "shade"
        ),
    ),
    "secret": (
        Shape(((0.5, 0.02), (1.0, 0.95), (0.0, 0.95)), "body"),
        Stroke((*arc(0.5, 0.64, 0.17, 205, 335), *arc(0.5, 0.5, 0.17, 25, 155)), 0.045),
        Shape(oval(0.5, 0.57, 0.05), "hollow", solid=True),
    ),
    "secret_empty": (
        Stroke(((0.5, 0.04), (0.97, 0.93), (0.03, 0.93), (0.5, 0.04)), 0.055, "shade"),
    ),
    # What haunts the maze
    "skull": (
        Shape(
            (
                (0.3, 0.94), (0.3, 0.76), (0.16, 0.68), *arc(0.5, 0.46, 0.4, 165, 375, 0.4),
                (0.84, 0.68), (0.7, 0.76), (0.7, 0.94),
            ),
            "light",
        ),
        Shape(oval(0.34, 0.52, 0.105), "hollow", solid=True),
        Shape(oval(0.66, 0.52, 0.105), "hollow", solid=True),
        Stroke(((0.43, 0.94), (0.43, 0.8)), 0.05),
        Stroke(((0.57, 0.94), (0.57, 0.8)), 0.05),
    ),
    "terror": (
        Shape(oval(0.5, 0.5, 0.36, 0.46), "light"),
        Shape(oval(0.35, 0.38, 0.09, 0.13, -14), "hollow", solid=True),
        Shape(oval(0.65, 0.38, 0.09, 0.13, 14), "hollow", solid=True),
        Shape(oval(0.5, 0.72, 0.11, 0.17), "hollow", solid=True),
    ),
    "echo": tuple(
        Stroke((*oval(0.5, 0.5, r), (0.5 + r, 0.5)), 0.085) for r in (0.07, 0.25, 0.45)
    ),
    "drop": (
        Shape(((0.5, 0.04), (0.72, 0.42), *arc(0.5, 0.64, 0.3, -28, 208)), "accent"),
        Stroke(arc(0.5, 0.64, 0.16, 90, 170), 0.06),
    ),
    "mind": (
        Shape(((0.28, 0.04), (0.94, 0.04), (0.94, 0.82), (0.28, 0.82)), "shade"),
        Shape(((0.06, 0.18), (0.72, 0.18), (0.72, 0.96), (0.06, 0.96)), "light"),
        Stroke((*arc(0.39, 0.55, 0.17, 180, 450), (0.39, 0.66), (0.39, 0.72)), 0.07),
    ),
    "tile": (
        Shape(((0.08, 0.08), (0.92, 0.08), (0.92, 0.92), (0.08, 0.92)), "body"),
        *(Stroke(((0.36 + n * 0.28, 0.1), (0.36 + n * 0.28, 0.9)), 0.05) for n in (0, 1)),
        *(Stroke(((0.1, 0.36 + n * 0.28), (0.9, 0.36 + n * 0.28)), 0.05) for n in (0, 1)),
    ),
}  # fmt: skip

PIPS: Final[Mapping[int, tuple[Point, ...]]] = {
    1: ((0.0, 0.0),),
    2: ((-0.15, 0.0), (0.15, 0.0)),
    3: ((-0.24, 0.0), (0.0, 0.0), (0.24, 0.0)),
    4: ((-0.15, -0.1), (0.15, -0.1), (-0.15, 0.1), (0.15, 0.1)),
}
"""Which location a chest or a secret belongs to, by its pips."""


@lru_cache(maxsize=64)
def glyph(name: str, number: int = 0) -> Glyph:
    """The drawing of that name; `number` adds the pips of a location."""
    found = GLYPHS[name]
    if number:
        wide = 0.8 if name.startswith("secret") else 1.0
        y = 0.82 if name.startswith("secret") else 0.69
        found = (
            *found,
            *(
                Shape(
                    oval(0.5 + dx * wide, y + dy * wide, 0.06 if wide < 1 else 0.075),
                    "hollow",
                    solid=True,
                )
                for dx, dy in PIPS[number]
            ),
        )
    return found


STONE_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": (146, 116, 78), "light": (190, 158, 112), "shade": (110, 86, 58), "hollow": p.EARTH,
    "accent": p.FLAME,
}  # fmt: skip
IRON_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.IRON, "light": (190, 196, 200), "shade": (120, 127, 134), "hollow": p.PIT,
    "accent": p.FLAME,
}  # fmt: skip
CHEST_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.CHEST, "light": p.CHEST_LID, "shade": (90, 50, 24), "hollow": p.FLAME_CORE,
    "accent": p.FLAME,
}  # fmt: skip
SECRET_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.SECRET, "light": (120, 106, 150), "shade": (54, 44, 70), "hollow": p.BONE,
    "accent": p.BONE,
}  # fmt: skip
PAPER_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.BONE, "light": p.FLAME_CORE, "shade": p.WOOD, "hollow": p.EARTH, "accent": p.PHOSPHOR,
}  # fmt: skip
INK_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.EARTH, "light": (250, 232, 196), "shade": p.EARTH, "hollow": p.EARTH,
    "accent": (200, 74, 30),
}  # fmt: skip
BRASS_TONES: Final[Mapping[Tone, Rgb]] = {
    "body": p.FLAME, "light": p.FLAME_CORE, "shade": p.OCHRE, "hollow": p.EARTH,
    "accent": p.PHOSPHOR,
}  # fmt: skip
TONES: Final[Mapping[str, Mapping[Tone, Rgb]]] = {
    "obstruction": STONE_TONES, "lock": IRON_TONES, "item": CHEST_TONES, "secret": SECRET_TONES,
    "item_empty": CHEST_TONES, "secret_empty": SECRET_TONES, "key": BRASS_TONES,
    "lever": IRON_TONES, "match": CHEST_TONES, "scrap": PAPER_TONES,
    "drop": {**PAPER_TONES, "accent": p.WATER}, "tile": STONE_TONES,
}  # fmt: skip


@lru_cache(maxsize=256)
def coloured(name: str, size: int, number: int = 0, ink: bool = False) -> Image.Image:
    """The drawing in colour, with a dark edge; with `ink` as if printed on a card."""
    tones = INK_TONES if ink else TONES.get(name, PAPER_TONES)
    edge = p.EARTH if ink else p.PIT

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        for part in glyph(name, number):
            points = _scaled(part.points, s)
            if isinstance(part, Stroke):
                own = tones[part.tone]
                width = max(1, round(part.width * s))
                if part.tone != "hollow":
                    _polyline(pen, points, width + round(0.07 * s), edge)
                _polyline(pen, points, width, own)
            else:
                if not part.solid or part.tone != "hollow":
                    _polyline(pen, [*points, points[0]], round(0.085 * s), edge)
                pen.polygon(points, fill=(*tones[part.tone], 255))

    return sprite(size, size, paint)


@lru_cache(maxsize=256)
def chalked(name: str, size: int, number: int = 0) -> Image.Image:
    """The drawing in chalk: a mask, as thick as chalk is."""
    big = Image.new("L", (size * FINE, size * FINE))
    pen = ImageDraw.Draw(big)
    dice = random.Random(f"chalk {name} {number}")
    s = size * FINE
    for part in glyph(name, number):
        points = _scaled(part.points, s)
        if isinstance(part, Stroke):
            _polyline(pen, shaken(points, dice, FINE), max(3 * FINE, round(part.width * s)), 255)
        elif part.solid:
            pen.polygon(points, fill=255)
        else:
            pen.polygon(points, fill=0)
            loop = shaken([*points, points[0]], dice, FINE)
            _polyline(pen, loop, max(3 * FINE, round(0.06 * s)), 255)
    return big.resize((size, size), Image.Resampling.LANCZOS)


def shaken(points: Sequence[Point], dice: random.Random, by: float) -> list[Point]:
    """The points a little off, as a hand draws them."""
    return [(x + dice.uniform(-by, by), y + dice.uniform(-by, by)) for x, y in points]


def _scaled(points: Sequence[Point], s: float) -> list[Point]:
    return [(x * s, y * s) for x, y in points]


def _polyline(
    pen: ImageDraw.ImageDraw, points: Sequence[Point], width: int, colour: Rgb | int
) -> None:
    """A line with round ends."""
    fill = (*colour, 255) if isinstance(colour, tuple) else colour
    pen.line(list(points), fill=fill, width=width, joint="curve")
    r = width / 2
    for x, y in (points[0], points[-1]):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=fill)
