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
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

_HEADER: Final = struct.Struct("=14xHI12x8s")
"""Of a -shm: the size of a page, how many frames are in the -wal, and its salt."""

_SALT: Final = slice(16, 24)
"""Where the -wal itself has its salt, which is another one each time that it begins anew."""

_WAL_HEADER: Final = 32
_FRAME: Final = struct.Struct(">I4x8s8x")
"""Before each page in a -wal: the page's number, and the salt."""

_SIZE: Final = struct.Struct(">16xH")
"""Of a database: the size of a page."""


@dataclass(frozen=True, slots=True)
class Mark:
    """That there were so many frames in the -wal with this salt.

    `page`: of which page the last frame was; 0 if not known. `check`: the CRC-32 of that page.
    """

    salt: str
    frames: int
    page: int = 0
    check: int = 0

    def __str__(self) -> str:
        """As a line of the lock's file."""
        return f"wal {self.salt} {self.frames} {self.page} {self.check}"

    @classmethod
    def read(cls, line: str) -> Self | None:
        """What such a line says; None for another one."""
        match line.split(" "):
            case ["wal", salt, *numbers] if numbers and all(map(str.isdecimal, numbers)):
                return cls(salt, *map(int, numbers[:3]))
            case _:
                return None

    def is_in(self, database: Path) -> bool:
        """Whether the last frame is in the database's own file, as after another program's look.

        Not while this process has the database open: POSIX would drop SQLite's locks on it.
        """
        try:
            with database.open("rb") as file:
                size = _page_size(*_SIZE.unpack(file.read(_SIZE.size)))
                file.seek((self.page - 1) * size)
                return self.page > 0 and zlib.crc32(file.read(size)) == self.check
        except (OSError, struct.error, ValueError, OverflowError):
            return False


def _page_size(told: int) -> int:
    """SQLite writes the largest one as 1."""
    return 65536 if told == 1 else told


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
        """How far the -wal goes now; None if there is nothing in it, or cannot tell.

        Somebody must have the database open.
        """
        try:
            size, frames, salt = _HEADER.unpack(self._read())
        except (OSError, struct.error):
            return None
        if not frames:
            return None
        return Mark(salt.hex(), frames, *self._last(frames, salt, _page_size(size)))

    def missing(self, mark: Mark) -> int:
        """How many frames of a -wal are not there any more, of those that the mark tells of.

        Somebody must have the database open. 0 also if the -wal has begun anew since then.
        """
        with self._beside("wal").open("rb") as file:
            salt = file.read(_SALT.stop)[_SALT]
        if len(salt) == _SALT.stop - _SALT.start and salt.hex() != mark.salt:
            return 0
        try:
            _, frames, _ = _HEADER.unpack(self._read())
        except (OSError, struct.error):
            return 0
        return max(0, mark.frames - frames)

    def close(self) -> None:
        """Let go. May be called twice."""
        with self._turn:
            while self._handles:
                os.close(self._handles.popitem()[1])

    def _last(self, frames: int, salt: bytes, size: int) -> tuple[int, int]:
        try:
            with self._beside("wal").open("rb") as file:
                file.seek(_WAL_HEADER + (frames - 1) * (_FRAME.size + size))
                page, found = _FRAME.unpack(file.read(_FRAME.size))
                content = file.read(size)
        except (OSError, struct.error):
            return 0, 0
        # Meanwhile the -wal may have begun anew; the next note is on its way then.
        return (page, zlib.crc32(content)) if found == salt else (0, 0)

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
