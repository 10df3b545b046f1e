"""[The Maze and Movement], [Types of fields] and the two printed scenarios of [Actions]."""

from __future__ import annotations

import pytest

from engines.fear_of_the_dark.maze import BEYOND, SIDES
from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    PAIR,
    Stage,
    facts,
    hand,
    keep,
    kinds,
    leak,
    location,
    lost,
    maze,
    tiles,
    token,
)

START = """
+-D-+
|.O.|
D.@XD
|.#.|
+-D-+
"""


def fields(stage: Stage, kind: str = "walk") -> set[str]:
    """The fields and doors that may be walked to."""
    return {key for key in stage.choices(kind) if key[1] in ".123456789"}


def test_no_step_is_diagonal():
    """[Actions and Movement Restrictions] In one step only the four fields beside are reached."""
    stage = Stage(maze(ALONE), hand("move"))
    ways = stage.view.maze.near("A5")

    assert sorted(ways) == ["A2", "A4", "A6", "A8"]
    assert sorted(stage.view.maze.near("A1")) == ["A2", "A4"]


def test_a_move_is_up_to_four_steps():
    """[Mind Cards] Move reaches four fields far and no farther, in the Light and in the Dark."""
    row = """
    +---+ +---+ +---+
    |...| |...| |...|
    |@..D D...D D...|
    |...| |...| |...|
    +---+ +---+ +---+
    """
    for stage in (Stage(maze(row), hand("move")), Stage(maze(row))):
        stage.say("act play.move" if stage.view.light else "act give.move")
        assert {"b5", "a6", "b4"} <= fields(stage)
        assert "b6" not in fields(stage)
        assert stage.option("walk", "b5").about["steps"] == 4


def test_c_f7_two_steps_and_no_holes():
    """C-F7: a plain card goes two steps at most, and over no hole."""
    stage = Stage(maze(START), hand("move"))
    stage.say("act two_steps")

    assert fields(stage) == {"a4", "a1", "a7", "a.w"}


def test_scenario_1_the_options():
    """[Scenario 1 - Your options are] From the starting tile, with light, a key and any card."""
    stage = Stage(
        maze(START), hand("move", "tiptoe", "clear"), keep("key"), token(a8="obstruction")
    )
    stage.say("act play.move")
    assert {"a4", "a.w"} <= fields(stage)
    assert "a2" not in fields(stage)
    stage.say("walk back", "act play.tiptoe")
    assert {"a2", "a.n"} <= fields(stage)
    stage.say("walk back", "act play.clear")
    assert stage.view.maze.tokens == {"A6": "lock"}
    stage.say("act use.key")

    assert stage.view.maze.tokens == {}


def test_scenario_1_tiptoe_out_of_the_hole():
    """[Scenario 1 - Your options are] Onto the hole above, and out."""
    stage = Stage(maze(START), hand("tiptoe"), tiles("hall", "hall"))
    stage.say("act play.tiptoe", "walk a.n")

    assert stage.view.lost == "B8"
    assert stage.told("tile_revealed")[0]["how"] == "walk"


def test_scenario_2_the_options():
    """[Scenario 2 - Your options are] To the revealed tile, clearing, and taking what lies up."""
    drawing = """
    +---+ +---+
    |.3.| |...|
    |#@.D D...|
    |...| |...|
    +---+ +---+
    """
    stage = Stage(maze(drawing), hand("move", "clear", "explore"), location("3", "key", "match"))
    assert {"play.move", "play.clear", "play.explore"} <= set(stage.choices("act"))
    stage.say("act play.explore", "act play.clear", "act play.move")

    assert stage.kept == ["key"]
    assert {"b4", "b5", "a4"} <= fields(stage)


@pytest.mark.parametrize("kind", ["lock", "obstruction"])
def test_no_entering_a_field_with_a_token(kind):
    """[Types of fields] Nobody moves onto a lock or an obstruction, not even on tiptoe."""
    stage = Stage(maze(ALONE), token(a2=kind, a4=kind, a6=kind), hand("move", "tiptoe"))
    stage.say("act play.tiptoe")
    assert fields(stage) == {"a8", "a7", "a9", "a.s"}
    stage.say("walk back", "act play.move")
    assert not {"a2", "a4", "a6"} & fields(stage)


def test_no_entering_a_hole_but_on_tiptoe():
    """[Types of fields] A hole is no way for a Move; Tiptoe goes over both."""
    drawing = ALONE.replace("|...|", "|.O.|", 1).replace("D.@.D", "DO@.D")
    stage = Stage(maze(drawing), hand("move", "tiptoe"))
    stage.say("act play.move")
    assert not {"a2", "a4"} & fields(stage)
    stage.say("walk back", "act play.tiptoe")

    assert fields(stage) == {
        "a2", "a4", "a6", "a8", "a1", "a3", "a7", "a9", "a.n", "a.e", "a.s", "a.w",
    }  # fmt: skip


def test_locations_may_be_walked_on():
    """RULE-F24: items and secrets bar no way."""
    stage = Stage(maze(ALONE.replace("|...|", "|1A2|", 1)), hand("move"))
    stage.say("act play.move")

    assert {"a1", "a2", "a3"} <= fields(stage)


