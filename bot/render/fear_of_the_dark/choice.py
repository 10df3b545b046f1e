"""A tile is turned up: the ways in which it can lie, to choose from."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PIL import Image

from bot.render.fear_of_the_dark import figures, stone
from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.board import DIGIT, plate, put_badge
from bot.render.fear_of_the_dark.chalk import Slate
from bot.render.fear_of_the_dark.plan import GROUND, STRIP, Plan, outwards
from bot.render.fear_of_the_dark.things import placed
from bot.render.fear_of_the_dark.touched import chalk_room
from bot.render.kit.paint import rgb
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Words
from engines.fear_of_the_dark.view import FACING, Room, SeatView, Side, door_of

FIELD: Final = 54
NUMBER: Final = 46


def put_choice(sheet: Sheet, view: SeatView, words: Words) -> None:
    """The strip under the maze with every lie and its number."""
    found = view.reveal
    if found is None:
        return
    left, _, right, bottom = GROUND
    top = bottom - STRIP
    sheet.veil((left + 8, top, right - 8, bottom - 8), p.FLAME, 0.8, 14)
    sheet.veil((left + 11, top + 3, right - 11, bottom - 11), rgb("120f0b"), 1, 11)
    line = words.say("picture.lies", {"room": found.letter, "count": len(found.lies)})
    box = (left + 30, top + 10, right - 30, top + 52)
    sheet.write(line, box, colour=p.FLAME, kind="title", cap=32, align="middle")
    count = len(found.lies)
    pitch = min(290, (right - left - 40) // max(1, count))
    size = 3 * FIELD
    start = (left + right - pitch * (count - 1)) // 2
    for n, lie in enumerate(found.lies):
        x = start + n * pitch - size // 2
        y = top + 82
        plan = Plan(FIELD, found.x, found.y, 1, 1, x, y, GROUND, whole=True)
        room = placed(found, lie)
        _put_lie(sheet, view, plan, room)
        put_badge(sheet, plan, room, lit=view.light)
        _put_step(sheet, plan, room, FACING[door_of(found.door)[1]])
        sheet.centre(plate(NUMBER, p.FLAME), x - 2, y - 2)
        half = NUMBER // 2 - 2
        box = (x - 2 - half, y - 2 - half, x - 2 + half, y - 2 + half)
        colour = p.FLAME_CORE
        sheet.write(
            str(n + 1), box, colour=colour, kind="title", cap=max(DIGIT, 28), align="middle"
        )


def _put_lie(sheet: Sheet, view: SeatView, plan: Plan, room: Room) -> None:
    """The tile as it would lie: in stone in the light, in chalk in the dark."""
    maze = view.maze.with_room(room)
    wall = plan.wall
    left, top, right, bottom = plan.floor(room.x, room.y)
    reach = wall + 8
    window = (left - reach, top - reach, right + reach, bottom + reach)
    size = (window[2] - window[0], window[3] - window[1])
    own = replace(plan, x=reach, y=reach)
    if view.light and not view.leaking:
        image = sheet.image.crop(window)
        shade = Image.new("L", size)
        at = (size[0] // 2, size[1] // 2)
        standing = stone.stone_room(image, shade, own, maze, room, view.locations, at, fresh=True)
        for picture, x, y in standing:
            image.paste(picture, (x - picture.width // 2, y - picture.height // 2), picture)
        sheet.image.paste(image, window[:2])
        return
    slate = Slate.blank(size, f"lie {room.fields}")
    chalk_room(slate, own, maze, room, view.locations, (), fresh=True)
    sheet.image.paste(p.CHALK, window[:2], slate.finished())


def _put_step(sheet: Sheet, plan: Plan, room: Room, side: Side) -> None:
    """An arrow into the tile through the door that it was turned up at."""
    left, top, right, bottom = plan.doorway(room.x, room.y, side)
    dx, dy = outwards(side)
    x, y = (left + right) // 2 + dx * 8, (top + bottom) // 2 + dy * 8
    sheet.centre(figures.arrow(30, FACING[side]), x, y)
