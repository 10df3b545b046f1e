"""How the bot is doing: times, errors, tables. Counted here for /status and, if wanted, exported.

Nothing in here names a person, a server or a table, and nothing is kept longer than some minutes.
"""

from __future__ import annotations

import statistics
from collections import Counter, deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from bot.sessions.faces import Face
from bot.sessions.ports import Address, Channel, ChannelError

T = TypeVar("T")

SPAN: Final = 600.0
"""Seconds that /status looks back."""

PROBE: Final = 1.0
"""Seconds over which the latest beat of the event loop is looked for."""

_MOST: Final = 5000


@dataclass(frozen=True, slots=True)
class Times:
    """How long something took within the last minutes: seconds, and how often it happened."""

    count: int = 0
    median: float = 0.0
    worst: float = 0.0


class Exports(Protocol):
    """Passes on what is counted, as it happens."""

    def acknowledged(self, seconds: float) -> None:
        """A person was answered for the first time, so long after they clicked."""
        ...

    def rendered(self, seconds: float) -> None:
        """A picture was drawn."""
        ...

    def failed(self, name: str, code: str) -> None:
        """Something went wrong, by its name and Discord's number for it."""
        ...

    def looked(self, delay: float, sessions: Mapping[str, int]) -> None:
        """The event loop came so late, and there are so many tables in each state."""
        ...


class Metrics:
    """Counts. ``clock`` is monotonic; ``count`` gives the live tables by state."""

    def __init__(
        self,
        clock: Callable[[], float],
        count: Callable[[], Mapping[str, int]] = dict[str, int],
    ) -> None:
        self._clock = clock
        self.count = count
        self.exports: list[Exports] = []
        self.errors: Counter[str] = Counter()
        self._answers: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._drawings: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._delays: deque[tuple[float, float]] = deque(maxlen=_MOST)
        self._beaten: float | None = None
        self._looked = self._worst = 0.0

    def acknowledged(self, seconds: float) -> None:
        """A person was answered for the first time, so long after they clicked."""
        self._answers.append((self._clock(), max(seconds, 0.0)))
        for one in self.exports:
            one.acknowledged(max(seconds, 0.0))

    def rendered(self, seconds: float) -> None:
        """A picture was drawn."""
        self._drawings.append((self._clock(), seconds))
        for one in self.exports:
            one.rendered(seconds)

    def failed(self, name: str, code: str = "") -> None:
        """Something went wrong, by its name and Discord's number for it."""
        self.errors[name] += 1
        for one in self.exports:
            one.failed(name, code)

    def late(self, delay: float) -> None:
        """The event loop came so many seconds late."""
        self._delays.append((self._clock(), max(delay, 0.0)))
        sessions = self.count()
        for one in self.exports:
            one.looked(max(delay, 0.0), sessions)

    @property
    def answers(self) -> Times:
        """From a click to its first answer."""
        return self._times(self._answers)

    @property
    def drawings(self) -> Times:
        """Drawing a picture."""
        return self._times(self._drawings)

    @property
    def delays(self) -> Times:
        """How late the event loop came."""
        return self._times(self._delays)

    def _times(self, kept: deque[tuple[float, float]]) -> Times:
        since = self._clock() - SPAN
        seconds = [took for at, took in kept if at >= since]
        if not seconds:
            return Times()
        return Times(len(seconds), statistics.median(seconds), max(seconds))

    # The event loop

    def beat(self, now: float, interval: float) -> None:
        """Called by what should run every so many seconds; ``now`` is real and monotonic.

        A timer of our own would do as well, but one more of them helps nobody.
        """
        last, self._beaten = self._beaten, now
        if last is None:
            self._looked = now
            return
        self._worst = max(self._worst, now - last - interval)
        if now - self._looked >= PROBE:
            self._looked = now
            self.late(self._worst)
            self._worst = 0.0


class CountedChannel:
    """A channel whose failures are counted by their names; they are passed on as they are."""

    def __init__(self, channel: Channel, metrics: Metrics) -> None:
        self._channel = channel
        self._metrics = metrics

    async def post(self, address: Address, face: Face, nonce: str) -> tuple[int, int]:
        """Send a message."""
        return await self._counted(self._channel.post(address, face, nonce))

    async def edit(
        self, channel_id: int, message_id: int, face: Face, *, anew: bool = False
    ) -> None:
        """Bring a message up to its face."""
        await self._counted(self._channel.edit(channel_id, message_id, face, anew=anew))

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message of ours."""
        await self._counted(self._channel.delete(channel_id, message_id))

    async def find(self, address: Address, mark: str) -> tuple[int, int] | None:
        """A message of ours that carries this mark."""
        return await self._counted(self._channel.find(address, mark))

    async def depth(self, channel_id: int, message_id: int, limit: int) -> int:
        """How many messages stand below this one."""
        return await self._counted(self._channel.depth(channel_id, message_id, limit))

    async def open(self, channel_id: int) -> None:
        """Open a thread that is shut."""
        await self._counted(self._channel.open(channel_id))

    async def _counted(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except ChannelError as error:
            self._metrics.failed(type(error).__name__, code_of(error))
            raise


def code_of(error: ChannelError) -> str:
    """Discord's number for a failure, if its text ends with one."""
    last = str(error).rpartition(" ")[2]
    return last if last.isascii() and last.isdigit() and len(last) <= 6 else ""
