"""[When revealing a room]: entering, going on, tokens, and what is told."""

from __future__ import annotations

import pytest

from tests.games.fear_of_the_dark.box import tile, with_tiles
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    facts,
    hand,
    keep,
    kinds,
    lost,
    matches,
    maze,
    tiles,
)


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


@pytest.mark.parametrize("tile", ["lair", "dread"])
def test_rule_f16_while_a_danger_is_answered_no_step_is_shown(tile):
    """RULE-F16: in a dangerous room, be it an echo, nothing is in reach while a Terror asks."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(tile, "hall"), dangers("terror"))
    stage.say("act give.move", "walk a.w", "give_up scout_1")

    assert (stage.kind, stage.view.lost) == ("lose_card", "B6")
    assert (stage.view.steps, stage.view.reach) == (0, ())


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
        "echo": False,
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
    """RULE-F38: a match may be struck and an item used between steps; scrap needs a hand."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        hand("move"),
        tiles("hall", "hall"),
        matches(3),
        keep("match", "scrap"),
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


def facts_of(stage: Stage, kind: str):
    """The facts of the only event of that kind."""
    (told,) = stage.told(kind)
    return told
