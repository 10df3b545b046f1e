"""`check-content`: load every game's content, and say what it holds or what is wrong with it."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Sized
from importlib import import_module
from pathlib import Path
from typing import Any

from bot import titles
from bot.tools.errors import UsageError
from bot.ui.rulebook import Rulebook
from content.loader import LoadedGame
from content.yaml_source import ContentError

OURS = Path(__file__).parents[2] / "content"


def run(folder: Path | None) -> int:
    """Print one line a game, or its faults on stderr; 1 if there are any.

    `folder` holds a folder for each game, or is one game's folder.
    """
    faulty = False
    for key, place in _games(folder):
        try:
            loaded: LoadedGame[Any] = import_module(f"content.{key}").load(place)
            Rulebook.load({key: None}, place.resolve().parent)
        except ContentError as error:
            faulty = True
            for fault in error.all():
                print(fault, file=sys.stderr)
            continue
        print(f"{key}: {', '.join(_counts(loaded.rules))}; digest {loaded.digest[:16]}")
    return 1 if faulty else 0


def _games(folder: Path | None) -> list[tuple[str, Path]]:
    if folder is None:
        return [(key, OURS / key) for key in titles.KEYS]
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    if folder.resolve().name in titles.KEYS:
        return [(folder.resolve().name, folder)]
    found = [(key, folder / key) for key in titles.KEYS if (folder / key).is_dir()]
    if not found:
        raise UsageError(f"{folder} holds no game; games: {', '.join(titles.KEYS)}")
    return found


def _counts(rules: Any) -> Iterator[str]:
    """How many entries each part has, by the names of the content's own fields."""
    for field in dataclasses.fields(rules):
        part = getattr(rules, field.name)
        if isinstance(part, Sized) and not isinstance(part, str):
            yield f"{field.name} {len(part)}"
