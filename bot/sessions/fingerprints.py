"""What a stored game depends on, as one short text: a game checked under it need not be again."""

from __future__ import annotations

import hashlib
import inspect
import platform
import sys
from pathlib import Path
from typing import Final

import engines.kernel
from bot.titles import Title

_PYTHON: Final = f"{platform.python_implementation()} {sys.version_info[0]}.{sys.version_info[1]}"


def fingerprint_of(title: Title) -> str:
    """A hash over the rules' version, the content, the engine's source and the Python version.

    Reads files: not for the event loop. Where there is no source it is never the same twice, so
    that every game is checked.
    """
    game = title.game
    told = hashlib.sha256()
    for part in (_PYTHON, game.key, str(game.rules_version), title.content.digest):
        told.update(part.encode() + b"\0")
    try:
        for path in _sources(game):
            told.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    except (OSError, TypeError):
        told.update(str(id(told)).encode())
    return told.hexdigest()[:32]


def _sources(game: object) -> list[Path]:
    """The files of a game's package and of the kernel; of a game outside `engines`, its own."""
    own = Path(inspect.getfile(type(game)))
    kernel = Path(inspect.getfile(engines.kernel)).parent
    package = own.parent if own.parent.parent == kernel.parent else None
    files = sorted(package.rglob("*.py")) if package else [own]
    return [*files, *sorted(kernel.rglob("*.py"))]
