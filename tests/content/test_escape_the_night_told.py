"""The list of what the engine tells and asks is true to its source and to whole nights."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from content.escape_the_night import load
from engines.escape_the_night import told
from engines.escape_the_night.game import GAME
from engines.kernel.facts import samples
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.content.reading import wrong
from tests.content.test_escape_the_night_words import SOURCE, asked_in_source
from tests.driving import play_out

LOADED = load()


def test_events_of_the_source():
    """Every kind that is told is listed, no other, and none with a fact that a place leaves out."""
    found = SOURCE.told()
    kinds = {kind for kind, _, _ in found}
    kinds |= {f"foreseen_{deck}" for deck in ("clue", "monster", "relic", "challenge")}

    assert sorted(told.EVENTS) == sorted(kinds)
    for kind, facts, place in found:
        if facts is not None:
            left_out = [name for name in samples(told.EVENTS[kind]) if name not in facts]
            assert left_out == [], place


def test_questions_of_the_source():
    """Every kind that is asked is listed, and no other."""
    assert sorted(told.ASKED) == sorted({*asked_in_source(), "back", "judge"})


@pytest.mark.parametrize("agent", ["random", "sensible"])
@pytest.mark.parametrize("seats", [1, 2, 3, 5, 8, 11])
def test_whole_nights_keep_to_the_list(seats, agent):
    """Each event, question and option has its facts, of the sort that is listed."""
    options = {
        "hourglass": "untimed",
        "abilities": "on" if seats % 2 else "off",
        "secret_room": "on",
    }
    key = f"told {seats} {agent}".encode().hex()
    header = Header(GAME.key, GAME.rules_version, LOADED.digest, key, seats, options)
    play = Playthrough(GAME, LOADED.rules, header, checks=False)

    def look(_):
        for decision in (*play.asked, *play.offers):
            asked = told.ASKED[decision.kind]
            assert wrong(decision.about, asked.about) == [], decision
            for option in decision.options:
                word = option.word or option.key
                listed = asked.options.get(word, asked.options.get("any"))
                assert listed is not None, option
                assert wrong(option.about, listed) == [], option

    play_out(play, GAME.agents[agent], key=b"told", each=look)
    for numbered in play.events:
        event = numbered.event
        assert wrong(event.data, told.EVENTS[event.kind]) == [], event
    assert play.outcome is not None
    assert wrong(play.outcome.facts, told.OUTCOME) == []
    titles = play.outcome.facts["titles"]
    assert isinstance(titles, Mapping)
    assert set(titles) <= set(told.TITLES)


def test_a_night_that_stays_put_says_so():
    """Whoever stays where it is after its dice is told of, and only then."""
    header = Header(GAME.key, 1, LOADED.digest, "7" * 64, 3, {
        "hourglass": "untimed", "abilities": "on", "secret_room": "off"
    })  # fmt: skip
    play = Playthrough(GAME, LOADED.rules, header, checks=False)
    stays = 0
    while stays < 3:
        (asked,) = play.asked
        keys = asked.keys()
        stays += "stay" in keys
        choice = "stay" if "stay" in keys else keys[0]
        play.answer(asked.seat, asked.question, asked.kind, (choice,))
    events = [numbered.event for numbered in play.events]

    assert [e.kind for e in events].count("stayed") == 3
    words = LOADED.words
    (said, *_) = [words.say("events.stayed", e.data) for e in events if e.kind == "stayed"]
    assert said.endswith(" stays put.")
