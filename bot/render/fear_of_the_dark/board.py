"""The maze put together: chalk everywhere, stone where the light falls, then signs and the Lost."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from bot.render.fear_of_the_dark import figures, stone
from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.chalk import Slate
from bot.render.fear_of_the_dark.glyphs import chalked, coloured
from bot.render.fear_of_the_dark.plan import Plan, planned
from bot.render.fear_of_the_dark.things import lit_rooms, shown, things, ways_out
from bot.render.fear_of_the_dark.touched import chalk_colours, chalk_room, faded
from bot.render.kit.paint import Rgb, glow, mix, rgb, sprite
from bot.render.kit.sheet import Sheet
from engines.fear_of_the_dark.view import Room, SeatView, door_of

DIGIT: Final = 26


def put_maze(sheet: Sheet, view: SeatView) -> Plan:
    """All of it, on a sheet that is dark so far."""
    plan = planned(view)
    maze = view.maze
    rooms = shown(plan, maze)
    at = plan.middle(maze, view.lost) if _sees_lost(plan, view) else _middle_of(plan)
    size = (plan.ground[2], plan.ground[3])
    ground = sheet.image.crop((0, 0, *size))

    exits = ways_out(view)
    slate = Slate.blank(size, "maze")
    for room in rooms:
        chalk_room(slate, plan, maze, room, view.locations, exits)
    if view.reveal is not None:
        _chalk_gap(slate, plan, view)
    lit = [letter for letter in lit_rooms(view) if maze.rooms[letter] in rooms]
    mask = faded(slate.finished(), plan, at, dark=not lit)
    ground.paste(chalk_colours(size, plan, rooms), (0, 0), mask)

    _put_eyes(ground, plan, view)
    if not lit and _sees_lost(plan, view):
        _put_haze(ground, plan, view.maze.rooms[view.lost[0]], at)
    if lit and view.lost[0] in lit:
        _put_light(ground, plan, view, lit, at)
    sheet.image.paste(ground, (0, 0))
    _put_exits(sheet, plan, view)
    if _sees_lost(plan, view):
        # In the first corner a little aside, for the letter of the room.
        aside = plan.f // 10 if view.lost[1] == "1" else 0
        put_lost(sheet, at[0] + aside, at[1] + aside, plan.f, light=bool(lit))
    for room in rooms:
        put_letter(sheet, plan, room, room.letter, lit=room.letter in lit)
        put_badge(sheet, plan, room, lit=room.letter in lit)
    if view.reveal is not None:
        _put_gap(sheet, plan, view)
    _put_numbers(sheet, plan, view)
    return plan


def _sees_lost(plan: Plan, view: SeatView) -> bool:
    room = view.maze.rooms[view.lost[0]]
    return plan.shows(room.x, room.y)


def _middle_of(plan: Plan) -> tuple[int, int]:
    left, top, right, bottom = plan.ground
    return (left + right) // 2, (top + bottom) // 2


def _put_light(
    ground: Image.Image, plan: Plan, view: SeatView, lit: list[str], at: tuple[int, int]
) -> None:
    """The lit rooms in stone, as far as the light goes."""
    maze = view.maze
    image = Image.new("RGB", ground.size, p.PIT)
    shade = Image.new("L", ground.size)
    standing: list[tuple[Image.Image, int, int]] = []
    for letter in reversed(lit):
        room = maze.rooms[letter]
        standing += stone.stone_room(image, shade, plan, maze, room, view.locations, at)
    stone.shaded(image, shade, plan.f)
    stone.warmed(image, at, plan.f)
    for picture, x, y in standing:
        image.paste(picture, (x - picture.width // 2, y - picture.height // 2), picture)
    ground.paste(image, (0, 0), stone.light_mask(ground.size, plan, maze, lit, at, view.lost[0]))


def _put_eyes(ground: Image.Image, plan: Plan, view: SeatView) -> None:
    """For each terror a pair of eyes, somewhere in the dark that is left."""
    left, top, right, bottom = plan.ground
    wall = plan.wall + 30
    taken = [plan.floor(room.x, room.y) for room in shown(plan, view.maze)]
    if view.reveal is not None:
        taken.append(plan.floor(view.reveal.x, view.reveal.y))
    spots = [
        (x, y)
        for x, y in (
            (right - 90, bottom - 90), (left + 90, top + 80), (left + 90, bottom - 90),
            (right - 90, top + 80), ((left + right) // 2, bottom - 60), ((left + right) // 2, 60),
        )
        if not any(a - wall < x < c + wall and b - wall < y < d + wall for a, b, c, d in taken)
    ]  # fmt: skip
    for x, y in spots[: view.terrors]:
        eyes = figures.eyes(84)
        ground.paste(eyes, (x - eyes.width // 2, y - eyes.height // 2), eyes)


def _put_haze(ground: Image.Image, plan: Plan, here: Room, at: tuple[int, int]) -> None:
    """What eyes make out in the dark: a little of the floor around the Lost."""
    wide = round(plan.f * 5)
    left, top, right, bottom = plan.floor(here.x, here.y)
    haze = glow(wide, wide, p.CHALK_DIM, 0.18)
    corner = (at[0] - wide // 2, at[1] - wide // 2)
    own = haze.crop((left - corner[0], top - corner[1], right - corner[0], bottom - corner[1]))
    ground.paste(own, (left, top), own)


def _put_exits(sheet: Sheet, plan: Plan, view: SeatView) -> None:
    """Day behind the doors that lead out."""
    for key in ways_out(view):
        letter, side = door_of(key)
        room = view.maze.rooms[letter]
        if not plan.shows(room.x, room.y):
            continue
        gap = plan.doorway(room.x, room.y, side)
        wide = round(plan.f * 0.62)
        deep, out = round(plan.f * 0.95), plan.wall + 6
        picture = figures.dawn(side, wide, deep, out)
        left, top, right, bottom = gap
        x, y = (left + right) // 2, (top + bottom) // 2
        spread = (picture.width if side in ("n", "s") else picture.height) // 2
        match side:
            case "n":
                corner = (x - spread, bottom - out)
            case "s":
                corner = (x - spread, top - deep)
            case "w":
                corner = (right - out, y - spread)
            case "e":
                corner = (left - deep, y - spread)
        sheet.paste(picture, *corner)
        sheet.note("piece", f"exit {key}", x, y, plan.wall)


def put_letter(sheet: Sheet, plan: Plan, room: Room, letter: str, *, lit: bool) -> None:
    """The plate with the letter of a room, in its first corner."""
    left, top, *_ = plan.floor(room.x, room.y)
    size = max(38, round(plan.f * 0.46))
    x, y = left + size // 6, top + size // 6
    sheet.centre(plate(size, p.FLAME if lit else p.CHALK_DIM), x, y)
    half = size // 2 - 2
    box = (x - half, y - half, x + half, y + half)
    colour = p.FLAME_CORE if lit else p.CHALK
    cap = max(DIGIT, round(size * 0.62))
    sheet.write(letter, box, colour=colour, kind="title", cap=cap, align="middle")


def put_badge(sheet: Sheet, plan: Plan, room: Room, *, lit: bool) -> None:
    """The signs of a danger, of a leak and of a dark echo, in the last corner of a room."""
    _, _, right, bottom = plan.floor(room.x, room.y)
    size = max(36, round(plan.f * 0.42))
    ring = p.FLAME if lit else p.CHALK_DIM
    signs = [
        *(["echo"] if room.echo else []),
        *(["drop"] if room.leakage else ["skull"] if room.danger else []),
    ]
    for n, name in enumerate(reversed(signs)):
        x, y = right - size // 8 - n * (size + 2), bottom - size // 8
        sheet.centre(plate(size, ring), x, y)
        colour = p.WATER if name == "drop" else p.FLAME_CORE if lit else p.CHALK
        mask = chalked(name, round(size * 0.62))
        sheet.image.paste(colour, (x - mask.width // 2, y - mask.height // 2), mask)
        sheet.note("piece", f"{name} {room.letter}", x, y, size)


@lru_cache(maxsize=32)
def plate(size: int, ring: Rgb) -> Image.Image:
    """A round plate for a letter."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        s = size * fine
        pen.ellipse((0, 0, s - 1, s - 1), fill=p.PIT)
        e = 1.5 * fine
        pen.ellipse((e, e, s - e, s - e), fill=ring)
        e += 2.5 * fine
        pen.ellipse((e, e, s - e, s - e), fill=rgb("17120c"))

    return sprite(size, size, paint)


