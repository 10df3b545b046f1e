"""Everything that is checked before a data folder is used. Blocking; runs in a thread.

The checks only read. A database that is damaged, foreign or too new keeps every byte it has.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from bot.store.copying import address, glance
from bot.store.lock import LOCK_NAME, FolderLock, look, remedy
from bot.store.mark import Gauge, Mark
from bot.store.migrate import Migration, migrate, version_of
from bot.store.protocol import (
    StoreDamaged,
    StoreForeign,
    StoreInUse,
    StoreTooNew,
    StoreUnusable,
)

_log = logging.getLogger(__name__)

DATABASE_NAME = "nightwatch.db"
BACKUPS = "backups"
"""The folder for backups in the data folder."""

MAGIC = b"SQLite format 3\x00"
APPLICATION = 0x4E574348
# STRICT tables need it.
_OLDEST_SQLITE = (3, 37, 0)
# Bytes of free disk below which a fault is one of a full disk: SQLite's shared memory needs some.
_LEAST_FREE = 1_000_000
# How long to wait, in seconds, for a tool that has the database open while the bot starts.
_START_PATIENCE = 5.0


def prepare(
    folder: Path, migrations: tuple[Migration, ...], vfs: str | None = None
) -> tuple[FolderLock, Path]:
    """Lock the folder, check the database, bring it up to date. Returns the lock and the file.

    Whoever opens the file then calls the lock's mark_open, as soon as the file has a -wal again.
    Raises StoreInUse, StoreDamaged, StoreTooNew or StoreUnusable, with a line for the operator.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise StoreUnusable(f"SQLite {sqlite3.sqlite_version} is too old, at least 3.37 is needed")
    _demand_folder(folder)
    lock = FolderLock(folder)
    try:
        path = folder / DATABASE_NAME
        with _explained(path):
            _miss(_lost(path, lock.mark) if lock.was_cut_off else None, lock)
            _demand_sound(path, lock, migrations[-1].number, vfs)
            _bring_up_to_date(path, migrations, vfs, lock)
    except BaseException:
        lock.release()
        raise
    return lock, path


def _demand_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnusable(
            f"cannot make the data folder {folder} ({error.strerror}):"
            f" {remedy(folder.parent, error)}"
        ) from error
    # SQLite needs to make files beside the database, so try just that.
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StoreUnusable(
            f"cannot write in the data folder {folder} ({error.strerror}): {remedy(folder, error)}"
        ) from error
    for name in (DATABASE_NAME, f"{DATABASE_NAME}-wal"):
        if (folder / name).exists() and not os.access(folder / name, os.R_OK | os.W_OK):
            raise StoreUnusable(f"cannot write to {folder / name}: {remedy(folder)}")


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreInUse(
                f"another program has {path} open and locked: close it and start again"
            ) from error
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise _damaged(path, str(error)) from error
        raise StoreUnusable(f"{path} cannot be opened: {error}{_why(path, code)}") from error
    except OSError as error:
        why = remedy(path.parent, error)
        raise StoreUnusable(f"{path} cannot be opened ({error.strerror}): {why}") from error


def _why(path: Path, code: int) -> str:
    """What most likely stands behind a fault of the disk, as SQLite names it, and what helps."""
    if code == sqlite3.SQLITE_FULL or shutil.disk_usage(path.parent).free < _LEAST_FREE:
        return "; the disk is full: free some space there"
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_PROTOCOL):
        return "; is the data folder on a network share? Use a local disk"
    return ""


FOLD = "PRAGMA wal_checkpoint"
"""Puts what is in the -wal into the database's own file, as far as nobody is in the way."""


def is_all_folded(told: Sequence[int]) -> bool:
    """Whether nothing is left in the -wal, by what FOLD has told."""
    is_busy, frames, folded = told
    return not is_busy and 0 <= frames == folded


def is_folded(path: Path) -> bool:
    """Whether all that was committed is in the database's own file."""
    wal = path.with_name(f"{path.name}-wal")
    return not wal.exists() or wal.stat().st_size == 0


def _miss(told: str | None, lock: FolderLock) -> None:
    """A database whose newest part is gone looks sound, so only the lock's file can tell."""
    if told is not None:
        lock.newest_lost = True
        _log.warning("%s; the tables go on from what is there", told)


def newest_lost(folder: Path) -> str | None:
    """A line that the newest moves are missing in a folder that is only looked at; None if not."""
    path, told = folder / DATABASE_NAME, look(folder)
    if not told.was_cut_off:
        return None
    lost = _lost(path, told.mark)
    if lost is not None or told.mark is None:
        return lost
    with (
        contextlib.suppress(sqlite3.Error, OSError),
        contextlib.closing(Gauge(path)) as gauge,
        contextlib.closing(glance(path)) as shown,
    ):
        shown.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        return _shortened(path, told.mark, gauge)
    return None


def _lost(path: Path, mark: Mark | None) -> str | None:
    """A line that the whole -wal of a run that was cut off is missing. Nobody has it open."""
    wal = path.with_name(f"{path.name}-wal")
    is_gone = not wal.exists()
    is_empty = mark is not None and not is_gone and wal.stat().st_size == 0
    if not (is_gone or is_empty) or not path.exists() or (mark is not None and mark.is_in(path)):
        return None
    return (
        f"the last run was cut off, and {wal} is {'not there any more' if is_gone else 'empty'}:"
        f" unless another program has put it into {path.name}, the newest moves are missing"
    )


