"""Marks of seats, pawns, dice and cards: a colour and a shape for every seat, letters on pawns.

Sprites are cached and must not be changed. Sizes are pixels of the finished picture.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.kit.paint import Rgb, contrast, dimmed, mix, rgb, shadowed, sprite
from bot.render.kit.text import fitted

SEAT_COLOURS: Final = tuple(
    rgb(colour)
    for colour in (
        "e69f00", "56b4e9", "009e73", "f0e442", "2f7fd0", "e0602a", "cc79a7", "b4b9c4",
    )
)  # fmt: skip
"""After Okabe and Ito; blue and vermilion a little lighter, for a dark table."""

SHAPES: Final = ("circle", "square", "hexagon", "diamond", "shield", "house", "flower", "octagon")

INK: Final = rgb("080b14")
WHITE: Final = rgb("ffffff")
SHADE: Final = rgb("1a2036")


def seat_colour(seat: int) -> Rgb:
    """The colour of a seat; from the ninth on colours come back with another shape."""
    return SEAT_COLOURS[seat % len(SEAT_COLOURS)]


def seat_shape(seat: int) -> str:
    """The shape of a seat."""
    return SHAPES[(seat + seat // len(SEAT_COLOURS) * 3) % len(SHAPES)]


def outline(shape: str, x: float, y: float, r: float) -> list[tuple[float, float]]:
    """The corners of a shape in which a circle of radius `r` just about fits."""
    match shape:
        case "square":
            r *= 0.93
            return _rounded(
                [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)], r * 0.3
            )
        case "diamond":
            r *= 1.28
            return _rounded([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], r * 0.16)
        case "hexagon":
            return _rounded(_around(x, y, r * 1.1, 6, 0.0), r * 0.16)
        case "octagon":
            return _around(x, y, r * 1.06, 8, math.pi / 8)
        case "shield":
            top = y - r * 0.95
            side = [(x - r * 0.95, top), (x + r * 0.95, top), (x + r * 0.95, y + r * 0.2)]
            return _rounded([*side, (x, y + r * 1.24), (x - r * 0.95, y + r * 0.2)], r * 0.22)
        case "house":
            low = y + r * 0.95
            return _rounded(
                [
                    (x, y - r * 1.24),
                    (x + r, y - r * 0.35),
                    (x + r * 0.86, low),
                    (x - r * 0.86, low),
                    (x - r, y - r * 0.35),
                ],
                r * 0.16,
            )
        case "flower":
            return [
                (
                    x
                    + r
                    * (1.0 + 0.11 * math.cos(6 * n * math.tau / 96))
                    * math.cos(n * math.tau / 96),
                    y
                    + r
                    * (1.0 + 0.11 * math.cos(6 * n * math.tau / 96))
                    * math.sin(n * math.tau / 96),
                )
                for n in range(96)
            ]
        case _:
            return _around(x, y, r, 64, 0.0)


def _around(x: float, y: float, r: float, corners: int, turn: float) -> list[tuple[float, float]]:
    return [
        (
            x + r * math.cos(turn + n * math.tau / corners),
            y + r * math.sin(turn + n * math.tau / corners),
        )
        for n in range(corners)
    ]


def _rounded(corners: list[tuple[float, float]], radius: float) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    for n, (x, y) in enumerate(corners):
        (px, py), (qx, qy) = corners[n - 1], corners[(n + 1) % len(corners)]
        a = min(0.5, radius / math.hypot(px - x, py - y))
        b = min(0.5, radius / math.hypot(qx - x, qy - y))
        start, end = (x + (px - x) * a, y + (py - y) * a), (x + (qx - x) * b, y + (qy - y) * b)
        for step in range(7):
            t = step / 6
            found.append(
                (
                    (1 - t) ** 2 * start[0] + 2 * t * (1 - t) * x + t * t * end[0],
                    (1 - t) ** 2 * start[1] + 2 * t * (1 - t) * y + t * t * end[1],
                )
            )
    return found


def ink_on(colour: Rgb) -> Rgb:
    """Black or white, whichever is easier to read on that colour."""
    return INK if contrast(colour, INK) >= contrast(colour, WHITE) else WHITE


@lru_cache(maxsize=512)
def pawn(seat: int, letters: str, size: int = 46, *, asleep: bool = False) -> Image.Image:
    """A pawn with its shadow, in the colour and shape of the seat. `asleep` is dimmer."""
    picture = _token(seat_shape(seat), seat_colour(seat), size)
    if asleep:
        picture = dimmed(picture, 0.5, SHADE)
    colour = mix(seat_colour(seat), SHADE, 0.5) if asleep else seat_colour(seat)
    _engrave(picture, letters, size, ink_on(colour))
    return shadowed(picture, blur=3, down=4, right=3, strength=0.75)


def _token(shape: str, colour: Rgb, size: int) -> Image.Image:
    wide = math.ceil(size * 1.32)
    lift = {"shield": -0.06, "house": 0.06}.get(shape, 0.0)

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        x = y = wide * fine / 2
        y += lift * size * fine
        r = size * fine / 2
        pen.polygon(outline(shape, x, y, r), fill=INK)
        pen.polygon(outline(shape, x, y, r - 2.5 * fine), fill=mix(colour, WHITE, 0.45))
        pen.polygon(
            outline(shape, x + 0.5 * fine, y + 0.8 * fine, r - 4 * fine),
            fill=mix(colour, INK, 0.18),
        )
        pen.polygon(outline(shape, x, y, r - 4.5 * fine), fill=colour)

    return sprite(wide, wide, paint)


def _engrave(picture: Image.Image, letters: str, size: int, colour: Rgb) -> None:
    cap = max(26, round(size * 0.56))
    found = fitted(letters, "title", cap, round(size * 0.82), size, 26)
    x = (picture.width - found.width) // 2
    y = (picture.height + found.cap) // 2 - found.rise
    picture.paste((*colour, 255), (x, y), found.mask)


@lru_cache(maxsize=64)
def seat_mark(seat: int, size: int = 40) -> Image.Image:
    """The mark of a seat: its shape and colour with its number."""
    return pawn(seat, str(seat + 1), size)


@lru_cache(maxsize=32)
def die(
    face: int, size: int = 60, *, colour: Rgb = (240, 232, 212), pips: Rgb = INK
) -> Image.Image:
    """A die with its shadow, showing that face; 0 is a die not yet thrown."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        side = size * fine
        pen.rounded_rectangle((0, 0, side - 1, side - 1), side * 0.2, fill=INK)
        edge = 3 * fine
        pen.rounded_rectangle(
            (edge, edge, side - edge, side - edge), side * 0.17, fill=mix(colour, INK, 0.25)
        )
        pen.rounded_rectangle(
            (edge, edge, side - edge - fine, side - edge - 2 * fine), side * 0.17, fill=colour
        )
        r = side * 0.085
        for column, row in PIPS[face]:
            x, y = side * (0.5 + 0.25 * column), side * (0.5 + 0.25 * row)
            pen.ellipse((x - r, y - r, x + r, y + r), fill=pips)

    return shadowed(sprite(size, size, paint), blur=3, down=4, right=3)


