"""`replay`: what a saved journal holds, and a diagnosis for whatever has happened to the file."""

import json

import pytest

from bot.__main__ import main


@pytest.fixture
def saved(tmp_path, capsys):
    """A journal that `simulate` saved."""
    assert main(["simulate", "senate", "--players", "4", "--save", str(tmp_path)]) == 0
    capsys.readouterr()
    return tmp_path / "senate-4p-1-1.jsonl"


def replay(path, capsys) -> tuple[int, str, str]:
    """Status, stdout and stderr."""
    status = main(["replay", str(path)])
    return status, *capsys.readouterr()


def lines_of(path) -> list[str]:
    """The lines without their ends."""
    return path.read_text(encoding="utf-8").splitlines()


def write(path, lines: list[str], end: str = "\n") -> None:
    """Put a journal back."""
    path.write_text("\n".join(lines) + end, encoding="utf-8")


def test_a_saved_game(saved, capsys):
    """A journal that fits is summed up: table, answers, chance, ending."""
    status, out, err = replay(saved, capsys)
    answers = len(lines_of(saved)) - 1

    assert status == 0
    assert err == ""
    assert out.splitlines()[0].startswith("game: senate, rules 1, content ")
    assert out.splitlines()[1] == "table: 4 seats; cards one, length short"
    assert out.splitlines()[2] == f"answers: {answers} of {answers} records, branch 0"
    assert out.splitlines()[3].startswith("chance: ")
    assert out.splitlines()[4].startswith("ended: ")


def test_an_unfinished_game(saved, capsys):
    """A game that goes on says whom it waits for."""
    write(saved, lines_of(saved)[:3])
    status, out, _ = replay(saved, capsys)

    assert status == 0
    assert out.splitlines()[-1].startswith("waits for: seat ")


@pytest.mark.parametrize("keep", [1, 20, -1])
def test_a_torn_last_line(saved, capsys, keep):
    """A last line that was written in part is set aside with a note."""
    lines = lines_of(saved)
    write(saved, [*lines[:-1], lines[-1][:keep]], end="")
    status, out, err = replay(saved, capsys)

    assert status == 0
    assert err == f"{saved}:{len(lines)}: the last line is torn and was set aside\n"
    assert f"answers: {len(lines) - 2} of {len(lines) - 2} records" in out


def test_a_last_line_without_its_end(saved, capsys):
    """A complete record counts even if the file ends right behind it."""
    write(saved, lines_of(saved), end="")

    assert replay(saved, capsys)[::2] == (0, "")


@pytest.mark.parametrize(
    ("garbage", "said"),
    [
        ("x", "not JSON"),
        ("[]", "not a JSON object"),
        ("{}", "no field "),
        ("", "not JSON"),
        ('{"branch": 7, "keep": 0, "by": "x"}', "record 2: branch 7"),
    ],
)
def test_a_garbled_middle(saved, capsys, garbage, said):
    """A line that cannot be read is named; nothing is guessed."""
    lines = lines_of(saved)
    lines[2] = garbage
    write(saved, lines)
    status, out, err = replay(saved, capsys)

    assert status == 1
    assert out == ""
    assert said in err
    assert err.startswith(f"{saved}:3: " if said[:6] != "record" else f"{saved}: record 2")
    assert err.count("\n") == 1


def test_bytes_that_are_no_text(saved, capsys):
    """Neither is a line that is no text at all."""
    lines = saved.read_bytes().split(b"\n")
    lines[3] = b"\xff\xfe"
    saved.write_bytes(b"\n".join(lines))

    assert replay(saved, capsys)[::2] == (1, f"{saved}:4: not UTF-8\n")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "1: the file is empty"),
        ("{}\n", "1: not a journal header"),
        ('{"format": 1}\n', "1: no field"),
        ("torn", "1: not JSON"),
    ],
)
def test_no_header(saved, capsys, text, said):
    """Without a header there is no game."""
    saved.write_text(text, encoding="utf-8")
    status, _, err = replay(saved, capsys)

    assert status == 1
    assert err.startswith(f"{saved}:{said}")


def edited(path, line: int, **fields: object) -> None:
    """Change fields of the record on that line."""
    lines = lines_of(path)
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | fields)
    write(path, lines)


def test_a_changed_answer(saved, capsys):
    """An answer that nobody could give diverges at its ply."""
    edited(saved, 4, value=["bribe"])
    status, _, err = replay(saved, capsys)

    assert status == 1
    assert err.startswith(f"{saved}: diverged at ply 3: ")


def test_a_changed_mark(saved, capsys):
    """So does one that was given to another question."""
    edited(saved, 5, mark="0123456789ab/9")
    status, _, err = replay(saved, capsys)

    assert status == 1
    assert err.startswith(f"{saved}: diverged at ply 4: ")
    assert "mark 0123456789ab/9" in err


def test_a_changed_trace(saved, capsys):
    """Equal questions with other consequences are played, and reported."""
    edited(saved, 5, trace="0123456789abcdef")
    status, out, _ = replay(saved, capsys)

    assert status == 0
    assert "re-interpreted from ply 4" in out


def test_another_rules_version(saved, capsys):
    """A journal of other rules is not played by these."""
    edited(saved, 1, rules=2)

    assert replay(saved, capsys)[::2] == (
        1,
        f"{saved}: rules version 2; these are version 1\n",
    )


def test_another_game(saved, capsys):
    """A journal of a game that is not here is refused."""
    edited(saved, 1, game="chess")

    assert replay(saved, capsys)[::2] == (1, f"{saved}:1: there is no game 'chess'\n")


def test_rules_that_break(saved, capsys, monkeypatch):
    """Rules that raise are told with the ply."""
    monkeypatch.setattr("tests.toy.senate.bury", lambda g: g.missing)
    status, _, err = replay(saved, capsys)

    assert status == 1
    assert err.startswith(f"{saved}: the rules broke after ply 0: AttributeError")


def test_a_game_keeps_its_numbers(saved, capsys, monkeypatch):
    """Editing a number does not change a saved game: its content lies beside it."""
    before = replay(saved, capsys)
    monkeypatch.setattr("tests.tools.conftest.CONTENT", changed())

    assert replay(saved, capsys) == before


def test_a_game_without_its_numbers(saved, capsys, monkeypatch):
    """Without them, today's are used, and that is said."""
    next(saved.parent.glob("content-*")).unlink()
    monkeypatch.setattr("tests.tools.conftest.CONTENT", changed())

    assert "is not kept beside it; today's is used\n" in replay(saved, capsys)[2]


def test_numbers_of_another_shape(saved, capsys, monkeypatch):
    """Numbers that the game's type no longer fits are refused."""
    next(saved.parent.glob("content-*")).write_text("{}", encoding="utf-8")
    monkeypatch.setattr("tests.tools.conftest.CONTENT", changed())

    assert replay(saved, capsys)[::2] == (
        1,
        f"{saved}: the content kept beside it is of another version\n",
    )


def changed():
    """The senate's content with poorer laws."""
    from tests.toy.senate import Content, Law

    return Content(tuple(Law(f"law_{n}", 1) for n in range(1, 13)))
