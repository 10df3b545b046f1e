"""The part of the picture that does not change during a game: house, frame and coordinates."""

from __future__ import annotations

import math
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night.floors import floor_of, laid
from bot.render.escape_the_night.furniture import furnish
from bot.render.escape_the_night.grounds import glaze, has_window, lay_grounds
from bot.render.escape_the_night.plan import FIELD, SIDE, SIZE, TOP, House
from bot.render.kit.paint import Box, glow, grain, grown, mix, shrunk, vignetted, with_grain
from bot.render.kit.sheet import Sheet

TWICE: Final = 2
INNER: Final = 10
"""Thickness of walls between rooms, in pixels of the finished picture."""
OUTER: Final = 14

Mask = Image.Image


def painted(house: House, dining: str) -> Sheet:
    """The house without the names of its rooms.

    `dining` is the room that is in the place of the dining room.
    """
    big = _night()
    inside = _mask_of(house, list(house.rooms))
    lay_grounds(big, house)
    _cast(big, inside, blur=26, right=16, down=22, strength=0.75)
    _lay_floors(big, house, dining)
    walls = _walls(house)
    _moonlight(big, house, inside)
    _ritual(big, house)
    _inlays(big, house)
    _cast(big, walls, blur=7, right=6, down=9, strength=0.7, only=inside)
    _raise_walls(big, house, walls)
    glaze(big, house)
    _hang_doors(big, house)
    image = big.resize(SIZE, Image.Resampling.LANCZOS)
    image = vignetted(image, 0.35)
    sheet = Sheet(image)
    _frame(sheet)
    _coordinates(sheet, house)
    return sheet


def _night() -> Image.Image:
    size = (SIZE[0] * TWICE, SIZE[1] * TWICE)
    fall = Image.linear_gradient("L").resize(size)
    image = Image.composite(Image.new("RGB", size, p.LAWN), Image.new("RGB", size, p.DUSK), fall)
    return with_grain(image, 11, 9, 14)


def _box2(box: Box) -> tuple[int, int, int, int]:
    return (box[0] * 2, box[1] * 2, box[2] * 2 - 1, box[3] * 2 - 1)


def _mask_of(house: House, spaces: list[str]) -> Mask:
    mask = Image.new("L", (SIZE[0] * TWICE, SIZE[1] * TWICE))
    pen = ImageDraw.Draw(mask)
    for space in spaces:
        pen.rectangle(_box2(house.box(space)), fill=255)
    return mask


def _cast(
    big: Image.Image,
    mask: Mask,
    *,
    blur: float,
    right: int,
    down: int,
    strength: float,
    only: Mask | None = None,
) -> None:
    """Darken where the mask throws its shadow."""
    shade = ImageChops.offset(mask, right, down).filter(ImageFilter.GaussianBlur(blur))
    shade = shade.point(lambda v: int(v * strength))
    if only is not None:
        shade = ImageChops.multiply(shade, only)
    big.paste(p.INK, (0, 0), shade)


def _lay_floors(big: Image.Image, house: House, dining: str) -> None:
    cell = house.cell * TWICE
    for number, room in enumerate(dict.fromkeys(house.rooms.values())):
        spaces = house.spaces_of(room)
        mask = _mask_of(house, spaces)
        box = mask.getbbox()
        if box is None:
            continue
        wide, high = box[2] - box[0], box[3] - box[1]
        kind = house.kinds[room]
        painter = floor_of(dining if kind == "dining" else room, kind, number)
        floor = laid(painter, wide, high, cell, 100 + number)
        furnish(floor, dining if kind == "dining" else room, kind, cell)
        part = mask.crop(box)
        if room == house.rooms[house.steps]:
            floor = _steps(wide, high)
        floor = _lit(floor, part, kind == "hall")
        big.paste(floor, box[:2], part)
        _seams(big, house, spaces)


