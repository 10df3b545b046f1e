"""Numbers that make a picture legible on a phone, checked on every telling moment."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import pytest

from bot.render.escape_the_night import compose
from bot.render.escape_the_night.plan import House, spread
from bot.render.escape_the_night.signs import overlap as deep
from bot.render.escape_the_night.telling import room_names
from bot.render.kit.fonts import MAIN, face
from bot.render.kit.paint import Box, contrast
from bot.render.kit.sheet import Placed, Sheet
from engines.escape_the_night.view import SeatView
from tests.render.tables import IDS, MOMENTS, PLAYERS, table, with_guests, words

CAP = 26
PAWN = 40

every_moment = pytest.mark.parametrize("name", list(MOMENTS))


def drawn(name: str) -> tuple[SeatView, Sheet]:
    """The picture of a moment before it becomes a PNG."""
    view, seats = MOMENTS[name]
    return view, compose(view, words(), seats)


def of(sheet: Sheet, what: str) -> list[Placed]:
    """What of that sort is on the sheet."""
    return [placed for placed in sheet.placed if placed.what == what]


def inside(inner: Box, outer: Box) -> bool:
    """Whether a box lies within another."""
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes share a pixel."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@every_moment
def test_no_text_leaves_its_box_or_the_picture(name: str) -> None:
    """Ink stays within the room that the layout gave to it, whatever players call themselves."""
    _, sheet = drawn(name)
    canvas = (0, 0, *sheet.image.size)
    strays = [t for t in of(sheet, "text") if not inside(t.ink, t.box) or not inside(t.ink, canvas)]
    assert strays == []


@every_moment
def test_no_two_texts_overlap(name: str) -> None:
    """No label is written across another."""
    _, sheet = drawn(name)
    texts = of(sheet, "text")
    assert len(texts) > 40
    assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []


@every_moment
def test_letters_are_large_enough_for_a_phone(name: str) -> None:
    """Capitals are at least 26 pixels high: a third of that remains on a phone."""
    _, sheet = drawn(name)
    assert [t for t in of(sheet, "text") if t.size < CAP] == []


@pytest.mark.parametrize("file", MAIN.values())
def test_cap_height_is_that_of_real_capitals(file: str) -> None:
    """A face asked for 26 pixels draws an H and a digit of at least 26 pixels."""
    font = face(file).at(CAP)
    for sign in "HE8":
        left, top, right, bottom = font.getbbox(sign)
        assert bottom - top >= CAP
        assert right > left


@every_moment
def test_pawns_are_large_and_on_the_picture(name: str) -> None:
    """Pawns measure at least 40 pixels and lie wholly on the canvas."""
    _, sheet = drawn(name)
    pawns = of(sheet, "pawn")
    assert pawns
    canvas = (0, 0, *sheet.image.size)
    assert [p for p in pawns if p.size < PAWN or not inside(p.box, canvas)] == []


@every_moment
def test_every_guest_is_somewhere(name: str) -> None:
    """Each living guest's pawn and each dead guest's stone can be found."""
    view, sheet = drawn(name)
    names = {placed.name for placed in sheet.placed}
    for who in view.characters:
        buried = not who.alive and who.id in view.graveyard
        wanted = f"grave {who.id}" if buried else who.id
        assert wanted in names or (not who.alive and not buried)


@every_moment
def test_pawns_do_not_hide_each_other(name: str) -> None:
    """Even in a crowd the middles of pawns, where the letters are, stay apart."""
    view, sheet = drawn(name)
    house = House(view)
    board = [p for p in of(sheet, "pawn") if inside(p.box, _grown(house.area, 30))]
    for a, b in combinations(board, 2):
        across, down = _middle(a.box)[0] - _middle(b.box)[0], _middle(a.box)[1] - _middle(b.box)[1]
        assert across**2 + down**2 >= 38**2, (a, b)


@every_moment
def test_pawns_stand_in_their_room(name: str) -> None:
    """A crowd spreads, but nobody is pushed through a wall."""
    view, sheet = drawn(name)
    house = House(view)
    spaces = {c.id: c.space for c in view.characters if c.alive and c.space}
    shown = [p for p in of(sheet, "pawn") if inside(p.box, _grown(house.area, 30))]
    for pawn in shown:
        assert inside(pawn.box, house.around(house.rooms[spaces[pawn.name] or ""], 0)), pawn


@every_moment
def test_no_pawn_hides_the_name_of_a_room(name: str) -> None:
    """Plates make way: at most the edge of a letter lies under a pawn."""
    view, sheet = drawn(name)
    names = set(room_names(view, words()).values())
    plates = [t for t in of(sheet, "text") if t.name in names and inside(t.ink, House(view).area)]
    assert len(plates) == len(view.board.rooms) - 1
    for plate in plates:
        assert [(p, plate) for p in of(sheet, "pawn") if deep(p.ink, plate.ink) > 3] == []


def test_plate_hangs_at_home_unless_somebody_stands_there() -> None:
    """Names stay put from picture to picture while nobody comes near, and come back afterwards."""
    empty = with_guests(table(), {})
    house = House(empty)
    texts = {t.name: t for t in of(compose(empty, words(), PLAYERS[:4]), "text")}
    home = texts["Kitchen"].ink
    x, y = (home[0] + home[2]) // 2, (home[1] + home[3]) // 2
    below = min(house.spaces_of("kitchen"), key=lambda s: _far(house.middle(s), (x, y + 10)))
    for space, moves in ((below, True), ("a9", False)):
        view = with_guests(empty, {IDS[0]: {"space": space}})
        sheet = compose(view, words(), PLAYERS[:4])
        found = next(t for t in of(sheet, "text") if t.name == "Kitchen").ink
        assert (found != home) == moves


@every_moment
def test_text_stands_out_from_what_is_behind_it(name: str) -> None:
    """The brightest or darkest of what is in a text's box differs from its ground by 4.5 to 1."""
    _, sheet = drawn(name)
    for text in of(sheet, "text"):
        part = sheet.image.crop(text.ink)
        counts: Any = part.getcolors(part.width * part.height)
        letters = max(counts)[1]
        ground = _typical_other(counts, letters)
        assert contrast(letters, ground) >= 4.5, text


