"""Public records from anywhere: `verify` says what is wrong with each, a line a check."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import titles
from bot.titles import Title
from bot.tools import verify
from bot.tools.public_records import Malformed, read
from tests.fuzz.mutants import PATIENT, bounded, damaged_data, damaged_text, short
from tests.records import played, record_of, sealed

SHORT = short(40)
GAMES = ("escape_the_night", "fear_of_the_dark")

pytestmark = PATIENT


@pytest.fixture(scope="module", params=GAMES)
def title(request: pytest.FixtureRequest) -> Title:
    """A published game."""
    return titles.load(request.param)


@pytest.fixture(scope="module")
def record(title: Title) -> dict[str, Any]:
    """A finished game of it."""
    return record_of(played(title, 2, seed="3", rewind=20))


def tidy(path: Path, text: str, title: Title) -> bool:
    """Whether the file holds; every check has its one line."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    why = ""
    with bounded(10):
        try:
            found, raw = read(path)
        except Malformed as error:
            found, raw, why = None, {}, str(error)
    if found is None:
        assert why.isprintable()
        assert len(why) < 2000
        return False
    with bounded(10):
        game = title if found.header.game == title.key else None
        checks = [*verify.checked(verify.Case(found, raw, path.parent, None, game))]
    for _, _, told in checks:
        assert told.isprintable()
    assert len(checks) == len(verify.CHECKS)
    return all(holds for _, holds, _ in checks)


@SHORT
@given(data=st.data())
def test_mutilated_files(
    tmp_path: Path, title: Title, record: dict[str, Any], data: st.DataObject
) -> None:
    """Cut, doubled and garbled text is no record, or does not hold."""
    whole = sealed(record)
    text = data.draw(damaged_text(whole))
    holds = tidy(tmp_path / "record.json", text, title)
    assert not holds or json.loads(text) == json.loads(whole)


@SHORT
@given(data=st.data())
def test_records_of_wrong_shapes(
    tmp_path: Path, title: Title, record: dict[str, Any], data: st.DataObject
) -> None:
    """Wrong types, huge numbers and unknown fields, in files whose digest fits."""
    small = copy.deepcopy(record)
    for part in ("events", "ledger"):  # the parts near the front, which the rest hangs on
        small[part] = small[part][:30]
    changed = data.draw(damaged_data(small))
    text = sealed(changed) if isinstance(changed, dict) else json.dumps(changed)
    assert not tidy(tmp_path / "record.json", text, title)


@SHORT
@given(data=st.data())
def test_events_of_wrong_shapes(
    tmp_path: Path, title: Title, record: dict[str, Any], data: st.DataObject
) -> None:
    """Events whose facts are others: a game never ends otherwise for them without a word."""
    changed = copy.deepcopy(record)
    number = data.draw(st.sampled_from(range(len(changed["events"]))))
    changed["events"][number]["data"] = data.draw(
        damaged_data({"x": 1, **changed["events"][number]["data"]})
    )
    tidy(tmp_path / "record.json", sealed(changed), title)


@SHORT
@given(raw=st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, raw: bytes) -> None:
    """A file of anything is refused."""
    path = tmp_path / "any.json"
    path.write_bytes(raw)
    with bounded(1), pytest.raises(Malformed):
        read(path)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"format":' * 50_000, "9" * 100_000, "1e999"])
def test_bombs(tmp_path: Path, text: str) -> None:
    """Deep or huge JSON is refused at once."""
    path = tmp_path / "bomb.json"
    path.write_text(text, encoding="utf-8")
    with bounded(5), pytest.raises(Malformed):
        read(path)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("events", 1, "data"), {"dice": [[1], {}]}),
        (("events", 1, "data"), {"die": {"x": 1}}),
        (("events", 1, "data"), {"dice": [None, True]}),
        (("events", 1, "data"), {"dice": ["a\nb"]}),
        (("events", 0, "data"), {"dice": [[1], {}]}),
        (("events", 1, "kind"), "\ud800"),
        (("events", 1, "draws"), 2**63),
        (("ledger", 0, "purpose"), "\ud800"),
        (("ledger", 0, "purpose"), "two\nlines"),
        (("ledger", 0, "n"), 2**63),
        (("header", "start"), "9" * 20),
        (("header", "seats"), 99),
        (("header", "options"), {}),
        (("header", "options"), {"hourglass": "\n"}),
        (("header", "game"), "a\nb"),
        (("header", "content"), "0" * 64),
        (("outcome",), {"ending": "\ud800", "won": True, "facts": {}}),
        (("outcome", "facts"), {"deep": [[[[[[[[]]]]]]]]}),
        (("taken_back",), [{"branch": 1, "after": 0, "by": "a\nb"}]),
    ],
)
def test_odd_facts(
    tmp_path: Path, title: Title, record: dict[str, Any], place: tuple[Any, ...], value: Any
) -> None:
    """Facts that are well-formed and impossible."""
    changed = copy.deepcopy(record)
    part = changed
    for step in place[:-1]:
        part = part[step]
    part[place[-1]] = value
    tidy(tmp_path / "record.json", sealed(changed), title)
