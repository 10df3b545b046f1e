"""[Matches] and [Items] what costs no mind card and may be done at any time; RULE-F26."""

from __future__ import annotations

from typing import Final

from engines.fear_of_the_dark.rules import finds, light
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

STRIKE: Final = "strike"
USE: Final = "use."


def acts(g: State) -> list[Option]:
    """A match, and the kept items that do something here."""
    options: list[Option] = []
    if light.can_strike(g):
        options.append(Option(STRIKE, STRIKE, _left(g)))
    options += [Option(f"{USE}{kind}", f"use_{kind}") for kind in finds.usable(g)]
    return options


def _left(g: State) -> dict[str, object]:
    return {"left": g.matches - 1, "found": light.found_matches(g)}


def is_free(key: str) -> bool:
    """Whether an option is one of these."""
    return key == STRIKE or key.startswith(USE)


async def act(g: State, t: Table, key: str) -> None:
    """Do one of them, or think better of it."""
    if key != STRIKE:
        await finds.use(g, t, key.removeprefix(USE))
        return
    size = g.content.numbers.match_hand
    if await light.may_strike(g, t, size, wasteful=bool(g.hand)):
        await light.strike(g, t, size)
