"""Lines for stdout and stderr that never make anybody wait.

Whoever reads a log may stop reading it. Then a pipe fills up, and a write to it stops the thread
that writes: in an event loop nothing would be answered any more, not even SIGTERM. So the writing
is done by a thread that nobody waits for; what it cannot keep up with is dropped and counted.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import sys
import threading
import time
from collections import deque
from typing import Final

from bot.counted import counted

MOST: Final = 4 * 2**20
"""Bytes that are kept for a reader that has stopped."""

_LAST: Final = 1.0
"""Seconds for what is left when the process ends."""


class Outlet:
    """Writes text to a file descriptor from a thread of its own, in order."""

    def __init__(self, fd: int, most: int = MOST) -> None:
        self._fd = fd
        self._most = most
        self._lines: deque[bytes] = deque()
        self._size = 0
        self._lost = 0
        self._state = threading.Condition(threading.Lock())
        threading.Thread(target=self._run, name=f"outlet {fd}", daemon=True).start()

    def write(self, text: str) -> None:
        """Have whole lines written. Returns at once, also when nobody reads."""
        raw = text.encode("utf-8", "backslashreplace")
        with self._state:
            if self._size + len(raw) > self._most:
                self._lost += 1
                return
            self._lines.append(raw)
            self._size += len(raw)
            self._state.notify_all()

    def flush(self, seconds: float) -> bool:
        """Wait until everything is written, at most so long; whether it is."""
        end = time.monotonic() + seconds
        with self._state:
            return self._state.wait_for(lambda: not self._size, max(0.0, end - time.monotonic()))

    def _run(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._lines)
                raw, lost, self._lost = self._lines.popleft(), self._lost, 0
            size = len(raw)
            if lost:
                raw = f"({counted(lost, 'line')} lost: nobody has read them)\n".encode() + raw
            with contextlib.suppress(OSError):  # the reader is gone: there is nobody to tell
                self._write(raw)
            with self._state:
                self._size -= size
                self._state.notify_all()

    def _write(self, raw: bytes) -> None:
        while raw:
            try:
                raw = raw[os.write(self._fd, raw) :]
            except BlockingIOError:
                select.select([], [self._fd], [])


_outlets: dict[int, Outlet] = {}


def outlet(fd: int) -> Outlet:
    """The outlet of a file descriptor; what is left in it is written when the process ends."""
    if fd not in _outlets:
        made = _outlets[fd] = Outlet(fd)
        atexit.register(made.flush, _LAST)
    return _outlets[fd]


def flush_all() -> None:
    """Write what is left, at most as long as at the end of the process."""
    for one in _outlets.values():
        one.flush(_LAST)


def say(line: str, *, error: bool = False) -> None:
    """One line for whoever sits at the terminal, without waiting for them to read it."""
    stream = sys.stderr if error else sys.stdout
    try:
        fd = stream.fileno()
    except (OSError, ValueError, AttributeError):  # no real stream
        print(line, file=stream, flush=True)
        return
    outlet(fd).write(f"{line}\n")
