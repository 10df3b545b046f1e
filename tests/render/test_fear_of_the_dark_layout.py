"""Numbers that make the pictures of Fear of the Dark legible on a phone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from bot.render.fear_of_the_dark import compose
from bot.render.fear_of_the_dark.closing import put_closing
from bot.render.fear_of_the_dark.plan import planned
from bot.render.kit.paint import Box, contrast
from bot.render.kit.sheet import Placed, Sheet
from content.words import NOTHING, Words
from engines.fear_of_the_dark.told import ENDINGS
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.game import Outcome
from tests.render.dark_tables import MOMENTS, MONSTROUS, PLAYERS, block, grown, line, table, words
from tests.render.test_layout import inside, of, overlap

CAP = 26
PAWN = 40

every_moment = pytest.mark.parametrize("name", list(MOMENTS))


def drawn(name: str) -> tuple[SeatView, Sheet]:
    """The picture of a moment before it becomes a PNG."""
    view, seats = MOMENTS[name]
    return view, compose(view, words(), seats)


def faults(sheet: Sheet) -> list[Placed]:
    """Texts that leave their box or the canvas, or are too small."""
    canvas = (0, 0, *sheet.image.size)
    return [
        t
        for t in of(sheet, "text")
        if not inside(t.ink, t.box) or not inside(t.ink, canvas) or t.size < CAP
    ]


@every_moment
def test_texts_are_large_in_their_boxes_and_apart(name: str) -> None:
    """Capitals of 26 pixels, each text in its box, none across another."""
    _, sheet = drawn(name)
    assert faults(sheet) == []
    texts = of(sheet, "text")
    assert len(texts) > 15
    assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []


@every_moment
def test_the_lost_is_large_and_on_the_picture(name: str) -> None:
    """One standee of at least 40 pixels, wholly on the maze."""
    view, sheet = drawn(name)
    pawns = of(sheet, "pawn")
    assert len(pawns) == (0 if name == "line_map" else 1)
    for pawn in pawns:
        assert pawn.size >= PAWN
        assert inside(pawn.box, planned(view).ground)


@pytest.mark.parametrize("field", range(1, 10))
def test_the_lost_hides_no_letter(field: int) -> None:
    """Wherever the Lost stands in the smallest of rooms, the letter stays in sight."""
    view = table(block(16, 5), f"I{field}")
    sheet = compose(view, words(), PLAYERS[:1])
    (pawn,) = of(sheet, "pawn")
    letters = [t for t in of(sheet, "text") if t.name in view.maze.rooms]
    assert [t for t in letters if _deep(pawn.ink, t.ink) > 4] == []


def _deep(one: Box, other: Box) -> int:
    """How far two boxes reach into each other."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, min(across, down))


@every_moment
def test_every_reachable_field_has_its_number(name: str) -> None:
    """Where one may go, or else what is beside the Lost: its digit stands on the field."""
    view, sheet = drawn(name)
    plan = planned(view)
    digits = [t for t in of(sheet, "text") if t.name.isdigit() and inside(t.ink, plan.ground)]
    wanted = 0
    for place in view.reach or view.near:
        one = view.maze.rooms[place[0]]
        if not plan.shows(one.x, one.y):
            continue
        wanted += 1
        field = plan.field(one, int(place[1]))
        assert [t for t in digits if t.name == place[1] and inside(t.ink, field)], place
    assert len(digits) == wanted


@every_moment
def test_every_room_shown_has_its_letter(name: str) -> None:
    """A plate with the letter of the room, at its first corner."""
    view, sheet = drawn(name)
    plan = planned(view)
    for one in view.maze.rooms.values():
        if plan.shows(one.x, one.y):
            left, top, *_ = plan.floor(one.x, one.y)
            corner = (left - plan.wall, top - plan.wall, left + plan.f, top + plan.f)
            plates = [t for t in of(sheet, "text") if t.name == one.letter]
            assert [t for t in plates if inside(t.ink, corner)], one.letter


@every_moment
def test_every_mind_card_is_where_it_belongs(name: str) -> None:
    """Nine cards, each in hand, in the deck or gone."""
    view, sheet = drawn(name)
    shown = {piece.name for piece in of(sheet, "piece")}
    for state, cards in (("hand", view.hand), ("deck", view.deck), ("gone", view.gone)):
        for card in cards:
            assert f"{state} {card.id}" in shown


@every_moment
def test_signs_of_rooms_are_there(name: str) -> None:
    """Danger, leak and way out have signs on the maze."""
    view, sheet = drawn(name)
    plan = planned(view)
    shown = {piece.name for piece in of(sheet, "piece")}
    for one in view.maze.rooms.values():
        if plan.shows(one.x, one.y):
            assert (f"drop {one.letter}" in shown) == one.leakage
            assert (f"skull {one.letter}" in shown) == (one.danger and not one.leakage)
    for key in view.exits:
        one = view.maze.rooms[key[0]]
        assert (f"exit {key}" in shown) == plan.shows(one.x, one.y)


def test_dark_echo_has_its_sign_while_the_lost_is_in_it() -> None:
    """An echo never stays, but while a Terror is answered in it it can be told."""
    _, sheet = drawn("in_echo")
    signs = [piece.name for piece in of(sheet, "piece") if piece.name.startswith("echo")]
    assert signs == ["echo F"]


