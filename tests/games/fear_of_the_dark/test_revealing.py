"""[When revealing a room]: rotation, neighbours, entering, going on, and what is told."""

from __future__ import annotations

import pytest

from engines.fear_of_the_dark.maze import lies
from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    facts,
    hand,
    keep,
    kinds,
    location,
    lost,
    matches,
    maze,
    tile,
    tiles,
    with_tiles,
)

CORNER = """
+---+ +-D-+
|...| |...|
|...| D.@.|
|...| |...|
+-D-+ +---+
"""
"""B's west door is shut by A's wall."""

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


def test_the_next_room_is_placed_door_to_door():
    """[The Maze and Movement] The tile lies behind the door, a door of its own meeting it."""
    stage = Stage(maze(ALONE), hand("scout"), lost("A6"), tiles("passage"))
    stage.say("act play.scout")
    room = stage.view.maze.rooms["B"]

    assert (room.x, room.y) == (1, 0)
    assert room.doors == ("e", "w")
    assert stage.view.maze.door("A", "e") == "open"


def test_scouting_is_done_in_front_of_a_door_that_leads_to_nothing_yet():
    """[Mind Cards] Next to an unused door while there are tiles, not elsewhere."""
    assert "play.scout" in Stage(maze(ALONE), lost("A6"), hand("scout")).choices("act")
    for arrange in (lost("A5"), lost("A3")):
        assert "play.scout" not in Stage(maze(ALONE), arrange, hand("scout")).choices("act")
    at_the_exit = Stage(maze(ALONE), lost("A6"), tiles(), hand("scout"))
    assert "play.scout" not in at_the_exit.choices("act")
    stage = Stage(maze(ALONE), lost("A6"), tiles("hall", "hall"), hand("scout", "move"))
    stage.say("act play.scout")

    assert "give.scout" not in stage.choices("act")


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
    }


def test_c_f11_the_move_goes_on_in_a_room_without_danger():
    """C-F11: with 3 steps left after the door up to 3 more may be made, or none."""
    stage = Stage(maze(ALONE), lost("A4"), hand("move", "scout"), tiles("hall", "hall"))
    stage.say("act play.move", "walk a.w")
    assert (stage.kind, stage.view.lost) == ("go_on", "B6")
    assert stage.asked("go_on").about["steps"] == 3
    assert stage.option("go_on", "b4").about["steps"] == 2
    assert stage.option("go_on", "b.w").about["steps"] == 3
    stage.say("go_on b.w")

    assert stage.view.lost == "C6"
    assert stage.kind == "act"


def test_c_f11_a_fourth_step_is_not_there():
    """C-F11: what the door has cost cannot be walked again."""
    stage = Stage(maze(ALONE), lost("A4"), hand("move"), tiles("hall", "hall"))
    stage.say("act play.move", "walk a.w", "go_on stop")
    assert stage.view.steps == 0
    other = Stage(maze(ALONE), lost("A5"), hand("move"), tiles("hall", "hall"))
    other.say("act play.move", "walk a.w")

    assert other.asked("go_on").about["steps"] == 2
    assert "b.w" not in other.choices("go_on")


def test_rule_f16_after_a_dangerous_room_the_steps_are_forfeited():
    """RULE-F16: even if the card had no effect, or none was left."""
    for cards in (("propuh",), ()):
        stage = Stage(maze(ALONE), lost("A4"), tiles("lair", "hall"), dangers(*cards))
        stage.say("act give.move", "walk a.w", "give_up move_1")

        assert (stage.kind, stage.view.lost) == ("act", "B6")


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


@pytest.mark.parametrize(("name", "mark"), [("pits", "O"), ("rubble", "#"), ("bars", "X")])
def test_rule_f15_blocked_the_lost_stays_at_the_door(name, mark):
    """RULE-F15: with no free field behind the door the tile is revealed and the move over."""
    stage = Stage(maze(ALONE), hand("move", "scout"), tiles(name, "hall"))
    events = stage.say("act play.move", "walk a.w")

    assert stage.view.maze.rooms["B"].fields[5] == mark
    assert (stage.kind, stage.view.lost) == ("act", "A4")
    assert facts(events, "blocked") == {"room": "B", "tile": name, "side": "w"}


