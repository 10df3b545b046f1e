"""After a start: which tables have to be looked at, and in what order. Most of them do not.

A table whose journal was checked under this very program, and of which Discord shows everything,
is left alone until somebody clicks or its time comes. The others are looked at one after the other:
first what players do not see yet, then by deadline; what is clicked meanwhile is replayed for that
click. A table that has never been checked by this program is so before anything is done with it.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from typing import Final

from bot.counted import counted
from bot.sessions.desk import Desk
from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.publisher import Publisher
from bot.sessions.session import Session
from bot.store.protocol import StoreError
from bot.store.rows import OPEN_WANTS

log = logging.getLogger(__name__)

AT_ONCE: Final = 2
"""So many tables are looked at in one beat of the pump."""


class Start:
    """The tables that are still to be looked at."""

    def __init__(self, desk: Desk, publisher: Publisher) -> None:
        self.desk = desk
        self.publisher = publisher
        self.found = self.broken = 0
        """Live tables at the start, and those among them that could not be replayed."""
        self._left: list[Session] = []
        self._is_busy = False

    @property
    def brought_back(self) -> int:
        """How many live tables were found and not found broken so far."""
        return self.found - self.broken

    def plan(self, sessions: Iterable[Session]) -> None:
        """Note who has to be looked at; the next comes last."""
        known = list(sessions)
        self.found = sum(not one.is_over for one in known)
        found = [one for one in known if owes(one) or _wakes(one) or not one.is_checked]
        found.sort(key=lambda one: (not owes(one), one.row.wake_at or math.inf, one.id))
        self._left = found[::-1]
        log.info("to be looked at after the start: %s", counted(len(self._left), "table"))

    def go_on(self) -> None:
        """Called by the pump: look at the next few, unless the last ones still take their time."""
        if self._left and not self._is_busy and self.desk.online:
            few = [self._left.pop() for _ in range(min(AT_ONCE, len(self._left)))]
            self._is_busy = True
            self.desk.spawn(self._look(few), "start")

    async def _look(self, few: Iterable[Session]) -> None:
        try:
            for session in few:
                try:
                    await session.look_after_start()
                except (Refusal, StoreError) as trouble:
                    if isinstance(trouble, StoreError) or trouble.problem == "not_read":
                        self._left.insert(0, session)  # the disk is busy: after the others
                        continue
                    self.broken += 1
                    log.warning("table %s is not restored: %s", session.code, trouble.problem)
                if owes(session) or _wakes(session):
                    session.version += 1
                    self.publisher.nudge(session)
        finally:
            self._is_busy = False


def owes(session: Session) -> bool:
    """Whether Discord does not show everything yet."""
    is_behind = session.row.published_ply != session.row.ply and session.status is Status.RUNNING
    return is_behind or any(row.want in OPEN_WANTS for row in session.messages.values())


def _wakes(session: Session) -> bool:
    return session.row.wake_at is not None and session.status is Status.RUNNING
