"""The maze without a picture: text form, alt text, hand, heading."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.render import fear_of_the_dark
from bot.render.fear_of_the_dark.told import drawn
from bot.ui.faces import plan_of
from content.fear_of_the_dark import load
from content.words import Words
from content.yaml_source import Document, read
from engines.fear_of_the_dark.maze import FACING, SIDES
from engines.fear_of_the_dark.view import SeatView
from tests.render.dark_tables import (
    ALL,
    CONTENT,
    MOMENTS,
    MONSTROUS,
    NAMES,
    PLAYERS,
    block,
    five,
    items,
    line,
    minds,
    table,
    with_leak,
    words,
)

every_moment = pytest.mark.parametrize("name", list(MOMENTS))
STEPS = {"n": (0, -2), "e": (2, 0), "s": (0, 2), "w": (-2, 0)}


def told(view: SeatView, seats: tuple[str, ...] = PLAYERS[:2]) -> str:
    """The board in text."""
    return fear_of_the_dark.board_words(view, words(), seats)


def sign_at(view: SeatView, place: str, dx: int = 0, dy: int = 0) -> str:
    """The sign of a field on the drawn map, or what is so far from it."""
    rooms = view.maze.rooms
    x0, y0 = min(r.x for r in rooms.values()), min(r.y for r in rooms.values())
    one = rooms[place[0]]
    row, column = divmod(int(place[1]) - 1, 3)
    x, y = 4 * (one.x - x0) + 1 + column + dx, 4 * (one.y - y0) + 1 + row + dy
    return drawn(view)[y].ljust(99)[x + 1]


@every_moment
def test_text_board_is_short_ascii(name: str) -> None:
    """At most 3,500 characters, printable ASCII only, nothing that would end a code block."""
    view, seats = MOMENTS[name]
    text = fear_of_the_dark.board_words(view, words(), seats)
    assert len(text) <= 3500
    assert not text.endswith("..."), "cut short"
    assert all(char == "\n" or " " <= char <= "~" for char in text)
    assert "`" not in text


@every_moment
def test_text_board_tells_what_the_picture_shows(name: str) -> None:
    """The map with every field, every room with its name, cards, matches, pockets, what is left."""
    view, seats = MOMENTS[name]
    text = fear_of_the_dark.board_words(view, words(), seats)
    assert "\n".join(drawn(view)) in text
    lines = text.splitlines()
    for one in view.maze.rooms.values():
        found = next(row for row in lines if row.startswith(f"{one.letter} {NAMES[one.tile]}"))
        assert ("danger" in found) == one.danger
        assert ("leaks" in found) == one.leakage
    assert f"{view.matches} left, {view.burnt} burnt" in text
    assert f"{view.tiles_left} room" in text
    for place in view.reach if view.steps else view.near:
        assert place in text
    if view.reveal is not None:
        assert f"room {view.reveal.letter}" in text
        assert f"{len(view.reveal.lies)}:" in text
    for item in view.kept:
        assert words().name("item", item.kind) in text


@every_moment
def test_plan_is_one_block(name: str) -> None:
    """Whoever shows the text finds the map by the spaces at its left, with the lies of a tile under
    it, and nothing else: columns are kept there, and other lines may be wrapped.
    """
    view, seats = MOMENTS[name]
    _, plan, after = plan_of(fear_of_the_dark.board_words(view, words(), seats))
    rows = plan.splitlines()
    where = drawn(view)
    assert rows[: len(where)] == where
    lies = 0 if view.reveal is None else 7
    assert len(rows) == len(where) + lies
    if view.reveal is not None:
        last = len(view.reveal.lies)
        assert rows[len(where) + 1].split()[-1] == f"{last}:"
    assert not [line for line in after.splitlines() if line.startswith((" ", "|", "+"))]


@every_moment
def test_map_has_the_right_sign_on_every_field_and_door(name: str) -> None:
    """The Lost, tokens, holes, items, secrets, and each kind of door, where they are."""
    view, _ = MOMENTS[name]
    empty = {("item", n.number) for n in view.locations if not n.items}
    empty |= {("secret", n.number) for n in view.locations if not n.secrets}
    for one in view.maze.rooms.values():
        for number, mark in enumerate(one.fields, 1):
            place = f"{one.letter}{number}"
            token = view.maze.tokens.get(place)
            if place == view.lost:
                wanted = "@"
            elif token is not None:
                wanted = {"obstruction": "#", "lock": "X"}[token]
            elif mark in "1234":
                wanted = ":" if ("item", int(mark)) in empty else mark
            elif mark in "ABCD":
                wanted = ":" if ("secret", "ABCD".index(mark) + 1) in empty else mark.lower()
            elif mark == "O":
                wanted = "O"
            else:
                wanted = "~" if one.leakage else "."
            assert sign_at(view, place) == wanted, place
        assert sign_at(view, f"{one.letter}1", -1, -1) == one.letter
        for side in SIDES:
            door = view.maze.door(one.letter, side)
            sign = sign_at(view, f"{one.letter}5", *STEPS[side])
            key = f"{one.letter}.{side}"
            turned = view.reveal is not None and view.reveal.door == key
            if door == "none":
                beyond = view.maze.beyond(one.letter, side)
                met = beyond is not None and view.maze.door(beyond.letter, FACING[side]) == "shut"
                assert sign == ("=" if met else "-" if side in "ns" else "|")
            elif key in view.exits and not turned:
                assert sign == "!"
            elif door == "open":
                beyond = view.maze.beyond(one.letter, side)
                assert beyond is not None
                is_secret = side in one.secret_doors or FACING[side] in beyond.secret_doors
                assert sign == ("%" if is_secret else " ")
            else:
                assert sign == {"dark": "?", "shut": "="}[door]


@pytest.mark.parametrize("side", SIDES)
def test_longest_mazes_fit_the_text(side: str) -> None:
    """Sixteen rooms in a line, either way, and in a block, are told whole."""
    for where in (line(16, side), block(16, 4)):  # type: ignore[arg-type]
        view = table(where, "P5", gone=minds(0, 1), deck=ALL[2:], kept=items("key", "match"))
        text = told(view, MONSTROUS)
        assert len(text) <= 3500
        assert text.splitlines()[-1].startswith("Other dangers met")
        assert all(f"\n{letter} " in text for letter in "ABCDEFGHIJKLMNOP")


def test_text_board_is_cut_only_when_it_must() -> None:
    """A maze whose names are far too long still keeps the limits."""
    long = {"names": {"tile": dict.fromkeys(NAMES, "x" * 900)}}
    wordy = Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"),
        read(CONTENT / "fear_of_the_dark" / "text" / "en_picture.yaml"),
        Document("tests", long, {(): 1}),
    )
    view, seats = MOMENTS["rotate_many"]
    text = fear_of_the_dark.board_words(view, wordy, seats)
    assert len(text) == 3500
    assert text.endswith("...")
    assert len(fear_of_the_dark.alt_text(view, wordy, seats)) <= 1000


@every_moment
def test_alt_text_says_the_state(name: str) -> None:
    """Light or dark, where the Lost is, cards and matches, in at most 1,000 characters."""
    view, seats = MOMENTS[name]
    alt = fear_of_the_dark.alt_text(view, words(), seats)
    assert len(alt) <= 1000
    assert 2 <= alt.count(". ") + 1 <= 5
    assert ("lit around" in alt) == (view.light and not view.leaking)
    assert f"room {view.lost[0]}" in alt
    assert f"on {view.lost}" in alt
    assert f"{len(view.gone)} gone" in alt
    assert f"{view.matches} match" in alt
    if view.reveal is not None:
        assert f"as room {view.reveal.letter}" in alt
    elif view.steps:
        assert f"{len(view.reach)} field" in alt


def test_hand_lists_cards_pockets_and_what_is_known() -> None:
    """What is in hand, in the deck and lost for good, with what is kept."""
    view, _ = MOMENTS["five_near"]
    lines = fear_of_the_dark.hand_words(view, words()).splitlines()
    assert {"Move", "Tiptoe", "2 Explore", "Clear"} <= set(lines)
    assert any("Deck" in row and "Scout" in row for row in lines)
    assert any("Lost for good" in row and "Move" in row for row in lines)
    assert any("Pockets" in row and "2 Key" in row for row in lines)
    assert any("location 2" in row and "Match" in row for row in lines)


def test_cards_are_listed_by_their_whole_names() -> None:
    """In the deck and among those that are gone: not by the short name on the small cards. A list
    without anything in it says so in the same way everywhere.
    """
    view = replace(table(five(), "A4"), hand=(), deck=minds(0, 1), gone=minds(8), kept=())
    told = fear_of_the_dark.hand_words(view, load().words).splitlines()
    assert "**Deck:** 2 Move" in told
    assert "**Lost for good:** Light a match" in told
    assert "**Pockets:** none" in told
    board = fear_of_the_dark.board_words(view, load().words, PLAYERS).splitlines()
    assert "Gone: Light a match" in board
    assert "Pockets: none" in board


def test_card_in_hand_is_told_with_what_it_does() -> None:
    """Where the words know what a card does, the hand says it."""
    more = {"names": {"does": {"scout": "See the next room"}, "action": {"scout": "Scout"}}}
    knowing = Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"),
        read(CONTENT / "fear_of_the_dark" / "text" / "en_picture.yaml"),
        Document("tests", more, {(): 1}),
    )
    view = table(five(), "A4", hand=minds(4))
    assert "Scout: See the next room" in fear_of_the_dark.hand_words(view, knowing)


def test_no_hand_is_said() -> None:
    """In the dark the panel says so."""
    assert "dark" in fear_of_the_dark.hand_words(MOMENTS["start_dark"][0], words())


@every_moment
def test_heading_is_one_short_line(name: str) -> None:
    """Light or dark, matches, mind cards, what is left to find."""
    view, _ = MOMENTS[name]
    line = fear_of_the_dark.heading(view, words())
    assert "\n" not in line
    assert len(line) <= 100
    lit = view.light and not view.leaking
    assert line.startswith("In the light" if lit else "In the dark")
    assert f"{view.matches} match" in line
    assert ("way out" in line) == (view.tiles_left == 0)


def test_leaking_room_is_told() -> None:
    """Signs of water on the floor, and the word in the heading."""
    view = table(with_leak(five(), "B"), "B6")
    assert sign_at(view, "B4") == "~"
    assert "drips" in fear_of_the_dark.heading(view, words())


def test_lead_is_told_by_number_and_name() -> None:
    """Who leads, in ASCII, whatever they are called."""
    view = replace(MOMENTS["five_near"][0], lead=3)
    assert "Lead: Player 4" in told(view, MONSTROUS)
    assert "Lead: 4 Dolores" in told(view, PLAYERS)


def test_alt_text_of_the_end_speaks_of_the_end() -> None:
    """The closing picture shows no room from inside: neither light nor what is still to find."""
    view = replace(MOMENTS["last_dark"][0], over=True)
    alt = fear_of_the_dark.alt_text(view, words(), PLAYERS)
    assert alt.startswith("The end. Difficulty: Normal. ")
    assert f"on {view.lost}" in alt
    assert "leads out" not in alt
