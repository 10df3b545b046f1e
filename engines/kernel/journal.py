"""The journal: a header and the records after it, and how they are written as JSON.

A record is an entry (somebody answered) or a branch (the game goes on from an earlier point; the
entries after that point stay in the journal and no longer count). No user id and no name is ever in
a journal: who sits where is not part of the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from engines.kernel.errors import JournalError
from engines.kernel.table import Entry

FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Header:
    """Everything that a replay needs besides the entries.

    ``key`` (hex) is the source of all chance and stays secret until the game has ended; ``hidden``
    (hex, "" for the same key) is that of the hidden purposes and stays secret for good. ``start``
    is the id of the click that began the game and went into both keys, "" in a simulation.
    """

    game: str
    rules: int
    content: str
    key: str
    seats: int
    options: Mapping[str, str]
    start: str = ""
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """The game goes on after its first ``keep`` effective entries, under branch ``number``.

    ``by`` tells on whose behalf. Only RETURN means more: the branch right before it is taken back
    itself, so the entries that it had cut off count again; ``keep`` is how many that makes.
    """

    number: int
    keep: int
    by: str = "moderator"


Record = Entry | Branch

RETURN: Final = "return"
"""By which a Branch goes back to where the game stood before the branch right before it."""


def effective(records: Iterable[Record]) -> tuple[tuple[Entry, ...], int]:
    """The entries that still count, and the current branch number."""
    known = tuple(records)
    places, branch = followed(known)
    return tuple(cast("Entry", known[place]) for place in places), branch


def followed(records: Iterable[Record]) -> tuple[tuple[int, ...], int]:
    """The places, counted from 0, of the entries that still count, and the branch number."""
    line: list[int] = []
    before: list[int] | None = None
    branch = 0
    for place, record in enumerate(records):
        if isinstance(record, Branch):
            source = before if record.by == RETURN else line
            exact = record.by != RETURN or (before is not None and record.keep == len(before))
            is_next = record.number == branch + 1
            if source is None or not (exact and is_next and 0 <= record.keep <= len(source)):
                told = f"branch {record.number} keeping {record.keep} entries"
                raise JournalError(place + 1, told)
            branch = record.number
            line, before = source[: record.keep], line
        elif record.branch != branch:
            told = f"an entry of branch {record.branch} in branch {branch}"
            raise JournalError(place + 1, told)
        else:
            line.append(place)
            before = None
    return tuple(line), branch


def dump_header(header: Header) -> str:
    """One line of canonical JSON."""
    return _dump(
        {
            "format": FORMAT,
            "game": header.game,
            "rules": header.rules,
            "content": header.content,
            "key": header.key,
            "seats": header.seats,
            "options": dict(header.options),
            "start": header.start,
            "hidden": header.hidden,
        }
    )


def load_header(text: str) -> Header:
    """The header of that line. JournalError (place 0) if it is none."""
    fields = _load(text, 0)
    if fields.pop("format", None) != FORMAT:
        raise JournalError(0, f"not a journal header of format {FORMAT}")
    _expect(
        fields,
        0,
        {
            "game": str,
            "rules": int,
            "content": str,
            "key": str,
            "seats": int,
            "options": dict,
            "start": str,
            "hidden": str,
        },
    )
    options = cast("dict[str, object]", fields["options"])
    if not all(isinstance(value, str) for value in options.values()):
        raise JournalError(0, "an option's value is not text")
    for name in ("key", "hidden"):
        try:
            bytes.fromhex(cast("str", fields[name]))
        except ValueError as error:
            raise JournalError(0, f"{name!r} is not hexadecimal") from error
    return Header(**cast("dict[str, Any]", fields))


def dump_record(record: Record) -> str:
    """One line of canonical JSON."""
    if isinstance(record, Branch):
        return _dump({"branch": record.number, "keep": record.keep, "by": record.by})
    return _dump(
        {
            "seat": record.seat,
            "question": record.question,
            "kind": record.kind,
            "value": None if record.value is None else list(record.value),
            "by": record.by,
            "in": record.branch,
            "mark": record.mark,
            "trace": record.trace,
        }
    )


def load_record(text: str, place: int) -> Record:
    """The record of that line. JournalError naming ``place`` if it is none.

    A record of an unknown form is refused, never skipped.
    """
    fields = _load(text, place)
    if "branch" in fields:
        _expect(fields, place, {"branch": int, "keep": int, "by": str})
        return Branch(
            cast("int", fields["branch"]), cast("int", fields["keep"]), cast("str", fields["by"])
        )
    value = fields.pop("value", ...)
    _expect(
        fields,
        place,
        {
            "seat": int,
            "question": int,
            "kind": str,
            "by": str,
            "in": int,
            "mark": str,
            "trace": str,
        },
    )
    if value is not None:
        items = cast("list[object]", value) if isinstance(value, list) else [0]
        if not all(isinstance(item, str) for item in items):
            raise JournalError(place, "the value is no list of option keys")
        value = tuple(cast("list[str]", items))
    branch = cast("int", fields.pop("in"))
    return Entry(value=value, branch=branch, **cast("dict[str, Any]", fields))


def _dump(fields: Mapping[str, object]) -> str:
    return json.dumps(fields, separators=(",", ":"), sort_keys=True)


def _load(text: str, place: int) -> dict[str, object]:
    try:
        fields: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JournalError(place, "not JSON") from error
    if not isinstance(fields, dict):
        raise JournalError(place, "not a JSON object")
    return cast("dict[str, object]", fields)


def _expect(fields: Mapping[str, object], place: int, types: Mapping[str, type]) -> None:
    for name in fields:
        if name not in types:
            raise JournalError(place, f"unknown field {name!r}")
    for name, kind in types.items():
        if name not in fields:
            raise JournalError(place, f"no field {name!r}")
        if type(fields[name]) is not kind:
            raise JournalError(place, f"{name!r} is not {kind.__name__}")
