"""Escape the Night, drawn and told: a mansion of the 1920s from above, at night.

All functions are pure and may run in any thread; the same arguments give the same bytes.
"""

from __future__ import annotations

import math
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night.band import put_band
from bot.render.escape_the_night.closing import put_closing
from bot.render.escape_the_night.house import painted
from bot.render.escape_the_night.panel import put_panel
from bot.render.escape_the_night.plan import House
from bot.render.escape_the_night.scene import DARK, LIGHT, put_in_yard, put_on_board
from bot.render.escape_the_night.signs import Sign, signs
from bot.render.escape_the_night.telling import room_names
from bot.render.escape_the_night.told import alt_text, board_words, hand_words, heading
from bot.render.kit.marks import SEAT_COLOURS
from bot.render.kit.paint import colours_of, png
from bot.render.kit.sheet import Sheet
from bot.render.kit.text import length
from bot.render.kit.words import Ending, Words
from engines.escape_the_night.view import SeatView

__all__ = ["alt_text", "board_words", "closing", "compose", "draw", "hand_words", "heading"]

ACCENTS: Final = (
    *SEAT_COLOURS, p.IVORY, p.BRASS, p.CANDLE, p.CLUE, p.MONSTER, p.STONE, p.MUTED,
)  # fmt: skip
"""Colours that must come through however few a picture may have."""

KEPT: Final = 6
"""Houses kept ready; each takes some three megabytes."""


@dataclass(frozen=True, slots=True)
class _Still:
    house: House
    sheet: Sheet
    signs: list[Sign]
    palette: Image.Image


_still: OrderedDict[object, _Still] = OrderedDict()
_lock = threading.Lock()


def draw(view: SeatView, words: Words, seats: Sequence[str]) -> bytes:
    """The table as a PNG, 1200 x 900, at most 250 KB. Shows nothing that is one seat's own."""
    sheet, palette = _composed(view, words, seats)
    return png(sheet.image, palette)


def closing(view: SeatView, words: Words, seats: Sequence[str], outcome: Ending) -> bytes:
    """The closing picture as a PNG of the same size: the ending, who lived, the titles."""
    image = put_closing(view, words, seats, outcome).image
    return png(image, colours_of(image, ACCENTS, p.NIGHT))


def compose(view: SeatView, words: Words, seats: Sequence[str]) -> Sheet:
    """The picture before it becomes a PNG, with the list of what is where."""
    return _composed(view, words, seats)[0]


def _composed(view: SeatView, words: Words, seats: Sequence[str]) -> tuple[Sheet, Image.Image]:
    still = _house(view, words)
    sheet = still.sheet.copy()
    put_on_board(sheet, still.house, still.signs, view, words)
    put_in_yard(sheet, still.house, view, words)
    put_band(sheet, view, words)
    put_panel(sheet, view, words, seats)
    return sheet, still.palette


def _shades(still: Image.Image) -> Image.Image:
    """The house as it is, in candlelight and in the dark: all the colours that a walk brings."""
    wide, high = still.size
    found = Image.new("RGB", (wide, high * 3), p.NIGHT)
    found.paste(still)
    for n, (colour, share) in enumerate(((p.CANDLE, LIGHT), (p.NIGHT, DARK)), 1):
        found.paste(Image.blend(still, Image.new("RGB", still.size, colour), share), (0, n * high))
    return found


def _house(view: SeatView, words: Words) -> _Still:
    """What does not change during a game, painted once for each board and language."""
    names = room_names(view, words)
    board = view.board
    key = (
        board.plan, tuple(board.marks.items()), board.doors, board.circles,
        tuple(board.triangles.items()), board.steps, board.ritual,
        tuple((room, kind.kind) for room, kind in board.rooms.items()),
        view.dining, tuple(names.items()),
    )  # fmt: skip
    # Painting under the lock: two threads that want the same house need it painted once.
    with _lock:
        if key not in _still:
            house = House(view)
            sheet = painted(house, view.dining)
            widths = {room: math.ceil(length(name, "title", 26)) for room, name in names.items()}
            _still[key] = _Still(
                house,
                sheet,
                signs(house, names, widths),
                colours_of(_shades(sheet.image), ACCENTS, p.NIGHT),
            )
            while len(_still) > KEPT:
                _still.popitem(last=False)
        _still.move_to_end(key)
        return _still[key]
