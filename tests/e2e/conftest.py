"""Servers for the tests, each with its own bot and data folder."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from bot import titles
from bot.titles import Title
from tests.e2e.plain_picture import PlainPicture
from tests.e2e.world import World


@pytest.fixture(scope="session")
def night() -> Title:
    """Escape the Night with its own content, and pictures that cost nothing."""
    return dataclasses.replace(titles.load("escape_the_night"), renderer=PlainPicture())


@pytest.fixture
def world(tmp_path: Path, night: Title) -> World:
    """A server on which Escape the Night can be played; a test enters it."""
    return World(tmp_path, {night.key: night})
