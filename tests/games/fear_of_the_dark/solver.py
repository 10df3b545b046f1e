"""Whether a maze can be left at all: a player that knows every deck and whose light never ends.

It plays real games through the kernel, by every rule but two: mind cards that were given up come
back, and so do matches. So it scouts each door, and what beats it is the maze itself.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engines.fear_of_the_dark.cards import Content
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.maze import (
    BEYOND,
    DOOR_FIELD,
    FACING,
    HOLE,
    LETTERS,
    PRINTED,
    Lie,
    Maze,
    Room,
    Side,
    door_field,
    door_of,
)
from engines.fear_of_the_dark.rules.reveal import lies_at
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.decision import Decision
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.games.fear_of_the_dark.drawn import drawn

Play = Playthrough[Content, State, SeatView]

MOST_ANSWERS: Final = 3000
STEP: Final = 0.25
HOLE_COST: Final = 0.3
TOKEN_COST: Final = 1.0
LEAK_COST: Final = 4.0
FAR: Final = 1000.0
ENOUGH: Final = 3
"""Doors that can be got at; more are no better."""

STRANDED: Final = "stranded"
"""The ending of a game in which no door can be got at."""

INSIDE: Final = {
    1: (2, 4), 2: (1, 3, 5), 3: (2, 6), 4: (1, 5, 7), 5: (2, 4, 6, 8),
    6: (3, 5, 9), 7: (4, 8), 8: (5, 7, 9), 9: (6, 8),
}  # fmt: skip
"""The fields of a room that are side by side."""


@dataclass(frozen=True, slots=True)
class Report:
    """How it went; ``maze`` is a drawing of where it ended."""

    seed: str
    difficulty: str
    ending: str
    plies: int
    maze: str
    told: str

    @property
    def solved(self) -> bool:
        """Whether the exit was reached."""
        return self.ending == "escaped"


@dataclass(frozen=True, slots=True)
class Ways:
    """The cheapest ways from a field to all others that can be got at; doors by their key."""

    cost: dict[str, float]
    before: dict[str, str]
    doors: dict[str, float]

    def to(self, place: str) -> list[str]:
        """The fields on the way there, the first left out."""
        way: list[str] = []
        while place in self.before:
            way.insert(0, place)
            place = self.before[place]
        return way


def ways(maze: Maze, start: str, *, wet_doors: bool = False) -> Ways:
    """How far it is to everywhere: holes on tiptoe, obstructions cleared, locks never.

    Only in the leaking room there is no light, so that its holes are barred from within.
    """
    places = {(room.x, room.y): room for room in maze.rooms.values()}
    cost: dict[str, float] = {}
    before: dict[str, str] = {}
    edge = [(0.0, start, "")]
    while edge:
        so_far, place, came = heapq.heappop(edge)
        if place in cost:
            continue
        cost[place] = so_far
        if came:
            before[place] = came
        for other in _beside(maze, places, place):
            token = maze.tokens.get(other)
            hole = maze.mark(other) == HOLE
            if other in cost or token == "lock" or (hole and maze.rooms[place[0]].leakage):
                continue
            more = STEP + HOLE_COST * hole + TOKEN_COST * (token is not None)
            if other[0] != place[0] and maze.rooms[other[0]].leakage:
                more += LEAK_COST
            heapq.heappush(edge, (so_far + more, other, place))
    doors = {
        f"{room.letter}.{side}": cost[front]
        for room in maze.rooms.values()
        for side in room.doors
        for front in (door_field(room.letter, side),)
        if (room.x + BEYOND[side][0], room.y + BEYOND[side][1]) not in places
        and front in cost
        and (wet_doors or not room.leakage)
    }
    return Ways(cost, before, doors)


def _beside(maze: Maze, places: dict[tuple[int, int], Room], place: str) -> Iterator[str]:
    room, number = maze.rooms[place[0]], int(place[1])
    for other in INSIDE[number]:
        yield f"{room.letter}{other}"
    for side in room.doors:
        if DOOR_FIELD[side] == number:
            beyond = places.get((room.x + BEYOND[side][0], room.y + BEYOND[side][1]))
            if beyond is not None and FACING[side] in beyond.doors:
                yield door_field(beyond.letter, FACING[side])


class Solver:
    """One game, played by somebody who knows it."""

    def __init__(self, content: Content, seed: str, key: str, difficulty: str) -> None:
        options = {"difficulty": difficulty, "lead": "anyone"}
        header = Header(GAME.key, GAME.rules_version, "", key, 1, options)
        self.seed = seed
        self.play: Play = Playthrough(GAME, content, header, checks=False)
        self.chosen = (-1, "")
        self.target = ""

    @property
    def g(self) -> State:
        """The whole table, decks and all."""
        return self.play._state

    def solve(self) -> Report:
        """Play to the end."""
        play = self.play
        ending = "unsolved"
        while play.outcome is None and play.ply < MOST_ANSWERS:
            self.top_up()
            (decision,) = play.asked
            try:
                keys = self.answer(decision)
            except Stranded:
                ending = STRANDED
                break
            play.answer(decision.seat, decision.question, decision.kind, keys)
        if play.outcome is not None:
            ending = play.outcome.ending
        return Report(
            self.seed,
            self.g.options["difficulty"],
            ending,
            play.ply,
            drawn(self.g.maze, self.g.lost),
            f"tiles {self.g.tiles[::-1]}, dangers {self.g.dangers[::-1]}",
        )

    def top_up(self) -> None:
        """Cards given up come back, into the hand while it is light, and so do the matches."""
        g = self.g
        (g.hand or g.deck).extend(g.gone)
        g.gone.clear()
        g.matches = g.content.numbers.most_matches

    # Answers

    def answer(self, decision: Decision) -> tuple[str, ...]:
        """What somebody does who knows all that is to come."""
        options = [option.key for option in decision.options if option.key != "back"]
        match decision.kind:
            case "act":
                return (self.act(),)
            case "walk":
                return (self.target,)
            case "go_on":
                return ("stop",)
            case "rotate":
                return (self.turn(),)
            case "build":
                return tuple(options[: decision.shape.least])
            case _:
                return (self.target if self.target in options else options[0],)

    def act(self) -> str:
        """The next act on the way to the chosen door."""
        g = self.g
        self.target = ""
        if not g.tiles:
            known = ways(g.maze, g.lost, wet_doors=True)
            if not known.doors:
                raise Stranded
            return self.towards(known, min(known.doors, key=lambda k: known.doors[k]))
        door = self.choice()
        known = ways(g.maze, g.lost)
        if door_field(*door_of(door)) != g.lost:
            return self.towards(known, door)
        return "give.scout" if g.hand else "strike"

    def towards(self, known: Ways, door: str) -> str:
        """One act on the way to that door, and out of it if nothing is left to be revealed."""
        g = self.g
        front = door_field(*door_of(door))
        way = known.to(front)
        first = way[0] if way else ""
        self.target = first.lower()
        if first in g.maze.tokens:
            return "give.clear"
        if first and g.maze.mark(first) == HOLE:
            return "give.tiptoe" if g.hand else "strike"
        length = 0
        while (
            length < min(len(way), g.content.numbers.move)
            and way[length] not in g.maze.tokens
            and g.maze.mark(way[length]) != HOLE
        ):
            length += 1
        if not g.tiles and length == len(way) and length < g.content.numbers.move:
            self.target = door.lower()
        else:
            self.target = way[length - 1].lower()
        return "give.move"

    # Choosing

    def choice(self) -> str:
        """The door at which the next tile leaves most ways open; of equal ones a near one."""
        g = self.g
        if self.chosen[0] == g.revealed:
            return self.chosen[1]
        known = ways(g.maze, g.lost)
        if not known.doors:
            raise Stranded
        near = sorted(known.doors, key=lambda door: known.doors[door])
        stays, cards = self.coming()
        best, most = near[0], -FAR
        for door in near if stays else ():
            letter, side = door_of(door)
            ident, new = g.tiles[stays - 1], LETTERS[g.revealed + len(g.tiles) - stays + 1]
            for lie in lies_at(g, ident, new, letter, side, "scout"):
                worth = self.worth(ident, new, lie, letter, side, stays - 1, cards)
                if worth > most:
                    best, most = door, worth
            if most >= ENOUGH:
                break
        self.chosen = (g.revealed, best)
        return best

    def coming(self) -> tuple[int, int]:
        """The tiles down to the next one that stays, and the danger cards when it comes."""
        g = self.g
        tiles, cards = len(g.tiles), len(g.dangers)
        while tiles and g.content.tiles[g.tiles[tiles - 1]].echo:
            cards -= g.content.tiles[g.tiles[tiles - 1]].danger
            tiles -= 1
        return tiles, max(cards, 0)

    def turn(self) -> str:
        """How the tile that was just turned up is to lie."""
        g = self.g
        found = g.reveal
        assert found is not None
        letter, side = door_of(found.door)
        best = max(
            found.lies,
            key=lambda lie: self.worth(
                found.tile, found.letter, lie, letter, side, len(g.tiles), len(g.dangers)
            ),
        )
        return f"turn.{best.turn}"

    def worth(
        self, ident: str, new: str, lie: Lie, letter: str, side: Side, left: int, cards: int
    ) -> float:
        """How many doors can be got at with the tile like that, so many tiles and cards left."""
        g = self.g
        card = g.dangers[cards - 1] if cards else ""
        tile = g.content.tiles[ident]
        leaks = tile.danger and bool(card) and g.content.dangers[card].kind == "leakage"
        x, y = g.maze.place_beyond(letter, side)
        maze = g.maze.with_room(Room(new, ident, x, y, lie.fields, lie.doors, leakage=leaks))
        for number, mark in enumerate(lie.fields, 1):
            if mark in PRINTED:
                maze = maze.with_token(f"{new}{number}", PRINTED[mark])
        known = ways(maze, door_field(letter, side), wet_doors=not left)
        places = {maze.place_beyond(*door_of(key)) for key in known.doors}
        return min(ENOUGH, len(places)) - 10.0 * (not places)


class Stranded(Exception):
    """No door can be got at."""
