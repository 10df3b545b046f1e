"""`check-content`: our own content, and an author's mistakes in a copy of it."""

import shutil

import pytest

from bot import titles
from bot.__main__ import main
from bot.tools.check_content import OURS

GAME = "escape_the_night"


@pytest.fixture(autouse=True)
def games(senate, monkeypatch):
    """The real game instead of the toy: check-content reads files."""
    monkeypatch.setattr(titles, "KEYS", (GAME,))


@pytest.fixture
def copied(tmp_path):
    """A content folder that a test may spoil."""
    shutil.copytree(OURS / GAME, tmp_path / GAME)
    return tmp_path


def test_our_own_content(capsys):
    """What we ship is sound, and is counted."""
    assert main(["check-content"]) == 0
    line = capsys.readouterr().out
    assert line.startswith(f"{GAME}: ")
    assert "clues 50, monsters 30, relics 40, challenges 20, guests 11, artifacts 9" in line


@pytest.mark.parametrize("inside", [False, True])
def test_another_folder(copied, capsys, inside):
    """A folder of games, or one game's own folder, is checked the same way."""
    assert main(["check-content", str(copied / GAME if inside else copied)]) == 0
    assert capsys.readouterr().out.startswith(f"{GAME}: clues 50")


def test_faults_are_told_together(copied, capsys):
    """Mistakes in several cards are all told, a line each, with file and line; the status is 1."""
    path = copied / GAME / "clues.yaml"
    text = path.read_text(encoding="utf-8")
    spoilt = text.replace("source: house", "source: mansion", 2)
    path.write_text(spoilt, encoding="utf-8")

    assert main(["check-content", str(copied)]) == 1
    out, err = capsys.readouterr()
    lines = [number for number, line in enumerate(spoilt.splitlines(), 1) if "mansion" in line]
    assert out == ""
    assert [line.split(" ")[0] for line in err.splitlines()] == [
        f"{GAME}/clues.yaml:{number}" for number in lines
    ]
    assert err.count("source is 'mansion'; rulebook or house") == 2


def test_a_tab(copied, capsys):
    """YML-09: a tab is one sentence, with file and line."""
    path = copied / GAME / "numbers.yaml"
    path.write_text("numbers:\n\ttiles: 1\n", encoding="utf-8")

    assert main(["check-content", str(copied)]) == 1
    assert capsys.readouterr().err == (
        f"{GAME}/numbers.yaml:2: there is a tab on this line; use spaces\n"
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "line", "told"),
    [
        ("text/en.yaml", "  walked:", "  waked:", "waked", "no 'waked' in events"),
        ("text/en.yaml", "+{amount} for {ch", "+{amont} for {ch", "amont", "known of {amont}"),
        ("clues.yaml", "difficulty: 9", "difficulty: 99", "99", "two dice make 2 to 12"),
        ("rules_help.yaml", "title: Titles", "titel: Titles", "titel", "mean 'title'?"),
    ],
)
def test_words_that_do_not_fit(copied, capsys, file, old, new, line, told):
    """Words that would only fail at a table fail here, in a sentence with file and line."""
    path = copied / GAME / file
    spoilt = path.read_text(encoding="utf-8").replace(old, new, 1)
    path.write_text(spoilt, encoding="utf-8")

    assert main(["check-content", str(copied)]) == 1
    out, err = capsys.readouterr()
    number = spoilt.count("\n", 0, spoilt.index(line)) + 1
    assert out == ""
    (fault,) = [fault for fault in err.splitlines() if told in fault]
    assert fault.startswith(f"{GAME}/{file}:{number} ")


def test_a_folder_without_games(tmp_path, capsys):
    """A folder that holds no game is a misunderstanding, not a success."""
    assert main(["check-content", str(tmp_path)]) == 2
    assert "holds no game; games: escape_the_night" in capsys.readouterr().err
