"""Numbers of things in lines for the operator."""

from __future__ import annotations


def counted(count: int, one: str, many: str = "") -> str:
    """``1 game``, ``2 games``; ``many`` where it is not one with an s."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"
