"""Journals as files: JSON lines, the header first. Beside them lies the content they began with."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.titles import Title
from content.loader import load_dump
from engines.kernel.errors import JournalError
from engines.kernel.journal import (
    Header,
    Record,
    dump_header,
    dump_record,
    load_header,
    load_record,
)


@dataclass(frozen=True, slots=True)
class JournalFile:
    """What a file holds; `torn` is the last line's number if it was written in part only."""

    header: Header
    records: tuple[Record, ...]
    torn: int | None


def journal_name(header: Header, seed: str, number: int) -> str:
    """A file's name that tells games of different arguments apart."""
    return f"{header.game}-{header.seats}p-{re.sub(r'[^A-Za-z0-9_-]', '_', seed)}-{number}.jsonl"


def write_journal(path: Path, header: Header, records: Sequence[Record]) -> None:
    """Write a journal, in place of what is there."""
    lines = [dump_header(header), *map(dump_record, records)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def write_content(folder: Path, title: Title) -> None:
    """Keep the game's content beside its journals, so that later numbers change no old game."""
    (folder / _content_name(title.content.digest)).write_text(title.content.dump, encoding="utf-8")


def read_journal(path: Path) -> JournalFile:
    """The journal in that file. OSError, or JournalError whose place is the line's number less one.

    A last line that breaks off is set aside: it was never acknowledged.
    """
    raw = path.read_bytes()
    lines = raw.split(b"\n")
    whole = lines.pop() == b""
    if not lines and whole:
        raise JournalError(0, "the file is empty")
    if not whole:
        lines.append(raw.rpartition(b"\n")[2])
    header = load_header(_text(lines[0], 0))
    records: list[Record] = []
    for place, line in enumerate(lines[1:], 1):
        try:
            records.append(load_record(_text(line, place), place))
        except JournalError:
            if place == len(lines) - 1 and not whole:
                return JournalFile(header, tuple(records), place + 1)
            raise
    return JournalFile(header, tuple(records), None)


def content_for(title: Title, digest: str, folder: Path) -> Any | None:
    """The content that a game was begun with: today's, or the one kept beside its file."""
    if digest == title.content.digest:
        return title.content.rules
    kept = folder / _content_name(digest)
    if not kept.is_file():
        return None
    return load_dump(type(title.content.rules), kept.read_text(encoding="utf-8"))


def _content_name(digest: str) -> str:
    return f"content-{digest[:16]}.json"


def _text(line: bytes, place: int) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise JournalError(place, "not UTF-8") from error
