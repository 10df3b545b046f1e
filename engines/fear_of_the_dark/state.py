"""The state of a game: what lies where. No behaviour beyond look-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from engines.fear_of_the_dark.cards import Action, Content, Difficulty
from engines.fear_of_the_dark.maze import Lie, Maze
from engines.kernel.decision import Seat

How = Literal["walk", "scout", "map", "echo"]
"""How a tile is revealed: ``echo`` is the one that follows a dark echo, as if scouted."""


@dataclass(slots=True)
class Reveal:
    """A tile that is turned up and not placed yet, and the ways in which it may lie."""

    tile: str
    letter: str
    door: str
    how: How
    lies: tuple[Lie, ...]


@dataclass(slots=True)
class State:
    """Everything on the table. Piles are lists whose last card is the top.

    ``lost`` is the field of the standee. ``lit`` is set while an action that was declared in the
    Light is under way, since light is judged then (RULE-F7), unless wind or water puts it out.
    ``lead`` is the seat that decides,
    None where anybody may. ``known`` has, by location, the items that an Information has shown.
    ``untold`` has, by what tales are of, the numbers of those that have not been told yet.
    ``steps`` are those left of the move under way. ``revealed`` counts tiles turned up, vanished
    ones included.
    """

    content: Content
    seats: int
    options: Mapping[str, str]
    maze: Maze = field(default_factory=Maze)
    lost: str = "A5"
    tiles: list[str] = field(default_factory=list[str])
    aside: list[str] = field(default_factory=list[str])
    dangers: list[str] = field(default_factory=list[str])
    spent_dangers: list[str] = field(default_factory=list[str])
    terrors: list[str] = field(default_factory=list[str])
    items: list[list[str]] = field(default_factory=list[list[str]])
    secrets: list[list[str]] = field(default_factory=list[list[str]])
    kept: list[str] = field(default_factory=list[str])
    used: list[str] = field(default_factory=list[str])
    told_secrets: list[str] = field(default_factory=list[str])
    boxed: list[str] = field(default_factory=list[str])
    known: dict[int, tuple[str, ...]] = field(default_factory=dict[int, tuple[str, ...]])
    deck: list[str] = field(default_factory=list[str])
    hand: list[str] = field(default_factory=list[str])
    gone: list[str] = field(default_factory=list[str])
    matches: int = 0
    burnt: int = 0
    secret_doors: int = 0
    lead: Seat | None = None
    lit: bool = False
    action: Action | None = None
    steps: int = 0
    reveal: Reveal | None = None
    revealed: int = 0
    untold: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    over: bool = False

    @property
    def difficulty(self) -> Difficulty:
        """[Difficulty] what was chosen in the lobby."""
        return self.content.numbers.difficulties[self.options["difficulty"]]

    @property
    def is_light(self) -> bool:
        """[Light and Darkness] a mind hand is light; so is an action begun with one; RULE-F7."""
        return bool(self.hand) or self.lit

    @property
    def is_tiptoeing(self) -> bool:
        """[Types of fields] the action under way may cross holes."""
        return self.action == "tiptoe"

    @property
    def minds(self) -> int:
        """Mind cards that are not lost for good."""
        return len(self.hand) + len(self.deck)

    @property
    def is_leaking(self) -> bool:
        """[Dangers] whether the Lost is in the leaking room; RULE-F22."""
        return self.maze.rooms[self.lost[0]].leakage

    def action_of(self, card: str) -> Action:
        """What a mind card has printed on it."""
        return self.content.minds[card].action

    def kinds(self, cards: list[str]) -> list[str]:
        """One card of each kind, in the order given."""
        first: dict[Action, str] = {}
        for card in cards:
            first.setdefault(self.action_of(card), card)
        return list(first.values())