def _shortened(path: Path, mark: Mark, gauge: Gauge) -> str | None:
    """A line that the end of the -wal is missing. The database must be open, and was read."""
    wal = path.with_name(f"{path.name}-wal")
    count = gauge.missing(mark) if wal.exists() and wal.stat().st_size else 0
    if not count:
        return None
    return (
        f"the last run was cut off, and of {wal} the end, {count} of {mark.frames} pages, is not"
        " there any more: the newest moves are missing"
    )


def way_back(path: Path, which: str = "") -> str:
    """How to go on with a backup in place of the database at `path`, as a sentence.

    `which` backup, in words, if not the latest.
    """
    backup = f"a backup {which}" if which else "your latest backup"
    return (
        f"To go on with {backup}: python -m bot restore-backup FILE (backups are in"
        f" {path.parent / BACKUPS})"
    )


def foreign(path: Path) -> StoreForeign:
    """The data folder's database is not this bot's."""
    told = "is the database of another program: set DATA_DIR to the bot's own folder"
    return StoreForeign(f"{path} {told}, or move that file elsewhere")


def is_begun(path: Path, *, was_set_up: bool) -> bool:
    """Whether a data folder has a database, by what can be seen before SQLite opens it.

    `was_set_up`: what the folder's lock tells. Raises StoreDamaged with the way back if what there
    has been is gone or is no database any more, StoreUnusable if a folder has its name.
    """
    demand_no_folder(path)
    wal = path.with_name(f"{path.name}-wal")
    is_left = wal.exists() and wal.stat().st_size > 0
    if not path.exists():
        if was_set_up or is_left:
            lock = path.parent / LOCK_NAME
            raise _gone(path, [lock] * was_set_up + [wal] * is_left)
        return False
    if path.stat().st_size == 0:
        if was_set_up:
            raise _damaged(path, "it is empty, but there has been a database here")
        if is_left:
            raise _damaged(path, f"it is empty, but {wal.name} is not")
        return False
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise _damaged(path, "it is not an SQLite database")
    return True


def demand_no_folder(path: Path) -> None:
    """Refuse a database that is a folder. Raises StoreUnusable."""
    if path.is_dir():
        raise StoreUnusable(f"{path} is a folder, where the database should be: move it elsewhere")


def has_backups(folder: Path) -> bool:
    """Whether there are backups in a data folder's folder for them."""
    return any((folder / BACKUPS).glob("*.db"))


def _gone(path: Path, left: list[Path]) -> StoreDamaged:
    return StoreDamaged(
        f"{path} is gone, but there has been a database here. {way_back(path)}. To begin anew,"
        f" without any game, remove {' and '.join(map(str, left))} too"
    )


def _damaged(path: Path, fault: str) -> StoreDamaged:
    return StoreDamaged(
        f"{path} is damaged ({fault}). It was left as it is. {way_back(path)}; that keeps the"
        " damaged file"
    )


def _demand_sound(path: Path, lock: FolderLock, newest: int, vfs: str | None) -> None:
    if not is_begun(path, was_set_up=lock.was_set_up):
        if has_backups(path.parent):
            told = "there is no database in %s, though there are backups: a new one is begun. %s"
            _log.warning(told, path.parent, way_back(path))
        return
    with (
        contextlib.closing(Gauge(path)) as gauge,
        contextlib.closing(glance(path, vfs, patience=_START_PATIENCE)) as connection,
    ):
        version = version_of(connection)
        if version > newest:
            raise StoreTooNew(
                f"{path} was written by a newer version of the bot (schema {version}, this one"
                f" knows {newest}): use that version. {way_back(path, 'from before the upgrade')}"
            )
        ((application,),) = connection.execute("PRAGMA application_id").fetchall()
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()[0][0]
        if (version or tables) and application != APPLICATION:
            raise foreign(path)
        faults = connection.execute("PRAGMA quick_check(1)").fetchall()
        if faults != [("ok",)]:
            raise _damaged(path, str(faults[0][0]).replace("\n", " "))
        if lock.was_cut_off and lock.mark is not None:
            _miss(_shortened(path, lock.mark, gauge), lock)


def _bring_up_to_date(
    path: Path, migrations: tuple[Migration, ...], vfs: str | None, lock: FolderLock
) -> None:
    uri = address(path, vfs)
    with contextlib.closing(
        sqlite3.connect(uri, uri=True, isolation_level=None, timeout=_START_PATIENCE)
    ) as connection:
        ((mode,),) = connection.execute("PRAGMA journal_mode = WAL").fetchall()
        if mode != "wal":
            raise StoreUnusable(
                f"{path}: SQLite answers journal mode {mode!r} instead of 'wal'; is the data folder"
                " on a network share? Use a local disk"
            )
        connection.execute("PRAGMA synchronous = FULL").fetchall()
        migrate(connection, path, migrations)
        # The -wal goes with the connection. A loss must not go by, should this end before a table
        # can be told; and what does not fit on the disk now stays where it is.
        with contextlib.suppress(sqlite3.Error):
            if is_all_folded(connection.execute(FOLD).fetchone()) and not lock.newest_lost:
                lock.mark_closed()
