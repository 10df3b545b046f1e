"""What is going on right now, at the side: who acts, the card, the dice; and the piles of cards.

It is made of blocks below each other. Where they do not all fit the least needed give way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.render.escape_the_night import palette as p
from bot.render.escape_the_night import pieces
from bot.render.escape_the_night.cards import ICON, card, pile, seal
from bot.render.escape_the_night.plan import SIDE
from bot.render.escape_the_night.telling import (
    ARTIFACT,
    CARDS,
    CHALLENGE,
    DECKS,
    guest_name,
    guests,
    initials,
    phase_name,
    room_names,
)
from bot.render.kit.marks import die, pawn, seat_mark, verdict
from bot.render.kit.paint import Rgb, mix, rgb
from bot.render.kit.sheet import Align, Sheet
from bot.render.kit.text import folded
from bot.render.kit.words import Words, seat_name
from engines.escape_the_night.view import AttemptView, DuelView, SeatView

LEFT: Final = SIDE[0] + 14
RIGHT: Final = SIDE[2] - 14
BOTTOM: Final = SIDE[3] - 14
LINE: Final = 34
GAP: Final = 18
"""The most room between two blocks."""
PILES: Final = 46
Say = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class _Block:
    """Something `high` pixels high; those with less `weight` give way first."""

    high: int
    weight: int
    put: Say


@dataclass(frozen=True, slots=True)
class _Table:
    """What all blocks are made from."""

    sheet: Sheet
    view: SeatView
    words: Words


def put_now(sheet: Sheet, view: SeatView, words: Words, seats: Sequence[str], top: int) -> None:
    """All of it, from `top` down to the end of the panel."""
    at = _Table(sheet, view, words)
    blocks = _blocks(at, seats)
    piles = _Block(PILES, 1, lambda y: _put_piles(at, y))
    room = BOTTOM - top
    while sum(block.high + 2 for block in [*blocks, piles]) > room:
        least = min([*blocks, piles], key=lambda block: block.weight)
        if least is piles:
            piles = _Block(0, 9, lambda _: None)
        else:
            blocks.remove(least)
    spare = room - piles.high - sum(block.high for block in blocks)
    gap = min(GAP, spare // (len(blocks) + 1))
    y = top + min(8, gap)
    for block in blocks:
        block.put(y)
        y += block.high + gap
    piles.put(BOTTOM - piles.high)


def _blocks(at: _Table, seats: Sequence[str]) -> list[_Block]:
    view, words = at.view, at.words
    if view.duel is not None:
        return _duel(at, view.duel)
    if view.attempt is not None:
        return _attempt(at, view.attempt)
    if view.man is not None:
        artifact = words.name(ARTIFACT, view.man.artifact)
        return [
            _title(at, words.say("picture.now.man"), 2),
            _who(at, view.man.finder),
            _Block(72, 9, lambda y: _put_man_roll(at, y)),
            _said(at, artifact, p.BRASS),
        ]
    if view.phase == "vote":
        return [
            _title(at, words.say("picture.now.vote"), 2),
            _said(at, words.say("picture.vote"), p.IVORY),
            _Block(92, 9, lambda y: _put_vote(at, y)),
        ]
    if view.acting is not None:
        walking = bool(view.walk_dice)
        title = words.say("picture.now.walking" if walking else "picture.to_move")
        return [
            _title(at, title, 2),
            _who(at, view.acting),
            _place(at, view.acting),
            _Block(72, 9, lambda y: _put_walk(at, y)),
        ]
    if view.current_seat is not None:
        return [
            _title(at, words.say("picture.to_move"), 2),
            _seat(at, seats, view.current_seat),
            _crew(at, view.current_seat),
        ]
    return [_said(at, phase_name(view, words), p.BRASS)]


def _seat(at: _Table, seats: Sequence[str], seat: int) -> _Block:
    """A player's mark and name."""

    def put(y: int) -> None:
        at.sheet.centre(seat_mark(seat, 44), LEFT + 26, y + 24)
        name = seat_name(at.words, seats, seat)
        at.sheet.write(name, (LEFT + 58, y, RIGHT, y + 48), colour=p.IVORY)

    return _Block(48, 9, put)


