"""The clocks of a table with a pace: one for each seat that is out.

A clock is a glass (sand.py) that the bot turns, not the rules. It runs while the table shows what
is asked and can be clicked (ticking.py): it starts when that message is up, and stands still while
the table is being published, while Discord is out of reach, the table is paused or at rest, a card
comes first, or the rules' own sand runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.sessions import pace
from bot.sessions.replaying import Play
from bot.sessions.sand import Sand
from bot.store.rows import NO_SEAT, ClockRow, SeatRow

Key = tuple[int, int]
"""Question and seat; NO_SEAT where the first answer decides for several."""


@dataclass(slots=True)
class Clock(Sand):
    """What is left for an answer.

    ``reminded``: whoever is out was told. ``shown``: when, as the table says, the time is over
    (epoch). ``stands``: since when it stands still, once it has run.
    """

    seat: int = NO_SEAT
    reminded: bool = False
    shown: float | None = None
    stands: float | None = None

    def hold(self, now: float) -> None:
        """Let it stand still from now on, and remember since when."""
        if self.since is not None:
            self.stands = now
        Sand.hold(self, now)

    @property
    def key(self) -> Key:
        """Which clock of the table it is."""
        return self.question, self.seat

    def wants_reminder(self, length: float, now: float) -> bool:
        """Whether so little is left of the whole length that somebody should be told."""
        is_running = self.since is not None and not self.reminded
        return is_running and self.left_at(now) <= length * pace.REMINDER


def awaited(game: Play, seats: Mapping[int, SeatRow]) -> dict[Key, str]:
    """What is asked of people who are there, by clock."""
    found: dict[Key, str] = {}
    for decision in game.waiting():
        row = seats.get(decision.seat)
        if row is not None and row.user_id is not None and not row.away:
            seat = NO_SEAT if decision.shared else decision.seat
            found.setdefault((decision.question, seat), decision.kind)
    return found


def follow(
    clocks: Mapping[Key, Clock], length: float | None, wanted: Mapping[Key, str]
) -> dict[Key, Clock]:
    """The clocks for what is awaited: known ones go on, new ones stand still, with all the time."""
    if length is None:
        return {}
    return {
        key: clocks.get(key) or Clock(key[0], kind, length, seat=key[1])
        for key, kind in wanted.items()
    }


def stored(clocks: Mapping[Key, Clock], now: float) -> tuple[ClockRow, ...]:
    """What the store keeps of them."""
    return tuple(
        ClockRow(c.question, c.seat, c.kind, int(c.left_at(now) * 1000), c.reminded)
        for _, c in sorted(clocks.items())
    )


def recalled(rows: Sequence[ClockRow]) -> dict[Key, Clock]:
    """The clocks as they were stored, standing still."""
    made = (
        Clock(row.question, row.kind, row.left_ms / 1000, seat=row.seat, reminded=row.reminded)
        for row in rows
    )
    known = {clock.key: clock for clock in made}
    for clock in known.values():
        clock.stands = -math.inf  # for as long as the bot was away
    return known
