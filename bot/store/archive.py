"""Backups: writing one while the bot runs or not, and looking into one without touching it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import sqlite3
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bot.store import people, reading
from bot.store.columns import readable
from bot.store.copying import PATIENCE, CopyStopped, copy_database, fault_of, fill, glance
from bot.store.lock import look, remedy
from bot.store.migrate import Migration, migrate, shipped_migrations, version_of
from bot.store.opening import (
    APPLICATION,
    DATABASE_NAME,
    MAGIC,
    foreign,
    has_backups,
    is_begun,
    way_back,
)
from bot.store.protocol import (
    StoreClosed,
    StoreDamaged,
    StoreForeign,
    StoreInUse,
    StoreTooNew,
    StoreUnusable,
)
from bot.store.rows import EntryRow, SessionRow

_LOCKED = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_TEMPORARY = tempfile.gettempdir()


def write_backup(
    folder: Path,
    target: Path,
    *,
    go_on: Callable[[], bool] = lambda: True,
    patience: float = 10.0,
    instead: str = "",
) -> None:
    """Write a sound copy of a data folder's database to `target`, in place of what is there.

    `instead`: what else helps where `target` cannot be written, in words. Everything that was
    acknowledged before the call is in it; who plays does not notice. Raises StoreUnusable
    (StoreDamaged, StoreInUse, StoreTooNew) with a line for the operator, and then `target` is what
    it was before; StoreClosed if `go_on` has said no.
    """
    database = demand_database(folder, "there is nothing to back up", patience=patience)
    demand_place(folder, target)
    what = f"no backup was written to {target}"
    with remedied(database), told_in_one_line(database, what, target.parent, instead):
        copy_database(database, target, go_on=go_on, patience=patience)


def demand_database(folder: Path, otherwise: str, *, patience: float = PATIENCE) -> Path:
    """The database of a data folder that is only looked at, after a look at its beginning.

    Raises what examine raises, with the way back; if there never was one, the text says `otherwise`
    why that is a fault.
    """
    database = folder / DATABASE_NAME
    try:
        if not is_begun(database, was_set_up=look(folder).was_set_up):
            what = "is empty" if database.exists() else "does not exist"
            back = f". {way_back(database)}" if has_backups(folder) else ""
            raise StoreUnusable(f"{database} {what}: {otherwise}{back}")
    except OSError as error:
        raise StoreUnusable(f"{database} cannot be read ({error.strerror})") from error
    with remedied(database):
        examine(database, patience=patience)
    return database


@contextlib.contextmanager
def remedied(database: Path) -> Iterator[None]:
    """Add to what is said of a data folder's own database, if it is of no use, how to go on."""
    try:
        yield
    except StoreForeign as error:
        raise foreign(database) from error
    except StoreTooNew as error:
        back = way_back(database, "from before the upgrade")
        raise StoreTooNew(f"{error}. {back}") from error
    except StoreDamaged as error:
        raise StoreDamaged(f"{error}. {way_back(database)}") from error


def demand_place(folder: Path, target: Path) -> None:
    """Refuse to write a copy over anything but a copy. Raises StoreUnusable."""
    if not target.parent.is_dir():
        raise StoreUnusable(f"{target.parent} is no folder: make it first")
    inside = target.parent.resolve() == folder.resolve()
    if inside and target.name.startswith(DATABASE_NAME):
        raise StoreUnusable(f"{target} belongs to the running database: choose another name")
    if target.is_dir():
        raise StoreUnusable(f"{target} is a folder: name a file")
    if target.exists():
        try:
            examine(target)
        except (StoreDamaged, StoreTooNew) as error:
            told = f"{target} is there and is not one of this bot's backups: choose another name"
            raise StoreUnusable(told) from error