PIPS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@lru_cache(maxsize=16)
def card_back(width: int, height: int, colour: Rgb, trim: Rgb) -> Image.Image:
    """A card lying face down, with its shadow."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        box = (0, 0, width * fine - 1, height * fine - 1)
        pen.rounded_rectangle(box, 5 * fine, fill=INK)
        inner = (2 * fine, 2 * fine, box[2] - 2 * fine, box[3] - 2 * fine)
        pen.rounded_rectangle(inner, 4 * fine, fill=colour, outline=trim, width=2 * fine)

    return shadowed(sprite(width, height, paint), blur=2, down=2, right=2)


@lru_cache(maxsize=4)
def moon(size: int = 22) -> Image.Image:
    """A crescent on a dark disc: asleep, or done for this round."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), fill=INK)
        pen.ellipse((s * 0.14, s * 0.14, s * 0.86, s * 0.86), fill=rgb("f4ecc8"))
        pen.ellipse((s * 0.36, s * 0.06, s * 1.0, s * 0.7), fill=INK)

    return sprite(size, size, paint)


@lru_cache(maxsize=8)
def skull(size: int, bone: Rgb, ground: Rgb | None = None) -> Image.Image:
    """A skull; with `ground`, on a disc of that colour."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        if ground is not None:
            pen.ellipse((0, 0, s - 1, s - 1), fill=INK)
            pen.ellipse((s * 0.08, s * 0.08, s * 0.92, s * 0.92), fill=ground)
        hollow = ground or INK
        k = 0.66 if ground is not None else 1.0
        _skull(pen, s / 2, s / 2, s * k, bone, hollow)

    return sprite(size, size, paint)


def _skull(pen: ImageDraw.ImageDraw, x: float, y: float, s: float, bone: Rgb, hollow: Rgb) -> None:
    pen.ellipse((x - s * 0.42, y - s * 0.48, x + s * 0.42, y + s * 0.26), fill=bone)
    pen.rounded_rectangle((x - s * 0.25, y, x + s * 0.25, y + s * 0.46), s * 0.08, fill=bone)
    for side in (-1, 1):
        ex, ey, r = x + side * s * 0.19, y - s * 0.08, s * 0.13
        pen.ellipse((ex - r, ey - r, ex + r, ey + r), fill=hollow)
    pen.polygon(
        [(x, y + s * 0.04), (x - s * 0.07, y + s * 0.18), (x + s * 0.07, y + s * 0.18)], fill=hollow
    )
    for n in (-1, 0, 1):
        pen.line(
            (x + n * s * 0.13, y + s * 0.28, x + n * s * 0.13, y + s * 0.46),
            fill=hollow,
            width=max(1, round(s * 0.045)),
        )


@lru_cache(maxsize=4)
def star(size: int, colour: Rgb) -> Image.Image:
    """A star of five points: who begins the round."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        for r, tone in ((0.5, INK), (0.4, colour)):
            pen.polygon(
                [
                    (
                        s / 2 + s * r * (1 if n % 2 == 0 else 0.45) * math.sin(n * math.pi / 5),
                        s * 0.52 - s * r * (1 if n % 2 == 0 else 0.45) * math.cos(n * math.pi / 5),
                    )
                    for n in range(10)
                ],
                fill=tone,
            )

    return sprite(size, size, paint)


@lru_cache(maxsize=8)
def verdict(good: bool, size: int, colour: Rgb) -> Image.Image:
    """A tick for what is reached, a cross for what is missed, on a disc."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), fill=INK)
        pen.ellipse((s * 0.07, s * 0.07, s * 0.93, s * 0.93), fill=colour)
        wide = round(s * 0.13)
        strokes = (
            [[(0.26, 0.52), (0.44, 0.7), (0.75, 0.32)]]
            if good
            else [[(0.3, 0.3), (0.7, 0.7)], [(0.7, 0.3), (0.3, 0.7)]]
        )
        for stroke in strokes:
            path = [(x * s, y * s) for x, y in stroke]
            pen.line(path, fill=WHITE, width=wide, joint="curve")
            for x, y in (path[0], path[-1]):
                r = wide / 2
                pen.ellipse((x - r, y - r, x + r, y + r), fill=WHITE)

    return sprite(size, size, paint)