def _steps(width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (width, height), mix(p.STONE, p.INK, 0.35))
    pen = ImageDraw.Draw(image)
    for n in range(4):
        y = n * height // 4
        pen.rectangle((0, y, width, y + height // 4), fill=mix(p.STONE, p.INK, 0.5 - 0.1 * n))
        pen.line((0, y, width, y), fill=mix(p.STONE, p.INK, 0.75), width=4)
    return image


def _lit(floor: Image.Image, mask: Mask, hall: bool) -> Image.Image:
    """A floor in lamplight: warm in the middle of the room, dark along its walls."""
    edge = mask.filter(ImageFilter.GaussianBlur(26))
    edge = edge.point([int(255 * (0.5 + 0.5 * max(0, (v - 110)) / 145)) for v in range(256)])
    floor = ImageChops.multiply(floor, Image.merge("RGB", (edge, edge, edge)))
    warm = glow(floor.width, floor.height, p.CANDLE, 0.15 if hall else 0.26)
    return Image.alpha_composite(floor.convert("RGBA"), warm).convert("RGB")


def _seams(big: Image.Image, house: House, spaces: list[str]) -> None:
    """Lines between the spaces of a room, so that steps can be counted."""
    lines = Image.new("L", big.size)
    pen = ImageDraw.Draw(lines)
    here = set(spaces)
    for space in spaces:
        column, row = house.place(space)
        left, top, right, bottom = _box2(house.box(space))
        if house.name(column + 1, row) in here:
            pen.line((right + 1, top, right + 1, bottom), fill=150, width=6)
        if house.name(column, row + 1) in here:
            pen.line((left, bottom + 1, right, bottom + 1), fill=150, width=6)
    big.paste(p.INK, (0, 0), lines)


def _wall_lines(house: House, mask: Mask, inner: int, outer: int) -> None:
    pen = ImageDraw.Draw(mask)
    for edge in house.edges:
        half = outer if edge.outer else inner
        x, y = (house.left + edge.x * house.cell) * 2, (house.top + edge.y * house.cell) * 2
        long = house.cell * 2
        if edge.way == "across":
            pen.rectangle((x - half, y - half, x + long + half - 1, y + half - 1), fill=255)
        else:
            pen.rectangle((x - half, y - half, x + half - 1, y + long + half - 1), fill=255)


def _walls(house: House) -> Mask:
    mask = Image.new("L", (SIZE[0] * TWICE, SIZE[1] * TWICE))
    _wall_lines(house, mask, INNER, OUTER)
    pen = ImageDraw.Draw(mask)
    for door in house.doorways:
        pen.rectangle(_box2(house.doorway(door, OUTER + 6)), fill=0)
    return mask


def _raise_walls(big: Image.Image, house: House, walls: Mask) -> None:
    big.paste(p.INK, (0, 0), grown(walls, 2))
    big.paste(p.WALL, (0, 0), walls)
    lit = ImageChops.subtract(walls, ImageChops.offset(walls, 3, 3))
    big.paste(p.WALL_LIGHT, (0, 0), lit)
    core = Image.new("L", walls.size)
    _wall_lines(house, core, 3, 3)
    core = ImageChops.multiply(core, shrunk(walls, 4))
    big.paste(p.BRASS_DARK, (0, 0), core)


def _hang_doors(big: Image.Image, house: House) -> None:
    pen = ImageDraw.Draw(big)
    for door in house.doorways:
        left, top, right, bottom = _box2(house.doorway(door, INNER + 4))
        pen.rectangle((left, top, right, bottom), fill=mix(p.BRASS, p.INK, 0.35))
        for n in range(1, 4):
            if door.way == "across":
                x = left + (right - left) * n // 4
                pen.line((x, top, x, bottom), fill=mix(p.BRASS, p.INK, 0.6), width=3)
            else:
                y = top + (bottom - top) * n // 4
                pen.line((left, y, right, y), fill=mix(p.BRASS, p.INK, 0.6), width=3)
        jamb = 7
        if door.way == "across":
            ends = ((left, (top + bottom) // 2), (right, (top + bottom) // 2))
            reach = (jamb, (bottom - top) // 2 + 4)
        else:
            ends = (((left + right) // 2, top), ((left + right) // 2, bottom))
            reach = ((right - left) // 2 + 4, jamb)
        for x, y in ends:
            box = (x - reach[0], y - reach[1], x + reach[0], y + reach[1])
            pen.rectangle(box, fill=p.BRASS, outline=p.INK, width=3)


def _moonlight(big: Image.Image, house: House, inside: Mask) -> None:
    """Light that falls through the north and west windows."""
    beams = Image.new("L", big.size)
    pen = ImageDraw.Draw(beams)
    cell = house.cell * 2
    for edge in house.edges:
        if not (edge.outer and edge.moonlit):
            continue
        x, y = (house.left + edge.x * house.cell) * 2, (house.top + edge.y * house.cell) * 2
        a, b, long = cell * 0.22, cell * 0.78, cell * 1.15
        if not has_window(edge):
            continue
        if edge.way == "across":
            pen.polygon(
                [
                    (x + a, y),
                    (x + b, y),
                    (x + b + long * 0.6, y + long),
                    (x + a + long * 0.6, y + long),
                ],
                fill=120,
            )
        else:
            pen.polygon(
                [
                    (x, y + a),
                    (x, y + b),
                    (x + long, y + b + long * 0.6),
                    (x + long, y + a + long * 0.6),
                ],
                fill=120,
            )
    beams = beams.filter(ImageFilter.GaussianBlur(6))
    beams = ImageChops.multiply(beams, inside)
    light = Image.new("RGB", big.size, p.MOON)
    lit = ImageChops.screen(big, light)
    big.paste(lit, (0, 0), beams.point(lambda v: int(v * 0.42)))


def _ritual(big: Image.Image, house: House) -> None:
    """The circle in chalk, with a star of nine points for the nine artifacts."""
    if not house.ritual:
        return
    boxes = [_box2(house.box(space)) for space in house.ritual]
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    x, y = (left + right) / 2, (top + bottom) / 2
    rx, ry = (right - left) / 2 - 10, (bottom - top) / 2 - 10
    tint = Image.new("L", big.size)
    ImageDraw.Draw(tint).ellipse((x - rx, y - ry, x + rx, y + ry), fill=40)
    big.paste(p.MOON, (0, 0), tint.filter(ImageFilter.GaussianBlur(14)))
    chalk = Image.new("L", big.size)
    pen = ImageDraw.Draw(chalk)
    for share, wide in ((1.0, 9), (0.87, 5)):
        pen.ellipse(
            (x - rx * share, y - ry * share, x + rx * share, y + ry * share),
            outline=255,
            width=wide,
        )
    points = [
        (x + rx * 0.87 * math.sin(n * math.tau / 9), y - ry * 0.87 * math.cos(n * math.tau / 9))
        for n in range(9)
    ]
    for n in range(9):
        pen.line((*points[n], *points[(n + 4) % 9]), fill=140, width=5)
    for px, py in points:
        pen.ellipse((px - 10, py - 10, px + 10, py + 10), fill=255)
    rough = grain(*big.size, 5, 3).point([0 if v < 60 else min(255, v + 60) for v in range(256)])
    chalk = ImageChops.multiply(chalk.filter(ImageFilter.GaussianBlur(1.2)), rough)
    big.paste(p.CHALK, (0, 0), chalk.point(lambda v: int(v * 0.62)))


def _inlays(big: Image.Image, house: House) -> None:
    """Brass rings where tiles begin, triangles where artifacts do."""
    pen = ImageDraw.Draw(big)
    for space in house.circles:
        x, y = (2 * n for n in house.middle(space))
        for r, tone, wide in ((39, p.INK, 12), (36, p.BRASS_DARK, 6)):
            pen.ellipse((x - r, y - r, x + r, y + r), outline=tone, width=wide)
    for space in house.triangles.values():
        x, y = (2 * n for n in house.middle(space))
        corners = [(x, y - 46), (x + 46, y + 36), (x - 46, y + 36)]
        for tone, wide in ((p.INK, 12), (p.BRASS_DARK, 6)):
            pen.line([*corners, corners[0], corners[1]], fill=tone, width=wide, joint="curve")


def _coordinates(sheet: Sheet, house: House) -> None:
    for column in range(house.columns):
        x = house.left + column * house.cell
        box = (x, FIELD[1] - 5, x + house.cell, house.top + 2)
        sheet.write(chr(ord("A") + column), box, colour=p.MUTED, align="middle")
    for row in range(house.rows):
        y = house.top + row * house.cell
        box = (FIELD[0] + 1, y, house.left - 8, y + house.cell)
        sheet.write(str(row + 1), box, colour=p.MUTED, kind="title", align="middle")


def _frame(sheet: Sheet) -> None:
    """The mantelpiece at the top and the column at the side."""
    for box in (TOP, SIDE):
        _panel(sheet, box)


def _panel(sheet: Sheet, box: Box) -> None:
    sheet.veil((box[0] + 3, box[1] + 4, box[2] + 4, box[3] + 5), p.INK, 0.5, 12)
    sheet.veil(box, p.BRASS_DARK, 1, 12)
    sheet.veil((box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2), p.NIGHT, 1, 10)
    sheet.veil(
        (box[0] + 6, box[1] + 6, box[2] - 6, box[3] - 6), mix(p.BRASS_DARK, p.NIGHT, 0.55), 1, 8
    )
    sheet.veil((box[0] + 8, box[1] + 8, box[2] - 8, box[3] - 8), mix(p.DUSK, p.NIGHT, 0.4), 1, 7)
