"""What lies in the box: tiles, cards and figures, as the content gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Action = Literal["move", "tiptoe", "scout", "explore", "clear", "light"]
"""[Mind Cards] the six actions."""

DangerKind = Literal["terror", "knockout", "propuh", "collapse", "locking", "leakage"]
ItemKind = Literal["match", "scrap", "key", "lever"]
SecretKind = Literal["door", "map", "information"]


@dataclass(frozen=True, slots=True)
class Tile:
    """A room as printed.

    ``drawing`` has five rows of five characters: a frame with ``D`` where a side has a door, and
    within it the nine fields: ``.`` empty, ``O`` hole, ``#`` obstruction, ``X`` lock, ``1`` to
    ``4`` an item location, ``A`` to ``D`` a secret location. ``danger`` and ``echo`` are its icons.
    """

    drawing: tuple[str, ...]
    danger: bool = False
    echo: bool = False


@dataclass(frozen=True, slots=True)
class Danger:
    """A danger card; ``walked`` is its icon: it triggers only for who walks into the room."""

    kind: DangerKind
    walked: bool


@dataclass(frozen=True, slots=True)
class Item:
    """An item card; ``instant`` ones resolve at once, the others are kept."""

    kind: ItemKind
    instant: bool


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret card; all of them resolve at once."""

    kind: SecretKind


@dataclass(frozen=True, slots=True)
class Mind:
    """A mind card and its printed action."""

    action: Action


@dataclass(frozen=True, slots=True)
class Difficulty:
    """[Difficulty] the matches at the start, and whether there is instant death."""

    matches: int
    deadly: bool


@dataclass(frozen=True, slots=True)
class Numbers:
    """The game's figures: cards, steps, token supplies.

    ``match_hand`` and ``light_hand`` are the hand sizes of a match struck by itself and of the
    action; ``tales`` is how many texts each room, card and ending has to choose from.
    """

    aside: int
    locations: int
    pile: int
    match_hand: int
    light_hand: int
    scrap_hand: int
    move: int
    plain: int
    tiptoe: int
    most_matches: int
    obstructions: int
    locks: int
    secret_doors: int
    leakages: int
    terrors: int
    tales: int
    difficulties: Mapping[str, Difficulty]


@dataclass(frozen=True, slots=True)
class Content:
    """Everything in the box, by id; ``start`` is the starting tile."""

    start: Tile
    tiles: Mapping[str, Tile]
    dangers: Mapping[str, Danger]
    items: Mapping[str, Item]
    secrets: Mapping[str, Secret]
    minds: Mapping[str, Mind]
    numbers: Numbers
