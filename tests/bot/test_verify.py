"""`python -m bot verify`: real games hold, and every forgery is named in one line."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import titles
from bot.__main__ import main
from bot.sessions.pledge import pledge_of
from bot.tools.public_records import read
from tests import forgeries
from tests.records import ROOT, played, record_of, sealed

PAGE = Path(__file__).parents[2] / "docs" / "fair-dice.md"


@pytest.fixture(scope="module")
def night():
    """Escape the Night as it is shipped."""
    return titles.load("escape_the_night")


@pytest.fixture(autouse=True)
def read_once(night, monkeypatch):
    """The content is read from its files for the first test only."""
    monkeypatch.setattr(titles, "load", lambda _: night)


@pytest.fixture(scope="module")
def record(night) -> forgeries.Record:
    """A night of three that was lost, with a rewind on the way."""
    return record_of(played(night, 3, seed="7", rewind=60, hourglass="untimed"))


def verify(path: Path, text: str, capsys, *more: str) -> tuple[int, list[str], str]:
    """Status, the lines told, and what stands on stderr."""
    path.write_text(text, encoding="utf-8")
    status = main(["verify", str(path), *more])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


@pytest.mark.parametrize(
    ("seats", "rewind", "agent", "options"),
    [
        (1, 0, "sensible", {"hourglass": "untimed"}),
        (2, 40, "random", {"hourglass": "3"}),
        (4, 0, "sensible", {"hourglass": "untimed", "secret_room": "on"}),
        (7, 90, "sensible", {"hourglass": "60"}),
        (11, 30, "random", {"hourglass": "untimed", "abilities": "off"}),
    ],
)
def test_a_real_game_holds(night, tmp_path, capsys, seats, rewind, agent, options):
    """Every check holds for games of few and many, by sand and by count, rewound or not."""
    play = played(night, seats, rewind=rewind, agent=agent, **options)
    text = sealed(record_of(play))
    status, lines, err = verify(tmp_path / "record.json", text, capsys, "--pledge", pledge_of(ROOT))

    assert (status, err) == (0, "")
    assert [line[:4] for line in lines] == ["ok  "] * 7
    assert play.outcome is not None
    assert lines[-1].startswith(f"ok    outcome: {play.outcome.ending} ")
    assert ("taken back 1 x" in lines[2]) is bool(rewind)
    assert any(draw.branch for draw in play.chance.ledger) is bool(rewind)


def test_the_file_is_what_the_bot_wrote(record, tmp_path):
    """Read back it is the same record, and each draw and event has a line of its own."""
    path = tmp_path / "record.json"
    path.write_text(sealed(record), encoding="utf-8")
    parsed, raw = read(path)

    assert raw == record
    assert len(parsed.events) > 100
    assert len(path.read_text().splitlines()) > len(parsed.events) + len(parsed.ledger)


def test_every_branch_is_listed(record, tmp_path, capsys):
    """From which answer it went on and who took the game back; a list with gaps does not hold."""
    told = {"branch": 1, "after": 30, "by": "undo"}
    listed = {**copy.deepcopy(record), "taken_back": [told]}
    status, lines, _ = verify(tmp_path / "record.json", sealed(listed), capsys)
    assert status == 0
    assert "(branch 1 after move 30 (undo))" in lines[2]
    for wrong in ([{**told, "branch": 2}], [told, {**told, "branch": 2}]):
        text = sealed({**listed, "taken_back": wrong})
        status, lines, _ = verify(tmp_path / "record.json", text, capsys)
        assert status == 1
        assert lines[2].startswith("FAIL  draws: the branches")


# Forgeries. Each gets a fitting digest, as a careful forger would give it.


@pytest.mark.parametrize(
    ("forge", "check"),
    [
        (forgeries.changed_die, "dice"),
        (forgeries.repeated_die, "dice"),
        (forgeries.die_told_twice_differently, "dice"),
        (forgeries.changed_draw, "draws"),
        (forgeries.changed_die_and_draw, "draws"),
        (forgeries.missing_draw, "draws"),
        (forgeries.missing_last_draw, "events"),
        (forgeries.closed_die, "draws"),
        (forgeries.opened_deck, "draws"),
        (forgeries.other_branch, "draws"),
        (forgeries.changed_secret, "commitment"),
        (forgeries.changed_start, "draws"),
        (forgeries.other_commitment, "commitment"),
        (forgeries.changed_ending, "outcome"),
        (forgeries.changed_survivors, "outcome"),
        (forgeries.no_outcome, "outcome"),
        (forgeries.changed_votes, "outcome"),
        (forgeries.other_contestant, "outcome"),
        (forgeries.other_end, "outcome"),
        (forgeries.swapped_events, "dice"),
        (forgeries.swapped_as_they_are, "events"),
        (forgeries.missing_event, "events"),
    ],
)
def test_a_forgery_is_refused(
    record, tmp_path, capsys, forge: Callable[[forgeries.Record], None], check
):
    """The check that finds it says so, with the digest mended or not."""
    forged = copy.deepcopy(record)
    forge(forged)
    status, lines, _ = verify(tmp_path / "forged.json", sealed(forged), capsys)
    assert status == 1
    assert any(line.startswith(f"FAIL  {check}: ") for line in lines), lines

    status, lines, _ = verify(tmp_path / "plain.json", json.dumps(forged), capsys)
    assert status == 1
    assert lines[0].startswith("FAIL  file: the file has been changed")


def test_a_whole_other_game_is_refused_by_the_hash_in_the_channel(night, tmp_path, capsys):
    """A record that is true in itself, but of another secret than the one pledged."""
    text = sealed(record_of(played(night, 2, root=b"x" * 32), b"x" * 32))
    path = tmp_path / "other.json"

    assert verify(path, text, capsys)[0] == 0
    status, lines, _ = verify(path, text, capsys, "--pledge", pledge_of(ROOT))
    assert status == 1
    assert lines[1].startswith("FAIL  commitment: ")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda r: "{", "not JSON"),
        (lambda r: "[" * 100_000, "not JSON"),
        (lambda r: "\udcff", "not JSON"),
        (lambda r: "[]", "not a nightwatch public record"),
        (lambda r: json.dumps({**r, "format": "nightwatch public record 2"}), "not a nightwatch"),
        (lambda r: json.dumps({**r, "players": ["Ann"]}), "players: Extra inputs"),
        (lambda r: json.dumps({k: v for k, v in r.items() if k != "ledger"}), "ledger: Field req"),
        (lambda r: json.dumps({**r, "events": [{"n": "0"}]}), "events.0."),
        (lambda r: json.dumps({**r, "header": {**r["header"], "secret": "?"}}), "header.secret: "),
        (lambda r: json.dumps({**r, "header": {**r["header"], "content": "../x"}}), "header.cont"),
    ],
)
def test_what_is_no_record_is_told_in_one_line(record, tmp_path, capsys, change, said):
    """Malformed files end with one line that names the place, never with a traceback."""
    path = tmp_path / "bad.json"
    path.write_bytes(change(record).encode("utf-8", "surrogateescape"))
    status = main(["verify", str(path)])
    out, err = capsys.readouterr()

    assert (status, out) == (1, "")
    assert err.startswith(f"{path}: ")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("game", "chess", "there is no game 'chess'"),
        ("rules", 99, "played under rules version 99"),
        ("content", "0" * 64, "neither today's nor kept beside"),
    ],
)
def test_a_record_for_another_release(record, tmp_path, capsys, field, value, said):
    """What these rules cannot judge is not judged, and not passed."""
    changed = copy.deepcopy(record)
    changed["header"][field] = value
    status, lines, _ = verify(tmp_path / "old.json", sealed(changed), capsys)

    assert status == 1
    assert said in "\n".join(lines)


def test_events_that_are_no_game_are_refused(record, tmp_path, capsys):
    """Facts of a wrong form are named, and break nothing."""
    changed = copy.deepcopy(record)
    dealt = next(e for e in changed["events"] if e["kind"] == "dealt")
    dealt["data"] = {"seat": None, "characters": 3}
    status, lines, _ = verify(tmp_path / "odd.json", sealed(changed), capsys)

    assert status == 1
    assert "not those of a game" in lines[-1]


def test_a_missing_file(tmp_path, capsys):
    """One line, and the status of a wrong argument."""
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


# The page and its script


def script() -> str:
    """The page's Python."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return code


