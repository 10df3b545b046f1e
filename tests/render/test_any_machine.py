"""Pictures on a machine that has nothing: no fonts, no home, nothing that can be written to."""

from __future__ import annotations

import ast
import hashlib
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

from bot import titles
from bot.render.kit.marks import seat_mark
from bot.render.kit.text import fitted, tamed
from bot.render.kit.words import seat_name
from bot.titles import Title
from engines.kernel.chance import Chance
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.driving import one_step, play_out

ROOT = Path(__file__).parents[2]

SCRIPTS = ("小林", "ナツキ", "김민수", "สมชาย", "क्षत्रिय", "🎃🎃", "♞☂§", "Ann", "👩‍👩‍👧 Ann", "𒐫")
"""Chinese, Japanese, Korean, Thai, Devanagari, emoji, symbols, and what no font here has."""


def begun(key: str, seats: int) -> tuple[Title, Playthrough[Any, Any, Any]]:
    """A game of that kind with default options."""
    title = titles.load(key)
    game = title.game
    options = {one.key: one.default for one in game.options}
    header = Header(key, game.rules_version, title.content.digest, "07" * 16, seats, options)
    return title, Playthrough(game, title.content.rules, header)


def played(key: str, seats: int) -> tuple[Title, Playthrough[Any, Any, Any]]:
    """Such a game at its end."""
    title, play = begun(key, seats)
    play_out(play, title.game.agents["random"])
    return title, play


def pictures(key: str, seats: tuple[str, ...]) -> Iterator[bytes]:
    """The board of a game at its beginning and later on, and the closing picture of its end."""
    title, play = begun(key, len(seats))
    words, rng = title.content.words.bound(seats), Chance(b"pictures")
    while play.outcome is None:
        if play.ply in (0, 60):
            yield title.renderer.draw(play.view(None), words, seats)
        one_step(play, title.game.agents["random"], rng)
    yield title.renderer.closing(play.view(None), words, seats, play.outcome)


_ALONE = """
import hashlib, os, sys
key, fonts = sys.argv[1:]
from tests.render.test_any_machine import SCRIPTS, pictures
def watch(event, arguments):
    if event == "open":
        path, mode, flags = arguments
        name = os.fsdecode(path) if isinstance(path, (str, bytes)) else ""
        assert not flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT), f"writes {name}"
        if name.lower().endswith((".ttf", ".otf", ".ttc", ".pcf", ".pil", "fonts.conf")):
            assert os.path.dirname(os.path.realpath(name)) == fonts, f"asks for {name}"
    writes = ("os.mkdir", "os.rename", "os.remove", "tempfile.mkstemp", "subprocess.Popen")
    assert event not in writes, event
sys.addaudithook(watch)
for drawn in pictures(key, SCRIPTS[:3]):
    print(hashlib.sha256(drawn).hexdigest())
"""


@pytest.mark.parametrize("key", titles.KEYS)
def test_every_game_is_drawn_where_there_is_nothing(key: str) -> None:
    """IMG-01: started from /, without a home or a system's fonts, and with every attempt to write a
    file or to read a font from elsewhere an error: boards and endings come out as they do here.
    """
    env = {
        "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "3",
        "FONTCONFIG_FILE": "/dev/null", "FONTCONFIG_PATH": "/nowhere", "HOME": "/nowhere",
    }  # fmt: skip
    fonts = os.path.realpath(ROOT / "content" / "fonts")
    made = subprocess.run(
        [sys.executable, "-c", _ALONE, key, fonts],
        cwd="/", env=env, check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    here = [hashlib.sha256(drawn).hexdigest() for drawn in pictures(key, SCRIPTS[:3])]
    assert made.stdout.split() == here
    assert len(here) >= 2


def test_no_two_names_of_the_listed_scripts_share_a_picture() -> None:
    """IMG-03: each name is drawn in letters, none of which is the box of a missing sign, or, where
    nothing of it can be drawn, as the seat's number; with the seat's mark no two are alike.
    """
    words = titles.load(titles.KEYS[0]).content.words
    boxes = fitted("\ufffe", "plain", 26, 300, 40, 26).mask.tobytes()
    shown: list[bytes] = []
    for seat, name in enumerate(SCRIPTS):
        told = seat_name(words, SCRIPTS, seat)
        if name in ("🎃🎃", "𒐫"):
            assert tamed(name) == ""
            assert str(seat + 1) in told
        else:
            assert told == tamed(name) != ""
        mask = fitted(told, "plain", 26, 300, 40, 26).mask
        assert mask.getbbox() is not None
        assert mask.tobytes() != boxes
        shown.append(mask.tobytes() + seat_mark(seat, 40).tobytes())
    assert not [(a, b) for a, b in combinations(range(len(shown)), 2) if shown[a] == shown[b]]


@pytest.mark.parametrize("key", titles.KEYS)
def test_names_in_the_listed_scripts_make_different_pictures(key: str) -> None:
    """IMG-03: at the end of each game all names stand on the picture; another name is another one,
    unless neither of the two can be drawn.
    """
    drawn: list[Image.Image] = []
    title, play = played(key, 3)
    for name in SCRIPTS:
        seats = (name, "Kim", "Lee")
        words = title.content.words.bound(seats)
        view, outcome = play.view(None), play.outcome
        assert outcome is not None
        drawn.append(_opened(title.renderer.closing(view, words, seats, outcome)))
    for (one, left), (other, right) in pairwise(zip(SCRIPTS, drawn, strict=True)):
        if _seen(one) != _seen(other):
            assert ImageChops.difference(left, right).getbbox() is not None, (one, other)


def _seen(name: str) -> str:
    return tamed(name).strip("\u200d ")


def _opened(data: bytes) -> Image.Image:
    with Image.open(io.BytesIO(data)) as image:
        return image.convert("RGB")


def test_no_picture_is_read() -> None:
    """IMG-06: the bot draws all that it shows. It opens no picture, neither from content nor from
    anybody who plays, and leaves the library's guard against bombs as it is; so there is no art
    that could be one. Whoever adds art has to check it with the content first.
    """
    reading, art = [], []
    for folder in ("bot", "content", "engines"):
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"):
                art.append(path.name)
            if path.suffix != ".py":
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Attribute) and node.attr in _READERS:
                    of = node.value.id if isinstance(node.value, ast.Name) else ""
                    if node.attr != "open" or of == "Image":
                        reading.append(f"{path.name}:{node.lineno} {node.attr}")
    assert (reading, art) == ([], [])
    import bot.app

    assert bot.app
    assert Image.MAX_IMAGE_PIXELS == 1024 * 1024 * 1024 // 4 // 3


_READERS = ("open", "MAX_IMAGE_PIXELS", "frombuffer", "LOAD_TRUNCATED_IMAGES", "ImageFile")
