"""The fixture for golden files, and its option where no other conftest.py defines it."""

import pytest

from tests.golden_files import add_regenerate_option, golden

__all__ = ["golden"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Run alone, this folder knows ``--regenerate`` too."""
    add_regenerate_option(parser)
