"""What all sessions share: the store, the channel, the clocks, and the tasks in flight."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar

from bot.sessions.fingerprints import fingerprint_of
from bot.sessions.ports import Channel, ChannelError, Refusal, Time
from bot.sessions.servers import Servers
from bot.store.protocol import Store, StoreError
from bot.store.rows import PreferenceRow
from bot.titles import Title

log = logging.getLogger(__name__)

T = TypeVar("T")

_CLOSED_KEPT: Final = 86400.0
_ARRIVAL_KEPT: Final = 10.0
"""Seconds after which an interaction that nobody reported as handled is forgotten."""


class SystemTime:
    """The machine's own clocks."""

    def monotonic(self) -> float:
        """Seconds that only ever grow."""
        return time.monotonic()

    def epoch(self) -> float:
        """Seconds since 1970."""
        return time.time()


class Desk:
    """The sessions' common surroundings.

    ``online``: Discord delivers clicks at present. ``closing``: no click is taken any more.
    """

    def __init__(
        self, titles: Mapping[str, Title], store: Store, channel: Channel, clock: Time
    ) -> None:
        self.titles = titles
        self.store = store
        self.channel = channel
        self.time = clock
        self.servers = Servers(store, clock)
        self.started_at = clock.epoch()
        self.online = False
        self.closing = False
        self.may_write: Callable[[int, int], bool] = lambda _guild, _channel: True
        """Whether a server's channel or thread can be written in, as far as is known unasked."""
        self.nudge: Callable[[int, bool], None] = lambda _session, _urgent: None
        self.taken: Callable[[int], Refusal] = lambda _session: Refusal("channel_taken")
        self._arrivals: dict[int, float] = {}
        self._all_answered = asyncio.Event()
        self._all_answered.set()
        self._preferences: dict[int, PreferenceRow] = {}
        self._fingerprints: dict[str, str] = {}
        self.called: Callable[[int, int], None] = lambda _guild, _user: None
        """Told of each person who is called to a table: the server and the user."""
        self.ended: Callable[[int], None] = lambda _session: None
        """Told of each table that has come to its end, after it is stored."""
        self._closed: dict[int, float] = {}
        self._tasks: dict[asyncio.Task[Any], None] = {}

    def spawn(self, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Run work in the background, held until it is done; a failure is logged."""
        task = asyncio.create_task(work, name=name)
        self._tasks[task] = None
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task, None)
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, StoreError):  # the disk's fault: a line for the operator will do
            log.warning("%s failed: %s", task.get_name(), error)
        elif error is not None and not isinstance(error, (Refusal, ChannelError)):
            log.error("%s failed", task.get_name(), exc_info=error)

    async def drain(self, seconds: float) -> None:
        """Wait for the tasks in flight, at most so long."""
        pending = [task for task in self._tasks if task is not asyncio.current_task()]
        if pending:
            await asyncio.wait(pending, timeout=seconds)

    # Arrivals: a click counts at the moment at which the gateway delivered it.

    def arrived(self, interaction_id: int, at: float) -> None:
        """An interaction has come in (monotonic time) and is not answered yet."""
        self._arrivals[interaction_id] = at
        self._all_answered.clear()

    def handled(self, interaction_id: int) -> None:
        """An interaction has been dealt with."""
        self._arrivals.pop(interaction_id, None)
        if not self._arrivals:
            self._all_answered.set()

    async def answered(self, seconds: float) -> None:
        """Wait until every interaction that came in has been dealt with, at most so long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._all_answered.wait(), seconds)

    def is_click_before(self, moment: float) -> bool:
        """Whether a click that arrived before this moment is still being dealt with."""
        now = self.time.monotonic()
        for interaction_id, at in list(self._arrivals.items()):
            if now - at > _ARRIVAL_KEPT:
                del self._arrivals[interaction_id]
        return any(at < moment for at in self._arrivals.values())

    # People whom no direct message reaches

    def letters_refused(self, user_id: int) -> None:
        """A person takes no direct messages from us: for a day none is tried."""
        self._closed[user_id] = self.time.monotonic()

    def takes_letters(self, user_id: int) -> bool:
        """Whether it makes sense to write to a person."""
        refused = self._closed.get(user_id)
        return refused is None or self.time.monotonic() - refused > _CLOSED_KEPT

    async def calls_to(self, user_id: int) -> str:
        """Where a person is called: "here", "dm" or "off"; here too, where a letter cannot go."""
        pings = (await self.preference(user_id)).pings
        return "here" if pings == "dm" and not self.takes_letters(user_id) else pings

    # What games are checked under

    async def take_fingerprints(self) -> None:
        """Work out what the games of this program depend on."""
        for key, title in self.titles.items():
            self._fingerprints[key] = await asyncio.to_thread(fingerprint_of, title)

    def fingerprint(self, game: str) -> str | None:
        """What games of that title are checked under; None before anybody has worked it out."""
        return self._fingerprints.get(game)

    # Preferences

    async def preference(self, user_id: int) -> PreferenceRow:
        """How a person wants to be called; remembered after the first look."""
        if user_id not in self._preferences:
            self._preferences[user_id] = await self.store.preference(user_id)
        return self._preferences[user_id]

    async def set_preference(
        self, user_id: int, *, pings: str | None = None, ballots: bool | None = None
    ) -> PreferenceRow:
        """Change how a person wants to be called; None leaves it. Refusal ``not_saved``."""
        old = await self.preference(user_id)
        row = PreferenceRow(
            user_id,
            pings if pings in ("here", "dm", "off") else old.pings,
            old.ballots if ballots is None else ballots,
            own_ballots=old.own_ballots or ballots is not None,
        )
        try:
            await self.store.set_preference(row)
        except StoreError as error:
            raise Refusal("not_saved") from error
        self._preferences[user_id] = row
        self._closed.pop(user_id, None)
        return row

    def forget(self, user_id: int) -> None:
        """A person who is known no more."""
        self._preferences.pop(user_id, None)
        self._closed.pop(user_id, None)

    async def sends_ballots(self, user_id: int, guild_id: int) -> bool:
        """Whether a person gets ballots of that server by direct message."""
        if not self.takes_letters(user_id):
            return False
        row = await self.preference(user_id)
        return row.ballots if row.own_ballots else await self.servers.ballots(guild_id)
