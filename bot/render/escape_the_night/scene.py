"""What moves: highlights, tiles, artifacts and pawns, laid on the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.plan import YARD, House, spread
from bot.render.escape_the_night.signs import Sign, hang, hung
from bot.render.escape_the_night.telling import initials
from bot.render.kit.marks import moon, pawn, seat_colour, skull
from bot.render.kit.paint import Box, glow, mix, shrunk, sprite
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Words
from engines.escape_the_night.view import CharacterView, SeatView

PAWN: Final = 46
APART: Final = 45
"""How near the middles of two pawns may come: the letters of both stay free."""
STONE: Final = 42
PER_ROW: Final = 6
LIGHT: Final = 0.12
DARK: Final = 0.58
"""How much candlelight lies on what can be reached, how much night on the rest."""


@lru_cache(maxsize=4)
def _footprint(size: int, shape: str) -> Image.Image:
    """The mark of a space in reach: a diamond, or a disc for something to stand on."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        for inset, tone in ((0, p.INK), (3 * fine, p.CANDLE)):
            if shape == "disc":
                pen.ellipse((inset, inset, s - 1 - inset, s - 1 - inset), fill=tone)
                inner = inset + 6 * fine
                pen.ellipse((inner, inner, s - 1 - inner, s - 1 - inner), fill=p.NIGHT)
            else:
                r = s / 2 - inset * 1.3
                x = s / 2
                pen.polygon([(x, x - r), (x + r, x), (x, x + r), (x - r, x)], fill=tone)

    return sprite(size, size, paint)


def _put_reach(
    sheet: Sheet, house: House, spaces: Sequence[str], here: Sequence[str], taken: set[str]
) -> None:
    """Candlelight over the spaces that can be reached, darkness over the others.

    A bright border runs around them and `here`, where the walk stands. Each has a mark; spaces
    that are `taken` by a piece or a pawn have a larger one, which shows around it.
    """
    left, top, right, bottom = house.area
    size = (right - left, bottom - top)
    mask, inside = Image.new("L", size), Image.new("L", size)
    for into, chosen in ((mask, (*spaces, *here)), (inside, house.rooms)):
        pen = ImageDraw.Draw(into)
        for space in chosen:
            x, y, x2, y2 = house.box(space)
            pen.rectangle((x - left, y - top, x2 - left - 1, y2 - top - 1), fill=255)
    dark = ImageChops.subtract(inside, mask)
    sheet.image.paste(p.NIGHT, (left, top), dark.point([round(v * DARK) for v in range(256)]))
    sheet.image.paste(p.CANDLE, (left, top), mask.point([round(v * LIGHT) for v in range(256)]))
    for outer, inner, tone in ((1, 9, p.INK), (2, 7, p.CANDLE)):
        border = ImageChops.subtract(shrunk(mask, outer), shrunk(mask, inner))
        sheet.image.paste(tone, (left, top), border)
    for space in spaces:
        disc = space in taken
        mark = _footprint(56, "disc") if disc else _footprint(24, "diamond")
        sheet.centre(mark, *house.middle(space))


@lru_cache(maxsize=2)
def _ring(size: int) -> Image.Image:
    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), outline=p.INK, width=7 * fine)
        pen.ellipse(
            (1.5 * fine, 1.5 * fine, s - 1.5 * fine, s - 1.5 * fine),
            outline=p.CANDLE,
            width=4 * fine,
        )
        for n, (dx, dy) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
            x, y = s / 2 + dx * s * 0.46, s / 2 + dy * s * 0.46
            r = (5.5 if n else 7) * fine
            pen.polygon(
                [(x, y - r), (x + r, y), (x, y + r), (x - r, y)], fill=p.IVORY, outline=p.INK
            )

    return sprite(size, size, paint)


def put_pawn(
    sheet: Sheet,
    view: SeatView,
    who: CharacterView,
    letters: str,
    x: int,
    y: int,
    *,
    size: int = PAWN,
) -> None:
    """A character's pawn with the marks of its state: moon for exhausted, skull for a monster."""
    asleep = who.exhausted and who.id != view.acting
    sheet.centre(pawn(who.owner, letters, size, asleep=asleep), x, y)
    sheet.note("pawn", who.id, x, y, size)
    corner = round(size * 0.42)
    if asleep:
        sheet.centre(moon(24), x + corner, y + corner)
    if who.monster is not None:
        sheet.centre(skull(28, pieces.BONE, p.MONSTER), x + corner, y - corner)


def put_ring(sheet: Sheet, x: int, y: int, size: int, halo: float) -> None:
    """The mark of who acts, to be put under the pawn: a ring, in light `halo` times as wide."""
    if halo:
        wide = round(size * halo)
        sheet.centre(glow(wide, wide, p.CANDLE, 0.75, 0.9), x, y)
    sheet.centre(_ring(size + 20), x, y)


