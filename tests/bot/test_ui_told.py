"""What a renderer tells in words, as a message shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot import titles
from bot.sessions.faces import TableFace
from bot.titles import Title
from bot.ui import panel
from bot.ui.faces import plan_of, table
from bot.ui.kept import Kept
from bot.ui.text import Voice
from engines.kernel.event import Event, Numbered
from engines.kernel.game import Outcome
from tests.sessions.house import House


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


def test_what_only_one_was_told_is_told_while_it_is_true(night: Title) -> None:
    """A card of which somebody was told may be gone again: its name stands in no hand's news."""
    voice = Voice(night, ("Ann", "Ben"))
    relic = next(iter(voice.words.section("names.relic")))
    name = voice.words.name("relic", relic)
    seen = Numbered(1, 1, Event("relic_seen", {"seat": 0, "relic": relic}, (0,)), 0)
    clue = next(iter(voice.words.section("names.clue")))
    foreseen = Numbered(1, 1, Event("foreseen_clue", {"seat": 0, "clues": [clue]}, (0,)), 0)
    assert voice.named(seen) == [name]
    assert voice.named(foreseen) == [voice.words.name("clue", clue)]
    assert voice.named(Numbered(1, 1, Event("whispered", {"number": 4}, (0,)), 0)) == []


async def test_a_hand_names_no_card_that_is_gone(tmp_path: Path, night: Title) -> None:
    """Neither one's own hand nor what a substitute is told; the log has what was shown once."""
    house = await House(tmp_path, night).open()
    try:
        session = await house.game(1, 2)
        look = await session.look(1)
        voice = Voice.of(night, look.snapshot)
        held = voice.hand(look.view)
        relics = list(voice.words.section("names.relic"))
        gone = next(one for one in relics if voice.words.name("relic", one) not in held)
        news = Numbered(1, 1, Event("relic_seen", {"seat": 0, "relic": gone}, (0,)), 0)
        for shown in (
            panel.hand(night, replace(look, news=(news,))),
            panel.briefing(night, replace(look, news=(news,)), note="You sit there now."),
        ):
            told = str(shown.layout.to_components())
            assert voice.words.name("relic", gone) not in told
            assert "`/log`" in told
        assert "`/log`" not in str(panel.hand(night, look).layout.to_components())
    finally:
        await house.die()


async def test_the_last_page_of_a_game_has_its_last_heading(tmp_path: Path, night: Title) -> None:
    """Its lines tell the last move, so its heading does, too; earlier pages keep theirs."""
    house = await House(tmp_path, night).open()
    try:
        snapshot = await (await house.game(1, 2)).snapshot()
    finally:
        await house.die()
    kept = Kept("## An hour ago")
    event = Event("night_ended", {"won": False})
    for ply, outcome, is_last in (
        (snapshot.ply, Outcome("all_dead", False, {}), True),
        (snapshot.ply - 1, Outcome("all_dead", False, {}), False),
        (snapshot.ply, None, False),
    ):
        page = (Numbered(ply, 1, event, 0),)
        face = TableFace("X", replace(snapshot, outcome=outcome, chapter_events=page), live=False)
        told = str(table(night, face, None, kept).layout.to_components())
        heading = Voice.of(night, snapshot).heading(snapshot.view)
        assert (heading in told, "An hour ago" in told) == (is_last, not is_last)
        assert ("The game is over." in told) == is_last


def test_an_empty_hand_says_enough(night: Title) -> None:
    """Then nothing needs to be said of what can be played."""
    voice = Voice(night, ("Ann", "Ben"))
    assert voice.is_empty_hand(voice.say("picture.hand.none"))
    assert not voice.is_empty_hand("**A lamp**")
