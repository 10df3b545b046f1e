"""The sign of life that the container's check looks at."""

import os
import time

from bot.__main__ import main
from bot.health import EVERY, HEARTBEAT, LIMIT, is_healthy, touch


def test_a_recent_sign_is_healthy(tmp_path):
    """A bot that touches its file in time is healthy, one that stops is not."""
    path = tmp_path / HEARTBEAT
    touch(path)
    os.utime(path, (1000, 1000))

    assert is_healthy(path, 1000 + EVERY)
    assert is_healthy(path, 1000 + LIMIT)
    assert not is_healthy(path, 1001 + LIMIT)
    assert not is_healthy(path, 999 - LIMIT)


def test_no_sign_at_all(tmp_path):
    """Before the first sign nothing is healthy."""
    assert not is_healthy(tmp_path / HEARTBEAT, 0)


def test_touching_again(tmp_path):
    """Each touch is a new sign."""
    path = tmp_path / HEARTBEAT
    touch(path)
    os.utime(path, (1000, 1000))
    touch(path)

    assert is_healthy(path, time.time())


def test_the_command(tmp_path, monkeypatch):
    """`python -m bot health` gives the container its answer as an exit status."""
    monkeypatch.setenv("DATA_DIR", str(tmp_path))

    assert main(["health"]) == 1
    touch(tmp_path / HEARTBEAT)
    assert main(["health"]) == 0
