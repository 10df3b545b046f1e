"""Tiles, artifacts, stones and the Mysterious Man: what lies and stands about in the house."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.escape_the_night import palette as p
from bot.render.kit.marks import INK, outline, skull
from bot.render.kit.paint import Rgb, mix, rgb, shadowed, sprite

BONE: Final = rgb("f1e8d2")
GOLD: Final = rgb("f2c55c")
TILE: Final = 42
ARTIFACT: Final = 46


@lru_cache(maxsize=8)
def tile(colour: str | None, size: int = TILE) -> Image.Image:
    """An S.A.E. tile: a seal with an eye, a green hexagon with a glass, a red star with a skull."""
    match colour:
        case "clue":
            picture = sprite(size, size, _clue_tile(size))
        case "monster":
            picture = sprite(size, size, _monster_tile(size))
            head = skull(round(size * 0.6), BONE, None)
            at = (size - head.width) // 2
            picture.alpha_composite(head, (at, at))
        case _:
            picture = sprite(size, size, _seal(size))
    return shadowed(picture, blur=3, down=3, right=2, strength=0.7)


Paint = Callable[[ImageDraw.ImageDraw, int], None]


def _seal(size: int) -> Paint:
    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        x = s / 2
        wax, dark = rgb("d8cba8"), rgb("2a2f4e")
        rim = [
            (
                x
                + (s * 0.465 + s * 0.03 * math.cos(12 * n * math.tau / 144))
                * math.cos(n * math.tau / 144),
                x
                + (s * 0.465 + s * 0.03 * math.cos(12 * n * math.tau / 144))
                * math.sin(n * math.tau / 144),
            )
            for n in range(144)
        ]
        pen.polygon(rim, fill=INK)
        inner = [(x + (px - x) * 0.9, x + (py - x) * 0.9) for px, py in rim]
        pen.polygon(inner, fill=wax)
        r = s * 0.34
        pen.ellipse(
            (x - r, x - r, x + r, x + r),
            fill=mix(wax, INK, 0.18),
            outline=mix(wax, INK, 0.5),
            width=int(s * 0.03),
        )
        _eye(pen, x, x, s * 0.3, dark, wax)

    return paint


def _eye(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, dark: Rgb, light: Rgb) -> None:
    lid = [
        (x + r * t, y + side * r * 0.62 * math.cos(t * math.pi / 2) ** 0.9)
        for side, ts in ((-1, range(-10, 11)), (1, range(10, -11, -1)))
        for t in (n / 10 for n in ts)
    ]
    pen.polygon(lid, fill=dark)
    pen.ellipse((x - r * 0.42, y - r * 0.42, x + r * 0.42, y + r * 0.42), fill=light)
    pen.ellipse((x - r * 0.2, y - r * 0.2, x + r * 0.2, y + r * 0.2), fill=dark)


def _clue_tile(size: int) -> Paint:
    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        x = s / 2
        pen.polygon(outline("hexagon", x, x, s * 0.45), fill=INK)
        pen.polygon(outline("hexagon", x, x, s * 0.4), fill=mix(p.CLUE, BONE, 0.35))
        pen.polygon(outline("hexagon", x, x, s * 0.365), fill=p.CLUE)
        cx, cy, r = s * 0.45, s * 0.44, s * 0.16
        pen.line((cx, cy, s * 0.71, s * 0.71), fill=BONE, width=int(s * 0.1))
        pen.ellipse(
            (cx - r, cy - r, cx + r, cy + r),
            fill=mix(p.CLUE, INK, 0.45),
            outline=BONE,
            width=int(s * 0.07),
        )

    return paint


def _monster_tile(size: int) -> Paint:
    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        x = s / 2

        def burst(r: float) -> list[tuple[float, float]]:
            return [
                (
                    x + r * (1 if n % 2 == 0 else 0.8) * math.cos(n * math.tau / 20 - math.pi / 2),
                    x + r * (1 if n % 2 == 0 else 0.8) * math.sin(n * math.tau / 20 - math.pi / 2),
                )
                for n in range(20)
            ]

        pen.polygon(burst(s * 0.5), fill=INK)
        pen.polygon(burst(s * 0.43), fill=p.MONSTER)

    return paint


# Artifacts: silhouettes in a square from (0, 0) to (1, 1)

Pen = ImageDraw.ImageDraw


class _Scaled:
    """A pen for the unit square."""

    def __init__(self, pen: Pen, side: float, left: float, top: float, colour: Rgb) -> None:
        self.pen, self.side, self.left, self.top, self.colour = pen, side, left, top, colour

    def at(self, x: float, y: float) -> tuple[float, float]:
        return (self.left + x * self.side, self.top + y * self.side)

    def fill(self, *points: tuple[float, float], colour: Rgb | None = None) -> None:
        self.pen.polygon([self.at(*point) for point in points], fill=colour or self.colour)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Rgb | None = None) -> None:
        self.pen.ellipse(
            (*self.at(x - rx, y - ry), *self.at(x + rx, y + ry)), fill=colour or self.colour
        )

    def ring(self, x: float, y: float, r: float, wide: float) -> None:
        box = (*self.at(x - r, y - r), *self.at(x + r, y + r))
        self.pen.ellipse(box, outline=self.colour, width=int(wide * self.side))

    def line(self, *points: tuple[float, float], wide: float, colour: Rgb | None = None) -> None:
        path = [self.at(*point) for point in points]
        self.pen.line(path, fill=colour or self.colour, width=int(wide * self.side), joint="curve")
        r = wide * self.side / 2
        for x, y in (path[0], path[-1]):
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=colour or self.colour)


def _letter_knife(q: _Scaled, dark: Rgb) -> None:
    q.fill((0.12, 0.88), (0.5, 0.36), (0.66, 0.5))
    q.line((0.42, 0.3), (0.72, 0.6), wide=0.09)
    q.line((0.6, 0.42), (0.84, 0.16), wide=0.13)
    q.oval(0.86, 0.14, 0.09, 0.09)


def _bone_ladle(q: _Scaled, dark: Rgb) -> None:
    q.line((0.34, 0.66), (0.8, 0.2), wide=0.1)
    q.oval(0.76, 0.14, 0.08, 0.08)
    q.oval(0.87, 0.25, 0.08, 0.08)
    q.oval(0.3, 0.7, 0.23, 0.23)
    q.oval(0.32, 0.66, 0.14, 0.11, dark)


def _whispering_book(q: _Scaled, dark: Rgb) -> None:
    q.fill(
        (0.08, 0.2),
        (0.3, 0.15),
        (0.5, 0.24),
        (0.7, 0.15),
        (0.92, 0.2),
        (0.92, 0.8),
        (0.7, 0.75),
        (0.5, 0.84),
        (0.3, 0.75),
        (0.08, 0.8),
    )
    q.line((0.5, 0.26), (0.5, 0.8), wide=0.05, colour=dark)
    for y in (0.34, 0.47, 0.6):
        q.line((0.19, y), (0.38, y + 0.02), wide=0.045, colour=dark)
        q.line((0.62, y + 0.02), (0.81, y), wide=0.045, colour=dark)


def _ivory_horn(q: _Scaled, dark: Rgb) -> None:
    bend = [
        ((1 - t) ** 2 * 0.26 + 2 * t * (1 - t) * 0.86 + t * t * 0.8,
         (1 - t) ** 2 * 0.68 + 2 * t * (1 - t) * 0.92 + t * t * 0.1,
         0.2 * (1 - t) + 0.035)
        for t in (n / 30 for n in range(31))
    ]  # fmt: skip
    for x, y, r in bend:
        q.oval(x, y, r, r)
    q.oval(0.22, 0.62, 0.14, 0.25)
    q.oval(0.2, 0.61, 0.085, 0.18, dark)
    q.line((0.72, 0.54), (0.86, 0.58), wide=0.045, colour=dark)
    q.line((0.56, 0.64), (0.66, 0.86), wide=0.045, colour=dark)


def _silent_metronome(q: _Scaled, dark: Rgb) -> None:
    q.fill((0.38, 0.1), (0.62, 0.1), (0.86, 0.9), (0.14, 0.9))
    q.fill((0.42, 0.2), (0.58, 0.2), (0.7, 0.7), (0.3, 0.7), colour=dark)
    q.line((0.48, 0.68), (0.66, 0.16), wide=0.055)
    q.oval(0.58, 0.38, 0.075, 0.075)


def _blind_miniature(q: _Scaled, dark: Rgb) -> None:
    q.ring(0.5, 0.12, 0.09, 0.05)
    q.oval(0.5, 0.56, 0.34, 0.4)
    q.oval(0.5, 0.56, 0.26, 0.32, dark)
    q.oval(0.5, 0.48, 0.12, 0.15)
    q.fill((0.28, 0.8), (0.38, 0.66), (0.62, 0.66), (0.72, 0.8), (0.5, 0.87))
    q.line((0.4, 0.46), (0.6, 0.46), wide=0.05, colour=dark)


def _salt_chalice(q: _Scaled, dark: Rgb) -> None:
    bowl = [
        (0.5 - 0.32 * math.cos(a), 0.14 + 0.44 * math.sin(a))
        for a in (n * math.pi / 16 for n in range(17))
    ]
    q.fill(*bowl)
    q.oval(0.5, 0.15, 0.32, 0.07)
    q.oval(0.5, 0.15, 0.24, 0.04, dark)
    q.fill((0.44, 0.54), (0.56, 0.54), (0.55, 0.8), (0.45, 0.8))
    q.oval(0.5, 0.66, 0.1, 0.05)
    q.fill((0.45, 0.78), (0.55, 0.78), (0.76, 0.92), (0.24, 0.92))


def _night_lens(q: _Scaled, dark: Rgb) -> None:
    q.fill((0.06, 0.62), (0.2, 0.78), (0.5, 0.56), (0.36, 0.4))
    q.fill((0.33, 0.36), (0.54, 0.6), (0.96, 0.34), (0.74, 0.06))
    q.line((0.34, 0.37), (0.53, 0.6), wide=0.05, colour=dark)
    q.line((0.46, 0.58), (0.3, 0.94), wide=0.07)
    q.line((0.5, 0.58), (0.68, 0.94), wide=0.07)


def _glass_orchid(q: _Scaled, dark: Rgb) -> None:
    for n in range(5):
        a = -math.pi / 2 + n * math.tau / 5
        q.oval(0.5 + 0.2 * math.cos(a), 0.34 + 0.2 * math.sin(a), 0.15, 0.15)
    q.oval(0.5, 0.34, 0.1, 0.1, dark)
    q.line((0.5, 0.5), (0.47, 0.72), (0.5, 0.94), wide=0.07)
    q.fill((0.49, 0.86), (0.6, 0.64), (0.84, 0.62), (0.7, 0.82))


def _relic(q: _Scaled, dark: Rgb) -> None:
    q.fill((0.5, 0.08), (0.84, 0.36), (0.5, 0.92), (0.16, 0.36))
    q.line((0.16, 0.36), (0.84, 0.36), wide=0.05, colour=dark)
    q.line((0.5, 0.1), (0.36, 0.36), (0.5, 0.88), wide=0.04, colour=dark)


SILHOUETTES: Final[dict[str, Callable[[_Scaled, Rgb], None]]] = {
    "letter_knife": _letter_knife,
    "bone_ladle": _bone_ladle,
    "whispering_book": _whispering_book,
    "ivory_horn": _ivory_horn,
    "silent_metronome": _silent_metronome,
    "blind_miniature": _blind_miniature,
    "salt_chalice": _salt_chalice,
    "night_lens": _night_lens,
    "glass_orchid": _glass_orchid,
}


@lru_cache(maxsize=64)
def artifact(ident: str, size: int = ARTIFACT, *, found: bool = True) -> Image.Image:
    """An artifact in gold; not yet `found` ones are only a dark shape with a pale edge."""
    draw = SILHOUETTES.get(ident, _relic)
    colour = GOLD if found else rgb("2b365c")
    dark = rgb("3a2708") if found else rgb("0e152b")
    edge = INK if found else rgb("566590")

    def paint(pen: Pen, fine: int) -> None:
        side = size * fine * 0.84
        at = size * fine * 0.08
        thick = size * fine * 0.05
        for n in range(12):
            dx, dy = thick * math.cos(n * math.tau / 12), thick * math.sin(n * math.tau / 12)
            draw(_Scaled(pen, side, at + dx, at + dy, edge), edge)
        if found:
            draw(_Scaled(pen, side, at - fine, at - fine, mix(GOLD, BONE, 0.7)), dark)
        draw(_Scaled(pen, side, at, at, colour), dark)

    picture = sprite(size, size, paint)
    return shadowed(picture, blur=3, down=3, right=2) if found else picture


@lru_cache(maxsize=4)
def stone(size: int = 44) -> Image.Image:
    """A gravestone."""

    def paint(pen: Pen, fine: int) -> None:
        s = size * fine
        for inset, tone in ((0, INK), (2.5 * fine, p.STONE)):
            box = (s * 0.08 + inset, inset, s * 0.92 - inset, s - inset)
            pen.rounded_rectangle(box, s * 0.4, fill=tone, corners=(True, True, False, False))
        pen.arc(
            (s * 0.16, s * 0.08, s * 0.84, s * 0.84),
            190,
            300,
            fill=mix(p.STONE, BONE, 0.5),
            width=int(s * 0.05),
        )
        pen.rectangle((0, s * 0.92, s, s), fill=rgb("0d1f18"))

    return shadowed(sprite(size, size, paint), blur=3, down=2, right=3)


@lru_cache(maxsize=4)
def man(side: str, width: int, height: int) -> Image.Image:
    """The Mysterious Man: a hat and a collar against the moon; unmasked, a butler with red eyes."""

    def paint(pen: Pen, fine: int) -> None:
        w, h = width * fine, height * fine
        unmasked = side == "second"
        pen.rounded_rectangle((0, 0, w - 1, h - 1), 8 * fine, fill=p.BRASS)
        edge = 3 * fine
        sky = rgb("5a1722") if unmasked else rgb("1d2c58")
        pen.rounded_rectangle((edge, edge, w - edge, h - edge), 6 * fine, fill=sky)
        x = w / 2
        r = w * 0.34
        pen.ellipse(
            (x - r, h * 0.1, x + r, h * 0.1 + 2 * r),
            fill=rgb("c9574a") if unmasked else rgb("93a9dd"),
        )
        dark = rgb("07090f")
        clip = h - edge
        pen.polygon(
            [
                (w * 0.08 + edge, clip),
                (w * 0.2, h * 0.72),
                (w * 0.4, h * 0.62),
                (w * 0.6, h * 0.62),
                (w * 0.8, h * 0.72),
                (w * 0.92 - edge, clip),
            ],
            fill=dark,
        )
        pen.ellipse((x - w * 0.19, h * 0.26, x + w * 0.19, h * 0.68), fill=dark)
        if unmasked:
            for s in (-1, 1):
                pen.ellipse(
                    (
                        x + s * w * 0.085 - w * 0.035,
                        h * 0.42,
                        x + s * w * 0.085 + w * 0.035,
                        h * 0.47,
                    ),
                    fill=rgb("ff5a4d"),
                )
            pen.polygon(
                [(x - w * 0.1, h * 0.62), (x + w * 0.1, h * 0.62), (x, h * 0.95)], fill=BONE
            )
            for s in (-1, 1):
                pen.polygon(
                    [(x, h * 0.69), (x + s * w * 0.13, h * 0.63), (x + s * w * 0.13, h * 0.76)],
                    fill=rgb("b01f2c"),
                )
        else:
            pen.rounded_rectangle(
                (x - w * 0.36, h * 0.34, x + w * 0.36, h * 0.4), 4 * fine, fill=dark
            )
            pen.rounded_rectangle(
                (x - w * 0.22, h * 0.12, x + w * 0.22, h * 0.38), 8 * fine, fill=dark
            )
            pen.rectangle((x - w * 0.22, h * 0.3, x + w * 0.22, h * 0.34), fill=rgb("3a4a80"))

    return shadowed(sprite(width, height, paint), blur=3, down=3, right=2)
