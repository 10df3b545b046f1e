"""The panel at the side: light or dark, matches, the mind cards, pockets, what is to come."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render.fear_of_the_dark import palette as p
from bot.render.fear_of_the_dark.glyphs import chalked, coloured
from bot.render.fear_of_the_dark.plan import GROUND, SIZE
from bot.render.kit.marks import seat_mark
from bot.render.kit.paint import Box, Rgb, mix, rgb, sprite
from bot.render.kit.sheet import Sheet
from bot.render.kit.words import Words, seat_name
from engines.fear_of_the_dark.view import ItemView, MindView, SeatView

LEFT: Final = GROUND[2] + 14
RIGHT: Final = SIZE[0] - 8
MIDDLE: Final = (LEFT + RIGHT) // 2
CARD: Final = (90, 92)
SIGN: Final = 46
GAP: Final = 2
MATCH: Final = (26, 76)
ORDER: Final = ("move", "tiptoe", "scout", "explore", "clear", "light")
KINDS: Final = ("match", "scrap", "key", "lever")


def put_panel(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> None:
    """All of it, from top to bottom."""
    sheet.paste(_slab(SIZE[0] - GROUND[2], SIZE[1]), GROUND[2], 0)
    y = _put_state(sheet, view, words, seats)
    y = _put_matches(sheet, view, words, y)
    y = _put_mind(sheet, view, words, y)
    _put_known(sheet, view, _put_pockets(sheet, view, words, y))
    _put_rest(sheet, view, words)


@lru_cache(maxsize=1)
def _slab(width: int, high: int) -> Image.Image:
    """The ground of the panel: a slate with a line of chalk at its edge."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        pen.rectangle((0, 0, width * fine, high * fine), fill=(*p.SLATE, 255))
        pen.rectangle((0, 0, 5 * fine, high * fine), fill=(*p.PIT, 255))
        dice = random.Random("edge")
        points = [(8 * fine + dice.uniform(-3, 3), y * fine) for y in range(0, high + 20, 20)]
        pen.line(points, fill=(*mix(p.SLATE, p.CHALK_DIM, 0.5), 255), width=3 * fine)

    return sprite(width, high, paint)


def _rule(sheet: Sheet, y: int) -> None:
    sheet.veil((LEFT, y, RIGHT, y + 3), p.SLATE_LIGHT, 1)


def _put_state(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str]) -> int:
    """Light or dark, the move under way or the difficulty, and who leads."""
    state = "leaking" if view.leaking else "light" if view.light else "dark"
    colour = {"light": p.FLAME, "dark": p.CHALK, "leaking": p.WATER}[state]
    icon = {"light": "light", "dark": "terror", "leaking": "drop"}[state]
    size = 52
    if state == "light":
        sheet.paste(coloured(icon, size), LEFT - 4, 16)
    else:
        sheet.image.paste(colour, (LEFT - 4, 16), chalked(icon, size))
    box = (LEFT + size + 2, 14, RIGHT, 70)
    sheet.write(words.say(f"picture.state.{state}"), box, colour=colour, kind="title", cap=36)
    y = 76
    if view.action is not None and view.steps:
        action = words.say(f"picture.mind.{view.action}")
        line = words.say("picture.steps", {"action": action, "steps": view.steps})
        said = p.FLAME_CORE
    else:
        line = words.say("picture.difficulty", {"difficulty": view.difficulty})
        said = p.CHALK_DIM
    sheet.write(line, (LEFT, y, RIGHT, y + 36), colour=said, kind="title", cap=28)
    y += 38
    if view.lead is not None:
        sheet.centre(seat_mark(view.lead, 40), LEFT + 20, y + 24)
        name = seat_name(words, seats, view.lead)
        sheet.write(name, (LEFT + 46, y, RIGHT, y + 48), colour=p.BONE)
        y += 48
    _rule(sheet, y + 6)
    return y + 14


