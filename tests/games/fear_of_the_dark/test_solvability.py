"""No maze is lost from the start: who knows it, and whose light never ends, gets out of it."""

from __future__ import annotations

import hashlib

import pytest

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.game import GAME
from tests.games.fear_of_the_dark.box import CONTENT, tile, with_tiles
from tests.games.fear_of_the_dark.solver import STRANDED, Report, Solver

BOX = load().rules
(LEVELS,) = (option.values for option in GAME.options if option.key == "difficulty")


def solved(level: str, number: int) -> Report:
    """How the maze of that number ends at that level; each level has mazes of its own."""
    seed = f"{level}/{number}"
    return Solver(BOX, seed, hashlib.sha256(seed.encode()).hexdigest(), level).solve()


def unsolved(level: str, numbers: range) -> str:
    """The mazes that were not left, drawn; nothing if all were."""
    reports = [report for number in numbers if not (report := solved(level, number)).solved]
    return "\n\n".join(
        f"{report.seed}: {report.ending} after {report.plies} answers; {report.told}\n{report.maze}"
        for report in reports
    )


@pytest.mark.parametrize("level", LEVELS)
def test_every_maze_can_be_left(level):
    """Fifteen mazes at each level."""
    assert unsolved(level, range(15)) == ""


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("level", LEVELS)
def test_each_of_two_thousand_mazes_can_be_left(level):
    """Two thousand mazes at each level."""
    assert unsolved(level, range(2000)) == ""


def test_a_maze_without_a_way_out_is_reported():
    """Rooms of one door leave only the locked one: the report says so, and the solver is stuck."""
    cell = tile("+-D-+ |...| |...| |...| +---+")
    content = with_tiles(**dict.fromkeys(CONTENT.tiles, cell))
    report = Solver(content, "cells", "00" * 32, "normal").solve()

    assert not report.solved
    assert report.ending == STRANDED
    assert report.maze.count("@") == 1
    assert "tiles [" in report.told
