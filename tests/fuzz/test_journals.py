"""Journals that were written by others, or by a disk that was going bad."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import titles
from bot.__main__ import main
from bot.sessions.replaying import Broken, replayed
from bot.titles import Title
from bot.tools import files
from content.loader import LoadedGame
from engines.kernel.agents import random_agent
from engines.kernel.errors import JournalError
from engines.kernel.journal import dump_header, dump_record, effective, load_header, load_record
from tests.driving import play_out
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.script import WORDS, words
from tests.fuzz.mutants import PATIENT, bounded, damaged_data, damaged_text, short
from tests.toy.senate import CONTENT, SENATE, start

SHORT = short(50)
TITLE = Title(SENATE, LoadedGame(CONTENT, words(WORDS), CONTENT.digest, "[]"), PlainPicture(), None)

pytestmark = PATIENT


@pytest.fixture(scope="module")
def lines() -> list[str]:
    """A whole game of the toy: its header and its records, a line each."""
    play = play_out(start(3), random_agent)
    return [dump_header(play.header), *map(dump_record, play.entries)]


def tidy(text: str) -> None:
    """What the lines say is read and played again, or refused by name."""
    with bounded(5):
        told = refused(text)
    assert len(told.splitlines()) <= 1
    assert len(told) < 2000


def refused(text: str) -> str:
    """Why the lines are no game of the toy; empty if they are one."""
    first, *rest = text.split("\n")
    try:
        header = load_header(first)
        records = [load_record(line, place) for place, line in enumerate(rest, 1)]
        entries, branch = effective(records)
        replayed(TITLE, CONTENT, header, entries, branch).close()
    except (JournalError, Broken) as error:
        return str(error)
    return ""


@SHORT
@given(data=st.data())
def test_mutilated_journals(lines: list[str], data: st.DataObject) -> None:
    """Cut, doubled and garbled text."""
    tidy(data.draw(damaged_text("\n".join(lines))))


@SHORT
@given(data=st.data())
def test_records_of_wrong_shapes(lines: list[str], data: st.DataObject) -> None:
    """Well-formed JSON that says something else: wrong types, huge numbers, unknown fields."""
    some = [json.loads(line) for line in lines[:12]]
    changed: list[Any] = data.draw(damaged_data(some))
    tidy("\n".join([*map(json.dumps, changed), *lines[12:]]))


@SHORT
@given(data=st.data())
def test_records_in_another_order(lines: list[str], data: st.DataObject) -> None:
    """Entries that stand elsewhere, twice or not at all; a game never silently becomes another."""
    order = data.draw(st.lists(st.sampled_from(range(1, len(lines))), max_size=20))
    tidy("\n".join([lines[0], *(lines[number] for number in order)]))


@pytest.mark.parametrize("seats", [0, -3, 2, 99, 10**9, 10**18])
def test_a_header_with_impossible_seats(lines: list[str], seats: int) -> None:
    """No table of a billion seats is laid."""
    header = json.loads(lines[0]) | {"seats": seats}
    with bounded(2), pytest.raises(Broken):
        replayed(TITLE, CONTENT, load_header(json.dumps(header)), (), 0)


@pytest.mark.parametrize("seats", [0, -3, 99, 10**9])
def test_the_tool_refuses_impossible_seats(tmp_path: Path, seats: int, capsys: Any) -> None:
    """`replay` says in a line what is wrong with the file."""
    title = titles.load("escape_the_night")
    path = tmp_path / "game.jsonl"
    made = {"seats": seats, "content": title.content.digest, "rules": title.game.rules_version}
    header = json.loads(dump_header(start(3).header)) | made | {"game": title.key}
    path.write_text(json.dumps(header) + "\n", encoding="utf-8")
    with bounded(5):
        assert main(["replay", str(path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1


@SHORT
@given(raw=st.binary(max_size=400))
def test_any_bytes_as_a_file(tmp_path: Path, raw: bytes) -> None:
    """A file of anything is a journal or a JournalError."""
    path = tmp_path / "any.jsonl"
    path.write_bytes(raw)
    with bounded(2), contextlib.suppress(JournalError):
        assert files.read_journal(path).header.game
