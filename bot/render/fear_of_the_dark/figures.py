"""The Lost, arrows, eyes, daylight behind a door: what is put on top of the maze."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw, ImageFilter

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.glyphs import oval
from bot.render.kit.paint import Rgb, mix, sprite, tinted
from engines.fear_of_the_dark.view import Side


@lru_cache(maxsize=16)
def dawn(side: Side, wide: int, deep: int, out: int) -> Image.Image:
    """Day that falls in through a door: a wedge `deep` into the room, rays `out` of it.

    The picture is drawn for a door in the north and turned.
    """
    half = wide // 2
    spread = round(deep * 0.5)
    size = (wide + 2 * spread, out + deep)

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        middle = size[0] * fine / 2
        edge = out * fine
        steps = 14
        for n in range(steps, 0, -1):
            t = n / steps
            w = (half + spread * t) * fine
            pen.polygon(
                [
                    (middle - half * fine, edge),
                    (middle + half * fine, edge),
                    (middle + w, edge + deep * fine * t),
                    (middle - w, edge + deep * fine * t),
                ],
                fill=(*p.DAWN, round(185 * (1 - t) ** 1.3 + 6)),
            )
        pen.rectangle((middle - half * fine, 0, middle + half * fine, edge), fill=(*p.DAWN, 255))
        tip, wing = edge * 0.12, half * 0.62 * fine
        deepest = max(edge * 0.72, 12 * fine)
        pen.polygon(
            [
                (middle, tip), (middle + wing, deepest), (middle + wing * 0.36, deepest),
                (middle + wing * 0.36, edge + 5 * fine), (middle - wing * 0.36, edge + 5 * fine),
                (middle - wing * 0.36, deepest), (middle - wing, deepest),
            ],
            fill=(*p.EARTH, 255),
        )  # fmt: skip

    return _turned(sprite(*size, paint), side)


@lru_cache(maxsize=8)
def arrow(size: int, side: Side) -> Image.Image:
    """An arrow that points to that side."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        for grow, colour in ((0.1, p.PIT), (0.0, p.FLAME)):
            points = [
                (0.5, 0.08 - grow), (0.94 + grow, 0.58 + grow), (0.68 + grow, 0.58 + grow),
                (0.68 + grow, 0.92 + grow), (0.32 - grow, 0.92 + grow),
                (0.32 - grow, 0.58 + grow), (0.06 - grow, 0.58 + grow),
            ]  # fmt: skip
            pen.polygon(
                [(x * s * 0.84 + s * 0.08, y * s * 0.84 + s * 0.08) for x, y in points], fill=colour
            )

    return _turned(sprite(size, size, paint), side)


def _turned(picture: Image.Image, side: Side) -> Image.Image:
    """A picture made for the north, for another side."""
    turn = {
        "n": None, "e": Image.Transpose.ROTATE_270, "s": Image.Transpose.ROTATE_180,
        "w": Image.Transpose.ROTATE_90,
    }[side]  # fmt: skip
    return picture if turn is None else picture.transpose(turn)


@lru_cache(maxsize=2)
def eyes(width: int) -> Image.Image:
    """Two eyes that look out of the dark."""
    high = round(width * 0.4)

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        w, h = width * fine, high * fine
        for side in (-1, 1):
            x, y = w * (0.5 + side * 0.27), h * 0.5
            almond = oval(x, y, w * 0.17, h * 0.26, side * 16)
            pen.polygon(list(almond), fill=(*mix(p.RUST, p.DARK, 0.35), 255))
            pen.polygon(list(oval(x, y, w * 0.035, h * 0.26)), fill=(*p.PIT, 255))

    return sprite(width, high, paint)


@lru_cache(maxsize=16)
def lost(size: int, light: bool) -> Image.Image:
    """The Lost: a hooded figure, with a match or with nothing but two open eyes."""
    ring: Rgb = p.FLAME if light else p.CHALK
    ground: Rgb = mix(p.FLAME_CORE, p.FLAME, 0.25) if light else p.SLATE_LIGHT
    cloak: Rgb = mix(p.EARTH, p.PIT, 0.3) if light else p.CHALK
    face: Rgb = p.WOOD if light else p.PIT

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), fill=p.PIT)
        e = 2.5 * fine
        pen.ellipse((e, e, s - e, s - e), fill=ring)
        e += 3.5 * fine
        pen.ellipse((e, e, s - e, s - e), fill=ground)
        body = [(0.5, 0.14), (0.66, 0.22), (0.7, 0.42), (0.84, 0.74), (0.7, 0.86), (0.5, 0.9)]
        left = [(0.3, 0.86), (0.16, 0.74), (0.3, 0.42), (0.34, 0.22)]
        pen.polygon([(x * s, y * s) for x, y in (*body, *left)], fill=cloak)
        pen.ellipse((0.37 * s, 0.23 * s, 0.63 * s, 0.53 * s), fill=face)
        for x in (0.445, 0.555):
            r = (0.028 if light else 0.042) * s
            eye = p.PIT if light else p.CHALK
            pen.ellipse((x * s - r, 0.37 * s - r, x * s + r, 0.37 * s + r), fill=eye)

    return sprite(size, size, paint)


def soft_disc(size: int, colour: Rgb, strength: float) -> Image.Image:
    """A round shadow or shine."""
    big = Image.new("L", (size, size))
    ImageDraw.Draw(big).ellipse((size * 0.2, size * 0.2, size * 0.8, size * 0.8), fill=255)
    big = big.filter(ImageFilter.GaussianBlur(size * 0.09))
    return tinted(big.point([round(v * strength) for v in range(256)]), colour)
