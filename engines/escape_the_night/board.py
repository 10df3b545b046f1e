"""The floor plan as a graph: which space touches which, and how far a walk gets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from engines.escape_the_night.cards import Board


class Plan:
    """Look-ups on a board, computed once.

    Spaces are in reading order: row by row, each from left to right.
    """

    def __init__(
        self, plan: tuple[str, ...], marks: Mapping[str, str], doors: tuple[tuple[str, str], ...]
    ) -> None:
        self.rooms: dict[str, str] = {}
        for row, line in enumerate(plan, 1):
            for column, mark in enumerate(line):
                if mark != ".":
                    self.rooms[f"{chr(ord('a') + column)}{row}"] = marks[mark]
        joined = dict.fromkeys(pair for a, b in doors for pair in ((a, b), (b, a)))
        self.neighbours: dict[str, tuple[str, ...]] = {
            space: tuple(
                other
                for other in _beside(space)
                if self.rooms.get(other) == room
                or (other in self.rooms and (space, other) in joined)
            )
            for space, room in self.rooms.items()
        }

    def beside(self, space: str) -> tuple[str, ...]:
        """The spaces of the board that touch it by a side, also through a wall."""
        return tuple(other for other in _beside(space) if other in self.rooms)

    def spaces_of(self, room: str) -> tuple[str, ...]:
        """The spaces of a room, in reading order."""
        return tuple(space for space, name in self.rooms.items() if name == room)

    def distances(self, goals: tuple[str, ...], blocked: Callable[[str], bool]) -> dict[str, int]:
        """How many steps each space is from the nearest goal, without entering blocked spaces."""
        found = dict.fromkeys(goals, 0)
        edge = list(found)
        while edge:
            ahead: list[str] = []
            for space in edge:
                for other in self.neighbours[space]:
                    if other not in found and not blocked(other):
                        found[other] = found[space] + 1
                        ahead.append(other)
            edge = ahead
        return found


def plan_of(board: Board) -> Plan:
    """The board's plan. It never changes, so all who look at one board share it."""
    return _plan(board.plan, tuple(board.marks.items()), board.doors)


@lru_cache(maxsize=8)
def _plan(
    plan: tuple[str, ...],
    marks: tuple[tuple[str, str], ...],
    doors: tuple[tuple[str, str], ...],
) -> Plan:
    return Plan(plan, dict(marks), doors)


def _beside(space: str) -> tuple[str, ...]:
    column, row = ord(space[0]), int(space[1:])
    return tuple(f"{chr(column + dx)}{row + dy}" for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)))


def walks_from(
    first: tuple[str, ...],
    steps: int,
    *,
    neighbours: Callable[[str], tuple[str, ...]],
    stops: Callable[[str], bool],
    closed: Callable[[str], bool],
) -> dict[str, tuple[str, ...]]:
    """The shortest walk to every space within ``steps``, its spaces in the order entered.

    ``first`` are the spaces that the first step may enter. No walk goes on past a stop, and none
    enters a closed space.
    """
    found: dict[str, tuple[str, ...]] = {}
    edge: list[tuple[str, ...]] = [()]
    for _ in range(steps):
        ahead: list[tuple[str, ...]] = []
        for walk in edge:
            for other in neighbours(walk[-1]) if walk else first:
                if other not in found and not closed(other):
                    found[other] = (*walk, other)
                    if not stops(other):
                        ahead.append(found[other])
        edge = ahead
    return found
