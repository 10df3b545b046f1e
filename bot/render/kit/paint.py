"""Paint: colours, shapes drawn large and reduced, shadows, glow, grain, and the finished PNG."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

Rgb = tuple[int, int, int]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels; right and bottom are outside."""

FINE: Final = 4
"""Sprites are drawn this much larger and reduced."""

LIMIT: Final = 250 * 1024
"""Bytes that a picture may have."""


def rgb(hexadecimal: str) -> Rgb:
    """The colour written as six hexadecimal digits."""
    value = int(hexadecimal, 16)
    return (value >> 16, value >> 8 & 255, value & 255)


def mix(one: Rgb, other: Rgb, share: float) -> Rgb:
    """`one` with that share of `other` (0 to 1)."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return (red, green, blue)


def luminance(colour: Rgb) -> float:
    """Relative luminance after WCAG 2, from 0 to 1."""
    parts = [c / 255 for c in colour]
    lin = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]


def contrast(one: Rgb, other: Rgb) -> float:
    """Contrast ratio after WCAG 2, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def sprite(
    width: int, height: int, paint: Callable[[ImageDraw.ImageDraw, int], None]
) -> Image.Image:
    """An RGBA picture painted `FINE` times as large; `paint` gets the pen and that factor."""
    big = Image.new("RGBA", (width * FINE, height * FINE))
    paint(ImageDraw.Draw(big), FINE)
    return big.resize((width, height), Image.Resampling.LANCZOS)


def tinted(mask: Image.Image, colour: Rgb) -> Image.Image:
    """An RGBA picture of one colour, as opaque as the mask."""
    image = Image.new("RGBA", mask.size, (*colour, 0))
    image.putalpha(mask)
    return image


def shadowed(
    picture: Image.Image, *, blur: float = 3, down: int = 3, right: int = 2, strength: float = 0.6
) -> Image.Image:
    """The RGBA picture on its soft shadow, with a margin of `margin_of(blur)` pixels all round."""
    margin = margin_of(blur)
    size = (picture.width + 2 * margin, picture.height + 2 * margin)
    alpha = Image.new("L", size)
    alpha.paste(picture.getchannel("A"), (margin + right, margin + down))
    alpha = alpha.filter(ImageFilter.GaussianBlur(blur)).point(lambda a: int(a * strength))
    image = tinted(alpha, (2, 4, 10))
    image.alpha_composite(picture, (margin, margin))
    return image


def margin_of(blur: float) -> int:
    """How far a shadow of that blur reaches beyond its picture."""
    return int(blur * 2) + 4


def dimmed(picture: Image.Image, share: float, towards: Rgb) -> Image.Image:
    """The RGBA picture with that share of a colour mixed in, as opaque as before."""
    veil = Image.new("RGBA", picture.size, (*towards, 255))
    image = Image.blend(picture, veil, share)
    image.putalpha(picture.getchannel("A"))
    return image


@lru_cache(maxsize=64)
def glow(
    width: int, height: int, colour: Rgb, strength: float, hardness: float = 1.0
) -> Image.Image:
    """Light that is strongest in the middle of the RGBA picture and gone at its edges."""
    light = ImageChops.invert(Image.radial_gradient("L"))
    light = light.point([min(255, int(max(0, v - 75) / 180 * 255)) for v in range(256)])
    light = light.point([int((v / 255) ** hardness * 255 * strength) for v in range(256)])
    return tinted(light.resize((width, height), Image.Resampling.BICUBIC), colour)


@lru_cache(maxsize=16)
def grain(width: int, height: int, seed: int, coarseness: float = 1.0) -> Image.Image:
    """Noise around 128, the same for the same seed; `coarseness` is the size of its clumps."""
    small = (max(1, int(width / coarseness)), max(1, int(height / coarseness)))
    noise = Image.frombytes("L", small, random.Random(seed).randbytes(small[0] * small[1]))
    return noise.resize((width, height), Image.Resampling.BICUBIC)


def with_grain(
    image: Image.Image, seed: int, amount: float, coarseness: float = 1.0
) -> Image.Image:
    """The RGB picture lightened and darkened by noise; `amount` is how far, in steps of 255."""
    noise = grain(*image.size, seed, coarseness)
    up = noise.point([int(max(0, v - 128) / 128 * amount) for v in range(256)])
    down = noise.point([int(max(0, 128 - v) / 128 * amount) for v in range(256)])
    image = ImageChops.add(image, Image.merge("RGB", (up, up, up)))
    return ImageChops.subtract(image, Image.merge("RGB", (down, down, down)))


def shrunk(mask: Image.Image, by: int) -> Image.Image:
    """The mask without what is within `by` pixels of its edge."""
    return _spread(mask, by, ImageChops.darker)


def grown(mask: Image.Image, by: int) -> Image.Image:
    """The mask with all that is within `by` pixels of it."""
    return _spread(mask, by, ImageChops.lighter)


def _spread(
    mask: Image.Image, by: int, choose: Callable[[Image.Image, Image.Image], Image.Image]
) -> Image.Image:
    # A margin, since an offset comes in again on the other side.
    wide = ImageOps.expand(mask, by)
    found = wide
    for dx, dy in (
        (by, 0),
        (-by, 0),
        (0, by),
        (0, -by),
        (by, by),
        (by, -by),
        (-by, by),
        (-by, -by),
    ):
        found = choose(found, ImageChops.offset(wide, dx, dy))
    return found.crop((by, by, by + mask.width, by + mask.height))


def vignetted(image: Image.Image, strength: float) -> Image.Image:
    """The RGB picture, darker towards its corners."""
    fall = Image.radial_gradient("L").resize(image.size, Image.Resampling.BICUBIC)
    fall = fall.point([255 - int(max(0, v - 110) / 145 * 255 * strength) for v in range(256)])
    return ImageChops.multiply(image, Image.merge("RGB", (fall, fall, fall)))


def colours_of(still: Image.Image, accents: Sequence[Rgb], shade: Rgb) -> Image.Image:
    """A palette image of 256 colours: the accents with their shades, the rest taken from `still`.

    Kept with the part of a picture that does not change, it makes `png` quick.
    """
    fixed = [mix(accent, shade, share) for accent in accents for share in (0.0, 0.3, 0.6)][:96]
    free = 256 - len(fixed)
    small = still.resize((still.width // 2, still.height // 2), Image.Resampling.NEAREST)
    few = small.quantize(free, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    found = few.getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([c for colour in fixed for c in colour] + found[: 3 * free])
    return palette


def png(image: Image.Image, palette: Image.Image | None = None) -> bytes:
    """The RGB picture as a PNG of at most `LIMIT` bytes, in as many colours as that allows."""
    data = b""
    for colours in (256, 128, 64, 32, 16):
        if palette is not None and colours == 256:
            few = image.quantize(palette=palette, dither=Image.Dither.NONE)
        else:
            few = image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
        out = io.BytesIO()
        few.save(out, "PNG", compress_level=6)
        data = out.getvalue()
        if len(data) <= LIMIT:
            break
    return data
