"""SIGTERM from the first moment on, before anything is imported that takes its time.

As process 1 of a container a program that has not asked for SIGTERM never hears of it.
"""

from __future__ import annotations

import signal
from types import FrameType


def hear() -> None:
    """From now on SIGTERM ends the program in good order, with 0.

    Not as KeyboardInterrupt: one that passes through an ``exec`` of text, as dataclasses do it
    while they are imported, ends a program by a signal though it is caught (CPython 3.11).
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, leave)
