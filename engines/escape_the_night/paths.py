"""What lies and who stands where: look-ups on the state, which change nothing."""

from __future__ import annotations

from engines.escape_the_night.state import State


def occupied(g: State, by_other_than: str) -> list[str]:
    """[Taking a Turn] spaces where another character, of whatever owner, is in the way; RULE-E7.

    In the tenth round the ritual circle's spaces are shared; before it they are not: RULE-E26.
    """
    shared = g.content.board.ritual if g.round >= 10 else ()
    return [
        c.space
        for c in g.living()
        if c.space is not None and c.id != by_other_than and c.space not in shared
    ]


def free_spaces(g: State, for_character: str) -> tuple[str, ...]:
    """Where a card may put the character: nobody and no tile is in the way. In reading order."""
    taken = occupied(g, for_character)
    return tuple(s for s in g.plan.rooms if s not in g.tiles and s not in taken)


def room_at(g: State, space: str) -> str:
    """The room by the name it has tonight: the secret room lies over the dining room."""
    room = g.plan.rooms[space]
    return g.dining if g.content.board.rooms[room].kind == "dining" else room


def is_clear(g: State, room: str) -> bool:
    """[Recovering an Artifact] no S.A.E. tile is left in the room, face up or down; C-E3."""
    return not any(g.plan.rooms[space] == room for space in g.tiles)


def is_claimable(g: State, space: str | None) -> bool:
    """[Recovering an Artifact] an artifact lies there and its room is clear."""
    return space is not None and space in g.artifacts and is_clear(g, g.plan.rooms[space])


def is_in_secret_room(g: State, space: str | None) -> bool:
    """[Game Set Up] the secret room lies over the dining room's spaces; RULE-E33."""
    if space is None or g.dining not in g.content.secret_rooms:
        return False
    return g.content.board.rooms[g.plan.rooms[space]].kind == "dining"
