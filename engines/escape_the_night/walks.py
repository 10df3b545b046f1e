"""How far a character may go, abilities included."""

from __future__ import annotations

from engines.escape_the_night.board import walks_from
from engines.escape_the_night.effects import abilities
from engines.escape_the_night.paths import occupied
from engines.escape_the_night.state import Character, State


def walks(g: State, character: Character, steps: int) -> dict[str, tuple[str, ...]]:
    """Every space where a leg of at most ``steps`` may end, with the shortest walk there.

    [Taking a Turn] steps go to adjacent spaces; a tile ends the walk on its space (RULE-E4), so a
    tile under another character cannot be entered (RULE-E7). From outside the front door the only
    first step is onto the front steps (RULE-E8). A character's own space is among the ends only if
    an unresolved tile lies there: it leaves and comes back (RULE-E5). Abilities may bend all this.
    """
    who, start = character.id, character.space
    light = abilities.passes_tiles(g, who)
    sharing = abilities.shares_spaces(g, who)
    taken = dict.fromkeys(occupied(g, who))

    def neighbours(space: str) -> tuple[str, ...]:
        return g.plan.neighbours[space] + abilities.passage_from(g, who, space)

    def stops(space: str) -> bool:
        tile = g.tiles.get(space)
        return tile is not None and not (light and tile.face_up)

    def may_end(space: str) -> bool:
        if space == start:
            return space in g.tiles
        return space not in taken or (sharing and space not in g.tiles)

    found = walks_from(
        abilities.first_spaces(g, who) if start is None else neighbours(start),
        steps,
        neighbours=neighbours,
        stops=stops,
        closed=lambda space: space in taken and stops(space),
    )
    return {space: walk for space, walk in found.items() if may_end(space)}
