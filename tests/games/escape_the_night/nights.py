"""Whole nights for tests: openings by drawn values, and what must hold at every ply."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from engines.escape_the_night.cards import Challenge, Content, Effect, Numbers
from engines.escape_the_night.game import GAME
from engines.escape_the_night.state import State
from engines.escape_the_night.view import SeatView
from engines.kernel.game import Game
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.games.escape_the_night.stage import CONTENT

Night = Playthrough[Content, State, SeatView]

DEADLY = replace(
    CONTENT,
    challenges={
        f"challenge_{n}": Challenge(Effect("dice_duel", 1, "high"), "both") for n in (0, 1)
    },
    numbers=Numbers(CONTENT.numbers.tiles, {"any": 4}, 2),
)
"""The small house with challenges in which equals die together."""


def header(seats: int, key: bytes, **options: str) -> Header:
    """A header with default options but for those given."""
    chosen = {option.key: option.default for option in GAME.options} | options
    return Header(GAME.key, GAME.rules_version, "small", key.hex(), seats, chosen)


def opened(
    seats: int,
    key: bytes,
    *,
    content: Content = CONTENT,
    game: Game[Content, State, SeatView] = GAME,
    **options: str,
) -> Night:
    """A night begins."""
    return Playthrough(game, content, header(seats, key, **options))


def cards_of(g: State) -> dict[str, Counter[str]]:
    """Every card of each deck, wherever it lies."""
    zones = {deck: [*g.piles[deck], *g.discards[deck]] for deck in g.piles}
    for hand in g.hands:
        zones["relic"] += hand
    zones["monster"] += [c.monster for c in g.characters.values() if c.monster]
    if g.attempt and g.attempt.colour == "clue":
        zones["clue"].append(g.attempt.card)
    if g.duel:
        zones["challenge"].append(g.duel.card)
    return {deck: Counter(cards) for deck, cards in zones.items()}


def check_board(g: State) -> None:
    """Nothing is lost, doubled, or where it cannot be."""
    content = g.content
    assert cards_of(g) == {
        "clue": Counter(tuple(content.clues)),
        "relic": Counter(tuple(content.relics)),
        "monster": Counter(tuple(content.monsters)),
        "challenge": Counter(tuple(content.challenges)),
    }
    assert sorted([*g.artifacts.values(), *g.mantle]) == sorted(content.artifacts)
    assert set(g.artifacts) <= set(content.board.triangles.values())
    assert set(g.tiles) <= set(content.board.circles)
    assert sorted(c for row in g.rows for c in row) == sorted(content.guests)
    assert sorted([*g.graveyard, *(c.id for c in g.living())]) == sorted(content.guests)
    for character in g.characters.values():
        assert character.space is None or character.space in g.plan.rooms
        assert character.alive or (character.space, character.monster) == (None, None)
    standing = Counter(c.space for c in g.living() if c.space is not None)
    for space, count in standing.items():
        thin = any(content.guests[c.id].ability.do == "thin_as_a_rake" for c in g.at(space))
        shared = g.round >= 10 and space in content.board.ritual
        assert count == 1 or thin or shared, (space, g.at(space))
