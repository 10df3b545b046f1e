"""The maze as somebody sees it who has to walk it: what lies next to what, and what a way costs.

Costs are counted in mind cards.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engines.fear_of_the_dark.maze import (
    BEYOND,
    DOOR_FIELD,
    FACING,
    HOLE,
    Maze,
    door_field,
    door_of,
)

FAR: Final = 1000.0
"""The cost of what cannot be reached now."""

STEP: Final = 0.25
"""A Move card has four steps."""

DARK_HOLE: Final = 8.0
"""The toll of a hole where there is no light to tiptoe by."""

CROWDED: Final = 0.1
"""What it costs that a room lies beside the place behind a door, so that doors will be shut."""


@dataclass(frozen=True, slots=True)
class Tolls:
    """What entering a field costs beyond the step: a hole, a token, the room that leaks."""

    hole: float
    obstruction: float
    lock: float
    leak: float


@dataclass(slots=True)
class Ground:
    """A maze, ready to be walked. ``doors`` are the unused doors, by the field before them."""

    maze: Maze
    tolls: Tolls
    beside: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    doors: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    _toll: dict[str, float] = field(default_factory=dict[str, float])
    _leaking: str = ""

    def __post_init__(self) -> None:
        self._leaking = "".join(r.letter for r in self.maze.rooms.values() if r.leakage)
        places = {(room.x, room.y): room for room in self.maze.rooms.values()}
        for room in self.maze.rooms.values():
            for number, others in _INSIDE.items():
                place = f"{room.letter}{number}"
                self.beside[place] = [f"{room.letter}{other}" for other in others]
                if room.fields[number - 1] == HOLE:
                    self._toll[place] = DARK_HOLE if room.leakage else self.tolls.hole
            for side in room.doors:
                dx, dy = BEYOND[side]
                other = places.get((room.x + dx, room.y + dy))
                here = f"{room.letter}{DOOR_FIELD[side]}"
                if other is None:
                    self.doors.setdefault(here, []).append(f"{room.letter}.{side}")
                elif FACING[side] in other.doors:
                    self.beside[here].append(door_field(other.letter, FACING[side]))
        for place, token in self.maze.tokens.items():
            toll = {"lock": self.tolls.lock, "obstruction": self.tolls.obstruction}[token]
            self._toll[place] = self._toll.get(place, 0.0) + toll

    def leaks(self, place: str) -> bool:
        """Whether that field is in the leaking room."""
        return place[0] in self._leaking

    def can_enter(self, place: str, *, tiptoe: bool) -> bool:
        """No token lies there, and no hole unless tiptoeing."""
        return self.maze.can_enter(place, tiptoe=tiptoe)

    def toll(self, place: str) -> float:
        """What it costs to enter that field."""
        return STEP + self._toll.get(place, 0.0)

    def within(self, start: str, steps: int, *, tiptoe: bool, wet: bool) -> dict[str, int]:
        """The fields so near, with the steps; start too. Only ``wet`` goes into a leaking room."""
        found = {start: 0}
        edge = [start]
        for count in range(1, steps + 1):
            reached: list[str] = []
            for place in edge:
                for other in self.beside[place]:
                    if (
                        other not in found
                        and self.can_enter(other, tiptoe=tiptoe)
                        and (wet or other[0] == start[0] or not self.leaks(other))
                    ):
                        found[other] = count
                        reached.append(other)
            edge = reached
        return found

    def costs(self, goals: Mapping[str, float], limit: float = FAR) -> dict[str, float]:
        """From every field the cheapest way to a goal; goals have a cost of their own."""
        found: dict[str, float] = {}
        edge = [(cost, place) for place, cost in goals.items() if cost < limit]
        heapq.heapify(edge)
        tolls, leaking, beside = self._toll, self._leaking, self.beside
        while edge:
            cost, place = heapq.heappop(edge)
            if place in found:
                continue
            found[place] = cost
            entering = cost + STEP + tolls.get(place, 0.0)
            wet = self.tolls.leak if place[0] in leaking else 0.0
            for other in beside[place]:
                if other not in found:
                    more = entering + wet if other[0] != place[0] else entering
                    if more < limit:
                        heapq.heappush(edge, (more, other))
        return found

    def home(self) -> dict[str, float]:
        """From every field the cheapest way out of some unused door."""
        places = [(room.x, room.y) for room in self.maze.rooms.values()]
        costs: dict[str, float] = {}
        for place, (key, *_) in self.doors.items():
            x, y = self.maze.place_beyond(*door_of(key))
            crowd = sum((x + dx, y + dy) in places for dx, dy in BEYOND.values()) - 1
            costs[place] = STEP + CROWDED * crowd
        return self.costs(costs)

    def far(self, place: str, door: str) -> float:
        """The cheapest way from a field out of that door."""
        return self.costs({door_field(*door_of(door)): STEP}).get(place, FAR)


_INSIDE: Final = {
    number: tuple(
        other
        for other in range(1, 10)
        if abs((number - 1) // 3 - (other - 1) // 3) + abs((number - 1) % 3 - (other - 1) % 3) == 1
    )
    for number in range(1, 10)
}
"""The fields of a room that are side by side."""
