"""[Items] and [Secrets]: exploring a location, and what is found there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.fear_of_the_dark.asking import one_of, one_of_or_back
from engines.fear_of_the_dark.cards import SecretKind
from engines.fear_of_the_dark.maze import ITEMS, SECRETS, door_of
from engines.fear_of_the_dark.rules import light
from engines.fear_of_the_dark.rules.endings import check_open
from engines.fear_of_the_dark.rules.reveal import reveal
from engines.fear_of_the_dark.rules.tales import tale
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table

USABLE: Final = ("match", "scrap", "key")


def explorable(g: State) -> list[Option]:
    """The locations beside the Lost that have a card left; secrets only in the Light.

    RULE-F24: one step away, through an open door or within the room, never from the field itself; a
    token hides what is printed under it. RULE-F25: nothing is left there, nothing is offered.
    """
    found: list[Option] = []
    for place in g.maze.near(g.lost):
        mark = g.maze.mark(place)
        if place in g.maze.tokens:
            continue
        for word, marks, piles in (("item", ITEMS, g.items), ("secret", SECRETS, g.secrets)):
            if mark in marks and piles[marks.index(mark)] and (word == "item" or g.is_light):
                facts = {"field": place, "location": marks.index(mark) + 1}
                found.append(Option(place.lower(), word, facts))
    return found


async def explore(g: State, t: Table, place: str) -> None:
    """[Mind Cards] reveal a card of the location with that number; each has two of either kind."""
    mark = g.maze.mark(place)
    if mark in ITEMS:
        await _find_item(g, t, place, ITEMS.index(mark))
    else:
        await _find_secret(g, t, place, SECRETS.index(mark))


async def _find_item(g: State, t: Table, place: str, index: int) -> None:
    card = g.items[index].pop()
    item = g.content.items[card]
    if index + 1 in g.known:
        g.known[index + 1] = tuple(other for other in g.known[index + 1] if other != card)
    t.tell(
        "item_found",
        item=item.kind,
        field=place,
        location=index + 1,
        left=len(g.items[index]),
        tale=tale(g, t, item.kind),
    )
    if item.instant:  # [Items] a lever resolves at once
        g.used.append(card)
        await _pull_lever(g, t)
    else:
        g.kept.append(card)


async def _pull_lever(g: State, t: Table) -> None:
    """Remove one lock from anywhere in the maze; C-F23: without locks it is just discarded."""
    locks = g.maze.with_only("lock").tokens
    if not locks:
        t.tell("lever_pulled", field=None)
        return
    options = [Option(place.lower(), "field", _where(g, place)) for place in locks]
    place = (await one_of(g, t, "lever", options)).upper()
    g.maze = g.maze.without_token(place)
    t.tell("lever_pulled", field=place)


def _where(g: State, place: str) -> dict[str, object]:
    return {"field": place, "room": place[0], "tile": g.maze.rooms[place[0]].tile}


# Kept items cost no card and may be used at any time; RULE-F26.


def usable(g: State) -> list[str]:
    """The kinds of kept items that can be used here and now."""
    held = [g.content.items[card].kind for card in g.kept]
    return [kind for kind in USABLE if kind in held and _fits(g, kind)]


def _fits(g: State, kind: str) -> bool:
    match kind:
        case "match":  # RULE-F27
            return g.matches < g.content.numbers.most_matches
        case "scrap":  # C-F24
            return bool(g.hand)
        case _:
            return bool(beside(g, "lock"))


def is_key_useful(g: State) -> bool:
    """Whether a key is held beside a lock."""
    return "key" in usable(g)


def beside(g: State, token: str) -> list[Option]:
    """The fields next to the Lost on which such a token lies."""
    places = [place for place in g.maze.near(g.lost) if g.maze.tokens.get(place) == token]
    return [Option(place.lower(), "field", {"field": place}) for place in places]


async def use(g: State, t: Table, kind: str) -> None:
    """[Items] discard a kept item for what it does."""
    if kind == "key":
        key = await one_of_or_back(g, t, "unlock", beside(g, "lock"))
        if key is None:
            return
        _spend(g, t, kind)
        g.maze = g.maze.without_token(key.upper())
        t.tell("unlocked", field=key.upper())
    elif kind == "match":
        _spend(g, t, kind)
        g.matches += 1
        t.tell("match_gained", matches=g.matches)
    else:
        _spend(g, t, kind)
        await light.build_hand(g, t, g.content.numbers.scrap_hand)


def _spend(g: State, t: Table, kind: str) -> None:
    card = next(card for card in g.kept if g.content.items[card].kind == kind)
    g.kept.remove(card)
    g.used.append(card)
    t.tell("item_used", item=kind)


# [Secrets] always resolve at once.


async def _find_secret(g: State, t: Table, place: str, index: int) -> None:
    card = g.secrets[index].pop()
    kind = g.content.secrets[card].kind
    g.told_secrets.append(card)
    t.tell(
        "secret_found",
        secret=kind,
        field=place,
        location=index + 1,
        left=len(g.secrets[index]),
        tale=tale(g, t, kind),
    )
    if kind == "door":
        await _open_secret_door(g, t)
    elif kind == "map":
        await _follow_map(g, t)
    else:
        _inform(g, t, index)
    check_open(g, t)


def _inform(g: State, t: Table, index: int) -> None:
    """Both items of the location with the same number, left in their order; RULE-F30."""
    items = tuple(g.items[index])
    if not items:
        return _nothing(t, "information", "no_items")
    g.known[index + 1] = items
    kinds = [g.content.items[item].kind for item in items]
    t.tell("information_found", location=index + 1, items=kinds)
    return None


async def _open_secret_door(g: State, t: Table) -> None:
    """A door for any empty wall of any room, to the end of the game; RULE-F29."""
    walls = [door_of(key) for key in g.maze.walls()]
    if not g.secret_doors or not walls:
        reason = "no_wall" if g.secret_doors else "no_tokens"
        return _nothing(t, "door", reason)
    options = [
        Option(
            f"{letter}.{side}".lower(),
            "wall",
            {
                "room": letter,
                "tile": g.maze.rooms[letter].tile,
                "side": side,
                "new": g.maze.beyond(letter, side) is None,
            },
        )
        for letter, side in walls
    ]
    letter, side = door_of(await one_of(g, t, "secret_door", options))
    g.secret_doors -= 1
    g.maze = g.maze.with_secret_door(letter, side)
    t.tell("secret_door_opened", room=letter, side=side)
    return None


async def _follow_map(g: State, t: Table) -> None:
    """An unused door anywhere, and the next room behind it, its dangers passed by; RULE-F28."""
    doors: Sequence[str] = g.maze.unused_doors()
    if not doors or not g.tiles:
        return _nothing(t, "map", "no_tiles" if doors else "no_door")
    options = [
        Option(key.lower(), "door", {"room": room, "tile": g.maze.rooms[room].tile, "side": side})
        for key in doors
        for room, side in (door_of(key),)
    ]
    await reveal(g, t, *door_of(await one_of(g, t, "map", options)), "map")
    return None


def _nothing(t: Table, secret: SecretKind, reason: str) -> None:
    t.tell("secret_without_effect", secret=secret, reason=reason)