def run_script(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    """The script by itself, in a folder where nothing of ours is."""
    (tmp_path / "check.py").write_text(script(), encoding="utf-8")
    (tmp_path / "record.json").write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-I", "check.py", "record.json"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


def test_the_script_has_forty_lines():
    """Short enough to be read before it is trusted, without lines that need scrolling."""
    lines = [line for line in script().splitlines() if line.strip()]
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(("seats", "rewind"), [(1, 0), (4, 50), (9, 0)])
def test_the_pages_script_accepts_real_games(night, tmp_path, seats, rewind):
    """Anybody can check a record with Python alone."""
    play = played(night, seats, rewind=rewind, hourglass="untimed")
    done = run_script(tmp_path, sealed(record_of(play)))

    assert (done.returncode, done.stderr) == (0, "")
    assert play.outcome is not None
    assert play.outcome.ending in done.stdout


@pytest.mark.parametrize(
    "forge",
    [
        forgeries.changed_die,
        forgeries.repeated_die,
        forgeries.changed_draw,
        forgeries.changed_die_and_draw,
        forgeries.missing_draw,
        forgeries.missing_last_draw,
        forgeries.changed_secret,
        forgeries.other_commitment,
        forgeries.changed_ending,
        forgeries.changed_votes,
        forgeries.other_contestant,
        forgeries.swapped_events,
    ],
)
def test_the_pages_script_refuses_forgeries(record, tmp_path, forge):
    """The short script sees what the long one sees, as far as it looks."""
    forged = copy.deepcopy(record)
    forge(forged)
    done = run_script(tmp_path, sealed(forged))

    assert done.returncode != 0
    assert "AssertionError" in done.stderr
