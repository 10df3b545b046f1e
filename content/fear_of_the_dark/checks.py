"""What an author can get wrong in Fear of the Dark's files, each told in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, get_args

from content.faults import closest, listed
from content.loader import Cards
from content.yaml_source import ContentError, Document
from engines.fear_of_the_dark.cards import Action, Content, DangerKind, ItemKind, SecretKind, Tile
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.maze import (
    DOOR_FIELD,
    EMPTY,
    HOLE,
    ITEMS,
    MARKS,
    PRINTED,
    SECRETS,
    SIDES,
    lies,
)

SIZE: Final = 5
"""Rows of a drawing, and signs of a row: three fields and the frame."""

START: Final = {2: HOLE, 4: EMPTY, 5: EMPTY, 6: "X", 8: "#"}
"""RULE-F12: what lies on the centre and the door fields of the starting tile."""

_DRAWN: Final = {token: mark for mark, token in PRINTED.items()}
LOCK: Final = _DRAWN["lock"]
OBSTRUCTION: Final = _DRAWN["obstruction"]

DOORS: Final = {"two": 2, "three": 3, "four": 4}
SHAPE: Final = ("holes", "obstructions", "locks", "dangers", "echoes", "dangerous_echoes")
LEAST_MOVES: Final = 2
"""[Example of Play] a hand with two Move cards is built."""


# Tiles


def check_drawings(content: Content, start: Cards, tiles: Cards) -> list[ContentError]:
    """Drawings that can be read; nothing else can be checked before."""
    faults = list(_drawing(start, "start", content.start))
    for name, tile in content.tiles.items():
        faults += _drawing(tiles, name, tile)
    return faults


def check_tiles(content: Content, start: Cards, tiles: Cards) -> list[ContentError]:
    """Rooms that can be walked, and what they add up to."""
    faults = list(_start(start, content.start))
    for name, tile in content.tiles.items():
        place = ("tiles", name, "drawing")
        faults += [tiles.document.error(place, told) for told in _barred(tile)]
    faults += _locations(content, tiles.document)
    faults += _shape(content, tiles.document)
    return faults


def _drawing(cards: Cards, name: str, tile: Tile) -> Iterator[ContentError]:
    """Whether it is a drawing: five rows of five signs, each of them known."""
    place = (*cards.place, name, "drawing")
    if len(tile.drawing) != SIZE:
        yield cards.document.error(place, f"{len(tile.drawing)} rows, {SIZE} expected")
        return
    for row, signs in enumerate(tile.drawing):
        if len(signs) != SIZE:
            told = f"row {row + 1} has {len(signs)} signs, {SIZE} expected"
            yield cards.document.error((*place, row), told)
            continue
        for column, sign in enumerate(signs):
            known = _known_signs(row, column)
            if sign not in known:
                told = f"row {row + 1}: {sign!r} is not among {listed(known)}"
                yield cards.document.error((*place, row), told)


def _known_signs(row: int, column: int) -> tuple[str, ...]:
    """What may stand there: a field's mark, a corner, a wall or a door."""
    level, upright = row in (0, SIZE - 1), column in (0, SIZE - 1)
    if level and upright:
        return ("+",)
    if not level and not upright:
        return tuple(MARKS)
    wall = "-" if level else "|"
    return (wall, "D") if SIZE // 2 in (row, column) else (wall,)


def _start(cards: Cards, tile: Tile) -> Iterator[ContentError]:
    """RULE-F12."""
    place = (*cards.place, "start")
    lie = lies(tile)[0]
    for number, mark in START.items():
        found = lie.fields[number - 1]
        if found != mark:
            told = f"field {number} of the starting tile is {mark!r}, not {found!r}"
            yield cards.document.error((*place, "drawing"), told)
    if lie.doors != SIDES:
        told = "the starting tile has a door on every side"
        yield cards.document.error((*place, "drawing"), told)
    if tile.danger or tile.echo:
        yield cards.document.error(place, "the starting tile is neither dangerous nor an echo")


