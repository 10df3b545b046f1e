"""Who is asked: the players share the Lost, so anybody may decide, or whoever leads.

Nothing interrupts an open question in this game, so options are gathered once, for all seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option, Seat, Shape
from engines.kernel.table import Table

BACK: Final = "back"
"""Takes a question back that has not cost anything yet."""

Options = Sequence[Option | str]


def deciders(g: State) -> tuple[Seat, ...]:
    """The seats that may answer now."""
    return tuple(range(g.seats)) if g.lead is None else (g.lead,)


def pass_lead(g: State, t: Table) -> None:
    """The next seat leads, where somebody does; RULE-F41."""
    if g.lead is not None and g.seats > 1:
        g.lead = (g.lead + 1) % g.seats
        t.tell("lead_passed", seat=g.lead)


async def decide(
    g: State, t: Table, kind: str, options: Options, about: Mapping[str, object] | None = None
) -> str:
    """One option's key, from whoever answers first."""
    _, key = await t.ask_any(lambda: deciders(g), kind, lambda _: options, about=about)
    return key


async def choose(
    g: State, t: Table, kind: str, options: Options, size: int, about: Mapping[str, object]
) -> tuple[str, ...]:
    """So many different options' keys, from whoever answers first."""
    _, keys = await t.ask_any_several(
        lambda: deciders(g),
        kind,
        lambda _: options,
        Shape(size, size, distinct=size),
        about=about,
    )
    return keys


async def one_of(g: State, t: Table, kind: str, options: Sequence[Option]) -> str:
    """The key of one of the options; asked only where there is a choice."""
    if len(options) == 1:
        return options[0].key
    return await decide(g, t, kind, options)


async def one_of_or_back(g: State, t: Table, kind: str, options: Sequence[Option]) -> str | None:
    """The same where nothing has been paid yet; None if it is taken ``back``."""
    if len(options) == 1:
        return options[0].key
    key = await decide(g, t, kind, (*options, BACK))
    return None if key == BACK else key
