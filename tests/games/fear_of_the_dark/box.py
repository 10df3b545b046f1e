"""A few plain tiles, and the cards in the numbers in which they are shipped."""

from __future__ import annotations

from dataclasses import replace

from engines.fear_of_the_dark.cards import (
    Action,
    Content,
    Danger,
    DangerKind,
    Difficulty,
    Item,
    ItemKind,
    Mind,
    Numbers,
    Secret,
    SecretKind,
    Tile,
)


def tile(drawing: str, *, danger: bool = False, echo: bool = False) -> Tile:
    """A tile from its five rows, written one after the other with blanks between."""
    return Tile(tuple(drawing.split()), danger, echo)


START = tile("+-D-+ |.O.| D..XD |.#.| +-D-+")
HALL = "+-D-+ |...| D...D |...| +-D-+"
PASSAGE = "+-D-+ |...| |...| |...| +-D-+"

TILES: dict[str, Tile] = {
    "hall": tile(HALL),
    "passage": tile(PASSAGE),
    "corner": tile("+-D-+ |...| |...D |...| +---+"),
    "pits": tile("+-D-+ |.O.| |...| |.O.| +-D-+"),
    "pit": tile("+-D-+ |.O.| |...| |...| +-D-+"),
    "rubble": tile("+-D-+ |.#.| |...| |.#.| +-D-+"),
    "bars": tile("+-D-+ |.X.| |...| |.X.| +-D-+"),
    "stores": tile("+-D-+ |1.2| |#.X| |A.B| +-D-+"),
    "lair": tile(PASSAGE, danger=True),
    "lair_2": tile(PASSAGE, danger=True),
    "ruin": tile("+-D-+ |.#.| |...| |.#.| +-D-+", danger=True),
    "echo": tile(PASSAGE, echo=True),
    "echo_2": tile(PASSAGE, echo=True),
    "dread": tile(PASSAGE, danger=True, echo=True),
    "dead_dread": tile("+-D-+ |.#.| |...| |.#.| +-D-+", danger=True, echo=True),
}

DANGERS: dict[DangerKind, int] = {
    "terror": 3,
    "knockout": 3,
    "propuh": 2,
    "collapse": 2,
    "locking": 2,
    "leakage": 1,
}
ITEM_CARDS: dict[ItemKind, int] = {"match": 3, "scrap": 3, "key": 2, "lever": 1}
SECRET_CARDS: dict[SecretKind, int] = {"door": 2, "map": 3, "information": 4}
MINDS: dict[Action, int] = {
    "move": 3,
    "explore": 2,
    "light": 1,
    "tiptoe": 1,
    "scout": 1,
    "clear": 1,
}
NUMBERS = Numbers(
    aside=3,
    locations=4,
    pile=2,
    match_hand=3,
    light_hand=5,
    scrap_hand=3,
    move=4,
    plain=2,
    tiptoe=2,
    most_matches=6,
    obstructions=10,
    locks=4,
    secret_doors=2,
    leakages=1,
    terrors=2,
    tales=4,
    difficulties={
        "easy": Difficulty(6, deadly=False),
        "normal": Difficulty(6, deadly=True),
        "hard": Difficulty(5, deadly=True),
        "very_hard": Difficulty(4, deadly=True),
    },
)
CONTENT = Content(
    start=START,
    tiles=TILES,
    dangers={
        f"{kind}_{n + 1}": Danger(kind, walked=kind != "leakage")
        for kind, count in DANGERS.items()
        for n in range(count)
    },
    items={
        f"{kind}_{n + 1}": Item(kind, instant=kind == "lever")
        for kind, count in ITEM_CARDS.items()
        for n in range(count)
    },
    secrets={
        f"{kind}_{n + 1}": Secret(kind)
        for kind, count in SECRET_CARDS.items()
        for n in range(count)
    },
    minds={
        f"{action}_{n + 1}": Mind(action) for action, count in MINDS.items() for n in range(count)
    },
    numbers=NUMBERS,
)
"""Fifteen tiles and the cards in the numbers in which they are shipped."""


def with_tiles(**tiles: Tile) -> Content:
    """The same box with these tiles besides, or instead."""
    return replace(CONTENT, tiles={**TILES, **tiles})


def with_number(**figures: int) -> Content:
    """The same box with another figure."""
    return replace(CONTENT, numbers=replace(NUMBERS, **figures))
