"""Draws that were made, made once more: chance that reads its results from a ledger.

For whoever checks a finished game. Shuffling and picking with it gives what the rules got, so that
what was told of cards and tiles can be held against what was drawn.
"""

from __future__ import annotations

from collections.abc import Iterable

from engines.kernel.chance import Chance, Draw


class Redrawn(Chance):
    """Gives the results of ``draws`` again, purpose by purpose, in the order made."""

    def __init__(self, draws: Iterable[Draw]) -> None:
        super().__init__(b"")
        self._made: dict[str, list[Draw]] = {}
        for draw in draws:
            self._made.setdefault(draw.purpose, []).append(draw)

    def below(self, purpose: str, n: int) -> int:
        """The next result of that purpose. ValueError if there is none, or none below ``n``."""
        k = self._counts.get(purpose, 0)
        made = self._made.get(purpose, [])
        if k >= len(made) or made[k].n != n:
            raise ValueError(f"no draw {purpose} {k + 1} below {n} was made")
        self._counts[purpose] = k + 1
        return made[k].result

    def left(self, purpose: str) -> int:
        """How many draws of that purpose were made and not given again."""
        return len(self._made.get(purpose, [])) - self._counts.get(purpose, 0)
