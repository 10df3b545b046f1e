"""Chalk on the dark: all that has been touched, as lines drawn by hand. One mask for a picture."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.render.fear_of_the_dark.glyphs import Point, chalked
from bot.render.kit.paint import Box, grain

TWICE: Final = 2
"""The mask is drawn this much larger."""
STEP: Final = 16
"""Pixels after which the hand wavers."""


@dataclass(slots=True)
class Slate:
    """A mask in the making; coordinates are pixels of the finished picture."""

    size: tuple[int, int]
    dice: random.Random
    mask: Image.Image
    pen: ImageDraw.ImageDraw

    @classmethod
    def blank(cls, size: tuple[int, int], seed: str) -> Slate:
        """Nothing drawn yet; the same seed wavers alike."""
        mask = Image.new("L", (size[0] * TWICE, size[1] * TWICE))
        return cls(size, random.Random(seed), mask, ImageDraw.Draw(mask))

    def line(
        self, points: Sequence[Point], width: float = 3.4, *, tone: int = 255, waver: float = 0.9
    ) -> None:
        """A stroke through the points."""
        path: list[Point] = []
        for (x, y), (u, v) in pairwise(points):
            parts = max(1, round((abs(u - x) + abs(v - y)) / STEP))
            path += [(x + (u - x) * n / parts, y + (v - y) * n / parts) for n in range(parts)]
        path.append(points[-1])
        shaken = [
            (
                (x + self.dice.uniform(-waver, waver)) * TWICE,
                (y + self.dice.uniform(-waver, waver)) * TWICE,
            )
            for x, y in path
        ]
        wide = round(width * TWICE)
        self.pen.line(shaken, fill=tone, width=wide, joint="curve")
        r = wide / 2
        for x, y in (shaken[0], shaken[-1]):
            self.pen.ellipse((x - r, y - r, x + r, y + r), fill=tone)

    def dashes(
        self, one: Point, other: Point, width: float = 3.4, *, dash: float = 9, tone: int = 255
    ) -> None:
        """A broken line."""
        (x, y), (u, v) = one, other
        length = max(1.0, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
        at = 0.0
        while at < length:
            end = min(length, at + dash)
            a, b = at / length, end / length
            points = [(x + (u - x) * t, y + (v - y) * t) for t in (a, b)]
            self.line(points, width, tone=tone, waver=0.5)
            at += dash * 1.9

    def dot(self, x: float, y: float, r: float, tone: int = 255) -> None:
        """A dab."""
        self.pen.ellipse(tuple(v * TWICE for v in (x - r, y - r, x + r, y + r)), fill=tone)

    def clear(self, box: Box) -> None:
        """Wipe a box."""
        self.pen.rectangle(tuple(v * TWICE for v in box), fill=0)

    def stamp(self, name: str, x: int, y: int, size: int, number: int = 0) -> None:
        """One of the small drawings, its middle there."""
        big = chalked(name, size * TWICE, number)
        at = (x * TWICE - size, y * TWICE - size)
        box = (*at, at[0] + big.width, at[1] + big.height)
        self.mask.paste(ImageChops.lighter(self.mask.crop(box), big), at)

    def finished(self) -> Image.Image:
        """The mask at the size of the picture, with the grain of chalk."""
        small = self.mask.resize(self.size, Image.Resampling.BOX)
        return ImageChops.multiply(small, _dust(*self.size))


@lru_cache(maxsize=4)
def _dust(width: int, height: int) -> Image.Image:
    """What chalk leaves out: mostly full, with crumbs missing."""
    noise = grain(width, height, 41, 1.6)
    return noise.point([min(255, 120 + v) for v in range(256)])
