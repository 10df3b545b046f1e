"""`preview`: the renderer's picture of a simulated game at a ply."""

import pytest

from bot.__main__ import main


def preview(path, *args: str) -> str:
    """What was drawn."""
    assert main(["preview", "senate", "-o", str(path), *args]) == 0
    return path.read_text(encoding="utf-8")


def test_the_first_board(tmp_path):
    """Without a ply the table as it was laid, seen by a spectator."""
    assert preview(tmp_path / "a.png") == "board of round 1 for None, Seat 1 Seat 1"


def test_a_seats_board_later(tmp_path):
    """A ply and a seat choose the moment and the view."""
    drawn = preview(tmp_path / "a.png", "--ply", "20", "--seat", "2")

    assert drawn.endswith("for 2, Seat 1 Seat 1")
    assert not drawn.startswith("board of round 1 ")


def test_the_end(tmp_path, capsys):
    """A ply beyond the end gives the closing picture."""
    assert preview(tmp_path / "a.png", "--ply", "9999").startswith("closing ")
    assert "the game ended after " in capsys.readouterr().err


def test_equal_arguments_equal_pictures(tmp_path):
    """The same command draws the same picture."""
    first = preview(tmp_path / "a.png", "--ply", "9", "--seed", "x")

    assert first == preview(tmp_path / "b.png", "--ply", "9", "--seed", "x")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--seat", "4"], "--seat 4: seats go from 0 to 3"),
        (["--players", "9"], "senate is for 3 to 6 players, not 9"),
        (["-o", "/proc/x.png"], "cannot write /proc/x.png"),
    ],
)
def test_what_cannot_be_drawn(args, said, tmp_path, capsys):
    """A wrong seat or file is said in one line."""
    assert main(["preview", "senate", "-o", str(tmp_path / "a.png"), *args]) == 2
    assert capsys.readouterr().err.startswith(f"preview: {said}")
