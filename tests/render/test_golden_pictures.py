"""Pictures that somebody has looked at, kept to the pixel."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bot.render import escape_the_night
from engines.kernel.game import Outcome
from tests.render.tables import MOMENTS, PLAYERS, middle, words

Check = Callable[[str, bytes], None]


@pytest.mark.parametrize("name", ["start", "walk", "duel", "eleven", "crowd"])
def test_table_is_drawn_as_it_was_reviewed(name: str, golden_picture: Check) -> None:
    """The board at a telling moment looks as it did when it was last looked at."""
    view, seats = MOMENTS[name]
    golden_picture(name, escape_the_night.draw(view, words(), seats))


@pytest.mark.parametrize("won", [True, False])
def test_closing_is_drawn_as_it_was_reviewed(won: bool, golden_picture: Check) -> None:
    """The closing picture of a win with its titles, and of a loss."""
    titles = {"monster_slayer": [0], "clue_master": [1, 2]} if won else {}
    outcome = Outcome("escaped" if won else "all_dead", won, {"titles": titles})
    data = escape_the_night.closing(middle(4), words(), PLAYERS[:4], outcome)
    golden_picture(f"closing_{'won' if won else 'lost'}", data)
