"""Whole games for tests: openings by drawn values, and what must hold at every ply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from engines.fear_of_the_dark.cards import Content, Danger, DangerKind, Tile
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.maze import FACING, SIDES, Side, lies
from engines.fear_of_the_dark.rules.set_up import START
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision
from engines.kernel.game import Choice, Game
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.games.fear_of_the_dark.box import CONTENT, TILES, tile

Escape = Playthrough[Content, State, SeatView]

DEAD_END = tile("+-D-+ |...| |1..| |...| +---+", danger=True)
NARROW = replace(CONTENT, tiles={**dict.fromkeys(TILES, DEAD_END), "passage": TILES["passage"]})
"""The small box with rooms of one door, so that mazes close."""

CROWDED = replace(
    CONTENT,
    tiles={
        name: tile("+-D-+ |1A2| D.X.D |B3C| +-D-+", danger=n % 3 == 0, echo=n % 4 == 0)
        for n, name in enumerate(TILES)
    },
    dangers={name: CONTENT.dangers[name] for name in ("leakage_1", "propuh_1", "terror_1")},
)
"""The small box with much to find, a lock in every room, and few dangers."""


def told_of(kind: DangerKind, printed: Tile, start: Tile = CONTENT.start) -> Content:
    """The small box with one kind of danger and one kind of room."""
    return replace(
        CONTENT,
        start=start,
        tiles=dict.fromkeys(TILES, printed),
        dangers={f"{kind}_{n}": Danger(kind, walked=kind != "leakage") for n in range(13)},
    )


TERRIBLE = told_of("terror", tile("+-D-+ |1..| D...D |..A| +-D-+", danger=True))
DREADFUL = told_of("collapse", tile("+-D-+ |...| |...| |...| +-D-+", danger=True, echo=True))
CAVED_IN = told_of("propuh", DEAD_END, start=tile("+---+ |...| D...D |...| +---+"))
COBWEB = told_of("locking", tile("+-D-+ |O.O| D.O.D |O.O| +-D-+", danger=True))
"""Boxes in which what is rare comes soon: terror, an echo, the last door shut, no way on."""


GOLDEN: dict[str, tuple[int, Content, dict[str, Any], int]] = {
    "escaped": (1, CROWDED, {"difficulty": "easy"}, 17),
    "mind_lost": (3, CONTENT, {"lead": "round"}, 29),
    "terror": (2, TERRIBLE, {}, 4),
    "dark_echo": (2, DREADFUL, {"difficulty": "hard"}, 19),
    "maze_closed": (1, CAVED_IN, {}, 33),
    "trapped": (2, COBWEB, {"difficulty": "very_hard", "lead": "round"}, 12),
}
"""For each ending the seats, the box, the lobby's options and the key of a game by bold players."""


SHIPPED: dict[str, tuple[str, int, dict[str, Any], int]] = {
    "escaped": ("sensible", 1, {"difficulty": "easy"}, 11),
    "mind_lost": ("bold", 3, {"difficulty": "very_hard", "lead": "round"}, 6),
    "terror": ("bold", 3, {"lead": "round"}, 123),
    "dark_echo": ("bold", 1, {"difficulty": "very_hard"}, 82),
}
"""The same with the box that is shipped, where mazes hardly ever close and nobody is trapped: the
players, the seats, the lobby's options and the key.
"""


def header(seats: int, key: bytes, **options: str) -> Header:
    """A header with default options but for those given."""
    chosen = {option.key: option.default for option in GAME.options} | options
    return Header(GAME.key, GAME.rules_version, "small", key.hex(), seats, chosen)


def opened(
    seats: int,
    key: bytes,
    *,
    content: Content = CONTENT,
    game: Game[Content, State, SeatView] = GAME,
    **options: str,
) -> Escape:
    """A game begins."""
    return Playthrough(game, content, header(seats, key, **options))


def check_table(g: State) -> None:
    """Nothing is lost, doubled, or where it cannot be."""
    content = g.content
    rooms = [room.tile for room in g.maze.rooms.values() if room.tile != START]
    turned_up = [g.reveal.tile] if g.reveal else []
    faded = g.revealed - len(rooms) - len(turned_up)
    tiles = [*g.tiles, *g.aside, *rooms, *turned_up]
    assert len(tiles) == len(set(tiles)) == len(content.tiles) - faded
    assert all(content.tiles[name].echo for name in content.tiles if name not in tiles)
    same_cards(content.dangers, g.dangers, g.spent_dangers, g.terrors)
    same_cards(content.items, *g.items, g.kept, g.used, g.boxed[:1])
    same_cards(content.secrets, *g.secrets, g.told_secrets, g.boxed[1:])
    same_cards(content.minds, g.deck, g.hand, g.gone)
    numbers = content.numbers
    tokens = Counter(g.maze.tokens.values())
    assert tokens["obstruction"] <= numbers.obstructions
    assert tokens["lock"] <= numbers.locks
    assert sum(room.leakage for room in g.maze.rooms.values()) <= numbers.leakages
    assert 0 <= g.matches <= numbers.most_matches
    check_maze(g)


def same_cards(cards: Any, *zones: list[str]) -> None:
    """Each card lies in one of the zones, once."""
    assert Counter(card for zone in zones for card in zone) == Counter(tuple(cards))


@cache
def ways_to_lie(printed: Tile) -> list[tuple[str, tuple[Side, ...]]]:
    """Fields and doors of each lie."""
    return [(lie.fields, lie.doors) for lie in lies(printed)]


def check_maze(g: State) -> None:
    """Rooms lie as they were printed, on places of their own, and the Lost where it can stand."""
    rooms = g.maze.rooms
    assert len({(room.x, room.y) for room in rooms.values()}) == len(rooms)
    for letter, room in rooms.items():
        printed = g.content.start if room.tile == START else g.content.tiles[room.tile]
        doors = tuple(side for side in room.doors if side not in room.secret_doors)
        assert (room.fields, doors) in ways_to_lie(printed)
        assert letter == room.letter
        for side in SIDES:
            other = g.maze.beyond(letter, side)
            if other is not None:
                states = {g.maze.door(letter, side), g.maze.door(other.letter, FACING[side])}
                assert "dark" not in states
                assert states != {"open", "shut"}
    assert set(g.maze.tokens) <= {f"{letter}{n}" for letter in rooms for n in range(1, 10)}
    assert g.lost[0] in rooms
    assert g.lost not in g.maze.tokens
    assert not (g.hand and g.is_leaking)


WASTEFUL = ("back", "stop", "give")


def bold(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """A computer player that leaves if it can, saves its cards mostly, and else plays at random."""
    if not asked or asked[0].shape.most > 1:
        return random_agent(view, asked, offers, rng)
    keys = asked[0].keys()
    ways = [o.key for o in asked[0].options if o.word in ("exit", "reveal")]
    thrifty = [key for key in keys if key.partition(".")[0] not in WASTEFUL]
    if ways and rng.below("on", 2):
        keys = tuple(ways)
    elif thrifty and rng.below("waste", 8):
        keys = tuple(thrifty)
    return Choice(asked[0], (rng.pick("key", keys),))
