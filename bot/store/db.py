"""The store itself: a data folder that this process holds, one writing and one reading connection.

The reading side sees only what is durable, also while a group of changes is being written.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import zlib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, cast

import aiosqlite

from bot.store import arrivals, journals, moderation, people, persons, reading, servers
from bot.store.columns import readable
from bot.store.copying import CopyStopped, address, copy_database
from bot.store.group import GroupWriter, disconnect, weigh
from bot.store.lock import FolderLock
from bot.store.mark import Gauge
from bot.store.migrate import Migration, shipped_migrations
from bot.store.opening import FOLD, is_all_folded, is_folded, prepare
from bot.store.protocol import StoreBusy, StoreClosed, StoreError, Write
from bot.store.rows import (
    ActRow,
    Arrival,
    EntryRow,
    FormerRow,
    Json,
    MessageRow,
    MotionRow,
    PreferenceRow,
    SeatRow,
    ServerRow,
    SessionRow,
    SittingRow,
)

if TYPE_CHECKING:
    from threading import Thread

# Milliseconds for which one try waits inside SQLite. Short: it blocks the connection's thread.
_BUSY_TIMEOUT = 200
# Seconds between two tries to read.
_PAUSE = 0.05


async def open_store(
    folder: Path,
    *,
    patience: float = 10.0,
    migrations: tuple[Migration, ...] | None = None,
    vfs: str | None = None,
) -> SqliteStore:
    """Open the data in `folder`, making it if it is not there.

    `patience`: for how many seconds a change waits while somebody else holds the database.
    `migrations` and `vfs` replace the shipped schema and SQLite's way to the disk. Raises
    StoreUnusable (StoreInUse, StoreDamaged, StoreTooNew), whose text is a line for the operator.
    Close the store in the end, or use it as an async context.
    """
    steps = shipped_migrations() if migrations is None else migrations
    lock, path = await asyncio.to_thread(prepare, folder, steps, vfs)
    store = SqliteStore(path, lock, patience, vfs)
    try:
        await store.connect()
    except BaseException:
        await store.close()
        raise
    return store


class SqliteStore:
    """A Store in SQLite (see protocol.Store for what each method promises)."""

    def __init__(self, path: Path, lock: FolderLock, patience: float, vfs: str | None) -> None:
        self.path = path
        self._lock = lock
        self._gauge = Gauge(path)
        self._patience = patience
        self._vfs = vfs
        self._writer = GroupWriter(self._connect_writer, patience, self._committed)
        self._reader: aiosqlite.Connection | None = None
        self._reconnecting = asyncio.Lock()
        self._closing: asyncio.Task[None] | None = None
        self._marking: asyncio.Task[None] | None = None
        self._is_marked = True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()

    @property
    def newest_lost(self) -> bool:
        """Whether the newest part of what the last run wrote was not found."""
        return self._lock.newest_lost

    async def connect(self) -> None:
        """Open both sides, so that a fault shows at the start and not at the first move."""
        await self._writer.open()
        self._reader = await self._connect_reader()
        # Only what is there can be missed, so the -wal has to be; and it goes with the last of the
        # connections that have looked, which is to be this one. Where a look fails the next waits.
        with contextlib.suppress(sqlite3.Error):
            await journals.fetch(self._reader, "SELECT count(*) FROM sqlite_schema")
        self._lock.mark_open()

    async def _connect_writer(self) -> aiosqlite.Connection:
        connection = await self._connect()
        await journals.fetch(connection, "PRAGMA synchronous = FULL")
        await journals.fetch(connection, "PRAGMA foreign_keys = ON")
        return connection

    async def _connect_reader(self) -> aiosqlite.Connection:
        connection = await self._connect()
        await journals.fetch(connection, "PRAGMA query_only = ON")
        return connection

    async def _connect(self) -> aiosqlite.Connection:
        # Autocommit: transactions begin where this package says so, not where the driver guesses.
        connection = aiosqlite.connect(
            address(self.path, self._vfs),
            uri=True,
            isolation_level=None,
            timeout=_BUSY_TIMEOUT / 1000,
        )
        # A connection that somebody forgot to close must not keep the process from ending.
        cast("Thread", getattr(connection, "_thread", connection)).daemon = True
        await connection
        connection.row_factory = sqlite3.Row
        connection.text_factory = readable
        return connection

    def _committed(self) -> None:
        self._is_marked = False
        if self._marking is None:
            self._marking = asyncio.get_running_loop().create_task(self._mark(), name="store-mark")

    async def _mark(self) -> None:
        """Note how far the -wal goes, so that a start can miss what is cut off it."""
        try:
            while not self._is_marked:
                self._is_marked = True  # whatever comes from here on is for the next turn
                await asyncio.to_thread(lambda: self._lock.note(self._gauge.mark()))
        finally:
            self._marking = None

    async def _fetch(self, sql: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        """Read. Waits out a lock and reconnects like the writing side does."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        while True:
            if self._closing is not None:
                raise StoreClosed("the store has been closed")
            try:
                return await journals.fetch(await self._reading(), sql, values)
            except (sqlite3.Error, ValueError) as error:
                fault = weigh(error)
                if fault is None:
                    raise
                if not isinstance(fault, StoreBusy) or loop.time() >= deadline:
                    raise fault from error
                if not isinstance(error, sqlite3.OperationalError):
                    await self._drop_reader()
            await asyncio.sleep(_PAUSE)

    async def _reading(self) -> aiosqlite.Connection:
        async with self._reconnecting:
            if self._reader is None:
                self._reader = await self._connect_reader()
            return self._reader

    async def _drop_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            await disconnect(reader)

    async def commit(self, write: Write) -> None:
        await self._writer.run(partial(_apply, write))

    async def open_session(
        self,
        row: SessionRow,
        seats: tuple[SeatRow, ...] = (),
        messages: tuple[MessageRow, ...] = (),
        interaction: int | None = None,
    ) -> int:
        return await self._writer.run(
            lambda connection: journals.insert_session(
                connection, row, seats, messages, interaction
            )
        )

    async def session(self, session_id: int) -> SessionRow | None:
        return await reading.session_by_id(self._fetch, session_id)

    async def session_by_code(self, code: str) -> SessionRow | None:
        return await reading.session_by_code(self._fetch, code)

    async def live_sessions(self) -> tuple[SessionRow, ...]:
        return await reading.live_sessions(self._fetch)

    async def sessions_of_channel(
        self, channel_id: int, *, live: bool = True
    ) -> tuple[SessionRow, ...]:
        return await reading.sessions_of_channel(self._fetch, channel_id, live=live)

    async def sessions_of_user(self, user_id: int, *, live: bool = True) -> tuple[SessionRow, ...]:
        return await reading.sessions_of_user(self._fetch, user_id, live=live)

    async def finished(
        self, guild_id: int, limit: int = 25, offset: int = 0
    ) -> tuple[SessionRow, ...]:
        return await reading.finished(self._fetch, guild_id, limit, offset)

    async def seats(self, session_id: int) -> tuple[SeatRow, ...]:
        return await reading.seats(self._fetch, session_id)

    async def entries(self, session_id: int) -> tuple[EntryRow, ...]:
        return await reading.entries(self._fetch, session_id)

    async def set_aside(self, session_id: int, ply: int, at: float) -> int:
        return await self._writer.run(
            lambda connection: journals.set_aside(connection, session_id, ply, at)
        )

    async def messages(self, session_id: int) -> tuple[MessageRow, ...]:
        return await reading.messages(self._fetch, session_id)

    async def open_messages(self) -> tuple[MessageRow, ...]:
        return await reading.open_messages(self._fetch)

    async def acts(
        self, guild_id: int, session_id: int | None = None, limit: int = 25, offset: int = 0
    ) -> tuple[ActRow, ...]:
        return await reading.acts(self._fetch, guild_id, session_id, limit, offset)

    async def sittings(self, session_id: int) -> tuple[SittingRow, ...]:
        return await reading.sittings(self._fetch, session_id)

    async def formers(self, session_id: int) -> tuple[FormerRow, ...]:
        return await reading.formers(self._fetch, session_id)

    async def motions(self, session_id: int) -> tuple[MotionRow, ...]:
        return await reading.motions(self._fetch, session_id)

    async def was_counted(self, interaction: int) -> bool:
        return await people.was_counted(self._fetch, interaction)

    async def purge_interactions(self, before: float) -> int:
        return await self._writer.run(
            lambda connection: people.purge_interactions(connection, before)
        )

    async def put_content(self, digest: str, game: str, body: bytes) -> None:
        packed = await asyncio.to_thread(zlib.compress, body)
        await self._writer.run(
            lambda connection: people.put_content(connection, digest, game, packed)
        )

    async def get_content(self, digest: str) -> bytes | None:
        return await people.content(self._fetch, digest)

    async def preference(self, user_id: int) -> PreferenceRow:
        return await people.preference(self._fetch, user_id)

    async def set_preference(self, row: PreferenceRow) -> None:
        await self._writer.run(lambda connection: people.put_preference(connection, row))

    async def setting(self, key: str) -> str | None:
        return await people.setting(self._fetch, key)

    async def set_setting(self, key: str, value: str | None) -> None:
        await self._writer.run(lambda connection: people.put_setting(connection, key, value))

    async def server(self, guild_id: int) -> ServerRow:
        return await servers.server(self._fetch, guild_id)

    async def set_server(self, guild_id: int, settings: Mapping[str, Json], act: ActRow) -> None:
        async def work(connection: aiosqlite.Connection) -> None:
            await servers.set_server(connection, guild_id, settings)
            await moderation.put_act(connection, act)

        await self._writer.run(work)

    async def note_act(self, act: ActRow) -> None:
        await self._writer.run(lambda connection: moderation.put_act(connection, act))

    async def known_servers(self) -> Mapping[int, float | None]:
        return await servers.known_servers(self._fetch)

    async def mark_servers(self, left: tuple[int, ...], back: tuple[int, ...], at: float) -> None:
        await self._writer.run(lambda connection: servers.mark_servers(connection, left, back, at))

    async def erase_server(self, guild_id: int, before: float) -> tuple[int, ...]:
        return await self._writer.run(
            lambda connection: servers.erase_server(connection, guild_id, before)
        )

    async def purge_games(self, before: float, at: float, limit: int) -> tuple[int, ...]:
        return await self._writer.run(
            lambda connection: servers.purge_games(connection, before, at, limit)
        )

    async def newest(self) -> float:
        return await servers.newest(self._fetch)

    async def is_gone(self, code: str) -> bool:
        return await servers.is_gone(self._fetch, code)

    async def about(self, user_id: int) -> dict[str, Json]:
        return await persons.about(self._fetch, user_id)

    async def bring_in(self, arrival: Arrival) -> int:
        return await self._writer.run(lambda connection: arrivals.bring_in(connection, arrival))

    async def forget(self, user_id: int, name: str) -> tuple[int, ...]:
        async def work(connection: aiosqlite.Connection) -> tuple[int, ...]:
            await moderation.forget(connection, user_id)
            return await people.forget(connection, user_id, name)

        return await self._writer.run(work)

    async def backup(self, path: Path) -> None:
        if self._closing is not None:
            raise StoreClosed("the store has been closed")
        # Closing must not wait until a long copy is complete.
        copy = partial(copy_database, self.path, path, go_on=lambda: self._closing is None)
        try:
            await asyncio.to_thread(copy)
        except CopyStopped as error:
            raise StoreClosed("the store has been closed") from error
        except (sqlite3.Error, OSError) as error:
            raise weigh(error) or StoreBusy(f"no backup was written: {error}") from error

    async def close(self) -> None:
        if self._closing is None:
            self._closing = asyncio.get_running_loop().create_task(
                self._close(), name="store-close"
            )
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        try:
            await self._writer.close()
            if self._marking is not None:
                await self._marking
            await self._fold()
            await self._drop_reader()
            if await asyncio.to_thread(is_folded, self.path):
                self._lock.mark_closed()
        finally:
            self._gauge.close()
            self._lock.release()

    async def _fold(self) -> None:
        """Note that all is in the database's own file, before the -wal goes with the reader."""
        if self._reader is not None:
            with contextlib.suppress(sqlite3.Error, ValueError):
                (told,) = await journals.fetch(self._reader, FOLD)
                if is_all_folded(tuple(told)):
                    self._lock.mark_closed()


async def _apply(write: Write, connection: aiosqlite.Connection) -> None:
    await journals.apply_write(connection, write)
    await moderation.note(connection, write)


__all__ = ["SqliteStore", "StoreError", "open_store"]
