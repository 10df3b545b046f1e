"""Facts in short: how a game lists what comes with each event, question and option.

name      a text, mostly an id        name*     texts         name-   not for words
name#     a number                    name#*    numbers       name?   may be absent (None)
name!     a flag
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Asked:
    """A kind of question: its own facts, and those of each of its options by the option's word.

    An option without a word goes by its key, and by ``any`` where keys are ids of cards.
    """

    about: str
    options: Mapping[str, str]


_SAMPLES: Final[Mapping[str, object]] = {
    "": "some_id",
    "#": 2,
    "!": True,
    "*": ("some_id", "other_id"),
    "#*": (1, 2),
    "-": {},
}


def samples(facts: str) -> dict[str, tuple[object, ...]]:
    """For each of the facts values of the sort that it may have."""
    found: dict[str, tuple[object, ...]] = {}
    for fact in facts.split():
        name = fact.rstrip("#*!-?")
        value = _SAMPLES[fact[len(name) :].removesuffix("?")]
        found[name] = (value, None) if fact.endswith("?") else (value,)
    return found
