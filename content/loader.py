"""From documents to a game's own dataclasses: cards, numbers, digest, and errors that name a line.

A game's loader reads its files, takes the words off its cards (`read_cards`), gathers what is rules
in an `Assembly`, and turns that into the engine's content type. The assembled rules are kept as
canonical JSON: its hash is the digest, and a stored game reads its own copy back, so that editing a
number in a file changes no game in progress. Words are no part of it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from content.faults import closest, explain, written_as
from content.words import Words
from content.yaml_source import ContentError, Document, Place, raise_all

C = TypeVar("C")

ID: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
SOURCES: Final = ("rulebook", "house")
WORD_FIELDS: Final = ("name", "text", "flavour")


@dataclass(frozen=True, slots=True)
class LoadedGame(Generic[C]):
    """A game's content: the engine's part, the words, and the engine's part as it is stored."""

    rules: C
    words: Words
    digest: str
    dump: str


@dataclass(frozen=True, slots=True)
class Cards:
    """The entries under one key: their rules, as they go into an `Assembly`, and their words.

    `rules` has each entry's rules by its step in the file: the id where the file maps ids to
    entries, the index where it lists entries with an `id` field. The words and `sources` (whether
    an entry stands in the rulebook or is the house's own) go by id.
    """

    document: Document
    place: Place
    listed: bool
    rules: dict[str | int, dict[str, Any]] = field(default_factory=dict[str | int, dict[str, Any]])
    names: dict[str, str] = field(default_factory=dict[str, str])
    texts: dict[str, str] = field(default_factory=dict[str, str])
    flavours: dict[str, str] = field(default_factory=dict[str, str])
    sources: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def data(self) -> Any:
        """The rules in the shape that the file has: a mapping by id, or a list."""
        return list(self.rules.values()) if self.listed else self.rules

    def words(self, table: str) -> Document:
        """What these entries add to the words: `names`, `texts` and `flavours` of that table."""
        data: dict[str, Any] = {}
        lines: dict[Place, int] = {(): self.document.line(self.place)}
        sections = zip(
            ("names", "texts", "flavours"),
            WORD_FIELDS,
            (self.names, self.texts, self.flavours),
            strict=True,
        )
        for section, name, entries in sections:
            if entries:
                data[section] = {table: entries}
            for step, ident in zip(self.rules, self.sources, strict=True):
                line = self.document.line((*self.place, step, name))
                lines[section, table, ident] = line
        return Document(self.document.file, data, lines)


def check_parts(document: Document, *known: str) -> list[ContentError]:
    """What a file has at its top beside these parts: nobody would read it."""
    return [
        document.error((part,), f"unknown part '{part}'{closest(part, known)}; {document.file}"
        f" has {', '.join(known)}")
        for part in document.data
        if part not in known
    ]  # fmt: skip


def read_cards(
    document: Document, key: str, *, count: int | None = None, named: bool = True
) -> Cards:
    """The entries under `key`: a mapping from ids, or a list of entries that have an `id`.

    Each has a source and (if `named`) a name; `count` is how many cards there must be, an entry's
    own `count` field included. All faults found are raised together as one ContentError.
    """
    entries = document.at((key,))
    if not isinstance(entries, list | dict) or not entries:
        raise document.error((key,), "expected entries, each with its id")
    cards = Cards(document, (key,), isinstance(entries, list))
    faults: list[ContentError] = []
    lines: dict[str, int] = {}
    for step, entry in enumerate(entries) if isinstance(entries, list) else entries.items():
        try:
            ident = _ident(cards, step, entry, lines)
            _split(cards, step, ident, dict(entry), named)
        except ContentError as fault:
            faults += fault.all()
    found = sum(_copies(rules) for rules in cards.rules.values())
    if count is not None and not faults and found != count:
        faults.append(document.error((key,), f"{key}: {found} cards, {count} expected"))
    raise_all(faults)
    return cards


def _ident(cards: Cards, step: str | int, entry: Any, lines: dict[str, int]) -> str:
    document, place = cards.document, (*cards.place, step)
    if not isinstance(entry, dict):
        raise document.error(place, "expected an entry with fields")
    ident = step
    if cards.listed:
        place = (*place, "id")
        ident = entry.get("id")
        if ident is None:
            raise document.error(place, "the field 'id' is missing")
    if not isinstance(ident, str) or not ID.fullmatch(ident):
        raise document.error(place, f"the id {ident!r} is not snake_case")
    if ident in lines:
        raise document.error(place, f"the id '{ident}' also stands on line {lines[ident]}")
    lines[ident] = document.line(place)
    return ident


