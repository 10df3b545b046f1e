"""Kate beside the amulet in the clear attic, and the die that she wakes."""

from __future__ import annotations

from tests.games.escape_the_night.stage import (
    Stage,
    stand,
    tiles,
)


def in_the_attic(g):
    """Kate beside the amulet in the clear attic; the bathroom and the cellar are not clear."""
    tiles(g, f1="clue", i6="monster")
    stand(g, kate="c2")


def man(g_change=lambda g: None, *, die, dice=None, picks=None, seats=2, **options):
    """Kate claims the amulet, and the Mysterious Man's die is loaded."""

    def scene(g):
        in_the_attic(g)
        stand(g, kate="b2")
        g_change(g)

    stage = Stage(scene, seats=seats, dice={"man": [die], **(dice or {})}, picks=picks, **options)
    stage.answer("roll", "roll")
    stage.answer("move", "claim")
    return stage
