"""What comes of clues and monsters, solved or not, and of secret rooms.

A character that a monster holds does not walk off; what throws it about takes the monster along
(RULE-E11). Nothing here puts anybody on a tile or beside an artifact unasked for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from engines.escape_the_night import deeds
from engines.escape_the_night.board import walks_from
from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import choosing
from engines.escape_the_night.paths import room_at
from engines.escape_the_night.rules import discard
from engines.escape_the_night.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

Result = Callable[[State, Table, Effect, str], Coroutine[Any, Any, None]]


async def _draw_relics(g: State, t: Table, effect: Effect, who: str) -> None:
    for _ in range(effect.amount):
        deeds.draw_relic(g, t, choosing.owner_of(g, who))


async def _gift(g: State, t: Table, effect: Effect, who: str) -> None:
    """Another player draws; whoever plays alone draws for itself."""
    giver = choosing.owner_of(g, who)
    others = [seat for seat in range(g.seats) if seat != giver and g.living_of(seat)]
    taker = others[0] if others else giver
    if len(others) > 1:
        key = await t.ask(
            giver, "gift", lambda: [Option(f"seat_{s}", "seat", {"seat": s}) for s in others]
        )
        taker = int(key.removeprefix("seat_"))
    for _ in range(effect.amount):
        deeds.draw_relic(g, t, taker)


async def _salvage(g: State, t: Table, effect: Effect, who: str) -> None:
    await choosing.salvage(g, t, choosing.owner_of(g, who), effect.amount)


async def _rouse(g: State, t: Table, _: Effect, who: str) -> None:
    await choosing.rouse(g, t, choosing.owner_of(g, who))


async def _reveal_tiles(g: State, t: Table, effect: Effect, who: str) -> None:
    if choosing.face_down(g):
        await choosing.reveal_tiles(g, t, choosing.owner_of(g, who), effect.amount)
    else:
        choosing.nothing(t, who)


async def _foresee(g: State, t: Table, effect: Effect, who: str) -> None:
    await choosing.foresee(g, t, choosing.owner_of(g, who), effect.of, effect.amount)


async def _stroll(g: State, t: Table, effect: Effect, who: str) -> None:
    """Some steps around tiles, past whoever stands in the way."""
    character = g.characters[who]

    def spaces() -> list[str]:
        if character.monster is not None:
            return []
        start = character.space
        found = walks_from(
            (g.content.board.steps,) if start is None else g.plan.neighbours[start],
            effect.amount,
            neighbours=lambda space: g.plan.neighbours[space],
            stops=lambda _: False,
            closed=lambda space: space in g.tiles,
        )
        return choosing.spaces_to_land_on(g, who, [space for space in found if space != start])

    await choosing.place_or_stay(g, t, who, "stroll", spaces)


async def _spirit_away(g: State, t: Table, effect: Effect, who: str) -> None:
    """To a room, if the owner likes."""
    character = g.characters[who]

    def spaces() -> list[str]:
        if character.monster is not None:
            return []
        room = g.plan.spaces_of(effect.of)
        return choosing.spaces_to_land_on(g, who, [s for s in room if s != character.space])

    await choosing.place_or_stay(g, t, who, "spirit_away", spaces, room=effect.of)


async def _driven_to(g: State, t: Table, effect: Effect, who: str) -> None:
    """To a room, whether one likes or not."""
    space = g.characters[who].space
    room = g.plan.spaces_of(effect.of)
    found = choosing.spaces_to_land_on(g, who, room)
    if not found or space in room:
        choosing.nothing(t, who)
    else:
        deeds.place(g, t, who, t.chance.pick("driven_to", found))


async def _sent_outside(g: State, t: Table, _: Effect, who: str) -> None:
    if g.characters[who].space is None:
        choosing.nothing(t, who)
    else:
        deeds.send_outside(g, t, who)


async def _free_ally(g: State, t: Table, _: Effect, who: str) -> None:
    """Another character is rid of its monster; the tile it came from stays."""

    def held() -> list[str]:
        return [c.id for c in g.living() if c.monster is not None and c.id != who]

    ally = await choosing.character(t, choosing.owner_of(g, who), "free", held)
    if ally is None:
        choosing.nothing(t, who)
    else:
        deeds.release(g, t, ally)


async def _trade_places(g: State, t: Table, effect: Effect, who: str) -> None:
    await choosing.trade_places(g, t, who, effect.of)


async def _discard_relics(g: State, t: Table, effect: Effect, who: str) -> None:
    seat = choosing.owner_of(g, who)
    if g.hands[seat]:
        await choosing.discard_some(g, t, seat, effect.amount)
    else:
        choosing.nothing(t, who)


async def _hand_over(g: State, t: Table, _: Effect, who: str) -> None:
    """A relic drawn blind goes to the next player; alone, to the discard."""
    seat = choosing.owner_of(g, who)
    if not g.hands[seat]:
        choosing.nothing(t, who)
        return
    relic = t.chance.pick("hand_over", g.hands[seat])
    taker = deeds.next_seat_with_living(g, seat)
    if taker == seat:
        deeds.discard_relic(g, t, seat, relic)
    else:
        deeds.give_relic(g, t, seat, taker, relic)


async def _each_discards(g: State, t: Table, _: Effect, who: str) -> None:
    await discard.each_discards_a_relic(g, t, who)


async def _tire_another(g: State, t: Table, _: Effect, who: str) -> None:
    """The owner exhausts somebody who has not acted yet."""

    def ready() -> list[str]:
        return [c.id for c in g.living() if not c.exhausted and c.id != g.acting]

    chosen = await choosing.character(t, choosing.owner_of(g, who), "exhaust", ready)
    if chosen is None:
        choosing.nothing(t, who)
    else:
        deeds.exhaust(g, t, chosen)
        t.tell("skipped", character=chosen)


async def _tile_turns_red(g: State, t: Table, _: Effect, who: str) -> None:
    """The clue tile under the character is a monster tile from now on."""
    space = g.characters[who].space
    tile = g.tiles.get(space) if space is not None else None
    if space is None or tile is None or tile.colour == "monster":
        choosing.nothing(t, who)
    else:
        tile.colour = "monster"
        t.tell("tile_changed", space=space, room=room_at(g, space), colour="monster")


async def _monster_rises(g: State, t: Table, _: Effect, who: str) -> None:
    choosing.raise_strongest(g, t)


RESULTS: Final[Mapping[str, Result]] = {
    "draw_relics": _draw_relics,
    "gift": _gift,
    "salvage": _salvage,
    "rouse": _rouse,
    "reveal_tiles": _reveal_tiles,
    "foresee": _foresee,
    "stroll": _stroll,
    "spirit_away": _spirit_away,
    "free_ally": _free_ally,
    "trade_places": _trade_places,
    "discard_relics": _discard_relics,
    "hand_over": _hand_over,
    "each_discards": _each_discards,
    "sent_outside": _sent_outside,
    "driven_to": _driven_to,
    "tire_another": _tire_another,
    "tile_turns_red": _tile_turns_red,
    "monster_rises": _monster_rises,
}
"""By the names that cards use."""
