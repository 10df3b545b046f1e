"""Kate beside a clue or a monster, or in a fight with one."""

from __future__ import annotations

from dataclasses import replace

from engines.escape_the_night.cards import Clue, Monster
from tests.games.escape_the_night.stage import (
    CONTENT,
    face_up,
    pin,
    stand,
    tiles,
    top,
)


def at_the_clue(g):
    """Kate stands beside the attic's only tile, a clue."""
    tiles(g, a1="clue", f1="monster")
    stand(g, kate="b1")
    top(g, "clue", "clue_3", "clue_4")


def at_the_monster(g):
    """Kate stands beside the bathroom's only tile, a monster."""
    tiles(g, a1="clue", f1="monster")
    stand(g, kate="e1")
    top(g, "monster", "monster_3", "monster_4")


def pinned(g):
    """Kate fights a monster on the bathroom's tile."""
    at_the_monster(g)
    stand(g, kate="f1")
    face_up(g, "f1")
    pin(g, "kate", "monster_5")


def with_clue(clue: Clue):
    """All clues are this one."""
    return replace(CONTENT, clues=dict.fromkeys(CONTENT.clues, clue))


def with_monster(monster: Monster):
    """All monsters are this one."""
    return replace(CONTENT, monsters=dict.fromkeys(CONTENT.monsters, monster))
