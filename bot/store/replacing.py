"""Putting a backup in the place of the database, without losing what is there.

At each moment either the old or the new database has the name that the bot opens, whole, and the
old one keeps another name in the same folder.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from bot.store.archive import check_archive, examine, told_in_one_line
from bot.store.copying import address, copy_database, sync_folder
from bot.store.lock import FolderLock
from bot.store.opening import BACKUPS, DATABASE_NAME, demand_no_folder, foreign, is_folded
from bot.store.protocol import StoreForeign, StoreUnusable

_PARTS = ("", "-wal", "-shm", "-journal")


def restore_backup(folder: Path, backup: Path, at: float) -> Path | None:
    """Make a copy of `backup` the database of `folder`; where the one of before is kept, if any.

    If only its -wal was left of it, that one's new place. `at`: the time now, in seconds since the
    epoch, for that name. Raises StoreInUse while a bot works with the folder, StoreForeign if it
    has another program's database; StoreUnusable, StoreDamaged or StoreTooNew if the backup is of
    no use: then nothing was changed.
    """
    database = folder / DATABASE_NAME
    demand_no_folder(database)
    if database.exists() and backup.exists() and database.samefile(backup):
        raise StoreUnusable(f"{backup} is the database itself, not a backup of it")
    _demand_ours(database)
    examine(backup)
    lock = FolderLock(folder)
    fresh = folder / f"{DATABASE_NAME}.restored"
    try:
        _sweep(fresh)  # of one that was killed
        with told_in_one_line(backup, f"{backup} cannot be restored", folder):
            copy_database(backup, fresh)
        check_archive(fresh)
        lock.mark_open()  # should this be cut off where a -wal is moved, the next start will tell
        with told_in_one_line(database, f"{database} was left as it is", folder):
            kept = _keep(database, at)
            fresh.replace(database)
            sync_folder(folder)
        lock.mark_closed()
    finally:
        _sweep(fresh)
        lock.release()
    return kept


def _demand_ours(database: Path) -> None:
    """Another program's database is not taken away from it, whatever else is wrong with ours."""
    try:
        examine(database)
    except StoreForeign as error:
        raise foreign(database) from error
    except StoreUnusable:
        pass


def _sweep(fresh: Path) -> None:
    with contextlib.suppress(OSError):
        for file in fresh.parent.glob(f"{fresh.name}*"):
            file.unlink(missing_ok=True)


def _keep(database: Path, at: float) -> Path | None:
    """Give the database and what belongs to it a second name; only its own file stays behind."""
    if not any(_part(database, end).exists() for end in _PARTS):
        return None
    folder = database.parent / BACKUPS
    folder.mkdir(mode=0o700, exist_ok=True)
    moment = datetime.fromtimestamp(at, UTC)
    kept = folder / f"before-restore-{moment:%Y%m%dT%H%M%SZ}.db"
    number = 2
    while any(_part(kept, end).exists() for end in _PARTS):
        kept = folder / f"before-restore-{moment:%Y%m%dT%H%M%SZ}-{number}.db"
        number += 1
    _fold(database)
    is_there = database.exists()
    if is_there:
        _name(database, kept)
    # A -wal beside another database than its own would garble that one, so it must be gone first.
    for end in _PARTS[1:]:
        part = _part(database, end)
        if part.exists() and end != "-shm":
            shutil.move(part, _part(kept, end))
        part.unlink(missing_ok=True)
    sync_folder(folder)
    return (
        kept
        if is_there
        else next((part for end in _PARTS if (part := _part(kept, end)).exists()), None)
    )


def _part(database: Path, end: str) -> Path:
    return database.with_name(f"{database.name}{end}")


def _fold(database: Path) -> None:
    """Let SQLite put the -wal into the database, if the two are sound."""
    if is_folded(database) or not database.exists():
        return
    reading = address(database, read_only=True)
    with contextlib.suppress(sqlite3.Error):
        with contextlib.closing(sqlite3.connect(reading, uri=True)) as connection:
            if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
                return
        with contextlib.closing(sqlite3.connect(address(database), uri=True)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def _name(database: Path, kept: Path) -> None:
    try:
        os.link(database, kept)
    except OSError:  # a file system without links
        shutil.copy2(database, kept)
        with kept.open("rb") as file:
            os.fsync(file.fileno())
