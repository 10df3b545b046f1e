"""The closing picture: how it ended, the maze as it was walked, who walked it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.glyphs import chalked
from bot.render.fear_of_the_dark.plan import SIZE
from bot.render.fear_of_the_dark.scenes import HIGH, SCENES, scene
from bot.render.fear_of_the_dark.small import LETTERED, extent, put_small
from bot.render.kit.marks import seat_mark
from bot.render.kit.paint import rgb
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Ending, Words, seat_name
from engines.fear_of_the_dark.view import SeatView

MARGIN: Final = 40
TOP: Final = HIGH + 8
BOTTOM: Final = SIZE[1] - 20
FIGURES: Final = (("rooms", "tile"), ("cards", "mind"), ("matches", "light"), ("terrors", "terror"))
LARGEST: Final = 62


def put_closing(view: SeatView, words: Words, seats: Sequence[str], outcome: Ending) -> Sheet:
    """The closing picture, with the list of what is where."""
    sheet = Sheet(scene(outcome.ending).copy())
    ending = outcome.ending if outcome.ending in SCENES else "trapped"
    facts = _facts(view, outcome)
    title = words.say(f"picture.closing.{ending}")
    colour = p.FLAME_CORE if outcome.won else p.BONE
    box = (MARGIN, 18, SIZE[0] - MARGIN, 108)
    sheet.write(title, box, colour=colour, kind="title", cap=72, align="middle", halo=p.PIT)
    line = words.say(f"picture.closing.line.{ending}", facts)
    box = (MARGIN, 112, SIZE[0] - MARGIN, 158)
    said = p.FLAME if outcome.won else p.CHALK_DIM
    sheet.write(line, box, colour=said, kind="title", cap=32, align="middle", halo=p.PIT)
    middle = _put_maze(sheet, view)
    _put_figures(sheet, words, facts, middle)
    _put_seats(sheet, words, seats, middle)
    return sheet


def _facts(view: SeatView, outcome: Ending) -> dict[str, object]:
    """The figures of the end; those that the outcome does not tell are counted."""
    found: dict[str, object] = {
        "rooms": len(view.maze.rooms),
        "cards": len(view.hand) + len(view.deck),
        "matches": view.matches,
        "terrors": view.terrors,
    }
    return {name: outcome.facts.get(name, value) for name, value in found.items()}


def _plate(sheet: Sheet, left: int, top: int, right: int, bottom: int) -> None:
    sheet.veil((left, top, right, bottom), p.CHALK_DIM, 0.55, 12)
    sheet.veil((left + 3, top + 3, right - 3, bottom - 3), rgb("0e0c0a"), 0.96, 10)


def _put_maze(sheet: Sheet, view: SeatView) -> int:
    """The maze, as large as it fits at the left; where its plate ends."""
    across, down = extent(view)
    high = BOTTOM - TOP
    cell = min(LARGEST, (high - 28) // down, (SIZE[0] - 2 * MARGIN - 560 - 28) // across)
    if cell < LETTERED:
        cell = max(12, cell)
    wide = max(300, across * cell + 28)
    left, right = MARGIN, MARGIN + wide
    _plate(sheet, left, TOP, right, BOTTOM)
    x = left + (wide - across * cell) // 2
    y = TOP + (high - down * cell) // 2
    put_small(sheet, view, x, y, cell)
    return right + 16


def _put_figures(sheet: Sheet, words: Words, facts: dict[str, object], left: int) -> None:
    """Rooms, mind cards, matches, terrors: a sign, a figure and a word each."""
    right = SIZE[0] - MARGIN
    _plate(sheet, left, TOP, right, TOP + 112)
    wide = (right - left - 24) // len(FIGURES)
    for n, (name, icon) in enumerate(FIGURES):
        x = left + 16 + n * wide
        sheet.image.paste(p.CHALK, (x, TOP + 14), chalked(icon, 44))
        box = (x + 54, TOP + 10, x + wide - 6, TOP + 62)
        sheet.write(str(facts[name]), box, colour=p.FLAME, kind="title", cap=36)
        box = (x, TOP + 66, x + wide - 8, TOP + 104)
        sheet.write(words.say(f"picture.closing.{name}"), box, colour=p.CHALK_DIM, kind="title")


def _put_seats(sheet: Sheet, words: Words, seats: Sequence[str], left: int) -> None:
    """Who played, in one column or two."""
    right, top = SIZE[0] - MARGIN, TOP + 118
    _plate(sheet, left, top, right, BOTTOM)
    count = len(seats)
    columns = 1 if count <= 3 else 2
    lines = -(-max(1, count) // columns)
    pitch = min(56, (BOTTOM - top - 4) // lines)
    wide = (right - left - 24) // columns
    start = top + (BOTTOM - top - lines * pitch) // 2
    for seat in range(count):
        x = left + 14 + seat // lines * wide
        y = start + seat % lines * pitch
        sheet.centre(seat_mark(seat, 40), x + 22, y + pitch // 2)
        box = (x + 58, y, x + wide - 12, y + pitch)
        sheet.write(seat_name(words, seats, seat), box, colour=p.BONE, cap=28)
