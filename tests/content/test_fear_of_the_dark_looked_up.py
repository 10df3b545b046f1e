"""What rooms and cards are can be found out in the rules, and every rule by its topic."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bot.ui.rulebook import Rulebook
from content.fear_of_the_dark import load
from engines.fear_of_the_dark import told

LOADED = load()
WORDS = LOADED.words
BOOK = Rulebook.load({"fear_of_the_dark": SimpleNamespace(content=LOADED)})


def found(typed):
    """The titles that a search finds."""
    return [topic.title for topic in BOOK.search(typed)]


def test_topics_fit_a_menu_and_a_message():
    """As many as one menu holds, each short enough to be read on a phone."""
    assert 12 <= len(BOOK.topics) <= 25
    assert all(len(topic.text) <= 900 for topic in BOOK.topics)
    assert len({topic.title for topic in BOOK.topics}) == len(BOOK.topics)


@pytest.mark.parametrize(
    ("typed", "title"),
    [
        ("how do we win", "Winning"),
        ("lose", "Losing"),
        ("components", "Setting up"),
        ("difficulty", "Difficulty"),
        ("light", "Light and darkness"),
        ("darkness", "Light and darkness"),
        ("matches", "Matches"),
        ("hand", "The hand"),
        ("mind hand", "The hand"),
        ("two steps", "Playing a card"),
        ("wildcard", "Giving up a card"),
        ("discard", "Giving up a card"),
        ("confirmation", "What is asked twice"),
        ("walk", "Walking"),
        ("diagonal", "Walking"),
        ("holes", "Holes and tiptoeing"),
        ("locks", "Obstructions and locks"),
        ("obstruction", "Obstructions and locks"),
        ("scouting", "Scouting"),
        ("rotation", "Revealing a room"),
        ("reveal", "Revealing a room"),
        ("dangers", "Dangers"),
        ("dark echo", "Dark echoes"),
        ("leaking", "The leaking room"),
        ("exploring", "Exploring"),
        ("items", "Items"),
        ("secrets", "Secrets"),
        ("several players", "Playing together"),
        ("solo", "Playing together"),
        ("picture", "Reading the picture"),
        ("coordinates", "Reading the picture"),
        ("signs", "Signs in the picture"),
        ("chest", "Signs in the picture"),
    ],
)
def test_every_topic_is_found(typed, title):
    """By the rulebook's headings, and by what somebody might type instead."""
    assert found(typed)[0] == title


def test_what_somebody_might_ask():
    """Whole questions find something, and words that nobody has written nothing."""
    assert "Scouting" in found("how do I scout")[:3]
    assert "Dark echoes" in found("what happens in a dark echo")[:2]
    assert BOOK.search("zeppelin") == []


CARDS = [
    (table, ident)
    for table in ("tile", "action", "danger", "item", "secret")
    for ident in WORDS.section(f"cards.{table}")
]


@pytest.mark.parametrize(("table", "ident"), CARDS, ids=[".".join(pair) for pair in CARDS])
def test_each_card_is_found_by_its_name(table, ident):
    """First of all that is found."""
    first = BOOK.search(WORDS.name(table, ident))[0]

    assert first.key == f"{table}.{ident}"
    assert len(first.text) <= 400


def test_every_kind_of_card_can_be_looked_up():
    """16 rooms, 6 cards of the mind, 6 dangers, 4 items, 3 secrets."""
    assert len(CARDS) == len(BOOK.cards) == 16 + 6 + 6 + 4 + 3


def test_a_room_says_what_is_drawn():
    """Its text, then what its drawing shows; the sentence cannot disagree with the drawing."""
    tiles = LOADED.rules.tiles
    for name, tile in tiles.items():
        said = WORDS.say(f"cards.tile.{name}")
        drawing = "".join(row[1:4] for row in tile.drawing[1:4])

        assert said.startswith(WORDS.say(f"texts.tile.{name}"))
        assert ("hole" in said.removeprefix(WORDS.say(f"texts.tile.{name}"))) == ("O" in drawing)
        assert ("dark echo" in said) == tile.echo
        assert ("angerous" in said) == tile.danger
        assert ("Items of location" in said) == any(mark in drawing for mark in "1234")


def test_what_kills_says_so():
    """Whoever looks it up reads how it ends, and that it does not on Easy."""
    for danger in ("terror", "collapse", "locking"):
        said = WORDS.say(f"cards.danger.{danger}")
        assert "the end, except on Easy" in said
    assert set(told.ENDINGS) == set(WORDS.section("endings"))
