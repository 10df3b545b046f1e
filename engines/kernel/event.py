"""What happened, and who may know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, cast

from engines.kernel.errors import RulesBug


class Everyone(Enum):
    """The type of ``PUBLIC``, so that no ``None`` or empty tuple can mean the whole channel."""

    PUBLIC = "public"


PUBLIC: Final = Everyone.PUBLIC

Audience = Everyone | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in the past tense; ``only`` are the seats that may know it."""

    kind: str
    data: Mapping[str, object]
    only: Audience = PUBLIC

    def is_for(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) may see it."""
        return self.only is PUBLIC or seat in self.only


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event with its place: the ply that caused it (0: the set-up) and its number there."""

    ply: int
    n: int
    event: Event


def checked_audience(only: object) -> Audience:
    """``PUBLIC`` or a non-empty tuple of seats; anything else is a RulesBug at once."""
    if only is PUBLIC:
        return PUBLIC
    if isinstance(only, tuple) and only:
        seats = cast("tuple[object, ...]", only)
        if all(type(seat) is int for seat in seats):
            return cast("tuple[int, ...]", seats)
    raise RulesBug(f"an audience is PUBLIC or a tuple of seats, not {only!r}")


def frozen_json(value: object, place: str) -> object:
    """A deep copy of strict JSON with tuples for lists; floats and foreign types are RulesBugs."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, (list, tuple)):
        items = cast("list[object]", value)
        return tuple(frozen_json(item, f"{place}[{n}]") for n, item in enumerate(items))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        copy: dict[str, object] = {}
        for name, item in pairs.items():
            if not isinstance(name, str):
                raise RulesBug(f"{place}: the name {name!r} is not text")
            copy[name] = frozen_json(item, f"{place}.{name}")
        return copy
    raise RulesBug(f"{place}: {value!r} is not JSON")
