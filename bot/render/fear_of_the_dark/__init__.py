"""Fear of the Dark, drawn and told: the maze from above, chalk in the dark, stone in the light.

All functions are pure and may run in any thread; the same arguments give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.board import put_maze
from bot.render.fear_of_the_dark.choice import put_choice
from bot.render.fear_of_the_dark.closing import put_closing
from bot.render.fear_of_the_dark.panel import put_panel
from bot.render.fear_of_the_dark.plan import SIZE
from bot.render.fear_of_the_dark.small import put_in_corner
from bot.render.fear_of_the_dark.told import alt_text, board_words, hand_words, heading
from bot.render.kit.marks import SEAT_COLOURS, seat_colour
from bot.render.kit.paint import colours_of, png
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Ending, Words
from engines.fear_of_the_dark.view import SeatView

__all__ = ["alt_text", "board_words", "closing", "compose", "draw", "hand_words", "heading"]

ACCENTS: Final = (
    p.CHALK, p.CHALK_DIM, p.BONE, p.FLAME, p.FLAME_CORE, p.PHOSPHOR, p.RUST, p.WATER, p.WOOD,
    p.IRON, p.CHEST, p.CHEST_LID, p.SECRET,
)  # fmt: skip
"""Colours that must come through however few a picture may have."""


def draw(view: SeatView, words: Words, seats: Sequence[str]) -> bytes:
    """The table as a PNG, 1200 x 900, at most 250 KB."""
    image = compose(view, words, seats).image
    lead = () if view.lead is None else (seat_colour(view.lead),)
    return png(image, colours_of(image, (*ACCENTS, *lead), p.DARK))


def closing(view: SeatView, words: Words, seats: Sequence[str], outcome: Ending) -> bytes:
    """The closing picture as a PNG of the same size: the ending, and the maze as it was walked."""
    image = put_closing(view, words, seats, outcome).image
    return png(image, colours_of(image, (*ACCENTS, *SEAT_COLOURS), p.DARK))


def compose(view: SeatView, words: Words, seats: Sequence[str]) -> Sheet:
    """The picture before it becomes a PNG, with the list of what is where."""
    sheet = Sheet(_night().copy())
    plan = put_maze(sheet, view)
    if not plan.whole:
        put_in_corner(sheet, view, plan)
    put_choice(sheet, view, words)
    put_panel(sheet, view, words, seats)
    return sheet


@lru_cache(maxsize=1)
def _night() -> Image.Image:
    """The dark that everything lies in."""
    return Image.new("RGB", SIZE, p.DARK)
