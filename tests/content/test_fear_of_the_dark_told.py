"""The list of what the engine tells and asks is true to its source and to whole games."""

from __future__ import annotations

import pytest

from content.fear_of_the_dark import load
from engines.fear_of_the_dark import told
from engines.fear_of_the_dark.game import GAME
from engines.kernel.facts import samples
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.content.reading import Source, wrong
from tests.driving import play_out

LOADED = load()
SOURCE = Source("fear_of_the_dark")


def test_events_of_the_source():
    """Every kind that is told is listed, no other, and none with a fact that a place leaves out."""
    found = SOURCE.told()

    assert sorted(told.EVENTS) == sorted({kind for kind, _, _ in found})
    for kind, facts, place in found:
        if facts is not None:
            left_out = [name for name in samples(told.EVENTS[kind]) if name not in facts]
            assert left_out == [], place


def test_questions_of_the_source():
    """Every kind that is asked is listed, and no other; some go by the action under way."""
    found = [
        text
        for text in SOURCE.texts("decide", "choose", "one_of", "one_of_or_back")
        if text in told.ASKED
    ]

    assert sorted(told.ASKED) == sorted({*found, "explore", "clear"})


@pytest.mark.parametrize("agent", sorted(GAME.agents))
@pytest.mark.parametrize("difficulty", GAME.options[0].values)
def test_whole_games_keep_to_the_list(difficulty, agent):
    """Each event, question and option has its facts, of the sort that is listed."""
    for n in range(3):
        options = {"difficulty": difficulty, "lead": "round" if n % 2 else "anyone"}
        key = f"told {difficulty} {agent} {n}".encode().hex()
        header = Header(GAME.key, GAME.rules_version, LOADED.digest, key, 1 + n, options)
        play = Playthrough(GAME, LOADED.rules, header, checks=False)

        def look(_, play=play):
            for decision in play.asked[:1]:
                asked = told.ASKED[decision.kind]
                assert wrong(decision.about, asked.about) == [], decision
                for option in decision.options:
                    listed = asked.options.get(option.word or option.key)
                    assert listed is not None, option
                    assert wrong(option.about, listed) == [], option

        play_out(play, GAME.agents[agent], key=b"told", each=look)
        for numbered in play.events:
            event = numbered.event
            assert wrong(event.data, told.EVENTS[event.kind]) == [], event
        assert play.outcome is not None
        assert wrong(play.outcome.facts, told.OUTCOME) == []
        assert play.outcome.ending in told.ENDINGS
