"""Escape the Night's words: everything told or asked has some, and the facts fit them."""

from __future__ import annotations

import pytest

from content.escape_the_night import load
from content.names import Style
from engines.escape_the_night.game import ENDINGS, GAME
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.content.reading import Reader, Source, fields
from tests.driving import play_out

LOADED = load()
WORDS = LOADED.words
SOURCE = Source("escape_the_night")


# From the source


def test_the_source_is_read():
    """The search below finds what it is to find."""
    kinds = {kind for kind, _, _ in SOURCE.told()}

    assert len(kinds) > 80
    assert {"walked", "duel_rolled", "votes_fell", "relic_played"} <= kinds


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in SOURCE.told()}))
def test_each_event_has_words_that_fit(kind):
    """Wherever it is told, it comes with the facts that its words speak of."""
    assert WORDS.has(f"events.{kind}")
    wanted = list(fields(WORDS._templates[f"events.{kind}"]))
    for told, facts, place in SOURCE.told():
        if told == kind and facts is not None:
            assert [name for name in wanted if name not in facts] == [], place


def test_no_words_for_events_that_never_happen():
    """What is said of nothing is out of date."""
    kinds = {kind for kind, _, _ in SOURCE.told()}
    kinds |= {f"foreseen_{deck}" for deck in ("clue", "monster", "relic", "challenge")}

    assert sorted(WORDS.section("events")) == sorted(kinds)


def test_endings_options_and_titles():
    """Every ending and every value of a lobby option has words."""
    assert sorted(WORDS.section("endings")) == sorted(ENDINGS)
    for option in GAME.options:
        assert WORDS.has(f"lobby_options.{option.key}.name")
        assert WORDS.has(f"lobby_options.{option.key}.about")
        assert all(WORDS.has(f"lobby_options.{option.key}.{value}") for value in option.values)
    for title in ("monster_slayer", "clue_master", "master_of_the_house"):
        assert WORDS.say(f"titles.{title}", {"seats": [0, 1]})


def test_refusals_of_its_own():
    """C-E9, C-E18: a one-sided ballot and a move after the last grain are refused in its words."""
    assert "2 different guests" in WORDS.say("refusals.too_alike", {"least": 2})
    assert "last grain" in WORDS.say("refusals.time_up")


def test_how_to_play():
    """Five lines for the lobby, then how a turn goes; all of it fits a message."""
    lines = [WORDS.say(f"game.five_lines.{n}") for n in range(5)]
    turn = [WORDS.say(f"game.turn.{n}") for n in range(len(WORDS._tree["game"]["turn"]))]

    assert not WORDS.has("game.five_lines.5")
    assert sum(len(line) for line in lines) < 1800
    assert sum(len(line) for line in turn) < 1200


def test_the_board_has_names():
    """Rooms, decks, colours, phases."""
    assert all(WORDS.has(f"names.room.{room}") for room in LOADED.rules.board.rooms)
    assert all(WORDS.has(f"names.room.{room}") for room in LOADED.rules.secret_rooms)
    assert all(WORDS.has(f"names.colour.{colour}") for colour in LOADED.rules.numbers.tiles)


# From games played


@pytest.fixture(scope="module")
def reader():
    """Everything read aloud in games of random and sensible players at tables of all sizes."""
    read = Reader(WORDS)
    nights = [
        (seats, agent, n)
        for n, seats in enumerate((1, 2, 3, 4, 5, 6, 8, 11, 4, 5, 7, 9))
        for agent in ("random", "sensible")
    ]
    for seats, agent, n in nights:
        names = [f"Somebody with a Name {seat}" for seat in range(seats)]
        read.words = WORDS.bound(names, Style.PLAIN)
        options = {
            "hourglass": "untimed" if n % 3 else "5",
            "abilities": "on" if n % 2 else "off",
            "secret_room": "on" if n % 2 else "off",
        }
        key = f"{seats}{agent}{n}".encode().hex()
        header = Header(GAME.key, GAME.rules_version, LOADED.digest, key, seats, options)
        play = Playthrough(GAME, LOADED.rules, header, checks=False)

        def look(_, play=play):
            for decision in (*play.asked, *play.offers):
                read.read_decision(decision)

        play_out(play, GAME.agents[agent], key=f"players {n}".encode(), each=look)
        read.read_events(play)
        assert play.outcome is not None
        read.words.say(f"endings.{play.outcome.ending}", play.outcome.facts)
    return read


def test_games_are_read_aloud(reader):
    """Whole games, without a word missing or a fact that does not fit."""
    assert len(reader.kinds) > 80
    assert {"vote", "move", "attempt", "play_relic", "brace"} <= set(reader.asked)


def asked_in_source() -> list[str]:
    """Every kind of question in the engine that stands in its source as a text."""
    asking = ("ask", "ask_each", "ask_several", "ask_any", "choose", "one_choice")
    return sorted(("play_relic", *SOURCE.texts(*asking, "character", "place_or_stay")))


def test_each_question_has_words():
    """A prompt and a name in passing for every kind that the engine asks, and for no other."""
    found = {*asked_in_source(), "back", "judge"}

    assert sorted(WORDS.section("decisions")) == sorted(found)
    assert all(WORDS.has(f"decisions.{kind}.prompt") for kind in found)
    assert all(WORDS.has(f"decisions.{kind}.short") for kind in found)
