"""What is kept for how long: games that are over, and all of a server that the bot has left.

Once in a while tables of games that this version does not have are looked at as well.

A server counts as left from the first look at which it is not there; an outage is no absence, since
Discord goes on naming the server. What comes back in time keeps everything.

A clock that is set far ahead would have everything deleted at once. So after a jump nothing is
deleted until the clock has gone on from there for three days; a long stop of the bot looks the same
and merely puts off what is due.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from bot.counted import counted
from bot.sessions.registry import Registry
from bot.store.protocol import StoreError

_log = logging.getLogger(__name__)

DAY: Final = 86400.0
GAME_DAYS: Final = 365
SERVER_DAYS: Final = 30
EVERY: Final = 3600.0
"""Seconds between two looks."""

JUMP: Final = 2 * DAY
"""So much later than the last record the clock is not believed at once ..."""

DOUBT: Final = 3 * DAY
"""... but when it has gone on for so long."""

_SEEN: Final = "swept_at"
_DOUBTED: Final = "swept_doubt"

_AT_ONCE: Final = 20
_MOST: Final = 2000


@dataclass(frozen=True, slots=True)
class Retention:
    """Days after which finished games go (0: never), and a server's data after the removal."""

    games: int = GAME_DAYS
    servers: int = SERVER_DAYS


class Sweep:
    """Takes away whose time is over.

    ``present`` gives the servers on which the bot is, None while that is not known for sure.
    """

    def __init__(
        self,
        registry: Registry,
        retention: Retention,
        present: Callable[[], Collection[int] | None],
    ) -> None:
        self._registry = registry
        self._retention = retention
        self._present = present

    async def sweep(self) -> None:
        """One look at everything. What fails is a line in the log, and is tried at the next."""
        try:
            if not await self._is_believed(self._registry.desk.time.epoch()):
                return
            await self._servers()
            await self._games()
            await self._registry.unknown.age()
        except StoreError as error:
            _log.warning("what is over could not be taken away: %s", error)

    async def _is_believed(self, now: float) -> bool:
        """Whether the clock has gone on steadily; the moment is stored, for the next look."""
        store = self._registry.desk.store
        seen = _moments(await store.setting(_SEEN)) or [await store.newest()]
        if not seen[0] or now - seen[0] <= JUMP:
            await self._note(now, None)
            return True
        doubt = _moments(await store.setting(_DOUBTED))
        if len(doubt) != 2 or not -EVERY <= now - doubt[1] <= JUMP:
            _log.warning(
                "the clock stands %s after the last look at what is over: if it is right, nothing"
                " is taken away for another %s; if not, set it right",
                counted(round((now - seen[0]) / DAY), "day"),
                counted(round(DOUBT / DAY), "day"),
            )
            doubt = [now, now]
        if now - doubt[0] >= DOUBT:
            await self._note(now, None)
            return True
        await self._note(None, f"{doubt[0]} {now}")
        return False

    async def _note(self, seen: float | None, doubt: str | None) -> None:
        store = self._registry.desk.store
        if seen is not None:
            await store.set_setting(_SEEN, str(seen))
        if doubt is not None or await store.setting(_DOUBTED) is not None:
            await store.set_setting(_DOUBTED, doubt)

    async def _servers(self) -> None:
        here = self._present()
        if here is None:
            return
        store, now = self._registry.desk.store, self._registry.desk.time.epoch()
        known = await store.known_servers()
        left = tuple(guild for guild, at in known.items() if at is None and guild not in here)
        back = tuple(guild for guild, at in known.items() if at is not None and guild in here)
        if left or back:
            await store.mark_servers(left, back, now)
        before = now - self._retention.servers * DAY
        for guild, at in known.items():
            if at is None or at >= before or guild in here:
                continue
            gone = await store.erase_server(guild, before)
            self._registry.drop(gone)
            self._registry.desk.servers.forget(guild)
            _log.info("server %d: its data is gone, %s", guild, counted(len(gone), "table"))

    async def _games(self) -> None:
        if not self._retention.games:
            return
        store, now = self._registry.desk.store, self._registry.desk.time.epoch()
        before = now - self._retention.games * DAY
        count = 0
        while count < _MOST:
            gone = await store.purge_games(before, now, _AT_ONCE)
            self._registry.drop(gone)
            count += len(gone)
            if len(gone) < _AT_ONCE:
                break
        if count:
            _log.info("gone, since it ended long ago: %s", counted(count, "game"))


def _moments(stored: str | None) -> list[float]:
    """Moments out of a setting; none if there are none, or something else stands there."""
    try:
        found = [float(part) for part in (stored or "").split()]
    except ValueError:
        return []
    return found if all(map(math.isfinite, found)) else []
