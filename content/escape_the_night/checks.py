"""What an author can get wrong in Escape the Night's files, each told in one sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from content.faults import closest, listed
from content.loader import Cards
from content.yaml_source import ContentError, Document, Place
from engines.escape_the_night.cards import Content
from engines.escape_the_night.effects import known
from engines.escape_the_night.effects.known import Takes
from engines.escape_the_night.game import GAME

_SPACE: Final = re.compile(r"[a-z][1-9][0-9]?")
LEAST_RITUAL: Final = 11
"""RULE-E26: before the last round nobody shares a space, and eleven may be alive."""


# Effects


def check_effects(
    cards: Cards, field: str, words: Mapping[str, Takes], rooms: Sequence[str]
) -> list[ContentError]:
    """Faults of the effects that cards have in that field."""
    faults: list[ContentError] = []
    for step, rules in cards.rules.items():
        if field in rules:
            place = (*cards.place, step, field)
            faults += _effect(cards.document, place, rules[field], words, rooms)
    return faults


def _effect(
    document: Document,
    place: Place,
    effect: Mapping[str, Any],
    words: Mapping[str, Takes],
    rooms: Sequence[str],
) -> Iterator[ContentError]:
    do: str = effect["do"]
    if do not in words:
        told = f"unknown effect {do!r}{closest(do, words)}; known: {listed(words)}"
        yield document.error((*place, "do"), told)
        return
    takes = words[do]
    amount: int = effect.get("amount", 0)
    if not takes.most and "amount" in effect:
        yield document.error((*place, "amount"), f"{do} takes no amount")
    elif takes.most and not takes.least <= amount <= takes.most:
        told = f"{do} takes an amount from {takes.least} to {takes.most}, not {amount!r}"
        yield document.error((*place, "amount"), told)
    wrong = _wrong_of(do, takes, effect.get("of", ""), rooms)
    if wrong:
        yield document.error((*place, "of"), wrong)


def _wrong_of(do: str, takes: Takes, of: str, rooms: Sequence[str]) -> str:
    """What is wrong with an effect's `of`; empty if nothing is."""
    spaces = [part for part in of.split("-") if _SPACE.fullmatch(part)]
    match takes.place:
        case "room" if of not in rooms:
            return f"{do} takes the name of a room, not {of!r}; rooms: {listed(rooms)}"
        case "space" if len(spaces) != 1 or "-" in of:
            return f'{do} takes a space such as "c4", not {of!r}'
        case "passage" if len(spaces) != 2 or of.count("-") != 1:
            return f'{do} takes two spaces such as "a1-c4", not {of!r}'
        case "":
            if takes.of and of not in takes.of:
                return f"{do} takes one of {listed(takes.of)}, not {of!r}"
            if not takes.of and of != "":
                return f"{do} takes no 'of'"
        case _:
            pass
    return ""


def check_difficulties(cards: Cards) -> list[ContentError]:
    """Two dice are to reach them, from 2 to 12."""
    return [
        cards.document.error(
            (*cards.place, step, "difficulty"),
            f"two dice make 2 to 12, and never {rules['difficulty']}",
        )
        for step, rules in cards.rules.items()
        if not 2 <= rules["difficulty"] <= 12
    ]


def check_man(document: Document, rooms: Sequence[str]) -> list[ContentError]:
    """Both sides of the Mysterious Man's card: every face once, effects that there are."""
    faults: list[ContentError] = []
    for side in ("first", "second"):
        place: Place = ("mysterious", side)
        results: list[dict[str, Any]] = document.at(place)
        faces: list[int] = []
        for n, result in enumerate(results):
            faces += result["faces"]
            faults += _effect(document, (*place, n, "effect"), result["effect"], known.MAN, rooms)
        for face in range(1, 7):
            if faces.count(face) != 1:
                told = f"the face {face} stands {faces.count(face)} times on this side, not once"
                faults.append(document.error(place, told))
    return faults


def check_numbers(document: Document, content: Content) -> list[ContentError]:
    """As many tiles as there are circles to lie on, and a last round for every table."""
    faults: list[ContentError] = []
    tiles, circles = sum(content.numbers.tiles.values()), len(content.board.circles)
    if tiles != circles:
        told = f"{tiles} tiles for {circles} circles"
        faults.append(document.error(("numbers", "tiles"), told))
    place = ("numbers", "untimed_actions")
    by_seats = content.numbers.untimed_actions
    words = ["any", *map(str, GAME.seats)]
    for word, actions in by_seats.items():
        if word not in words:
            told = f"'{word}' is no number of seats{closest(word, words)}; known: any, and"
            faults.append(document.error((*place, word), f"{told} {words[1]} to {words[-1]}"))
        elif actions < 1:
            told = f"{actions} actions are no last round; at least 1"
            faults.append(document.error((*place, word), told))
    if "any" not in by_seats and any(str(seats) not in by_seats for seats in GAME.seats):
        faults.append(document.error(place, "'any' is missing: for all other numbers of seats"))
    return faults


# The board


def check_abilities(guests: Cards, content: Content) -> list[ContentError]:
    """Abilities speak of spaces that there are."""
    lines = content.board.plan
    faults: list[ContentError] = []
    for step, rules in guests.rules.items():
        effect: dict[str, Any] = rules["ability"]
        takes = known.ABILITIES.get(effect["do"], known.NOTHING)
        if takes.place not in ("space", "passage"):
            continue
        for space in _SPACE.findall(effect.get("of", "")):
            row, column = int(space[1:]) - 1, ord(space[0]) - ord("a")
            if row >= len(lines) or lines[row][column : column + 1] in ("", "."):
                told = f"{effect['do']} speaks of {space}, which is no space of the board"
                faults.append(guests.document.error((*guests.place, step, "ability", "of"), told))
    return faults


