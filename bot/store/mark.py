"""How much of a database's newest part was written, to be kept outside of it.

A -wal that has lost its end, or of which bytes were turned, looks sound: SQLite leaves out what
follows. Whoever knows how far it went can tell. The numbers stand in the -shm, whose form SQLite
documents (walformat.html) and keeps up while anybody works with the database.
"""

from __future__ import annotations

import os
import struct
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

_HEADER: Final = struct.Struct("=16xI12x8s56xI")
"""Of a -shm: frames in the -wal, its salt, and how many are in the database's own file too."""

_SALT: Final = slice(16, 24)
"""Where the -wal itself has its salt, which is another one each time that it begins anew."""


@dataclass(frozen=True, slots=True)
class Mark:
    """That so many frames of the -wal with this salt held what its database did not."""

    salt: str
    frames: int

    def __str__(self) -> str:
        """As a line of the lock's file."""
        return f"wal {self.salt} {self.frames}"

    @classmethod
    def read(cls, line: str) -> Self | None:
        """What such a line says; None for another one."""
        match line.split(" "):
            case ["wal", salt, frames] if frames.isdecimal():
                return cls(salt, int(frames))
            case _:
                return None


class Gauge:
    """Reads how far a database's -wal goes. Close it after the last connection to the database.

    POSIX drops all of a process's locks on a file as soon as it closes any handle of it. SQLite has
    locks on the -shm: without them the next program that opens the database cuts the -shm off under
    the connections of this one, which ends the process (SIGBUS). So a handle stays open.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._handles: dict[tuple[int, int], int] = {}
        self._turn = threading.Lock()

    def mark(self) -> Mark | None:
        """How far the -wal goes now; None if it holds nothing that would be missed, or cannot tell.

        Somebody must have the database open.
        """
        try:
            frames, salt, folded = _HEADER.unpack(self._read())
        except (OSError, struct.error):
            return None
        return Mark(salt.hex(), frames) if frames > folded else None

    def missing(self, mark: Mark) -> int:
        """How many frames of a -wal are not there any more, of those that the mark tells of.

        Somebody must have the database open. 0 also if the -wal has begun anew since then.
        """
        with self._beside("wal").open("rb") as file:
            salt = file.read(_SALT.stop)[_SALT]
        if len(salt) == _SALT.stop - _SALT.start and salt.hex() != mark.salt:
            return 0
        try:
            frames, found, _ = _HEADER.unpack(self._read())
        except (OSError, struct.error):
            return 0
        return max(0, mark.frames - (frames if found.hex() == mark.salt else 0))

    def close(self) -> None:
        """Let go. May be called twice."""
        with self._turn:
            while self._handles:
                os.close(self._handles.popitem()[1])

    def _beside(self, what: str) -> Path:
        return self._database.with_name(f"{self._database.name}-{what}")

    def _read(self) -> bytes:
        path = self._beside("shm")
        if sys.platform == "win32":  # an open handle would keep SQLite from deleting it
            with path.open("rb") as file:
                return file.read(_HEADER.size)
        with self._turn:
            found = path.stat()
            handle = self._handles.get((found.st_dev, found.st_ino))
            if handle is None:
                handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
                self._handles[found.st_dev, found.st_ino] = handle
            return os.pread(handle, _HEADER.size, 0)
