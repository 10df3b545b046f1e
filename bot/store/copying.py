"""Sound copies of a live database. Copying its file alone would lose what is still in the -wal."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import quote

PATIENCE: Final = 10.0
"""Seconds for which a copy waits while somebody else keeps the database to themselves."""

# Pages between two looks whether to go on: about a megabyte.
_STEP = 256
# Steps of SQLite's machine between two looks whether to go on: some milliseconds.
_LOOKS = 100_000
# Seconds between two tries to get at a page.
_PAUSE = 0.05
# SQLite's way to a file on which it cannot take a lock for writing.
_WITHOUT_LOCKS = "win32-none" if sys.platform == "win32" else "unix-none"


class CopyStopped(Exception):
    """The copy was given up, because whoever wanted it no longer does."""


def address(path: Path, vfs: str | None = None, *, read_only: bool = False) -> str:
    """The database as a URI for sqlite3.connect(..., uri=True)."""
    options = ["mode=ro" if read_only else "mode=rwc", *([f"vfs={vfs}"] if vfs else [])]
    return f"file:{quote(str(path.absolute()))}?{'&'.join(options)}"


def glance(
    path: Path, vfs: str | None = None, *, patience: float = PATIENCE, shared: bool = False
) -> sqlite3.Connection:
    """A connection that only reads; no file is made beside a database that nobody works with.

    Otherwise SQLite would leave an empty -wal there, and one that was lost would not be missed. It
    also needs no folder that can be written to. `shared`: threads take turns with it.
    """
    is_stranded = vfs is None and _is_stranded(path)
    still = "" if _stillness(path) is None else "&immutable=1"
    connection = sqlite3.connect(
        address(path, _WITHOUT_LOCKS if is_stranded else vfs, read_only=True) + still,
        uri=True, isolation_level=None, timeout=patience, check_same_thread=not shared,
    )  # fmt: skip
    if is_stranded:
        # Alone with the file, SQLite keeps in its memory what it else needs the -shm for.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
    return connection


def _is_stranded(path: Path) -> bool:
    """Whether a -wal was left behind where the -shm to read it with cannot be made.

    Whoever works with a database has a -shm, so nobody does.
    """
    wal, shm = (path.with_name(f"{path.name}{end}") for end in ("-wal", "-shm"))
    return wal.exists() and not shm.exists() and not os.access(path.parent, os.W_OK)


def _stillness(path: Path) -> tuple[int, int] | None:
    """What changes when its file does; None if something beside it belongs to the database."""
    if any(path.with_name(f"{path.name}{end}").exists() for end in ("-wal", "-journal")):
        return None
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def copy_database(
    source: Path,
    target: Path,
    *,
    go_on: Callable[[], bool] = lambda: True,
    patience: float = PATIENCE,
) -> None:
    """Copy all that is committed at `source` to `target`, in place of what is there.

    The copy takes its name only when it is complete and checked; `go_on` is asked after each
    megabyte. Raises sqlite3.Error, OSError or CopyStopped, and then `target` is what it was before.
    """
    # The process in its name: two of them with one target never write into one file.
    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        part.unlink(missing_ok=True)
        # Secrets of running games are inside: nobody but the owner may read the copy.
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with contextlib.closing(sqlite3.connect(part)) as copy:
            fill(copy, source, go_on=go_on, patience=patience)
            # One file, without a -wal beside it, can be moved about without harm.
            copy.execute("PRAGMA journal_mode = DELETE").fetchall()
            fault = fault_of(copy, go_on)
        if fault is not None:
            raise _error(fault, sqlite3.SQLITE_CORRUPT)
        part.replace(target)
        sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            for rest in part.parent.glob(f"{part.name}*"):
                rest.unlink(missing_ok=True)
        raise


def fill(
    copy: sqlite3.Connection,
    source: Path,
    *,
    go_on: Callable[[], bool] = lambda: True,
    patience: float = PATIENCE,
) -> None:
    """Copy all that is committed at `source` into the database of a connection.

    Raises sqlite3.Error, or CopyStopped.
    """
    still = _stillness(source)
    try:
        with contextlib.closing(glance(source, patience=patience)) as original:
            _fill_from(copy, original, go_on, patience)
    except sqlite3.Error:
        if still is None or still == _stillness(source):
            raise
    if still is not None and still != _stillness(source):
        # Somebody has begun to work with it meanwhile, so pages of two moments may be mixed.
        again = address(source, read_only=True)
        with contextlib.closing(
            sqlite3.connect(again, uri=True, isolation_level=None, timeout=patience)
        ) as original:
            _fill_from(copy, original, go_on, patience)


def _fill_from(
    copy: sqlite3.Connection,
    original: sqlite3.Connection,
    go_on: Callable[[], bool],
    patience: float,
) -> None:
    deadline = time.monotonic() + patience

    def stepped(status: int, _remaining: int, _total: int) -> None:
        if not go_on():
            raise CopyStopped
        # Without this the driver would try for ever.
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > deadline:
            raise _error("database is locked", sqlite3.SQLITE_BUSY)

    # Reading first holds on to one moment of the database. Without that, each change that is made
    # meanwhile would start the copy again.
    original.execute("BEGIN")
    try:
        original.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        original.backup(copy, pages=_STEP, progress=stepped, sleep=_PAUSE)
    finally:
        if original.in_transaction:
            original.execute("ROLLBACK")


def fault_of(
    connection: sqlite3.Connection, go_on: Callable[[], bool] = lambda: True
) -> str | None:
    """The first thing wrong with a database, looked through from end to end; None if it is sound.

    Raises sqlite3.Error, or CopyStopped.
    """
    connection.set_progress_handler(lambda: not go_on(), _LOOKS)
    try:
        ((found,),) = connection.execute("PRAGMA integrity_check(1)").fetchall()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            raise CopyStopped from error
        raise
    finally:
        connection.set_progress_handler(None, 0)
    return None if found == "ok" else str(found).replace("\n", " ")


def sync_folder(folder: Path) -> None:
    """Wait until new names in a folder are on the disk, where the system can do that."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _error(text: str, code: int) -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorcode = code
    return error
