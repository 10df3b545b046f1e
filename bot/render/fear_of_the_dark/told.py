"""The maze without a picture: as plain ASCII, as alt text, as a list of cards, as one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from bot.render.fear_of_the_dark.panel import ORDER, counted
from bot.render.fear_of_the_dark.things import placed, ways_out
from bot.render.kit.words import MOST_ALT, MOST_ASCII, Words, cut, plain, player
from engines.fear_of_the_dark.view import (
    FACING,
    HOLE,
    ITEMS,
    PRINTED,
    SECRETS,
    SIDES,
    ItemView,
    Maze,
    MindView,
    RevealView,
    Room,
    SeatView,
    Side,
    door_of,
)

_DOORS: Final = {"dark": "?", "open": " ", "shut": "="}
_TOKENS: Final = {"obstruction": "#", "lock": "X"}
_MARGIN: Final = " "


def board_words(view: SeatView, words: Words, seats: Sequence[str]) -> str:
    """What the picture shows, in at most 3,500 characters of ASCII."""

    def say(path: str, **facts: object) -> str:
        return words.say(f"picture.board.{path}", facts)

    maze = view.maze
    here = maze.rooms[view.lost[0]]
    lines = [
        say("title", difficulty=view.difficulty, state=_state(view, words)),
        say("here", field=view.lost, tile=words.name("tile", here.tile)),
    ]
    if view.lead is not None:
        lines.append(say("lead", who=player(words, seats, view.lead)))
    if view.steps:
        action = words.say(f"picture.mind.{view.action or 'move'}")
        reach = " ".join(view.reach) or say("none")
        lines.append(say("steps", action=action, steps=view.steps, fields=reach))
    else:
        lines.append(say("near", fields=" ".join(view.near) or say("none")))
    if view.reveal is not None:
        lines.append(_turned_up(view.reveal, words))
    lines += ["", *drawn(view), *_lies(view), "", say("legend"), say("doors")]
    lines += ["", *(_room(view, words, room) for room in maze.rooms.values()), ""]
    lines += _things(view, words)
    return cut(plain("\n".join(lines)), MOST_ASCII, "...")


def _state(view: SeatView, words: Words) -> str:
    state = "leaking" if view.leaking else "light" if view.light else "dark"
    return words.say(f"picture.state.{state}")


def drawn(view: SeatView) -> list[str]:
    """The maze drawn with signs: four by four for each room, walls shared.

    Each line begins with a space: so a plan is told from other text, which need not keep columns.
    """
    maze = view.maze
    rooms = maze.rooms.values()
    x0, y0 = min(r.x for r in rooms), min(r.y for r in rooms)
    wide = 4 * (max(r.x for r in rooms) - x0 + 1) + 1
    high = 4 * (max(r.y for r in rooms) - y0 + 1) + 1
    grid = [[" "] * wide for _ in range(high)]
    exits = set(ways_out(view))
    for room in rooms:
        _draw_room(grid, view, room, 4 * (room.x - x0), 4 * (room.y - y0))
    for room in rooms:  # over the corners that neighbours share
        x, y = 4 * (room.x - x0), 4 * (room.y - y0)
        grid[y][x] = room.letter
        for side in SIDES:
            sign = _door_sign(maze, room, side, exits)
            column, row = {"n": (2, 0), "s": (2, 4), "w": (0, 2), "e": (4, 2)}[side]
            if sign:
                grid[y + row][x + column] = sign
    return [_MARGIN + "".join(row).rstrip() for row in grid]


def _draw_room(grid: list[list[str]], view: SeatView, room: Room, x: int, y: int) -> None:
    """Walls and fields of a room, its upper left corner there."""
    for n in range(5):
        for column, row, sign in ((n, 0, "-"), (n, 4, "-"), (0, n, "|"), (4, n, "|")):
            corner = column in (0, 4) and row in (0, 4)
            if not grid[y + row][x + column].isalpha():
                grid[y + row][x + column] = "+" if corner else sign
    for number in range(1, 10):
        row, column = divmod(number - 1, 3)
        grid[y + 1 + row][x + 1 + column] = _field_sign(view, room, number)


def _field_sign(view: SeatView, room: Room, number: int) -> str:
    place = f"{room.letter}{number}"
    if place == view.lost:
        return "@"
    token = view.maze.tokens.get(place)
    if token is not None:
        return _TOKENS[token]
    mark = room.fields[number - 1]
    left = {location.number: location for location in view.locations}
    if mark in ITEMS:
        found = left.get(ITEMS.index(mark) + 1)
        return ":" if found is not None and not found.items else mark
    if mark in SECRETS:
        found = left.get(SECRETS.index(mark) + 1)
        return ":" if found is not None and not found.secrets else mark.lower()
    if mark == HOLE:
        return HOLE
    return "~" if room.leakage else "."


def _door_sign(maze: Maze, room: Room, side: Side, exits: Iterable[str]) -> str:
    """The sign in the middle of a wall; empty where the wall itself says it."""
    door = maze.door(room.letter, side)
    if door == "none":
        return ""
    if f"{room.letter}.{side}" in exits:
        return "!"
    beyond = maze.beyond(room.letter, side)
    met = beyond is not None and FACING[side] in beyond.secret_doors
    if door == "open" and (met or side in room.secret_doors):  # one sign for both sides of it
        return "%"
    return _DOORS[door]


def _turned_up(found: RevealView, words: Words) -> str:
    """Which tile is turned up, and where."""
    origin, side = door_of(found.door)
    facts = {
        "room": found.letter,
        "tile": words.name("tile", found.tile),
        "side": words.name("side", side),
        "from": origin,
        "danger": found.danger,
    }
    return words.say("picture.board.reveal", facts)


def _lies(view: SeatView) -> list[str]:
    """The tile that is turned up, drawn once for every way in which it can lie, side by side."""
    found = view.reveal
    if found is None:
        return []
    side = door_of(found.door)[1]
    rows = [_MARGIN] * 6
    for n, lie in enumerate(found.lies, 1):
        room = placed(found, lie)
        maze = view.maze.with_room(room)
        grid = [["+", "-", "-", "-", "+"], *([*"|...|"] for _ in range(3)), [*"+---+"]]
        for number, mark in enumerate(lie.fields):
            row, column = divmod(number, 3)
            token = PRINTED.get(mark)
            sign = _TOKENS[token] if token else mark.lower() if mark in SECRETS else mark
            grid[row + 1][column + 1] = sign
        for way in lie.doors:
            column, row = {"n": (2, 0), "s": (2, 4), "w": (0, 2), "e": (4, 2)}[way]
            sign = ">" if way == FACING[side] else _DOORS[maze.door(room.letter, way)]
            grid[row][column] = sign
        rows[0] += f"{n}:".ljust(8)
        for row in range(5):
            rows[row + 1] += "".join(grid[row]).ljust(8)
    return [_MARGIN, *(row.rstrip() for row in rows)]


def _room(view: SeatView, words: Words, room: Room) -> str:
    """A room in a line: its name, what it is, its doors that lead into the dark or nowhere."""
    sides: dict[str, list[str]] = {"dark": [], "exit": [], "shut": []}
    for side in SIDES:
        state = view.maze.door(room.letter, side)
        kind = "exit" if f"{room.letter}.{side}" in ways_out(view) else state
        if kind in sides:
            sides[kind].append(words.name("side", side))
    facts = {
        "room": room.letter,
        "tile": words.name("tile", room.tile),
        "danger": room.danger,
        "leakage": room.leakage,
        "doors": " ".join(sides["dark"]),
        "exits": " ".join(sides["exit"]),
        "shut": " ".join(sides["shut"]),
    }
    return words.say("picture.board.room", facts)


def _cards(cards: Sequence[MindView], words: Words, none: str) -> str:
    """Mind cards by kind, with how many of each."""
    actions = [card.action for card in cards]
    named = [
        _times(words, actions.count(action), words.name("action", action))
        for action in ORDER
        if action in actions
    ]
    return ", ".join(named) or none


def _items(items: Sequence[ItemView], words: Words, none: str) -> str:
    named = [
        _times(words, count, words.name("item", kind)) for kind, count in counted(items).items()
    ]
    return ", ".join(named) or none


def _times(words: Words, count: int, name: str) -> str:
    if count == 1:
        return name
    return words.say("picture.held.times", {"count": count, "name": name})


def _things(view: SeatView, words: Words) -> list[str]:
    def say(path: str, **facts: object) -> str:
        return words.say(f"picture.board.{path}", facts)

    none = say("none")
    lines = [
        say(name, cards=_cards(cards, words, none))
        for name, cards in (("hand", view.hand), ("deck", view.deck), ("gone", view.gone))
    ]
    lines += [
        say("matches", matches=view.matches, burnt=view.burnt),
        say("kept", items=_items(view.kept, words, none)),
        say(
            "locations",
            items=" ".join(str(place.items) for place in view.locations),
            secrets=" ".join(str(place.secrets) for place in view.locations),
        ),
    ]
    lines += [
        say("known", number=place.number, items=_items(place.known, words, none))
        for place in view.locations
        if place.known
    ]
    lines.append(say("terrors", terrors=view.terrors, deadly=view.deadly, most=view.most_terrors))
    lines.append(
        say(
            "left",
            tiles=view.tiles_left,
            aside=view.aside,
            dangers=view.dangers_left,
            obstructions=view.obstructions_left,
            locks=view.locks_left,
            doors=view.secret_doors_left,
        )
    )
    met = ", ".join(words.name("danger", kind) for kind in view.dangers)
    lines.append(say("spent", dangers=met or none))
    return lines


def alt_text(view: SeatView, words: Words, seats: Sequence[str]) -> str:
    """The state in two or three sentences, at most 1,000 characters."""
    here = view.maze.rooms[view.lost[0]]
    told = [
        words.say(
            "picture.alt.over" if view.over else "picture.alt.stand",
            {
                "difficulty": view.difficulty,
                "light": view.light and not view.leaking,
                "leaking": view.leaking,
                "room": here.letter,
                "tile": words.name("tile", here.tile),
                "field": view.lost,
                "rooms": len(view.maze.rooms),
                "tiles": view.tiles_left,
            },
        ),
        words.say(
            "picture.alt.mind",
            {
                "hand": len(view.hand),
                "deck": len(view.deck),
                "gone": len(view.gone),
                "matches": view.matches,
            },
        ),
    ]
    if view.reveal is not None:
        origin, side = door_of(view.reveal.door)
        facts: dict[str, object] = {
            "tile": words.name("tile", view.reveal.tile),
            "room": view.reveal.letter,
            "side": words.name("side", side),
            "from": origin,
            "count": len(view.reveal.lies),
            "danger": view.reveal.danger,
        }
        told.append(words.say("picture.alt.reveal", facts))
    elif view.steps:
        action = words.say(f"picture.mind.{view.action or 'move'}")
        facts = {"action": action, "steps": view.steps, "count": len(view.reach)}
        told.append(words.say("picture.alt.walk", facts))
    return cut(" ".join(told), MOST_ALT, "…")


def hand_words(view: SeatView, words: Words) -> str:
    """The mind cards, the pockets and what is known of locations, as Markdown."""

    def say(path: str, **facts: object) -> str:
        return words.say(f"picture.held.{path}", facts)

    none = say("none")
    lines = [
        *_hand(view, words),
        say("deck", cards=_cards(view.deck, words, none)),
        say("gone", cards=_cards(view.gone, words, none)),
        say("matches", matches=view.matches),
        say("kept", items=_items(view.kept, words, none)),
    ]
    lines += [
        say("known", number=place.number, items=_items(place.known, words, none))
        for place in view.locations
        if place.known
    ]
    return "\n".join(lines)


def _hand(view: SeatView, words: Words) -> list[str]:
    """The cards in hand, a line for each kind with what it does."""
    if not view.hand:
        return [words.say("picture.held.dark")]
    lines = [words.say("picture.held.hand")]
    actions = [card.action for card in view.hand]
    for action in ORDER:
        if action not in actions:
            continue
        name = _times(words, actions.count(action), words.name("action", action))
        path = f"names.does.{action}"
        does = words.say(path) if words.has(path) else ""
        word = "card_does" if does else "card"
        lines.append(words.say(f"picture.held.{word}", {"name": name, "does": does}))
    return lines


def heading(view: SeatView, words: Words) -> str:
    """One line: light or dark, matches, mind cards, how much of the maze is left."""
    facts = {
        "light": view.light and not view.leaking,
        "leaking": view.leaking,
        "matches": view.matches,
        "cards": len(view.hand) + len(view.deck),
        "tiles": view.tiles_left,
    }
    return words.say("picture.heading", facts)