def _put_numbers(sheet: Sheet, plan: Plan, view: SeatView) -> None:
    """The numbers of the fields that can be gone to, or else of those beside the Lost."""
    maze = view.maze
    for place in view.reach or view.near:
        room = maze.rooms[place[0]]
        if not plan.shows(room.x, room.y) or place == view.lost:
            continue
        number = int(place[1])
        aside = number in things(room, maze, view.locations)
        _put_number(sheet, plan, room, number, aside=aside, strong=place in view.reach)


def _put_number(
    sheet: Sheet, plan: Plan, room: Room, number: int, *, aside: bool, strong: bool
) -> None:
    left, top, right, bottom = plan.field(room, number)
    f = plan.f
    cap = max(DIGIT, round(f * 0.34))
    wide, high = round(cap * 1.0), cap + 8
    if aside:
        wide, high = round(cap * 0.84), cap + 6
        x0, y0 = left + 3, bottom - high - 3
    else:
        nudge = 6 if number == 1 else 0
        x0, y0 = (left + right - wide) // 2 + nudge, (top + bottom - high) // 2 + nudge
    box = (x0, y0, x0 + wide, y0 + high)
    if strong:
        sheet.veil((box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2), p.FLAME, 0.95, 9)
        sheet.veil(box, rgb("1b1208"), 1, 7)
    else:
        sheet.veil(box, rgb("14110d"), 0.86, 8)
    colour = p.FLAME if strong else p.BONE
    sheet.write(str(number), box, colour=colour, cap=cap, align="middle")


