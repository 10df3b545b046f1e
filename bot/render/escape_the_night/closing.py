"""The closing picture: how the night ended, who lived, and who bears a title."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.plan import SIZE
from bot.render.escape_the_night.skyline import sky
from bot.render.escape_the_night.telling import all_artifacts, guests, initials
from bot.render.kit.marks import pawn, seat_colour, seat_mark, star
from bot.render.kit.paint import glow, mix
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Ending, Words, seat_name
from engines.escape_the_night.view import SeatView

MARGIN: Final = 40
ROWS_END: Final = 884
TITLE: Final = 62
"""What the plate of a title takes."""
TALLEST: Final = 112
ROOM: Final = 400
"""What the seats take at most; above them is the house."""
SHELF: Final = 62
"""The strip before the house where the artifacts are."""
TOKEN: Final = 44


def put_closing(view: SeatView, words: Words, seats: Sequence[str], outcome: Ending) -> Sheet:
    """The closing picture, with the list of what is where."""
    titles = _titles(outcome)
    columns = 1 if len(view.rows) == 1 else 2
    lines = max(1, -(-len(view.rows) // columns))
    pitch = min(TALLEST, ROOM // lines)
    end = ROWS_END - TITLE * len(titles) - (6 if titles else 0)
    top = end - lines * pitch
    sheet = Sheet(sky(outcome.won, top - SHELF))
    side = "won" if outcome.won else "lost"
    width = SIZE[0]
    title = words.say(f"picture.closing.{side}")
    box = (MARGIN, 20, width - MARGIN, 116)
    sheet.write(title, box, colour=p.IVORY, kind="title", cap=72, align="middle", halo=p.INK)
    facts = {
        "round": view.round,
        "survivors": sum(c.alive for c in view.characters),
        "artifacts": len(view.mantle),
    }
    line = words.say(f"picture.closing.{side}_line", facts)
    box = (MARGIN, 118, width - MARGIN, 164)
    sheet.write(line, box, colour=p.CANDLE, kind="title", cap=30, align="middle", halo=p.INK)
    _put_artifacts(sheet, view, top - SHELF // 2 - 4)
    wide = (width - 2 * MARGIN - (columns - 1) * 16) // columns
    for seat in range(len(view.rows)):
        x = MARGIN + seat // lines * (wide + 16)
        y = top + seat % lines * pitch
        _put_seat(sheet, view, words, seats, seat, x, y, wide, pitch)
    _put_titles(sheet, words, seats, titles, end + 6)
    return sheet


def _titles(outcome: Ending) -> list[tuple[str, list[int]]]:
    """The titles that somebody bears, with who does; two at most, since no game gives more."""
    titles = outcome.facts.get("titles")
    if not isinstance(titles, Mapping):
        return []
    return [(str(title), list(bearers)) for title, bearers in titles.items() if bearers][:2]


def _put_artifacts(sheet: Sheet, view: SeatView, y: int) -> None:
    places = all_artifacts(view)
    pitch = 66
    x = (SIZE[0] - pitch * (len(places) - 1)) // 2
    for n, ident in enumerate(places):
        found = ident in view.mantle
        if found:
            sheet.centre(glow(84, 84, p.CANDLE, 0.55), x + n * pitch, y)
        sheet.centre(pieces.artifact(ident, 54, found=found), x + n * pitch, y)


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
    sheet.veil((x, y, x + width, y + pitch - 8), mix(p.BRASS_DARK, p.NIGHT, 0.4), 1, 10)
    sheet.veil((x + 2, y + 2, x + width - 2, y + pitch - 10), p.NIGHT, 1, 8)
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
    start = x + 70
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


def _put_titles(
    sheet: Sheet,
    words: Words,
    seats: Sequence[str],
    titles: Sequence[tuple[str, Sequence[int]]],
    y: int,
) -> None:
    for title, bearers in titles:
        sheet.veil((MARGIN, y, SIZE[0] - MARGIN, y + 56), p.BRASS, 1, 10)
        ground = mix(p.BRASS_DARK, p.INK, 0.72)
        sheet.veil((MARGIN + 3, y + 3, SIZE[0] - MARGIN - 3, y + 53), ground, 1, 8)
        icon = {"monster_slayer": "monster", "clue_master": "clue"}.get(title)
        if icon is None:
            sheet.centre(star(44, p.BRASS), MARGIN + 36, y + 28)
        else:
            sheet.centre(pieces.tile(icon, 44), MARGIN + 36, y + 28)
        box = (MARGIN + 72, y + 4, MARGIN + 440, y + 52)
        said = words.say(f"picture.closing.title.{title}")
        sheet.write(said, box, colour=p.CANDLE, kind="title", cap=34)
        x = MARGIN + 456
        room = SIZE[0] - MARGIN - 12 - x
        each = room // max(1, len(bearers))
        # Marks tell who it is even where many share a title and names have no room.
        for seat in bearers:
            if each < 44:
                break
            sheet.centre(seat_mark(seat, 40), x + 22, y + 28)
            if each >= 110:
                name = (x + 56, y + 6, x + each - 8, y + 50)
                sheet.write(seat_name(words, seats, seat), name, colour=p.IVORY, cap=28)
            x += each
        y += TITLE
