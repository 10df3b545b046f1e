"""The house as it is printed, to play single cards of it.

Three players. Prosper Pinch (seat 0) is about to act; abilities are off unless a scene wants them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from content.escape_the_night import load
from engines.escape_the_night.board import plan_of
from engines.escape_the_night.cards import Colour
from engines.escape_the_night.state import State
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    discard,
    face_up,
    hold,
    pin,
    ready,
    stand,
    tiles,
)

HOUSE = load().rules
PLAN = plan_of(HOUSE.board)
ACTING, FRIEND, HELD, TIRED = "prosper_pinch", "hester_crumb", "ignatius_quill", "felix_marchetti"
"""Seat 0's, seat 1's, seat 2's, and another of seat 0."""


def total(number: int) -> list[int]:
    """Two dice that make so many."""
    return [number - 6, 6] if number > 6 else [1, number - 1]


def busy(g: State, *spared: str) -> None:
    """Whatever a card does finds something to act upon. ``spared`` cards stay in their decks."""
    stand(g, **{ACTING: "b1", FRIEND: "g8", HELD: "k3"})
    ready(g, *(c for c in g.characters if c != TIRED))
    held_by, *fallen = (m for m in g.content.monsters if m not in spared)
    pin(g, HELD, held_by)
    discard(g, "monster", fallen[3], fallen[-1])
    relics = [r for r in g.content.relics if r not in spared]
    for seat, count in ((0, 3), (1, 2), (2, 1)):
        hold(g, seat, *relics[:count])
        del relics[:count]
    discard(g, "relic", relics[0], relics[1])


def tried(
    colour: Colour,
    card: str,
    roll: int,
    arrange: Callable[[State], object] = lambda g: None,
    *,
    space: str = "a1",
    seats: int = 3,
    **rest: Any,
) -> Stage:
    """Prosper Pinch walks onto such a tile beside him, draws the card and rolls that total."""

    def position(g: State) -> None:
        lying: dict[str, Colour] = {space: colour, "n9": "clue", "l1": "clue", "k3": "monster"}
        tiles(g, **lying)
        face_up(g, "k3")
        beside = next(s for s in PLAN.neighbours[space] if s not in g.tiles)
        stand(g, **{ACTING: beside})
        arrange(g)
        stand(g, **{ACTING: beside})
        g.piles[colour].remove(card)
        g.piles[colour].append(card)

    rest.setdefault("dice", {}).setdefault("attempt", total(roll))
    stage = Stage(position, seats=seats, content=HOUSE, abilities="off", **rest)
    while stage.view.acting != ACTING:
        stage.roll_and("stay")
    stage.roll_and(space)
    stage.answer("attempt", "roll")
    return stage


def alone(g: State) -> None:
    """Nobody else is alive, and no relic is in a hand."""
    alive(g, ACTING)
    ready(g, ACTING)


def since_the_deal(stage: Stage, kind: str) -> list[dict[str, Any]]:
    """The public facts of such events, set-up apart."""
    found = [n for n in stage.play.events if n.ply and n.event.kind == kind]
    return [dict(n.event.data) for n in found if n.event.is_for(None)]
