"""[Taking a Turn]: what guests can do. RULE-E23."""

from __future__ import annotations

import pytest

from tests.games.escape_the_night.stage import (
    Stage,
    face_up,
    stand,
    tiles,
    with_ability,
)


@pytest.mark.parametrize("abilities", ["on", "off"])
def test_rule_e23_abilities_can_be_switched_off(abilities):
    """RULE-E23: with the option off, a long stride is a stride like any other."""
    content = with_ability("kate", "long_stride", 2)
    stage = Stage(
        lambda g: stand(g, kate="c4"), content=content, dice={"move": [1, 1]}, abilities=abilities
    )
    stage.answer("roll", "roll")

    extra = 2 if abilities == "on" else 0
    assert stage.told("move_rolled")[0]["extra"] == extra
    assert stage.view.steps_left == 2 + extra
    assert stage.view.abilities == (abilities == "on")


def test_rule_e23_light_feet_pass_turned_tiles():
    """RULE-E23: a card may bend the rule that tiles stop everybody."""

    def scene(g):
        tiles(g, g3="clue")
        face_up(g, "g3")
        stand(g, kate="f3")

    stage = Stage(scene, content=with_ability("kate", "light_feet"), dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert "g4" in stage.choices("move")


def test_rule_e23_light_feet_stop_at_tiles_that_lie_face_down():
    """RULE-E23: what nobody has turned yet stops them like anybody."""
    stage = Stage(
        lambda g: (tiles(g, g3="clue"), stand(g, kate="f3")),
        content=with_ability("kate", "light_feet"),
        dice={"move": [1, 1]},
    )
    stage.answer("roll", "roll")

    assert "g3" in stage.choices("move")
    assert "g4" not in stage.choices("move")


def test_rule_e23_a_thin_character_shares_a_space():
    """RULE-E23: it may end where another stands."""
    content = with_ability("kate", "thin_as_a_rake")
    stage = Stage(lambda g: stand(g, kate="d3", ben="d2"), content=content, dice={"move": [1, 1]})

    stage.roll_and("d2")

    assert stage.where("kate") == stage.where("ben") == "d2"


def test_rule_e23_other_ways_in_and_through():
    """RULE-E23: a side door from outside, a passage between two spaces."""
    stage = Stage(content=with_ability("kate", "side_door", of="g6"), dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert {"g6", "g5", "c6"} <= set(stage.choices("move"))

    content = with_ability("kate", "secret_passage", of="a3-i3")
    stage = Stage(lambda g: stand(g, kate="a3"), content=content, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert "i3" in stage.choices("move")


def test_rule_e23_a_keen_eye_turns_tiles_beside_it():
    """RULE-E23: at the end of its action the tiles next to it lie face up."""

    def scene(g):
        tiles(g, a1="clue", c1="monster", f1="monster")
        stand(g, kate="b2")

    stage = Stage(scene, content=with_ability("kate", "keen_eye"), dice={"move": [1, 1]})
    events = stage.roll_and("b1")

    assert [e.data["space"] for e in events if e.kind == "tile_turned"] == ["c1", "a1"]