@lru_cache(maxsize=8)
def match(width: int, high: int, burnt: bool) -> Image.Image:
    """A match; a burnt one is black and bent."""

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        w, h = width * fine, high * fine
        x = w / 2
        if burnt:
            path = [(x - 0.1 * w, h * 0.97), (x - 0.06 * w, h * 0.62), (x + 0.02 * w, h * 0.4)]
            head = [(x + 0.16 * w, h * 0.26), (x + 0.3 * w, h * 0.2)]
            pen.line([*path[:2]], fill=mix(p.WOOD, p.CHAR, 0.75), width=round(0.2 * w))
            pen.line([*path[1:], *head], fill=p.CHAR, width=round(0.2 * w), joint="curve")
            pen.ellipse((x + 0.1 * w, h * 0.13, x + 0.46 * w, h * 0.26), fill=p.CHAR)
            for dx, y in ((-0.1, 0.5), (0.12, 0.34)):
                pen.line(
                    (x + (dx - 0.1) * w, y * h, x + (dx + 0.12) * w, (y - 0.03) * h),
                    fill=p.SLATE, width=round(0.07 * w),
                )  # fmt: skip
        else:
            box = (x - 0.13 * w, h * 0.16, x + 0.13 * w, h * 0.97)
            pen.rectangle(box, fill=mix(p.WOOD, p.EARTH, 0.4))
            pen.rectangle((x - 0.13 * w, h * 0.16, x + 0.04 * w, h * 0.97), fill=p.WOOD)
            pen.ellipse((x - 0.26 * w, h * 0.03, x + 0.26 * w, h * 0.3), fill=p.PIT)
            pen.ellipse((x - 0.2 * w, h * 0.05, x + 0.2 * w, h * 0.28), fill=p.PHOSPHOR)
            pen.ellipse((x - 0.12 * w, h * 0.08, x + 0.04 * w, h * 0.16), fill=p.RUST)

    return sprite(width, high, paint)


