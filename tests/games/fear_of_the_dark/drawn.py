"""A maze in text, for a failed test to show."""

from __future__ import annotations

from engines.fear_of_the_dark.maze import Maze


def drawn(maze: Maze, lost: str) -> str:
    """The rooms where they lie, as tiles are drawn; ``@`` is the Lost, ``#`` and ``X`` tokens."""
    xs = [room.x for room in maze.rooms.values()]
    ys = [room.y for room in maze.rooms.values()]
    rows = [[" "] * (6 * (max(xs) - min(xs) + 1)) for _ in range(5 * (max(ys) - min(ys) + 1))]
    for room in maze.rooms.values():
        left, top = 6 * (room.x - min(xs)), 5 * (room.y - min(ys))
        frame = [list("+---+"), list("|   |"), list("|   |"), list("|   |"), list("+---+")]
        frame[0][0] = room.letter
        for side, (row, column) in {"n": (0, 2), "e": (2, 4), "s": (4, 2), "w": (2, 0)}.items():
            if side in room.doors:
                frame[row][column] = "D"
        for number, mark in enumerate(room.fields, 1):
            place = f"{room.letter}{number}"
            token = {"obstruction": "#", "lock": "X"}.get(maze.tokens.get(place, ""), "")
            shown = "@" if place == lost else token or (mark if mark not in "#X" else ".")
            frame[1 + (number - 1) // 3][1 + (number - 1) % 3] = shown
        if room.leakage:
            frame[4][4] = "~"
        for row in range(5):
            rows[top + row][left : left + 5] = frame[row]
    return "\n".join("".join(row).rstrip() for row in rows)
