"""What the table shows: the same to all, built from what lies open."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from engines.fear_of_the_dark.view import SeatView
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    hand,
    keep,
    leak,
    location,
    lost,
    maze,
    tiles,
    token,
)


def test_reach_is_what_the_move_under_way_can_reach():
    """While it is asked where to, the fields in reach are those that can be chosen; else none."""
    stage = Stage(maze(ALONE), lost("A1"), hand("move", "scout"))
    assert stage.view.reach == ()
    stage.say("act two_steps")
    asked = {o.key.upper() for o in stage.asked("walk").options if "." not in o.key} - {"BACK"}
    assert set(stage.view.reach) == asked
    assert (stage.view.action, stage.view.steps) == ("move", 2)
    stage.say("walk back")

    assert (stage.view.action, stage.view.steps, stage.view.reach) == (None, 0, ())


def test_on_tiptoe_holes_are_in_reach():
    """The fields in reach are those of the action under way."""
    stage = Stage(maze(ALONE.replace("|...|", "|.O.|", 1)), hand("tiptoe", "move"))
    stage.say("act play.tiptoe")
    assert "A2" in stage.view.reach
    stage.say("walk back", "act play.move")

    assert "A2" not in stage.view.reach


def test_nothing_is_in_reach_while_a_tile_is_turned():
    """The next step leads into the room that is not placed yet."""
    stage = Stage(maze(ALONE), hand("move"), tiles("corner"))
    stage.say("act play.move", "walk a.w")

    assert (stage.kind, stage.view.reach) == ("rotate", ())


def test_near_are_the_fields_beside_the_lost():
    """Whatever lies on them, through open doors too."""
    drawing = """
    +---+ +---+
    |.#.| |...|
    |..@D DX..|
    |...| |...|
    +---+ +---+
    """
    assert sorted(Stage(maze(drawing)).view.near) == ["A3", "A5", "A9", "B4"]


def test_the_chapter_grows_with_each_tile():
    """A fresh table message is due when a room has been revealed, and not before."""
    stage = Stage(maze(ALONE), hand("move", "scout"), tiles("hall", "hall"))
    before = stage.view.chapter
    stage.say("act play.move", "walk a4")
    assert stage.view.chapter == before
    stage.say("act play.scout")

    assert stage.view.chapter == before + 1


def test_exits_are_there_once_no_tile_is_left():
    """Unused doors are shown as exits only then."""
    assert Stage(maze(ALONE), tiles("hall")).view.exits == ()
    assert Stage(maze(ALONE), tiles()).view.exits == ("A.n", "A.e", "A.s", "A.w")


def test_what_is_left_beside_the_board():
    """Tokens, tiles and danger cards are counted; their order and what lies aside is not shown."""
    view = Stage(
        maze(ALONE),
        token(a1="lock", a3="obstruction"),
        tiles("hall", "hall"),
        dangers("terror", "propuh"),
        leak("A"),
        keep("key"),
        location("2", "match"),
    ).view

    assert (view.obstructions_left, view.locks_left, view.secret_doors_left) == (9, 3, 2)
    assert (view.tiles_left, view.aside, view.dangers_left) == (2, 3, 2)
    assert [item.kind for item in view.kept] == ["key"]
    assert (view.locations[1].number, view.locations[1].items, view.locations[1].known) == (
        2,
        1,
        (),
    )
    assert view.leaking


def test_the_deck_lies_in_one_order_always():
    """The mind deck is chosen from, never drawn: its order tells nothing of what was played."""
    stage = Stage(maze(ALONE), hand("move", "scout", "clear"))
    before = [card.id for card in Stage(maze(ALONE)).view.deck]
    stage.say("act two_steps", "walk a1", "plain_card clear_1")
    stage.say("act two_steps", "walk a5", "plain_card move_1", "act two_steps", "walk a1")

    assert [card.id for card in stage.view.deck] == before


@pytest.mark.parametrize("name", ["lost", "maze", "hand"])
def test_a_view_cannot_be_changed(name):
    """It is passed around, so nobody writes into it."""
    view = Stage().view
    assert name in [field.name for field in fields(SeatView)]
    with pytest.raises(FrozenInstanceError):
        setattr(view, name, "")
