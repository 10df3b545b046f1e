"""[Win Condition] the additional victories; RULE-E24."""

from __future__ import annotations

from collections.abc import Mapping

from engines.escape_the_night.state import State
from engines.kernel.decision import Seat


def titles(g: State) -> dict[str, list[Seat]]:
    """Who bears which title after a win: counted per character, awarded to its owner."""
    found = g.characters.values()
    return honours(
        {c.id: c.slain for c in found},
        {c.id: c.solved for c in found},
        {c.id: c.owner for c in found},
    )


def honours(
    slain: Mapping[str, int], solved: Mapping[str, int], owners: Mapping[str, Seat]
) -> dict[str, list[Seat]]:
    """The titles for these counts.

    Equals share a title and nobody bears one for nothing. Whoever is the only one to lead both
    counts is master of the house instead, and takes nothing from an equal in one of them.
    """
    slayers, solvers = _leaders(slain, owners), _leaders(solved, owners)
    both = [seat for seat in slayers if seat in solvers]
    masters = both if len(both) == 1 else []
    found = (
        ("master_of_the_house", masters),
        ("monster_slayer", [seat for seat in slayers if seat not in masters]),
        ("clue_master", [seat for seat in solvers if seat not in masters]),
    )
    return {title: seats for title, seats in found if seats}


def _leaders(counts: Mapping[str, int], owners: Mapping[str, Seat]) -> list[Seat]:
    most = max(counts.values())
    if not most:
        return []
    return sorted(dict.fromkeys(owners[c] for c in counts if counts[c] == most))
