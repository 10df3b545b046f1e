"""[The Maze and Movement] How a revealed tile may lie: doors, neighbours, and a maze kept open."""

from __future__ import annotations

import pytest

from engines.fear_of_the_dark.maze import lies
from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.box import tile, with_tiles
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    hand,
    location,
    lost,
    maze,
    tiles,
)

DEAD_ENDS = """
      +---+
      |...|
      |...|
      |...|
      +-D-+
+---+       +-D-+
|...|       |...|
|..@D       |...|
|...|       |...|
+---+       +---+
"""
"""A room revealed east of B meets A's door to the north and C's wall to the east."""


def test_rule_f14_the_player_turns_the_tile_after_seeing_it():
    """RULE-F14: every way in which the used door is met is offered, and what each would mean."""
    stage = Stage(maze(ALONE), hand("move"), tiles("corner"))
    stage.say("act play.move", "walk a.w")
    assert stage.asked("rotate").about == {
        "room": "B",
        "tile": "corner",
        "how": "walk",
        "from_room": "A",
        "side": "w",
    }
    doors = [option.about["doors"] for option in stage.asked("rotate").options]
    assert doors == [["n", "e"], ["e", "s"]]
    reveal = stage.view.reveal
    assert reveal is not None
    assert (reveal.tile, reveal.letter, reveal.door, reveal.x, reveal.y) == (
        "corner", "B", "A.w", -1, 0,
    )  # fmt: skip
    assert [list(lie.doors) for lie in reveal.lies] == doors
    stage.say("rotate turn.1")

    assert stage.view.maze.rooms["B"].doors == ("e", "s")
    assert stage.view.reveal is None


def test_rule_f14_a_tile_that_lies_in_one_way_only_is_not_asked_about():
    """RULE-F14: without a choice there is no question."""
    stage = Stage(maze(ALONE), hand("move"), tiles("hall"))
    stage.say("act play.move", "walk a.w")

    assert stage.kind != "rotate"


def test_rule_f14_only_the_used_door_has_to_match():
    """RULE-F14, C-F30: another door may meet a wall; it is shut then, and leads nowhere."""
    stage = Stage(maze(DEAD_ENDS, "BAC"), lost("A6"), hand("scout"), tiles("hall"))
    assert stage.view.doors == ("B.s", "A.e", "C.n")
    stage.say("act play.scout")
    view = stage.view

    assert view.maze.door("D", "e") == "shut"
    assert "D.e" not in view.doors


def test_rule_f14_two_doors_that_meet_are_open():
    """RULE-F14: a second door of the new room that meets a neighbour's door is open too."""
    stage = Stage(maze(DEAD_ENDS, "BAC"), lost("A6"), hand("scout"), tiles("hall"))
    stage.say("act play.scout")
    maze_now = stage.view.maze

    assert maze_now.door("D", "n") == maze_now.door("B", "s") == "open"
    assert "B8" in maze_now.near("D2")
    assert stage.view.doors == ("C.n", "D.s")


def test_the_option_says_which_doors_lead_on():
    """Each lie names its doors that lead on or meet a wall, and what bars them."""
    content = with_tiles(odd=tile("+-D-+ |.O.| |..#D |...| +-D-+"))
    stage = Stage(
        maze(DEAD_ENDS, "BAC"), lost("A6"), hand("scout"), tiles("odd", "hall"), content=content
    )
    stage.say("act play.scout")
    by_turn = {option.key: option.about for option in stage.asked("rotate").options}

    assert by_turn["turn.1"] == {
        "number": 1,
        "doors": ["e", "s", "w"],
        "entry": ".",
        "open": ["s"],
        "shut": ["e"],
        "holes": ["e"],
        "barred": ["s"],
        "item_fields": [],
        "secret_fields": [],
    }


def test_the_option_says_where_something_is_to_be_found():
    """Lies that differ in nothing else still read differently; a searched location is left out."""
    content = with_tiles(odd=tile("+-D-+ |1.A| |...| |2..| +-D-+"))
    stage = Stage(
        maze(ALONE), lost("A4"), hand("scout"), location("2"), tiles("odd", "hall"), content=content
    )
    stage.say("act play.scout")
    found = [
        (option.about["doors"], option.about["item_fields"], option.about["secret_fields"])
        for option in stage.asked("rotate").options
    ]

    assert found == [(["e", "w"], ["B3"], ["B9"]), (["e", "w"], ["B7"], ["B1"])]


