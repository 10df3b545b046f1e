"""The simulated Discord's clock: the wall clock, plus what a test chose to skip."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from simcord._clock import Clock


class WallClock(Clock):
    """Follows real time, so that ids, deadlines and tokens age as they do on Discord.

    ``elapsed`` is in seconds since the clock was made. :meth:`advance` skips time for everybody
    (a token's fifteen minutes, a poll's end) without anybody waiting for it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._skipped = timedelta()
        self._epoch = datetime.now(UTC)

    def now(self) -> datetime:
        """The present instant, in UTC."""
        return datetime.now(UTC) + self._skipped

    @property
    def elapsed(self) -> float:
        """Seconds since the clock was made."""
        return (self.now() - self._epoch).total_seconds()

    @elapsed.setter
    def elapsed(self, seconds: float) -> None:
        """Ignored: the wall clock moves by itself, and simcord sets 0.0 when it makes a clock."""

    def advance(self, seconds: float) -> None:
        """Skip ``seconds``; they stay skipped."""
        self._skipped += timedelta(seconds=seconds)
