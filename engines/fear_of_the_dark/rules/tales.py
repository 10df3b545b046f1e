"""Which of a thing's texts is told this time, so that no two games read alike, nor one twice."""

from __future__ import annotations

from engines.fear_of_the_dark.state import State
from engines.kernel.table import Table


def tale(g: State, t: Table, ident: str) -> str:
    """The id of the text that chance has chosen for a tile, a kind of card or an ending.

    None is told twice in a game while there is another.
    """
    untold = g.untold.get(ident) or tuple(range(1, g.content.numbers.tales + 1))
    number = untold[t.chance.below("tale", len(untold))]
    g.untold[ident] = tuple(other for other in untold if other != number)
    return f"{ident}_{number}"
