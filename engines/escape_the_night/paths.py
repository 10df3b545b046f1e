"""What lies and who stands where: look-ups on the state, which change nothing."""

from __future__ import annotations

from engines.escape_the_night.state import State


def is_occupied(g: State, space: str, by_other_than: str) -> bool:
    """[Taking a Turn] whether another character, of whatever owner, is in the way; RULE-E7.

    [Taking a Turn] in the tenth round the ritual circle's spaces are shared; RULE-E26.
    """
    if g.round >= 10 and space in g.content.board.ritual:
        return False
    return any(c.id != by_other_than for c in g.at(space))


def is_free(g: State, space: str, for_character: str) -> bool:
    """Whether a card may put the character there: nobody and no tile is in the way."""
    return space not in g.tiles and not is_occupied(g, space, for_character)


def free_spaces(g: State, for_character: str) -> tuple[str, ...]:
    """All such spaces, in reading order."""
    return tuple(space for space in g.plan.rooms if is_free(g, space, for_character))


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
