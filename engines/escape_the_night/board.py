"""The floor plan as a graph: which space touches which, and how far a walk gets."""

from __future__ import annotations

from collections.abc import Callable

from engines.escape_the_night.cards import Board


class Plan:
    """Look-ups on a board, computed once."""

    def __init__(self, board: Board) -> None:
        self.rooms: dict[str, str] = {}
        for row, line in enumerate(board.plan, 1):
            for column, mark in enumerate(line):
                if mark != ".":
                    self.rooms[f"{chr(ord('a') + column)}{row}"] = board.marks[mark]
        doors = {frozenset(pair): None for pair in board.doors}
        self.neighbours: dict[str, tuple[str, ...]] = {
            space: tuple(
                other
                for other in _beside(space)
                if other in self.rooms
                and (self.rooms[other] == room or frozenset((space, other)) in doors)
            )
            for space, room in self.rooms.items()
        }

    def spaces_of(self, room: str) -> tuple[str, ...]:
        """The spaces of a room, row by row."""
        return tuple(space for space, name in self.rooms.items() if name == room)


def _beside(space: str) -> tuple[str, ...]:
    column, row = ord(space[0]), int(space[1:])
    return tuple(f"{chr(column + dx)}{row + dy}" for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)))


def walk_from(
    plan: Plan, start: str, steps: int, *, stops: Callable[[str], bool]
) -> dict[str, tuple[str, ...]]:
    """The shortest walk to every space within ``steps``; no walk goes on past a stop.

    The start itself (no step) is included with an empty walk.
    """
    found: dict[str, tuple[str, ...]] = {start: ()}
    edge = [start]
    for _ in range(steps):
        ahead: list[str] = []
        for space in edge:
            if space != start and stops(space):
                continue
            for other in plan.neighbours[space]:
                if other not in found:
                    found[other] = (*found[space], other)
                    ahead.append(other)
        edge = ahead
    return found
