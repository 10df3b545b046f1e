"""The sheet that a picture is put together on. It keeps a list of what was put where.

The list is what layout is checked by: text leaves no box, labels do not overlap, pawns are large.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFilter

from bot.render.kit.fonts import Kind
from bot.render.kit.paint import Box, Rgb, tinted
from bot.render.kit.text import Line, fitted

What = Literal["text", "pawn", "piece"]
Align = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Placed:
    """Something on the sheet: `box` is the room it was given, `ink` what it covers.

    `size` is the height of capitals for text, the smaller side for pawns and pieces.
    """

    what: What
    name: str
    box: Box
    ink: Box
    size: int


@dataclass(slots=True)
class Sheet:
    """An RGB picture in the making."""

    image: Image.Image
    placed: list[Placed] = field(default_factory=list[Placed])

    def copy(self) -> Sheet:
        """Another sheet with the same things on it."""
        return Sheet(self.image.copy(), list(self.placed))

    def write(
        self,
        text: str,
        box: Box,
        *,
        colour: Rgb,
        kind: Kind = "plain",
        cap: int = 26,
        floor: int = 26,
        align: Align = "left",
        halo: Rgb | None = None,
    ) -> Line:
        """Write one line into the box, its capitals in the middle of the height.

        `halo` is the colour of a soft edge around the letters, for busy ground.
        """
        left, top, right, bottom = box
        found = fitted(text, kind, cap, right - left, bottom - top, floor)
        self.put_line(found, box, colour=colour, align=align, halo=halo)
        return found

    def put_line(
        self,
        found: Line,
        box: Box,
        *,
        colour: Rgb,
        align: Align = "left",
        halo: Rgb | None = None,
    ) -> None:
        """Put a line that was fitted before into its box."""
        if not found.text:
            return
        left, top, right, bottom = box
        spare = right - left - found.width
        x = left + {"left": 0, "middle": spare // 2, "right": spare}[align]
        baseline = (top + bottom + found.cap) // 2
        y = min(max(baseline - found.rise, top), bottom - found.mask.height)
        if halo is not None:
            self._halo(found.mask, x, y, halo)
        self.image.paste(colour, (x, y), found.mask)
        ink = (x, y, x + found.width, y + found.mask.height)
        self.placed.append(Placed("text", found.text, box, ink, found.cap))

    def _halo(self, mask: Image.Image, x: int, y: int, colour: Rgb) -> None:
        edge = 4
        wide = Image.new("L", (mask.width + 2 * edge, mask.height + 2 * edge))
        wide.paste(mask, (edge, edge))
        wide = wide.filter(ImageFilter.GaussianBlur(2)).point([min(255, v * 4) for v in range(256)])
        self.image.paste(colour, (x - edge, y - edge), wide)

    def paste(self, picture: Image.Image, x: int, y: int) -> None:
        """Put an RGBA picture with its upper left corner there."""
        self.image.paste(picture, (x, y), picture)

    def centre(self, picture: Image.Image, x: int, y: int) -> Box:
        """Put an RGBA picture with its middle there; the box that it covers."""
        left, top = x - picture.width // 2, y - picture.height // 2
        self.paste(picture, left, top)
        return (left, top, left + picture.width, top + picture.height)

    def veil(self, box: Box, colour: Rgb, opacity: float, radius: int = 0) -> None:
        """Lay a colour over a box; `opacity` from 0 to 1, corners rounded by `radius` pixels."""
        mask = _plate(box[2] - box[0], box[3] - box[1], radius).point(lambda v: int(v * opacity))
        self.paste(tinted(mask, colour), box[0], box[1])

    def note(self, what: What, name: str, x: int, y: int, size: int) -> None:
        """Keep in mind that a pawn or piece of that size has its middle there."""
        half = size // 2
        box = (x - half, y - half, x + half, y + half)
        self.placed.append(Placed(what, name, box, box, size))


@lru_cache(maxsize=128)
def _plate(width: int, height: int, radius: int) -> Image.Image:
    big = Image.new("L", (width * 4, height * 4))
    ImageDraw.Draw(big).rounded_rectangle(
        (0, 0, width * 4 - 1, height * 4 - 1), radius * 4, fill=255
    )
    return big.resize((width, height), Image.Resampling.LANCZOS)
