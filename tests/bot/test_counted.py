"""Lines for the operator: one game, two games, and nowhere a number before a word of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.counted import counted

BOT = Path(__file__).parents[2] / "bot"
# In an f-string or a format of the log: a number, then a word in the plural.
_PLURAL = re.compile(
    r"""(?:\{[^{}"']*(?:count|len\(|\.ply|seats|number_of)[^{}"']*\}|%d) [a-z]+s\b"""
)
_FINE = ("was", "stays")


@pytest.mark.parametrize(
    ("told", "found"),
    [
        (counted(0, "game"), "0 games"),
        (counted(1, "game"), "1 game"),
        (counted(2, "game"), "2 games"),
        (counted(1, "die", "dice"), "1 die"),
        (counted(3, "die", "dice"), "3 dice"),
    ],
)
def test_one_is_no_plural(told: str, found: str) -> None:
    """With the usual s, and with a plural of its own."""
    assert told == found


def test_no_line_of_the_program_counts_by_itself() -> None:
    """Every number that stands before a thing in the plural goes through ``counted``."""
    faults = [
        f"{path.relative_to(BOT)}:{number}: {match[0]}"
        for path in sorted(BOT.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in _PLURAL.finditer(line)
        if match[0].split()[-1] not in _FINE
    ]
    assert faults == []
