"""The house from its gate, as a silhouette against the sky: behind the closing picture.

Drawn at twice the picture's size. A won night ends at sunrise with the doors open; a lost one under
a red moon, with every window lit.
"""

from __future__ import annotations

import math
import random
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night.plan import SIZE
from bot.render.kit.paint import Rgb, mix, rgb, vignetted, with_grain

TWICE: Final = 2
RAYS: Final = 36
WIDTH: Final = 460
"""Width of the house for a height of 300, in pixels of the finished picture."""
HIGHEST: Final = 330


def sky(won: bool, ground: int) -> Image.Image:
    """Sky, house and grounds; the house stands at `ground` pixels from the top."""
    big = _heaven(won, ground)
    tone = mix(rgb("1a1530"), p.NIGHT, 0.3) if won else rgb("07060e")
    scale = min(HIGHEST, ground - 60) / 300
    _hills(big, ground * TWICE, tone, won)
    light = Image.new("L", big.size)
    _house(big, light, ground * TWICE, scale * TWICE, tone, won)
    glow = light.filter(ImageFilter.GaussianBlur(16))
    big.paste(p.CANDLE, (0, 0), glow.point([v * 3 // 5 for v in range(256)]))
    big.paste(mix(p.CANDLE, (255, 255, 255), 0.2), (0, 0), light)
    _front(big, ground * TWICE, tone, won)
    image = big.resize(SIZE, Image.Resampling.LANCZOS)
    return vignetted(with_grain(image, 17, 3, 4), 0.4)


def _heaven(won: bool, ground: int) -> Image.Image:
    high, low, disc = (
        (rgb("232b5c"), rgb("c0674a"), rgb("ffd07a"))
        if won
        else (rgb("090c1e"), rgb("5e1622"), rgb("c2323a"))
    )
    size = (SIZE[0] * TWICE, SIZE[1] * TWICE)
    fall = Image.linear_gradient("L").resize((size[0], ground * TWICE))
    big = Image.new("RGB", size, low)
    upper = (size[0], ground * TWICE)
    big.paste(Image.composite(Image.new("RGB", upper, low), Image.new("RGB", upper, high), fall))
    x, y = size[0] * (0.5 if won else 0.71), ground * TWICE - (60 if won else 360)
    light = Image.new("L", size)
    pen = ImageDraw.Draw(light)
    if won:
        far = size[0] * 1.2
        for n in range(0, RAYS, 2):
            a, b = n * math.tau / RAYS, (n + 1) * math.tau / RAYS
            pen.polygon(
                [
                    (x, y),
                    (x + far * math.cos(a), y + far * math.sin(a)),
                    (x + far * math.cos(b), y + far * math.sin(b)),
                ],
                fill=50,
            )
    for r, tone in (
        ((330, 60), (250, 130), (190, 255)) if won else ((270, 40), (215, 90), (165, 235))
    ):
        pen.ellipse((x - r, y - r, x + r, y + r), fill=tone)
    big.paste(disc, (0, 0), light.filter(ImageFilter.GaussianBlur(3)))
    if won:
        _clouds(big, ground * TWICE)
    else:
        _stars(big, ground * TWICE)
    return big


def _clouds(big: Image.Image, ground: int) -> None:
    rng = random.Random(5)
    mask = Image.new("L", big.size)
    pen = ImageDraw.Draw(mask)
    for _ in range(9):
        x, y, w = (
            rng.randint(-100, big.width),
            rng.randint(ground // 3, ground - 80),
            rng.randint(200, 520),
        )
        pen.rounded_rectangle((x, y, x + w, y + 16), 8, fill=120)
        pen.rounded_rectangle((x + w * 0.2, y - 18, x + w * 0.8, y + 4), 11, fill=90)
    big.paste(
        rgb("ffcf9a"),
        (0, 0),
        mask.filter(ImageFilter.GaussianBlur(5)).point([v * 2 // 5 for v in range(256)]),
    )


def _stars(big: Image.Image, ground: int) -> None:
    rng = random.Random(9)
    pen = ImageDraw.Draw(big)
    for _ in range(110):
        x, y, r = rng.randint(0, big.width), rng.randint(0, ground), rng.choice((2, 2, 3))
        pen.ellipse((x - r, y - r, x + r, y + r), fill=mix(p.MOON, p.NIGHT, rng.uniform(0.3, 0.8)))
    for n in range(7):
        x, y, s = rng.randint(900, 2100), rng.randint(120, max(200, ground - 330)), 16 + n % 3 * 7
        wing = [(x - 2 * s, y - s * 0.5), (x - s, y - s * 0.9), (x, y), (x + s, y - s * 0.9)]
        wing += [(x + 2 * s, y - s * 0.5), (x + s, y - s * 0.25), (x, y + s * 0.5)]
        pen.polygon([*wing, (x - s, y - s * 0.25)], fill=rgb("05040a"))


def _hills(big: Image.Image, ground: int, tone: Rgb, won: bool) -> None:
    pen = ImageDraw.Draw(big)
    far = mix(tone, rgb("b05a4a") if won else rgb("3a0d18"), 0.45)
    ridge = [
        (x, ground - 50 - 34 * math.sin(x / 310) - 20 * math.sin(x / 97 + 1))
        for x in range(0, big.width + 20, 20)
    ]
    pen.polygon([(0, ground + 60), *ridge, (big.width, ground + 60)], fill=far)
    rng = random.Random(2)
    for n in range(60):
        x = n * 42 + rng.randint(-16, 16)
        if abs(x - big.width / 2) < 470:
            continue
        h, w = rng.randint(70, 190), rng.randint(22, 38)
        if won or n % 3:
            pen.polygon([(x - w, ground + 20), (x, ground - h), (x + w, ground + 20)], fill=tone)
        else:
            _bare_tree(pen, x, ground + 10, h * 1.15, tone, rng)


def _bare_tree(
    pen: ImageDraw.ImageDraw, x: float, y: float, high: float, tone: Rgb, rng: random.Random
) -> None:
    def branch(x: float, y: float, angle: float, long: float, wide: float) -> None:
        x2, y2 = x + long * math.cos(angle), y - long * math.sin(angle)
        pen.line((x, y, x2, y2), fill=tone, width=max(3, round(wide)))
        if long > 16:
            for turn in (-0.5, 0.45):
                more = turn + rng.uniform(-0.2, 0.2)
                branch(x2, y2, angle + more, long * rng.uniform(0.58, 0.72), wide * 0.62)

    branch(x, y, math.pi / 2 + rng.uniform(-0.1, 0.1), high * 0.42, 15)


def _house(
    big: Image.Image, light: Image.Image, ground: int, s: float, tone: Rgb, won: bool
) -> None:
    """The front, `s` pixels for each of its units: 460 wide, 300 high."""
    pen, lamp = ImageDraw.Draw(big), ImageDraw.Draw(light)
    x0 = big.width / 2

    def at(x: float, y: float) -> tuple[float, float]:
        return (x0 + x * s, ground - y * s)

    def block(left: float, right: float, high: float) -> None:
        pen.rectangle((*at(left, high), *at(right, -12)), fill=tone)

    def gable(left: float, right: float, low: float, high: float) -> None:
        pen.polygon(
            [at(left - 7, low), at((left + right) / 2, high), at(right + 7, low)], fill=tone
        )

    block(-230, 230, 118)
    pen.polygon([at(-238, 116), at(-208, 164), at(208, 164), at(238, 116)], fill=tone)
    for left, right in ((-216, -140), (140, 216)):
        block(left, right, 142)
        gable(left, right, 142, 204)
    block(-58, 58, 170)
    gable(-58, 58, 170, 236)
    block(84, 124, 214)
    pen.pieslice((*at(78, 244), *at(130, 192)), 180, 360, fill=tone)
    pen.rectangle((*at(103, 262), *at(105, 240)), fill=tone)
    pen.polygon([at(105, 262), at(122, 257), at(105, 252)], fill=tone)
    block(-120, -92, 196)
    gable(-120, -92, 196, 252)
    for x, high in ((-180, 222), (-30, 226), (40, 222), (176, 226)):
        pen.rectangle((*at(x, high), *at(x + 14, 120)), fill=tone)
        pen.rectangle((*at(x - 3, high + 5), *at(x + 17, high - 3)), fill=tone)

    panes = [(x, y) for y in (26, 74) for x in (-200, -164, -122, -94, 84, 112, 156, 192)]
    panes += [(x, 108) for x in (-184, 172)] + [
        (-111, 158),
        (98, 178),
        (-36, 96),
        (0, 96),
        (36, 96),
    ]
    dark = mix(tone, rgb("ffb27a") if won else p.NIGHT, 0.22)
    for n, (x, y) in enumerate(panes):
        lit = n % 6 == 2 if won else n % 5 != 3
        onto, fill = (lamp, 255) if lit else (pen, dark)
        onto.rectangle((*at(x - 6, y + 26), *at(x + 6, y)), fill=fill)
        onto.pieslice((*at(x - 6, y + 33), *at(x + 6, y + 19)), 180, 360, fill=fill)
        pen.line((*at(x, y + 33), *at(x, y)), fill=tone, width=3)
    lamp.ellipse((*at(-12, 206), *at(12, 182)), fill=255)
    if won:
        lamp.rectangle((*at(-17, 54), *at(17, 0)), fill=255)
        lamp.pieslice((*at(-17, 71), *at(17, 37)), 180, 360, fill=255)
    else:
        pen.rectangle((*at(-17, 54), *at(17, 0)), fill=dark)
        pen.pieslice((*at(-17, 71), *at(17, 37)), 180, 360, fill=dark)
    for cross in (light, big):
        over = ImageDraw.Draw(cross)
        fill = 0 if cross is light else tone
        for x, y in panes:
            over.line((*at(x, y + 33), *at(x, y)), fill=fill, width=3)
            over.line((*at(x - 6, y + 15), *at(x + 6, y + 15)), fill=fill, width=3)


def _front(big: Image.Image, ground: int, tone: Rgb, won: bool) -> None:
    """The ground before the house, the drive and its fence."""
    pen = ImageDraw.Draw(big)
    pen.rectangle((0, ground, big.width, big.height), fill=tone)
    x = big.width / 2
    drive = Image.new("L", big.size)
    ImageDraw.Draw(drive).polygon(
        [(x - 34, ground), (x + 34, ground), (x + 330, big.height), (x - 330, big.height)],
        fill=120 if won else 60,
    )
    big.paste(
        p.CANDLE if won else rgb("5a1a24"), (0, 0), drive.filter(ImageFilter.GaussianBlur(10))
    )
