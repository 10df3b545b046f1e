"""What the Mysterious Man does when an artifact has been recovered. RULE-E1, RULE-E2."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from engines.escape_the_night import deeds
from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import choosing
from engines.escape_the_night.rules import challenge, discard
from engines.escape_the_night.state import ManRoll, State
from engines.kernel.table import Table

ManEffect = Callable[[State, Table, Effect, ManRoll], Coroutine[Any, Any, None]]


async def _each_discards(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """RULE-E31, C-E25."""
    await discard.each_discards_a_relic(g, t, roll.finder)


async def _finder_discards(g: State, t: Table, effect: Effect, roll: ManRoll) -> None:
    seat = choosing.owner_of(g, roll.finder)
    if g.hands[seat]:
        await choosing.discard_some(g, t, seat, effect.amount)
    else:
        choosing.nothing(t, roll.finder)


async def _finder_outside(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """RULE-E21: the rest of the move is lost."""
    deeds.send_outside(g, t, roll.finder)


async def _challenge_at_once(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """One more die: on an odd number two of the living, drawn at random, go in. RULE-E20."""
    (die,) = deeds.roll(g, t, "man_again", character=roll.finder)
    living = [c.id for c in g.living()]
    if die % 2 == 0 or len(living) < 2:
        choosing.nothing(t, roll.finder)
        return
    drawn = t.chance.shuffled("challenge_at_once", living)
    pair = (drawn[0], drawn[1])
    t.tell("challenge_at_once", contestants=pair)
    await challenge.death_challenge(g, t, pair)


async def _stray_outside(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """One more die: on an odd number one of the others finds itself outside."""
    (die,) = deeds.roll(g, t, "man_again", character=roll.finder)
    others = [c.id for c in g.living() if c.id != roll.finder and c.space is not None]
    if die % 2 == 0 or not others:
        choosing.nothing(t, roll.finder)
    else:
        deeds.send_outside(g, t, t.chance.pick("stray_outside", others))


async def _monster_rises(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """C-E24."""
    choosing.raise_strongest(g, t)


async def _next_skips(g: State, t: Table, _: Effect, roll: ManRoll) -> None:
    """RULE-E22."""
    seat = choosing.owner_of(g, roll.finder)
    await deeds.skip_turn(g, t, deeds.next_seat_with_living(g, seat))


MAN: Final[Mapping[str, ManEffect]] = {
    "each_discards": _each_discards,
    "finder_discards": _finder_discards,
    "finder_outside": _finder_outside,
    "stray_outside": _stray_outside,
    "challenge_at_once": _challenge_at_once,
    "monster_rises": _monster_rises,
    "next_skips": _next_skips,
}
"""By the names that the Mysterious Man's card uses."""
