"""[The Maze and Movement], [Types of fields] and the two printed scenarios of [Actions]."""

from __future__ import annotations

import pytest

from engines.fear_of_the_dark.maze import BEYOND, SIDES
from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    facts,
    hand,
    keep,
    kinds,
    leak,
    location,
    lost,
    maze,
    minds,
    tiles,
    token,
    with_number,
)

START = """
+-D-+
|.O.|
D.@XD
|.#.|
+-D-+
"""
PAIR = """
+---+ +---+
|...| |...|
|..@D D...|
|...| |...|
+---+ +---+
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


def test_c_f6_clearing_in_the_dark_costs_a_card():
    """C-F6: an obstruction beside is cleared for one deck card, which is lost."""
    stage = Stage(maze(START))
    stage.say("act give.clear", "give_up clear_1")

    assert "A8" not in stage.view.maze.tokens
    assert (len(stage.view.deck), len(stage.view.gone)) == (8, 1)
    assert stage.told("cleared") == [{"field": "A8"}]


def test_clearing_takes_one_obstruction_of_ones_choice():
    """[Mind Cards] Of several beside, one is chosen; locks are none; the token is free again."""
    stage = Stage(maze(ALONE), token(a2="obstruction", a4="obstruction", a6="lock"), hand("clear"))
    stage.say("act play.clear")
    assert stage.choices("clear") == ("a2", "a4", "back")
    before = stage.view.obstructions_left
    stage.say("clear a4")

    assert stage.view.maze.tokens == {"A2": "obstruction", "A6": "lock"}
    assert stage.view.obstructions_left == before + 1


def test_clearing_reaches_through_an_open_door_and_not_aslant():
    """[Mind Cards] Next to you: one step away, also in the next room; never diagonally."""
    stage = Stage(maze(PAIR), token(b4="obstruction", a2="obstruction"), hand("clear"))
    stage.say("act play.clear")
    assert stage.view.maze.tokens == {"A2": "obstruction"}

    assert "give.clear" not in stage.choices("act")


def test_clearing_may_be_taken_back():
    """Before the card is played, the choice of the obstruction may be taken back."""
    stage = Stage(maze(ALONE), token(a2="obstruction", a4="obstruction"), hand("clear"))
    stage.say("act play.clear", "clear back")

    assert stage.hand == ["clear"]
    assert len(stage.view.maze.tokens) == 2


def test_rule_f38_a_key_in_the_middle_of_a_move():
    """RULE-F38: the move goes on from a lock to which a key is held, and then behind it."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), hand("move", "scout"), keep("key"))
    stage.say("act play.move", "walk a6")
    assert stage.asked("go_on").about == {"action": "move", "steps": 2, "light": True}
    assert "use.key" in stage.choices("go_on")
    assert "b4" not in stage.choices("go_on")
    stage.say("go_on use.key")
    assert stage.choices("go_on")[-1] == "stop"
    stage.say("go_on b5")

    assert stage.view.lost == "B5"
    assert stage.kind == "act"


def test_rule_f38_a_move_may_be_stopped():
    """RULE-F38: going on is a may; the steps left are lost then."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), hand("move", "scout"), keep("key"))
    stage.say("act play.move", "walk a6", "go_on stop")

    assert (stage.kind, stage.view.lost, stage.view.steps) == ("act", "A6", 0)
    assert stage.kept == ["key"]


def test_rule_f38_without_steps_left_nothing_is_asked():
    """RULE-F38: at the lock with the last step the move is over; the key can be used after it."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), hand("scout"), keep("key"))
    stage.say("act two_steps", "walk a6")

    assert stage.kind == "act"
    assert "use.key" in stage.choices("act")


def test_rule_f38_without_a_key_nothing_is_asked():
    """RULE-F38: a lock that nobody can open ends the walk like any field."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), hand("move", "scout"))
    stage.say("act play.move", "walk a6")

    assert stage.kind == "act"


def test_the_last_card_given_up_strikes_no_match_on_the_way():
    """RULE-F42: with no mind card left there is nothing to hold a light with."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), minds("move"), keep("key"))
    stage.say("act give.move", "walk a6", "give_up move_1")

    assert "strike" not in stage.choices("go_on")


RING = """
+---+ +---+ +---+
|...| |...| |...|
|..@D D...D D...|
|...| |...| |...|
+---+ +---+ +-D-+
"""

LOOP = """
+---+ +---+
|...| |...|
|...D D...|
|.@.| |...|
+-D-+ +-D-+
+-D-+ +-D-+
|...| |...|
|...D D...|
|...| |...|
+---+ +---+
"""


def test_rule_f22_passing_the_leak_takes_the_hand():
    """RULE-F22: the hand is returned in the middle of the move, and the move is completed."""
    stage = Stage(maze(RING), leak("B"), hand("move", "scout", "clear"))
    events = stage.say("act play.move", "walk c4")

    assert stage.view.lost == "C4"
    assert facts(events, "darkness_fell") == {"reason": "leak", "cards": 2}
    assert (len(stage.view.hand), len(stage.view.deck)) == (0, 9)
    assert not stage.view.light