def _crew(at: _Table, seat: int) -> _Block:
    """The pawns of a seat that may still act this round."""
    ready = [c for c in at.view.characters if c.owner == seat and c.alive and not c.exhausted]
    per_line = (RIGHT - LEFT) // 52

    def put(y: int) -> None:
        for n, who in enumerate(ready):
            x, row = LEFT + 26 + n % per_line * 52, y + 26 + n // per_line * 52
            letters = initials(at.view, at.words)[who.id]
            at.sheet.centre(pawn(who.owner, letters, 46), x, row)
            at.sheet.note("pawn", who.id, x, row, 46)

    return _Block(52 * -(-len(ready) // per_line), 4, put)


def _title(at: _Table, text: str, weight: int) -> _Block:
    def put(y: int) -> None:
        box = (LEFT, y, RIGHT, y + LINE)
        at.sheet.write(text, box, colour=p.BRASS, kind="title", cap=30, align="middle")

    return _Block(LINE, weight, put)


def _said(at: _Table, text: str, colour: Rgb, align: Align = "middle") -> _Block:
    lines = folded(text, "title", 26, RIGHT - LEFT, LINE, 2)

    def put(y: int) -> None:
        for n, found in enumerate(lines):
            top = y + n * LINE
            at.sheet.put_line(found, (LEFT, top, RIGHT, top + LINE), colour=colour, align=align)

    return _Block(LINE * len(lines), 9, put)


def _who(at: _Table, ident: str) -> _Block:
    """A character's pawn and name."""

    def put(y: int) -> None:
        _put_pawn(at, ident, y + 24)
        box = (LEFT + 58, y, RIGHT, y + 48)
        at.sheet.write(guest_name(at.words, ident), box, colour=p.IVORY, kind="title")

    return _Block(48, 8, put)


def _put_pawn(at: _Table, ident: str, y: int) -> None:
    who = guests(at.view)[ident]
    at.sheet.centre(pawn(who.owner, initials(at.view, at.words)[ident], 46), LEFT + 26, y)
    at.sheet.note("pawn", ident, LEFT + 26, y, 46)


def _place(at: _Table, ident: str) -> _Block:
    """The room where a character stands."""
    space = guests(at.view)[ident].space
    said = at.words.say("picture.outside")
    if space:
        board = at.view.board
        mark = board.plan[int(space[1:]) - 1][ord(space[0]) - ord("a")]
        said = room_names(at.view, at.words)[board.marks[mark]]

    def put(y: int) -> None:
        box = (LEFT + 58, y - 8, RIGHT, y - 8 + LINE)
        at.sheet.write(said, box, colour=p.MUTED, kind="title")

    return _Block(LINE - 8, 3, put)


def _put_dice(at: _Table, faces: Sequence[int], y: int, size: int = 60) -> int:
    """Dice in a row; where they end."""
    size = min(size, 60 if len(faces) <= 2 else 46)
    x = LEFT + 2
    for face in faces:
        colour = (240, 232, 212) if face else mix(p.DUSK, p.MUTED, 0.35)
        at.sheet.centre(die(face, size, colour=colour), x + size // 2, y + 34)
        x += size + 8
    return x


def _put_walk(at: _Table, y: int) -> None:
    view = at.view
    x = _put_dice(at, view.walk_dice or (0, 0), y)
    if not view.walk_dice:
        return
    said = at.words.say("picture.steps_left", {"steps": view.steps_left})
    at.sheet.write(
        str(view.steps_left),
        (x + 4, y, RIGHT, y + 36),
        colour=p.CANDLE,
        kind="title",
        cap=36,
        align="middle",
    )
    box = (x + 4, y + 36, RIGHT, y + 72)
    at.sheet.write(said, box, colour=p.IVORY, align="middle", kind="title")


# Cards


def _put_card(at: _Table, high: int, y: int, edge: Rgb, icon: Image.Image) -> None:
    at.sheet.centre(card(RIGHT - LEFT + 8, high, edge), (LEFT + RIGHT) // 2, y + high // 2)
    at.sheet.centre(icon, LEFT - 4 + (ICON + 4) // 2, y + high // 2)


NEEDED: Final = 54
"""How wide the seal is with what a card asks for."""


def _attempt(at: _Table, attempt: AttemptView) -> list[_Block]:
    words = at.words
    name = words.name(CARDS[attempt.colour], attempt.card)
    left, right = LEFT + ICON + 10, RIGHT - NEEDED - 6
    lines = folded(name, "title", 26, right - left, LINE, 3)
    high = max(74, LINE * len(lines) + 14)
    edge = p.CLUE if attempt.colour == "clue" else p.MONSTER

    def put_card(y: int) -> None:
        _put_card(at, high, y, edge, pieces.tile(attempt.colour, 42))
        top = y + (high - LINE * len(lines)) // 2
        for n, found in enumerate(lines):
            row = top + LINE * n
            at.sheet.put_line(found, (left, row, right, row + LINE), colour=p.INK)
        x, middle = RIGHT - NEEDED // 2 - 3, y + high // 2
        at.sheet.centre(seal(NEEDED, edge), x, middle)
        box = (x - 22, middle - 20, x + 22, middle + 20)
        at.sheet.write(
            str(attempt.difficulty),
            box,
            colour=(255, 255, 255),
            kind="title",
            cap=30,
            align="middle",
        )

    return [
        _title(at, words.say(f"picture.now.{attempt.colour}"), 2),
        _who(at, attempt.character),
        _Block(high, 9, put_card),
        _Block(68, 9, lambda y: _put_roll(at, attempt, y)),
    ]


def _put_roll(at: _Table, attempt: AttemptView, y: int) -> None:
    """The dice with what is added to them, and whether that is enough."""
    sheet, words = at.sheet, at.words
    x = _put_dice(at, attempt.dice or (0, 0), y, 46 if attempt.bonus else 54)
    more = words.say("picture.bonus", {"bonus": attempt.bonus}) if attempt.bonus else ""
    if not attempt.dice:
        sheet.write(more, (x + 8, y, RIGHT, y + 68), colour=p.CANDLE, kind="title", cap=34)
        return
    if more:
        sheet.write(more, (x - 2, y, x + 34, y + 68), colour=p.MUTED, kind="title")
        x += 38
    total = sum(attempt.dice) + attempt.bonus
    won = total >= attempt.difficulty
    sheet.centre(verdict(won, 38, p.CLUE if won else p.MONSTER), RIGHT - 20, y + 34)
    said = words.say("picture.total", {"total": total, "difficulty": attempt.difficulty})
    box = (x, y, RIGHT - 42, y + 68)
    sheet.write(said, box, colour=p.CANDLE, kind="title", cap=32, align="middle")


def _duel(at: _Table, duel: DuelView) -> list[_Block]:
    left, right = LEFT + ICON + 10, RIGHT - 8
    name = at.words.name(CHALLENGE, duel.card)
    lines = folded(name, "title", 26, right - left, LINE, 2)
    high = max(64, LINE * len(lines) + 14)
    plum = rgb("5b2f66")

    def put_card(y: int) -> None:
        _put_card(at, high, y, plum, pieces.stone(40))
        top = y + (high - LINE * len(lines)) // 2
        for n, found in enumerate(lines):
            row = top + LINE * n
            at.sheet.put_line(found, (left, row, right, row + LINE), colour=p.INK)

    def put_score(ident: str, score: int) -> Say:
        def put(y: int) -> None:
            _put_pawn(at, ident, y + 26)
            box = (LEFT + 54, y, RIGHT - 44, y + 52)
            at.sheet.write(guest_name(at.words, ident), box, colour=p.IVORY, kind="title")
            box = (RIGHT - 42, y, RIGHT + 2, y + 52)
            at.sheet.write(str(score), box, colour=p.CANDLE, kind="title", cap=32, align="right")

        return put

    return [
        _title(at, at.words.say("picture.now.challenge"), 2),
        _Block(high, 9, put_card),
        *(
            _Block(52, 9, put_score(ident, score))
            for ident, score in zip(duel.contestants, duel.scores, strict=True)
        ),
    ]


def _put_man_roll(at: _Table, y: int) -> None:
    man = at.view.man
    assert man is not None
    at.sheet.centre(pieces.artifact(man.artifact, 72), LEFT + 80, y + 36)
    at.sheet.centre(die(man.die, 64), RIGHT - 80, y + 36)


def _put_vote(at: _Table, y: int) -> None:
    middle = (LEFT + RIGHT) // 2
    for n in (-1, 1):
        x = middle + n * 56
        at.sheet.centre(pieces.stone(84), x, y + 46)
        box = (x - 30, y + 22, x + 30, y + 78)
        at.sheet.write("?", box, colour=p.INK, kind="title", cap=40, align="middle")


# Piles


def _put_piles(at: _Table, y: int) -> None:
    """How many cards are left to draw, of each sort."""
    counts = dict(at.view.pile_counts)
    pitch = (RIGHT - LEFT) // len(DECKS)
    at.sheet.veil((LEFT - 4, y, RIGHT + 4, BOTTOM + 4), p.INK, 0.45, 8)
    for n, deck in enumerate(DECKS):
        x = LEFT + n * pitch
        at.sheet.centre(pile(deck, 28), x + 13, y + PILES // 2 + 2)
        box = (x + 28, y, x + pitch, y + PILES + 4)
        at.sheet.write(str(counts.get(deck, 0)), box, colour=p.MUTED, kind="title")
