"""[Setup] the starting tile, the decks, the locations and the first matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.fear_of_the_dark.maze import LETTERS, PRINTED, Maze, Room, lies
from engines.fear_of_the_dark.rules.tales import tale
from engines.fear_of_the_dark.state import State
from engines.kernel.table import Table

START: Final = "start"
"""The id of the starting tile."""

HIDDEN: Final[tuple[str, ...]] = ()
"""No draw stays closed when the game is over: nobody holds anything that another may not see."""


def set_up(g: State, t: Table) -> None:
    """Lay out a fresh state as the chapter says, in its order."""
    t.chance.hidden = HIDDEN
    content, numbers = g.content, g.content.numbers

    # 1. The starting room, and the Lost on its centre field.
    lie = lies(content.start)[0]
    room = Room(LETTERS[0], START, 0, 0, lie.fields, lie.doors)
    g.maze = Maze().with_room(room)
    g.lost = f"{room.letter}5"

    # 2. The room tiles; some are set aside unseen.
    tiles = t.chance.shuffled("setup.tiles", tuple(content.tiles))
    g.aside, g.tiles = tiles[: numbers.aside], tiles[numbers.aside :]

    # 5, 6. Items and secrets: one of each back into the box, the others to the locations.
    items = t.chance.shuffled("setup.items", tuple(content.items))
    secrets = t.chance.shuffled("setup.secrets", tuple(content.secrets))
    g.boxed = [items.pop(), secrets.pop()]
    g.items = _dealt(items, numbers.locations, numbers.pile)
    g.secrets = _dealt(secrets, numbers.locations, numbers.pile)

    # 7. Dangers and minds; the mind deck is never drawn from, only chosen.
    g.dangers = t.chance.shuffled("setup.dangers", tuple(content.dangers))
    g.deck = list(content.minds)

    # 8. The starting room's tokens: an obstruction and a lock; RULE-F12.
    for number, mark in enumerate(lie.fields, 1):
        if mark in PRINTED:
            g.maze = g.maze.with_token(f"{room.letter}{number}", PRINTED[mark])

    # 9. The difficulty: so many matches; the game begins in Darkness [The Basics].
    g.matches = g.difficulty.matches
    g.secret_doors = numbers.secret_doors
    g.lead = 0 if g.options["lead"] == "round" else None
    t.tell(
        "awoke",
        difficulty=g.options["difficulty"],
        matches=g.matches,
        deadly=g.difficulty.deadly,
        tiles=len(g.tiles),
        tale=tale(g, t, START),
    )
    if g.lead is not None and g.seats > 1:
        t.tell("lead_passed", seat=g.lead)


def _dealt(cards: Sequence[str], locations: int, pile: int) -> list[list[str]]:
    return [list(cards[n * pile : (n + 1) * pile]) for n in range(locations)]
