"""The writing side: changes that come together share one transaction and one wait for the disk.

Each change has a savepoint, so one that is refused fails alone. What they have in common is the
commit: if that fails, nothing of the group was written and all are told so.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sqlite3
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar, cast

import aiosqlite

from bot.store.journals import fetch
from bot.store.protocol import BadWrite, StoreBusy, StoreClosed, StoreDamaged, StoreError

_log = logging.getLogger(__name__)

T = TypeVar("T")
Change = Callable[[aiosqlite.Connection], Awaitable[T]]

# A group beyond this would hold up its first members for its last.
_GROUP_LIMIT = 100
# Seconds between two tries to get the write lock; each try waits too (busy_timeout).
_PAUSE = 0.05
# What remains for a change that is waiting when the store is closed.
_CLOSING_PATIENCE = 2.0
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_INTERRUPT,
}
# The driver's words for a connection that is gone.
_LOST = {"Connection closed", "no active connection"}
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def weigh(error: Exception) -> StoreError | None:
    """The error that a fault of file, disk or connection means for everybody who waits.

    None if it is no such fault, but the fault of one statement.
    """
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None and code & 0xFF in _PASSING:
            return StoreBusy(f"the database cannot be written now: {error}")
        if code is not None and code & 0xFF in _DAMAGE:
            return StoreDamaged(f"the database is damaged: {error}")
        if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
            return StoreBusy(f"the database connection was lost: {error}")
        return None
    if isinstance(error, ValueError) and str(error) in _LOST:
        return StoreBusy(f"the database connection was lost: {error}")
    return None


@dataclass(slots=True)
class _Waiting:
    change: Change[object]
    done: asyncio.Future[object]
    deadline: float


class GroupWriter:
    """The one writer of a database. `connect` makes a connection in autocommit mode.

    `patience`: for how many seconds a change waits for a lock that somebody else holds.
    `committed` is called when something has become durable.
    """

    def __init__(
        self,
        connect: Callable[[], Awaitable[aiosqlite.Connection]],
        patience: float,
        committed: Callable[[], None] = lambda: None,
    ) -> None:
        self._committed = committed
        self._connect = connect
        self._patience = patience
        self._connection: aiosqlite.Connection | None = None
        self._waiting: deque[_Waiting] = deque()
        self._flusher: asyncio.Task[None] | None = None
        self._closed = False

    async def open(self) -> None:
        """Connect now, so that a fault shows at once."""
        self._connection = await self._connect()

    async def run(self, change: Change[T]) -> T:
        """Make a change and return what it returns, once it is durable.

        A caller that is cancelled stops waiting; the change is made all the same.
        """
        if self._closed:
            raise StoreClosed("the store has been closed")
        loop = asyncio.get_running_loop()
        waiting = _Waiting(change, loop.create_future(), loop.time() + self._patience)
        self._waiting.append(waiting)
        if self._flusher is None:
            self._flusher = loop.create_task(self._flush(), name="store-flusher")
            self._flusher.add_done_callback(self._flushed)
        # Cancelling ends this wait only: the flusher settles what nobody waits for as well.
        return cast("T", await waiting.done)

    async def close(self) -> None:
        """Refuse what comes, finish what waits, disconnect."""
        self._closed = True
        soon = asyncio.get_running_loop().time() + _CLOSING_PATIENCE
        for waiting in self._waiting:
            waiting.deadline = min(waiting.deadline, soon)
        if self._flusher is not None:
            await asyncio.wait([self._flusher])
        await self._disconnect()

    def _flushed(self, task: asyncio.Task[None]) -> None:
        # Between the end of a flusher and this call a change may have come and started the next.
        if self._flusher is not task:
            return
        self._flusher = None
        if not task.cancelled() and task.exception() is not None:
            _log.error("The store's flusher has failed", exc_info=task.exception())
        while self._waiting:
            _settle(self._waiting.popleft(), StoreClosed("the store has stopped"))

    async def _flush(self) -> None:
        while self._waiting:
            fault = await self._begin()
            if fault is None:
                count = min(len(self._waiting), _GROUP_LIMIT)
                await self._write([self._waiting.popleft() for _ in range(count)])
            else:
                self._expire(fault)
                if self._waiting:
                    await asyncio.sleep(_PAUSE)
        # Here, not in the callback: a change that comes before that must start a new flusher.
        self._flusher = None

    def _expire(self, fault: StoreError) -> None:
        now = asyncio.get_running_loop().time()
        kept: deque[_Waiting] = deque()
        while self._waiting:
            waiting = self._waiting.popleft()
            if waiting.deadline <= now or isinstance(fault, StoreDamaged):
                _settle(waiting, type(fault)(*fault.args))
            else:
                kept.append(waiting)
        self._waiting = kept

    async def _begin(self) -> StoreError | None:
        try:
            if self._connection is None:
                self._connection = await self._connect()
            await fetch(self._connection, "BEGIN IMMEDIATE")
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            fault = weigh(error) or StoreBusy(f"the database cannot be written now: {error!r}")
            if not await self._is_idle():
                await self._disconnect()
            return fault
        except asyncio.CancelledError:
            # The BEGIN may succeed yet in the worker's thread.
            await self._disconnect()
            raise
        return None

    async def _is_idle(self) -> bool:
        """Whether the connection works and no transaction is open."""
        if self._connection is None:
            return False
        try:
            await fetch(self._connection, "SELECT 1")
            return not self._connection.in_transaction
        except (sqlite3.Error, ValueError):
            return False

    async def _write(self, group: list[_Waiting]) -> None:
        connection = self._connection
        assert connection is not None
        outcomes: list[object] = []
        try:
            outcomes.extend([await _in_savepoint(connection, waiting.change) for waiting in group])
            await fetch(connection, "COMMIT")
            self._committed()
        except Exception as error:  # noqa: BLE001 - whatever it is, the group must hear of it
            fault = weigh(error)
            if fault is None:
                _log.error("A group of changes was not written", exc_info=error)
                fault = StoreBusy(f"the change could not be written: {error!r}")
            await self._roll_back()
            outcomes = [type(fault)(*fault.args) for _ in group]
        except asyncio.CancelledError:
            await self._disconnect()
            for waiting in group:
                _settle(waiting, StoreClosed("the store was stopped while writing"))
            raise
        # Only now: a refusal may rest on another of the group, which had to be written first.
        for waiting, outcome in zip(group, outcomes, strict=True):
            _settle(waiting, outcome)

    async def _roll_back(self) -> None:
        """Where even that fails, the next BEGIN finds out and takes a new connection."""
        assert self._connection is not None
        with contextlib.suppress(sqlite3.Error, ValueError):
            if self._connection.in_transaction:
                await fetch(self._connection, "ROLLBACK")

    async def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await disconnect(connection)


async def disconnect(connection: aiosqlite.Connection) -> None:
    """Close a connection, whatever state it is in."""
    try:
        await connection.close()
    except (sqlite3.Error, ValueError) as error:
        _log.warning("A database connection did not close properly: %s", error)


async def _in_savepoint(connection: aiosqlite.Connection, change: Change[object]) -> object:
    """What the change returns, or the error with which it failed alone.

    Raises what fails the whole group.
    """
    await fetch(connection, "SAVEPOINT change")
    try:
        outcome = await change(connection)
    except StoreError as error:
        outcome = error
    except Exception as error:
        # A full disk ends the transaction by itself: then there is nothing left to save.
        if weigh(error) is not None or not connection.in_transaction:
            raise
        outcome = BadWrite(f"the change does not fit the schema: {error!r}")
        outcome.__cause__ = error
    else:
        await fetch(connection, "RELEASE change")
        return outcome
    await fetch(connection, "ROLLBACK TO change")
    await fetch(connection, "RELEASE change")
    return outcome


def _settle(waiting: _Waiting, outcome: object) -> None:
    if waiting.done.done():
        return
    if isinstance(outcome, BaseException):
        waiting.done.set_exception(outcome)
        # Nobody may be left to ask: a cancelled caller stops listening.
        waiting.done.exception()
    else:
        waiting.done.set_result(outcome)
