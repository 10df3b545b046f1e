"""The picture as a whole: its size, its sameness, and that it tells nothing secret."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.render import escape_the_night
from bot.render.escape_the_night import compose, draw, pieces
from bot.render.escape_the_night.plan import House
from bot.render.escape_the_night.signs import overlap
from bot.render.kit.marks import pawn, seat_colour, seat_shape
from bot.render.kit.paint import LIMIT
from content.words import NOTHING, Words
from engines.escape_the_night.cards import Effect
from engines.kernel.game import Outcome
from tests.render.tables import IDS, MOMENTS, PLAYERS, middle, table, walking, with_guests, words

ROOT = Path(__file__).parents[2]


def pixels(data: bytes) -> Image.Image:
    """The picture's colours."""
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


@pytest.mark.parametrize("name", list(MOMENTS))
def test_picture_is_a_png_of_the_right_size(name: str) -> None:
    """1200 x 900, a PNG, at most 250 KB."""
    view, seats = MOMENTS[name]
    data = draw(view, words(), seats)
    assert len(data) <= LIMIT
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 900))


@pytest.mark.parametrize("seats", range(1, 12))
def test_closing_is_a_png_of_the_right_size(seats: int) -> None:
    """The closing picture fits too, at every number of seats."""
    outcome = Outcome("escaped", won=True, facts={"titles": {"master_of_the_house": [0]}})
    data = escape_the_night.closing(middle(seats), words(), PLAYERS[:seats], outcome)
    assert len(data) <= LIMIT
    assert pixels(data).size == (1200, 900)


def test_equal_views_give_equal_bytes() -> None:
    """Two views that are equal but not the same object make the same file."""
    assert walking() is not walking()
    first = draw(walking(), words(), PLAYERS[:4])
    assert draw(walking(), words(), list(PLAYERS[:4])) == first


def test_threads_draw_the_same() -> None:
    """Tables drawn side by side come out as each does alone."""
    alone = [draw(view, words(), seats) for view, seats in MOMENTS.values()]
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(draw, view, words(), seats) for view, seats in MOMENTS.values()]
        assert [job.result() for job in jobs] == alone


def test_hand_never_shows() -> None:
    """What a seat holds, and who looks, changes neither the picture nor its texts."""
    seen = middle()
    hand = ("lucky_coin", "lucky_coin")
    own = replace(seen, seat=1, hand=hand, hand_effects=(Effect("bonus", 1), Effect("bonus", 1)))
    for tell in (draw, escape_the_night.board_words, escape_the_night.alt_text):
        assert tell(own, words(), PLAYERS[:4]) == tell(seen, words(), PLAYERS[:4])
    assert escape_the_night.heading(own, words()) == escape_the_night.heading(seen, words())


def test_late_guests_do_not_show_but_piles_do() -> None:
    """Who will start late is no part of the picture; how many cards a pile has left is."""
    seen = middle()
    first = draw(seen, words(), PLAYERS[:4])
    assert draw(replace(seen, late=(IDS[0],)), words(), PLAYERS[:4]) == first
    fewer = replace(seen, pile_counts=(("clue", 7), *seen.pile_counts[1:]))
    texts = [placed.name for placed in compose(fewer, words(), PLAYERS[:4]).placed]
    assert texts[-4:] == ["7", "30", "40", "20"]


def test_drawing_leaves_the_kept_house_alone() -> None:
    """A busy table does not rub off on the next, empty one."""
    clean = draw(table(), words(), PLAYERS[:4])
    draw(walking(), words(), PLAYERS[:4])
    assert draw(table(), words(), PLAYERS[:4]) == clean


def test_reach_is_lit_and_the_rest_of_the_house_dark() -> None:
    """A walk lightens the spaces that it can reach and darkens all others; the grounds stay."""
    view = walking()
    calm = replace(view, reachable=())
    lit, unlit = (compose(v, words(), PLAYERS[:4]).image.convert("L") for v in (view, calm))
    house = House(view)
    taken = {c.space for c in view.characters if c.space}
    taken |= {t.space for t in view.tiles} | {a.space for a in view.artifacts}
    names = [p.box for p in compose(view, words(), PLAYERS[:4]).placed if p.what == "text"]
    seen = {True: 0, False: 0}
    for space in house.rooms:
        box = house.box(space)
        if space in taken or any(overlap(box, name) for name in names):
            continue
        inner = (box[0] + 9, box[1] + 9, box[2] - 9, box[3] - 9)
        before, after = (ImageStat.Stat(image.crop(inner)).mean[0] for image in (unlit, lit))
        reached = space in view.reachable
        seen[reached] += 1
        assert after > before + 3 if reached else after < before * 0.75, space
    assert min(seen.values()) > 12
    differs = ImageChops.difference(lit, unlit)
    differs.paste(0, house.area)
    assert differs.getbbox() is None