def test_rule_f22_outside_it_stays_dark():
    """RULE-F22: outside again it stays dark until a match burns; steps out of it take nothing."""
    stage = Stage(maze(RING), leak("B"), hand("move", "scout"))
    stage.say("act play.move", "walk b5", "act give.move", "walk a6", "give_up move_1")

    assert not stage.view.light
    assert "strike" in stage.choices("act")
    assert len(stage.told("darkness_fell")) == 1


def test_rule_f22_with_the_last_card_in_play_darkness_falls_once():
    """RULE-F22, RULE-F7: the water puts out what light is left, and that is told once."""
    stage = Stage(maze(RING), leak("B"), hand("move"))
    events = stage.say("act play.move", "walk b5")

    assert facts(events, "darkness_fell") == {"reason": "leak", "cards": 0}


def test_rule_f22_it_is_dark_there_in_the_middle_of_a_move():
    """RULE-F22: while a move pauses in the leaking room it is dark already, and no match burns."""
    stage = Stage(
        maze(RING), leak("B"), token(b5="lock"), keep("key", "scrap"), hand("move", "clear")
    )
    stage.say("act play.move", "walk b4")

    assert stage.kind == "go_on"
    assert not stage.view.light
    assert not {"strike", "use.scrap"} & set(stage.choices("go_on"))


def test_rule_f43_in_the_light_the_way_goes_around_the_leak():
    """RULE-F43: of two ways the dry one is taken where it is short enough, though it is longer."""
    stage = Stage(
        maze(LOOP), lost("A8"), leak("C"), hand("move", "scout"), content=with_number(move=8)
    )
    stage.say("act play.move")
    option = stage.option("walk", "d4")
    assert (option.about["steps"], option.about["leaks"]) == (8, False)
    stage.say("walk d4")

    assert "C2" not in stage.told("walked")[0]["path"]
    assert stage.hand == ["scout"]


def test_rule_f43_through_the_leak_where_no_other_way_is_short_enough():
    """RULE-F43: with four steps only the wet way gets there; the option says that it leaks."""
    stage = Stage(maze(LOOP), lost("A8"), leak("C"), hand("move", "scout"))
    stage.say("act play.move")
    option = stage.option("walk", "d4")
    assert (option.about["steps"], option.about["leaks"]) == (4, True)
    stage.say("walk d4")

    assert stage.hand == []


def test_rule_f43_in_the_dark_the_shortest_way_is_taken():
    """RULE-F43: without a hand the water takes nothing, so no step is spent on going around."""
    stage = Stage(maze(LOOP), lost("A8"), leak("C"), content=with_number(move=8))
    stage.say("act give.move", "walk d4", "give_up move_1")

    assert stage.told("walked")[0]["path"] == ("C2", "C3", "C6", "D4")


def test_rule_f43_a_door_that_only_the_wet_way_reaches_in_time():
    """RULE-F43: the field before it can be had dry, but then no step is left to go out with."""
    drawing = LOOP[::-1].replace("+---+", "+-D-+", 1)[::-1]
    stage = Stage(
        maze(drawing),
        lost("A8"),
        leak("C"),
        hand("move", "scout"),
        tiles("hall"),
        content=with_number(move=8),
    )
    assert stage.view.doors == ("D.s",)
    stage.say("act play.move")
    assert stage.option("walk", "d8").about["steps"] == 8
    assert stage.option("walk", "d.s").about["steps"] == 7
    assert stage.option("walk", "d.s").about["leaks"] is True
    stage.say("walk d.s")

    assert len(stage.told("walked")[0]["path"]) == 6


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
    """An explored location is nothing to be near to; water is, and so is the way out."""
    drawing = ALONE.replace("|...|", "|1.A|", 1)
    stage = Stage(
        maze(drawing), leak("A"), tiles(), location("1"), location("A"), location("2", "key")
    )
    stage.say("act give.move")
    near = {o.key: o.about.get("near") for o in stage.asked("walk").options}

    assert near["a2"] == ["exit", "leakage"]
    assert near["a7"] == ["leakage"]


def test_rule_f38_a_key_where_no_step_leads_on():
    """RULE-F38: off a hole between locks nothing can be walked to, but a lock can be opened."""
    drawing = """
    +---+
    |.X.|
    |O.XD
    |.X.|
    +---+
    """
    stage = Stage(maze(drawing), lost("A4"), keep("key"), tiles("hall", "hall"))
    stage.say("act give.move", "walk a5", "give_up scout_1")
    assert stage.choices("go_on") == ("strike", "use.key", "stop")
    stage.say("go_on use.key", "unlock a6", "go_on a.e")

    assert stage.view.lost == "B4"


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
