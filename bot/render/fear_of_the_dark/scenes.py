"""What the closing picture shows: a door into the day, or a dark of its own kind."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.chalk import Slate
from bot.render.fear_of_the_dark.glyphs import Point, arc, chalked, oval
from bot.render.fear_of_the_dark.panel import ORDER
from bot.render.fear_of_the_dark.plan import SIZE
from bot.render.kit.paint import Rgb, glow, mix, rgb, tinted, vignetted

HIGH: Final = 560
"""The scene; below it are the plates."""
FLOOR: Final = 500


@lru_cache(maxsize=8)
def scene(ending: str) -> Image.Image:
    """The whole ground of a closing picture, 1200 x 900. Not to be changed."""
    return SCENES.get(ending, _plain)()


def _night() -> Image.Image:
    return Image.new("RGB", SIZE, p.DARK)


def _fine(paint: Callable[[ImageDraw.ImageDraw, int], None]) -> Image.Image:
    """The upper part painted at twice the size."""
    big = Image.new("RGBA", (SIZE[0] * 2, HIGH * 2))
    paint(ImageDraw.Draw(big), 2)
    return big.resize((SIZE[0], HIGH), Image.Resampling.LANCZOS)


def _chalked(image: Image.Image, slate: Slate, colour: Rgb = p.CHALK) -> None:
    image.paste(colour, (0, 0), slate.finished())


def _dawn() -> Image.Image:
    """A door stands open, day falls in, and somebody walks out."""
    image = _night()
    _stones(image)
    middle = SIZE[0] // 2
    left, right, top, floor = middle - 118, middle + 118, 250, FLOOR
    arch = [
        (left, floor), (left, top + 60),
        *((middle - 118 * math.cos(a), top + 60 - 96 * math.sin(a)) for a in _angles(14)),
        (right, top + 60), (right, floor),
    ]  # fmt: skip
    rays = Image.new("L", (SIZE[0] // 2, SIZE[1] // 2))
    pen = ImageDraw.Draw(rays)
    for n in range(14, 0, -1):
        t = n / 14
        spread, deep = 118 + 430 * t, 400 * t
        pen.polygon(
            [
                ((left) / 2, floor / 2), ((right) / 2, floor / 2),
                ((middle + spread) / 2, (floor + deep) / 2),
                ((middle - spread) / 2, (floor + deep) / 2),
            ],
            fill=round(225 * (1 - t) ** 1.1),
        )  # fmt: skip
    soft = rays.filter(ImageFilter.GaussianBlur(3)).resize(SIZE, Image.Resampling.BILINEAR)
    image.paste(p.DAWN, (0, 0), soft.point([round(v * 0.62) for v in range(256)]))
    halo = glow(900, 760, p.FLAME, 0.55)
    image.paste(halo, (middle - 450, 380 - 380), halo)

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        outer = [(middle + (x - middle) * 1.16, floor + (y - floor) * 1.09) for x, y in arch]
        pen.polygon(_times(outer, fine), fill=mix(p.OCHRE_DARK, p.EARTH, 0.4))
        for n, a in enumerate(_angles(8)):
            x, y = middle - 137 * math.cos(a), top + 52 - 112 * math.sin(a)
            inner = (middle - 118 * math.cos(a), top + 60 - 96 * math.sin(a))
            if n:
                pen.line(_times([inner, (x, y)], fine), fill=p.EARTH, width=3 * fine)
        pen.polygon(_times(arch, fine), fill=rgb("ffd98a"))
        inside = [(middle + (x - middle) * 0.9, floor + (y - floor) * 0.97) for x, y in arch]
        pen.polygon(_times(inside, fine), fill=rgb("ffeebb"))
        sun = [(middle - 62, floor - 158), (middle + 62, floor - 34)]
        pen.ellipse([v * fine for point in sun for v in point], fill=rgb("fffbe8"))
        hills = [
            (left + 12, floor - 40), (middle - 50, floor - 66), (middle - 8, floor - 44),
            (middle + 40, floor - 74), (right - 12, floor - 36), (right - 12, floor),
            (left + 12, floor),
        ]  # fmt: skip
        pen.polygon(_times(hills, fine), fill=rgb("d98a3f"))

    picture = _fine(paint)
    image.paste(picture, (0, 0), picture)
    shadow = Image.new("L", SIZE)
    ImageDraw.Draw(shadow).polygon(
        [
            (middle - 16, floor + 8),
            (middle + 16, floor + 8),
            (middle + 76, 890),
            (middle - 70, 890),
        ],
        fill=190,
    )
    image.paste(p.PIT, (0, 0), shadow.filter(ImageFilter.GaussianBlur(5)))
    _figure(image, middle, floor + 14, 132, p.PIT)
    return vignetted(image, 0.5)


def _angles(count: int) -> list[float]:
    return [math.pi * n / count for n in range(count + 1)]


def _times(points: Sequence[Point], by: float) -> list[Point]:
    return [(x * by, y * by) for x, y in points]


def _stones(image: Image.Image) -> None:
    """A wall of large stones, hardly to be seen, and a floor."""
    dice = random.Random("wall")
    pen = ImageDraw.Draw(image)
    y = 0
    while y < FLOOR:
        x = -dice.randrange(90)
        while x < SIZE[0]:
            wide = dice.randrange(90, 170)
            tone = mix(rgb("1c140c"), p.DARK, dice.uniform(0, 0.5))
            pen.rounded_rectangle((x + 2, y + 2, x + wide - 2, y + 58), 6, fill=tone)
            x += wide
        y += 60
    pen.rectangle((0, FLOOR, *SIZE), fill=rgb("130e08"))


def _figure(image: Image.Image, x: int, foot: int, high: int, colour: Rgb) -> None:
    """Somebody in a hooded coat, from behind."""
    wide = round(high * 0.46)
    big = Image.new("L", (wide * 4, high * 4))
    pen = ImageDraw.Draw(big)
    w, h = wide * 4, high * 4
    coat = [
        (0.5, 0.0), (0.64, 0.05), (0.69, 0.17), (0.66, 0.24), (0.84, 0.34), (0.92, 0.62),
        (0.88, 0.84), (0.66, 0.86), (0.64, 1.0), (0.54, 1.0), (0.52, 0.87), (0.46, 0.87),
        (0.42, 1.0), (0.32, 1.0), (0.32, 0.86), (0.12, 0.84), (0.08, 0.62), (0.16, 0.34),
        (0.34, 0.24), (0.31, 0.17), (0.36, 0.05),
    ]  # fmt: skip
    pen.polygon([(a * w, b * h) for a, b in coat], fill=255)
    mask = big.resize((wide, high), Image.Resampling.LANCZOS)
    image.paste(colour, (x - wide // 2, foot - high), mask)


def _mind_lost() -> Image.Image:
    """The thoughts blow away, one after the other, from a head that is a scrawl."""
    image = _night()
    slate = Slate.blank(SIZE, "mind")
    x, y = 600, 372
    points = [
        (
            x + (18 + n * 0.42) * math.cos(n * 0.33) * (1 + 0.1 * math.sin(n * 0.9)),
            y + (16 + n * 0.38) * math.sin(n * 0.33) * (1 + 0.1 * math.cos(n * 1.3)),
        )
        for n in range(380)
    ]
    slate.line(points, 3.4, waver=1.8)
    _chalked(image, slate)
    dice = random.Random("thoughts")
    for n in range(9):
        action = ORDER[n % 6]
        side = -1 if n % 2 else 1
        far = 254 + (n // 2) * 76
        up = (n // 2) % 2 * 2 - 1
        cx, cy = x + side * far, 366 + up * side * 64 + dice.randrange(-14, 14)
        size = 84 - (n // 2) * 6
        mask = _torn(action, size, dice.uniform(-40, 40))
        fade = mix(p.CHALK, p.DARK, 0.08 + 0.13 * (n // 2))
        image.paste(fade, (cx - mask.width // 2, cy - mask.height // 2), mask)
    return vignetted(image, 0.5)


def _torn(action: str, size: int, turn: float) -> Image.Image:
    """A thought as a piece of a card."""
    wide, high = round(size * 1.2), round(size * 1.5)
    mask = Image.new("L", (wide * 2, high * 2))
    pen = ImageDraw.Draw(mask)
    box = (4, 4, wide * 2 - 5, high * 2 - 5)
    pen.rounded_rectangle(box, 16, outline=255, width=7)
    sign = chalked(action, size * 2)
    mask.paste(sign, ((wide * 2 - sign.width) // 2, (high * 2 - sign.height) // 2))
    turned = mask.rotate(turn, Image.Resampling.BICUBIC, expand=True)
    return turned.resize((turned.width // 2, turned.height // 2), Image.Resampling.LANCZOS)


def _terror() -> Image.Image:
    """Two eyes as large as the dark, more behind them, and somebody very small."""
    image = _night()
    middle = SIZE[0] // 2
    pairs = [
        (middle, 330, 400), (170, 250, 120), (1030, 236, 130), (250, 440, 84), (960, 452, 92),
        (90, 372, 60), (1120, 372, 64),
    ]  # fmt: skip
    light = Image.new("L", (SIZE[0] // 2, SIZE[1] // 2))
    pen = ImageDraw.Draw(light)
    for x, y, wide in pairs:
        for side in (-1, 1):
            eye = oval(x + side * wide * 0.5, y, wide * 0.3, wide * 0.13, side * 14)
            pen.polygon(_times(list(eye), 0.5), fill=255)
    shine = light.filter(ImageFilter.GaussianBlur(22)).resize(SIZE, Image.Resampling.BILINEAR)
    image.paste(p.PHOSPHOR, (0, 0), shine.point([round(v * 0.55) for v in range(256)]))

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        for x, y, wide in pairs:
            for side in (-1, 1):
                _eye(pen, x + side * wide * 0.5, y, wide * 0.27, side, fine)

    picture = _fine(paint)
    image.paste(picture, (0, 0), picture)
    slate = Slate.blank(SIZE, "lids")
    for side in (-1, 1):
        x = middle + side * 200
        for n in range(5):
            r = 124 + n * 15
            brow = arc(x, 336 + n * 5, r, 205, 335, r * 0.5)
            turned = [(u, v + side * (x - u) * 0.2) for u, v in brow]
            slate.line(turned, 3, tone=190 - n * 34, waver=1.6)
    _chalked(image, slate, p.RUST)
    _figure(image, middle, 548, 84, p.PIT)
    edge = Slate.blank(SIZE, "small")
    edge.line([(middle - 150, 550), (middle + 150, 550)], 3, tone=110)
    _chalked(image, edge)
    rim = Image.new("RGB", SIZE, p.CHALK)
    mask = Image.new("L", SIZE)
    body = Image.new("RGB", SIZE, p.PIT)
    _figure(body, middle, 548, 84, p.BONE)
    mask.paste(body.convert("L").point([255 * (v > 90) for v in range(256)]))
    outline = ImageChops.subtract(mask.filter(ImageFilter.MaxFilter(5)), mask)
    image.paste(rim, (0, 0), outline.point([round(v * 0.8) for v in range(256)]))
    return vignetted(image, 0.3)


def _eye(pen: ImageDraw.ImageDraw, x: float, y: float, r: float, side: int, fine: int) -> None:
    """One eye: narrow, lit from within, the pupil a slit."""
    almond = [
        *arc(x, y + r * 0.5, r, 208, 332, r * 0.92), *arc(x, y - r * 0.36, r, 28, 152, r * 0.8)
    ]  # fmt: skip
    turned = [(u, v + side * (x - u) * 0.26) for u, v in almond]
    pen.polygon(_times(turned, fine), fill=p.PHOSPHOR)
    inner = [(x + (u - x) * 0.86, y + (v - y) * 0.8) for u, v in turned]
    pen.polygon(_times(inner, fine), fill=p.FLAME)
    core = [(x + (u - x) * 0.52, y + (v - y) * 0.66) for u, v in turned]
    pen.polygon(_times(core, fine), fill=p.FLAME_CORE)
    pen.polygon(_times(list(oval(x, y, r * 0.09, r * 0.36)), fine), fill=p.PIT)


def _echo() -> Image.Image:
    """Ring upon ring, and in the middle somebody who is not there any more."""
    image = _night()
    middle, y = SIZE[0] // 2, 376
    slate = Slate.blank(SIZE, "rings")
    for n in range(13):
        r = 66 + n * n * 3.1 + n * 12
        ring = [
            (middle + r * 1.22 * math.cos(a), y + r * 0.8 * math.sin(a))
            for a in (k * math.tau / 72 for k in range(73))
        ]
        slate.line(ring, 5.5 - n * 0.22, tone=max(50, 255 - n * 18), waver=1.6)
    _chalked(image, slate, p.WATER)
    hollow = tinted(
        Image.radial_gradient("L").resize((230, 170)).point([255 - v for v in range(256)]), p.PIT
    )
    image.paste(hollow, (middle - 115, y - 85), hollow)
    edge = Slate.blank(SIZE, "ghost")
    high, wide = 116, 54
    coat = [
        (0.5, 0.0), (0.66, 0.06), (0.68, 0.2), (0.86, 0.34), (0.94, 0.66), (0.86, 0.92),
        (0.5, 0.97), (0.14, 0.92), (0.06, 0.66), (0.14, 0.34), (0.32, 0.2), (0.34, 0.06),
        (0.5, 0.0),
    ]  # fmt: skip
    for (a, b), (c, d) in pairwise(coat):
        ends = [
            (middle + (u - 0.5) * wide * 1.4, y - high / 2 + v * high) for u, v in ((a, b), (c, d))
        ]
        edge.dashes(ends[0], ends[1], 3.2, dash=7)
    _chalked(image, edge)
    return vignetted(image, 0.5)


def _closed() -> Image.Image:
    """The last door, walled up."""
    image = _night()
    middle = SIZE[0] // 2
    slate = Slate.blank(SIZE, "bricks")
    left, right, top = middle - 165, middle + 165, 196
    arch = [
        (left, FLOOR + 20), (left, top + 150),
        *((middle - 165 * math.cos(a), top + 150 - 150 * math.sin(a)) for a in _angles(16)),
        (right, top + 150), (right, FLOOR + 20),
    ]  # fmt: skip
    slate.line(arch, 6)
    outer = [(middle + (x - middle) * 1.16, FLOOR + 20 + (y - FLOOR - 20) * 1.09) for x, y in arch]
    slate.line(outer, 4, tone=170)
    dice = random.Random("bricks")
    for row in range(9):
        y = FLOOR + 20 - row * 36
        rise = max(0.0, (top + 150 - y) / 150)
        half = 165 * math.sqrt(max(0.0, 1 - rise * rise))
        if half < 24:
            break
        slate.line(((middle - half, y), (middle + half, y)), 3, tone=210)
        x = middle - 165 + (34 if row % 2 else 68)
        while x < middle + half - 8:
            if x > middle - half + 8:
                slate.line(((x, y), (x + dice.uniform(-3, 3), y - 35)), 3, tone=190)
            x += 68
    slate.line(((60, FLOOR + 22), (SIZE[0] - 60, FLOOR + 22)), 4, tone=150)
    _chalked(image, slate)
    for side in (-1, 1):
        for n in range(3):
            mask = chalked("move", 44).rotate(180 - 10 * side)
            at = (middle + side * (250 + n * 92), FLOOR - 18 - (n % 2) * 18)
            fade = mix(p.CHALK, p.DARK, 0.3 + 0.2 * n)
            image.paste(fade, at, mask)
    return vignetted(image, 0.5)


def _trapped() -> Image.Image:
    """Stones and a lock all around, seen from where one sits."""
    image = _night()
    slate = Slate.blank(SIZE, "trapped")
    dice = random.Random("heap")
    for row in range(6):
        for n in range(13 - row):
            x = 120 + n * 80 + row * 40 + dice.randrange(-12, 12)
            y = 508 - row * 54 + dice.randrange(-8, 8)
            rx, ry = dice.randrange(38, 50), dice.randrange(27, 34)
            if abs(x - 600) < 96 and y > 396:
                continue
            points = [
                (
                    x + rx * math.cos(a) * dice.uniform(0.84, 1.08),
                    y + ry * math.sin(a) * dice.uniform(0.84, 1.08),
                )
                for a in (k * math.tau / 9 for k in range(9))
            ]
            inner = [v * 2 for point in points for v in point]
            slate.pen.polygon(inner, fill=0)
            slate.line([*points, points[0]], 3.6, tone=255 - row * 22, waver=0.5)
    _chalked(image, slate)
    lock = chalked("lock", 128)
    image.paste(p.CHALK, (600 - 64, 410), lock)
    return vignetted(image, 0.5)


def _plain() -> Image.Image:
    """Nothing but the dark."""
    return vignetted(_night(), 0.5)


SCENES: Final[Mapping[str, Callable[[], Image.Image]]] = {
    "escaped": _dawn, "mind_lost": _mind_lost, "terror": _terror, "dark_echo": _echo,
    "maze_closed": _closed, "trapped": _trapped,
}  # fmt: skip

__all__ = ["HIGH", "SCENES", "scene"]
