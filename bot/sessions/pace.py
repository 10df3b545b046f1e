"""How long players have for an answer, and after what time a table rests or ends.

All numbers of this chapter stand here; docs/absent-players.md tells them to players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.store.rows import Pace

PACES: Final[Sequence[Pace]] = ("live", "relaxed", "days", "none")
"""As they are offered."""

DEFAULT: Final[Pace] = "relaxed"
"""For a table that is opened without a word about it."""

SECONDS: Final[Mapping[Pace, float]] = {"live": 180.0, "relaxed": 1800.0, "days": 86400.0}
"""For one answer; a pace that is not in here sets no time."""

REMINDER: Final = 1 / 3
"""What is left, of all the time, when a player is reminded."""

MERCY: Final = 1 / 10
"""What is left at least, of all the time, after the clocks have stood still for a while."""

MISSES: Final = 2
"""So many answers missed in a row, and a computer player plays for the seat."""

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
LOBBY: Final = HOUR / 2
"""A lobby closes so long after the last change."""

RESTS: Final[Mapping[Pace, float]] = {"live": DAY, "relaxed": 3 * DAY, "days": 7 * DAY}
"""A table at which all people are away ends after so long."""

SILENT: Final = 14 * DAY
"""After so long without an answer of a person a table announces its end ..."""

LAST_CALL: Final = 14 * DAY
"""... and so long afterwards it ends. Also the rest of a table without a pace."""

GRACE: Final = HOUR
"""A table does not end sooner than this after the bot is back."""


def saves_every(pace: Pace) -> float:
    """How often what is left is stored: a crash gives players a twentieth of their time at most."""
    return SECONDS.get(pace, DAY) / 20


def pace_of(word: object) -> Pace | None:
    """The pace of that name, if there is one."""
    for pace in PACES:
        if pace == word:
            return pace
    return None
