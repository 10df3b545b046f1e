"""One process at a time works with a data folder: an exclusive lock on a file in it.

The operating system lets go of it when the process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from bot.store.mark import Mark
from bot.store.protocol import StoreInUse, StoreUnusable

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCK_NAME = "nightwatch.lock"
# Windows locks bytes, and others cannot read those: lock one far behind the text.
_LOCKED_BYTE = 4096
# What this file says once a database has been set up here: an empty database file is then a loss.
_SET_UP = "set up"
# It says so from the moment in which the database is in use until it has been closed properly.
_OPEN = "open"
# Seconds for which somebody who only looks may have the lock.
_GLANCE = 0.05


@dataclass(frozen=True, slots=True)
class Told:
    """What a data folder's lock tells somebody who only looks.

    - is_held: a process works with the folder now.
    - was_set_up: there has been a database.
    - was_cut_off: the process that held the folder last ended without closing its database.
    - mark: how far its -wal went, if that was noted.
    """

    is_held: bool = False
    was_set_up: bool = False
    was_cut_off: bool = False
    mark: Mark | None = None


def look(folder: Path) -> Told:
    """Ask without making or changing anything. A lock that cannot be read tells nothing."""
    try:
        handle = os.open(folder / LOCK_NAME, os.O_RDWR if sys.platform == "win32" else os.O_RDONLY)
    except OSError:
        return Told()
    try:
        _take(handle, shared=True)
    except OSError:
        is_held = True
    else:
        is_held = False
    try:
        told = _words(handle)
    finally:
        os.close(handle)
    return Told(is_held, _SET_UP in told, _OPEN in told and not is_held, _mark_in(told))


class FolderLock:
    """Holds a data folder.

    Raises StoreInUse if another process holds it, StoreUnusable if it cannot be locked.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK_NAME
        try:
            self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise StoreUnusable(
                f"cannot write in the data folder {folder} ({error.strerror}):"
                f" {remedy(folder, error)}"
            ) from error
        try:
            _take_patiently(self._handle)
        except BlockingIOError as error:
            owner = _words(self._handle)
            os.close(self._handle)
            raise StoreInUse(
                f"{owner[0] if owner else 'another process'} works with the data in {folder}"
                f" already: stop it, or give this one another folder"
            ) from error
        except OSError as error:
            os.close(self._handle)
            raise StoreUnusable(
                f"the file {self._path} cannot be locked ({error.strerror}): is the data folder on"
                " a network share? Use a local disk"
            ) from error
        told = _words(self._handle)
        self.was_set_up = _SET_UP in " ".join(told)
        self.was_cut_off = _OPEN in told
        """Whether the process that held the folder before ended without closing its database."""
        self.mark = _mark_in(told)
        """How far its -wal went, if that was noted."""
        self._turn = threading.Lock()
        self.newest_lost = False
        """Whether what it wrote last was not found any more (see opening)."""
        self._say(set_up=self.was_set_up, is_open=self.was_cut_off)

    def mark_open(self) -> None:
        """Note that a database has been set up in this folder and is in use now."""
        self.was_set_up = self.was_cut_off = True
        self.mark = None
        self._say(set_up=True, is_open=True)

    def note(self, mark: Mark | None) -> None:
        """Note how far the -wal goes now. May be called by any thread."""
        if mark != self.mark:
            self.mark = mark
            self._say(set_up=self.was_set_up, is_open=self.was_cut_off)

    def mark_closed(self) -> None:
        """Note that all that was acknowledged is in the database's own file."""
        self.was_cut_off = False
        self._say(set_up=self.was_set_up, is_open=False)

    def release(self) -> None:
        """Let go. May be called twice."""
        with self._turn:
            if self._handle >= 0:
                os.close(self._handle)
                self._handle = -1

    def _say(self, *, set_up: bool, is_open: bool) -> None:
        told = (f"process {os.getpid()}", _SET_UP if set_up else "new", _OPEN if is_open else "")
        told += (str(self.mark) if is_open and self.mark else "",)
        text = "".join(f"{line}\n" for line in told if line).encode()
        # The text is for people and for one check; a full disk must not keep the bot from starting.
        with self._turn, contextlib.suppress(OSError):
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, text)
            os.ftruncate(self._handle, len(text))


def _take(handle: int, *, shared: bool = False) -> None:
    if sys.platform == "win32":
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(*error.args) from error
    else:
        fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)


def _take_patiently(handle: int) -> None:
    try:
        _take(handle)
    except BlockingIOError:
        time.sleep(_GLANCE)
        _take(handle)


def _words(handle: int) -> list[str]:
    os.lseek(handle, 0, os.SEEK_SET)
    return os.read(handle, 200).decode("utf-8", "replace").splitlines()


def _mark_in(told: list[str]) -> Mark | None:
    return next((mark for line in told if (mark := Mark.read(line))), None)


def remedy(folder: Path, error: OSError | None = None) -> str:
    """What an operator can do about a folder in which this process cannot write."""
    if error is not None and error.errno == errno.EROFS:
        return "mount it so that it can be written, or use another folder"
    if error is not None and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "free some space there"
    if sys.platform == "win32":
        return "let the user that runs the bot write there"
    user, group = os.getuid(), os.getgid()
    return f"the bot runs as user {user}; run: chown -R {user}:{group} {folder}"
