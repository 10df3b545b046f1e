"""What all tests share: how hypothesis looks for examples.

By default it looks for the same ones each time, however slow the machine; with the environment's
HYPOTHESIS_PROFILE=search it looks for new ones.
"""

import os
from typing import Final

import pytest
from hypothesis import settings

from tests.golden_files import add_regenerate_option

_SLOW: Final = ("offline", "wire", "chaos")
"""Folders whose tests start processes and browsers."""

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--regenerate`` rewrites golden files."""
    add_regenerate_option(parser)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits longest comes first, so that no worker is left with it alone at the end."""
    items.sort(key=lambda item: item.nodeid.split("/")[1] not in _SLOW)
