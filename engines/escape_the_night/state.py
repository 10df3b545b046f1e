"""The state of a game: what lies where. No behaviour beyond look-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engines.escape_the_night.board import Plan
from engines.escape_the_night.cards import Colour, Content
from engines.kernel.decision import Seat

Phase = Literal["turns", "vote", "challenge", "last_round", "over"]

Moment = Literal["none", "turn", "walking", "attempt", "rolled", "man", "vote", "challenge"]
"""Where in the order of play an open question stands; relics name the moments they fit."""


@dataclass(slots=True)
class Character:
    """A guest in play. ``space`` None is outside the front door."""

    id: str
    owner: Seat
    space: str | None = None
    alive: bool = True
    exhausted: bool = False
    monster: str | None = None
    slain: int = 0
    solved: int = 0


@dataclass(slots=True)
class Tile:
    """An S.A.E. tile on its circle."""

    colour: Colour
    face_up: bool = False


@dataclass(slots=True)
class Walk:
    """A move under way: the dice, and the steps still left of their total."""

    dice: tuple[int, ...]
    left: int


@dataclass(slots=True)
class Attempt:
    """One try at a clue or monster. ``dice`` is empty until rolled.

    ``ended`` is over without success or failure.
    """

    character: str
    colour: Colour
    card: str
    difficulty: int
    bonus: int = 0
    ended: bool = False
    dice: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """Dice and bonus."""
        return sum(self.dice) + self.bonus

    @property
    def succeeds(self) -> bool:
        """[Resolving a Clue or Monster] the difficulty or higher; C-E7."""
        return bool(self.dice) and self.total >= self.difficulty


@dataclass(slots=True)
class ManRoll:
    """The Mysterious Man's die after an artifact was recovered."""

    finder: str
    artifact: str
    die: int
    cancelled: bool = False


@dataclass(slots=True)
class Ballot:
    """A vote under way: votes that no token cast, and characters that cannot be voted in."""

    extra: dict[str, int] = field(default_factory=dict[str, int])
    shielded: list[str] = field(default_factory=list[str])


@dataclass(slots=True)
class Duel:
    """A death challenge. ``bonus`` is per contestant, ``score`` what a procedure counts.

    A loser among the ``saved`` lives, and nobody dies in its place. ``settled``: the challenge was
    lost without a count, so that a bonus would come too late.
    """

    card: str
    contestants: tuple[str, str]
    bonus: dict[str, int] = field(default_factory=dict[str, int])
    score: dict[str, int] = field(default_factory=dict[str, int])
    saved: list[str] = field(default_factory=list[str])
    settled: bool = False


@dataclass(slots=True)
class State:
    """Everything on the table. Draw piles are lists whose last card is the top.

    ``rows`` are each seat's characters from left to right. ``tiles`` and ``artifacts`` go by space.
    ``resolving`` is a relic whose effect is under way: nobody plays another meanwhile. ``late``
    start the next round exhausted. ``hourglass`` is its length in minutes while the sand runs.
    """

    content: Content
    plan: Plan
    seats: int
    options: Mapping[str, str]
    dining: str = "dining_room"
    round: int = 1
    phase: Phase = "turns"
    moment: Moment = "none"
    starting_seat: Seat = 0
    current_seat: Seat | None = None
    acting: str | None = None
    characters: dict[str, Character] = field(default_factory=dict[str, Character])
    rows: list[list[str]] = field(default_factory=list[list[str]])
    hands: list[list[str]] = field(default_factory=list[list[str]])
    piles: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    discards: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    tiles: dict[str, Tile] = field(default_factory=dict[str, Tile])
    artifacts: dict[str, str] = field(default_factory=dict[str, str])
    mantle: list[str] = field(default_factory=list[str])
    graveyard: list[str] = field(default_factory=list[str])
    walk: Walk | None = None
    attempt: Attempt | None = None
    man: ManRoll | None = None
    ballot: Ballot | None = None
    duel: Duel | None = None
    resolving: str | None = None
    late: list[str] = field(default_factory=list[str])
    actions_left: int | None = None
    hourglass: int | None = None

    @property
    def man_side(self) -> Literal["first", "second"]:
        """[The Last Round] the card is flipped in the tenth hour."""
        return "second" if self.round >= 10 else "first"

    def living(self) -> list[Character]:
        """The living, in the order dealt."""
        return [c for c in self.characters.values() if c.alive]

    def living_of(self, seat: Seat) -> list[Character]:
        """A seat's living characters, left to right."""
        return [self.characters[c] for c in self.rows[seat] if self.characters[c].alive]

    def at(self, space: str) -> list[Character]:
        """Who stands on a space."""
        return [c for c in self.living() if c.space == space]
