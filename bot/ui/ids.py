"""What a button or menu means, written into its custom_id; it says all that a click needs.

``n:b:verb:session:question:kind:key`` for buttons, ``n:m:...`` for menus (their choice comes with
the click); numbers in base 36. A restart changes nothing, since nothing else is remembered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

LIMIT: Final = 100
MENU_SIZE: Final = 25
ROW_SIZE: Final = 5
BUTTON: Final = "n:b:"
MENU: Final = "n:m:"
FORM: Final = "n:f:"

_PARTS: Final = re.compile(
    r"n:[bmf]:(?P<verb>[a-z_]{1,14}):(?P<session>[0-9a-z]{1,12}):(?P<question>[0-9a-z]{1,8})"
    r":(?P<kind>[a-z0-9_]{0,30}):(?P<key>[a-z0-9_.-]{0,40})"
)
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Control:
    """A click's meaning. ``key`` is an option's key, or whatever small fact the verb needs."""

    verb: str
    session: int = 0
    question: int = 0
    kind: str = ""
    key: str = ""

    @property
    def button(self) -> str:
        """The custom_id of a button."""
        return self._id(BUTTON)

    @property
    def menu(self) -> str:
        """The custom_id of a menu."""
        return self._id(MENU)

    @property
    def form(self) -> str:
        """The custom_id of a form."""
        return self._id(FORM)

    def _id(self, start: str) -> str:
        made = (
            f"{start}{self.verb}:{_base36(self.session)}:{_base36(self.question)}"
            f":{self.kind}:{self.key}"
        )
        if len(made) > LIMIT or not _PARTS.fullmatch(made):
            raise ValueError(f"{made!r} is no custom_id")
        return made


def read(custom_id: str) -> Control | None:
    """The meaning of a custom_id; None if it was never one of ours, or is of an older form."""
    found = _PARTS.fullmatch(custom_id)
    if found is None:
        return None
    return Control(
        found["verb"],
        int(found["session"], 36),
        int(found["question"], 36),
        found["kind"],
        found["key"],
    )


def _base36(number: int) -> str:
    if number < 0:
        raise ValueError(f"{number} is negative")
    digits = ""
    while True:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
        if not number:
            return digits
