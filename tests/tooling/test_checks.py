"""The formatter, the linter, the type checker and the import contracts, run like any other test."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SOURCES = ["bot", "content", "engines", "tests"]


def run(*command: str) -> None:
    """Run a tool in the project's root; what it prints is the failure's message."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}\n{done.stderr}"


def test_formatted():
    """Every source is as `ruff format` writes it."""
    run(sys.executable, "-m", "ruff", "format", "--check", *SOURCES)


def test_linted():
    """No source breaks a lint rule of pyproject.toml."""
    run(sys.executable, "-m", "ruff", "check", *SOURCES)


@pytest.mark.timeout(600)
def test_typed():
    """Annotations hold: strictly in engines, by the standard rules elsewhere."""
    run(sys.executable, "-m", "pyright", "--pythonpath", sys.executable)


def test_imports_point_one_way():
    """No module imports what its layer may not know."""
    run(str(BIN / "lint-imports"), "--no-cache")
