"""What a renderer tells in words, as a message shows it."""

from __future__ import annotations

import pytest

from bot import titles
from bot.titles import Title
from bot.ui.faces import plan_of
from bot.ui.text import Voice
from engines.kernel.event import Event, Numbered


@pytest.fixture(scope="module")
def night() -> Title:
    """A game that has hands of cards."""
    return titles.load("escape_the_night")


@pytest.mark.parametrize(
    ("told", "parts"),
    [
        (
            "one\ntwo\n\n   a  b\n 1 X. .\n10 .\nkey\n\nlast",
            ("one\ntwo", "   a  b\n 1 X. .\n10 .", "key\n\nlast"),
        ),
        ("+---+\nAnn", ("", "+---+\nAnn", "")),
        ("one\n\ntwo", ("", "one\n\ntwo", "")),
        ("one\n\n 1 .", ("one", " 1 .", "")),
        ("", ("", "", "")),
    ],
)
def test_the_plan_is_found(told: str, parts: tuple[str, str, str]) -> None:
    """It begins after the first empty line; a board told in another way stays whole."""
    assert plan_of(told) == parts


def test_news_of_what_is_listed_above_is_no_news(night: Title) -> None:
    """A card that stands in the hand is not told again; one that was lost since is, and so is
    whatever names no card.
    """
    voice = Voice(night, ("Ann", "Ben"))
    relics = list(voice.words.section("names.relic"))
    held = f"**{voice.words.name('relic', relics[0])}**"

    def seen(relic: str) -> Numbered:
        return Numbered(1, 1, Event("relic_seen", {"seat": 0, "relic": relic}, (0,)), 0)

    assert voice.is_listed(seen(relics[0]), held)
    assert not voice.is_listed(seen(relics[1]), held)
    assert not voice.is_listed(Numbered(1, 1, Event("whispered", {"number": 4}, (0,)), 0), held)


def test_an_empty_hand_says_enough(night: Title) -> None:
    """Then nothing needs to be said of what can be played."""
    voice = Voice(night, ("Ann", "Ben"))
    assert voice.is_empty_hand(voice.say("picture.hand.none"))
    assert not voice.is_empty_hand("**A lamp**")
