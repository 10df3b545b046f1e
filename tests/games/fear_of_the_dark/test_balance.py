"""The maze is hard and can be left, and each level is harder; and the report that says so."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from bot import titles
from bot.tools import balance
from bot.tools.balance import SUBJECTS, Played

TITLE = titles.load("fear_of_the_dark")
SUBJECT = SUBJECTS[TITLE.key]
REPORT = Path(__file__).parents[3] / "docs" / "balance" / "fear_of_the_dark.md"
(LEVELS,) = (option.values for option in TITLE.game.options if option.key == "difficulty")

EASY, NORMAL = (0.35, 0.65), (0.20, 0.45)
"""The bands of the two levels that have one; each harder level is won less than the one before."""


def played(level: str, games: int, seed: str, agent: str = "sensible") -> list[Played]:
    """So many games of one player at that level."""
    return balance.play(TITLE, 1, games, seed, agent, difficulty=level)


def share(games: list[Played]) -> float:
    """How many of the games were won, from 0 to 1."""
    return balance.wins(games) / len(games)


# The promise, in short and in full


@pytest.mark.parametrize(("level", "band"), [("easy", EASY), ("normal", NORMAL)])
def test_the_band_in_short(level, band):
    """Fifty games, and the band wider by what chance may do; a drift of twenty points is seen."""
    games = played(level, 50, "short")

    assert band[0] - 0.07 <= share(games) <= band[1] + 0.07
    assert max(game.decisions for game in games) <= 400


def test_the_hardest_level_is_hard():
    """Two matches fewer, and few get out."""
    assert share(played("very_hard", 30, "short")) <= 0.2


def test_random_players_hardly_ever_get_out():
    """Chance alone does not find the way."""
    assert balance.wins(played("normal", 40, "short", "random")) <= 1


@cache
def soaked() -> Mapping[str, float]:
    """The shares of three hundred games at each level, on a seed that no figure was chosen by."""
    return {level: share(played(level, 300, "soak")) for level in LEVELS}


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_the_bands_in_full():
    """Easy and Normal lie in their bands, and each level is harder than the one before."""
    found = soaked()

    assert EASY[0] <= found["easy"] <= EASY[1]
    assert NORMAL[0] <= found["normal"] <= NORMAL[1]
    assert found["easy"] > found["normal"] > found["hard"] > found["very_hard"]


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_random_players_win_less_than_three_games_in_a_hundred():
    """Three hundred games on Normal."""
    assert share(played("normal", 300, "soak", "random")) < 0.03


# The report


@cache
def documented() -> tuple[str, int, str]:
    """The report as it is kept, with the number of games and the seed that made it."""
    text = REPORT.read_text(encoding="utf-8")
    found = re.search(
        r"python -m bot\.tools\.balance fear_of_the_dark --games (\d+) --seed (\w+)", text
    )
    assert found is not None
    return text, int(found[1]), found[2]


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("level", LEVELS)
def test_the_report_in_the_docs_is_of_this_code_and_content(level):
    """Playing its games again gives its lines again, letter by letter."""
    text, games, seed = documented()
    (row,) = balance.seats_rows(SUBJECT, {level: played(level, games, seed)})

    assert f"| {' | '.join(map(str, row))} |" in text.splitlines()


def test_the_report_in_the_docs_holds_the_promise():
    """Its lines lie within the bands and fall from level to level; it tells of this content."""
    text, games, _ = documented()
    shares = {
        level: int(won) for level, won in re.findall(r"^\| (\w+) \| (\d+) % \|", text, re.MULTILINE)
    }

    assert games >= 300
    assert tuple(shares) == LEVELS
    assert 35 <= shares["easy"] <= 65
    assert 20 <= shares["normal"] <= 45
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert re.findall(r"^\| random \| .* \| 1 \| ([0-2]) % \|", text, re.MULTILINE)
    assert TITLE.content.digest[:16] in text


def test_a_game_is_told_by_level(monkeypatch):
    """The levels have a line each, with what is left; dangers count only if they struck."""
    monkeypatch.setattr(balance, "FEWEST", 1)
    report = balance.report(TITLE, 2, "twice")
    headings = [line for line in report.splitlines() if line.startswith("## ")]

    assert headings == [
        "## Wins by difficulty",
        "## Other tables",
        "## Dangers, by striking",
        "## Items, by being found",
        "## Secrets, by being found",
    ]
    assert "| cards left | matches left |" in report
    lines = [line.split(" | ")[0] for line in report.splitlines() if line.startswith("| ")]
    assert lines[2:6] == [f"| {level}" for level in LEVELS]
    games = played("easy", 4, "twice")
    struck = sum(game.count("danger_drawn") for game in games)
    assert 0 < struck < sum(game.count("tile_revealed") for game in games)
