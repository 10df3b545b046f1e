"""Cards face up, the seal with what they ask for, and what stands for the decks."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.kit.paint import Rgb, mix, rgb, shadowed, sprite

PAPER: Final = rgb("e9dcbb")
ICON: Final = 46
"""How wide the coloured edge of a card is."""


@lru_cache(maxsize=16)
def card(width: int, high: int, edge: Rgb) -> Image.Image:
    """A card lying face up, its left edge in the colour of its deck."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        w, h, r = width * fine, high * fine, 9 * fine
        pen.rounded_rectangle((0, 0, w - 1, h - 1), r, fill=p.INK)
        box = (2 * fine, 2 * fine, w - 3 * fine, h - 3 * fine)
        pen.rounded_rectangle(box, r - 2 * fine, fill=PAPER)
        pen.rounded_rectangle(
            (box[0], box[1], (ICON + 4) * fine, box[3]),
            r - 2 * fine,
            fill=edge,
            corners=(True, False, False, True),
        )
        inner = ((ICON + 9) * fine, 7 * fine, w - 8 * fine, h - 8 * fine)
        pen.rounded_rectangle(inner, 4 * fine, outline=mix(PAPER, p.BRASS_DARK, 0.55), width=fine)

    return shadowed(sprite(width, high, paint), blur=4, down=4, right=3)


@lru_cache(maxsize=4)
def seal(size: int, colour: Rgb) -> Image.Image:
    """A brass ring for the number that a card asks for."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), fill=p.INK)
        pen.ellipse((s * 0.05, s * 0.05, s * 0.95, s * 0.95), fill=p.BRASS)
        pen.ellipse((s * 0.11, s * 0.11, s * 0.89, s * 0.89), fill=mix(colour, p.INK, 0.45))

    return sprite(size, size, paint)


@lru_cache(maxsize=4)
def pile(deck: str, size: int) -> Image.Image:
    """What stands for a deck: clues, monsters, relics, challenges."""
    match deck:
        case "clue" | "monster":
            return pieces.tile(deck, size)
        case "relic":
            return pieces.artifact("", size)
        case _:
            return pieces.stone(size)
