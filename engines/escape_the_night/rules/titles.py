"""[Win Condition] the additional victories; RULE-E24."""

from __future__ import annotations

from engines.escape_the_night.state import State
from engines.kernel.decision import Seat


def titles(g: State) -> dict[str, list[Seat]]:
    """Who bears which title after a win: counted per character, awarded to its owner.

    Equals share a title, nobody bears one for nothing, and whoever alone leads both counts is
    master of the house instead.
    """
    slayers = _leaders({c.id: c.slain for c in g.characters.values()}, g)
    solvers = _leaders({c.id: c.solved for c in g.characters.values()}, g)
    both = [seat for seat in slayers if seat in solvers]
    if len(both) == 1:
        return {"master_of_the_house": both}
    return {
        title: seats
        for title, seats in (("monster_slayer", slayers), ("clue_master", solvers))
        if seats
    }


def _leaders(counts: dict[str, int], g: State) -> list[Seat]:
    most = max(counts.values())
    if not most:
        return []
    return sorted(dict.fromkeys(g.characters[c].owner for c in counts if counts[c] == most))