def put_lost(sheet: Sheet, x: int, y: int, f: int, *, light: bool) -> None:
    """The standee."""
    size = max(44, round(f * 0.8))
    shine = figures.soft_disc(round(size * 1.7), p.PIT, 0.8)
    sheet.centre(shine, x + 3, y + 4)
    sheet.centre(figures.lost(size, light), x, y)
    if light:
        flame = coloured("light", round(size * 0.52))
        sheet.centre(flame, x + round(size * 0.36), y - round(size * 0.3))
    sheet.note("pawn", "lost", x, y, size)


def _chalk_gap(slate: Slate, plan: Plan, view: SeatView) -> None:
    """Where the tile that was turned up will lie."""
    assert view.reveal is not None
    left, top, right, bottom = plan.floor(view.reveal.x, view.reveal.y)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    for one, other in pairwise(corners):
        slate.dashes(one, other, 4, dash=12)


def _put_gap(sheet: Sheet, plan: Plan, view: SeatView) -> None:
    assert view.reveal is not None
    left, top, right, bottom = plan.floor(view.reveal.x, view.reveal.y)
    sheet.veil((left + 6, top + 6, right - 6, bottom - 6), p.FLAME, 0.12, 12)
    x, y = (left + right) // 2, (top + bottom) // 2
    sheet.centre(plate(96, p.FLAME), x, y)
    box = (x - 40, y - 40, x + 40, y + 40)
    sheet.write(
        view.reveal.letter, box, colour=mix(p.FLAME, p.FLAME_CORE, 0.5), kind="title", cap=52,
        align="middle",
    )  # fmt: skip
