"""The colours of the house: ink blue and brass."""

from __future__ import annotations

from typing import Final

from bot.render.kit.paint import rgb

NIGHT: Final = rgb("0b1122")
DUSK: Final = rgb("141d36")
INK: Final = rgb("060912")
WALL: Final = rgb("1c2644")
WALL_LIGHT: Final = rgb("7f92c4")
BRASS: Final = rgb("d0a557")
BRASS_DARK: Final = rgb("8a6a35")
IVORY: Final = rgb("f3e9d2")
MUTED: Final = rgb("a7b4d6")
MOON: Final = rgb("9dc0ff")
CANDLE: Final = rgb("ffc873")
LAWN: Final = rgb("12251f")
CHALK: Final = rgb("e6eefc")
CLUE: Final = rgb("1f9e6b")
MONSTER: Final = rgb("c8323c")
WAX: Final = rgb("33406b")
STONE: Final = rgb("929cb4")
