"""Every word that the Discord side looks for is there, and no other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.letters import NOTICES
from bot.ui.rulebook import ROOT
from content.words import load_folder
from content.yaml_source import read

HERE = Path(__file__).resolve().parents[2] / "bot"
SOURCES = sorted([*HERE.glob("ui/*.py"), *HERE.glob("cogs/*.py"), HERE / "app.py"])
SESSIONS = sorted(HERE.glob("sessions/*.py"))
WORDS = load_folder(ROOT / "common")

#: Sections that belong to games.
GAMES = ("game", "lobby_options", "events", "decisions", "endings", "titles")
#: Words of ours whose paths are put together when they are said.
MADE = ("permissions.", "status.", "commands.", "refusals.", "notices.", "notify.pings_",
        "lobby.computer_names", "grammar.", "acts.", "motion.", "settings.names.",
        "settings.short.", "doctor.ways.", "doctor.steps.", "privacy.kinds.")  # fmt: skip
FILES = ("en.yaml", "en_moderators.yaml", "en_places.yaml", "en_servers.yaml")


def texts(path: Path) -> Iterator[str]:
    """All texts in a source file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def used() -> set[str]:
    """All texts in our sources that could be paths of words."""
    return {text for path in SOURCES for text in texts(path)}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_what_is_said_has_words(path: Path) -> None:
    """Each dotted text whose section is one of ours is the path of words."""
    sections = {name for one in FILES for name in read(ROOT / "common" / one).data} - set(GAMES)
    for text in texts(path):
        head, _, rest = text.partition(".")
        if text.endswith((".", "_")):
            continue
        if head in sections and rest and rest.replace("_", "").replace(".", "").isalnum():
            assert WORDS.has(text) or WORDS.section(text) or WORDS.has(f"{text}.0"), text


def test_every_word_is_said_somewhere() -> None:
    """Nothing in the file is left over."""
    paths = used()
    verbs = {text.partition(".")[2] for text in paths if text.startswith("buttons.")}
    for path in (path for one in FILES for path in _paths(read(ROOT / "common" / one).data)):
        if path.startswith(MADE) or path in paths:
            continue
        head, _, rest = path.partition(".")
        assert head == "buttons", path
        assert rest in verbs | paths, path


def _paths(part: Any, place: str = "") -> Iterator[str]:
    if isinstance(part, dict):
        for key, value in part.items():
            yield from _paths(value, f"{place}.{key}" if place else str(key))
    elif isinstance(part, list):
        yield place
    else:
        yield place


def test_every_refusal_has_a_sentence() -> None:
    """Whatever the sessions, the kernel or we refuse with, the player reads a sentence."""
    problems = {
        node.args[0].value
        for path in [*SOURCES, *SESSIONS]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Refusal"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    kernel = {"not_an_option", "too_few", "too_many", "twice", "too_alike", "interrupted",
              "game_over", "not_asked"}  # fmt: skip
    assert len(problems) > 25
    for problem in problems | kernel:
        assert WORDS.has(f"refusals.{problem}"), problem


def test_every_status_and_notice_has_words() -> None:
    """So have the states of a table and the notices that the sessions post."""
    for status in Status:
        assert WORDS.has(f"status.{status.value}")
    for notice in NOTICES:
        assert WORDS.has(f"notices.{notice}")


def test_computer_players_have_names_enough() -> None:
    """A table of eleven has ten of them, and no two are alike."""
    names: list[str] = []
    while WORDS.has(f"lobby.computer_names.{len(names)}"):
        names.append(WORDS.say(f"lobby.computer_names.{len(names)}"))
    assert len(set(names)) == len(names) >= 10
