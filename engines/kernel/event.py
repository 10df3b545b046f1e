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
    """An event with its place: the ply that caused it (0: the set-up) and its number there.

    ``draws`` is how many draws had been made when it was told.
    """

    ply: int
    n: int
    event: Event
    draws: int


def checked_audience(only: object, seats: int | None = None) -> Audience:
    """``PUBLIC`` or a non-empty tuple of seats; anything else is a RulesBug at once.

    With ``seats``, the number of seats at the table, a seat beyond them is a RulesBug too.
    """
    if only is PUBLIC:
        return PUBLIC
    if isinstance(only, tuple) and only:
        places = cast("tuple[object, ...]", only)
        if all(is_seat(place, seats) for place in places):
            return cast("tuple[int, ...]", places)
    raise RulesBug(f"an audience is PUBLIC or a tuple of seats, not {only!r}")


def is_seat(place: object, seats: int | None) -> bool:
    """Whether it is one of so many seats (None: of any number)."""
    return type(place) is int and place >= 0 and (seats is None or place < seats)


def frozen_json(value: object, place: str) -> object:
    """A deep copy of strict JSON with tuples for lists; floats and foreign types are RulesBugs.

    An enum that is also a str or an int becomes the plain value, as it would in JSON.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
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