def test_reach_is_unmistakable_on_a_phone() -> None:
    """At 400 pixels across, a mark in the light on each space in reach that nothing else covers."""
    view = walking()
    sheet = compose(view, words(), PLAYERS[:4])
    small = sheet.image.resize((400, 300), Image.Resampling.LANCZOS).convert("L")
    house = House(view)
    taken = {c.space for c in view.characters} | {t.space for t in view.tiles}
    taken |= {a.space for a in view.artifacts}
    names = [p.box for p in sheet.placed if p.what == "text"]
    for space in house.rooms:
        if space in taken or any(overlap(house.box(space), name) for name in names):
            continue
        x, y = (n / 3 for n in house.middle(space))
        spot = small.crop((int(x) - 3, int(y) - 3, int(x) + 4, int(y) + 4))
        brightest = ImageStat.Stat(spot).extrema[0][1]
        assert (brightest > 170) == (space in view.reachable), (space, brightest)


def test_states_of_a_guest_can_be_seen() -> None:
    """Acting, exhausted, held by a monster: each changes the picture where the guest stands."""
    view = replace(middle(), acting=None)
    who, space = IDS[1], "b5"
    calm = compose(view, words(), PLAYERS[:4]).image
    for other in (
        replace(view, acting=who),
        with_guests(view, {who: {"exhausted": True}}),
        with_guests(view, {who: {"monster": "coal_thing"}}),
    ):
        image = compose(other, words(), PLAYERS[:4]).image
        box = House(view).box(space)
        assert ImageChops.difference(image.crop(box), calm.crop(box)).getbbox() is not None


def test_tiles_differ_in_shape() -> None:
    """Face down, clue and monster have other outlines, not just other colours."""
    outlines = [
        pieces.tile(colour).getchannel("A").point([255 * (v > 200) for v in range(256)])
        for colour in (None, "clue", "monster")
    ]
    for one, other in combinations(outlines, 2):
        differing = ImageChops.difference(one, other).histogram()[255]
        assert differing > 60


def test_artifacts_have_silhouettes_of_their_own() -> None:
    """The nine differ from each other in outline."""
    outlines = [
        pieces.artifact(ident).getchannel("A").point([255 * (v > 200) for v in range(256)])
        for ident in pieces.SILHOUETTES
    ]
    assert len(outlines) == 9
    for one, other in combinations(outlines, 2):
        assert ImageChops.difference(one, other).histogram()[255] > 100


def test_seats_differ_in_colour_or_shape_and_beyond_eight_in_shape() -> None:
    """No two of eleven seats have both the same; equal colours have other shapes."""
    looks = [(seat_colour(seat), seat_shape(seat)) for seat in range(11)]
    assert len(set(looks)) == 11
    assert len({shape for _, shape in looks[:8]}) == 8
    assert pawn(0, "A").tobytes() != pawn(8, "A").tobytes()


def test_fonts_are_found_from_anywhere(tmp_path: Path) -> None:
    """Started from /, with no home and no system fonts to ask for, the same picture comes out."""
    script = (
        "import sys, PIL.ImageFont as f\n"
        "plain = f.truetype\n"
        "def only_given(font, *rest, **more):\n"
        "    assert not isinstance(font, str), font\n"
        "    return plain(font, *rest, **more)\n"
        "f.truetype = only_given\n"
        "from bot.render.escape_the_night import draw\n"
        "from tests.render.tables import MOMENTS, words\n"
        "view, seats = MOMENTS['monstrous']\n"
        "open(sys.argv[1], 'wb').write(draw(view, words(), seats))\n"
    )
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    env = {"PYTHONPATH": path, "PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "7"}
    made = tmp_path / "made.png"
    subprocess.run([sys.executable, "-c", script, str(made)], cwd="/", env=env, check=True)
    view, seats = MOMENTS["monstrous"]
    assert made.read_bytes() == draw(view, words(), seats)


class Longer:
    """Words in which every name is long, as in another language."""

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


@pytest.mark.parametrize("name", ["walk", "attempt", "duel", "vote", "crowd", "graves"])
def test_long_words_stay_in_their_boxes(name: str) -> None:
    """Another language, or an author with much to say, breaks no layout."""
    view, seats = MOMENTS[name]
    sheet = compose(view, Longer(words()), seats)
    for placed in sheet.placed:
        if placed.what == "text":
            assert placed.ink[0] >= placed.box[0]
            assert placed.ink[2] <= placed.box[2]
            assert placed.ink[1] >= placed.box[1]
            assert placed.ink[3] <= placed.box[3]
            assert placed.size >= 26
