"""[The Maze and Movement] a move, and how it goes on after a room has been revealed."""

from __future__ import annotations

from typing import Final

from engines.fear_of_the_dark.asking import BACK, decide
from engines.fear_of_the_dark.maze import door_of
from engines.fear_of_the_dark.rules import finds, free, ways
from engines.fear_of_the_dark.rules.endings import Over
from engines.fear_of_the_dark.rules.reveal import reveal
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

STOP: Final = "stop"


async def choose_way(g: State, t: Table, steps: int) -> str | None:
    """Where the move will go first: a field or a door. None is ``back``, and nothing was spent."""
    g.steps = steps
    key = await decide(g, t, "walk", (*ways.places(g, steps), BACK), _about(g))
    return None if key == BACK else key


async def walk(g: State, t: Table, first: str) -> None:
    """The whole move, leg by leg; the first has been chosen.

    [A Quick Guide to the Maze] a move goes on in a room without danger, C-F11; steps after a
    dangerous room are forfeited, RULE-F16. It also goes on from a lock to which a key is held,
    since kept items are used at any time (RULE-F26, RULE-F38).
    """
    key = first
    while True:
        goes_on = await _leg(g, t, key)
        key = await _next_leg(g, t) if goes_on and g.steps else STOP
        if key == STOP:
            return


async def _leg(g: State, t: Table, key: str) -> bool:
    """Walk to a field, or through a door; whether the move may go on."""
    if "." not in key:
        ways.go(g, t, ways.ways(g, g.steps)[key.upper()])
        return finds.is_key_useful(g)
    letter, side = door_of(key)
    path = ways.ways_out(g, g.steps)[f"{letter}.{side}"]
    if path:
        ways.go(g, t, path)
    if not g.tiles:  # [Objective] all rooms are revealed and nothing lies behind; C-F16, C-F18
        t.tell("went_out", room=letter, side=side)
        raise Over("escaped")
    return await reveal(g, t, letter, side, "walk")


async def _next_leg(g: State, t: Table) -> str:
    """Where to with the steps left; what is free may be done between steps."""
    while True:
        on = ways.places(g, g.steps)
        if not on and not finds.is_key_useful(g):
            return STOP
        stop = Option(STOP, STOP, {"field": g.lost})
        key = await decide(g, t, "go_on", (*on, *free.acts(g), stop), _about(g))
        if not free.is_free(key):
            return key
        await free.act(g, t, key)


def _about(g: State) -> dict[str, object]:
    return {"action": g.action, "steps": g.steps, "light": g.is_light, "tiles": len(g.tiles)}
