"""Lines of text as masks: tamed, put together from several faces, measured and fitted to a width.

Fitting goes in this order: smaller down to the floor, narrower down to `NARROWEST`, then an
ellipsis on whole characters. Masks are cached; a mask must not be changed.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.kit.fonts import WIDER, Face, Kind, face, face_for
from content.names import cleaned

NARROWEST: Final = 0.72
ELLIPSIS: Final = "…"
_MARKS_PER_LETTER: Final = 2
_JOINERS: Final = "\u200c\u200d"
_LONGEST: Final = 200
"""Characters of a text that are looked at; no line on a picture holds as many."""

_lock = threading.RLock()
"""FreeType faces are shared by the threads that draw."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text ready to be painted: `mask` with its left edge and baseline at (0, `rise`).

    `cap` is the height of its capitals in pixels, `text` what is left to read after fitting.
    """

    text: str
    cap: int
    mask: Image.Image
    rise: int

    @property
    def width(self) -> int:
        """Pixels from the first letter's to the last letter's edge."""
        return self.mask.width


def tamed(text: str, kind: Kind = "plain") -> str:
    """What can be drawn of a text, in one line: unknown signs and piled-up marks are left out."""
    kept = ""
    marks = 0
    for char in cleaned(text):
        if unicodedata.category(char) == "Mn":
            marks += 1
            if marks > _MARKS_PER_LETTER or not kept:
                continue
        elif char not in _JOINERS:
            marks = 0
        if char in _JOINERS or face_for(char, kind):
            kept += char
    return " ".join(kept.split())


def clusters(text: str) -> list[str]:
    """The text in pieces that a reader takes for one character each."""
    found: list[str] = []
    for char in text:
        joined = found and (
            unicodedata.category(char) in ("Mn", "Mc", "Me")
            or char in _JOINERS
            or found[-1][-1] in _JOINERS
            or unicodedata.combining(found[-1][-1]) == 9  # a virama ties the next consonant on
        )
        if joined:
            found[-1] += char
        else:
            found.append(char)
    return found


def _runs(text: str, kind: Kind) -> list[tuple[Face, str]]:
    """The text cut by typeface, in the order in which the pieces stand from left to right."""
    runs: list[tuple[Face, str]] = []
    for whole in clusters(text):
        found = face_for(whole[0], kind)
        if found is None:
            continue
        if not all(map(found.has, whole)):
            # A mark goes with its letter: into a face that has both, or out.
            found = next((f for f in map(face, WIDER) if all(map(f.has, whole))), found)
        cluster = "".join(filter(found.has, whole))
        # A space belongs to what it follows, or a line in another script would fall apart; but some
        # faces have letters only.
        follows = cluster == " " and kind == "plain" and bool(runs) and runs[-1][0].has(" ")
        if runs and (runs[-1][0] is found or follows):
            runs[-1] = (runs[-1][0], runs[-1][1] + cluster)
        else:
            runs.append((found, cluster))
    if _is_leftward(text):
        runs.reverse()
    return runs


def _is_leftward(text: str) -> bool:
    """Whether the text's first letter with a direction runs from right to left."""
    for char in text:
        match unicodedata.bidirectional(char):
            case "L":
                return False
            case "R" | "AL":
                return True
            case _:
                pass
    return False


@lru_cache(maxsize=4096)
def length(text: str, kind: Kind, cap: int) -> float:
    """How wide the text is, in pixels."""
    with _lock:
        return sum(font.at(cap).getlength(run) for font, run in _runs(text, kind))


@lru_cache(maxsize=2048)
def line(text: str, kind: Kind, cap: int, narrow: float = 1.0) -> Line:
    """The text as it is, at that size, squeezed to `narrow` of its width."""
    with _lock:
        runs = _runs(text, kind)
        lengths = [font.at(cap).getlength(run) for font, run in runs]
        pad, above, below = cap, cap * 3, cap * 2
        canvas = Image.new("L", (int(sum(lengths)) + 2 * pad + 1, above + below))
        draw = ImageDraw.Draw(canvas)
        x = float(pad)
        for (font, run), advance in zip(runs, lengths, strict=True):
            draw.text((x, above), run, font=font.at(cap), fill=255, anchor="ls")
            x += advance
    box = canvas.getbbox()
    if box is None:
        return Line(text, cap, Image.new("L", (1, 1)), 1)
    ink = canvas.crop(box)
    if narrow < 1:
        slim = (max(1, round(ink.width * narrow)), ink.height)
        ink = ink.resize(slim, Image.Resampling.LANCZOS)
    return Line(text, cap, ink, above - box[1])


@lru_cache(maxsize=2048)
def fitted(text: str, kind: Kind, cap: int, width: int, height: int, floor: int) -> Line:
    """The text in one line of at most `width` x `height` pixels; capitals of `floor` to `cap`.

    `height` bounds the ink: scripts that tower over capitals are drawn smaller.
    """
    shown = tamed(text[:_LONGEST], kind)
    size = cap
    while size > floor and length(shown, kind, size) > width:
        size -= 1
    found = _squeezed(shown, kind, size, width)
    while found is None:
        pieces = clusters(shown.removesuffix(ELLIPSIS).rstrip())[:-1]
        if not pieces:
            return line("", kind, size)
        shown = "".join(pieces).rstrip() + ELLIPSIS
        found = _squeezed(shown, kind, size, width)
    if found.mask.height > height:
        scale = height / found.mask.height
        small = (max(1, int(found.width * scale)), height)
        mask = found.mask.resize(small, Image.Resampling.LANCZOS)
        found = Line(found.text, int(found.cap * scale), mask, round(found.rise * scale))
    return found


def _squeezed(text: str, kind: Kind, cap: int, width: int) -> Line | None:
    wide = length(text, kind, cap)
    narrow = min(1.0, (width - 2) / wide) if wide > width else 1.0
    if narrow < NARROWEST:
        return None
    found = line(text, kind, cap, narrow)
    return found if found.width <= width else None


def folded(text: str, kind: Kind, cap: int, width: int, height: int, lines: int) -> list[Line]:
    """The text in at most `lines` lines at that size, broken at spaces; the last takes the rest."""
    words = tamed(text, kind).split(" ")
    found: list[Line] = []
    while words and len(found) < lines - 1:
        taken = _first_words(words, kind, cap, width)
        found.append(fitted(" ".join(words[:taken]), kind, cap, width, height, cap))
        words = words[taken:]
    if words:
        found.append(fitted(" ".join(words), kind, cap, width, height, cap))
    return found


def _first_words(words: list[str], kind: Kind, cap: int, width: int) -> int:
    fits = [n for n in range(1, len(words) + 1) if length(" ".join(words[:n]), kind, cap) <= width]
    return max(fits, default=1)


def letters(text: str) -> Iterator[str]:
    """The letters and digits of a text, one by one, as capitals where there are any."""
    for char in tamed(text):
        if char.isalnum():
            yield char.upper()[:1]