def test_rule_f15_the_danger_of_a_blocked_room_counts_as_walked():
    """RULE-F15: the tile was revealed by walking, so a walk icon holds."""
    stage = Stage(maze(ALONE), hand("move", "scout"), tiles("ruin", "hall"), dangers("propuh"))
    stage.say("act play.move", "walk a.w")

    assert stage.view.lost == "A4"
    assert facts_of(stage, "danger_drawn")["triggered"] is True
    assert stage.hand == []


@pytest.mark.parametrize("kind", ["collapse", "locking"])
def test_rule_f15_no_token_lies_where_the_lost_still_stands(kind):
    """RULE-F15, RULE-F21: nothing was left behind, so nothing is barred."""
    stage = Stage(maze(ALONE), hand("move", "scout"), tiles("ruin", "hall"), dangers(kind))
    stage.say("act play.move", "walk a.w")

    assert "A4" not in stage.view.maze.tokens
    assert facts_of(stage, "danger_without_effect") == {"danger": kind, "reason": "standing_there"}
    assert stage.view.dangers == (kind,)


def test_rule_f15_tiptoe_enters_a_hole():
    """RULE-F15: on tiptoe the hole behind the door is entered, and no lie is kept back."""
    stage = Stage(maze(ALONE), lost("A4"), hand("tiptoe"), tiles("pits", "hall"))
    stage.say("act play.tiptoe", "walk a.w")

    assert stage.view.lost == "B6"
    other = Stage(maze(ALONE), lost("A4"), hand("tiptoe"), tiles("pit", "hall"))
    other.say("act play.tiptoe", "walk a.w")
    assert len(other.choices("rotate")) == 2


def test_printed_tokens_are_placed_last():
    """[When revealing a room] Tokens come after dangers."""
    content = with_tiles(heap=tile("+-D-+ |...| |.#.| |...| +-D-+", danger=True))
    stage = Stage(
        maze(ALONE), hand("move"), tiles("heap", "hall"), dangers("collapse"), content=content
    )
    events = stage.say("act play.move", "walk a.w")

    placed = [e.data["field"] for e in events if e.kind == "token_placed"]
    assert placed == ["A4", "B5"]


def test_tokens_lie_as_the_tile_was_turned():
    """[A Quick Guide to the Maze] The highlighted fields of the tile as it lies get the tokens."""
    stage = Stage(maze(ALONE), lost("A8"), hand("scout"), tiles("stores", "hall"))
    stage.say("act play.scout", "rotate turn.2")
    view = stage.view

    assert view.maze.rooms["B"].fields == "B.AX.#2.1"
    assert view.maze.tokens == {"B4": "lock", "B6": "obstruction"}


def test_rule_f20_without_a_token_left_none_is_placed():
    """RULE-F20: beyond ten obstructions and four locks nothing is laid; the field is free then."""
    drawing = """
    +---+ +-D-+
    |###| |...|
    |###D D#.@D
    |###| |...|
    +---+ +---+
    """
    stage = Stage(maze(drawing, "BA"), hand("scout"), tiles("rubble", "hall"))
    assert stage.view.obstructions_left == 0
    stage.say("act play.scout")

    assert not any(place.startswith("C") for place in stage.view.maze.tokens)
    assert stage.view.obstructions_left == 0


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


def test_c_f17_with_a_tile_left_a_door_reveals_and_does_not_win():
    """C-F17: through the open door lies the last room, not the way out."""
    stage = Stage(maze(ALONE), hand("move"), tiles("hall"))
    stage.say("act play.move")
    assert stage.option("walk", "a.w").word == "reveal"
    stage.say("walk a.w")

    assert not stage.is_over
    assert stage.view.tiles_left == 0
    assert {o.word for o in stage.asked("go_on").options if "." in o.key} <= {"exit", "strike"}


