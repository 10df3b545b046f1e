"""Golden files: text under tests/golden that a reviewer has read once.

A folder's conftest.py offers the fixture by ``from tests.golden_files import golden``. The option
``--regenerate`` writes the files afresh; review the difference before it is committed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "golden"
SHOWN = 60

Golden = Callable[[str, str], None]


def add_regenerate_option(parser: pytest.Parser) -> None:
    """Define ``--regenerate`` unless another conftest.py has done so."""
    try:
        parser.addoption(
            "--regenerate", action="store_true", help="write the golden files of tests/golden anew"
        )
    except ValueError as error:
        if "regenerate" not in str(error):
            raise


def difference(path: Path, text: str) -> str:
    """What differs between the file and the text, shortened; empty if nothing does."""
    if not path.exists():
        return f"{path.name} does not exist"
    with path.open(encoding="utf-8", newline="") as file:
        kept = file.read()
    if kept == text:
        return ""
    lines = list(
        difflib.unified_diff(kept.splitlines(), text.splitlines(), path.name, "now", lineterm="")
    )
    if len(lines) > SHOWN:
        lines[SHOWN:] = [f"... and {len(lines) - SHOWN} lines more"]
    return "\n".join(lines) or f"{path.name} differs in its line ends"


def check_golden(path: Path, text: str, *, regenerate: bool) -> None:
    """Compare the text with the file, or write it."""
    if regenerate:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        return
    differs = difference(path, text)
    if differs:
        pytest.fail(f"{differs}\nIf this is meant: pytest --regenerate", pytrace=False)


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """``golden(name, text)``: the text equals ``tests/golden/<name>.txt``."""
    regenerate = bool(request.config.getoption("--regenerate", default=False))

    def check(name: str, text: str) -> None:
        check_golden(FOLDER / f"{name}.txt", text, regenerate=regenerate)

    return check
