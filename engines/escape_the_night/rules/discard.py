"""RULE-E31: each player discards a relic."""

from __future__ import annotations

from engines.escape_the_night import deeds
from engines.escape_the_night.effects import abilities, choosing
from engines.escape_the_night.state import State
from engines.kernel.decision import Option, Seat
from engines.kernel.table import Table


async def each_discards_a_relic(g: State, t: Table, character: str) -> None:
    """Each player discards a relic of its own choice, all at once: RULE-E31, C-E25.

    Only the cards' names become known. Whoever has no relic, or no living character, loses none;
    whoever has one is not asked which. ``character``: on whose account.
    """
    losing = losing_seats(g)
    if not losing:
        choosing.nothing(t, character)
        return

    chosen = await t.ask_each(
        lambda: [seat for seat in losing if len(g.hands[seat]) > 1],
        "discard",
        lambda seat: [Option(relic, "relic", {"relic": relic}) for relic in g.hands[seat]],
        secret=True,
        revisable=True,
    )
    for seat in losing:
        (relic,) = chosen[seat] if seat in chosen else tuple(g.hands[seat])
        deeds.discard_relic(g, t, seat, relic)


def losing_seats(g: State) -> list[Seat]:
    """Who has to discard; all can see that."""
    return [
        seat
        for seat in range(g.seats)
        if g.hands[seat] and g.living_of(seat) and not abilities.keeps_relics(g, seat)
    ]
