"""Players' names on the picture: any script, any length, any mischief."""

from __future__ import annotations

import pytest
from PIL import Image, ImageChops, ImageDraw

from bot.render.escape_the_night import compose
from bot.render.kit.fonts import FOLDER, MAIN, WIDER, Face, face, face_for
from bot.render.kit.text import ELLIPSIS, clusters, fitted, folded, length, line, tamed
from tests.render.tables import MONSTROUS, PLAYERS, middle, words


@pytest.mark.parametrize("name", [*MONSTROUS, *PLAYERS])
@pytest.mark.parametrize("width", [40, 120, 300])
def test_name_fits_its_width_and_height(name: str, width: int) -> None:
    """The mask is never larger than the room that it was fitted to."""
    found = fitted(name, "plain", 26, width, 40, 26)
    assert found.width <= width
    assert found.mask.height <= 40


def test_shortened_names_end_in_an_ellipsis_on_whole_characters() -> None:
    """What is cut is cut between characters, and says so."""
    found = fitted("क्षत्रिय" * 9, "plain", 26, 160, 40, 26)
    assert found.text.endswith(ELLIPSIS)
    whole = clusters(tamed("क्षत्रिय" * 9))
    assert clusters(found.text.removesuffix(ELLIPSIS)) == whole[: len(clusters(found.text)) - 1]


def test_piled_up_marks_and_overrides_are_tamed() -> None:
    """At most two marks stay on a letter; direction overrides are gone."""
    assert len(tamed("Z" + "\u0301" * 40)) <= 3
    assert tamed("\u202edrowssap\u202c") == "drowssap"
    assert tamed("\u0301\u0302") == ""


def test_shipped_scripts_are_drawn_and_unknown_signs_left_out() -> None:
    """Common scripts have letters; emoji and rare scripts vanish rather than become boxes."""
    for text in (
        "Ann",
        "Ξένια",
        "Дмитрий",
        "小林",
        "ナツキ",
        "김민수",
        "สมชาย",
        "देव",
        "محمد",
        "דוד",
    ):
        assert tamed(text) == text
    assert tamed("🎃Ann🎃") == "Ann"
    assert tamed("🎃𒐫") == ""


def test_accents_come_from_a_face_that_has_them() -> None:
    """A letter with a mark that the main face lacks is no letter with a box."""
    marked = line("l͝", "plain", 40)
    bare = line("l", "plain", 40)
    box = line("l\ufffe", "plain", 40)
    assert marked.mask.tobytes() != bare.mask.tobytes()
    assert marked.mask.tobytes() != box.mask.tobytes()
    for char in "l͝":
        assert face_for(char, "plain") is not None


def test_every_shipped_face_tells_what_it_has() -> None:
    """Coverage is read from the files: what a face claims it draws unlike the missing sign."""
    samples = {
        MAIN["title"]: "Å", MAIN["plain"]: "ő", WIDER[0]: "Ж", WIDER[1]: "漢", WIDER[2]: "ส",
        WIDER[3]: "न", WIDER[4]: "ש",
    }  # fmt: skip
    for file, sign in samples.items():
        found = face(file)
        assert found.has(sign)
        assert not found.has("\U0001f383")
        drawn, missing = (_drawn(found, text) for text in (sign, "\U0001f383"))
        assert drawn != missing


def _drawn(found: Face, text: str) -> bytes:
    image = Image.new("L", (90, 90))
    ImageDraw.Draw(image).text((10, 10), text, font=found.at(30), fill=255)
    return image.tobytes()


def test_every_face_has_its_licence_and_all_are_small() -> None:
    """A licence lies beside each family, and the folder is about two megabytes."""
    licences = {path.name for path in FOLDER.glob("LICENSE-*.txt")}
    for family in ("Staatliches", "AtkinsonHyperlegibleNext", "DejaVu", "Noto"):
        assert f"LICENSE-{family}.txt" in licences
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) <= 2_100_000
    files = {path.name for path in FOLDER.iterdir() if path.suffix in (".ttf", ".otf")}
    assert files == {*MAIN.values(), *WIDER}


@pytest.mark.parametrize("names", [("🎃", "🎃🎃"), ("Alex", "Alex"), ("漢" * 40, "漢" * 50)])
def test_no_two_seats_look_alike(names: tuple[str, str]) -> None:
    """Same or unreadable names still stand beside different marks."""
    view = middle(2, current_seat=None, acting=None)
    sheet = compose(view, words(), names)
    shown = [p for p in sheet.placed if p.what == "text" and p.box[2] - p.box[0] > 120]
    rows = sorted({p.box[1] for p in shown if 112 < p.box[1] < 640})
    assert len(rows) >= 2
    one, other = (sheet.image.crop((900, y - 4, 960, y + 40)) for y in rows[:2])
    assert ImageChops.difference(one, other).getbbox() is not None


def test_folding_breaks_between_words_and_keeps_the_rest() -> None:
    """Two lines hold all words if they fit; the last is shortened if they do not."""
    lines = folded("The Thing from the Coal Cellar", "title", 26, 220, 34, 2)
    assert " ".join(found.text for found in lines) == "The Thing from the Coal Cellar"
    assert all(found.width <= 220 for found in lines)
    cut = folded("word " * 40, "title", 26, 220, 34, 2)
    assert len(cut) == 2
    assert cut[1].text.endswith(ELLIPSIS)


def test_length_grows_with_the_text() -> None:
    """Measuring is additive for plain Latin."""
    assert length("AA", "plain", 26) == pytest.approx(2 * length("A", "plain", 26), abs=1)


@pytest.mark.parametrize("text", ["नमस्ते दुनिया", "สวัสดี สมชาย", "小林 さくら", "דוד לוי"])
def test_space_between_words_is_empty(text: str) -> None:
    """Faces without a space of their own put no box between two words."""
    words = text.split(" ")
    assert face_for(words[0][0], "plain") is not face_for(" ", "plain")
    spaced, joined = line(text, "plain", 40), line("".join(words), "plain", 40)
    wide, high = spaced.mask.size
    inked = [spaced.mask.crop((x, 0, x + 1, high)).getbbox() is not None for x in range(wide)]
    gap = max(len(run) for run in "".join(" #"[column] for column in inked).split("#"))
    assert gap >= 6
    assert spaced.mask.histogram()[255] == pytest.approx(joined.mask.histogram()[255], rel=0.06)