def examine(path: Path, *, newest: int | None = None, patience: float = PATIENCE) -> int:
    """The schema version of a database of ours, from a look at its beginning.

    Raises StoreUnusable: it is not there or cannot be read; StoreDamaged: it is no database, or
    another program's; StoreTooNew; StoreInUse.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(MAGIC))
    except FileNotFoundError as error:
        raise StoreUnusable(f"{path} does not exist") from error
    except OSError as error:
        raise StoreUnusable(f"{path} cannot be read ({error.strerror})") from error
    if not start:
        raise StoreDamaged(f"{path} is empty")
    if start != MAGIC:
        raise StoreDamaged(f"{path} is not a database of this bot: it is no SQLite file")
    with (
        told_in_one_line(path, f"{path} cannot be read"),
        contextlib.closing(glance(path, patience=patience)) as connection,
    ):
        version = version_of(connection)
        ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    if application != APPLICATION:
        raise StoreForeign(f"{path} is the database of another program")
    known = shipped_migrations()[-1].number if newest is None else newest
    if version > known:
        raise StoreTooNew(
            f"{path} was written by a newer version of the bot (schema {version}, this one knows"
            f" {known}): use that version"
        )
    return version


@contextlib.contextmanager
def told_in_one_line(
    path: Path, what: str, disk: Path | None = None, instead: str = ""
) -> Iterator[None]:
    """Turn what SQLite and the system say about `path` into one line, after `what`.

    `disk`: the folder that is written to; without one, it is that of temporary files. `instead`:
    what else helps if that folder cannot be written in.
    """
    where = f"the disk that holds {disk if disk is not None else f'temporary files ({_TEMPORARY})'}"
    full = f"{what}: {where} is full: free some space there{instead}"
    try:
        yield
    except CopyStopped as error:
        raise StoreClosed("the copy was given up") from error
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in _LOCKED:
            raise StoreInUse(f"{what}: another program keeps {path} locked; close it") from error
        if code in _DAMAGE:
            told = f"{path} is damaged ({error})"
            raise StoreDamaged(told if str(path) in what else f"{what}: {told}") from error
        if code == sqlite3.SQLITE_FULL:
            raise StoreUnusable(full) from error
        raise StoreUnusable(f"{what}: {error}") from error
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise StoreUnusable(full) from error
        if disk is not None and error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
            why = f"{error.strerror}): {remedy(disk, error)}{instead}"
            raise StoreUnusable(f"{what} ({why}") from error
        raise StoreUnusable(f"{what}: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class Archive:
    """What a database holds, at one moment. Only for reading; made by open_archive."""

    _connection: sqlite3.Connection
    _turn: threading.Lock = field(default_factory=threading.Lock)

    async def _fetch(self, sql: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        return await asyncio.to_thread(self._rows, sql, values)

    def _rows(self, sql: str, values: tuple[object, ...]) -> list[sqlite3.Row]:
        try:
            with self._turn:
                return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise StoreUnusable(f"it cannot be read: {error}") from error

    def close(self) -> None:
        """Let go of the file, once a query that nobody waits for any more has ended."""
        with self._turn:
            self._connection.close()

    async def size(self) -> int:
        """How many sessions there are, ended ones too."""
        return (await self._fetch("SELECT count(*) FROM session", ()))[0][0]

    async def live_sessions(self) -> tuple[SessionRow, ...]:
        """All that have not ended, the next to wake first."""
        return await reading.live_sessions(self._fetch)

    async def entries(self, session_id: int) -> tuple[EntryRow, ...]:
        """The journal in order. Raises JournalDamaged when records are missing."""
        return await reading.entries(self._fetch, session_id)

    async def get_content(self, digest: str) -> bytes | None:
        """The content of that digest."""
        return await people.content(self._fetch, digest)

    async def orphans(self) -> tuple[str, ...]:
        """The tables that hold rows which refer to nothing; none in a sound database."""
        found = await self._fetch("PRAGMA foreign_key_check", ())
        return tuple(sorted({row[0] for row in found}))


def check_archive(path: Path) -> None:
    """Whether it is sound and can be brought up to date. Raises what open_archive raises."""
    _opened(path, shipped_migrations(), False, lambda: True).close()


@contextlib.asynccontextmanager
async def open_archive(
    path: Path, *, migrations: tuple[Migration, ...] | None = None, moving: bool = False
) -> AsyncIterator[Archive]:
    """Look into a database without changing a byte of it, whatever schema it has.

    `moving`: others may write to it meanwhile. Raises what examine raises, and StoreDamaged.
    """
    steps = shipped_migrations() if migrations is None else migrations
    wanted = threading.Event()
    wanted.set()
    try:
        connection = await asyncio.to_thread(_opened, path, steps, moving, wanted.is_set)
    except asyncio.CancelledError:
        wanted.clear()  # a thread that looks through a large database would hold up the end
        raise
    archive = Archive(connection)
    try:
        yield archive
    finally:
        await asyncio.to_thread(archive.close)


def _opened(
    path: Path, steps: tuple[Migration, ...], moving: bool, go_on: Callable[[], bool]
) -> sqlite3.Connection:
    version = examine(path, newest=steps[-1].number)
    copied = moving or version < steps[-1].number
    with contextlib.ExitStack() as undo, told_in_one_line(path, f"{path} cannot be read"):
        # A database without a name lies in a file that goes with the connection, however the
        # process ends. Threads take turns: each query is one call that is awaited.
        shown = (
            sqlite3.connect("", isolation_level=None, check_same_thread=False)
            if copied
            else glance(path, shared=True)
        )
        undo.callback(shown.close)
        if copied:
            fill(shown, path, go_on=go_on)
            migrate(shown, path, steps, keep_copy=False)
        fault = fault_of(shown, go_on)
        if fault is not None:
            raise StoreDamaged(f"{path} is damaged ({fault})")
        shown.row_factory = sqlite3.Row
        shown.text_factory = readable
        undo.pop_all()
    return shown
