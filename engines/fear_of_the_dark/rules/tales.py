"""Which of a thing's texts is told this time, so that no two games read alike."""

from __future__ import annotations

from engines.fear_of_the_dark.state import State
from engines.kernel.table import Table


def tale(g: State, t: Table, ident: str) -> str:
    """The id of the text that chance has chosen for a tile, a kind of card or an ending."""
    return f"{ident}_{t.chance.die('tale', g.content.numbers.tales)}"
