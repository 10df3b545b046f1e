"""A dangerous room behind the Lost's door, walked into or scouted."""

from __future__ import annotations

from typing import Any

from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    hand,
    lost,
    maze,
    tiles,
)


def walked(kind: str, *hands: str, tile: str = "lair", **options: Any) -> Stage:
    """With these cards the Lost walks into a dangerous room, by Move, and meets that card."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        hand("move", *hands),
        tiles(tile, "hall", "hall"),
        dangers(kind, "terror"),
        **options,
    )
    stage.say("act play.move", "walk a.w")
    return stage


def scouted(kind: str, *hands: str, tile: str = "lair") -> Stage:
    """The same room and card, scouted from in front of the door."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        hand("scout", *hands),
        tiles(tile, "hall", "hall"),
        dangers(kind, "terror"),
    )
    stage.say("act play.scout")
    return stage
