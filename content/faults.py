"""What pydantic found wrong, in an author's words and at a place in the author's data."""

from __future__ import annotations

import dataclasses
import difflib
import re
import types
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from content.yaml_source import NOTHING, Place, child

_EXPECTED: Final = {
    "bool_type": "true or false",
    "dataclass_type": "fields (`name: value`)",
    "dict_type": "fields (`name: value`)",
    "frozen_set_type": "a list",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "mapping_type": "fields (`name: value`)",
    "none_required": "nothing",
    "set_type": "a list",
    "string_type": "text",
    "tuple_type": "a list",
}
_SHOWN: Final = 40


def listed(words: Collection[str]) -> str:
    """The words in alphabetical order, with commas."""
    return ", ".join(sorted(words))


def closest(word: object, known: Collection[str]) -> str:
    """' (did you mean ...?)' when one of the known words is much like this one, else nothing."""
    matches = difflib.get_close_matches(str(word), sorted(known), 1)
    return f" (did you mean '{matches[0]}'?)" if matches else ""


def written_as(word: str, unknown: Collection[str]) -> str:
    """' (written as ...?)' when one of the unknown words is nearly this one, else nothing."""
    matches = difflib.get_close_matches(word, sorted(unknown), 1, 0.8)
    return f" (written as '{matches[0]}'?)" if matches else ""


def explain(
    error: ValidationError,
    kind: Any,
    data: Any,
    besides: Callable[[Place], Collection[str]] = lambda _: (),
) -> list[tuple[Place, str]]:
    """One sentence for each fault in `data`, which was to become a `kind`.

    `besides` tells which fields an author may write there that are no part of the data.
    """
    faults = [_Fault(detail, data) for detail in error.errors(include_url=False)]
    told: dict[Place, str] = {}
    for fault in _relevant(faults):
        place = fault.place
        sentence = _sentence(fault, kind, besides)
        if fault.is_missing:
            told.setdefault((*place, ""), sentence)
        elif place not in told:
            told[place] = sentence
    return [(place[:-1] if place[-1:] == ("",) else place, what) for place, what in told.items()]


class _Fault:
    """One of pydantic's errors: where it is in the data, and in which alternative of a union."""

    def __init__(self, detail: ErrorDetails, data: Any) -> None:
        self.detail = detail
        self.loc = tuple(step for step in detail["loc"] if step != "[key]")
        self.fork: Place | None = None
        self.member = ""
        place: list[str | int] = []
        part = data
        for n, step in enumerate(self.loc):
            inner = child(part, step)
            if inner is NOTHING and (n < len(self.loc) - 1 or not self.names_a_field):
                if self.fork is None:
                    self.fork, self.member = tuple(place), str(step)
                continue
            place.append(step)
            part = inner
        self.place: Place = tuple(place)

    @property
    def is_missing(self) -> bool:
        return self.detail["type"] == "missing"

    @property
    def names_a_field(self) -> bool:
        """Whether the last step names a field that the data, or the type, has not."""
        return self.detail["type"] in ("missing", "unexpected_keyword_argument", "extra_forbidden")

    @property
    def is_another_kind(self) -> bool:
        """Whether a union's alternative was ruled out by the literal that tells it apart."""
        return (
            self.detail["type"] == "literal_error"
            and self.fork is not None
            and len(self.place) == len(self.fork) + 1
        )


def _relevant(faults: Sequence[_Fault]) -> Iterator[_Fault]:
    """Of a union only what the author meant: the alternatives that their literal did not rule out.

    If all were ruled out, the literals' errors become one that lists what is known.
    """
    forks: dict[Place, list[_Fault]] = {}
    for fault in faults:
        if fault.fork is not None:
            forks.setdefault(fault.fork, []).append(fault)
    done: list[Place] = []
    for fault in faults:
        if fault.fork is None:
            yield fault
        elif fault.fork not in done:
            done.append(fault.fork)
            yield from _meant(forks[fault.fork])


def _meant(faults: Sequence[_Fault]) -> Iterator[_Fault]:
    others = [fault for fault in faults if fault.is_another_kind]
    ruled_out = [fault.member for fault in others]
    meant = [fault for fault in faults if fault.member not in ruled_out]
    if meant:
        yield from meant
        return
    first = others[0]
    expected = ", ".join(fault.detail.get("ctx", {}).get("expected", "") for fault in others)
    first.detail["ctx"] = {"expected": expected}
    yield first


def _sentence(fault: _Fault, kind: Any, besides: Callable[[Place], Collection[str]]) -> str:
    detail = fault.detail
    came = _shown(detail["input"])
    context: dict[str, Any] = detail.get("ctx", {})
    match detail["type"]:
        case "missing":
            return f"the field '{fault.loc[-1]}' is missing"
        case "unexpected_keyword_argument" | "extra_forbidden":
            fields = [*_fields_at(kind, fault.loc[:-1]), *besides(fault.loc[:-1])]
            return f"unknown field '{fault.loc[-1]}'{closest(fault.loc[-1], fields)}"
        case "literal_error" | "enum":
            known = re.findall(r"'([^']*)'", str(context["expected"]))
            name = fault.place[-1] if fault.place else "value"
            values = listed(known) if known else context["expected"]
            return f"unknown {name} {came}{closest(detail['input'], known)}; known: {values}"
        case "union_tag_invalid":
            known = re.findall(r"'([^']*)'", str(context["expected_tags"]))
            return f"unknown {context['discriminator']} '{context['tag']}'; known: {listed(known)}"
        case "too_long" | "too_short":
            bound = context.get("max_length", context.get("min_length"))
            return f"{context['actual_length']} items, {bound} expected"
        case "value_error" | "assertion_error":
            return str(context["error"])
        case name if name in _EXPECTED:
            return f"expected {_EXPECTED[name]}, not {came}"
        case _:
            return f"{detail['msg'][:1].lower()}{detail['msg'][1:]}, not {came}"


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return "fields"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    shown = f"'{value}'" if isinstance(value, str) else str(value)
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}..."


def _fields_at(kind: Any, loc: Sequence[str | int]) -> list[str]:
    """The names of the fields that the type has there, for a suggestion."""
    kinds = _alternatives(kind)
    for step in loc:
        named = [one for one in kinds if getattr(one, "__name__", None) == step]
        inner = [child for one in kinds for child in _children(one, step)]
        kinds = named or [found for child in inner for found in _alternatives(child)]
    return [
        field.name
        for one in kinds
        if dataclasses.is_dataclass(one)
        for field in dataclasses.fields(one)
    ]


def _alternatives(kind: Any) -> list[Any]:
    origin = get_origin(kind)
    if origin is Annotated:
        return _alternatives(get_args(kind)[0])
    if origin in (Union, types.UnionType):
        return [found for one in get_args(kind) for found in _alternatives(one)]
    return [kind]


def _children(kind: Any, step: str | int) -> list[Any]:
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind, include_extras=True)
        return [hints[step]] if step in hints else []
    parts = [part for part in get_args(kind) if part is not Ellipsis]
    origin = get_origin(kind)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return parts[1:]
    return parts
