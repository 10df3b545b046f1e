"""The hourglass: the rules declare a timer, here its sand runs.

Sand runs while players can play: it starts when the table message that shows it is up, stands still
while Discord is out of reach, and what is left is stored with every entry and every few seconds, so
a crash never costs a grain.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.store.rows import TimerRow
from engines.kernel.decision import Timer


@dataclass(slots=True)
class Sand:
    """One glass: ``left`` seconds were left at ``since`` (monotonic); None: it stands still."""

    question: int
    kind: str
    left: float
    since: float | None = None

    def left_at(self, now: float) -> float:
        """Seconds left at a moment, never below zero."""
        return self.left if self.since is None else max(0.0, self.left - (now - self.since))

    def has_run_out(self, moment: float) -> bool:
        """Whether the last grain had fallen at that moment."""
        return self.since is not None and moment >= self.since + self.left

    def turn(self, now: float) -> None:
        """Let it run from now on."""
        if self.since is None:
            self.since = now

    def hold(self, now: float) -> None:
        """Let it stand still from now on."""
        self.left = self.left_at(now)
        self.since = None


def follow(sands: dict[int, Sand], timers: Sequence[Timer]) -> dict[int, Sand]:
    """The glasses for the rules' timers: known ones go on, new ones stand still, full."""
    return {
        timer.question: sands.get(timer.question)
        or Sand(timer.question, timer.kind, float(timer.seconds))
        for timer in timers
    }


def hold(sands: Mapping[int, Sand], now: float) -> bool:
    """Let every glass stand still from now on; whether one was running."""
    running = [glass for glass in sands.values() if glass.since is not None]
    for glass in running:
        glass.hold(now)
    return bool(running)


def stored(sands: dict[int, Sand], now: float) -> tuple[TimerRow, ...]:
    """What the store keeps of them."""
    return tuple(
        TimerRow(sand.question, sand.kind, int(sand.left_at(now) * 1000)) for sand in sands.values()
    )


def recalled(rows: Sequence[TimerRow]) -> dict[int, Sand]:
    """The glasses as they were stored, standing still."""
    return {row.question: Sand(row.question, row.kind, row.left_ms / 1000) for row in rows}
