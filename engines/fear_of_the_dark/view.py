"""What may be seen: an allow-list, built field by field. All seats and spectators see the same.

Nobody sees the order of a deck, the tiles set aside, what lies at a location or what was put back
into the box.
"""

from __future__ import annotations

from dataclasses import dataclass

from engines.fear_of_the_dark.maze import (
    BEYOND,
    FACING,
    HOLE,
    ITEMS,
    PRINTED,
    SECRETS,
    SIDES,
    Lie,
    Maze,
    Room,
    Side,
    door_of,
)
from engines.fear_of_the_dark.state import How, State
from engines.kernel.decision import Seat

__all__ = [
    "BEYOND",
    "FACING",
    "HOLE",
    "ITEMS",
    "PRINTED",
    "SECRETS",
    "SIDES",
    "ItemView",
    "Lie",
    "LocationView",
    "Maze",
    "MindView",
    "RevealView",
    "Room",
    "SeatView",
    "Side",
    "door_of",
    "view",
]
"""The maze and its words are part of what is seen: whoever draws a view needs nothing else."""


@dataclass(frozen=True, slots=True)
class MindView:
    """A mind card and its action."""

    id: str
    action: str


@dataclass(frozen=True, slots=True)
class ItemView:
    """An item card that is kept or known, and its kind."""

    id: str
    kind: str


@dataclass(frozen=True, slots=True)
class LocationView:
    """A location of the game board: the cards left there, and what an Information has shown."""

    number: int
    items: int
    secrets: int
    known: tuple[ItemView, ...]


@dataclass(frozen=True, slots=True)
class RevealView:
    """A tile turned up at a door and not placed yet: where it goes, and how it may lie.

    It is never a dark echo, since nobody is asked to turn one (RULE-F36).

    ``x`` and ``y`` are its place; ``lies`` come in the order of the options.
    """

    tile: str
    letter: str
    door: str
    x: int
    y: int
    how: How
    danger: bool
    lies: tuple[Lie, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """The table as ``seat`` (None: a spectator) sees it; only ``seat`` differs.

    ``chapter`` grows when a fresh table message is due. ``light`` is [Light and Darkness]; in a
    leaking room it is dark whatever is held. ``hand``, ``deck`` and ``gone`` are the nine mind
    cards. ``exits`` are unused doors once no tile is left (``B.n``), ``doors`` all unused doors.
    ``reach`` are the fields that the move under way could reach, ``near`` those beside the Lost.
    ``tokens_left``: obstructions, locks, secret doors. ``dangers`` are the discarded cards' kinds.
    """

    seat: Seat | None
    chapter: int
    difficulty: str
    deadly: bool
    lead: Seat | None
    maze: Maze
    lost: str
    light: bool
    leaking: bool
    action: str | None
    steps: int
    reach: tuple[str, ...]
    near: tuple[str, ...]
    doors: tuple[str, ...]
    exits: tuple[str, ...]
    reveal: RevealView | None
    hand: tuple[MindView, ...]
    deck: tuple[MindView, ...]
    gone: tuple[MindView, ...]
    matches: int
    burnt: int
    most_matches: int
    kept: tuple[ItemView, ...]
    locations: tuple[LocationView, ...]
    tiles_left: int
    aside: int
    revealed: int
    dangers_left: int
    dangers: tuple[str, ...]
    terrors: int
    most_terrors: int
    obstructions_left: int
    locks_left: int
    secret_doors_left: int
    over: bool


def view(state: State, seat: Seat | None) -> SeatView:
    """The table as ``seat`` sees it. Pure."""
    g = state
    numbers = g.content.numbers
    tokens = tuple(g.maze.tokens.values())
    doors = g.maze.unused_doors()
    return SeatView(
        seat=seat,
        chapter=g.revealed,
        difficulty=g.options["difficulty"],
        deadly=g.difficulty.deadly,
        lead=g.lead,
        maze=g.maze,
        lost=g.lost,
        light=g.is_light,
        leaking=g.is_leaking,
        action=g.action,
        steps=g.steps,
        reach=_reach(g),
        near=tuple(g.maze.near(g.lost)),
        doors=doors,
        exits=() if g.tiles else doors,
        reveal=_reveal(g),
        hand=_minds(g, g.hand),
        deck=_minds(g, g.deck),
        gone=_minds(g, g.gone),
        matches=g.matches,
        burnt=g.burnt,
        most_matches=numbers.most_matches,
        kept=_items(g, tuple(g.kept)),
        locations=tuple(
            LocationView(
                n + 1, len(g.items[n]), len(g.secrets[n]), _items(g, g.known.get(n + 1, ()))
            )
            for n in range(numbers.locations)
        ),
        tiles_left=len(g.tiles),
        aside=len(g.aside),
        revealed=g.revealed,
        dangers_left=len(g.dangers),
        dangers=tuple(g.content.dangers[card].kind for card in g.spent_dangers),
        terrors=len(g.terrors),
        most_terrors=numbers.terrors,
        obstructions_left=numbers.obstructions - tokens.count("obstruction"),
        locks_left=numbers.locks - tokens.count("lock"),
        secret_doors_left=g.secret_doors,
        over=g.over,
    )


def _reach(g: State) -> tuple[str, ...]:
    """Nothing while a tile is being turned: the next step leads into that room."""
    if g.reveal is not None:
        return ()
    return tuple(g.maze.ways(g.lost, g.steps, tiptoe=g.is_tiptoeing))


def _minds(g: State, cards: list[str]) -> tuple[MindView, ...]:
    return tuple(MindView(card, g.action_of(card)) for card in cards)


def _items(g: State, cards: tuple[str, ...]) -> tuple[ItemView, ...]:
    return tuple(ItemView(card, g.content.items[card].kind) for card in cards)


def _reveal(g: State) -> RevealView | None:
    found = g.reveal
    if found is None:
        return None
    tile = g.content.tiles[found.tile]
    x, y = g.maze.place_beyond(*door_of(found.door))
    return RevealView(
        found.tile,
        found.letter,
        found.door,
        x,
        y,
        found.how,
        tile.danger,
        found.lies,
    )
