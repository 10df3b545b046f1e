"""A game's short rules by topic, for /rules: ``content/<game>/rules_help.yaml``.

``topics`` maps an id to ``title``, ``text`` and, optionally, ``keywords`` (a text). Topics are
found by any words of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import content
from content.yaml_source import ContentError, Document, read

ROOT = Path(content.__file__).parent


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a game's rules."""

    game: str
    key: str
    title: str
    text: str
    keywords: str = ""

    def rank(self, words: list[str]) -> int:
        """How well it answers a search: 0 not at all; words in the title count most."""
        score = 0
        for word in words:
            places = ((self.title, 9), (self.keywords, 4), (self.text, 1))
            found = max((worth for text, worth in places if word in text.casefold()), default=0)
            if not found:
                return 0
            score += found
        return score


class Rulebook:
    """The topics of all games, in the order of their files."""

    def __init__(self, topics: tuple[Topic, ...]) -> None:
        self.topics = topics

    @classmethod
    def load(cls, games: Mapping[str, object], root: Path = ROOT) -> Rulebook:
        """The topics of these games. ContentError for a file that is wrong or missing."""
        topics: list[Topic] = []
        for game in games:
            topics += _topics(game, read(root / game / "rules_help.yaml", root))
        return cls(tuple(topics))

    def search(self, typed: str, game: str | None = None) -> list[Topic]:
        """Topics with all the words typed, the best first; all of them for no words."""
        words = typed.casefold().split()
        of_game = [topic for topic in self.topics if game in (None, topic.game)]
        if not words:
            return of_game
        ranked = [(topic.rank(words), topic) for topic in of_game]
        return [topic for rank, topic in sorted(ranked, key=lambda pair: -pair[0]) if rank]

    def topic(self, game: str, key: str) -> Topic | None:
        """The topic with that id."""
        return next((t for t in self.topics if (t.game, t.key) == (game, key)), None)


def _topics(game: str, document: Document) -> list[Topic]:
    entries: Any = document.at(("topics",))
    if not isinstance(entries, dict):
        raise document.error(("topics",), "expected topics, each with its id")
    return [_topic(game, key, document) for key in entries]


def _topic(game: str, key: str, document: Document) -> Topic:
    def text(name: str, default: str | None = None) -> str:
        place = ("topics", key, name)
        try:
            value: Any = document.at(place)
        except ContentError:
            if default is None:
                raise
            return default
        if not isinstance(value, str):
            raise document.error(place, f"{name} is not text; put it in quotes")
        return value.strip()

    return Topic(game, key, text("title"), text("text"), text("keywords", ""))
