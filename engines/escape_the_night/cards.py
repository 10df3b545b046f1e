"""What is printed: the board, the cards and the numbers. Names and texts are not in here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Colour = Literal["clue", "monster"]
RoomKind = Literal["hall", "foyer", "dining", "artifact"]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card does: ``do`` names it, ``amount`` and ``of`` are its parameters.

    ``effects.known`` lists the names, and which parameters each of them takes.
    """

    do: str
    amount: int = 0
    of: str = ""


@dataclass(frozen=True, slots=True)
class Room:
    """A room of the house; ``artifact`` rooms hold S.A.E. circles and one triangle."""

    kind: RoomKind


@dataclass(frozen=True, slots=True)
class Board:
    """The floor plan, a grid of spaces named by column letter and row number ("e7").

    ``plan`` has one text a row, one character a space: a room's ``marks`` letter or "." for none.
    Spaces are adjacent when they touch by a side and lie in one room or are joined by a door.
    ``triangles`` has the space of each artifact room's triangle, by room.
    """

    plan: tuple[str, ...]
    marks: Mapping[str, str]
    rooms: Mapping[str, Room]
    doors: tuple[tuple[str, str], ...]
    circles: tuple[str, ...]
    triangles: Mapping[str, str]
    steps: str
    ritual: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Clue:
    """Solved by two dice totalling ``difficulty`` or more."""

    difficulty: int
    solved: Effect | None = None
    failed: Effect | None = None


@dataclass(frozen=True, slots=True)
class Monster:
    """Defeated by two dice totalling ``difficulty`` or more; until then it pins the character."""

    difficulty: int
    defeated: Effect | None = None
    failed: Effect | None = None


@dataclass(frozen=True, slots=True)
class Relic:
    """A card in hand. ``anyone``: may be played on any player's turn for any character.

    Without it a relic serves its holder's own characters on the holder's own turn: RULE-E13.
    """

    effect: Effect
    anyone: bool = False


@dataclass(frozen=True, slots=True)
class Challenge:
    """A death challenge between two characters; ``tie`` overrides what a tie means."""

    procedure: Effect
    tie: Literal["outsider", "again", "both"] = "outsider"


@dataclass(frozen=True, slots=True)
class Guest:
    """A character and its ability (switched off by a lobby option)."""

    ability: Effect


@dataclass(frozen=True, slots=True)
class Artifact:
    """One of the nine."""

    room: str


@dataclass(frozen=True, slots=True)
class ManResult:
    """A line of the Mysterious Man's card: which faces of the die mean it."""

    faces: tuple[int, ...]
    effect: Effect


@dataclass(frozen=True, slots=True)
class SecretRoom:
    """A room laid over the dining room; ``effect`` is for whoever ends a move there."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Numbers:
    """Figures that the rulebook leaves open.

    ``tiles``: how many of the S.A.E. tiles are of each colour. ``untimed_actions``: character
    actions of the last round without the hourglass, by seat count ("2") or "any". ``rematches``:
    how often at most a tie is fought again where the challenge says so.
    """

    tiles: Mapping[Colour, int]
    untimed_actions: Mapping[str, int]
    rematches: int


@dataclass(frozen=True, slots=True)
class Content:
    """All that is printed for this game."""

    board: Board
    clues: Mapping[str, Clue]
    monsters: Mapping[str, Monster]
    relics: Mapping[str, Relic]
    challenges: Mapping[str, Challenge]
    guests: Mapping[str, Guest]
    artifacts: Mapping[str, Artifact]
    mysterious: Mapping[Literal["first", "second"], tuple[ManResult, ...]]
    numbers: Numbers
    secret_rooms: Mapping[str, SecretRoom] = field(default_factory=dict[str, SecretRoom])
