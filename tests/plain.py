"""Views, events and decisions as plain JSON values, for comparing and printing."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from enum import Enum


def plain(value: object) -> object:
    """Dataclasses as objects by field name, enums as their values, tuples as lists."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(item) for name, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((plain(item) for item in value), key=line)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise TypeError(f"{value!r} has no plain form")


def line(value: object) -> str:
    """One line of JSON."""
    return json.dumps(plain(value), ensure_ascii=False)


def leaves(value: object, path: str = "") -> dict[str, object]:
    """Every scalar, and every list of scalars, by its dotted path."""
    value = plain(value)
    if isinstance(value, dict) and value:
        pairs = list(value.items())
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        pairs = [(str(place), item) for place, item in enumerate(value)]
    else:
        return {path: value}
    found: dict[str, object] = {}
    for name, item in pairs:
        found.update(leaves(item, f"{path}.{name}" if path else name))
    return found
