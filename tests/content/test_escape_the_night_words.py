"""Escape the Night's words: everything told or asked has some, and the facts fit them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from content.escape_the_night import load
from content.names import Style
from content.template import Fork, Template
from content.words import Words
from engines.escape_the_night.game import ENDINGS, GAME
from engines.kernel.decision import Decision, Option
from engines.kernel.event import PUBLIC
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.driving import play_out

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "engines" / "escape_the_night").rglob("*.py"))
LOADED = load()
WORDS = LOADED.words

LABEL, HINT, PROMPT = 60, 90, 150
ID = re.compile(r"[a-z]_[a-z]")
"""What only an id looks like."""


# From the source


def calls(name: str) -> Iterator[tuple[ast.Call, str]]:
    """Every call of a function or method of that name in the engine, with its place."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and name_of(node.func) == name:
                yield node, f"{path.name}:{node.lineno}"


def name_of(called: ast.expr) -> str:
    """The last part of what is called."""
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


def text_of(node: ast.expr) -> str:
    """An argument that is a plain text; empty for any other."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else ""


def told_in_source() -> list[tuple[str, tuple[str, ...] | None, str]]:
    """Kind, facts (None: not to be seen from the source) and place of everything told."""
    found: list[tuple[str, tuple[str, ...] | None, str]] = []
    for call, place in calls("tell"):
        kind = text_of(call.args[0])
        if not kind:
            continue  # foreseen_...: played below
        names = [keyword.arg for keyword in call.keywords if keyword.arg != "only"]
        facts = None if None in names else tuple(name for name in names if name)
        found.append((kind, facts, place))
    return found


def fields(template: Template) -> Iterator[str]:
    """The facts that a template speaks of, at any depth."""
    for part in template:
        if not isinstance(part, str):
            yield part.field
        if isinstance(part, Fork):
            yield from fields(part.yes)
            yield from fields(part.no)


def test_the_source_is_read():
    """The search below finds what it is to find."""
    kinds = {kind for kind, _, _ in told_in_source()}

    assert len(kinds) > 80
    assert {"walked", "duel_rolled", "votes_fell", "relic_played"} <= kinds


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in told_in_source()}))
def test_each_event_has_words_that_fit(kind):
    """Wherever it is told, it comes with the facts that its words speak of."""
    assert WORDS.has(f"events.{kind}")
    wanted = list(fields(WORDS._templates[f"events.{kind}"]))
    for told, facts, place in told_in_source():
        if told == kind and facts is not None:
            assert [name for name in wanted if name not in facts] == [], place


def test_no_words_for_events_that_never_happen():
    """What is said of nothing is out of date."""
    kinds = {kind for kind, _, _ in told_in_source()}
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


def option_path(decision: Decision, option: Option, part: str) -> str | None:
    """Where a choice's words stand: by its word, else its key, else ``any``."""
    for word in (option.word, option.key, "any"):
        path = f"decisions.{decision.kind}.{part}.{word}"
        if word and WORDS.has(path):
            return path
    return None


class Reader:
    """Reads aloud everything that a game shows to its seats."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.kinds: dict[str, None] = {}
        self.asked: dict[str, None] = {}

    def read_events(self, play: Playthrough) -> None:
        """All events, in whatever audience they have."""
        for numbered in play.events:
            event = numbered.event
            said = self.words.say(f"events.{event.kind}", event.data)
            self.kinds[event.kind] = None
            assert len(said) <= 400, said
            assert said == " ".join(said.split()), said
            assert not ID.search(said), said
            assert event.only is PUBLIC or said

    def read_decision(self, decision: Decision) -> None:
        """The prompt, what the choices mean, each choice and its second line."""
        self.asked[decision.kind] = None
        facts = {
            "least": decision.shape.least,
            "most": decision.shape.most,
            **decision.about,
            "seat": decision.seat,
        }
        base = f"decisions.{decision.kind}"
        prompt = self.words.say(f"{base}.prompt", facts)
        assert len(prompt) <= PROMPT, prompt
        assert not ID.search(prompt), prompt
        assert self.words.say(f"{base}.short")
        if self.words.has(f"{base}.meaning"):
            self.words.say(f"{base}.meaning", facts)
        labels: dict[str, None] = {}
        for option in decision.options:
            about = {**facts, **option.about, "key": option.key}
            path = option_path(decision, option, "options")
            assert path, f"{decision.kind}: no words for {option}"
            label = self.words.say(path, about)
            assert label
            assert len(label) <= LABEL, label
            assert not ID.search(label), label
            assert label not in labels, f"two choices of {decision.kind} read {label!r}"
            labels[label] = None
            path = option_path(decision, option, "about")
            hint = self.words.say(path, about) if path else ""
            assert len(hint) <= HINT, hint


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
    kinds: dict[str, None] = {"play_relic": None}
    for name in ("ask", "ask_each", "ask_several", "ask_any"):
        for call, _ in calls(name):
            kinds.update({text_of(a): None for a in call.args if text_of(a)})
    for name in ("choose", "one_choice", "character", "place_or_stay"):
        for call, _ in calls(name):
            kinds.update({text_of(a): None for a in call.args if text_of(a)})
    return sorted(kinds)


def test_each_question_has_words():
    """A prompt and a name in passing for every kind that the engine asks, and for no other."""
    found = {*asked_in_source(), "back", "judge"}

    assert sorted(WORDS.section("decisions")) == sorted(found)
    assert all(WORDS.has(f"decisions.{kind}.prompt") for kind in found)
    assert all(WORDS.has(f"decisions.{kind}.short") for kind in found)
