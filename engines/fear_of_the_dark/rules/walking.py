"""[The Maze and Movement] steps, holes, doors, and going on after a room has been revealed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.fear_of_the_dark.asking import BACK, decide
from engines.fear_of_the_dark.maze import ITEMS, SECRETS, door_field, door_of
from engines.fear_of_the_dark.rules import finds, light
from engines.fear_of_the_dark.rules.endings import Over
from engines.fear_of_the_dark.rules.reveal import reveal
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

STOP: Final = "stop"
FIRST: Final = ("exit", "reveal", "near", "field")
"""The words of options where to walk, in the order in which they are offered."""


def can_walk(g: State, *, tiptoe: bool) -> bool:
    """Whether one step at least is possible."""
    on = any(g.maze.can_enter(place, tiptoe=tiptoe) for place in g.maze.near(g.lost))
    return on or door_before(g, g.lost) is not None


async def choose_way(g: State, t: Table, steps: int) -> str | None:
    """Where the move will go first: a field or a door. None is ``back``, and nothing was spent."""
    g.steps = steps
    about = {"action": g.action, "steps": steps, "light": g.is_light}
    tiptoe = g.action == "tiptoe"
    key = await decide(g, t, "walk", (*places(g, steps, tiptoe=tiptoe), BACK), about)
    return None if key == BACK else key


async def walk(g: State, t: Table, first: str) -> None:
    """The whole move, leg by leg; the first has been chosen.

    [A Quick Guide to the Maze] a move goes on in a room without danger, C-F11; steps after a
    dangerous room are forfeited, RULE-F16. It also goes on from a lock to which a key is held,
    since kept items are used at any time (RULE-F26).
    """
    key = first
    while True:
        goes_on = await _leg(g, t, key)
        key = await _next_leg(g, t) if goes_on and g.steps else STOP
        if key == STOP:
            return


def _ways(g: State, steps: int, *, tiptoe: bool) -> dict[str, tuple[str, ...]]:
    """The ways from here; in the Light around the leak where that is short enough; RULE-F43."""
    return g.maze.ways(g.lost, steps, tiptoe=tiptoe, dry=g.is_light)


async def _leg(g: State, t: Table, key: str) -> bool:
    """Walk to a field, or through a door; whether the move may go on."""
    tiptoe = g.action == "tiptoe"
    if "." not in key:
        _go(g, t, _ways(g, g.steps, tiptoe=tiptoe)[key.upper()])
        return finds.is_key_useful(g)
    letter, side = door_of(key)
    before = door_field(letter, side)
    if before != g.lost:
        _go(g, t, _ways(g, g.steps - 1, tiptoe=tiptoe)[before])
    g.steps -= 1
    if not g.tiles:  # [Objective] all rooms are revealed and nothing lies behind; C-F16, C-F18
        t.tell("went_out", room=letter, side=side)
        raise Over("escaped")
    return await reveal(g, t, letter, side, "walk")


def _go(g: State, t: Table, path: Sequence[str]) -> None:
    """All the way. Water on the way takes the hand, but the move is completed; RULE-F22."""
    start = g.lost
    g.lost = path[-1]
    g.steps -= len(path)
    t.tell(
        "walked",
        field=g.lost,
        path=list(path),
        steps=len(path),
        left=g.steps,
        room=g.lost[0],
        tile=g.maze.rooms[g.lost[0]].tile,
        entered=g.lost[0] != start[0],
    )
    if any(g.maze.rooms[place[0]].leakage for place in path):
        light.douse(g, t, "leak")


async def _next_leg(g: State, t: Table) -> str:
    """Where to with the steps left; what is free may be done between steps."""
    tiptoe = g.action == "tiptoe"
    while True:
        on = places(g, g.steps, tiptoe=tiptoe)
        if not on and not finds.is_key_useful(g):
            return STOP
        about = {"action": g.action, "steps": g.steps, "light": g.is_light}
        stop = Option(STOP, STOP, {"field": g.lost})
        key = await decide(g, t, "go_on", (*on, *free_acts(g), stop), about)
        if key not in FREE:
            return key
        await act_freely(g, t, key)


def places(g: State, steps: int, *, tiptoe: bool) -> list[Option]:
    """The doors and fields within so many steps: ways on first, then what lies near something."""
    options: list[Option] = []
    to_doors = {g.lost: (), **_ways(g, steps - 1, tiptoe=tiptoe)}
    for key in g.maze.unused_doors():
        letter, side = door_of(key)
        path = to_doors.get(door_field(letter, side))
        if path is not None:
            facts = {"room": letter, "side": side, "steps": len(path) + 1}
            options.append(Option(key.lower(), "reveal" if g.tiles else "exit", facts))
    for place, path in _ways(g, steps, tiptoe=tiptoe).items():
        room = g.maze.rooms[place[0]]
        facts: dict[str, object] = {
            "field": place,
            "room": room.letter,
            "tile": room.tile,
            "steps": len(path),
            "leaks": any(g.maze.rooms[step[0]].leakage for step in path),
        }
        found = near(g, place)
        if found:
            facts["near"] = found
        options.append(Option(place.lower(), "near" if found else "field", facts))
    return sorted(options, key=lambda option: FIRST.index(option.word))


def near(g: State, place: str) -> list[str]:
    """What somebody on that field could turn to."""
    found: list[str] = []
    for other in g.maze.near(place):
        mark, token = g.maze.mark(other), g.maze.tokens.get(other)
        if token is not None:
            found.append(token)
        elif mark in ITEMS and g.items[ITEMS.index(mark)]:
            found.append("item")
        elif mark in SECRETS and g.secrets[SECRETS.index(mark)]:
            found.append("secret")
    if door_before(g, place) is not None:
        found.append("door" if g.tiles else "exit")
    if g.maze.rooms[place[0]].leakage:
        found.append("leakage")
    return list(dict.fromkeys(found))


def door_before(g: State, place: str) -> str | None:
    """The unused door that one stands in front of on that field."""
    doors = g.maze.unused_doors()
    return next((door for door in doors if door_field(*door_of(door)) == place), None)


# What costs no card and may be done at any time: [Matches], RULE-F26.

FREE: Final = ("strike", "use.match", "use.scrap", "use.key")


def free_acts(g: State) -> list[Option]:
    """A match, and the kept items that do something here."""
    acts: list[Option] = []
    if light.can_strike(g):
        acts.append(Option("strike", "strike", {"left": g.matches - 1}))
    acts += [Option(f"use.{kind}", f"use_{kind}") for kind in finds.usable(g)]
    return acts


async def act_freely(g: State, t: Table, key: str) -> None:
    """Do one of the free acts, or think better of it."""
    if key == "strike":
        size = g.content.numbers.match_hand
        if await light.may_strike(g, t, size, wasteful=bool(g.hand)):
            await light.strike(g, t, size)
    else:
        await finds.use(g, t, key.removeprefix("use."))
