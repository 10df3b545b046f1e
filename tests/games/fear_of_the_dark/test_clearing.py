"""[Mind Cards] Clearing obstructions beside the Lost."""

from __future__ import annotations

from tests.games.fear_of_the_dark.stage import (
    ALONE,
    PAIR,
    Stage,
    hand,
    maze,
    token,
)

START = """
+-D-+
|.O.|
D.@XD
|.#.|
+-D-+
"""


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
