"""Public records as files: what a well-formed one looks like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bot.sessions.record import FORMAT

_Number = Annotated[int, Field(ge=0, le=2**63)]
_Count = Annotated[int, Field(ge=1, le=2**63)]
_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


def _one_line(text: str) -> str:
    if not text.isprintable() or len(text) > 200:  # no line breaks, no orders to a terminal
        raise ValueError("not one line of plain text")
    return text


_Line = Annotated[str, AfterValidator(_one_line)]


class Malformed(Exception):
    """The file is no public record; the message says in one line why."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Head(_Part):
    """What was played, and what its dice were made of."""

    game: _Line
    rules: int
    content: Annotated[str, Field(pattern=r"^[0-9a-z]{1,64}$")]
    seats: Annotated[int, Field(ge=1, le=99)]
    options: dict[_Line, _Line]
    start: Annotated[str, Field(pattern=r"^[0-9]{1,20}$")]
    branches: _Number
    pledge: _Hash
    secret: _Hash


class Drawn(_Part):
    """One draw; a hidden one has no result."""

    purpose: _Line
    k: _Count
    n: _Count
    branch: _Number
    result: _Number | None = None
    hidden: Literal[True] | None = None


class Told(_Part):
    """One event that all could see, and how many draws had been made before it."""

    n: _Number
    draws: _Number
    kind: _Line
    data: dict[str, Any]


class Ended(_Part):
    """The outcome."""

    ending: _Line
    won: bool
    facts: dict[str, Any]


class TakenBack(_Part):
    """The game went on after so many moves, under that branch."""

    branch: _Count
    after: _Number
    by: _Line


class PublicRecord(_Part):
    """A whole record; ``raw`` is the JSON that it was made of."""

    format: str
    header: Head
    ledger: list[Drawn]
    events: list[Told]
    outcome: Ended | None
    taken_back: list[TakenBack] = []
    digest: str


def plain(told: str, most: int = 600) -> str:
    """What a file made us say, as one line that any terminal can show."""
    shown = "".join(sign if sign.isprintable() else "?" for sign in told)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def read(path: Path) -> tuple[PublicRecord, dict[str, Any]]:
    """The record in that file, and its JSON. OSError, Malformed."""
    try:
        raw: Any = json.loads(path.read_bytes().decode())
    except (ValueError, RecursionError) as error:
        raise Malformed("not JSON") from error
    if not isinstance(raw, dict) or raw.get("format") != FORMAT:
        raise Malformed(f"not a {FORMAT}")
    try:
        return PublicRecord.model_validate(raw), raw
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise Malformed(plain(f"{place}: {first['msg']}")) from error
    except RecursionError as error:
        raise Malformed("nested too deep") from error
