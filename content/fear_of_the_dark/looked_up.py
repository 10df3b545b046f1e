"""What the rules say of a room that is looked up: its own text, and what its drawing shows."""

from __future__ import annotations

from typing import Final

from content.fear_of_the_dark.checks import LOCK, OBSTRUCTION, fields_of
from content.words import Words, WordsError
from content.yaml_source import Document, Place
from engines.fear_of_the_dark.cards import Content, Tile
from engines.fear_of_the_dark.maze import HOLE, ITEMS, SECRETS, lies

SENTENCE: Final = "sentences.tile"


def facts_of(tile: Tile, text: str) -> dict[str, object]:
    """What the sentence may speak of."""
    fields = fields_of(tile)
    return {
        "text": text,
        "danger": tile.danger,
        "echo": tile.echo,
        "doors": len(lies(tile)[0].doors),
        "holes": fields.count(HOLE),
        "obstructions": fields.count(OBSTRUCTION),
        "locks": fields.count(LOCK),
        "items": _locations(fields, ITEMS),
        "secrets": _locations(fields, SECRETS),
    }


def _locations(fields: str, marks: str) -> list[int]:
    return [number for number, mark in enumerate(marks, 1) if mark in fields]


def rooms(words: Words, content: Content, file: str) -> Document:
    """`cards.tile.<id>` for each room. ContentError if the sentence does not fit."""
    told: dict[str, str] = {}
    lines: dict[Place, int] = {(): 1}
    try:
        for name, tile in {"start": content.start, **content.tiles}.items():
            text = words.say(f"texts.tile.{name}") if words.has(f"texts.tile.{name}") else ""
            told[name] = words.say(SENTENCE, facts_of(tile, text))
    except WordsError as error:
        raise words.fault(error.path, error.problem, file) from error
    return Document("tiles.yaml", {"cards": {"tile": told}}, lines)
