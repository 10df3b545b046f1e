"""The toy senate as a title, so that tools can be tried on a game that never changes."""

import dataclasses
import json

import pytest

from bot import titles
from bot.store.migrate import Migration, shipped_migrations
from bot.titles import Title
from content.loader import LoadedGame, digest
from content.words import Words
from content.yaml_source import parse
from tests.toy.senate import CONTENT, SENATE

WORDS = "grammar: {and: and, nobody: nobody, seat: 'Seat {number}', twin: '{name} ({number})'}"


class Renderer:
    """Pictures that say what was asked for."""

    def draw(self, view, words, seats):
        return f"board of round {view.round} for {view.seat}, {words.seat(0)} {seats[0]}".encode()

    def closing(self, view, words, seats, outcome):
        return f"closing {outcome.ending}".encode()

    def board_words(self, view, words, seats):
        return f"round {view.round}"

    def alt_text(self, view, words, seats):
        return f"The senate in round {view.round}."

    def hand_words(self, view, words):
        return ", ".join(view.hand)

    def heading(self, view, words):
        return f"Round {view.round}"


def load(key):
    """The senate, whatever its key."""
    dump = json.dumps(dataclasses.asdict(CONTENT), sort_keys=True)
    content = LoadedGame(CONTENT, Words.load(parse(WORDS, "en.yaml")), digest(dump), dump)
    return Title(SENATE, content, Renderer())


@pytest.fixture(autouse=True)
def senate(monkeypatch):
    """The senate is the only game there is; the title."""
    monkeypatch.setattr(titles, "KEYS", ("senate",))
    monkeypatch.setattr(titles, "load", load)
    return load("senate")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder of which the settings know."""
    data = tmp_path / "data"
    data.mkdir()
    monkeypatch.setenv("DATA_DIR", str(data))
    return data


@pytest.fixture
def shipped(monkeypatch):
    """Lets this program have one more migration than it ships, of the statements given."""

    def add(script: str) -> int:
        steps = shipped_migrations()
        more = (*steps, Migration(len(steps) + 1, "one_more.sql", script))
        monkeypatch.setattr("bot.store.archive.shipped_migrations", lambda: more)
        monkeypatch.setattr("bot.store.db.shipped_migrations", lambda: more)
        return len(more)

    return add