def _barred(tile: Tile) -> Iterator[str]:
    """What keeps a room from being walked through."""
    lie = lies(tile)[0]
    doors = [DOOR_FIELD[side] for side in lie.doors]
    if len(doors) < 2:
        yield f"a room has 2 doors or more, not {len(doors)}, so that the maze stays open"
        return
    if all(lie.fields[door - 1] in (HOLE, *PRINTED) for door in doors):
        yield "no door leads to a free field, so nobody could ever enter it"
    on_foot = _joined(lie.fields, (HOLE, LOCK), doors)
    if not on_foot:
        yield "no way between two doors is free of holes and locks"
    if on_foot != _joined(lie.fields, (HOLE,), doors):
        yield "a lock bars the only way to a door; keys and levers may lie in the box"


def _joined(fields: str, barred: tuple[str, ...], doors: list[int]) -> list[tuple[int, int]]:
    """The pairs of door fields with a way between them that enters no barred mark."""
    return [
        (one, other)
        for one in doors
        for other in _reached(fields, barred, one)
        if other in doors and one < other
    ]


def _reached(fields: str, barred: tuple[str, ...], start: int) -> list[int]:
    """The fields that can be walked to, in order; none from a barred one."""
    found: dict[int, None] = {}
    edge = [start]
    while edge:
        here = edge.pop()
        if here not in found and fields[here - 1] not in barred:
            found[here] = None
            edge += [other for other in range(1, 10) if _beside(here, other)]
    return sorted(found)


def _beside(one: int, other: int) -> bool:
    (row, column), (to_row, to_column) = divmod(one - 1, 3), divmod(other - 1, 3)
    return abs(row - to_row) + abs(column - to_column) == 1


def _locations(content: Content, document: Document) -> Iterator[ContentError]:
    """Each location on two rooms that stay: some are set aside, and one may be out of reach."""
    count = content.numbers.locations
    stays = [fields_of(tile) for tile in content.tiles.values() if not tile.echo]
    for marks, known in ((ITEMS, ITEMS[:count]), (SECRETS, SECRETS[:count])):
        for mark in marks:
            rooms = sum(mark in fields for fields in stays)
            if mark in known and rooms < 2:
                told = f"the location {mark} is in {rooms} of the rooms that stay; 2 are needed"
                yield document.error(("tiles",), told)
            if mark not in known and rooms:
                told = f"the location {mark} is drawn, but numbers.locations is {count}"
                yield document.error(("tiles",), told)


def fields_of(tile: Tile) -> str:
    """The nine marks as printed, in reading order."""
    return lies(tile)[0].fields


def shape_of(content: Content) -> dict[str, int]:
    """What the room tiles add up to, by the names that the file's shape has."""
    tiles = content.tiles.values()
    marks = Counter("".join(fields_of(tile) for tile in tiles))
    doors = Counter(len(lies(tile)[0].doors) for tile in tiles)
    return {
        **{f"doors.{word}": doors[number] for word, number in DOORS.items()},
        "holes": marks[HOLE],
        "obstructions": marks[OBSTRUCTION],
        "locks": marks[LOCK],
        "dangers": sum(tile.danger for tile in tiles),
        "echoes": sum(tile.echo for tile in tiles),
        "dangerous_echoes": sum(tile.danger and tile.echo for tile in tiles),
    }


def _shape(content: Content, document: Document) -> Iterator[ContentError]:
    """The shape that the author has written down is the one drawn."""
    found = shape_of(content)
    wanted = document.data.get("shape")
    if not isinstance(wanted, Mapping):
        yield document.error((), "'shape' is missing: what the tiles add up to")
        return
    doors = wanted.get("doors")
    for place, written, known in (
        (("shape",), wanted, ("doors", *SHAPE)),
        (("shape", "doors"), doors if isinstance(doors, Mapping) else {}, tuple(DOORS)),
    ):
        for name in written:
            if name not in known:
                told = f"unknown field '{name}'{closest(name, known)}"
                yield document.error((*place, name), told)
    for name, count in found.items():
        place = ("shape", *name.split("."))
        try:
            written = document.at(place)
        except ContentError as fault:
            yield fault
            continue
        if written != count:
            yield document.error(place, f"the tiles have {count}, not {written}")


# Cards and tokens


def check_boxes(
    content: Content, decks: Mapping[str, Cards], numbers: Document
) -> list[ContentError]:
    """Decks that fit the tokens, the locations and each other."""
    return [
        *_kinds(content, decks),
        *_icons(content, decks),
        *_supplies(content, decks, numbers),
        *_figures(content, numbers),
    ]


