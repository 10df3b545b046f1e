"""The table of cases names tests that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "tests" / "cases.md"


def rows() -> list[tuple[str, str]]:
    """Each row's number and what stands in its cell of tests."""
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if "::" in line
    ]
    return [(cell[0], cell[1]) for cell in cells]


def names_in(path: Path) -> set[str]:
    """The tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
    }


def test_every_named_test_exists():
    """A test that is renamed takes its place in the table along."""
    missing: list[str] = []
    for case, cell in rows():
        named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", cell)
        assert named, case
        for file, name in named:
            path = ROOT / file
            if not path.is_file() or name not in names_in(path):
                missing.append(f"{case}: {file}::{name}")
    assert missing == []


def test_every_case_stands_there_once():
    """Numbers are of the known kinds, and none comes twice."""
    numbers = [case for case, _ in rows()]
    kinds = r"(INT|PRM|MEM|GAM|NET|DB|RPL|YML|IMG|OPS)-\d\d"
    assert len(numbers) > 90
    assert len(set(numbers)) == len(numbers)
    assert [one for one in numbers if not re.fullmatch(kinds, one)] == []
