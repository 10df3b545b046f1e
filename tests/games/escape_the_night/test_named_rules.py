"""Every ruling and every corner case of the rules is held by a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[3]

RULINGS = [f"RULE-E{n}" for n in range(1, 37)]
CASES = [
    f"C-E{n}"
    for n in (
        1,
        3,
        4,
        5,
        6,
        7,
        8,
        9,
        10,
        11,
        13,
        14,
        16,
        18,
        19,
        20,
        21,
        23,
        24,
        25,
        26,
        27,
        29,
        30,
    )
]
HEADINGS = [
    "Win Condition",
    "Components",
    "Game Set Up",
    "Taking a Turn",
    "Resolving a Clue or Monster",
    "Recovering an Artifact",
    "The Vote & Death Challenge",
    "Round Sequence",
    "The Last Round",
    "Single Player Rules",
]


def named(folder: Path, pattern: str) -> str:
    """All sources of a folder, this one apart, in one text."""
    paths = sorted(path for path in folder.rglob(pattern) if path.name != Path(__file__).name)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


@pytest.mark.parametrize("name", [*RULINGS, *CASES])
def test_a_test_names_it(name):
    """Its number stands in a test's name or docstring; absent players (29) are the sessions'."""
    folder = ROOT / "tests" / "sessions" if name == "RULE-E29" else HERE
    assert re.search(rf"{re.escape(name)}\b", named(folder, "test_*.py"))


@pytest.mark.parametrize("heading", HEADINGS)
def test_rules_and_tests_name_the_rulebooks_headings(heading):
    """Whoever knows the rulebook finds each of its chapters in the rules and in the tests."""
    game, tests = "escape_the_night", HERE
    if heading == "Components":  # what lies in the box is content
        assert f"[{heading}]" in named(ROOT / "content" / game, "*.py")
        tests = ROOT / "tests" / "content"
    else:
        assert f"[{heading}]" in named(ROOT / "engines" / game, "*.py")
    assert f"[{heading}]" in named(tests, "test_*.py")


def test_no_ruling_is_on_the_page_alone():
    """A ruling that is added to the page is added here, and so has to be held by a test."""
    page = (ROOT / "docs" / "rulings" / "escape_the_night.md").read_text(encoding="utf-8")

    assert re.findall(r"^## (\S+)", page, re.MULTILINE) == RULINGS


@pytest.mark.parametrize("name", RULINGS)
def test_the_rulings_page_has_it(name):
    """Each ruling is explained to those who run a table."""
    page = (ROOT / "docs" / "rulings" / "escape_the_night.md").read_text(encoding="utf-8")

    assert re.search(rf"^#+ {name}\b", page, re.MULTILINE)


def test_the_rulings_page_names_tests_that_exist():
    """A ruling points to the test that holds it."""
    page = (ROOT / "docs" / "rulings" / "escape_the_night.md").read_text(encoding="utf-8")
    sources = named(ROOT / "tests", "test_*.py")
    tests = {*re.findall(r"^(?:async )?def (test_\w+)", sources, re.MULTILINE)}
    pointed = re.findall(r"`(test_\w+)`", page)

    assert pointed
    assert [name for name in pointed if name not in tests] == []
