"""What can be asked, and what can be answered."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from engines.kernel.errors import IllegalAnswer, RulesBug
from engines.kernel.event import frozen_json

Seat = int
"""A place at the table, from 0. Who sits there is not the rules' affair."""

CLOCK: Final = -1
"""The seat that answers for real time."""

OFFER: Final = 0
"""The question number of all offers: they are found by seat, kind and option key."""

Value = tuple[str, ...]
"""An answer: option keys, in the order in which they were chosen."""

KEY: Final = re.compile(r"[a-z0-9_.-]{1,40}")


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen.

    ``key`` goes into buttons and journals and never changes its meaning. ``word`` picks the label's
    template among the words of the decision's kind (default: the key itself, then ``any``), and
    ``about`` holds the facts which that template names.
    """

    key: str
    word: str = ""
    about: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Shape:
    """How many options make an answer.

    ``repeats`` allows the same option more than once (an allotment of tokens); ``distinct`` is the
    least number of different options in one answer, as far as there are so many and
    so many may be chosen.
    """

    least: int = 1
    most: int = 1
    repeats: bool = False
    distinct: int = 1


ONE: Final = Shape()


def several(least: int, most: int) -> Shape:
    """Between ``least`` and ``most`` different options."""
    return Shape(least, most, distinct=least)


def allotment(tokens: int, *, distinct: int = 1) -> Shape:
    """Exactly ``tokens`` tokens spread over at least ``distinct`` options."""
    return Shape(tokens, tokens, repeats=True, distinct=distinct)


@dataclass(frozen=True, slots=True)
class Decision:
    """A question put to one seat, or (question ``OFFER``) something it may play unasked.

    ``secret``: the channel may know that the seat is asked, never what it may choose or chose.
    ``revisable``: stays open, with the answer given so far in ``current``, until all seats that
    share the question have answered. ``about`` holds the facts which the prompt names.
    ``shared``: one answer, of whichever asked seat, decides for all of them.
    """

    question: int
    seat: Seat
    kind: str
    options: tuple[Option, ...]
    shape: Shape = ONE
    secret: bool = False
    revisable: bool = False
    current: Value | None = None
    about: Mapping[str, object] = field(default_factory=dict[str, object])
    shared: bool = False

    def keys(self) -> tuple[str, ...]:
        """The option keys, in the order in which they are offered."""
        return tuple(option.key for option in self.options)

    @property
    def distinct(self) -> int:
        """How many different options an answer needs: what the shape says, if there are so many."""
        return min(self.shape.distinct, self.shape.most, len(self.options))

    def option(self, key: str) -> Option:
        """The option of that key; KeyError if there is none."""
        for option in self.options:
            if option.key == key:
                return option
        raise KeyError(key)

    def check(self, value: Sequence[str]) -> Value:
        """The value as it may enter the journal.

        Raises ``IllegalAnswer`` with the problem ``not_an_option``, ``too_few``, ``too_many``,
        ``twice`` or ``too_alike``; ``TypeError`` for a bare text, whose letters are no keys.
        """
        if isinstance(value, str):
            raise TypeError(f"an answer is a sequence of option keys, not {value!r}")
        keys = self.keys()
        shape = self.shape
        for key in value:
            if key not in keys:
                raise IllegalAnswer("not_an_option", kind=self.kind, got=key, options=keys)
        if len(value) < shape.least:
            raise IllegalAnswer("too_few", kind=self.kind, got=len(value), least=shape.least)
        if len(value) > shape.most:
            raise IllegalAnswer("too_many", kind=self.kind, got=len(value), most=shape.most)
        different = len(dict.fromkeys(value))
        if not shape.repeats and different < len(value):
            raise IllegalAnswer("twice", kind=self.kind)
        distinct = self.distinct
        if different < distinct:
            raise IllegalAnswer("too_alike", kind=self.kind, got=different, least=distinct)
        return tuple(value)


@dataclass(frozen=True, slots=True)
class Offer:
    """What a seat may play at any time without being asked; ``options`` are card instances."""

    seat: Seat
    kind: str
    options: Sequence[Option | str]
    about: Mapping[str, object] = field(default_factory=dict[str, object])


@dataclass(frozen=True, slots=True)
class Timer:
    """Real time as an input: when ``seconds`` have run, the seat ``CLOCK`` answers it."""

    question: int
    kind: str
    seconds: int


class TimeUp(Exception):
    """Raised into the rules, at whichever await is open, when a timer of theirs has run out."""

    def __init__(self, timer: Timer) -> None:
        self.timer = timer
        super().__init__(f"{timer.kind} ran out")


def as_options(given: Iterable[Option | str], kind: str) -> tuple[Option, ...]:
    """Options from options or bare keys.

    RulesBug on a malformed or repeated key, or on facts that are not JSON.
    """
    options = tuple(Option(item) if isinstance(item, str) else item for item in given)
    seen: dict[str, None] = {}
    for option in options:
        if not KEY.fullmatch(option.key):
            raise RulesBug(f"'{kind}': {option.key!r} is no option key")
        if option.key in seen:
            raise RulesBug(f"'{kind}' offers {option.key!r} twice")
        if option.about:
            frozen_json(option.about, f"{kind}.{option.key}")
        seen[option.key] = None
    return options
