"""The panel at the side: the Mysterious Man, the seats, and below them what is going on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.now import LEFT, RIGHT, put_now
from bot.render.escape_the_night.plan import SIDE
from bot.render.escape_the_night.scene import put_pawn, put_ring
from bot.render.escape_the_night.telling import guest_name, guests, initials
from bot.render.kit.marks import card_back, seat_colour, seat_mark, star
from bot.render.kit.paint import Box, mix
from bot.render.kit.sheet import Sheet
from bot.render.kit.text import folded
from bot.render.kit.words import Words, seat_name
from engines.escape_the_night.view import SeatView

MAN: Final = (72, 82)
SEATS_TOP: Final = SIDE[1] + 108
ACTION_FIRST: Final = 520
ACTION_TOP: Final = 620
"""Between these what is going on begins: higher where the seats leave room."""
MARK: Final = 40
TOKEN: Final = 42
DEEDS: Final = 38
DEED: Final = 66
BESIDE: Final = 3
"""Up to so many characters leave room beside them for what they have done."""
LINE: Final = 36
HEAD: Final = 46
ROW: Final = 41


def put_panel(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    """All of it."""
    _put_man(sheet, view, words)
    end = max(_put_seats(sheet, view, words, seats) + 10, ACTION_FIRST)
    _rule(sheet, min(end, ACTION_TOP))
    put_now(sheet, view, words, seats, min(end, ACTION_TOP) + 8)


def _rule(sheet: Sheet, y: int) -> None:
    sheet.veil((LEFT, y, RIGHT, y + 3), p.BRASS_DARK, 1)
    x = (LEFT + RIGHT) // 2
    sheet.veil((x - 8, y - 3, x + 8, y + 6), p.BRASS, 1, 3)


def _put_man(sheet: Sheet, view: SeatView, words: Words) -> None:
    top = SIDE[1] + 14
    sheet.centre(pieces.man(view.man_side, *MAN), LEFT + MAN[0] // 2, top + MAN[1] // 2)
    said = words.say(f"picture.man.{view.man_side}")
    x = LEFT + MAN[0] + 12
    lines = folded(said, "title", 26, RIGHT - x, 36, 2)
    y = top + MAN[1] // 2 - 18 * len(lines)
    for found in lines:
        sheet.put_line(found, (x, y, RIGHT, y + 36), colour=p.BRASS)
        y += 36
    _rule(sheet, SEATS_TOP - 6)


def _put_seats(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> int:
    """The seats as roomily as their number allows; where they end."""
    count = len(view.rows)
    most = max((len(row) for row in view.rows), default=0)
    room = ACTION_TOP - SEATS_TOP - 6
    if count == 1 and HEAD + most * ROW <= room:
        _put_host(sheet, view, words, seats)
        return SEATS_TOP + HEAD + most * ROW
    per_line = (RIGHT - LEFT) // (TOKEN + 3)
    tall = LINE + 12 + -(-most // per_line) * (TOKEN + 4)
    beside = most <= BESIDE
    if count * tall <= room:
        pitch = min(tall + (0 if beside else DEEDS) + 14, room // count)
        for seat in range(count):
            y = SEATS_TOP + 4 + seat * pitch
            _put_seat(sheet, view, words, seats, seat, y, pitch)
            if beside:
                _put_deeds(sheet, view, seat, RIGHT - 2 * DEED, y + LINE + 14, DEED)
            elif pitch >= tall + DEEDS:
                _put_deeds(sheet, view, seat, LEFT, y + tall - 4, 100)
    else:
        pitch = min(60, room // count)
        for seat in range(count):
            _put_seat_in_line(sheet, view, words, seats, seat, SEATS_TOP + 2 + seat * pitch, pitch)
    return SEATS_TOP + 4 + count * pitch


def _put_host(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    """The only player, who leads everybody: one line for each guest."""
    y = SEATS_TOP + 4
    middle = y + LINE // 2
    sheet.centre(seat_mark(0, MARK), LEFT + MARK // 2 + 2, middle)
    end = _put_relics(sheet, view.hand_counts[0], middle)
    _put_name(sheet, view, words, seats, 0, (LEFT + MARK + 12, y - 2, end - 8, y + LINE + 2))
    own = guests(view)
    for n, ident in enumerate(view.rows[0]):
        top = SEATS_TOP + HEAD + n * ROW
        line = top + ROW // 2
        acting = ident == view.acting
        if acting:
            _light(sheet, (LEFT - 7, top, RIGHT + 7, top + ROW))
        _put_token(sheet, view, words, ident, LEFT + 22, line, ring=False)
        who = own[ident]
        colour = p.IVORY if who.alive and (acting or not who.exhausted) else p.MUTED
        box = (LEFT + 62, line - 18, RIGHT, line + 18)
        sheet.write(guest_name(words, ident), box, colour=colour, kind="title")


def _mark_turn(sheet: Sheet, view: SeatView, seat: int, box: Box) -> None:
    """Light the row of whose turn it is."""
    if seat == view.current_seat:
        _light(sheet, box)


def _light(sheet: Sheet, box: Box) -> None:
    sheet.veil(box, p.CANDLE, 0.9, 9)
    inner = (box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3)
    sheet.veil(inner, mix(p.NIGHT, p.CANDLE, 0.16), 1, 7)


def _put_relics(sheet: Sheet, count: int, y: int) -> int:
    """A card with the number of relics; where it begins."""
    width = 38
    x = RIGHT - width // 2
    sheet.centre(card_back(width, 40, mix(p.WAX, p.NIGHT, 0.2), p.BRASS), x, y)
    box = (x - width // 2 + 3, y - 18, x + width // 2 - 3, y + 18)
    sheet.write(str(count), box, colour=p.IVORY, kind="title", align="middle")
    return x - width // 2


def _put_name(
    sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str], seat: int, box: Box
) -> None:
    """A player's name; a star before that of the starting player."""
    left, top, right, bottom = box
    if seat == view.starting_seat:
        y = (top + bottom) // 2
        sheet.centre(star(24, p.BRASS), left + 11, y)
        left += 26
    sheet.write(seat_name(words, seats, seat), (left, top, right, bottom), colour=p.IVORY)