@pytest.mark.parametrize("name", ["line_east", "line_south", "line_map"])
def test_part_of_a_maze_comes_with_the_whole_in_small(name: str) -> None:
    """Where not all is shown, a small map has every letter, and covers no room."""
    view, sheet = drawn(name)
    plan = planned(view)
    floors = [
        plan.floor(one.x, one.y) for one in view.maze.rooms.values() if plan.shows(one.x, one.y)
    ]
    small = [
        t
        for t in of(sheet, "text")
        if t.name in view.maze.rooms
        and t.ink[2] <= 904
        and not any(overlap(t.ink, (a - plan.wall, b - plan.wall, c, d)) for a, b, c, d in floors)
    ]
    assert {t.name for t in small} == set(view.maze.rooms)


@pytest.mark.parametrize("count", range(1, 17))
def test_every_size_of_maze_is_laid_out(count: int) -> None:
    """From one room to sixteen, in a line either way and in blocks, texts stay apart."""
    last = "ABCDEFGHIJKLMNOP"[count - 1]
    for where in (line(count, "e"), line(count, "n"), block(count, 3), block(count, 5)):
        view = table(where, f"{last}5", steps=4, action="move", tiles_left=16 - count)
        sheet = compose(view, words(), PLAYERS[:2])
        assert faults(sheet) == []
        texts = of(sheet, "text")
        assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []


@pytest.mark.parametrize("seed", range(24))
def test_mazes_that_grow_at_random_are_laid_out(seed: int) -> None:
    """Whatever grows: texts in their boxes and apart, and the small map covers no room."""
    view = grown(seed)
    sheet = compose(view, words(), MONSTROUS)
    assert faults(sheet) == []
    texts = of(sheet, "text")
    assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []
    plan = planned(view)
    floors = [plan.floor(one.x, one.y) for one in view.maze.rooms.values()]
    floors = [floor for floor in floors if inside(floor, plan.ground)]
    small = [piece for piece in of(sheet, "piece") if piece.name == "small map"]
    assert bool(small) != plan.whole
    assert [(p, f) for p in small for f in floors if overlap(p.box, f)] == []


@every_moment
def test_text_stands_out_from_what_is_behind_it(name: str) -> None:
    """The letters differ from the ground that they stand on by 4.5 to 1."""
    _, sheet = drawn(name)
    for text in of(sheet, "text"):
        left, top, right, bottom = text.ink
        part = sheet.image.crop(text.ink)
        counts: Any = part.getcolors(part.width * part.height)
        around = sheet.image.crop((left - 2, top - 2, right + 2, bottom + 2))
        shades: Any = around.getcolors(around.width * around.height)
        ground = max(shades)[1]
        letters = max(
            (c for c in counts if contrast(c[1], ground) >= 3), key=lambda c: c[0], default=None
        )
        assert letters is not None, text
        if contrast(letters[1], ground) < 4.5:
            # The letters themselves are what is most common.
            others = [c for c in counts if contrast(c[1], ground) >= 4.5]
            assert sum(count for count, _ in others) > 20, text


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("seats", [PLAYERS[:1], PLAYERS[:3], MONSTROUS])
@pytest.mark.parametrize("name", ["start_dark", "block_five", "line_east", "line_south"])
def test_closing_is_as_legible_as_the_board(name: str, seats: tuple[str, ...], ending: str) -> None:
    """Letters of 26 pixels, each text in its box, none across another."""
    view, _ = MOMENTS[name]
    sheet = put_closing(view, words(), seats, Outcome(ending, ending == "escaped", {}))
    assert faults(sheet) == []
    texts = of(sheet, "text")
    assert [(a, b) for a, b in combinations(texts, 2) if overlap(a.ink, b.ink)] == []
    assert len(texts) >= 10 + len(seats)


class Longer:
    """Words in which everything is long, as in another language."""

    def __init__(self, inner: Words) -> None:
        self.inner = inner

    def has(self, path: str) -> bool:
        """As before."""
        return self.inner.has(path)

    def say(self, path: str, facts: Mapping[str, object] = NOTHING) -> str:
        """Everything said, three times."""
        return " ".join([self.inner.say(path, facts)] * 3)

    def name(self, table: str, ident: str) -> str:
        """The name, three times."""
        return " ".join([self.inner.name(table, ident)] * 3)


@pytest.mark.parametrize("name", ["five_near", "rotate", "twelve_walk", "leak", "monstrous"])
def test_long_words_stay_in_their_boxes(name: str) -> None:
    """Another language breaks no layout."""
    view, seats = MOMENTS[name]
    assert faults(compose(view, Longer(words()), seats)) == []
    ended = Outcome("mind_lost", won=False, facts={})
    assert faults(put_closing(view, Longer(words()), seats, ended)) == []


@pytest.mark.parametrize("seat", range(8))
def test_monstrous_lead_fits(seat: int) -> None:
    """Whatever the leading player is called, the panel holds; unreadable names become a number."""
    view = replace(MOMENTS["five_near"][0], lead=seat)
    sheet = compose(view, words(), MONSTROUS)
    assert faults(sheet) == []
    if MONSTROUS[seat].startswith("🎃"):
        assert f"Player {seat + 1}" in {t.name for t in of(sheet, "text")}