def test_rule_f15_another_rotation_is_chosen_for_who_walks():
    """RULE-F15: whoever walks in is only offered lies with a free field behind the door."""
    stage = Stage(maze(ALONE), hand("move"), tiles("pit", "hall"))
    stage.say("act play.move", "walk a.w")

    assert stage.kind == "go_on"
    assert stage.view.maze.rooms["B"].fields == ".....O..."[::-1]
    assert stage.view.lost == "B6"


def test_rule_f15_whoever_scouts_may_choose_any():
    """RULE-F15: it is about entering; a scouted tile may lie with its hole behind the door."""
    stage = Stage(maze(ALONE), lost("A4"), hand("scout"), tiles("pit", "hall"))
    stage.say("act play.scout")

    assert [o.about["entry"] for o in stage.asked("rotate").options] == ["O", "."]


def test_rule_f31_only_lies_that_keep_the_maze_open_are_offered():
    """RULE-F31: a lie that would shut the last door is kept back where another one is open."""
    drawing = """
          +---+
          |...|
          |...|
          |...|
          +-D-+
    +---+
    |...|
    |..@D
    |...|
    +---+
    """
    stage = Stage(maze(drawing, "BA"), lost("A6"), hand("scout"), tiles("corner", "hall"))
    stage.say("act play.scout")

    assert stage.view.maze.rooms["C"].doors == ("s", "w")
    assert stage.view.doors == ("C.s",)


def test_rule_f31_a_lie_with_its_doors_behind_a_lock_comes_second():
    """RULE-F31: keys may all be in the box, so lies with a door that no lock bars come first."""
    content = with_tiles(barred=tile("+-D-+ |.X.| |...D |...| +-D-+"))
    drawing = ALONE.replace("-D-", "---").replace("D.@.D", "|..@D")
    stage = Stage(
        maze(drawing), lost("A6"), hand("scout"), tiles("barred", "hall"), content=content
    )
    stage.say("act play.scout")

    assert [o.about["entry"] for o in stage.asked("rotate").options] == [".", "."]


def test_rule_f31_obstructions_and_holes_bar_nothing_for_good():
    """RULE-F31: they can be cleared and crossed, so such a lie is as good as another."""
    content = with_tiles(rough=tile("+-D-+ |.#.| |..OD |...| +-D-+"))
    drawing = ALONE.replace("-D-", "---").replace("D.@.D", "|..@D")
    stage = Stage(maze(drawing), lost("A6"), hand("scout"), tiles("rough", "hall"), content=content)
    stage.say("act play.scout")

    assert [o.about["entry"] for o in stage.asked("rotate").options] == [".", "O", "#"]


def test_rule_f31_an_obstruction_on_the_way_there_bars_nothing_either():
    """RULE-F31: behind rubble, which can be cleared, a door without a lock is still preferred."""
    content = with_tiles(barred=tile("+-D-+ |.X.| |...D |...| +-D-+"))
    drawing = """
    +---+ +---+
    |.A.| |...|
    |.@#D D...D
    |...| |...|
    +---+ +---+
    """
    stage = Stage(
        maze(drawing),
        hand("explore"),
        tiles("barred", "hall"),
        location("A", "map"),
        content=content,
    )
    stage.say("act play.explore")

    assert [o.about["entry"] for o in stage.asked("rotate").options] == [".", "."]


def test_lies_are_the_different_ones_only():
    """A tile that looks the same after a half turn has two lies, a hall one, an odd tile four."""
    assert len(lies(tile("+-D-+ |...| |...| |...| +-D-+"))) == 2
    assert len(lies(tile("+-D-+ |...| D...D |...| +-D-+"))) == 1
    assert len(lies(tile("+-D-+ |1..| |...| |...| +-D-+"))) == 4


def test_a_lie_turns_fields_and_doors_together():
    """A quarter turn to the right takes the upper left corner to the upper right, north to east."""
    first, second, third, fourth = lies(tile("+-D-+ |1O.| |...| |..A| +---+"))

    assert (first.fields, first.doors) == ("1O......A", ("n",))
    assert (second.turn, second.fields, second.doors) == (1, "..1..OA..", ("e",))
    assert (third.fields, third.doors) == ("A......O1", ("s",))
    assert (fourth.fields, fourth.doors) == ("..AO..1..", ("w",))


def test_a_rotation_that_is_not_offered_is_refused():
    """Only lies in which the used door is met can be chosen."""
    stage = Stage(maze(ALONE), hand("move"), tiles("corner"))
    stage.say("act play.move", "walk a.w")

    with pytest.raises(IllegalAnswer):
        stage.say("rotate turn.2")
