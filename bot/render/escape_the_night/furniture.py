"""Furniture seen from above: quiet shapes along the walls, drawn at twice the picture's size.

Places are in spaces from the room's upper left corner. It stands nowhere in the rules; pawns and
tiles are drawn over it.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFilter

from bot.render.kit.paint import Rgb, mix, rgb

WOOD: Final = rgb("56392a")
DARK_WOOD: Final = rgb("38251d")
IRON: Final = rgb("2a3040")
LINEN: Final = rgb("8d8878")
LEAF: Final = rgb("3a6b4a")
CUSHION: Final = rgb("6e3038")
GLASS: Final = rgb("6f8aa6")
GILT: Final = rgb("a07d3e")
EMBER: Final = rgb("ff9a3c")
SHADOW: Final = rgb("06080f")
SPINES: Final = tuple(map(rgb, ("6b3434", "34506b", "6b5a34", "3c5a44", "57406a", "74664e")))

Px = tuple[float, float, float, float]


class Piece(NamedTuple):
    """Something that stands in a room: what, and its box in spaces."""

    what: str
    x: float
    y: float
    wide: float
    high: float


def _grown(box: Px, by: float) -> Px:
    return (box[0] - by, box[1] - by, box[2] + by, box[3] + by)


def _block(pen: ImageDraw.ImageDraw, box: Px, colour: Rgb, radius: float = 4) -> None:
    """A solid thing with an edge, lighter at the upper left."""
    pen.rounded_rectangle(box, radius, fill=mix(colour, SHADOW, 0.65))
    inner = _grown(box, -2)
    pen.rounded_rectangle(inner, radius, fill=mix(colour, (255, 240, 210), 0.14))
    pen.rounded_rectangle((inner[0] + 2, inner[1] + 2, inner[2], inner[3]), radius, fill=colour)


def _table(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, WOOD, 6)
    pen.rounded_rectangle(_grown(box, -cell * 0.09), 4, outline=mix(WOOD, SHADOW, 0.35), width=2)


def _chair(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, DARK_WOOD, 5)
    pen.rounded_rectangle(_grown(box, -cell * 0.06), 4, fill=mix(CUSHION, SHADOW, 0.3))


def _dining(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A long table that is laid, with chairs on both sides."""
    left, top, right, bottom = box
    places = max(2, round((right - left) / cell / 0.55))
    pitch = (right - left) / places
    for n in range(places):
        x, r = left + pitch * (n + 0.5), cell * 0.12
        for y in (top - cell * 0.1, bottom + cell * 0.1):
            _chair(pen, (x - r, y - r, x + r, y + r), cell)
    _table(pen, box, cell)
    for n in range(places):
        x, r = left + pitch * (n + 0.5), cell * 0.09
        for y in (top + cell * 0.17, bottom - cell * 0.17):
            pen.ellipse((x - r, y - r, x + r, y + r), fill=mix(LINEN, WOOD, 0.25))
            pen.ellipse((x - r * 0.6, y - r * 0.6, x + r * 0.6, y + r * 0.6), fill=LINEN)


