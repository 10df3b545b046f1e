"""Pictures of Fear of the Dark that somebody has looked at, kept to the pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from bot.render import fear_of_the_dark
from engines.kernel.game import Outcome
from tests.render.dark_tables import MOMENTS, MONSTROUS, PLAYERS, words

Check = Callable[[str, bytes], None]

BOARDS = (
    "start_dark", "start_light", "five_light", "five_near", "five_dark", "leak", "rotate",
    "rotate_dark", "in_echo", "twelve_dark", "last_steps", "block", "line_east", "line_south",
    "line_map",
)  # fmt: skip


@pytest.mark.parametrize("name", BOARDS)
def test_maze_is_drawn_as_it_was_reviewed(name: str, golden_picture: Check) -> None:
    """The maze at a telling moment looks as it did when it was last looked at."""
    view, seats = MOMENTS[name]
    golden_picture(f"fear_of_the_dark_{name}", fear_of_the_dark.draw(view, words(), seats))


CLOSINGS = {
    "escaped": ("last_steps", PLAYERS[:3]),
    "mind_lost": ("twelve_dark", PLAYERS[:4]),
    "terror": ("five_near", PLAYERS[:1]),
    "dark_echo": ("block_five", PLAYERS),
    "maze_closed": ("line_east", PLAYERS[:2]),
    "trapped": ("line_south", MONSTROUS),
}
"""The maze as it was left, and who walked it."""


@pytest.mark.parametrize("ending", CLOSINGS)
def test_closing_is_drawn_as_it_was_reviewed(ending: str, golden_picture: Check) -> None:
    """The closing picture of the win and of every loss."""
    name, seats = CLOSINGS[ending]
    view = replace(MOMENTS[name][0], over=True)
    cards, terrors = 0 if ending == "mind_lost" else 3, 2 if ending == "terror" else 0
    rooms = len(view.maze.rooms)
    facts = {"rooms": rooms, "cards": cards, "matches": view.matches, "terrors": terrors}
    outcome = Outcome(ending, ending == "escaped", facts)
    data = fear_of_the_dark.closing(view, words(), seats, outcome)
    golden_picture(f"fear_of_the_dark_{ending}", data)
