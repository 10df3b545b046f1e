"""A sign of life: a file that the running bot touches, and that the container's check looks at."""

from __future__ import annotations

from pathlib import Path
from typing import Final

HEARTBEAT: Final = "heartbeat"
"""The file's name in the data folder."""

EVERY: Final = 20
"""Seconds between two touches."""

LIMIT: Final = 90
"""A heartbeat older than this many seconds means that the bot is stuck or gone."""


def touch(path: Path) -> None:
    """Leave a sign of life; its time is the file's."""
    path.touch()


def is_healthy(path: Path, now: float) -> bool:
    """Whether the last sign of life is recent; `now` in seconds since the epoch."""
    try:
        last = path.stat().st_mtime
    except OSError:
        return False
    return abs(now - last) <= LIMIT
