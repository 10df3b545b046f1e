"""A game's short rules for /rules: topics of ``content/<game>/rules_help.yaml``, and its cards.

``topics`` maps an id to ``title``, ``text`` and, optionally, ``keywords`` (a text). Cards are
whatever a game's words have under ``cards.<table>.<id>``, by the name ``names.<table>.<id>``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import content
from content.faults import closest
from content.loader import check_parts
from content.words import Words
from content.yaml_source import ContentError, Document, raise_all, read

ROOT = Path(content.__file__).parent

STOP: Final = frozenset(
    "a about an and any are as at be but by can could do does for from had has have he her him his"
    " how i if in into is it its me must my no not of off on one or our out s she should so t than"
    " that the their them then there they this to too up us was we what when where which who whom"
    " why will with would you your".split()
)
"""Words that say nothing on what is looked for."""

_WORTH: Final = ((18, 3), (8, 2), (4, 1))
"""Of a whole word and of one begun, in the title, the keywords and the text."""

_LEAST: Final = 3
"""So many letters must be left of a word whose ending is cut off."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic of a game's rules, or one of its cards."""

    game: str
    key: str
    title: str
    text: str
    keywords: str = ""

    def found(self, words: list[str]) -> tuple[int, int]:
        """How well it answers a search: how many of the words are there, and their worth.

        A word is found where another begins with it; a whole word, and one in the title, is worth
        most.
        """
        places = [words_in(self.title), words_in(self.keywords), words_in(self.text)]
        worths = [
            max(_worth(had, word, *worth) for had, worth in zip(places, _WORTH, strict=True))
            for word in words
        ]
        return sum(map(bool, worths)), sum(worths)


class Rulebook:
    """The topics of all games, in the order of their files, and their cards."""

    def __init__(self, topics: tuple[Topic, ...], cards: tuple[Topic, ...] = ()) -> None:
        self.topics = topics
        self.cards = cards

    @classmethod
    def load(cls, games: Mapping[str, object], root: Path = ROOT) -> Rulebook:
        """The topics of these games, and the cards of those that come with their content.

        ContentError for a file that is wrong or missing.
        """
        topics: list[Topic] = []
        cards: list[Topic] = []
        for game, title in games.items():
            topics += _topics(game, read(root / game / "rules_help.yaml", root))
            words: object = getattr(getattr(title, "content", None), "words", None)
            if isinstance(words, Words):
                cards += _cards(game, words)
        return cls(tuple(topics), tuple(cards))

    def search(self, typed: str, game: str | None = None) -> list[Topic]:
        """What has all the words typed, the best first, else what has any; all topics for none.

        A name typed in full comes first of all. Words that say nothing count for none.
        """
        said = words_in(typed)
        words = [word for word in said if word not in STOP]
        topics = [topic for topic in self.topics if game in (None, topic.game)]
        if not words:
            return topics if said or not typed.strip() else []
        cards = [card for card in self.cards if game in (None, card.game)]
        ranked = [(topic.found(words), topic) for topic in (*topics, *cards)]
        most = max((count for (count, _), _ in ranked), default=0)
        if not most:
            return []
        if most == len(words):
            ranked = [(rank, topic) for rank, topic in ranked if rank[0] == most]

        def order(pair: tuple[tuple[int, int], Topic]) -> tuple[bool, int, int]:
            (count, worth), topic = pair
            return words_in(topic.title) != said, -count, -worth

        return [topic for (count, _), topic in sorted(ranked, key=order) if count]

    def topic(self, game: str, key: str) -> Topic | None:
        """The topic or card with that id."""
        both = (*self.topics, *self.cards)
        return next((t for t in both if (t.game, t.key) == (game, key)), None)


def words_in(text: str) -> list[str]:
    """Its words in small letters, without accents; "S.A.E." is one word, "sae"."""
    spread = unicodedata.normalize("NFKD", text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    plain = "".join(char for char in spread if not unicodedata.combining(char)).casefold()
    joined = re.sub(r"\b(\w)\.(?=\w\b)", r"\1", plain)
    return re.findall(r"\w+", joined.replace("'", ""))


def _worth(words: list[str], typed: str, whole: int, begun: int) -> int:
    """What it is worth that the typed word is among these, or that one of them begins with it."""
    stem = _stem(typed)
    if any(_stem(word) == stem for word in words):
        return whole
    return begun if any(word.startswith(typed) for word in words) else 0


def _stem(word: str) -> str:
    """The word without the ending of a plural."""
    for ending, instead in (("ies", "y"), ("s", "")):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= _LEAST:
            return word.removesuffix(ending) + instead
    return word


def _cards(game: str, words: Words) -> list[Topic]:
    return [
        Topic(
            game,
            f"{table}.{ident}",
            words.name(table, ident),
            words.say(f"cards.{table}.{ident}"),
        )
        for table in words.section("cards")
        for ident in words.section(f"cards.{table}")
    ]


def _topics(game: str, document: Document) -> list[Topic]:
    entries: Any = document.at(("topics",))
    if not isinstance(entries, dict):
        raise document.error(("topics",), "expected topics, each with its id")
    raise_all([*check_parts(document, "topics"), *_unknown(entries, document)])
    return [_topic(game, key, document) for key in entries]


def _unknown(entries: Mapping[str, Any], document: Document) -> list[ContentError]:
    """Fields that no topic has."""
    known = ("title", "text", "keywords")
    return [
        document.error(("topics", key, name), f"unknown field '{name}'{closest(name, known)}")
        for key, entry in entries.items()
        if isinstance(entry, dict)
        for name in entry
        if name not in known
    ]


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
