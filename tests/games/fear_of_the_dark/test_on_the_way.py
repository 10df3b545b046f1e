"""[Dangers] and [Items] on the way: the leaking room, and what is done between two steps."""

from __future__ import annotations

from tests.games.fear_of_the_dark.box import with_number
from tests.games.fear_of_the_dark.stage import (
    PAIR,
    Stage,
    facts,
    hand,
    keep,
    leak,
    lost,
    maze,
    minds,
    tiles,
    token,
)


def test_rule_f38_a_key_in_the_middle_of_a_move():
    """RULE-F38: the move goes on from a lock to which a key is held, and then behind it."""
    drawing = PAIR.replace("|..@D", "|@..D")
    stage = Stage(maze(drawing), token(b4="lock"), hand("move", "scout"), keep("key"))
    stage.say("act play.move", "walk a6")
    assert stage.asked("go_on").about == {"action": "move", "steps": 2, "light": True, "tiles": 12}
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
