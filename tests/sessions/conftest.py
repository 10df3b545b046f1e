"""A house for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.sessions.house import House


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A bot without Discord, on a folder of its own."""
    opened = await House(tmp_path / "data").open()
    yield opened
    await opened.die()
