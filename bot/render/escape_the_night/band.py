"""The band above the house: the clock with the hour, and the mantle with its nine places."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.plan import TOP
from bot.render.escape_the_night.telling import all_artifacts, phase_name
from bot.render.kit.paint import glow, mix, rgb, shadowed, sprite
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Words
from engines.escape_the_night.view import SeatView

HOURS: Final = 10
PLACES: Final = 9
NICHE: Final = (56, 64)
CLOCK: Final = 80


@lru_cache(maxsize=16)
def clock(hour: int) -> Image.Image:
    """A dial with a lamp for each of the ten hours: gone by, now (the largest), to come."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = CLOCK * fine
        x = s / 2
        pen.ellipse((0, 0, s - 1, s - 1), fill=p.INK)
        pen.ellipse((2 * fine, 2 * fine, s - 2 * fine, s - 2 * fine), fill=p.BRASS)
        pen.ellipse((5 * fine, 5 * fine, s - 5 * fine, s - 5 * fine), fill=rgb("10182f"))
        for n in range(1, HOURS + 1):
            angle = (n - 1) * math.tau / HOURS - math.pi / 2
            cx, cy = x + s * 0.365 * math.cos(angle), x + s * 0.365 * math.sin(angle)
            r = s * (0.07 if n == hour else 0.052)
            tone = p.CANDLE if n == hour else mix(p.BRASS_DARK, p.NIGHT, 0.45)
            if n < hour:
                pen.ellipse(
                    (cx - r, cy - r, cx + r, cy + r),
                    outline=mix(p.MUTED, p.NIGHT, 0.5),
                    width=2 * fine,
                )
            else:
                pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=tone if n == hour else p.MOON)
        r = s * 0.24
        pen.ellipse((x - r, x - r, x + r, x + r), fill=p.IVORY)

    return shadowed(sprite(CLOCK, CLOCK, paint), blur=4, down=3, right=2)


@lru_cache(maxsize=2)
def _niche(lit: bool) -> Image.Image:
    width, height = NICHE

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        w, h = width * fine, height * fine
        trim = p.BRASS if lit else mix(p.BRASS_DARK, p.NIGHT, 0.4)
        pen.rounded_rectangle(
            (0, 0, w - 1, h - 1), w * 0.46, fill=trim, corners=(True, True, False, False)
        )
        edge = 3 * fine
        ground = rgb("4a3413") if lit else rgb("0a0f20")
        pen.rounded_rectangle(
            (edge, edge, w - edge, h - edge),
            w * 0.42,
            fill=ground,
            corners=(True, True, False, False),
        )

    return sprite(width, height, paint)


def _budget(view: SeatView, words: Words) -> str:
    """What is left of the last hour, nothing before it."""
    if view.actions_left is not None:
        return words.say("picture.actions_left", {"actions": view.actions_left})
    if view.hourglass is not None and view.phase == "last_round":
        return words.say("picture.minutes", {"minutes": view.hourglass})
    return ""


def put_band(sheet: Sheet, view: SeatView, words: Words) -> None:
    """The clock, what is going on, and the mantle."""
    left, top, right, bottom = TOP
    middle = (top + bottom) // 2
    x = left + 12 + CLOCK // 2
    sheet.centre(clock(view.round), x, middle)
    sheet.write(
        str(view.round),
        (x - 20, middle - 20, x + 20, middle + 20),
        colour=p.INK,
        kind="title",
        cap=28,
        align="middle",
    )
    start = x + CLOCK // 2 + 12
    shelf = right - 14 - PLACES * (NICHE[0] + 3)
    said = words.say("picture.hour", {"round": view.round})
    sheet.write(
        said, (start, top + 6, shelf - 10, middle - 1), colour=p.BRASS, kind="title", cap=28
    )
    line = (start, middle + 1, shelf - 10, bottom - 6)
    left_over = _budget(view, words)
    if left_over:
        # That this hour is the last is told by the line above.
        sheet.veil((start - 6, middle + 2, shelf - 12, bottom - 8), p.MONSTER, 0.6, 8)
    sheet.write(left_over or phase_name(view, words), line, colour=p.IVORY, kind="title", cap=28)
    places = all_artifacts(view)
    for n in range(PLACES):
        ident = places[n] if n < len(places) else ""
        found = ident in view.mantle
        cx = shelf + n * (NICHE[0] + 3) + NICHE[0] // 2
        sheet.centre(_niche(found), cx, middle - 3)
        if found:
            sheet.centre(glow(70, 70, p.CANDLE, 0.6), cx, middle)
        if ident:
            sheet.centre(pieces.artifact(ident, 44, found=found), cx, middle - 1)
            sheet.note("piece", f"mantle {ident}", cx, middle - 1, 44)
    base = middle - 3 + NICHE[1] // 2
    sheet.veil((shelf - 6, base, right - 12, base + 6), p.BRASS, 1, 2)
