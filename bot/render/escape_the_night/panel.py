"""The panel at the side: the Mysterious Man, the seats, and what is going on right now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.plan import SIDE
from bot.render.escape_the_night.scene import put_pawn, put_ring
from bot.render.escape_the_night.telling import (
    CARDS,
    CHALLENGE,
    Words,
    guest_name,
    guests,
    initials,
    phase_name,
    seat_name,
)
from bot.render.kit.marks import card_back, die, pawn, seat_colour, seat_mark, star
from bot.render.kit.paint import Box, mix
from bot.render.kit.sheet import Sheet
from bot.render.kit.text import folded
from engines.escape_the_night.view import AttemptView, DuelView, SeatView

LEFT: Final = SIDE[0] + 14
RIGHT: Final = SIDE[2] - 14
MAN: Final = (72, 82)
SEATS_TOP: Final = SIDE[1] + 108
ACTION_TOP: Final = 620
MARK: Final = 40
TOKEN: Final = 42
DEEDS: Final = 38
LINE: Final = 36


def put_panel(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    """All of it."""
    _put_man(sheet, view, words)
    _put_seats(sheet, view, words, seats)
    _rule(sheet, ACTION_TOP)
    _put_action(sheet, view, words, seats)


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


def _put_seats(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    count = len(view.rows)
    most = max((len(row) for row in view.rows), default=0)
    per_line = (RIGHT - LEFT) // (TOKEN + 3)
    tall = LINE + 6 + -(-most // per_line) * (TOKEN + 4)
    room = ACTION_TOP - SEATS_TOP - 6
    if count * tall <= room:
        deeds = count * (tall + DEEDS) <= room
        pitch = min(tall + (DEEDS if deeds else 0) + 24, room // count)
        for seat in range(count):
            y = SEATS_TOP + 4 + seat * pitch
            _put_seat(sheet, view, words, seats, seat, y, pitch)
            if deeds:
                _put_deeds(sheet, view, seat, y + tall + 6)
    else:
        pitch = room // count
        for seat in range(count):
            _put_seat_in_line(sheet, view, words, seats, seat, SEATS_TOP + 2 + seat * pitch, pitch)


def _mark_turn(sheet: Sheet, view: SeatView, seat: int, box: Box) -> None:
    """Light the row of whose turn it is."""
    if seat == view.current_seat:
        sheet.veil((box[0], box[1], box[2], box[3]), p.CANDLE, 0.9, 9)
        sheet.veil(
            (box[0] + 3, box[1] + 3, box[2] - 3, box[3] - 3), mix(p.NIGHT, p.CANDLE, 0.16), 1, 7
        )


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


def _put_deeds(sheet: Sheet, view: SeatView, seat: int, y: int) -> None:
    """What a seat's characters have done so far: clues solved, monsters defeated."""
    own = [c for c in view.characters if c.owner == seat]
    counts = (("clue", sum(c.solved for c in own)), ("monster", sum(c.slain for c in own)))
    for n, (colour, count) in enumerate(counts):
        x = LEFT + n * 100
        sheet.centre(pieces.tile(colour, 34), x + 20, y + DEEDS // 2)
        box = (x + 44, y, x + 92, y + DEEDS)
        sheet.write(str(count), box, colour=p.MUTED)


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
    start = LEFT + 10 + max(1, len(row)) * (TOKEN + 2) - 4
    _put_name(sheet, view, words, seats, seat, (start, middle - 20, end - 6, middle + 20))


def _put_token(sheet: Sheet, view: SeatView, words: Words, ident: str, x: int, y: int) -> None:
    who = guests(view)[ident]
    letters = initials(view, words)[ident]
    if who.alive:
        if ident == view.acting:
            put_ring(sheet, x, y, TOKEN - 10, 0)
        put_pawn(sheet, view, who, letters, x, y, size=TOKEN - 2)
    else:
        sheet.centre(pieces.stone(TOKEN - 2), x, y)
        box = (x - 16, y - 14, x + 16, y + 18)
        sheet.write(letters, box, colour=p.INK, kind="title", align="middle")
        sheet.veil((x - 15, y + 14, x + 15, y + 20), seat_colour(who.owner), 1, 2)


# What is going on


def _put_action(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    y = ACTION_TOP + 12
    if view.duel is not None:
        _put_duel(sheet, view, words, view.duel, y)
    elif view.attempt is not None:
        _put_attempt(sheet, view, words, view.attempt, y)
    elif view.man is not None:
        _put_man_roll(sheet, view, words, y)
    elif view.phase == "vote":
        _put_vote(sheet, words, y)
    elif view.acting is not None:
        _put_walk(sheet, view, words, y)
    elif view.current_seat is not None:
        who = seat_name(words, seats, view.current_seat)
        _write_folded(sheet, words.say("picture.turn", {"who": who}), y, colour=p.IVORY)
    else:
        _write_folded(sheet, phase_name(view, words), y, colour=p.BRASS)
    said = ""
    if view.actions_left is not None:
        said = words.say("picture.actions_left", {"actions": view.actions_left})
        _put_budget(sheet, str(view.actions_left), said)
    elif view.hourglass is not None and view.phase == "last_round":
        _put_budget(
            sheet, str(view.hourglass), words.say("picture.minutes", {"minutes": view.hourglass})
        )


def _put_budget(sheet: Sheet, number: str, said: str) -> None:
    bottom = SIDE[3] - 14
    sheet.veil((LEFT - 4, bottom - 44, RIGHT + 4, bottom), mix(p.MONSTER, p.NIGHT, 0.55), 1, 8)
    sheet.write(
        said,
        (LEFT + 4, bottom - 42, RIGHT - 4, bottom - 2),
        colour=p.IVORY,
        kind="title",
        align="middle",
    )


def _put_who(sheet: Sheet, view: SeatView, words: Words, ident: str, y: int) -> int:
    """A character's pawn and name; where the next line begins."""
    who = guests(view)[ident]
    letters = initials(view, words)[ident]
    sheet.centre(pawn(who.owner, letters, 46), LEFT + 26, y + 24)
    sheet.note("pawn", ident, LEFT + 26, y + 24, 46)
    box = (LEFT + 58, y, RIGHT, y + 48)
    sheet.write(guest_name(words, ident), box, colour=p.IVORY, kind="title")
    return y + 50


def _write_folded(
    sheet: Sheet, text: str, y: int, *, colour: tuple[int, int, int], lines: int = 2
) -> int:
    for found in folded(text, "title", 26, RIGHT - LEFT, 34, lines):
        sheet.put_line(found, (LEFT, y, RIGHT, y + 34), colour=colour)
        y += 34
    return y


def _put_dice(sheet: Sheet, faces: Sequence[int], y: int) -> int:
    """Dice in a row; where they end."""
    size = 58 if len(faces) <= 2 else 46
    x = LEFT
    for face in faces:
        sheet.centre(die(face, size), x + size // 2, y + 30)
        x += size + 8
    return x


def _put_walk(sheet: Sheet, view: SeatView, words: Words, y: int) -> None:
    assert view.acting is not None
    y = _put_who(sheet, view, words, view.acting, y)
    if not view.walk_dice:
        sheet.write(words.say("picture.to_move"), (LEFT + 58, y - 6, RIGHT, y + 34), colour=p.MUTED)
        return
    y += 8
    x = _put_dice(sheet, view.walk_dice, y)
    number = str(view.steps_left)
    said = words.say("picture.steps_left", {"steps": view.steps_left})
    sheet.write(
        number, (x + 4, y - 4, RIGHT, y + 34), colour=p.CANDLE, kind="title", cap=34, align="middle"
    )
    sheet.write(said, (x + 4, y + 34, RIGHT, y + 70), colour=p.IVORY, align="middle", kind="title")


def _put_attempt(sheet: Sheet, view: SeatView, words: Words, attempt: AttemptView, y: int) -> None:
    y = _put_who(sheet, view, words, attempt.character, y)
    name = words.name(CARDS[attempt.colour], attempt.card)
    icon = pieces.tile(attempt.colour, 44)
    lines = folded(name, "title", 26, RIGHT - LEFT - 56, 34, 2)
    sheet.centre(icon, LEFT + 24, y + 17 * len(lines))
    for found in lines:
        sheet.put_line(found, (LEFT + 56, y, RIGHT, y + 34), colour=p.BRASS)
        y += 34
    y += 6
    needs = words.say("picture.needs", {"difficulty": attempt.difficulty})
    more = words.say("picture.bonus", {"bonus": attempt.bonus}) if attempt.bonus else ""
    if not attempt.dice:
        sheet.write(f"{needs}  {more}".strip(), (LEFT, y, RIGHT, y + 40), colour=p.IVORY, cap=28)
        return
    x = _put_dice(sheet, attempt.dice, y)
    total = sum(attempt.dice) + attempt.bonus
    sheet.write(needs, (x + 4, y - 4, RIGHT, y + 32), colour=p.IVORY)
    has = words.say("picture.has", {"total": total})
    won = total >= attempt.difficulty
    sheet.write(has, (x + 4, y + 32, RIGHT, y + 68), colour=p.CANDLE if won else p.MUTED)


def _put_duel(sheet: Sheet, view: SeatView, words: Words, duel: DuelView, y: int) -> None:
    y = _write_folded(sheet, words.name(CHALLENGE, duel.card), y, colour=p.BRASS) + 6
    for ident, score in zip(duel.contestants, duel.scores, strict=True):
        who = guests(view)[ident]
        letters = initials(view, words)[ident]
        sheet.centre(pawn(who.owner, letters, 46), LEFT + 26, y + 26)
        sheet.note("pawn", ident, LEFT + 26, y + 26, 46)
        sheet.write(
            guest_name(words, ident),
            (LEFT + 58, y, RIGHT - 50, y + 52),
            colour=p.IVORY,
            kind="title",
        )
        sheet.write(
            str(score),
            (RIGHT - 46, y, RIGHT, y + 52),
            colour=p.CANDLE,
            kind="title",
            cap=34,
            align="right",
        )
        y += 58


def _put_man_roll(sheet: Sheet, view: SeatView, words: Words, y: int) -> None:
    assert view.man is not None
    y = _put_who(sheet, view, words, view.man.finder, y)
    sheet.centre(pieces.artifact(view.man.artifact, 64), LEFT + 34, y + 38)
    sheet.centre(die(view.man.die, 58), LEFT + 120, y + 36)
    _write_folded(sheet, words.say("picture.man_rolled"), y + 76, colour=p.BRASS, lines=1)


def _put_vote(sheet: Sheet, words: Words, y: int) -> None:
    y = _write_folded(sheet, words.say("picture.vote"), y, colour=p.IVORY) + 14
    middle = (LEFT + RIGHT) // 2
    for n in (-1, 1):
        x = middle + n * 52
        sheet.centre(pieces.stone(80), x, y + 44)
        sheet.write(
            "?",
            (x - 30, y + 20, x + 30, y + 76),
            colour=p.INK,
            kind="title",
            cap=38,
            align="middle",
        )
