"""Every ruling and every corner case of the rules is held by a test that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[3]

RULINGS = [f"RULE-F{n}" for n in range(1, 44)]
CASES = [
    f"C-F{n}"
    for n in (
        *(1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18),
        *(20, 21, 23, 24, 25, 26, 27, 29, 30, 31),
    )
]
HEADINGS = [
    "A Quick Guide to the Maze",
    "Actions",
    "Actions and Movement Restrictions",
    "Card Layout",
    "Components",
    "Dangers",
    "Difficulty",
    "Example of Play",
    "Game Board",
    "Game Flow",
    "Icon key",
    "In the Dark",
    "Items",
    "Light and Darkness",
    "Matches",
    "Mind Cards",
    "Mind Hand",
    "Objective",
    "Resolving Dangers",
    "Scenario 1 - Walked into",
    "Scenario 1 - Your options are",
    "Scenario 2 - Scouted",
    "Scenario 2 - Your options are",
    "Secrets",
    "Setup",
    "Special rooms",
    "The Basics",
    "The Cards",
    "The Maze and Movement",
    "Types of fields",
    "While you are in the Darkness",
    "While you are in the Light",
]
IN_RULES = [
    "Dangers",
    "Difficulty",
    "Game Flow",
    "Items",
    "Matches",
    "Mind Cards",
    "Mind Hand",
    "Objective",
    "Resolving Dangers",
    "Secrets",
    "Setup",
    "Special rooms",
    "The Basics",
    "The Maze and Movement",
]


def named(folder: Path, pattern: str) -> str:
    """All sources of a folder, this one apart, in one text."""
    paths = sorted(path for path in folder.rglob(pattern) if path.name != Path(__file__).name)
    return "\n".join(path.read_text(encoding="utf-8") for path in paths)


def held() -> set[str]:
    """The numbers that stand in the docstrings of tests."""
    docstrings = re.findall(
        r"^def test_\w+\([^)]*\):\n    \"\"\"(.*?)\"\"\"",
        named(HERE, "test_*.py"),
        re.MULTILINE | re.DOTALL,
    )
    return set(re.findall(r"\b(?:RULE-F|C-F)\d+\b", "\n".join(docstrings)))


@pytest.mark.parametrize("name", [*RULINGS, *CASES])
def test_a_test_names_it(name):
    """Its number stands in a test's docstring."""
    assert name in held()


def test_no_test_names_what_is_not_there():
    """A number in a docstring is one of the rulings or cases."""
    assert held() <= {*RULINGS, *CASES}


@pytest.mark.parametrize("heading", HEADINGS)
def test_tests_name_the_rulebooks_headings(heading):
    """Whoever knows the rulebook finds each of its chapters in the tests."""
    assert f"[{heading}]" in named(HERE, "test_*.py")


@pytest.mark.parametrize("heading", IN_RULES)
def test_rules_name_the_rulebooks_headings(heading):
    """And those that hold a rule in the rules."""
    assert f"[{heading}]" in named(ROOT / "engines" / "fear_of_the_dark", "*.py")


def test_no_ruling_is_on_the_page_alone():
    """A ruling that is added to the page is added here, and so has to be held by a test."""
    page = (ROOT / "docs" / "rulings" / "fear_of_the_dark.md").read_text(encoding="utf-8")

    assert re.findall(r"^## (\S+)", page, re.MULTILINE) == RULINGS


@pytest.mark.parametrize("name", RULINGS)
def test_the_rulings_page_has_it(name):
    """Each ruling is explained to those who run a table."""
    page = (ROOT / "docs" / "rulings" / "fear_of_the_dark.md").read_text(encoding="utf-8")

    assert re.search(rf"^#+ {name}\b", page, re.MULTILINE)


def test_the_tests_that_the_rulings_page_names_exist():
    """Whoever looks one up finds it."""
    page = (ROOT / "docs" / "rulings" / "fear_of_the_dark.md").read_text(encoding="utf-8")
    tests = named(HERE, "test_*.py")

    assert [name for name in re.findall(r"`(test_\w+)`", page) if f"def {name}(" not in tests] == []
