"""[When revealing a room] enter, danger, dark echo, tokens; then perhaps the move goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from engines.fear_of_the_dark.asking import decide
from engines.fear_of_the_dark.maze import (
    FACING,
    HOLE,
    ITEMS,
    LETTERS,
    PRINTED,
    SECRETS,
    Lie,
    Room,
    Side,
    door_field,
    door_of,
    lies,
)
from engines.fear_of_the_dark.rules import dangers, ways
from engines.fear_of_the_dark.rules.endings import Over, check_open
from engines.fear_of_the_dark.rules.tales import tale
from engines.fear_of_the_dark.state import How, Reveal, State
from engines.kernel.decision import Option
from engines.kernel.table import Table

CLOSED, BARRED, OPEN = range(3)
"""How a maze stands: no unused door, none that can be got at, one that can."""

ANYWHERE: Final = 9 * len(LETTERS)
"""More steps than any way in the maze has."""


async def reveal(g: State, t: Table, letter: str, side: Side, how: How) -> bool:
    """Turn up the next tile at a door and resolve it; whether a move under way may go on."""
    ident = g.tiles.pop()
    tile = g.content.tiles[ident]
    g.revealed += 1
    new = LETTERS[g.revealed]
    t.tell(
        "tile_revealed",
        room=new,
        tile=ident,
        tale=tale(g, t, ident),
        how=how,
        danger=tile.danger,
        echo=tile.echo,
        left=len(g.tiles),
    )
    room = await _place(g, t, ident, new, letter, side, how)
    before = door_field(letter, side)
    walked = how == "walk"
    entered = walked and _enter(g, t, room, side)
    if tile.danger or tile.echo:  # RULE-F16, RULE-F17: the steps that are left are forfeited
        g.steps = 0

    triggered = ""
    if tile.danger and how != "map":  # RULE-F28: a map passes by the dangers
        triggered = await dangers.draw(g, t, room.letter, before, how, echo=tile.echo)
    if tile.echo:
        await _fade(g, t, room, letter, side, how, triggered)
        return False
    _lay_tokens(g, t, room)
    check_open(g, t)
    return entered and not tile.danger


async def _place(
    g: State, t: Table, ident: str, new: str, letter: str, side: Side, how: How
) -> Room:
    """Choose how the tile lies and put it there. An echo is not asked about: it will not stay."""
    tile = g.content.tiles[ident]
    fitting = lies_at(g, ident, new, letter, side, how)
    lie = fitting[0]
    room = _room(g, ident, new, lie, letter, side)
    if len(fitting) > 1 and not tile.echo:
        g.reveal = Reveal(ident, new, f"{letter}.{side}", how, fitting)
        about = {"room": new, "tile": ident, "how": how, "from_room": letter, "side": side}
        key = await decide(g, t, "rotate", _options(g, fitting, room, side), about)
        g.reveal = None
        lie = next(lie for lie in fitting if key == f"turn.{lie.turn}")
        room = _room(g, ident, new, lie, letter, side)
    g.maze = g.maze.with_room(room)
    t.tell(
        "tile_placed",
        room=new,
        tile=ident,
        turn=lie.turn,
        doors=list(lie.doors),
        echo=tile.echo,
        from_room=letter,
        side=side,
    )
    return room


def lies_at(g: State, ident: str, new: str, letter: str, side: Side, how: How) -> tuple[Lie, ...]:
    """The ways in which a tile may lie at a door.

    RULE-F14: its door has to be there. RULE-F31: the maze stays open where that is possible.
    RULE-F15: who walks chooses a free field behind the door where there is one.
    """
    tile = g.content.tiles[ident]
    fitting = tuple(lie for lie in lies(tile) if FACING[side] in lie.doors)
    if not tile.echo:
        fitting = _best(fitting, lambda lie: openness(g, _room(g, ident, new, lie, letter, side)))
    if how == "walk":
        entry = int(door_field(new, FACING[side])[1]) - 1
        fitting = _best(fitting, lambda lie: _can_enter(g, lie.fields[entry]))
    return fitting


def _best(lies: tuple[Lie, ...], worth: Callable[[Lie], int]) -> tuple[Lie, ...]:
    most = max(worth(lie) for lie in lies)
    return tuple(lie for lie in lies if worth(lie) == most)


def openness(g: State, room: Room) -> int:
    """How the maze would stand with that room; RULE-F31.

    A door can be got at if no lock bars the way from where the Lost is: obstructions can be cleared
    and holes crossed on tiptoe, while keys may all be back in the box.
    """
    maze = g.maze.with_room(room)
    doors = [door_of(key) for key in maze.unused_doors()]
    if not doors:
        return CLOSED
    locked = maze.with_only("lock")
    for number, mark in enumerate(room.fields, 1):
        if PRINTED.get(mark) == "lock":
            locked = locked.with_token(f"{room.letter}{number}", "lock")
    there = (g.lost, *locked.ways(g.lost, ANYWHERE, tiptoe=True))
    return OPEN if any(door_field(*door) in there for door in doors) else BARRED


def _can_enter(g: State, mark: str) -> bool:
    """RULE-F15: nothing printed bars the field; a hole may be entered on tiptoe."""
    return mark not in PRINTED and (mark != HOLE or g.is_tiptoeing)


def _room(g: State, ident: str, new: str, lie: Lie, letter: str, side: Side) -> Room:
    tile = g.content.tiles[ident]
    x, y = g.maze.place_beyond(letter, side)
    return Room(new, ident, x, y, lie.fields, lie.doors, tile.danger, tile.echo)


def _options(g: State, fitting: tuple[Lie, ...], room: Room, side: Side) -> list[Option]:
    """The lies as options: what each has at its doors, and how many doors lead on."""
    return [_option(g, number, lie, room, side) for number, lie in enumerate(fitting, 1)]


def _option(g: State, number: int, lie: Lie, room: Room, side: Side) -> Option:
    laid = replace(room, fields=lie.fields, doors=lie.doors)
    maze = g.maze.with_room(laid)
    facts = {
        "number": number,
        "doors": list(lie.doors),
        "entry": lie.fields[int(door_field(room.letter, FACING[side])[1]) - 1],
        "open": [s for s in lie.doors if maze.door(room.letter, s) == "dark"],
        "shut": [s for s in lie.doors if maze.door(room.letter, s) == "shut"],
        "holes": _sides(lie, HOLE),
        "barred": _sides(lie, "".join(PRINTED)),
        "item_fields": _fields(laid, ITEMS, g.items),
        "secret_fields": _fields(laid, SECRETS, g.secrets),
    }
    return Option(f"turn.{lie.turn}", "lie", facts)


def _fields(room: Room, marks: str, piles: Sequence[Sequence[str]]) -> list[str]:
    """The fields of a location that has a card left."""
    return [
        f"{room.letter}{number}"
        for number, mark in enumerate(room.fields, 1)
        if mark in marks and piles[marks.index(mark)]
    ]


def _sides(lie: Lie, marks: str) -> list[Side]:
    """The doors that have such a field before them."""
    return [side for side in lie.doors if lie.fields[int(door_field("A", side)[1]) - 1] in marks]


def _enter(g: State, t: Table, room: Room, side: Side) -> bool:
    """The Lost steps in; RULE-F15: or stays at the door, if the field behind it is barred."""
    place = door_field(room.letter, FACING[side])
    if not _can_enter(g, g.maze.mark(place)):
        t.tell("blocked", room=room.letter, tile=room.tile, side=side)
        return False
    ways.go(g, t, (place,))
    return True


async def _fade(
    g: State, t: Table, room: Room, letter: str, side: Side, how: How, triggered: str
) -> None:
    """[Special rooms] a dark echo goes with all that lies on it, and the next tile is revealed.

    It takes the Lost along if a Collapse or Locking triggered, except on Easy (RULE-F18). Else the
    Lost is back in front of the door, and the next tile is revealed as if scouted (RULE-F17), or as
    by the map that revealed this one (RULE-F28). A discarded echo counts as revealed.
    """
    g.maze = g.maze.without_room(room.letter)
    t.tell("echo_faded", room=room.letter, tile=room.tile)
    was_inside = g.lost[0] == room.letter
    if was_inside:
        g.lost = door_field(letter, side)
    if triggered in dangers.BEHIND and g.difficulty.deadly:
        raise Over("dark_echo")  # C-F12; the standee stays where the Lost was seen last
    if was_inside:
        t.tell("returned", field=g.lost)
    if g.tiles:
        await reveal(g, t, letter, side, "map" if how == "map" else "echo")


def _lay_tokens(g: State, t: Table, room: Room) -> None:
    """[A Quick Guide to the Maze] tokens as the room's highlights say; RULE-F20."""
    for number, mark in enumerate(room.fields, 1):
        if mark in PRINTED:
            dangers.place_token(g, t, f"{room.letter}{number}", PRINTED[mark])