def _put_matches(sheet: Sheet, view: SeatView, words: Words, y: int) -> int:
    """Matches as matches, burnt ones last; how many are whole in figures too."""
    box = (LEFT, y, RIGHT - 60, y + 40)
    sheet.write(words.say("picture.matches"), box, colour=p.CHALK_DIM, kind="title", cap=28)
    box = (RIGHT - 60, y, RIGHT, y + 40)
    sheet.write(str(view.matches), box, colour=p.FLAME, kind="title", cap=36, align="right")
    y += 42
    count = max(view.matches + view.burnt, view.most_matches, 1)
    pitch = min(40.0, (RIGHT - LEFT) / count)
    for n in range(view.matches + view.burnt):
        x = round(LEFT + pitch * (n + 0.5))
        sheet.centre(match(*MATCH, n >= view.matches), x, y + MATCH[1] // 2)
    _rule(sheet, y + MATCH[1] + 8)
    return y + MATCH[1] + 16


@lru_cache(maxsize=64)
def _card(action: str, state: str) -> Image.Image:
    """A mind card without its name: lit in the hand, chalk in the deck, scratched out if gone."""
    wide, high = CARD

    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        box = (0, 0, wide * fine - 1, high * fine - 1)
        inner = (3 * fine, 3 * fine, (wide - 3) * fine - 1, (high - 3) * fine - 1)
        match state:
            case "hand":
                pen.rounded_rectangle(box, 9 * fine, fill=p.FLAME_CORE)
                pen.rounded_rectangle(inner, 7 * fine, fill=p.FLAME)
            case "deck":
                pen.rounded_rectangle(box, 9 * fine, fill=p.CHALK_DIM)
                pen.rounded_rectangle(inner, 7 * fine, fill=p.DARK)
            case _:
                pen.rounded_rectangle(box, 9 * fine, fill=p.SLATE_LIGHT)
                pen.rounded_rectangle(inner, 7 * fine, fill=rgb("131110"))

    picture = sprite(wide, high, paint)
    at = ((wide - SIGN) // 2, 6)
    if state == "hand":
        own = coloured(action, SIGN, 0, True)
        picture.alpha_composite(own, at)
    else:
        colour = p.CHALK if state == "deck" else p.CHAR
        picture.paste((*colour, 255), at, chalked(action, SIGN))
    if state == "gone":
        picture.alpha_composite(_scratch(wide, high))
    return picture


@lru_cache(maxsize=1)
def _scratch(wide: int, high: int) -> Image.Image:
    def paint(pen: ImageDraw.ImageDraw, fine: int) -> None:
        for one, other in (((0.12, 0.08), (0.88, 0.62)), ((0.88, 0.08), (0.12, 0.62))):
            ends = [(x * wide * fine, y * high * fine) for x, y in (one, other)]
            pen.line(ends, fill=(*p.PHOSPHOR, 255), width=5 * fine)

    return sprite(wide, high, paint)


def _ordered(cards: Sequence[MindView]) -> list[MindView]:
    return sorted(cards, key=lambda card: (ORDER.index(card.action), card.id))


def _put_mind(sheet: Sheet, view: SeatView, words: Words, y: int) -> int:
    """The nine mind cards: those in hand, in the deck, and lost for good."""
    groups: tuple[tuple[str, Sequence[MindView], Rgb], ...] = (
        ("hand", view.hand, p.FLAME),
        ("deck", view.deck, p.CHALK),
        ("gone", view.gone, p.RUST),
    )
    wide = (RIGHT - LEFT - 2 * GAP) // 3
    for n, (state, cards, colour) in enumerate(groups):
        x = LEFT + n * (wide + GAP)
        said = words.say(f"picture.{state}", {"count": len(cards)})
        align = ("left", "middle", "right")[n]
        sheet.write(said, (x, y, x + wide, y + 36), colour=colour, kind="title", align=align)
    y += 40
    shown = [(state, card) for state, cards, _ in groups for card in _ordered(cards)]
    for n, (state, card) in enumerate(shown):
        x = LEFT + n % 3 * (CARD[0] + GAP)
        top = y + n // 3 * (CARD[1] + GAP)
        sheet.paste(_card(card.action, state), x, top)
        colour = {"hand": p.EARTH, "deck": p.CHALK}.get(state, rgb("96908a"))
        box: Box = (x + 2, top + CARD[1] - 36, x + CARD[0] - 2, top + CARD[1] - 3)
        said = words.say(f"picture.mind.{card.action}")
        sheet.write(said, box, colour=colour, kind="title", align="middle")
        sheet.note("piece", f"{state} {card.id}", x + CARD[0] // 2, top + 6 + SIGN // 2, SIGN)
    rows = max(1, -(-len(shown) // 3))
    return y + rows * (CARD[1] + GAP) + 4


def counted(items: Sequence[ItemView]) -> dict[str, int]:
    """How many of each kind, kinds in a fixed order."""
    kinds = [item.kind for item in items]
    return {kind: kinds.count(kind) for kind in KINDS if kind in kinds}


def _put_pockets(sheet: Sheet, view: SeatView, words: Words, y: int) -> int:
    """The items that are kept, by kind."""
    _rule(sheet, y)
    y += 8
    kinds = counted(view.kept)
    if not kinds:
        said = words.say("picture.pockets")
        sheet.write(said, (LEFT, y, RIGHT, y + 44), colour=p.CHALK_DIM, kind="title", cap=28)
        return y + 50
    for n, (kind, count) in enumerate(kinds.items()):
        x = LEFT + n * 90
        sheet.paste(coloured(kind, 44), x, y)
        box = (x + 50, y, x + 84, y + 44)
        sheet.write(str(count), box, colour=p.BONE, kind="title", cap=32)
        sheet.note("piece", f"kept {kind}", x + 22, y + 22, 44)
    return y + 50


def _put_known(sheet: Sheet, view: SeatView, y: int) -> None:
    """What an Information has shown: a chest with its pips, and what lies in it."""
    known = [place for place in view.locations if place.known]
    wide = (RIGHT - LEFT) // 2
    for n, place in enumerate(known[:4]):
        x, top = LEFT + n % 2 * wide, y + n // 2 * 40
        sheet.paste(coloured("item", 36, place.number), x, top)
        for k, item in enumerate(place.known[:2]):
            sheet.paste(coloured(item.kind, 34), x + 46 + k * 38, top + 1)
        sheet.note("piece", f"known {place.number}", x + 18, top + 18, 36)


def _put_rest(sheet: Sheet, view: SeatView, words: Words) -> None:
    """Tiles and dangers still to come, terrors kept: a sign, a figure, a word."""
    top = SIZE[1] - 98
    _rule(sheet, top - 8)
    terrors = f"{view.terrors}/{view.most_terrors}" if view.deadly else str(view.terrors)
    wide = (RIGHT - LEFT) // 3
    rest: tuple[tuple[str, str, str, Rgb], ...] = (
        ("tiles", "tile", str(view.tiles_left), p.CHALK),
        ("dangers", "skull", str(view.dangers_left), p.CHALK),
        ("terrors", "terror", terrors, p.RUST if view.terrors else p.CHALK),
    )
    for n, (word, icon, figure, colour) in enumerate(rest):
        x = LEFT + n * wide
        sheet.image.paste(colour, (x, top + 6), chalked(icon, 36))
        box = (x + 40, top + 2, x + wide, top + 46)
        sheet.write(figure, box, colour=colour, kind="title", cap=28)
        box = (x, top + 50, x + wide - 5, top + 86)
        sheet.write(words.say(f"picture.{word}"), box, colour=p.CHALK_DIM, kind="title")
