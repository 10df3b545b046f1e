"""One clue beside Kate, solved for sure or failed for sure."""

from __future__ import annotations

from dataclasses import replace

from engines.escape_the_night.cards import Clue
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    stand,
    tiles,
)

SURE, HOPELESS = 2, 13
"""Difficulties that two dice always reach, and never."""


def at_the_clue(g):
    """Kate (seat 0) stands beside a clue; everybody else waits outside."""
    tiles(g, a1="clue", f1="monster", c1="clue")
    stand(g, kate="b1")


def scene(solved=None, failed=None, arrange=lambda g: None, **rest):
    """Kate walks onto the clue and rolls; it is solved for sure, or failed for sure."""
    clue = Clue(SURE, solved=solved) if failed is None else Clue(HOPELESS, failed=failed)
    content = replace(rest.pop("content", CONTENT), clues=dict.fromkeys(CONTENT.clues, clue))
    stage = Stage(lambda g: (at_the_clue(g), arrange(g)), content=content, **rest)
    stage.roll_and("a1")
    stage.answer("attempt", "roll")
    if "accept" in stage.kinds():
        stage.answer("accept", "accept")
    return stage


def is_pointless(stage):
    """The effect found nothing to act upon, and the game went on."""
    return bool(stage.told("nothing_came_of_it")) and stage.kinds() == ["roll"]


def drawn(stage):
    """Who drew relics since the game was set up, in order."""
    events = [numbered for numbered in stage.play.events if numbered.ply]
    return [n.event.data["seat"] for n in events if n.event.kind == "relic_drawn"]


def is_quiet(stage):
    """The turn is over and the next player is asked."""
    return stage.kinds() == ["roll"] and stage.view.current_seat == 1