def test_the_exit_can_be_reached_in_the_same_move():
    """[Objective] The move goes on out of the last room, if a step is left for its door."""
    stage = Stage(maze(ALONE), lost("A4"), hand("move"), tiles("hall"))
    stage.say("act play.move", "walk a.w", "go_on b.n")

    assert stage.outcome.ending == "escaped"


def test_what_is_told_of_a_reveal():
    """Tile, icons, what is left, where it was placed: in this order, then who walks in."""
    stage = Stage(maze(ALONE), hand("move"), tiles("hall", "hall"))
    events = stage.say("act play.move", "walk a.w")

    assert kinds(events) == ["card_played", "walked", "tile_revealed", "tile_placed", "walked"]
    told = facts(events, "tile_revealed")
    assert told.pop("tale") in [f"hall_{n}" for n in range(1, 5)]
    assert told == {
        "room": "B",
        "tile": "hall",
        "how": "walk",
        "danger": False,
        "echo": False,
        "left": 1,
    }
    assert facts(events, "tile_placed") == {
        "room": "B",
        "tile": "hall",
        "turn": 0,
        "doors": ("n", "e", "s", "w"),
        "from_room": "A",
        "side": "w",
    }


def test_rule_f2_a_room_that_is_entered_again_is_safe():
    """RULE-F2: a danger card is drawn once for each tile, when it is revealed."""
    drawing = ALONE.replace("-D-", "---", 1)
    stage = Stage(maze(drawing), lost("A4"), tiles("lair", "hall"), dangers("propuh", "propuh"))
    stage.say("act give.move", "walk a.w", "give_up move_1")
    stage.say(
        "act give.move", "walk a5", "give_up move_2", "act give.move", "walk b5", "give_up move_3"
    )

    assert stage.view.lost == "B5"
    assert len(stage.told("danger_drawn")) == 1


def test_free_acts_in_a_room_just_entered():
    """RULE-F38: between steps a match may be struck and an item used."""
    stage = Stage(
        maze(ALONE), lost("A4"), hand("move"), tiles("hall", "hall"), matches(3), keep("match")
    )
    stage.say("act play.move", "walk a.w")
    assert {"strike", "use.match", "stop"} <= set(stage.choices("go_on"))
    assert "use.scrap" not in stage.choices("go_on")
    stage.say("go_on use.match", "go_on strike", "build move_1 scout_1 clear_1", "go_on b4")

    assert stage.view.lost == "B4"
    assert (stage.view.matches, len(stage.view.hand)) == (3, 3)
    assert "darkness_fell" not in stage.heard()


def test_rule_f38_scrap_paper_on_the_way():
    """RULE-F38: with a hand card left scrap paper may be used while the move goes on."""
    stage = Stage(
        maze(ALONE), lost("A4"), hand("move", "scout"), tiles("hall", "hall"), keep("scrap")
    )
    stage.say("act play.move", "walk a.w", "go_on use.scrap", "build move_1 scout_1 clear_1")

    assert stage.kind == "go_on"
    assert len(stage.view.hand) == 3


def test_rule_f38_a_move_that_cannot_go_on_is_not_asked_about():
    """RULE-F38: from a hole into a nook between holes no step leads on."""
    content = with_tiles(nook=tile("+-D-+ |O.O| |.O.| |...| +-D-+"))
    stage = Stage(
        maze(ALONE.replace("...", ".O.", 1)), lost("A2"), tiles("nook", "hall"), content=content
    )
    stage.say("act give.move", "walk a.n", "give_up move_1", "rotate turn.2")

    assert (stage.kind, stage.view.lost) == ("act", "B8")


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


def facts_of(stage: Stage, kind: str):
    """The facts of the only event of that kind."""
    (told,) = stage.told(kind)
    return told