def put_on_board(
    sheet: Sheet, house: House, names: Sequence[Sign], view: SeatView, words: Words
) -> None:
    """Everything that stands in the house, with the rooms' names beside it."""
    inside = [c for c in view.characters if c.alive and c.space is not None]
    homes = [c.space for c in inside if c.space]
    reach = [space for space in view.reachable if space in house.rooms]
    if reach:
        here = [c.space for c in inside if c.id == view.acting and c.space]
        pieces_at = {*(t.space for t in view.tiles), *(a.space for a in view.artifacts)}
        _put_reach(sheet, house, reach, here, {*homes, *pieces_at})
    for tile in view.tiles:
        sheet.centre(pieces.tile(tile.colour), *house.middle(tile.space))
        sheet.note("piece", f"tile {tile.space}", *house.middle(tile.space), pieces.TILE)
    for artifact in view.artifacts:
        x, y = house.middle(artifact.space)
        sheet.centre(glow(house.cell + 20, house.cell + 20, p.CANDLE, 0.5), x, y)
        sheet.centre(pieces.artifact(artifact.id), x, y)
        sheet.note("piece", artifact.id, x, y, pieces.ARTIFACT)
    marks = initials(view, words)
    under = {tile.space: tile.colour for tile in view.tiles}
    walls = [house.around(house.rooms[space], PAWN // 2 + 6) for space in homes]
    spots = spread([house.middle(space) for space in homes], APART, walls)
    for who, spot in zip(inside, spots, strict=True):
        if who.id == view.acting:
            put_ring(sheet, *spot, PAWN, 3.4)
    covered = [_covers(view, who, under, spot) for who, spot in zip(inside, spots, strict=True)]
    for sign in names:
        hang(sheet, sign, hung(sign, covered))
    # Further down is nearer to the eye; who acts is never covered.
    order = sorted(
        zip(inside, spots, strict=True), key=lambda at: (at[0].id == view.acting, at[1][1])
    )
    for who, (x, y) in order:
        put_pawn(sheet, view, who, marks[who.id], x, y)
        if who.space in under:
            corner = round(PAWN * 0.42)
            sheet.centre(pieces.tile(under[who.space], 30), x - corner, y + corner)


def _covers(
    view: SeatView, who: CharacterView, under: Mapping[str, object], spot: tuple[int, int]
) -> Box:
    """What a pawn hides together with the marks at its corners."""
    x, y = spot
    half, corner = PAWN // 2, round(PAWN * 0.42) + 13
    acting = who.id == view.acting
    ring = half + 8 if acting else half
    tile = who.space in under
    asleep = who.exhausted and not acting
    return (
        x - max(ring, corner if tile else 0),
        y - max(ring, corner if who.monster is not None else 0),
        x + max(ring, corner if asleep or who.monster is not None else 0),
        y + max(ring, corner if asleep or tile else 0),
    )


def put_in_yard(sheet: Sheet, house: House, view: SeatView, words: Words) -> None:
    """Who waits outside the front door, and who lies in the graveyard."""
    marks = initials(view, words)
    left, top, right, bottom = YARD
    middle = (top + bottom) // 2
    steps_x, _ = house.middle(house.steps)
    grave_left = steps_x - left > (right - left) // 3
    _put_graves(sheet, view, marks, words, grave_left=grave_left)
    waiting = [c for c in view.characters if c.alive and c.space is None]
    pitch = 50
    graves = PER_ROW * (STONE + 3) + 12
    low = left + (graves if grave_left else 0) + pitch // 2
    high = right - (0 if grave_left else graves) - pitch // 2
    pitch = min(pitch, (high - low) // max(1, len(waiting) - 1))
    start = min(
        max(steps_x - pitch * (len(waiting) - 1) // 2, low), high - pitch * (len(waiting) - 1)
    )
    for n, who in enumerate(waiting):
        if who.id == view.acting:
            put_ring(sheet, start + n * pitch, middle + 8, PAWN, 2.4)
        put_pawn(sheet, view, who, marks[who.id], start + n * pitch, middle + 8)


def _put_graves(
    sheet: Sheet, view: SeatView, marks: Mapping[str, str], words: Words, *, grave_left: bool
) -> None:
    left, top, right, bottom = YARD
    owners = {c.id: c.owner for c in view.characters}
    pitch = STONE + 3
    start = left + 4 if grave_left else right - PER_ROW * pitch - 4
    shown = [ident for ident in view.graveyard if ident in owners][: 2 * PER_ROW]
    if len(shown) <= PER_ROW:
        sheet.write(
            words.say("picture.graveyard"),
            (start + 4, top - 2, start + PER_ROW * pitch, top + 32),
            colour=p.MUTED,
            kind="title",
        )
    for n, ident in enumerate(shown):
        # The first six stand in front; later ones behind them, where the word was.
        x = start + n % PER_ROW * pitch + pitch // 2
        y = bottom - STONE // 2 - 2 if n < PER_ROW else top + STONE // 2 - 4
        sheet.centre(pieces.stone(STONE), x, y)
        box = (x - 16, y - 12, x + 16, y + 18)
        sheet.write(marks[ident], box, colour=p.INK, kind="title", align="middle")
        sheet.veil(
            (x - 15, y + 16, x + 15, y + 21), mix(seat_colour(owners[ident]), p.INK, 0.1), 1, 2
        )
        sheet.note("piece", f"grave {ident}", x, y, STONE)
