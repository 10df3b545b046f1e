"""The maze: rooms of nine fields, their doors and the tokens on them. Geometry, no rules of play.

Rooms lie on a grid; x grows to the east, y to the south. A room is known by a capital letter in the
order of revealing. Its fields are numbered like this, and a field goes by room and number, ``B5``:

    1 2 3
    4 5 6
    7 8 9

Doors sit in the middle of a side (RULE-F13): north at 2, west at 4, east at 6, south at 8. A door
goes by its room and side, ``B.n``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from engines.fear_of_the_dark.cards import Tile

Side = Literal["n", "e", "s", "w"]
Token = Literal["obstruction", "lock"]
Way = tuple[str, ...]
"""The fields that one enters, step by step."""

DoorState = Literal["none", "dark", "open", "shut"]
"""``dark``: nothing lies beyond yet; ``open``: leads to a room; ``shut``: meets a wall."""

SIDES: Final[tuple[Side, ...]] = ("n", "e", "s", "w")
FACING: Final[Mapping[Side, Side]] = {"n": "s", "e": "w", "s": "n", "w": "e"}
BEYOND: Final[Mapping[Side, tuple[int, int]]] = {
    "n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0),
}  # fmt: skip
DOOR_FIELD: Final[Mapping[Side, int]] = {"n": 2, "e": 6, "s": 8, "w": 4}

EMPTY: Final = "."
HOLE: Final = "O"
PRINTED: Final[Mapping[str, Token]] = {"#": "obstruction", "X": "lock"}
ITEMS: Final = "1234"
SECRETS: Final = "ABCD"
MARKS: Final = EMPTY + HOLE + "#X" + ITEMS + SECRETS
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def door_of(key: str) -> tuple[str, Side]:
    """The room and side of ``B.n``; ValueError for what is no door."""
    letter, _, name = key.upper().partition(".")
    for side in SIDES:
        if side.upper() == name:
            return letter, side
    raise ValueError(f"{key!r} is no door")


def door_field(letter: str, side: Side) -> str:
    """The field in front of a door, inside the room."""
    return f"{letter}{DOOR_FIELD[side]}"


@dataclass(frozen=True, slots=True)
class Room:
    """A placed tile. ``fields`` has its nine marks in reading order and ``doors`` its sides with a
    door, both as it lies; ``secret_doors`` are those among them that a token made.
    """

    letter: str
    tile: str
    x: int
    y: int
    fields: str
    doors: tuple[Side, ...]
    danger: bool = False
    echo: bool = False
    leakage: bool = False
    secret_doors: tuple[Side, ...] = ()


@dataclass(frozen=True, slots=True)
class Maze:
    """All rooms by letter, and the tokens on fields. Never changed: every deed gives a new one."""

    rooms: Mapping[str, Room] = field(default_factory=dict[str, Room])
    tokens: Mapping[str, Token] = field(default_factory=dict[str, Token])

    # Changing

    def with_room(self, room: Room) -> Maze:
        """The maze with this room, new or changed."""
        return Maze({**self.rooms, room.letter: room}, self.tokens)

    def without_room(self, letter: str) -> Maze:
        """The maze without a room and without the tokens on it."""
        rooms = {name: room for name, room in self.rooms.items() if name != letter}
        return Maze(rooms, {f: token for f, token in self.tokens.items() if f[0] != letter})

    def with_token(self, place: str, token: Token) -> Maze:
        """The maze with a token on that field."""
        return Maze(self.rooms, {**self.tokens, place: token})

    def without_token(self, place: str) -> Maze:
        """The maze with that field cleared."""
        return Maze(self.rooms, {f: token for f, token in self.tokens.items() if f != place})

    def with_secret_door(self, letter: str, side: Side) -> Maze:
        """The maze with a door where there was a wall; a neighbour's wall opens too; RULE-F29."""
        rooms = dict(self.rooms)
        for room, at in ((self.rooms[letter], side), (self.beyond(letter, side), FACING[side])):
            if room is not None and at not in room.doors:
                doors = tuple(s for s in SIDES if s in room.doors or s == at)
                secret = (*room.secret_doors, at)
                rooms[room.letter] = replace(room, doors=doors, secret_doors=secret)
        return Maze(rooms, self.tokens)

    def with_only(self, token: Token) -> Maze:
        """The maze without tokens of any other kind."""
        return Maze(self.rooms, {f: kind for f, kind in self.tokens.items() if kind == token})

    # Looking

    def room_at(self, x: int, y: int) -> Room | None:
        """The room on that place of the grid."""
        for room in self.rooms.values():
            if room.x == x and room.y == y:
                return room
        return None

    def place_beyond(self, letter: str, side: Side) -> tuple[int, int]:
        """The place of the grid on the other side."""
        room = self.rooms[letter]
        dx, dy = BEYOND[side]
        return room.x + dx, room.y + dy

    def beyond(self, letter: str, side: Side) -> Room | None:
        """The room on the other side."""
        return self.room_at(*self.place_beyond(letter, side))

    def door(self, letter: str, side: Side) -> DoorState:
        """What is to be found at that side; RULE-F14."""
        if side not in self.rooms[letter].doors:
            return "none"
        if self.beyond(letter, side) is None:
            return "dark"
        return "shut" if self.through(letter, side) is None else "open"

    def through(self, letter: str, side: Side) -> Room | None:
        """The room that an open door leads to."""
        other = self.beyond(letter, side)
        if other is None or FACING[side] not in other.doors:
            return None
        return other if side in self.rooms[letter].doors else None

    def unused_doors(self) -> tuple[str, ...]:
        """Every door with nothing beyond it, as ``B.n``."""
        taken = [(room.x, room.y) for room in self.rooms.values()]
        return tuple(
            f"{room.letter}.{side}"
            for room in self.rooms.values()
            for side in room.doors
            if (room.x + BEYOND[side][0], room.y + BEYOND[side][1]) not in taken
        )

    def walls(self) -> tuple[str, ...]:
        """Every side without a door, as ``B.n``."""
        return tuple(
            f"{room.letter}.{side}"
            for room in self.rooms.values()
            for side in SIDES
            if side not in room.doors
        )

    def mark(self, place: str) -> str:
        """What is printed on a field."""
        return self.rooms[place[0]].fields[int(place[1]) - 1]

    def near(self, place: str) -> Iterator[str]:
        """Fields one step away: never diagonally, through open doors, whatever lies on them."""
        letter, number = place[0], int(place[1])
        row, column = divmod(number - 1, 3)
        for side in SIDES:
            dx, dy = BEYOND[side]
            if 0 <= row + dy < 3 and 0 <= column + dx < 3:
                yield f"{letter}{(row + dy) * 3 + column + dx + 1}"
            elif number == DOOR_FIELD[side]:
                other = self.through(letter, side)
                if other is not None:
                    yield door_field(other.letter, FACING[side])

    def can_enter(self, place: str, *, tiptoe: bool) -> bool:
        """[Types of fields] no token lies there, and no hole unless tiptoeing."""
        return place not in self.tokens and (tiptoe or self.mark(place) != HOLE)

    def ways(self, start: str, steps: int, *, tiptoe: bool, dry: bool = True) -> dict[str, Way]:
        """The fields within so many steps, each with the way to it, start left out.

        A shortest way; with ``dry`` one that enters no leaking room, if one is short enough.
        """
        found = self._ways(start, steps, tiptoe, avoid=())
        leaking = self._leaking(start[0])
        if dry and leaking:
            found |= self._ways(start, steps, tiptoe, avoid=leaking)
        return found

    def _leaking(self, here: str) -> tuple[str, ...]:
        return tuple(r.letter for r in self.rooms.values() if r.leakage and r.letter != here)

    def _ways(self, start: str, steps: int, tiptoe: bool, avoid: Collection[str]) -> dict[str, Way]:
        found: dict[str, Way] = {start: ()}
        edge = [start]
        for _ in range(steps):
            reached: list[str] = []
            for place in edge:
                for other in self.near(place):
                    if other in found or other[0] in avoid:
                        continue
                    if self.can_enter(other, tiptoe=tiptoe):
                        found[other] = (*found[place], other)
                        reached.append(other)
            edge = reached
        del found[start]
        return found


@dataclass(frozen=True, slots=True)
class Lie:
    """One way in which a tile can lie, after ``turn`` quarter turns clockwise."""

    turn: int
    fields: str
    doors: tuple[Side, ...]


def lies(tile: Tile) -> tuple[Lie, ...]:
    """The different ways in which a tile can lie, as printed first."""
    fields = "".join(row[1:4] for row in tile.drawing[1:4])
    top, middle, bottom = tile.drawing[0], tile.drawing[2], tile.drawing[4]
    drawn = {"n": top[2], "e": middle[4], "s": bottom[2], "w": middle[0]}
    doors: tuple[Side, ...] = tuple(side for side in SIDES if drawn[side] == "D")
    found: list[Lie] = []
    for turn in range(4):
        if all((lie.fields, lie.doors) != (fields, doors) for lie in found):
            found.append(Lie(turn, fields, doors))
        fields = "".join(fields[(2 - n % 3) * 3 + n // 3] for n in range(9))
        doors = tuple(side for n, side in enumerate(SIDES) if SIDES[n - 1] in doors)
    return tuple(found)