def _put_seat(
    sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str], seat: int, y: int, pitch: int
) -> None:
    """A seat on two lines or more: mark, name, relics; its characters below."""
    _mark_turn(sheet, view, seat, (LEFT - 7, y - 2, RIGHT + 7, y + pitch - 4))
    middle = y + 4 + LINE // 2
    sheet.centre(seat_mark(seat, MARK), LEFT + MARK // 2 + 2, middle)
    end = _put_relics(sheet, view.hand_counts[seat], middle)
    _put_name(sheet, view, words, seats, seat, (LEFT + MARK + 12, y + 2, end - 8, y + 6 + LINE))
    per_line = (RIGHT - LEFT) // (TOKEN + 3)
    top = y + LINE + 12
    for n, ident in enumerate(view.rows[seat]):
        x = LEFT + 22 + n % per_line * (TOKEN + 3)
        _put_token(sheet, view, words, ident, x, top + TOKEN // 2 + n // per_line * (TOKEN + 4))


def _put_deeds(sheet: Sheet, view: SeatView, seat: int, x: int, y: int, pitch: int) -> None:
    """What a seat's characters have done so far: clues solved, monsters defeated."""
    own = [c for c in view.characters if c.owner == seat]
    counts = (("clue", sum(c.solved for c in own)), ("monster", sum(c.slain for c in own)))
    for n, (colour, count) in enumerate(counts):
        left = x + n * pitch
        sheet.centre(pieces.tile(colour, 32), left + 16, y + DEEDS // 2)
        box = (left + 34, y, left + pitch - 2, y + DEEDS)
        sheet.write(str(count), box, colour=p.MUTED, kind="title")


def _put_seat_in_line(
    sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str], seat: int, y: int, pitch: int
) -> None:
    """A seat on one line: its characters are its mark."""
    _mark_turn(sheet, view, seat, (LEFT - 7, y - 1, RIGHT + 7, y + pitch - 1))
    middle = y + pitch // 2
    row = view.rows[seat] if seat < len(view.rows) else ()
    end = _put_relics(sheet, view.hand_counts[seat], middle)
    for n, ident in enumerate(row):
        _put_token(sheet, view, words, ident, LEFT + 20 + n * (TOKEN + 2), middle)
    start = LEFT + 10 + max(1, len(row)) * (TOKEN + 2)
    _put_name(sheet, view, words, seats, seat, (start, middle - 20, end - 6, middle + 20))


def _put_token(
    sheet: Sheet, view: SeatView, words: Words, ident: str, x: int, y: int, *, ring: bool = True
) -> None:
    who = guests(view)[ident]
    letters = initials(view, words)[ident]
    if who.alive:
        if ring and ident == view.acting:
            put_ring(sheet, x, y, TOKEN - 10, 0)
        put_pawn(sheet, view, who, letters, x, y, size=TOKEN - 2)
    else:
        sheet.centre(pieces.stone(TOKEN - 2), x, y)
        box = (x - 16, y - 14, x + 16, y + 18)
        sheet.write(letters, box, colour=p.INK, kind="title", align="middle")
        sheet.veil((x - 15, y + 14, x + 15, y + 20), seat_colour(who.owner), 1, 2)
