"""The file `.env`: lines of NAME=value, read so that no slip of the pen passes for a setting.

The file may be shared with other programs, such as docker compose. So names that are nobody's
here are let through, unless one looks like a name of ours misspelt. Nothing here shows a value.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import stat
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dotenv.parser import parse_stream

_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_NEAR: Final = 0.85
"""How alike names are (1: the same) of which one is taken for the other misspelt: one letter or
two of a short name."""
_EXPECTED: Final = "NAME=value was expected, the value between two equal quotes or without any"


class SettingsError(Exception):
    """A setting that cannot be used; the message is one line for the operator."""


@dataclass(frozen=True, slots=True)
class Line:
    """What one line says; `line` counts from 1, `value` is None where there is no equals sign."""

    name: str
    value: str | None
    line: int


def read(path: Path, known: Collection[str]) -> tuple[Line, ...]:
    """What the file says, in its order; nothing if there is none, or a folder of that name.

    Raises SettingsError for a file that may not be read or is no text, and for a line of which
    it is not clear what it sets.
    """
    lines: list[Line] = []
    for binding in parse_stream(io.StringIO(_text(path))):
        said = binding.original.string
        # The parser counts empty lines before a setting as part of it.
        blank = said[: len(said) - len(said.lstrip())]
        number = binding.original.line + blank.count("\n")
        if binding.error:
            raise _unreadable(path, number)
        if binding.key is None:
            continue
        _, *further = said.strip().split("\n")
        # Two quotes that lack their partners look like a pair around the lines between them.
        if further and (binding.key in known or any(_sets(more, known) for more in further)):
            raise _unreadable(path, number)
        # A lone name of somebody else's is what docker passes on from its own environment.
        lone = binding.value is None and binding.key in known
        if lone or not _NAME.fullmatch(binding.key):
            raise _unreadable(path, number)
        lines.append(Line(binding.key, binding.value, number))
    return tuple(lines)


def _text(path: Path) -> str:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        return path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path} cannot be read: save it as UTF-8 text") from error
    except OSError as error:
        told = f"{path} cannot be read by user {os.getuid()} ({error.strerror})"
        allow = "; allow that user to read it" if isinstance(error, PermissionError) else ""
        raise SettingsError(f"{told}{allow}") from error


def _unreadable(path: Path, line: int) -> SettingsError:
    return SettingsError(f"{path}, line {line}: cannot be read; {_EXPECTED}")


def _sets(text: str, known: Collection[str]) -> bool:
    name = text.partition("=")[0].strip().removeprefix("export ").strip()
    return "=" in text and name in known


def warnings(path: Path, lines: Collection[Line], known: Collection[str]) -> list[str]:
    """One line each for names like ours that are none, and for names of ours that stand twice."""
    told: list[str] = []
    places: dict[str, list[int]] = {}
    for line in lines:
        if line.name in known:
            places.setdefault(line.name, []).append(line.line)
        elif near := meant(line.name, known):
            told.append(
                f"{path}, line {line.line}: {line.name} is no setting and changes nothing;"
                f" is {near} meant?"
            )
    for name, numbers in places.items():
        if len(numbers) > 1:
            *earlier, last = map(str, numbers)
            told.append(
                f"{path}, lines {', '.join(earlier)} and {last}: {name} stands there more than"
                f" once; line {last} counts"
            )
    return told


def meant(name: str, known: Collection[str]) -> str | None:
    """The known name of which this one is likely a misspelling."""
    spelt = re.sub(r"[.-]", "_", name.upper())
    return next(iter(difflib.get_close_matches(spelt, known, 1, _NEAR)), None)
