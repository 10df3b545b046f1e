"""One process at a time works with a data folder: an exclusive lock on a file in it.

The operating system lets go of it when the process ends, however it ends.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

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
            self._take()
        except BlockingIOError as error:
            owner = self._words()
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
        told = self._words()
        self.was_set_up = _SET_UP in " ".join(told)
        self.was_cut_off = _OPEN in told
        """Whether the process that held the folder before ended without closing its database."""
        self.newest_lost = False
        """Whether what it wrote last was not found any more (see opening)."""
        self._say(set_up=self.was_set_up, is_open=self.was_cut_off)

    def mark_open(self) -> None:
        """Note that a database has been set up in this folder and is in use now."""
        self.was_set_up = self.was_cut_off = True
        self._say(set_up=True, is_open=True)

    def mark_closed(self) -> None:
        """Note that all that was acknowledged is in the database's own file."""
        self.was_cut_off = False
        self._say(set_up=self.was_set_up, is_open=False)

    def release(self) -> None:
        """Let go. May be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _take(self) -> None:
        if sys.platform == "win32":
            os.lseek(self._handle, _LOCKED_BYTE, os.SEEK_SET)
            try:
                msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)
            except PermissionError as error:
                raise BlockingIOError(*error.args) from error
        else:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _words(self) -> list[str]:
        os.lseek(self._handle, 0, os.SEEK_SET)
        return os.read(self._handle, 200).decode("utf-8", "replace").splitlines()

    def _say(self, *, set_up: bool, is_open: bool) -> None:
        told = (f"process {os.getpid()}", _SET_UP if set_up else "new", _OPEN if is_open else "")
        text = "".join(f"{line}\n" for line in told if line).encode()
        # The text is for people and for one check; a full disk must not keep the bot from starting.
        with contextlib.suppress(OSError):
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, text)
            os.ftruncate(self._handle, len(text))


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
