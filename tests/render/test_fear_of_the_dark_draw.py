"""The pictures of Fear of the Dark as a whole: size, sameness, light and dark."""

from __future__ import annotations

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render import fear_of_the_dark
from bot.render.fear_of_the_dark import compose, draw
from bot.render.fear_of_the_dark.glyphs import GLYPHS, chalked, coloured
from bot.render.fear_of_the_dark.plan import Plan, planned
from bot.render.fear_of_the_dark.scenes import SCENES
from bot.render.fear_of_the_dark.things import lit_rooms
from bot.render.kit.paint import LIMIT
from engines.fear_of_the_dark.maze import Room
from engines.fear_of_the_dark.told import ENDINGS
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.game import Outcome
from tests.render.dark_tables import (
    MOMENTS,
    MONSTROUS,
    PLAYERS,
    five,
    items,
    maze,
    minds,
    room,
    table,
    twelve,
    with_leak,
    words,
)

every_moment = pytest.mark.parametrize("name", list(MOMENTS))
LIT = {"hand": minds(0, 4, 8), "matches": 5}


def pixels(data: bytes) -> Image.Image:
    """The picture's colours."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def part(view: SeatView, one: Room) -> Image.Image:
    """The floor of a room as drawn."""
    image = compose(view, words(), PLAYERS[:1]).image
    return image.crop(planned(view).floor(one.x, one.y)).convert("L")


@every_moment
def test_picture_is_a_png_of_the_right_size(name: str) -> None:
    """1200 x 900, a PNG, at most 250 KB."""
    view, seats = MOMENTS[name]
    data = draw(view, words(), seats)
    assert len(data) <= LIMIT
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 900))


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_ending_has_a_picture_of_its_own(ending: str) -> None:
    """The closing picture fits too, and no two endings share their scene."""
    view, _ = MOMENTS["twelve_dark"]
    outcome = Outcome(ending, ending == "escaped", {})
    data = fear_of_the_dark.closing(view, words(), MONSTROUS, outcome)
    assert len(data) <= LIMIT
    assert pixels(data).size == (1200, 900)
    scenes = {name: SCENES[name]().tobytes() for name in (ending, ENDINGS[0], ENDINGS[-1])}
    assert len(set(scenes.values())) == len(scenes)


def test_equal_views_give_equal_bytes() -> None:
    """Two views that are equal but not the same object make the same file."""
    one, other = (table(five(), "A4", **LIT, action="move", steps=4) for _ in range(2))
    assert one is not other
    assert draw(one, words(), PLAYERS[:3]) == draw(other, words(), list(PLAYERS[:3]))


def test_threads_draw_the_same() -> None:
    """Tables drawn side by side come out as each does alone."""
    some = [MOMENTS[name] for name in ("start_light", "five_dark", "rotate", "leak", "last_steps")]
    alone = [draw(view, words(), seats) for view, seats in some]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(draw, view, words(), seats) for view, seats in some]
        assert [job.result() for job in jobs] == alone


def test_viewer_changes_nothing() -> None:
    """All is public: every seat gets the picture and the texts that a spectator gets."""
    view, seats = MOMENTS["five_near"]
    own = replace(view, seat=1)
    for tell in (draw, fear_of_the_dark.board_words, fear_of_the_dark.alt_text):
        assert tell(own, words(), seats) == tell(view, words(), seats)


def test_match_lights_the_room_and_those_behind_open_doors() -> None:
    """The room of the Lost is brightest, neighbours are lit too, others are not."""
    dark, light = table(five(), "A4"), table(five(), "A4", **LIT)
    rooms = light.maze.rooms
    assert set(lit_rooms(light)) == {"A", "B", "C", "D"}
    assert lit_rooms(dark) == ()
    means = {
        letter: [ImageStat.Stat(part(view, one)).mean[0] for view in (dark, light)]
        for letter, one in rooms.items()
    }
    for letter, (before, after) in means.items():
        if letter == "E":
            assert after < before + 4
        else:
            assert after > before + 8, letter
    assert means["A"][1] == max(after for _, after in means.values())


def test_leaking_room_is_dark_whatever_is_held() -> None:
    """No light in it, and none falls into it from next door."""
    leaking = with_leak(five(), "B")
    assert lit_rooms(table(leaking, "B5", **LIT)) == ()
    assert "B" not in lit_rooms(table(leaking, "A4", **LIT))


def test_shut_door_keeps_the_light_in() -> None:
    """Light goes through open doors only."""
    view = table(five(), "D2", **LIT)
    assert view.maze.door("D", "n") == "shut"
    assert "E" not in lit_rooms(view)


@pytest.mark.parametrize("lit", [False, True])
@pytest.mark.parametrize(
    "kinds", list(combinations(["none", "dark", "open", "shut", "exit", "secret"], 2))
)
def test_doors_differ_in_shape(kinds: tuple[str, str], lit: bool) -> None:
    """No wall or door into the dark, open, shut, secret or out looks like another in grey."""
    one, other = (_doorway(kind, lit=lit) for kind in kinds)
    differing = ImageChops.difference(one, other).point([255 * (v > 60) for v in range(256)])
    assert differing.histogram()[255] > 40


def _doorway(kind: str, *, lit: bool) -> Image.Image:
    """The east side of a hall with such a door, in grey."""
    hall = replace(room("A", "hall", 0, 0), doors=("w", "e"))
    beside = replace(room("B", "hall", 1, 0), doors=("w", "e"))
    match kind:
        case "none":
            rooms = (replace(hall, doors=("w",)), replace(beside, doors=("e",)))
        case "open":
            rooms = (hall, beside)
        case "shut":
            rooms = (hall, replace(beside, doors=("e",)))
        case "secret":
            rooms = (replace(hall, secret_doors=("e",)), replace(beside, secret_doors=("w",)))
        case _:
            rooms = (hall, replace(room("B", "hall", -1, 0), doors=("e", "w")))
    changes = LIT if lit else {}
    view = table(maze(*rooms), "A5", **changes, tiles_left=0 if kind == "exit" else 5)
    plan = planned(view)
    left, top, right, bottom = plan.doorway(0, 0, "e")
    image = compose(view, words(), PLAYERS[:1]).image
    box = (left - 30, top - 14, right + 12, bottom + 14)
    return image.crop(box).convert("L")


@pytest.mark.parametrize("draws", [chalked, coloured])
def test_signs_differ_in_outline(draws: object) -> None:
    """No two of the small drawings look alike without colour."""
    found: list[Image.Image] = []
    for name in GLYPHS:
        picture = chalked(name, 40) if draws is chalked else coloured(name, 40)
        ground = Image.new("L", picture.size, 145 * (draws is coloured))
        mask = picture if picture.mode == "L" else picture.getchannel("A")
        ground.paste(picture.convert("L") if picture.mode != "L" else 255, (0, 0), mask)
        found.append(ground)
    for one, other in combinations(found, 2):
        differing = ImageChops.difference(one, other).point([255 * (v > 60) for v in range(256)])
        assert differing.histogram()[255] > 60


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({}, {"matches": 2, "burnt": 4}),
        ({}, {"kept": items("key")}),
        ({}, {"terrors": 1}),
        ({}, {"tiles_left": 3}),
        ({}, {"dangers_left": 4}),
        ({}, {"difficulty": "very_hard"}),
        ({}, {"lead": 0}),
        ({"deck": minds(0, 1), "gone": minds(2)}, {"deck": minds(0), "gone": minds(1, 2)}),
    ],
)
def test_panel_shows_what_changes(before: dict[str, object], after: dict[str, object]) -> None:
    """Matches, pockets, terrors, what is left, the lead: each changes the panel, not the maze."""
    one, other = (
        compose(table(five(), "A4", **changes), words(), PLAYERS[:1]).image
        for changes in (before, after)
    )
    box = ImageChops.difference(one, other).getbbox()
    assert box is not None
    if "terrors" not in after:
        assert box[0] >= 904


def test_searched_locations_look_empty() -> None:
    """A chest and a secret with no card left are drawn open and hollow."""
    view = table(five(), "A4")
    bare = tuple(replace(place, items=0, secrets=0) for place in view.locations)
    for letter in "BCDE":
        one = view.maze.rooms[letter]
        before, after = part(view, one), part(replace(view, locations=bare), one)
        assert ImageChops.difference(before, after).getbbox() is not None


def test_maze_shrinks_as_it_grows_and_never_below_what_is_legible() -> None:
    """Few rooms are large; many are smaller; beyond that a part is shown."""
    sizes = {name: planned(MOMENTS[name][0]).f for name in MOMENTS}
    assert sizes["start_dark"] > sizes["five_dark"] > sizes["block"] >= 52
    assert min(sizes.values()) >= 52
    whole = {name: planned(MOMENTS[name][0]).whole for name in MOMENTS}
    assert whole["block"]
    assert whole["block_five"]
    assert not whole["line_east"]
    assert not whole["line_south"]


@every_moment
def test_what_is_shown_lies_on_the_ground(name: str) -> None:
    """Every room shown is whole, and the Lost is seen unless a map leads elsewhere."""
    view, _ = MOMENTS[name]
    plan: Plan = planned(view)
    for one in view.maze.rooms.values():
        if plan.shows(one.x, one.y):
            left, top, right, bottom = plan.floor(one.x, one.y)
            assert left >= 0
            assert top >= 0
            assert right <= plan.ground[2]
            assert bottom <= plan.ground[3]
    here = view.maze.rooms[view.lost[0]]
    assert plan.shows(here.x, here.y) or name == "line_map"
    if view.reveal is not None:
        assert plan.shows(view.reveal.x, view.reveal.y)


def test_drawing_one_table_leaves_no_trace_on_the_next() -> None:
    """What is kept between pictures is not changed by them."""
    start, seats = MOMENTS["start_dark"]
    clean = draw(start, words(), seats)
    for name in ("block", "rotate", "leak"):
        draw(MOMENTS[name][0], words(), seats)
    assert draw(start, words(), seats) == clean
    ended = Outcome("escaped", won=True, facts={})
    first = fear_of_the_dark.closing(start, words(), seats, ended)
    fear_of_the_dark.closing(table(twelve(), "C5"), words(), PLAYERS, ended)
    assert fear_of_the_dark.closing(start, words(), seats, ended) == first
