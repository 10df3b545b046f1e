"""When a table has to be woken by itself, so that a restart finds it without replaying it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from bot.sessions.clocks import Clock
from bot.sessions.memory import Memory
from bot.sessions.sand import Sand
from bot.store.rows import SeatRow

QUIET: Final = 30.0
"""Seconds after a person's last click in which they are not called."""


def wake_at(
    session: Memory,
    status: object,
    seats: Mapping[int, SeatRow],
    running: Collection[Sand | Clock],
) -> float | None:
    """The earliest moment (epoch) at which something is due; None if the table waits for people.

    That is a computer player's turn, a person who is to be called, a deadline, or sand. What stands
    still counts as if it ran from now on.
    """
    game = session.game
    if status != "running" or game is None or game.outcome is not None:
        return None
    now, epoch = session.desk.time.monotonic(), session.desk.time.epoch()
    due = [epoch + one.left_at(now) for one in running]
    people = {d.question for d in game.asked if not _plays_itself(seats[d.seat])}
    for decision in game.waiting():
        row = seats[decision.seat]
        if _plays_itself(row):
            if not decision.shared or decision.question not in people:
                due.append(epoch)
        elif row.acted_at is not None and row.acted_at + QUIET > epoch:
            due.append(row.acted_at + QUIET)
    return min(due, default=None)


def _plays_itself(row: SeatRow) -> bool:
    return row.user_id is None or row.away