def check_rooms(artifacts: Cards, content: Content) -> list[ContentError]:
    """Every artifact lies in an artifact room of its own."""
    faults: list[ContentError] = []
    taken: dict[str, str | int] = {}
    known_rooms = [name for name, room in content.board.rooms.items() if room.kind == "artifact"]
    for step, rules in artifacts.rules.items():
        room: str = rules["room"]
        place = (*artifacts.place, step, "room")
        if room not in known_rooms:
            told = f"{room!r} is no artifact room of the board"
            faults.append(artifacts.document.error(place, told))
        elif room in taken:
            told = f"{taken[room]} lies in the {room} already"
            faults.append(artifacts.document.error(place, told))
        taken.setdefault(room, step)
    return faults


def check_board(document: Document) -> list[ContentError]:
    """A floor plan on which the game can be played."""
    return list(_Floor(document).faults())


class _Floor:
    """The board as its author wrote it."""

    def __init__(self, document: Document) -> None:
        def part(name: str) -> Any:
            return document.at(("board", name))

        self.document = document
        self.plan: list[str] = part("plan")
        self.marks: dict[str, str] = part("marks")
        self.rooms: dict[str, dict[str, str]] = part("rooms")
        self.doors: list[list[str]] = part("doors")
        self.circles: list[str] = part("circles")
        self.triangles: dict[str, str] = part("triangles")
        self.steps: str = part("steps")
        self.ritual: list[str] = part("ritual")
        self.spaces: dict[str, str] = {}

    def _error(self, name: str | int, message: str, *place: str | int) -> ContentError:
        return self.document.error(("board", name, *place), message)

    def faults(self) -> Iterator[ContentError]:
        """All that is wrong: first the drawing, then what stands on it, then the ways."""
        drawn = list(self._drawing())
        yield from drawn
        if drawn:
            return
        placed = [*self._doors(), *self._marks_on_it()]
        yield from placed
        if not placed:
            yield from self._ways()

    def _drawing(self) -> Iterator[ContentError]:
        width = len(self.plan[0]) if self.plan else 0
        for row, line in enumerate(self.plan, 1):
            if len(line) != width:
                told = f"row {row} has {len(line)} spaces, the first has {width}"
                yield self._error("plan", told, row - 1)
            for column, mark in enumerate(line):
                if mark != "." and mark not in self.marks:
                    told = f"row {row} has the mark {mark!r}; marks: {listed(self.marks)}"
                    yield self._error("plan", told, row - 1)
                elif mark != ".":
                    self.spaces[f"{chr(ord('a') + column)}{row}"] = self.marks[mark]
        for mark, room in self.marks.items():
            if room not in self.rooms:
                yield self._error("marks", f"{mark} is {room!r}, which is no room", mark)

    def _doors(self) -> Iterator[ContentError]:
        for n, (one, other) in enumerate(self.doors):
            if one not in self.spaces or other not in self.spaces:
                yield self._error("doors", f"{one}-{other}: no such spaces", n)
            elif not _beside(one, other) or self.spaces[one] == self.spaces[other]:
                told = f"{one}-{other}: a door joins touching spaces of two rooms"
                yield self._error("doors", told, n)

    def _marks_on_it(self) -> Iterator[ContentError]:
        kinds = {space: self.rooms[room]["kind"] for space, room in self.spaces.items()}
        for n, space in enumerate(self.circles):
            if kinds.get(space) != "artifact" or self.circles.index(space) != n:
                told = f"{space}: a circle has a space of its own in an artifact room"
                yield self._error("circles", told, n)
        for room, printed in self.rooms.items():
            space = self.triangles.get(room)
            if printed["kind"] == "artifact":
                if space is None or self.spaces.get(space) != room or space in self.circles:
                    told = f"the {room} needs a triangle on a space of its own"
                    yield self._error("triangles", told, room)
                if not any(self.spaces.get(circle) == room for circle in self.circles):
                    yield self._error("circles", f"the {room} has no circle")
            elif space is not None:
                yield self._error("triangles", f"the {room} is no artifact room", room)
        if self.steps not in self.spaces:
            yield self._error("steps", f"{self.steps!r} is no space")
        for n, space in enumerate(self.ritual):
            if kinds.get(space) != "foyer" or self.ritual.index(space) != n:
                yield self._error("ritual", f"{space}: the circle lies in the foyer", n)
        if len(self.ritual) < LEAST_RITUAL:
            told = f"the circle has {len(self.ritual)} spaces; {LEAST_RITUAL} guests need as many"
            yield self._error("ritual", told)

    def _ways(self) -> Iterator[ContentError]:
        """RULE-E7: held guests close tiles' spaces, and yet everything can be reached."""
        reached = self._reached(lambda space: space in self.circles)
        for space in self.spaces:
            if space not in reached:
                told = f"{space} cannot be reached when there is a guest on every other circle"
                yield self._error("plan", told, int(space[1:]) - 1)

    def _reached(self, stops: Callable[[str], bool]) -> dict[str, None]:
        doors = [pair for one, other in self.doors for pair in ((one, other), (other, one))]
        reached = {self.steps: None}
        edge = [self.steps]
        while edge:
            space = edge.pop()
            if stops(space):
                continue
            for other, room in self.spaces.items():
                if other in reached or not _beside(space, other):
                    continue
                if room == self.spaces[space] or (space, other) in doors:
                    reached[other] = None
                    edge.append(other)
        return reached


def _beside(one: str, other: str) -> bool:
    return abs(ord(one[0]) - ord(other[0])) + abs(int(one[1:]) - int(other[1:])) == 1
