"""The colours of the maze: a dark that is nearly black, warm ochre stone, chalk."""

from __future__ import annotations

from typing import Final

from bot.render.kit.paint import rgb

DARK: Final = rgb("0b0a09")
PIT: Final = rgb("040303")
SLATE: Final = rgb("191715")
SLATE_LIGHT: Final = rgb("2b2824")
CHALK: Final = rgb("e4e6e2")
CHALK_DIM: Final = rgb("a9aaa4")
BONE: Final = rgb("f4ead3")
OCHRE: Final = rgb("bd8b47")
OCHRE_LIGHT: Final = rgb("e3b268")
OCHRE_DARK: Final = rgb("6b4a22")
EARTH: Final = rgb("2c1e10")
FLAME: Final = rgb("ffb646")
FLAME_CORE: Final = rgb("fff2b8")
WOOD: Final = rgb("d9b27c")
PHOSPHOR: Final = rgb("d2452f")
RUST: Final = rgb("f0846a")
CHAR: Final = rgb("5d5751")
IRON: Final = rgb("8d949b")
CHEST: Final = rgb("884a24")
CHEST_LID: Final = rgb("a86230")
SECRET: Final = rgb("4a3e60")
WATER: Final = rgb("8cc4dc")
DAWN: Final = rgb("ffe3a0")
