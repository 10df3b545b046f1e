"""Questions that several effects ask, and small acts that they share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engines.escape_the_night import deeds
from engines.escape_the_night.paths import free_spaces, room_at
from engines.escape_the_night.state import State
from engines.kernel.decision import Option, Seat, several
from engines.kernel.table import Table

STAY: Final = "stay"
KEEP: Final = "keep"

_FORESEEN: Final = {
    "clue": "foreseen_clue",
    "monster": "foreseen_monster",
    "relic": "foreseen_relic",
    "challenge": "foreseen_challenge",
}


def nothing(t: Table, character: str | None = None) -> None:
    """An effect found nothing to act upon."""
    t.tell("nothing_came_of_it", character=character)


def owner_of(g: State, character: str) -> Seat:
    """Whose character it is."""
    return g.characters[character].owner


async def character(
    t: Table, seat: Seat, kind: str, candidates: Callable[[], Sequence[str]]
) -> str | None:
    """The seat chooses a character: unasked if there is but one, None if there is none."""
    found = candidates()
    if len(found) < 2:
        return found[0] if found else None
    return await t.ask(
        seat, kind, lambda: [Option(c, "character", {"character": c}) for c in candidates()]
    )


def spaces_to_land_on(g: State, who: str, spaces: Sequence[str]) -> list[str]:
    """Those of the spaces where a card may put the character: free, no tile and no artifact."""
    free = free_spaces(g, who)
    return [space for space in spaces if space in free and space not in g.artifacts]


async def place_or_stay(
    g: State, t: Table, who: str, kind: str, spaces: Callable[[], Sequence[str]], **about: object
) -> None:
    """The owner puts the character on one of the spaces, or leaves it where it is.

    ``about``: further facts of the question.
    """
    if not spaces():
        nothing(t, who)
        return

    def options() -> list[Option]:
        found = [
            Option(space, "space", {"space": space, "room": room_at(g, space)})
            for space in spaces()
        ]
        return [*found, Option(STAY, STAY)]

    choice = await t.ask(owner_of(g, who), kind, options, about={"character": who, **about})
    if choice != STAY:
        deeds.place(g, t, who, choice)


async def discard_some(g: State, t: Table, seat: Seat, count: int) -> None:
    """The seat discards so many relics of its choice, or all that it has."""
    hand = g.hands[seat]
    if len(hand) <= count:
        chosen: Sequence[str] = tuple(hand)
    else:
        chosen = await t.ask_several(
            seat,
            "discard",
            lambda: [Option(relic, "relic", {"relic": relic}) for relic in g.hands[seat]],
            several(count, count),
            secret=True,
        )
    for relic in chosen:
        deeds.discard_relic(g, t, seat, relic)


async def reveal_tiles(g: State, t: Table, seat: Seat, count: int) -> None:
    """The seat turns so many face-down tiles face up, one after another."""

    def options() -> list[Option]:
        return [
            Option(space, "tile", {"space": space, "room": room_at(g, space)})
            for space in face_down(g)
        ]

    for _ in range(min(count, len(face_down(g)))):
        found = face_down(g)
        space = found[0] if len(found) == 1 else await t.ask(seat, "reveal", options)
        deeds.turn_tile(g, t, space)


def face_down(g: State) -> list[str]:
    """The spaces of the tiles that nobody has turned yet."""
    return [space for space, tile in g.tiles.items() if not tile.face_up]


async def foresee(g: State, t: Table, seat: Seat, deck: str, count: int) -> None:
    """The seat alone sees the deck's top cards and may put one of them under the deck."""
    pile = g.piles[deck]
    cards = pile[-count:][::-1]
    if not cards:
        nothing(t)
        return
    t.tell("foresaw", seat=seat, deck=deck, count=len(cards))
    t.tell(_FORESEEN[deck], only=(seat,), seat=seat, **{f"{deck}s": cards})
    choice = await t.ask(
        seat,
        "foresee",
        lambda: [Option(KEEP), *(Option(card, deck, {deck: card}) for card in cards)],
        secret=True,
        about={"deck": deck, "count": len(cards)},
    )
    if choice != KEEP:
        pile.remove(choice)
        pile.insert(0, choice)
    t.tell("deck_settled", seat=seat, deck=deck, buried=choice != KEEP)


async def salvage(g: State, t: Table, seat: Seat, count: int) -> None:
    """The seat takes one of the relics discarded last; the card being played is not among them."""

    def found() -> list[str]:
        return salvageable(g, count)

    if not found():
        nothing(t)
        return
    relic = found()[0]
    if len(found()) > 1:
        relic = await t.ask(
            seat, "salvage", lambda: [Option(r, "relic", {"relic": r}) for r in found()]
        )
    g.discards["relic"].remove(relic)
    g.hands[seat].append(relic)
    t.tell("relic_salvaged", seat=seat, relic=relic)


def salvageable(g: State, count: int) -> list[str]:
    """The relics discarded last, the latest first."""
    return [relic for relic in g.discards["relic"] if relic != g.resolving][-count:][::-1]


async def rouse(g: State, t: Table, seat: Seat) -> None:
    """The seat turns an exhausted character's card back; whose it is does not matter."""
    chosen = await character(t, seat, "rouse", lambda: tired(g))
    if chosen is None:
        nothing(t)
    else:
        deeds.refresh(g, t, chosen)


def tired(g: State) -> list[str]:
    """The living who are exhausted."""
    return [c.id for c in g.living() if c.exhausted and c.id != g.acting]


async def trade_places(g: State, t: Table, who: str, how: str) -> None:
    """The character trades places with one that no monster holds: by choice or by chance."""
    others = partners(g, who)
    if not others:
        nothing(t, who)
        return
    if how == "chance":
        deeds.swap(g, t, who, t.chance.pick("trade_places", others))
        return
    choice = await t.ask(
        owner_of(g, who),
        "trade_places",
        lambda: [
            *(Option(c, "character", {"character": c}) for c in partners(g, who)),
            Option(STAY, STAY),
        ],
        about={"character": who},
    )
    if choice != STAY:
        deeds.swap(g, t, who, choice)


def partners(g: State, who: str) -> list[str]:
    """Those with whom the character can trade places."""
    here = g.characters[who].space
    return [c.id for c in g.living() if c.id != who and c.monster is None and c.space != here]


def raise_strongest(g: State, t: Table) -> None:
    """The strongest monster of the discard goes on top of its deck; chance among equals. C-E24."""
    discard = g.discards["monster"]
    if not discard:
        nothing(t)
        return
    most = max(g.content.monsters[monster].difficulty for monster in discard)
    equals = [monster for monster in discard if g.content.monsters[monster].difficulty == most]
    monster = equals[0] if len(equals) == 1 else t.chance.pick("strongest", equals)
    discard.remove(monster)
    g.piles["monster"].append(monster)
    t.tell("monster_rose", monster=monster, difficulty=most)
