"""Pictures that somebody has looked at, kept to the pixel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import pytest

from bot.render import escape_the_night
from bot.render.escape_the_night.closing import put_closing
from engines.escape_the_night.view import SeatView
from engines.kernel.game import Outcome
from tests.render.tables import MOMENTS, PLAYERS, middle, words
from tests.render.test_layout import inside, overlap

Check = Callable[[str, bytes], None]


BOARDS = (
    "start", "walk", "attempt", "vote", "duel", "eleven", "one", "circle", "graves", "untold",
    "rooms", "monstrous_five",
)  # fmt: skip


@pytest.mark.parametrize("name", BOARDS)
def test_table_is_drawn_as_it_was_reviewed(name: str, golden_picture: Check) -> None:
    """The board at a telling moment looks as it did when it was last looked at."""
    view, seats = MOMENTS[name]
    golden_picture(name, escape_the_night.draw(view, words(), seats))


CLOSINGS: dict[str, tuple[int, bool, dict[str, list[int]]]] = {
    "closing_won": (4, True, {"monster_slayer": [0], "clue_master": [1, 2]}),
    "closing_lost": (4, False, {}),
    "closing_eleven": (11, True, {"monster_slayer": list(range(6)), "clue_master": [10]}),
    "closing_one": (1, True, {"master_of_the_house": [0]}),
}
"""Players, whether they won, who bears which title."""


def _ending(name: str) -> tuple[SeatView, Sequence[str], Outcome]:
    seats, won, titles = CLOSINGS[name]
    outcome = Outcome("escaped" if won else "all_dead", won, {"titles": titles})
    return middle(seats), PLAYERS[-seats:], outcome


@pytest.mark.parametrize("name", CLOSINGS)
def test_closing_is_drawn_as_it_was_reviewed(name: str, golden_picture: Check) -> None:
    """The closing picture of wins and losses, with and without titles, of few and of many."""
    view, seats, outcome = _ending(name)
    golden_picture(name, escape_the_night.closing(view, words(), seats, outcome))


@pytest.mark.parametrize("name", CLOSINGS)
def test_closing_is_as_legible_as_the_board(name: str) -> None:
    """Letters of 26 pixels, each text in its box, none across another, every guest once."""
    view, seats, outcome = _ending(name)
    sheet = put_closing(view, words(), seats, outcome)
    texts = [placed for placed in sheet.placed if placed.what == "text"]
    assert [t for t in texts if not inside(t.ink, t.box) or t.size < 26] == []
    assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []
    pawns = sorted(placed.name for placed in sheet.placed if placed.what == "pawn")
    assert pawns == sorted(c.id for c in view.characters if c.alive)
