"""What the log tells of attempts that no control and no list offers, and how much of it."""

from __future__ import annotations

import logging
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sessions.ports import Refusal
from bot.ui.attempts import CUT, EVERY, MOST, Attempts, harmless

FORGED = "n:b:fly:1:1:pick:x"


class Clock:
    """Time that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    """What was logged, with its level."""
    return [(record.levelname, record.getMessage()) for record in caplog.records]


@pytest.fixture(autouse=True)
def _told(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "bot.ui.attempts")


@pytest.mark.parametrize(
    ("refusal", "custom_id", "away", "expected"),
    [
        (
            Refusal("no_such_code", code="AB12CD", elsewhere=True),
            "",
            False,
            ("WARNING", "refused: a code of another server, 'AB12CD', user 7 on server 5"),
        ),
        (
            Refusal("no_such_code", code="AB12CD", elsewhere=False),
            "",
            False,
            ("INFO", "refused: a code of no table, 'AB12CD', user 7 on server 5"),
        ),
        (
            Refusal("old_control"),
            FORGED,
            False,
            ("INFO", f"refused: a control that is unknown, '{FORGED}', user 7 on server 5"),
        ),
        (
            Refusal("not_host"),
            FORGED,
            True,
            (
                "WARNING",
                f"refused: a control of another server's table, '{FORGED}', user 7 on server 5",
            ),
        ),
    ],
)
def test_a_line_says_who_tried_what(
    caplog: pytest.LogCaptureFixture,
    refusal: Refusal,
    custom_id: str,
    away: bool,
    expected: tuple[str, str],
) -> None:
    """What, the code or custom_id, the person and the server."""
    Attempts(Clock()).refused(refusal, custom_id, user=7, guild=5, away=away)
    assert lines(caplog) == [expected]


@pytest.mark.parametrize(
    ("problem", "custom_id", "away"),
    [
        ("stale", FORGED, False),
        ("not_host", FORGED, False),
        ("not_your_move", FORGED, True),
        ("old_control", "", False),
        ("unknown_option", "", False),
    ],
)
def test_what_everybody_meets_makes_no_line(
    caplog: pytest.LogCaptureFixture, problem: str, custom_id: str, away: bool
) -> None:
    """Old buttons, other people's turns and mistyped commands are no attempts at anything."""
    Attempts(Clock()).refused(Refusal(problem), custom_id, user=7, guild=None, away=away)
    assert lines(caplog) == []


def test_one_line_a_minute_and_person(caplog: pytest.LogCaptureFixture) -> None:
    """Who goes on trying is told of once a minute, and the next line counts the rest."""
    clock = Clock()
    attempts = Attempts(clock)
    for seconds in (0, 1, EVERY - 2, 1, 1):
        clock.now += seconds
        attempts.refused(Refusal("old_control"), FORGED, user=7, guild=None, away=False)
    told = f"refused: a control that is unknown, '{FORGED}', user 7 in direct messages"
    assert lines(caplog) == [("INFO", told), ("INFO", f"{told}; 2 more were not told")]


def test_a_storm_of_many_people_is_bounded(caplog: pytest.LogCaptureFixture) -> None:
    """However many try, a minute has no more than so many lines; the minute after, they count."""
    clock = Clock()
    attempts = Attempts(clock)
    for user in range(3 * MOST):
        attempts.refused(Refusal("old_control"), FORGED, user=user, guild=5, away=False)
        attempts.refused(Refusal("old_control"), FORGED, user=user, guild=5, away=False)
    assert len(lines(caplog)) == MOST
    clock.now += EVERY
    attempts.refused(Refusal("old_control"), FORGED, user=9 * MOST, guild=5, away=False)
    assert len(lines(caplog)) == MOST + 1
    counted = [re.findall(r"; (\d+) more were not told", line) for _, line in lines(caplog)]
    assert sum(int(number) for found in counted for number in found) == 5 * MOST


@given(st.text(max_size=3 * CUT))
def test_what_was_sent_cannot_write_the_log(given_text: str) -> None:
    """Whatever somebody sends is one short line of ASCII: no line breaks, no terminal's orders."""
    told = harmless(given_text)
    assert told.isascii()
    assert told.isprintable()
    assert len(told) <= 10 * CUT + 5