def _typical_other(
    counts: Sequence[tuple[int, tuple[int, int, int]]], letters: tuple[int, int, int]
) -> tuple[int, int, int]:
    """The colour that is most common among those far from the letters' own."""
    far = [
        (count, colour)
        for count, colour in counts
        if sum(abs(a - b) for a, b in zip(colour, letters, strict=True)) > 200
    ]
    return max(far)[1]


def test_room_names_of_the_house_are_whole() -> None:
    """Every room but the porch has its name on a plate, uncut."""
    view, sheet = drawn("start")
    texts = [placed.name for placed in of(sheet, "text")]
    for room in view.board.rooms:
        name = words().name("room", room)
        assert (name in texts) == (room != "porch")


def test_every_coordinate_is_written() -> None:
    """Letters across and numbers down, as in menus and commands."""
    _, sheet = drawn("start")
    texts = {placed.name for placed in of(sheet, "text")}
    assert set("ABCDEFGHIJKLMNO") | {str(n) for n in range(1, 13)} <= texts


def test_spread_moves_nobody_who_stands_alone() -> None:
    """Pawns on spaces of their own stay in the middle of them."""
    points = [(100.0, 100.0), (156.0, 100.0), (100.0, 156.0)]
    moved = spread(points, 45, [(0, 0, 900, 900)] * 3)
    assert all(
        abs(a - c) <= 1 and abs(b - d) <= 1 for (a, b), (c, d) in zip(points, moved, strict=True)
    )


def _far(one: tuple[int, int], other: tuple[int, int]) -> int:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _grown(box: Box, by: int) -> Box:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _middle(box: Box) -> tuple[int, int]:
    return (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
