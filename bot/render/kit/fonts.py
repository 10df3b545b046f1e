"""The shipped typefaces, found beside the `content` package wherever the process was started.

Sizes are told by the height of a capital letter in pixels (`cap`), since that is what must stay
legible on a phone.
"""

from __future__ import annotations

import io
import math
import struct
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal

from PIL import ImageFont, features

import content

Kind = Literal["title", "plain"]

FOLDER: Final = Path(content.__file__).parent / "fonts"
MAIN: Final[dict[Kind, str]] = {
    "title": "Staatliches-Regular.ttf",
    "plain": "AtkinsonHyperlegibleNext-SemiBold.ttf",
}
WIDER: Final = (
    "DejaVuSans-Bold-subset.ttf",
    "NotoSansCJKsc-Bold-subset.otf",
    "NotoSansThai-Bold-subset.ttf",
    "NotoSansDevanagari-Bold-subset.ttf",
    "NotoSansHebrew-Bold-subset.ttf",
)
"""Asked in this order for what the main faces lack."""

_PLAIN_LAYOUT: Final = (*MAIN.values(), WIDER[1])
"""Faces whose letters simply follow each other: laid out alike with and without libraqm."""

_EM_OF_TALL_SCRIPTS: Final = 1.22
"""Em per cap height where a face has no Latin capitals to measure."""


class Face:
    """One typeface file: which characters it has, and fonts of it by cap height."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._data = (FOLDER / file).read_bytes()
        self._has = _coverage(self._data)
        simple = file in _PLAIN_LAYOUT or not features.check("raqm")
        self._layout = ImageFont.Layout.BASIC if simple else ImageFont.Layout.RAQM
        if self.has("H"):
            _, top, _, bottom = self._load(1000).getbbox("H", anchor="ls")
            self._em = 1000 / (bottom - top)
        else:
            self._em = _EM_OF_TALL_SCRIPTS

    def has(self, char: str) -> bool:
        """Whether the face has a picture for that character."""
        return ord(char) in self._has

    def at(self, cap: int) -> ImageFont.FreeTypeFont:
        """The face so large that a capital is at least `cap` pixels high."""
        return _sized(self, math.ceil(cap * self._em))

    def _load(self, size: int) -> ImageFont.FreeTypeFont:
        return ImageFont.truetype(io.BytesIO(self._data), size, layout_engine=self._layout)


@lru_cache(maxsize=256)
def _sized(face: Face, size: int) -> ImageFont.FreeTypeFont:
    return face._load(size)  # noqa: SLF001 the cache stands outside so that it has a bound


@cache
def face(file: str) -> Face:
    """The typeface of that file name."""
    return Face(file)


def face_for(char: str, kind: Kind) -> Face | None:
    """The first typeface that has the character, None if none has."""
    # The title face's 1 is a mere stroke: beside others it reads as a letter.
    first: Kind = "plain" if char.isdigit() else kind
    for file in (MAIN[first], MAIN["plain"], *WIDER):
        found = face(file)
        if found.has(char):
            return found
    return None


def _coverage(data: bytes) -> frozenset[int]:
    """The characters that a font file maps to glyphs: its `cmap`, formats 4 and 12."""
    tables = struct.unpack(">H", data[4:6])[0]
    start = next(
        struct.unpack(">I", data[12 + 16 * n + 8 : 12 + 16 * n + 12])[0]
        for n in range(tables)
        if data[12 + 16 * n : 12 + 16 * n + 4] == b"cmap"
    )
    found: set[int] = set()
    for n in range(struct.unpack(">H", data[start + 2 : start + 4])[0]):
        offset = struct.unpack(">I", data[start + 4 + 8 * n + 4 : start + 4 + 8 * n + 8])[0]
        table = data[start + offset :]
        match struct.unpack(">H", table[:2])[0]:
            case 4:
                found.update(_format_4(table))
            case 12:
                found.update(_format_12(table))
            case _:
                pass
    return frozenset(found)


def _format_4(table: bytes) -> list[int]:
    segments = struct.unpack(">H", table[6:8])[0] // 2
    ends = struct.unpack(f">{segments}H", table[14 : 14 + 2 * segments])
    rest = table[16 + 2 * segments :]
    starts = struct.unpack(f">{segments}H", rest[: 2 * segments])
    deltas = struct.unpack(f">{segments}H", rest[2 * segments : 4 * segments])
    offsets = struct.unpack(f">{segments}H", rest[4 * segments : 6 * segments])
    found: list[int] = []
    for n, (first, last) in enumerate(zip(starts, ends, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            if offsets[n]:
                at = 4 * segments + 2 * n + offsets[n] + 2 * (code - first)
                glyph = struct.unpack(">H", rest[at : at + 2])[0]
            else:
                glyph = (code + deltas[n]) & 0xFFFF
            if glyph:
                found.append(code)
    return found


def _format_12(table: bytes) -> list[int]:
    groups = struct.unpack(">I", table[12:16])[0]
    found: list[int] = []
    for n in range(groups):
        first, last, _ = struct.unpack(">III", table[16 + 12 * n : 28 + 12 * n])
        found.extend(range(first, last + 1))
    return found
