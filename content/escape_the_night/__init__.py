"""Escape the Night's content: files in, the engine's cards and the players' words out.

What a card does is said nowhere by hand: its text in the file sets the scene, and the sentence on
its effect is made from `effects.*` in the words, so that the two cannot disagree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from content.escape_the_night.checks import (
    check_abilities,
    check_board,
    check_difficulties,
    check_effects,
    check_man,
    check_numbers,
    check_rooms,
)
from content.escape_the_night.sentences import KINDS, Sentences
from content.escape_the_night.spoken import check_words
from content.loader import Assembly, Cards, LoadedGame, check_parts, read_cards
from content.words import Words, load_folder
from content.yaml_source import ContentError, Document, raise_all, read
from engines.escape_the_night.cards import Content
from engines.escape_the_night.effects import known

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Deck:
    """A file of cards: its key and field of the content, how many there are, their words' table."""

    key: str
    count: int
    table: str
    effects: Mapping[str, Mapping[str, known.Takes]]


DECKS: Final = (
    Deck("clues", 50, "clue", {"solved": known.RESULTS, "failed": known.RESULTS}),
    Deck("monsters", 30, "monster", {"defeated": known.RESULTS, "failed": known.RESULTS}),
    Deck("relics", 40, "relic", {"effect": known.RELICS}),
    Deck("challenges", 20, "challenge", {"procedure": known.CHALLENGES}),
    Deck("guests", 11, "character", {"ability": known.ABILITIES}),
    Deck("artifacts", 9, "artifact", {}),
    Deck("secret_rooms", 3, "room", {"effect": known.RESULTS}),
)
"""[Components] the counts; the secret rooms are those of the premium edition."""

PARTS: Final = {
    "board": ("board", "board"),
    "numbers": ("numbers", "numbers"),
    "mysterious": ("mysterious_man", "mysterious"),
}
"""The content's other fields: the file of each, and the part of it."""


def load(folder: Path = HERE) -> LoadedGame[Content]:
    """Everything in the folder. ContentError, with all faults found, for what does not fit."""
    root = folder.parent
    documents = {
        path.stem: read(path, root)
        for path in sorted(folder.glob("*.yaml"))
        if path.stem != "rules_help"
    }
    assembly = Assembly()
    faults: list[ContentError] = []
    missing = [
        name
        for name in (*(deck.key for deck in DECKS), "board", "numbers", "mysterious_man")
        if name not in documents
    ]
    raise_all([ContentError(f"{folder.name}/{name}.yaml", 1, "", "no file") for name in missing])

    decks: dict[str, Cards] = {}
    for deck in DECKS:
        faults += check_parts(documents[deck.key], deck.key)
        try:
            decks[deck.key] = read_cards(documents[deck.key], deck.key, count=deck.count)
        except ContentError as fault:
            faults += fault.all()
    for name, (file, part) in PARTS.items():
        faults += check_parts(documents[file], part)
        try:
            assembly.add(name, documents[file], (part,))
        except ContentError as fault:
            faults.append(fault)
    raise_all(faults)
    for key, cards in decks.items():
        assembly.add_cards(key, cards)
    content = assembly.build(Content)  # first of all: what is checked below has the right types
    raise_all(_faults(content, documents, decks))
    return assembly.finish(Content, words_of(folder, content, decks))


def _faults(
    content: Content, documents: Mapping[str, Document], decks: Mapping[str, Cards]
) -> list[ContentError]:
    """What no type tells: effects that there are, a board that can be walked, figures that fit."""
    board, rooms = documents["board"], tuple(content.board.rooms)
    faults = check_board(board)
    for deck in DECKS:
        cards = decks[deck.key]
        for field, words in deck.effects.items():
            faults += check_effects(cards, field, words, rooms)
        if deck.key in ("clues", "monsters"):
            faults += check_difficulties(cards)
    faults += check_man(documents["mysterious_man"], rooms)
    faults += check_numbers(documents["numbers"], content)
    faults += check_rooms(decks["artifacts"], content)
    faults += check_abilities(decks["guests"], content)
    return faults


def words_of(folder: Path, content: Content, decks: Mapping[str, Cards]) -> Words:
    """The folder's words, with each card's effect put into a sentence after its text.

    ContentError for words that do not fit what the engine tells and asks.
    """
    file = f"{folder.name}/text/en.yaml"
    printed = [decks[deck.key].words(deck.table) for deck in DECKS]
    told: dict[str, dict[str, str]] = {"man_result": {}, "space": {}}
    told |= {f"{deck.table}_{what}": {} for deck in DECKS for what in KINDS}
    to_come = Document(folder.name, {"names": told}, {(): 1})
    sentences = Sentences(load_folder(folder, *printed, to_come), content, file)
    made = [sentences.of_man(), sentences.of_rooms(), sentences.of_spaces()]
    made += [sentences.of_cards(deck.key, deck.table, decks[deck.key]) for deck in DECKS]
    words = load_folder(folder, *printed, to_come, *made)
    raise_all([*sentences.faults, *check_words(words, content, file)])
    return words
