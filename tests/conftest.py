"""What all tests share: how hypothesis looks for examples.

By default it looks for the same ones each time, however slow the machine; with the environment's
HYPOTHESIS_PROFILE=search it looks for new ones.
"""

import os

import pytest
from hypothesis import settings

from tests.golden_files import add_regenerate_option

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--regenerate`` rewrites golden files."""
    add_regenerate_option(parser)