def _kinds(content: Content, decks: Mapping[str, Cards]) -> Iterator[ContentError]:
    """Each kind is there."""
    found = {
        "dangers": (DangerKind, [card.kind for card in content.dangers.values()]),
        "items": (ItemKind, [card.kind for card in content.items.values()]),
        "secrets": (SecretKind, [card.kind for card in content.secrets.values()]),
        "minds": (Action, [card.action for card in content.minds.values()]),
    }
    for key, (kinds, cards) in found.items():
        for kind in get_args(kinds):
            if kind not in cards:
                yield decks[key].document.error((key,), f"there is no {kind} among the {key}")
    moves = found["minds"][1].count("move")
    if 0 < moves < LEAST_MOVES:
        told = f"{LEAST_MOVES} Move cards are the least, not {moves}"
        yield decks["minds"].document.error(("minds",), told)


def _icons(content: Content, decks: Mapping[str, Cards]) -> Iterator[ContentError]:
    """RULE-F1: only Leakage takes hold of a room that is scouted; a Lever alone is instant."""
    for name, danger in content.dangers.items():
        if danger.walked != (danger.kind != "leakage"):
            told = f"{danger.kind} {'needs' if not danger.walked else 'has not'} the walk icon"
            yield decks["dangers"].document.error(("dangers", name, "walked"), told)
    for name, item in content.items.items():
        if item.instant != (item.kind == "lever"):
            told = f"a {item.kind} is {'kept' if item.instant else 'instant'}"
            yield decks["items"].document.error(("items", name, "instant"), told)


def _supplies(
    content: Content, decks: Mapping[str, Cards], numbers: Document
) -> Iterator[ContentError]:
    """No card or tile needs a token that is not there."""
    drawn = shape_of(content)
    start = Counter(fields_of(content.start))
    dangers = Counter(danger.kind for danger in content.dangers.values())
    secrets = Counter(secret.kind for secret in content.secrets.values())
    n = content.numbers
    needed = {
        "obstructions": (
            start[OBSTRUCTION] + drawn["obstructions"] + dangers["collapse"],
            n.obstructions,
        ),
        "locks": (start[LOCK] + drawn["locks"] + dangers["locking"], n.locks),
        "leakages": (dangers["leakage"], n.leakages),
        "secret_doors": (secrets["door"], n.secret_doors),
    }
    for name, (most, there) in needed.items():
        if most > there:
            told = f"{there} for the {most} that tiles and cards may need"
            yield numbers.error(("numbers", name), told)
    if drawn["dangers"] > len(content.dangers):
        told = f"{drawn['dangers']} dangerous rooms for {len(content.dangers)} danger cards"
        yield decks["tiles"].document.error(("tiles",), told)


def _figures(content: Content, document: Document) -> Iterator[ContentError]:
    """Locations that take all cards but one, and figures within reason."""
    n = content.numbers
    places = n.locations * n.pile
    for what, cards in (("items", content.items), ("secrets", content.secrets)):
        if len(cards) != places + 1:
            told = f"{n.locations} locations of {n.pile} cards take {places} {what} of {len(cards)}"
            yield document.error(("numbers", "pile"), f"{told}; one is to be left over")
    if n.locations > len(ITEMS):
        yield document.error(
            ("numbers", "locations"), f"at most {len(ITEMS)} locations have a mark"
        )
    if n.aside >= len(content.tiles):
        yield document.error(("numbers", "aside"), "no tile is left for the maze")
    for name in ("match_hand", "light_hand", "scrap_hand"):
        if not 1 <= getattr(n, name) <= len(content.minds):
            told = f"a hand has 1 to {len(content.minds)} cards, not {getattr(n, name)}"
            yield document.error(("numbers", name), told)
    for name in ("move", "plain", "tiptoe", "most_matches", "terrors", "tales"):
        if getattr(n, name) < 1:
            yield document.error(("numbers", name), f"{name} is 1 or more")
    levels = next(option.values for option in GAME.options if option.key == "difficulty")
    if sorted(n.difficulties) != sorted(levels):
        told = f"the difficulties are {listed(levels)}, not {listed(n.difficulties)}"
        yield document.error(("numbers", "difficulties"), told)
    for name, difficulty in n.difficulties.items():
        if not 1 <= difficulty.matches <= n.most_matches:
            told = f"1 to {n.most_matches} matches, not {difficulty.matches}"
            yield document.error(("numbers", "difficulties", name, "matches"), told)
