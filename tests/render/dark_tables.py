"""Mazes of their own for the tests of the pictures of Fear of the Dark, at telling moments.

Not the shipped content: that may be edited without making golden pictures stale.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import content
from content.words import Words
from content.yaml_source import Document, read
from engines.fear_of_the_dark.cards import Tile
from engines.fear_of_the_dark.maze import BEYOND, FACING, Maze, Room, Side, Token, door_of, lies
from engines.fear_of_the_dark.view import (
    ItemView,
    LocationView,
    MindView,
    RevealView,
    SeatView,
)

CONTENT: Final = Path(content.__file__).parent

TILES: Final = {
    "start": Tile(("##D##", "#.O.#", "D..XD", "#.#.#", "##D##")),
    "well": Tile(("##D##", "#..O#", "D.1.#", "#...#", "##D##"), danger=True),
    "cellar": Tile(("##D##", "#A..#", "#.#.D", "#O..#", "##D##")),
    "chapel": Tile(("##D##", "#..2#", "D...D", "#B.O#", "##D##"), danger=True),
    "shaft": Tile(("##D##", "#O.O#", "D...D", "#...#", "#####")),
    "store": Tile(("#####", "#3.X#", "D...D", "#..C#", "#####")),
    "crypt": Tile(("##D##", "#...#", "#.4.#", "#D..#", "##D##"), danger=True),
    "hall": Tile(("##D##", "#...#", "D...D", "#...#", "##D##")),
    "echo": Tile(("##D##", "#.O.#", "#..#D", "#...#", "#####"), danger=True, echo=True),
}
NAMES: Final = {
    "start": "First Chamber", "well": "Dry Well", "cellar": "Root Cellar", "chapel": "Chapel",
    "shaft": "Air Shaft", "store": "Store", "crypt": "Crypt of the Nameless", "hall": "Long Hall",
    "echo": "Whispering Vault",
}  # fmt: skip

MINDS: Final = (
    "move", "move", "move", "tiptoe", "scout", "explore", "explore", "clear", "light",
)  # fmt: skip
ALL: Final = tuple(MindView(f"{action}_{n}", action) for n, action in enumerate(MINDS))

PLAYERS: Final = ("Ann", "Boris", "Chidi", "Dolores", "Eve", "Fyodor", "Gretel", "Hana")
MONSTROUS: Final = (
    "W" * 32,
    "Z\u0301\u0302\u0303\u0304\u0305\u0306algo\u0321\u0322\u0323",
    "\u202egnorw eht yaw\u202c",
    "🎃" * 20,
    "小林さくら" * 6,
    "क्षत्रिय" * 4,
    "محمد عبد الله",
    "` * _ ~ | > @everyone",
)
WORDS: Final = {
    "names": {
        "tile": NAMES,
        "side": {"n": "north", "e": "east", "s": "south", "w": "west"},
        "difficulty": {
            "easy": "Easy",
            "normal": "Normal",
            "hard": "Hard",
            "very_hard": "Very hard",
        },
        "action": {a: a.capitalize() for a in (*MINDS,)},
        "item": {"match": "Match", "scrap": "Scrap of paper", "key": "Key", "lever": "Lever"},
        "danger": {"terror": "Terror", "leakage": "Leakage", "propuh": "Gust"},
    }
}


@cache
def words() -> Words:
    """The words of the picture and names for what these mazes are made of."""
    return Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"),
        read(CONTENT / "fear_of_the_dark" / "text" / "en_picture.yaml"),
        Document("tests", WORDS, {(): 1}),
    )


def room(letter: str, tile: str, x: int, y: int, turn: int = 0, **changes: object) -> Room:
    """A placed tile, turned by so many of its different quarters."""
    found = lies(TILES[tile])
    lie = found[turn % len(found)]
    printed = TILES[tile]
    made = Room(letter, tile, x, y, lie.fields, lie.doors, printed.danger, printed.echo)
    return replace(made, **changes)


def maze(*rooms: Room, tokens: dict[str, Token] | None = None) -> Maze:
    """These rooms; what is printed on them lies there, unless the tokens say otherwise."""
    printed: dict[str, Token] = {}
    kinds: dict[str, Token] = {"#": "obstruction", "X": "lock"}
    for one in rooms:
        for n, mark in enumerate(one.fields, 1):
            if mark in kinds:
                printed[f"{one.letter}{n}"] = kinds[mark]
    return Maze({one.letter: one for one in rooms}, printed if tokens is None else tokens)


def line(
    count: int, side: Side, tiles: tuple[str, ...] = ("hall", "chapel", "hall", "well")
) -> Maze:
    """So many rooms one after the other, from the first on; all joined."""
    rooms: list[Room] = []
    dx, dy = BEYOND[side]
    for n in range(count):
        tile = "start" if n == 0 else tiles[n % len(tiles)]
        made = room("ABCDEFGHIJKLMNOP"[n], tile, n * dx, n * dy)
        wanted = {side, FACING[side]} | ({"n"} if n % 5 == 2 else set())
        doors = tuple(s for s in ("n", "e", "s", "w") if s in wanted)
        rooms.append(replace(made, doors=doors))
    return maze(*rooms)


def block(count: int = 16, wide: int = 4) -> Maze:
    """So many rooms in rows, in the order of a snake, all kinds of tiles."""
    tiles = ("start", "well", "cellar", "chapel", "shaft", "store", "crypt", "hall")
    rooms: list[Room] = []
    for n in range(count):
        y, x = divmod(n, wide)
        x = x if y % 2 == 0 else wide - 1 - x
        rooms.append(room("ABCDEFGHIJKLMNOP"[n], tiles[n % len(tiles)], x, y, n // 3))
    return maze(*rooms)


def table(where: Maze, lost: str = "A5", **changes: Any) -> SeatView:
    """A view of that maze, in the dark, with what follows from it worked out as the rules do."""
    doors = where.unused_doors()
    tiles_left = int(changes.get("tiles_left", 12))
    steps = int(changes.get("steps", 0))
    hand = tuple(changes.get("hand", ()))
    leaking = where.rooms[lost[0]].leakage
    view = SeatView(
        seat=None,
        chapter=len(where.rooms) - 1,
        difficulty="normal",
        deadly=True,
        lead=None,
        maze=where,
        lost=lost,
        light=bool(hand) and not leaking,
        leaking=leaking,
        action=None,
        steps=steps,
        reach=tuple(where.ways(lost, steps, tiptoe=changes.get("action") == "tiptoe")),
        near=tuple(where.near(lost)),
        doors=doors,
        exits=() if tiles_left else doors,
        reveal=None,
        hand=(),
        deck=tuple(card for card in ALL if card not in hand),
        gone=(),
        matches=6,
        burnt=0,
        most_matches=6,
        kept=(),
        locations=tuple(LocationView(n, 2, 2, ()) for n in (1, 2, 3, 4)),
        tiles_left=tiles_left,
        aside=3,
        revealed=len(where.rooms) - 1,
        dangers_left=13,
        dangers=(),
        terrors=0,
        most_terrors=2,
        obstructions_left=7,
        locks_left=2,
        secret_doors_left=2,
        over=False,
    )
    return replace(view, **changes)


def minds(*indices: int) -> tuple[MindView, ...]:
    """Some of the nine mind cards."""
    return tuple(ALL[n] for n in indices)


def items(*kinds: str) -> tuple[ItemView, ...]:
    """Item cards of these kinds."""
    return tuple(ItemView(f"{kind}_{n}", kind) for n, kind in enumerate(kinds))


def revealing(where: Maze, door: str, tile: str, letter: str, **changes: object) -> RevealView:
    """A tile turned up behind that door, with the lies that join it."""
    x, y = where.place_beyond(door[0], door[2])  # type: ignore[arg-type]
    side = FACING[door[2]]  # type: ignore[index]
    fitting = tuple(lie for lie in lies(TILES[tile]) if side in lie.doors)
    printed = TILES[tile]
    made = RevealView(tile, letter, door, x, y, "walk", printed.danger, fitting)
    return replace(made, **changes)


def five() -> Maze:
    """Five rooms around the first, one with a shut door, one secret door."""
    return maze(
        room("A", "start", 0, 0),
        room("B", "well", -1, 0, 1),
        room("C", "cellar", 0, -1),
        room("D", "chapel", 1, 0),
        room("E", "store", 1, -1, secret_doors=("e",)),
    )


def twelve() -> Maze:
    """Twelve rooms, neither a line nor a block."""
    spots = (
        ("A", "start", 0, 0, 0), ("B", "well", 1, 0, 1), ("C", "chapel", 1, 1, 0),
        ("D", "cellar", 2, 1, 1), ("E", "store", 2, 0, 0), ("F", "shaft", 0, 1, 2),
        ("G", "crypt", 0, -1, 0), ("H", "hall", -1, -1, 0), ("I", "chapel", -1, 0, 1),
        ("J", "store", -2, -1, 0), ("K", "well", 2, 2, 2), ("L", "hall", 1, 2, 0),
    )  # fmt: skip
    return maze(*(room(*spot) for spot in spots))


def grown(seed: int) -> SeatView:
    """A maze that grew at random, and the Lost somewhere in it, at a random moment."""
    dice = random.Random(seed)
    where = maze(room("A", "start", 0, 0))
    slant = dice.random()
    for letter in "BCDEFGHIJKLMNOP"[: dice.randint(6, 15)]:
        doors = where.unused_doors()
        if not doors:
            break
        far = {
            door: slant * abs(x) + (1 - slant) * abs(y) + dice.uniform(0, 4)
            for door in doors
            for x, y in [where.place_beyond(*door_of(door))]
        }
        door = max(far, key=lambda key: far[key])
        origin, side = door_of(door)
        tile = dice.choice([name for name in TILES if name not in ("start", "echo")])
        turns = [n for n, lie in enumerate(lies(TILES[tile])) if FACING[side] in lie.doors]
        spot = where.place_beyond(origin, side)
        where = maze(*where.rooms.values(), room(letter, tile, *spot, dice.choice(turns)))
    if dice.random() < 0.4:
        where = with_leak(where, dice.choice(list(where.rooms)))
    view = table(
        where,
        f"{dice.choice(list(where.rooms))}{dice.randint(1, 9)}",
        hand=minds(0, 4, 8) if dice.random() < 0.6 else (),
        steps=dice.choice((0, 2, 4)),
        action=dice.choice(("move", "tiptoe")),
        tiles_left=dice.choice((0, 3)),
        terrors=dice.randint(0, 2),
        lead=dice.choice((None, 1)),
    )
    if view.doors and dice.random() < 0.4:
        turned = revealing(
            where,
            dice.choice(view.doors),
            dice.choice([name for name in TILES if name != "echo"]),
            "Q",
        )
        view = replace(view, reveal=turned)
    return view


def with_leak(where: Maze, letter: str) -> Maze:
    """The maze with a leaking room."""
    return where.with_room(replace(where.rooms[letter], leakage=True))


def _moments() -> dict[str, tuple[SeatView, tuple[str, ...]]]:
    start = maze(room("A", "start", 0, 0))
    first = five()
    many = twelve()
    in_hand = minds(0, 4, 8)
    lit: dict[str, Any] = {"hand": in_hand, "matches": 5, "burnt": 1}
    leak = with_leak(first, "B")
    turned = maze(room("A", "start", 0, 0), room("B", "hall", 1, 0))
    known = (
        LocationView(1, 0, 2, ()),
        LocationView(2, 2, 1, items("key", "match")),
        LocationView(3, 1, 0, items("scrap")),
        LocationView(4, 2, 2, ()),
    )
    long_east = line(16, "e")
    branching = long_east.with_room(replace(long_east.rooms["K"], doors=("e", "s", "w")))
    return {
        "start_dark": (table(start), PLAYERS[:1]),
        "start_light": (table(start, **lit), PLAYERS[:2]),
        "start_walk": (table(start, **lit, action="move", steps=4), PLAYERS[:3]),
        "five_light": (
            table(first, "A4", **lit, action="move", steps=4, tiles_left=8, dangers_left=11),
            PLAYERS[:3],
        ),
        "five_near": (
            table(
                first, "D5", hand=minds(0, 3, 5, 6, 7), gone=minds(2), deck=minds(1, 4, 8),
                matches=3, burnt=3, tiles_left=8, kept=items("key", "match", "key"),
                locations=known, terrors=1,
            ),
            PLAYERS[:3],
        ),
        "five_dark": (
            table(
                first, "D4", deck=minds(0, 5, 7), gone=minds(1, 2, 3, 4, 6, 8), matches=0, burnt=7,
                tiles_left=8, terrors=1, dangers=("terror", "propuh"),
            ),
            PLAYERS[:3],
        ),
        "leak": (
            table(leak, "B5", matches=2, burnt=4, action="move", steps=4, kept=items("scrap")),
            PLAYERS[:4],
        ),
        "leak_beside": (table(leak, "A4", **lit), PLAYERS[:4]),
        "rotate": (
            table(turned, "B6", **lit, reveal=revealing(turned, "B.e", "shaft", "C")),
            PLAYERS[:2],
        ),
        "rotate_many": (
            table(
                many, "L5", **lit, tiles_left=3,
                reveal=revealing(many, "L.s", "well", "M", how="scout"),
            ),
            PLAYERS[:2],
        ),
        "rotate_dark": (
            table(first, "E6", reveal=revealing(first, "E.e", "shaft", "F")),
            PLAYERS[:2],
        ),
        "in_echo": (
            table(
                maze(*first.rooms.values(), room("F", "echo", 2, -1, 3)), "F4", terrors=1,
                matches=4, burnt=2, hand=minds(0, 5), action="move",
            ),
            PLAYERS[:2],
        ),
        "twelve_dark": (
            table(
                many, "C6", deck=minds(0, 1, 5, 7, 8), gone=minds(2, 3, 4, 6), matches=1, burnt=5,
                tiles_left=2, lead=2, kept=items("scrap", "scrap", "match"), terrors=1,
            ),
            MONSTROUS[:4],
        ),
        "twelve_walk": (
            table(many, "C5", **lit, action="move", steps=4, tiles_left=2, lead=0),
            PLAYERS[:3],
        ),
        "last_steps": (
            table(
                many, "L8", hand=minds(0, 3), deck=minds(1, 5), gone=minds(2, 4, 6, 7, 8),
                matches=0, burnt=6, tiles_left=0, action="move", steps=4,
            ),
            PLAYERS[:5],
        ),
        "last_dark": (
            table(many, "K5", deck=minds(0), gone=ALL[1:], matches=0, burnt=6, tiles_left=0),
            PLAYERS[:5],
        ),
        "block": (
            table(block(), "G5", **lit, action="tiptoe", steps=2, tiles_left=0, lead=6),
            MONSTROUS,
        ),
        "block_five": (table(block(16, 5), "H5", **lit, tiles_left=0), PLAYERS),
        "line_east": (
            table(long_east, "K5", **lit, action="move", steps=4, tiles_left=0), PLAYERS[:1],
        ),
        "line_south": (table(line(16, "s"), "P5", tiles_left=0, matches=0, burnt=9), PLAYERS[:1]),
        "line_map": (
            table(
                branching, "C5", **lit, tiles_left=1,
                reveal=revealing(branching, "K.s", "chapel", "Q", how="map"),
            ),
            PLAYERS[:1],
        ),
        "monstrous": (table(many, "C5", **lit, lead=4, tiles_left=2), MONSTROUS),
    }  # fmt: skip


MOMENTS: Final = _moments()
"""Tables worth looking at, with the players' names."""
