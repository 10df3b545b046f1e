"""What pictures and their text forms ask of the words of a game."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Final, Protocol

from bot.render.kit.text import tamed

MOST_ASCII: Final = 3500
"""Characters that a board in text may have."""
MOST_ALT: Final = 1000
_NAME: Final = 20
"""Characters that a player's name may have in a board in text."""

_AS_ASCII: Final = str.maketrans(
    {
        "–": "-",
        "—": "-",
        "’": "'",
        "‘": "'",
        "“": '"',
        "”": '"',
        "…": "...",
        "×": "x",
        "ß": "ss",
        "`": "'",
    }
)


class Words(Protocol):
    """What a picture asks of `content.words.Words`."""

    def has(self, path: str) -> bool:
        """Whether there are words at that path."""
        ...

    def say(self, path: str, facts: Mapping[str, object] = ...) -> str:
        """The words at that path, filled with the facts."""
        ...

    def name(self, table: str, ident: str) -> str:
        """The name of a thing."""
        ...


class Ending(Protocol):
    """What is drawn of an outcome."""

    @property
    def ending(self) -> str:
        """The way in which it ended."""
        ...

    @property
    def won(self) -> bool:
        """Whether the players did."""
        ...

    @property
    def facts(self) -> Mapping[str, object]:
        """What a game tells of its end."""
        ...


def seat_name(words: Words, seats: Sequence[str], seat: int) -> str:
    """A player's name as far as it can be drawn, else the seat's number in words."""
    shown = tamed(seats[seat]) if seat < len(seats) else ""
    return shown or words.say("picture.seat", {"number": seat + 1})


def player(words: Words, seats: Sequence[str], seat: int) -> str:
    """A player in ASCII: the seat's number, and the name if any of it is left."""
    name = " ".join(plain(seats[seat]).split())[:_NAME].strip() if seat < len(seats) else ""
    return f"{seat + 1} {name}" if name else words.say("picture.seat", {"number": seat + 1})


def plain(text: str) -> str:
    """The text in ASCII as far as that goes: accents are dropped, other scripts left out."""
    spread = unicodedata.normalize("NFKD", text.translate(_AS_ASCII))
    kept = "".join(char for char in spread if char == "\n" or " " <= char <= "~")
    return "\n".join(" ".join(part.split(" ")) for part in kept.split("\n"))


def cut(text: str, most: int, sign: str) -> str:
    """The text, shortened with that sign at its end if it has too many characters."""
    return text if len(text) <= most else text[: most - len(sign)].rstrip() + sign
