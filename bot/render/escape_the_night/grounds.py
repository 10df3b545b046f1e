"""The grounds around the house: lawn, hedges, the path to the front door, light from windows."""

from __future__ import annotations

import math
import random
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night.plan import SIDE, YARD, Edge, House
from bot.render.kit.paint import mix, rgb

TWICE: Final = 2
LEAF: Final = rgb("1d4234")
GRAVEL: Final = rgb("4a4f5e")


def has_window(edge: Edge) -> bool:
    """Whether a side of a space has a window: every other one on the outer walls."""
    return edge.outer and (edge.x if edge.way == "across" else edge.y) % 2 == 1


def lay_grounds(big: Image.Image, house: House) -> None:
    """Paint the grounds, at twice the size of the picture, before the house stands on them."""
    _path(big, house)
    _lamplight(big, house)
    _hedges(big, house)
    _trees(big, house)
    _motor_car(big, house)


def _path(big: Image.Image, house: House) -> None:
    """Slabs from the front steps to the lower edge, wider towards the gate."""
    left, top, right, _ = (2 * n for n in house.box(house.steps))
    end = YARD[3] * TWICE + 20
    middle = (left + right) // 2
    gravel = Image.new("L", big.size)
    ImageDraw.Draw(gravel).polygon(
        [(left - 10, top), (right + 10, top), (right + 70, end), (left - 70, end)], fill=150
    )
    big.paste(GRAVEL, (0, 0), gravel.filter(ImageFilter.GaussianBlur(8)))
    rng = random.Random(3)
    pen = ImageDraw.Draw(big)
    y = top + 40
    while y < end:
        for n in range(-2, 3):
            x = middle + n * 46 + rng.randint(-6, 6) + (23 if (y // 30) % 2 else 0)
            tone = mix(p.STONE, p.NIGHT, 0.5 + 0.2 * rng.random())
            pen.rounded_rectangle((x - 20, y - 12, x + 20, y + 12), 8, fill=tone)
        y += 30


def _lamplight(big: Image.Image, house: House) -> None:
    """Warm light that falls out of the south and east windows."""
    light = Image.new("L", big.size)
    pen = ImageDraw.Draw(light)
    cell = house.cell * TWICE
    for edge in house.edges:
        if edge.moonlit or not has_window(edge):
            continue
        x, y = (house.left + edge.x * house.cell) * 2, (house.top + edge.y * house.cell) * 2
        near, far, long = cell * 0.22, cell * 0.08, cell * 0.5
        if edge.way == "across":
            pen.polygon(
                [
                    (x + near, y),
                    (x + cell - near, y),
                    (x + cell - far, y + long),
                    (x + far, y + long),
                ],
                fill=110,
            )
        elif (x + long) / TWICE < SIDE[0]:
            pen.polygon(
                [
                    (x, y + near),
                    (x, y + cell - near),
                    (x + long, y + cell - far),
                    (x + long, y + far),
                ],
                fill=110,
            )
    big.paste(
        p.CANDLE,
        (0, 0),
        light.filter(ImageFilter.GaussianBlur(14)).point([v * 2 // 5 for v in range(256)]),
    )


def _hedges(big: Image.Image, house: House) -> None:
    """Clipped bushes before the front, two deep at the corners."""
    rng = random.Random(8)
    pen = ImageDraw.Draw(big)
    steps = house.place(house.steps)
    bushes: list[tuple[int, int, int]] = []
    for column in range(house.columns):
        for row in range(house.rows):
            if house.room(column, row) is None and abs(column - steps[0]) > 0:
                left, _, right, bottom = (2 * n for n in house.box(house.name(column, row)))
                bushes += [
                    (left + (right - left) * (2 * n + 1) // 6, bottom - 16, rng.randint(15, 20))
                    for n in range(3)
                ]
    for x, y, r in bushes:
        pen.ellipse((x - r + 5, y - r + 8, x + r + 7, y + r + 10), fill=p.INK)
        pen.ellipse((x - r, y - r, x + r, y + r), fill=mix(LEAF, p.NIGHT, 0.35))
        pen.ellipse((x - r * 0.8, y - r * 0.85, x + r * 0.45, y + r * 0.4), fill=LEAF)
        pen.ellipse(
            (x - r * 0.6, y - r * 0.65, x - r * 0.05, y - r * 0.1), fill=mix(LEAF, p.MOON, 0.28)
        )


def _trees(big: Image.Image, house: House) -> None:
    """Crowns along the lower edge, away from the path."""
    rng = random.Random(21)
    pen = ImageDraw.Draw(big)
    middle = house.middle(house.steps)[0] * TWICE
    low = YARD[3] * TWICE
    for n in range(13):
        x, y, r = n * 140 + rng.randint(20, 60), low - rng.randint(-10, 30), rng.randint(40, 62)
        if abs(x - middle) < 230 or x < 560 or x > SIDE[0] * TWICE - 70:
            continue
        pen.ellipse((x - r + 12, y - r + 16, x + r + 14, y + r + 18), fill=p.INK)
        for share, tone in ((1.0, 0.62), (0.78, 0.48), (0.5, 0.3)):
            off = (1 - share) * r * 0.5
            points: list[tuple[float, float]] = []
            for k in range(22):
                a, far = k * math.tau / 22, r * share * rng.uniform(0.86, 1.04)
                points.append((x - off + far * math.cos(a), y - off + far * math.sin(a)))
            pen.polygon(points, fill=mix(mix(LEAF, p.MOON, 0.14), p.NIGHT, tone))


def _motor_car(big: Image.Image, house: House) -> None:
    """A long car of the guests, its lamps still on, beside the path."""
    x, y = house.middle(house.steps)[0] * TWICE + 330, (YARD[1] + YARD[3]) // 2 * TWICE + 14
    light = Image.new("L", big.size)
    pen = ImageDraw.Draw(light)
    for side in (-1, 1):
        at = y + side * 24
        pen.polygon(
            [(x - 112, at - 5), (x - 112, at + 5), (x - 230, at + 40), (x - 230, at - 40)], fill=120
        )
    big.paste(p.CANDLE, (0, 0), light.filter(ImageFilter.GaussianBlur(12)))
    pen = ImageDraw.Draw(big)
    body, trim = rgb("2b3348"), rgb("59647f")
    pen.rounded_rectangle((x - 104, y - 34, x + 120, y + 50), 20, fill=p.INK)
    for wheel in (-72, 66):
        for side in (-1, 1):
            at = y + side * 38
            pen.rounded_rectangle((x + wheel - 24, at - 9, x + wheel + 24, at + 9), 6, fill=p.INK)
            pen.rounded_rectangle(
                (x + wheel - 34, at - 13 + side * 2, x + wheel + 34, at + 9 + side * 2),
                10,
                fill=body,
            )
    pen.rounded_rectangle((x - 112, y - 26, x + 8, y + 26), 12, fill=body, outline=p.INK, width=3)
    pen.rounded_rectangle((x - 6, y - 36, x + 112, y + 36), 14, fill=body, outline=p.INK, width=3)
    pen.rounded_rectangle((x + 4, y - 28, x + 20, y + 28), 5, fill=mix(p.MOON, p.NIGHT, 0.45))
    pen.rounded_rectangle((x + 28, y - 27, x + 98, y + 27), 9, fill=mix(body, p.INK, 0.35))
    pen.line((x - 104, y, x - 8, y), fill=trim, width=3)
    pen.line((x - 12, y - 22, x - 12, y + 22), fill=trim, width=4)
    for side in (-1, 1):
        at = y + side * 24
        pen.ellipse((x - 120, at - 8, x - 104, at + 8), fill=p.CANDLE, outline=p.INK, width=2)


def glaze(big: Image.Image, house: House) -> None:
    """Panes in the outer walls: pale where the moon stands, warm elsewhere."""
    pen = ImageDraw.Draw(big)
    cell = house.cell * TWICE
    for edge in house.edges:
        if not has_window(edge):
            continue
        x, y = (house.left + edge.x * house.cell) * 2, (house.top + edge.y * house.cell) * 2
        tone = p.MOON if edge.moonlit else p.CANDLE
        a, b = round(cell * 0.24), round(cell * 0.76)
        boxes = [(a, (a + b) // 2 - 3), ((a + b) // 2 + 3, b)]
        for start, end in boxes:
            box = (
                (x + start, y - 6, x + end, y + 5)
                if edge.way == "across"
                else (x - 6, y + start, x + 5, y + end)
            )
            pen.rectangle(box, fill=tone, outline=p.INK, width=2)