def _shelf(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """Books side by side, along the longer side."""
    _block(pen, box, DARK_WOOD, 2)
    left, top, right, bottom = _grown(box, -cell * 0.05)
    rng = random.Random(round(left * 7 + top))
    along, end = (left, right) if right - left > bottom - top else (top, bottom)
    while along < end - 4:
        thick = min(rng.uniform(0.05, 0.1) * cell, end - along)
        tone = mix(rng.choice(SPINES), SHADOW, 0.25)
        short = rng.uniform(0, 0.06) * cell
        if right - left > bottom - top:
            pen.rectangle((along, top + short, along + thick - 2, bottom), fill=tone)
        else:
            pen.rectangle((left + short, along, right, along + thick - 2), fill=tone)
        along += thick


def _piano(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A grand piano, its keys to the left."""
    left, top, right, bottom = box
    wide, high = right - left, bottom - top
    rim = [(left, top), (left + wide * 0.45, top)]
    rim += [
        (left + wide * (0.45 + 0.55 * t), top + high * 0.5 * (1 - math.cos(t * math.pi)) / 2)
        for t in (n / 12 for n in range(13))
    ]
    rim += [
        (right - wide * 0.16 * (1 - math.cos(a)), bottom - high * 0.3 * (1 - math.sin(a)))
        for a in (n * math.pi / 16 for n in range(9))
    ]
    rim += [(left, bottom)]
    pen.polygon(rim, fill=rgb("14161f"), outline=rgb("050609"), width=3)
    pen.line(rim[1:15], fill=rgb("565d74"), width=3)
    keys = (left, top + 3, left + wide * 0.16, bottom - 3)
    pen.rectangle(keys, fill=LINEN)
    for n in range(1, 12):
        y = keys[1] + (keys[3] - keys[1]) * n / 12
        pen.line((keys[0], y, keys[2] * 0.4 + keys[0] * 0.6, y), fill=rgb("14161f"), width=3)
    r = cell * 0.13
    x, y = left - cell * 0.2, (top + bottom) / 2
    _block(pen, (x - r, y - r * 1.3, x + r, y + r * 1.3), DARK_WOOD, 5)


def _stove(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, IRON, 4)
    left, top, right, bottom = box
    y, r = (top + bottom) / 2, (bottom - top) * 0.28
    for n in range(2):
        x = left + (right - left) * (0.28 + 0.44 * n)
        for share, tone in ((1.0, rgb("11141c")), (0.62, mix(EMBER, IRON, 0.35)), (0.34, IRON)):
            pen.ellipse((x - r * share, y - r * share, x + r * share, y + r * share), fill=tone)


def _sink(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, LINEN, 3)
    left, top, right, bottom = _grown(box, -cell * 0.07)
    pen.rounded_rectangle((left, top, right, (top + bottom) / 2), 8, fill=rgb("3d4658"))
    pen.rounded_rectangle((left, (top + bottom) / 2 + 5, right, bottom), 8, fill=rgb("4f5a70"))


def _sofa(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, CUSHION, 9)
    left, top, right, bottom = box
    seat = (left + cell * 0.1, top + cell * 0.05, right - cell * 0.1, bottom - cell * 0.13)
    pen.rounded_rectangle(seat, 6, fill=mix(CUSHION, (255, 220, 200), 0.12))
    middle = (left + right) / 2
    pen.line((middle, seat[1], middle, seat[3]), fill=mix(CUSHION, SHADOW, 0.4), width=3)


def _bench(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A pew: a seat with a rail behind it."""
    _block(pen, box, WOOD, 3)
    pen.rectangle((box[0], box[3] - cell * 0.08, box[2], box[3]), fill=DARK_WOOD)


def _cabinet(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A glass case."""
    _block(pen, box, DARK_WOOD, 3)
    left, top, right, bottom = _grown(box, -cell * 0.06)
    pen.rectangle((left, top, right, bottom), fill=mix(GLASS, SHADOW, 0.55))
    shine = min(right - left, bottom - top)
    pen.line((left, top + shine, left + shine, top), fill=mix(GLASS, SHADOW, 0.15), width=3)


def _frames(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """Portraits along a wall."""
    left, top, right, bottom = box
    across = right - left > bottom - top
    long = (right - left) if across else (bottom - top)
    count = max(1, round(long / cell / 0.42))
    step = long / count
    for n in range(count):
        start = n * step + step * 0.12
        end = (n + 1) * step - step * 0.12
        one = (
            (left + start, top, left + end, bottom)
            if across
            else (left, top + start, right, top + end)
        )
        _block(pen, one, GILT, 1)
        pen.rectangle(_grown(one, -cell * 0.05), fill=SPINES[n % len(SPINES)])


def _fire(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, rgb("4a4d59"), 3)
    pen.rounded_rectangle(_grown(box, -cell * 0.08), 6, fill=rgb("1a0c08"))
    pen.rounded_rectangle(_grown(box, -cell * 0.12), 6, fill=mix(EMBER, rgb("6a1d0c"), 0.45))


def _plant(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A palm in a pot."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    r = min(box[2] - box[0], box[3] - box[1]) / 2
    pen.ellipse((x - r * 0.5, y - r * 0.5, x + r * 0.5, y + r * 0.5), fill=rgb("5a3a28"))
    for n in range(9):
        a = n * math.tau / 9 + 0.3
        tip = (x + r * math.cos(a), y + r * math.sin(a))
        side = (r * 0.17 * math.sin(a), -r * 0.17 * math.cos(a))
        mid = ((x + tip[0]) / 2, (y + tip[1]) / 2)
        tone = mix(LEAF, SHADOW, 0.12 if n % 2 else 0.4)
        pen.polygon(
            [
                (x, y),
                (mid[0] + side[0], mid[1] + side[1]),
                tip,
                (mid[0] - side[0], mid[1] - side[1]),
            ],
            fill=tone,
        )


def _fountain(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    for inset, tone in (
        (0.0, rgb("39424f")), (0.03, rgb("78839a")), (0.1, rgb("2c5268")), (0.2, rgb("3f6f86")),
        (0.26, rgb("2c5268")), (0.31, rgb("78839a")),
    ):  # fmt: skip
        by = -cell * inset
        if box[2] - box[0] > -2 * by:
            pen.ellipse(_grown(box, by), fill=tone)


def _telescope(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    left, top, right, bottom = box
    x, y, r = (left + right) / 2, (top + bottom) / 2, (right - left) / 2
    pen.ellipse((x - r * 0.8, y - r * 0.8, x + r * 0.8, y + r * 0.8), outline=GILT, width=4)
    for a in (0.6, 2.7, 4.8):
        end = (x + r * 0.8 * math.cos(a), y + r * 0.8 * math.sin(a))
        pen.line((x, y, *end), fill=DARK_WOOD, width=8)
    tube = [(left, bottom - r * 0.32), (left + r * 0.32, bottom), (right, top + r * 0.5)]
    tube.append((right - r * 0.5, top))
    pen.polygon(tube, fill=mix(GILT, SHADOW, 0.25), outline=mix(GILT, SHADOW, 0.7), width=3)
    pen.line((*tube[3], *tube[2]), fill=mix(GILT, (255, 255, 255), 0.3), width=6)


def _globe(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    pen.ellipse(box, fill=DARK_WOOD)
    pen.ellipse(_grown(box, -4), fill=rgb("34566e"))
    inner = _grown(box, -cell * 0.08)
    pen.pieslice(inner, 200, 290, fill=rgb("5f6b45"))
    pen.pieslice(inner, 20, 80, fill=rgb("5f6b45"))


def _rug(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A long carpet."""
    red = rgb("5c222c")
    pen.rectangle(box, fill=mix(GILT, red, 0.45))
    pen.rectangle(_grown(box, -4), fill=red)
    pen.rectangle(_grown(box, -10), outline=mix(GILT, red, 0.55), width=3)


def _pelt(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    """A bear's skin on the floor."""
    left, top, right, bottom = box
    x, y, w, h = (left + right) / 2, (top + bottom) / 2, right - left, bottom - top
    fur = rgb("6d5a45")
    for sx in (-1, 1):
        for sy in (-1, 1):
            cx, cy = x + sx * w * 0.36, y + sy * h * 0.34
            pen.ellipse((cx - w * 0.15, cy - h * 0.16, cx + w * 0.15, cy + h * 0.16), fill=fur)
    pen.ellipse((x - w * 0.4, y - h * 0.34, x + w * 0.4, y + h * 0.34), fill=fur)
    pen.ellipse((x - w * 0.3, y - h * 0.24, x + w * 0.3, y + h * 0.24), fill=mix(fur, SHADOW, 0.2))
    pen.ellipse((right - w * 0.16, y - h * 0.15, right + w * 0.08, y + h * 0.15), fill=fur)


def _candles(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    x, y, r = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, cell * 0.07
    for dx, dy in ((-1.6, 0.6), (1.6, 0.4), (0, -1.3)):
        px, py = x + dx * r, y + dy * r
        pen.ellipse((px - r, py - r, px + r, py + r), fill=LINEN)
        pen.ellipse((px - r * 0.4, py - r * 0.4, px + r * 0.4, py + r * 0.4), fill=EMBER)


def _clock(pen: ImageDraw.ImageDraw, box: Px, cell: int) -> None:
    _block(pen, box, DARK_WOOD, 3)
    x, y, r = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, cell * 0.1
    pen.ellipse((x - r, y - r, x + r, y + r), fill=GILT)


PAINTERS: Final[dict[str, Callable[[ImageDraw.ImageDraw, Px, int], None]]] = {
    "table": _table, "chair": _chair, "dining": _dining, "shelf": _shelf, "piano": _piano,
    "stove": _stove, "sink": _sink, "sofa": _sofa, "bench": _bench, "cabinet": _cabinet,
    "frames": _frames, "fire": _fire, "plant": _plant, "fountain": _fountain,
    "telescope": _telescope, "globe": _globe, "rug": _rug, "pelt": _pelt, "candles": _candles,
    "clock": _clock,
}  # fmt: skip

FLAT: Final = ("rug", "pelt")
"""What throws no shadow."""
GLOWING: Final = {"fire": 1.3, "candles": 0.9, "stove": 0.6}
"""How far light reaches, in spaces."""

FURNITURE: Final[dict[str, tuple[Piece, ...]]] = {
    "observatory": (
        Piece("table", 0.95, 0.12, 0.8, 0.4), Piece("telescope", 2.95, 0.95, 0.9, 0.9),
        Piece("globe", 3.4, 0.12, 0.45, 0.45), Piece("shelf", 0.1, 1.05, 0.24, 0.9),
    ),
    "chapel": (
        *(Piece("bench", x, y, 0.98, 0.26) for y in (1.2, 1.68, 2.2, 2.66) for x in (0.2, 1.82)),
    ),
    "portrait_gallery": (
        Piece("frames", 0.95, 0.1, 2.1, 0.2), Piece("frames", 0.1, 1.05, 0.2, 1.8),
        Piece("bench", 0.75, 1.3, 0.9, 0.36),
    ),
    "winter_garden": (
        Piece("fountain", 1.05, 0.9, 0.95, 0.95), Piece("plant", 0.1, 1.2, 0.6, 0.6),
        Piece("plant", 1.95, 0.1, 0.6, 0.6), Piece("plant", 3.3, 1.15, 0.6, 0.6),
        Piece("plant", 0.1, 2.3, 0.6, 0.6), Piece("bench", 2.1, 2.45, 0.8, 0.3),
    ),
    "library": (
        Piece("shelf", 0.08, 0.95, 0.26, 2.05), Piece("shelf", 2.66, 0.95, 0.26, 1.95),
        Piece("shelf", 0.95, 3.66, 1.9, 0.26), Piece("table", 1.15, 2.6, 0.75, 0.45),
    ),
    "dining_room": (
        Piece("dining", 0.7, 1.46, 2.6, 0.8), Piece("cabinet", 0.1, 2.6, 1.6, 0.28),
        Piece("fire", 0.9, 0.08, 1.2, 0.26),
    ),
    "music_room": (
        Piece("piano", 1.1, 0.12, 1.15, 0.9), Piece("sofa", 0.12, 2.42, 0.8, 0.46),
        Piece("plant", 0.08, 1.75, 0.5, 0.5),
    ),
    "trophy_room": (
        Piece("pelt", 0.75, 2.35, 1.3, 1.0), Piece("cabinet", 0.1, 3.64, 1.9, 0.28),
        Piece("cabinet", 2.64, 0.95, 0.28, 1.9), Piece("frames", 0.08, 0.95, 0.18, 0.95),
    ),
    "study": (
        Piece("table", 1.85, 1.15, 1.35, 0.58), Piece("chair", 2.35, 1.82, 0.36, 0.36),
        Piece("fire", 0.08, 1.3, 0.3, 1.2), Piece("shelf", 1.0, 3.66, 2.8, 0.26),
        Piece("globe", 2.95, 2.85, 0.45, 0.45),
    ),
    "kitchen": (
        Piece("stove", 3.02, 0.08, 0.9, 0.5), Piece("sink", 3.55, 0.75, 0.38, 1.05),
        Piece("table", 1.6, 2.75, 1.5, 0.7), Piece("shelf", 1.05, 3.7, 2.8, 0.22),
        Piece("shelf", 0.08, 1.1, 0.22, 0.8),
    ),
    "foyer": (
        Piece("plant", 0.08, 0.95, 0.62, 0.62), Piece("plant", 6.3, 0.95, 0.62, 0.62),
        Piece("plant", 0.7, 3.3, 0.62, 0.62), Piece("plant", 5.68, 3.3, 0.62, 0.62),
        Piece("clock", 0.08, 2.2, 0.3, 0.5), Piece("cabinet", 6.64, 1.95, 0.28, 0.9),
    ),
    "hall": (
        Piece("rug", 0.25, 0.24, 14.5, 0.52), Piece("rug", 3.24, 1.0, 0.52, 3.75),
        Piece("rug", 11.24, 1.0, 0.52, 3.75),
    ),
}  # fmt: skip
"""For the rooms of the house as it ships."""

OF_A_SECRET: Final = (
    Piece("candles", 0.2, 0.2, 0.6, 0.6), Piece("candles", 3.2, 0.2, 0.6, 0.6),
    Piece("candles", 0.2, 2.2, 0.6, 0.6), Piece("candles", 3.2, 2.2, 0.6, 0.6),
)  # fmt: skip


def furnish(floor: Image.Image, room: str, kind: str, cell: int) -> None:
    """Put a room's furniture on its floor; spaces are `cell` pixels wide."""
    wide, high = floor.width / cell, floor.height / cell
    if room in FURNITURE:
        things = FURNITURE[room]
    elif kind == "dining":
        things = OF_A_SECRET
    elif kind == "artifact":
        things = (
            Piece("cabinet", wide - 0.36, high / 2 - 0.6, 0.28, 1.2),
            Piece("sofa", wide / 2 - 0.6, high - 0.56, 1.2, 0.46),
        )
    else:
        return
    boxes = [(_box(thing, cell), thing.what) for thing in things]
    shade = Image.new("L", floor.size)
    light = Image.new("L", floor.size)
    dark, bright = ImageDraw.Draw(shade), ImageDraw.Draw(light)
    for box, what in boxes:
        if what not in FLAT:
            dark.rounded_rectangle((box[0] + 7, box[1] + 10, box[2] + 7, box[3] + 10), 8, fill=170)
        if what in GLOWING:
            bright.ellipse(_grown(box, cell * GLOWING[what] * 0.6), fill=110)
    floor.paste(SHADOW, (0, 0), shade.filter(ImageFilter.GaussianBlur(7)))
    pen = ImageDraw.Draw(floor)
    for box, what in boxes:
        PAINTERS[what](pen, box, cell)
    if light.getbbox():
        floor.paste(EMBER, (0, 0), light.filter(ImageFilter.GaussianBlur(cell * 0.35)))


def _box(thing: Piece, cell: int) -> Px:
    x, y = thing.x * cell, thing.y * cell
    return (x, y, x + thing.wide * cell, y + thing.high * cell)
