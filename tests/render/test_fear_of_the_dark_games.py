"""Pictures of the shipped maze, from games that computer players play."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from bot.render import fear_of_the_dark
from bot.render.fear_of_the_dark import compose
from content.fear_of_the_dark import load
from engines.fear_of_the_dark.game import GAME
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough, Step
from tests.driving import play_out
from tests.render.dark_tables import MONSTROUS, PLAYERS
from tests.render.test_layout import inside, overlap

EVERY = 9
"""One position in so many is drawn, and every one with a tile turned up."""


@cache
def shipped():
    """The content as it ships."""
    return load()


@pytest.mark.parametrize(
    ("agent", "difficulty", "seats"),
    [
        ("sensible", "easy", PLAYERS[:1]),
        ("sensible", "normal", MONSTROUS),
        ("random", "hard", PLAYERS[:3]),
    ],
)
def test_whole_game_is_drawn_and_told(agent: str, difficulty: str, seats: tuple[str, ...]) -> None:
    """From the first match to the end every picture keeps its layout, every text its limit."""
    game = shipped()
    chosen = {"difficulty": difficulty, "lead": "round"}
    header = Header(GAME.key, GAME.rules_version, "shipped", b"maze".hex(), len(seats), chosen)
    play = Playthrough(GAME, game.rules, header)
    words = game.words.bound(seats)
    looked = 0

    def look(step: Step) -> None:
        nonlocal looked
        view = play.view(None)
        looked += 1
        if view.reveal is None and looked % EVERY != 1:
            return
        sheet = compose(view, words, seats)
        texts = [placed for placed in sheet.placed if placed.what == "text"]
        assert [t for t in texts if not inside(t.ink, t.box) or t.size < 26] == []
        assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []
        told = fear_of_the_dark.board_words(view, words, seats)
        assert len(told) <= 3500
        assert told.splitlines()[-1].startswith("Other dangers met"), "cut short"
        assert len(fear_of_the_dark.alt_text(view, words, seats)) <= 1000
        assert fear_of_the_dark.heading(view, words)
        assert fear_of_the_dark.hand_words(view, words)

    play_out(play, GAME.agents[agent], each=look)
    assert play.outcome is not None
    data = fear_of_the_dark.closing(play.view(None), words, seats, play.outcome)
    assert data.startswith(b"\x89PNG")


def test_names_of_shipped_things_are_known_to_the_text() -> None:
    """Tiles, difficulty and cards are told by the names that the content gives."""
    game = shipped()
    chosen = {option.key: option.default for option in GAME.options}
    header = Header(GAME.key, GAME.rules_version, "shipped", b"maze".hex(), 1, chosen)
    view = Playthrough(GAME, game.rules, header).view(None)
    text = fear_of_the_dark.board_words(view, game.words, PLAYERS[:1])
    assert game.words.name("difficulty", "normal") in text
    assert game.words.name("tile", view.maze.rooms["A"].tile) in text
    hand = fear_of_the_dark.hand_words(view, game.words)
    assert "dark" in hand
