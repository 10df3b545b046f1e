"""The night is hard and can be won, at every number of seats; and the report that says so."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from bot import titles
from bot.tools import balance
from bot.tools.balance import SUBJECTS, Played

TITLE = titles.load("escape_the_night")
SUBJECT = SUBJECTS[TITLE.key]
REPORT = Path(__file__).parents[3] / "docs" / "balance" / "escape_the_night.md"
SEATS = (2, 4, 6, 11)


def share(played: list[Played]) -> float:
    """How many of the games were won, from 0 to 1."""
    return balance.wins(played) / len(played)


def made(
    *, won: bool = False, ending: str = "budget_spent", decisions: int = 300,
    hourly: dict[tuple[str, int], int] | None = None, cards: tuple[tuple[str, str], ...] = (),
) -> Played:  # fmt: skip
    """A game as the report remembers it."""
    return Played(won, ending, decisions, hourly or {}, frozenset(cards), 0)


# The promise, in short and in full


def test_sensible_players_win_some_nights_and_lose_some():
    """Ten nights at each of four tables; the bounds are wide, the long form has the narrow ones."""
    played = [game for n in SEATS for game in balance.play(TITLE, n, 10, "short", "sensible")]

    assert 0.15 <= share(played) <= 0.75
    assert max(game.decisions for game in played) <= 3000


def test_random_players_hardly_ever_win():
    """Chance alone does not clear nine rooms and come home."""
    played = [game for n in SEATS for game in balance.play(TITLE, n, 6, "short", "random")]

    assert balance.wins(played) <= 2
    assert max(game.decisions for game in played) <= 3000


@cache
def documented() -> tuple[str, int, str]:
    """The report as it is kept, with the number of games and the seed that made it."""
    text = REPORT.read_text(encoding="utf-8")
    found = re.search(
        r"python -m bot\.tools\.balance escape_the_night --games (\d+) --seed (\w+)", text
    )
    assert found is not None
    return text, int(found[1]), found[2]


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("abilities", ["on", "off"])
@pytest.mark.parametrize("seats", SEATS)
def test_sensible_players_win_between_a_quarter_and_three_fifths(seats, abilities):
    """Two hundred nights, on a seed that the figures were not chosen by."""
    played = balance.play(TITLE, seats, 200, "soak", "sensible", abilities=abilities)

    assert 0.25 <= share(played) <= 0.60
    assert max(game.decisions for game in played) <= 3000


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", SEATS)
def test_random_players_win_less_than_one_night_in_twenty(seats):
    """Two hundred nights."""
    played = balance.play(TITLE, seats, 200, "soak", "random")

    assert share(played) < 0.05
    assert max(game.decisions for game in played) <= 3000


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seats", SEATS)
def test_the_report_in_the_docs_is_of_this_code_and_content(seats):
    """Playing its games again gives its lines again, letter by letter."""
    text, games, seed = documented()
    played = balance.play(TITLE, seats, games, seed, "sensible")
    (row,) = balance.seats_rows(SUBJECT, {seats: played})

    assert f"| {' | '.join(map(str, row))} |" in text.splitlines()


# The report


def test_the_report_in_the_docs_holds_the_promise():
    """Every line on sensible players lies within the band, every other below one in twenty."""
    text, games, _ = documented()
    by_seats = re.findall(r"^\| (\d+) \| (\d+) % \|", text, re.MULTILINE)
    others = re.findall(r"^\| (random|sensible) \| .* \| \d+ \| (\d+) % \|", text, re.MULTILINE)
    most = re.findall(r"^\| (?:\d+ \| \d+ %|random|sensible) .* (\d+) \|$", text, re.MULTILINE)

    assert games >= 200
    assert [int(seats) for seats, _ in by_seats] == list(range(1, 12))
    assert all(25 <= int(won) <= 60 for _, won in by_seats)
    assert {agent for agent, _ in others} == {"random", "sensible"}
    for agent, won in others:
        assert (int(won) < 5) if agent == "random" else (25 <= int(won) <= 60)
    assert len(most) == len(by_seats) + len(others)
    assert all(0 < int(decisions) <= 3000 for decisions in most)


def test_equal_arguments_equal_reports(monkeypatch):
    """Made twice it is the same, and it says how to make it again."""
    monkeypatch.setattr(balance, "FEWEST", 1)
    first = balance.report(TITLE, 1, "twice")

    assert balance.report(TITLE, 1, "twice") == first
    assert "\npython -m bot.tools.balance escape_the_night --games 1 --seed twice\n" in first
    assert [line for line in first.splitlines() if line.startswith("## ")] == [
        "## Wins by seats",
        "## Other tables",
        "## Hour by hour",
        "## The last hour against the sand",
        "## Relics, by being played",
        "## Death challenges, by being drawn",
    ]
    for name in ("Trick Coffin", "Haste Potion", "The Box with Teeth"):
        assert name in first, "cards are called by their names"


def test_turns_of_the_last_hour_are_counted():
    """A night that was lost by the budget used all of it, one that was won no more than that."""
    played = balance.play(TITLE, 4, 8, "short", "sensible")
    budget = TITLE.content.rules.numbers.untimed_actions["any"]

    lost = [game.last for game in played if game.ending == "budget_spent"]
    assert lost
    assert set(lost) == {budget}
    assert all(0 <= game.last <= budget for game in played)


def test_a_table_on_seats():
    """Wins, endings, what happened on average, and the longest game."""
    played = [
        made(won=True, ending="escaped", hourly={("died", 1): 1, ("died", 2): 2}, decisions=100),
        made(hourly={("died", 1): 2, ("artifact_recovered", 3): 4}, decisions=301),
    ]

    (row,) = balance.seats_rows(SUBJECT, {4: played})

    assert dict(zip(balance.seats_heading(SUBJECT), row, strict=True)) == {
        "seats": 4,
        "won": "50 %",
        "range": "9 % to 91 %",
        "endings": "budget_spent 1, escaped 1",
        "artifacts a game": "2.0",
        "tiles a game": "0.0",
        "deaths a game": "2.5",
        "decisions": "200",
        "most decisions": 301,
    }


def test_a_table_on_cards():
    """With and without a card; bold when chance is a poor explanation, left out when too rare."""
    card, rare = ("relic_played", "rebirth"), ("relic_played", "haste_potion")
    played = [
        *(made(won=True, cards=(card,)) for _ in range(15)),
        *(made(cards=(card,)) for _ in range(5)),
        *(made(won=True) for _ in range(10)),
        *(made() for _ in range(29)),
        made(cards=(rare,)),
    ]

    rows = list(balance.card_rows(TITLE, played, "relic_played", "relic"))

    assert [tuple(row) for row in rows] == [("Rebirth", 20, "75 %", "25 %", "**+50**")]


@pytest.mark.parametrize(
    ("won", "games", "least", "most"),
    [(0, 10, 0.0, 0.278), (5, 10, 0.237, 0.763), (100, 200, 0.431, 0.569), (10, 10, 0.722, 1.0)],
)
def test_the_range_is_wilsons(won, games, least, most):
    """Values from the formula, worked out by hand; never below nothing or above all."""
    assert balance.interval(won, games) == pytest.approx((least, most), abs=0.001)


def test_an_unknown_game_is_refused(capsys):
    """One line, and the exit status of a wrong command."""
    assert balance.main(["ludo"]) == 2
    assert capsys.readouterr().err.startswith("balance: there is no game 'ludo'")
