"""The closing picture: how the night ended, who lived, and who bears a title."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from PIL import Image, ImageDraw

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.plan import SIZE
from bot.render.escape_the_night.telling import Words, all_artifacts, guests, initials, seat_name
from bot.render.kit.marks import pawn, seat_colour, seat_mark
from bot.render.kit.paint import mix, rgb, vignetted
from bot.render.kit.sheet import Sheet
from engines.escape_the_night.view import SeatView

DAWN: Final = (rgb("27305c"), rgb("a4553f"), rgb("ffc873"))
"""Sky above, sky below, the sun and its rays."""
DOOM: Final = (rgb("0a0d1c"), rgb("2a0a14"), rgb("a3202c"))
RAYS: Final = 36
MARGIN: Final = 40
ROWS_TOP: Final = 268
ROWS_BOTTOM: Final = 748
TOKEN: Final = 44


class Ending(Protocol):
    """What is drawn of an outcome."""

    @property
    def ending(self) -> str:
        """The way in which it ended."""
        ...

    @property
    def won(self) -> bool:
        """Whether the players did."""
        ...

    @property
    def facts(self) -> Mapping[str, object]:
        """`titles` maps a title to the seats that bear it."""
        ...


def put_closing(view: SeatView, words: Words, seats: Sequence[str], outcome: Ending) -> Sheet:
    """The closing picture, with the list of what is where."""
    sheet = Sheet(_ground(outcome.won))
    side = "won" if outcome.won else "lost"
    width = SIZE[0]
    title = words.say(f"picture.closing.{side}")
    box = (MARGIN, 24, width - MARGIN, 126)
    sheet.write(title, box, colour=p.IVORY, kind="title", cap=72, align="middle", halo=p.INK)
    facts = {
        "round": view.round,
        "survivors": sum(c.alive for c in view.characters),
        "artifacts": len(view.mantle),
    }
    line = words.say(f"picture.closing.{side}_line", facts)
    box = (MARGIN, 128, width - MARGIN, 176)
    sheet.write(line, box, colour=p.CANDLE, kind="title", cap=30, align="middle", halo=p.INK)
    _put_artifacts(sheet, view)
    _put_seats(sheet, view, words, seats)
    _put_titles(sheet, words, seats, outcome)
    return sheet


def _ground(won: bool) -> Image.Image:
    """A sky with rays: the sun comes up behind the plates, or a red moon goes down."""
    high, low, disc = DAWN if won else DOOM
    wide, tall = SIZE
    fall = Image.linear_gradient("L").resize(SIZE)
    sky = Image.composite(Image.new("RGB", SIZE, low), Image.new("RGB", SIZE, high), fall)
    rays = Image.new("L", (wide * 2, tall * 2))
    pen = ImageDraw.Draw(rays)
    x, y = wide, tall * 2 * 0.62
    for n in range(0, RAYS, 2):
        a, b = n * math.tau / RAYS, (n + 1) * math.tau / RAYS
        far = wide * 2
        pen.polygon(
            [
                (x, y),
                (x + far * math.cos(a), y + far * math.sin(a)),
                (x + far * math.cos(b), y + far * math.sin(b)),
            ],
            fill=46,
        )
    r = 620
    pen.ellipse((x - r, y - r, x + r, y + r), fill=120)
    sky.paste(disc, (0, 0), rays.resize(SIZE, Image.Resampling.LANCZOS))
    return vignetted(sky, 0.45)


def _put_artifacts(sheet: Sheet, view: SeatView) -> None:
    places = all_artifacts(view)
    pitch = 62
    x = (SIZE[0] - pitch * (len(places) - 1)) // 2
    for n, ident in enumerate(places):
        sheet.centre(pieces.artifact(ident, 52, found=ident in view.mantle), x + n * pitch, 218)


def _put_seats(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    count = len(view.rows)
    columns = 1 if count <= 4 else 2
    lines = -(-count // columns)
    pitch = min(124, (ROWS_BOTTOM - ROWS_TOP) // max(1, lines))
    width = (SIZE[0] - 2 * MARGIN - (columns - 1) * 20) // columns
    for seat in range(count):
        x = MARGIN + seat // lines * (width + 20)
        _put_seat(sheet, view, words, seats, seat, x, ROWS_TOP + seat % lines * pitch, width, pitch)


def _put_seat(
    sheet: Sheet,
    view: SeatView,
    words: Words,
    seats: Sequence[str],
    seat: int,
    x: int,
    y: int,
    width: int,
    pitch: int,
) -> None:
    """A plate: the seat's mark and name, what its characters did, and how they fared."""
    sheet.veil((x, y, x + width, y + pitch - 8), p.NIGHT, 0.78, 10)
    middle = y + (pitch - 8) // 2
    sheet.centre(seat_mark(seat, 42), x + 34, middle)
    row = view.rows[seat]
    own = guests(view)
    two_lines = pitch >= 100
    tokens = len(row) * (TOKEN + 4)
    end = x + width - 12
    for n, (colour, done) in enumerate(
        (
            ("monster", sum(own[ident].slain for ident in row)),
            ("clue", sum(own[ident].solved for ident in row)),
        )
    ):
        left = end - (n + 1) * 88
        sheet.centre(pieces.tile(colour, 34), left + 20, middle)
        sheet.write(str(done), (left + 42, middle - 20, left + 86, middle + 20), colour=p.IVORY)
    end -= 2 * 88 + 10
    start = x + 66
    if two_lines:
        name_box = (start, y + 6, end, y + 46)
        at, line = start + TOKEN // 2, y + 46 + (pitch - 60) // 2
    else:
        name_box = (start, middle - 20, end - tokens - 10, middle + 20)
        at, line = end - tokens + TOKEN // 2, middle
    sheet.write(seat_name(words, seats, seat), name_box, colour=p.IVORY, cap=28)
    marks = initials(view, words)
    for ident in row:
        who = own[ident]
        if who.alive:
            sheet.centre(pawn(who.owner, marks[ident], TOKEN), at, line)
            sheet.note("pawn", ident, at, line, TOKEN)
        else:
            sheet.centre(pieces.stone(TOKEN), at, line)
            box = (at - 16, line - 14, at + 16, line + 18)
            sheet.write(marks[ident], box, colour=p.INK, kind="title", align="middle")
            band = (at - 15, line + 16, at + 15, line + 21)
            sheet.veil(band, seat_colour(who.owner), 1, 2)
        at += TOKEN + 4


def _put_titles(sheet: Sheet, words: Words, seats: Sequence[str], outcome: Ending) -> None:
    titles = outcome.facts.get("titles")
    if not isinstance(titles, Mapping):
        return
    y = ROWS_BOTTOM + 16
    for title, bearers in list(titles.items())[:2]:
        named = [seat_name(words, seats, seat) for seat in bearers]
        sheet.veil((MARGIN, y, SIZE[0] - MARGIN, y + 56), mix(p.BRASS_DARK, p.INK, 0.55), 0.9, 10)
        icon = {"monster_slayer": "monster", "clue_master": "clue"}.get(str(title))
        sheet.centre(pieces.tile(icon, 44), MARGIN + 36, y + 28)
        box = (MARGIN + 72, y + 4, MARGIN + 440, y + 52)
        said = words.say(f"picture.closing.title.{title}")
        sheet.write(said, box, colour=p.BRASS, kind="title", cap=32)
        rest = (MARGIN + 456, y + 4, SIZE[0] - MARGIN - 16, y + 52)
        sheet.write(", ".join(named), rest, colour=p.IVORY, cap=30)
        y += 62
