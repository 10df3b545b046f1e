"""A store in a folder of its own for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.db import SqliteStore, open_store


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Gives up on a lock after one second, so that no test waits long."""
    async with await open_store(tmp_path / "data", patience=1.0) as opened:
        yield opened
