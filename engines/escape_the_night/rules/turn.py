"""[Taking a Turn] one character fights on, tries again, or rolls and walks."""

from __future__ import annotations

from typing import Final

from engines.escape_the_night import deeds, effects
from engines.escape_the_night.effects import abilities
from engines.escape_the_night.paths import (
    is_claimable,
    is_in_secret_room,
    room_at,
)
from engines.escape_the_night.rules.artifact import recover
from engines.escape_the_night.rules.attempt import fight, resolve_tile
from engines.escape_the_night.state import Character, State, Walk
from engines.escape_the_night.walks import walks
from engines.kernel.decision import Option, Seat
from engines.kernel.table import Table

NOTABLE: Final = ("circle", "artifact", "tile", "clue", "monster", "secret_room", "room")
"""The words of options that come first among a move's, in this order."""


def available(g: State, seat: Seat) -> Character | None:
    """The ready character farthest to the right; RULE-E9, C-E23."""
    return next((c for c in reversed(g.living_of(seat)) if not c.exhausted), None)


async def take_turn(g: State, t: Table, seat: Seat) -> None:
    """The seat's next character acts and is exhausted."""
    character = available(g, seat)
    assert character is not None
    g.current_seat, g.acting = seat, character.id
    t.tell("turn_began", seat=seat, character=character.id)
    if character.monster is not None:  # no dice for walking while it is there; RULE-E11, C-E4
        await fight(g, t, character)
    else:
        await act(g, t, character)
    g.walk = None
    for space in abilities.tiles_spotted(g, character.id):
        deeds.turn_tile(g, t, space)
    if character.alive and not character.exhausted:
        deeds.exhaust(g, t, character.id)
    g.acting = None


async def act(g: State, t: Table, character: Character) -> None:
    """On an unresolved tile one may try again instead of rolling to move; RULE-E5."""
    start = character.space

    def options() -> list[str]:
        return ["roll", "retry"] if character.space in g.tiles else ["roll"]

    about = {
        "character": character.id,
        "may_retry": character.space in g.tiles,
        "abilities": g.options["abilities"] == "on",
    }
    with deeds.during(g, "turn"):
        choice = await t.ask(character.owner, "roll", options, about=about)
    if choice == "retry":
        await resolve_tile(g, t, character)
    else:
        await move(g, t, character, start)


async def move(g: State, t: Table, character: Character, start: str | None) -> None:
    """Two dice, then up to so many steps: the roll comes before the choice of way; RULE-E6.

    The way is walked in legs: whoever comes to an artifact may claim it in passing and goes on
    with the steps left (RULE-E34). Every other leg ends the move. ``start``: where the turn began,
    since a card may have put the character elsewhere before the dice.
    """
    from_elsewhere = not is_in_secret_room(g, start)
    dice = t.chance.dice("move", 2)
    extra = abilities.extra_steps(g, character.id)
    walk = Walk(dice, sum(dice) + extra)
    g.walk = walk
    t.tell("move_rolled", character=character.id, dice=dice, extra=extra, steps=walk.left)

    end = "stay"
    while end == "stay" or walk.left or is_claimable(g, character.space):
        with deeds.during(g, "walking"):
            choice = await _choose_leg(g, t, character, walk, end)
        from_elsewhere = from_elsewhere or not is_in_secret_room(g, character.space)
        if choice == end:
            if choice == "stay":
                t.tell("stayed", character=character.id)
            break
        end = "stop"
        if choice == "claim":
            await recover(g, t, character)
            if character.space is None:  # dead or outside: what is left is lost; RULE-E20, RULE-E21
                return
            continue
        go(g, t, character, walk, choice)
        if choice in g.tiles:  # C-E1: the other steps are lost
            walk.left = 0
            await resolve_tile(g, t, character)
            return
        if not is_claimable(g, choice):
            break

    if from_elsewhere and is_in_secret_room(g, character.space):
        t.tell("secret_room_entered", character=character.id, room=g.dining)
        await effects.apply(g, t, g.content.secret_rooms[g.dining].effect, character.id)


async def _choose_leg(g: State, t: Table, character: Character, walk: Walk, end: str) -> str:
    return await t.ask(
        character.owner,
        "move",
        lambda: move_options(g, character, walk, end),
        about={"character": character.id, "steps": walk.left},
    )


def go(g: State, t: Table, character: Character, walk: Walk, space: str) -> None:
    """Walk the shortest way to a space; those on it are passed through (RULE-E7)."""
    deeds.walk_along(g, t, character.id, walks(g, character, walk.left)[space])
    deeds.check_end(g)


def move_options(g: State, character: Character, walk: Walk, end: str) -> list[Option]:
    """Where to: what matters comes first, then every other space in reading order.

    ``end`` is the key that ends the move here: ``stay``, or ``stop`` once there was a leg.
    """
    here = character.space
    ends = walks(g, character, walk.left)
    options: list[Option] = []
    if here is not None and is_claimable(g, here):
        facts = {"artifact": g.artifacts[here], "space": here, "room": room_at(g, here)}
        options.append(Option("claim", "claim", facts))
    stay = Option(end, end, {} if here is None else {"space": here, "room": room_at(g, here)})
    options.append(stay)

    rooms: dict[str, None] = {} if here is None else {room_at(g, here): None}
    found: dict[str, Option] = {}
    for space, path in ends.items():
        word, facts = _describe(g, space, len(path))
        room = room_at(g, space)
        if word == "space" and room not in rooms:  # the nearest plain space stands for its room
            rooms[room] = None
            word = "secret_room" if is_in_secret_room(g, space) else "room"
        found[space] = Option(space, word, facts)
    # The circle matters once gathering is what remains to be done.
    notable = NOTABLE if len(g.artifacts) <= 1 or g.round >= 10 else NOTABLE[1:]
    first = [option for option in found.values() if option.word in notable]
    options += sorted(first, key=lambda option: notable.index(option.word))
    if end == "stay":
        options.append(options.pop(options.index(stay)))
    options += [found[s] for s in g.plan.rooms if s in found and found[s].word not in notable]
    return options


def _describe(g: State, space: str, steps: int) -> tuple[str, dict[str, object]]:
    """What lies there, as the word of an option, and the facts that its label names."""
    facts: dict[str, object] = {"space": space, "room": room_at(g, space), "steps": steps}
    tile = g.tiles.get(space)
    if tile is not None:
        return (tile.colour if tile.face_up else "tile"), facts
    if space in g.artifacts:
        facts["artifact"] = g.artifacts[space]
        return ("artifact" if is_claimable(g, space) else "guarded"), facts
    return ("circle" if space in g.content.board.ritual else "space"), facts