def test_rule_f13_doors_are_in_the_middle_of_a_side():
    """RULE-F13: one step leads from one middle field to the other, and none from a corner."""
    stage = Stage(maze(PAIR), hand("move"))
    assert sorted(stage.view.maze.near("A6")) == ["A3", "A5", "A9", "B4"]
    assert sorted(stage.view.maze.near("A3")) == ["A2", "A6"]
    stage.say("act play.move")

    assert stage.option("walk", "b4").about["steps"] == 1


def test_no_step_goes_through_a_wall():
    """RULE-F14: a door against a wall is shut, from both sides."""
    stage = Stage(maze(PAIR.replace("D D", "D |")), hand("move"))
    assert stage.view.maze.door("A", "e") == "shut"
    assert [stage.view.maze.door("B", side) for side in SIDES] == ["none"] * 4
    assert sorted(stage.view.maze.near("A6")) == ["A3", "A5", "A9"]
    assert sorted(stage.view.maze.near("B4")) == ["B1", "B5", "B7"]
    stage.say("act play.move")

    assert not any(key.startswith("b") for key in fields(stage) if key != "back")
    assert "a.e" not in fields(stage)


def test_stepping_out_costs_a_step():
    """RULE-F13: a room is revealed with the step through its door, so one must be left for it."""
    stage = Stage(maze(ALONE), lost("A1"), hand("move"), tiles("hall"))
    stage.say("act two_steps")

    assert {"a.n", "a.w"} <= fields(stage)
    assert not {"a.e", "a.s"} & fields(stage)
    assert stage.option("walk", "a.n").about == {
        "room": "A",
        "side": "n",
        "steps": 2,
        "leaks": False,
    }
    assert stage.option("walk", "a.n").word == "reveal"


def test_rule_f34_off_a_hole_in_the_dark():
    """RULE-F34: who stands on a hole when the light dies may walk off it with a plain Move."""
    stage = Stage(maze(ALONE.replace("...", ".O.", 1)), hand("tiptoe"))
    stage.say("act play.tiptoe", "walk a2", "act give.move", "walk a5", "give_up move_1")

    assert stage.view.lost == "A5"


def test_a_walk_is_told_with_its_way():
    """All learn the fields on the way, the steps taken and those left."""
    stage = Stage(maze(PAIR), hand("move"))
    events = stage.say("act play.move", "walk b5")

    assert facts(events, "walked") == {
        "field": "B5",
        "path": ("B4", "B5"),
        "steps": 2,
        "left": 2,
        "room": "B",
        "tile": "laid_b",
        "entered": True,
    }
    assert kinds(events) == ["card_played", "walked", "darkness_fell"]


def test_a_walk_to_a_field_ends_the_move():
    """Whoever names a field could have named one farther on; nothing is asked afterwards."""
    stage = Stage(maze(ALONE), hand("move", "scout"))
    stage.say("act play.move", "walk a1")

    assert stage.kind == "act"


def test_walking_is_offered_only_where_a_step_can_be_made():
    """Shut in on all sides, no way of moving is offered."""
    stage = Stage(
        maze(ALONE),
        token(a2="lock", a4="lock", a6="lock", a8="obstruction"),
        hand("move", "tiptoe"),
    )

    assert not {"play.move", "play.tiptoe", "two_steps", "give.move"} & set(stage.choices("act"))
    assert "play.move" not in stage.choices("act")
    assert "give.clear" in stage.choices("act")


def test_the_only_step_may_be_the_one_out_of_the_door():
    """Shut in before a door, the Lost can still go out through it."""
    stage = Stage(
        maze(ALONE), lost("A4"), token(a1="lock", a5="lock", a7="lock"), tiles("hall", "hall")
    )
    stage.say("act give.move")

    assert stage.choices("walk") == ("a.w", "back")


def test_options_say_what_is_near():
    """A field beside something, or on it, says so, and comes before the bare ones."""
    drawing = """
    +-D-+ +---+
    |1.A| |...|
    |..@D D#X.|
    |...| |...|
    +---+ +---+
    """
    stage = Stage(maze(drawing), hand("move"), location("1", "key"), location("A", "map"))
    stage.say("act play.move")
    near = {o.key: o.about.get("near") for o in stage.asked("walk").options}

    assert near["a2"] == ["secret", "item", "door"]
    assert near["a3"] is None
    words = [o.word for o in stage.asked("walk").options if o.key != "back"]
    assert words == sorted(words, key=["exit", "reveal", "near", "field"].index)


def test_only_what_is_there_is_near():
    """An explored location is nothing to be near to; the way out is. A wet field says so itself."""
    drawing = ALONE.replace("|...|", "|1.A|", 1)
    stage = Stage(
        maze(drawing), leak("A"), tiles(), location("1"), location("A"), location("2", "key")
    )
    stage.say("act give.move")
    assert stage.asked("walk").about["tiles"] == 0
    near = {o.key: o.about.get("near") for o in stage.asked("walk").options}

    assert near["a2"] == ["exit"]
    assert near["a7"] is None
    drips = {o.key: o.about.get("drips") for o in stage.asked("walk").options}
    assert (drips["a7"], drips["a.n"]) == (True, None)


def test_a_refused_way_changes_nothing():
    """What is not offered is refused, and the question stays open."""
    stage = Stage(maze(START), hand("move"))
    stage.say("act play.move")
    with pytest.raises(IllegalAnswer):
        stage.say("walk a8")

    assert stage.kind == "walk"


def test_sides_face_each_other():
    """North is up: y grows to the south and x to the east."""
    assert [BEYOND[side] for side in SIDES] == [(0, -1), (1, 0), (0, 1), (-1, 0)]
