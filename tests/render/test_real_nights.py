"""Pictures of the shipped house, from nights that computer players play."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import pytest

from bot import titles
from bot.render import escape_the_night
from bot.render.escape_the_night import compose
from content.escape_the_night import load
from engines.escape_the_night.game import GAME
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough, Step
from tests.driving import play_out
from tests.render.tables import PLAYERS
from tests.render.test_layout import inside, overlap

EVERY = 12
"""One position in so many is drawn."""


@cache
def shipped():
    """The content as it ships."""
    return load()


@pytest.mark.parametrize(("seats", "secret"), [(1, "on"), (3, "off"), (11, "on")])
def test_whole_night_is_drawn_and_told(seats: int, secret: str) -> None:
    """From the first hour to the end every picture keeps its layout, every text its limit."""
    game = shipped()
    chosen = {option.key: option.default for option in GAME.options}
    chosen |= {"hourglass": "untimed", "secret_room": secret}
    header = Header(GAME.key, GAME.rules_version, "shipped", b"pictures".hex(), seats, chosen)
    play = Playthrough(GAME, game.rules, header)
    players = PLAYERS[:seats]
    words = game.words.bound(players)
    phases: dict[str, int] = {}

    def look(step: Step) -> None:
        view = play.view(None)
        phases[view.phase] = phases.get(view.phase, 0) + 1
        if phases[view.phase] % EVERY != 1:
            return
        sheet = compose(view, words, players)
        texts = [placed for placed in sheet.placed if placed.what == "text"]
        assert [t for t in texts if not inside(t.ink, t.box) or t.size < 26] == []
        assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []
        told = escape_the_night.board_words(view, words, players)
        assert len(told) <= 3500
        assert told.splitlines()[-1].startswith("Cards left"), "cut short"
        assert len(escape_the_night.alt_text(view, words, players)) <= 1000
        assert escape_the_night.heading(view, words)
        for seat in range(seats):
            assert escape_the_night.hand_words(play.view(seat), words)

    play_out(play, GAME.agents["sensible"], each=look)
    assert {"turns", "challenge"} <= set(phases)
    assert play.outcome is not None
    data = escape_the_night.closing(play.view(None), words, players, play.outcome)
    assert data.startswith(b"\x89PNG")


def test_relics_in_hand_are_told_with_what_they_do() -> None:
    """Every shipped relic has a text, and the hand shows it."""
    game = shipped()
    header = Header(
        GAME.key,
        GAME.rules_version,
        "shipped",
        b"pictures".hex(),
        4,
        {option.key: option.default for option in GAME.options},
    )
    play = Playthrough(GAME, game.rules, header)
    for seat in range(4):
        view = play.view(seat)
        told = escape_the_night.hand_words(view, game.words)
        for relic in view.hand:
            assert game.words.name("relic", relic) in told
            assert game.words.say(f"texts.relic.{relic}") in told


def test_shipped_rooms_and_guests_fit_the_picture() -> None:
    """No room's name is cut on its plate; guests' letters are one each."""
    game = shipped()
    chosen = {option.key: option.default for option in GAME.options}
    header = Header(GAME.key, GAME.rules_version, "shipped", b"pictures".hex(), 2, chosen)
    view = Playthrough(GAME, game.rules, header).view(None)
    texts = [p.name for p in compose(view, game.words, PLAYERS[:2]).placed if p.what == "text"]
    for room in view.board.rooms:
        if room != view.board.marks["s"]:
            assert game.words.name("room", room) in texts


def test_title_finds_this_renderer() -> None:
    """The bot's registry finds a renderer with all that it asks for."""
    title = titles.load("escape_the_night")
    for name in ("draw", "closing", "board_words", "alt_text", "hand_words", "heading"):
        assert callable(getattr(title.renderer, name))