def _split(cards: Cards, step: str | int, ident: str, rules: dict[str, Any], named: bool) -> None:
    """Sort one entry's fields: words, source, and what remains, which is rules."""
    document, place = cards.document, (*cards.place, step)
    faults: list[ContentError] = []
    source = rules.pop("source", None)
    words = {name: rules.pop(name) for name in WORD_FIELDS if name in rules}
    if source not in SOURCES:
        told = f"missing{written_as('source', rules)}" if source is None else f"{source!r}"
        faults.append(document.error((*place, "source"), f"source is {told}; rulebook or house"))
    if named and "name" not in words:
        told = f"the field 'name' is missing{written_as('name', rules)}"
        faults.append(document.error(place, told))
    for name, text in words.items():
        if not isinstance(text, str) or not text.strip():
            faults.append(document.error((*place, name), f"{name} is not text; put it in quotes"))
    raise_all(faults)
    cards.rules[step] = rules
    cards.sources[ident] = str(source)
    for name, table in zip(WORD_FIELDS, (cards.names, cards.texts, cards.flavours), strict=True):
        if name in words:
            table[ident] = words[name]


def _copies(rules: Mapping[str, Any]) -> int:
    copies = rules.get("count", 1)
    return copies if type(copies) is int else 1


@dataclass(slots=True)
class Assembly:
    """The rules of one game, gathered from its documents; remembers where each part stands."""

    data: dict[str, Any] = field(default_factory=dict[str, Any])
    _origins: dict[str, tuple[Document, Place]] = field(
        default_factory=dict[str, tuple[Document, Place]]
    )
    _entries: list[Place] = field(default_factory=list[Place])

    def add(self, name: str, document: Document, place: Place) -> None:
        """Put a document's part in as the content's field `name`."""
        self._put(name, document, place, document.at(place))

    def add_cards(self, name: str, cards: Cards) -> None:
        """Put the rules of cards in as the content's field `name`."""
        self._put(name, cards.document, cards.place, cards.data)
        self._entries += [(name, step) for step in cards.rules]

    def add_card(self, name: str, cards: Cards, step: str) -> None:
        """Put the rules of one of the cards in as the content's field `name`."""
        if step not in cards.rules:
            raise cards.document.error(cards.place, f"'{step}' is missing")
        self._put(name, cards.document, (*cards.place, step), cards.rules[step])
        self._entries.append((name,))

    def _put(self, name: str, document: Document, place: Place, data: Any) -> None:
        if name in self.data:
            raise ValueError(f"{name} is put together twice")
        self.data[name] = data
        self._origins[name] = (document, place)

    def dump(self) -> str:
        """The rules as canonical JSON: the same text for the same rules, whoever wrote them."""
        return json.dumps(self.data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)

    def build(self, kind: type[C]) -> C:
        """The engine's content. ContentError (one per fault) where it does not fit the type."""
        dump = self.dump()
        try:
            return load_dump(kind, dump)
        except ValidationError as error:
            found = explain(error, kind, self.data, self._besides)
            faults = [self._fault(place, told) for place, told in found]
            raise_all(faults)
            raise

    def _besides(self, place: Place) -> Collection[str]:
        """The fields of a card that are words."""
        return ("source", *WORD_FIELDS) if place in self._entries else ()

    def _fault(self, place: Place, told: str) -> ContentError:
        origin = self._origins.get(str(place[0])) if place else None
        if origin:
            document, start = origin
            return document.error((*start, *place[1:]), told)
        files = sorted({document.file for document, _ in self._origins.values()})
        return ContentError(", ".join(files), 1, ".".join(map(str, place)), told)

    def finish(self, kind: type[C], words: Words) -> LoadedGame[C]:
        """Everything a game's registry needs."""
        dump = self.dump()
        return LoadedGame(self.build(kind), words, digest(dump), dump)


def digest(dump: str) -> str:
    """The name of a version of the rules' part: SHA-256 (hex) over its canonical JSON."""
    return hashlib.sha256(dump.encode()).hexdigest()


def load_dump(kind: type[C], dump: str) -> C:
    """The content that a game began with, from its stored JSON.

    Types are strict: `true` is no number, and '7' is none either. pydantic's ValidationError means
    that the type has changed since it was stored.
    """
    return TypeAdapter(kind).validate_json(dump, strict=True, extra="forbid")
