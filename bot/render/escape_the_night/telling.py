"""What things are called on the picture: names, and letters that tell the guests apart."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from bot.render.kit.text import letters
from bot.render.kit.words import Words
from engines.escape_the_night.view import CharacterView, SeatView

GUEST: Final = "character"
CARDS: Final = {"clue": "clue", "monster": "monster"}
CHALLENGE: Final = "challenge"
RELIC: Final = "relic"
ROOM: Final = "room"
ARTIFACT: Final = "artifact"
DECKS: Final = ("clue", "monster", "relic", "challenge")


def phase_name(view: SeatView, words: Words) -> str:
    """What is going on, as a title."""
    return words.say(f"picture.phase.{view.phase}")


def guest_name(words: Words, ident: str) -> str:
    """A character's name."""
    return words.name(GUEST, ident)


def guests(view: SeatView) -> dict[str, CharacterView]:
    """The characters by id."""
    return {c.id: c for c in view.characters}


def initials(view: SeatView, words: Words) -> dict[str, str]:
    """One letter for each character, two where names begin alike; all different."""
    names = tuple(guest_name(words, c.id) for c in view.characters)
    return dict(zip((c.id for c in view.characters), _initials(names), strict=True))


@lru_cache(maxsize=16)
def _initials(names: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    spelled = ["".join(letters(name)) or "?" for name in names]
    for name in spelled:
        first = name[0]
        if sum(other[0] == first for other in spelled) == 1:
            found.append(first)
            continue
        rest = [*name[1:], *"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
        found.append(next(first + more for more in rest if first + more not in found))
    return tuple(found)


def room_names(view: SeatView, words: Words) -> dict[str, str]:
    """The names of the rooms; where a secret room lies over the dining room, that one's."""
    return {
        room: words.name(ROOM, view.dining if printed.kind == "dining" else room)
        for room, printed in view.board.rooms.items()
    }


def all_artifacts(view: SeatView) -> list[str]:
    """Every artifact in play, always in the same order, wherever it is."""
    return sorted([*(a.id for a in view.artifacts), *view.mantle])
