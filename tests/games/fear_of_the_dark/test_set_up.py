"""[Setup], [Components] and [Difficulty]: what lies where before the first decision."""

from __future__ import annotations

import re
from collections import Counter
from typing import get_args

import pytest

from engines.fear_of_the_dark.cards import Action
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.retold import HIDDEN
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.stage import (
    Stage,
    tiles,
)


def test_c_f1_the_piles_after_the_deal():
    """C-F1: 12 tiles in the deck, 3 aside, two items and two secrets at each of four locations."""
    g = Stage().state

    assert (len(g.tiles), len(g.aside)) == (12, 3)
    assert sorted([*g.tiles, *g.aside]) == sorted(CONTENT.tiles)
    assert [len(pile) for pile in g.items] == [2, 2, 2, 2]
    assert [len(pile) for pile in g.secrets] == [2, 2, 2, 2]
    assert len(g.dangers) == 13
    item, secret = g.boxed
    assert Counter(card for pile in g.items for card in pile) + Counter([item]) == Counter(
        tuple(CONTENT.items)
    )
    assert Counter(card for pile in g.secrets for card in pile) + Counter([secret]) == Counter(
        tuple(CONTENT.secrets)
    )


def test_the_piles_are_shuffled():
    """Two games with other keys have other orders of all that is shuffled."""
    one, other = Stage(key="01").state, Stage(key="02").state

    assert one.tiles != other.tiles
    assert one.items != other.items
    assert one.secrets != other.secrets
    assert one.dangers != other.dangers


def test_what_went_back_into_the_box_is_nobodys_to_know():
    """C-F1: one item and one secret are out of the game, and nothing that is seen or told has them.

    When it is over their draws are open like all others: then nobody can gain by them.
    """
    stage = Stage()
    boxed = stage.state.boxed

    assert len(boxed) == 2
    assert not hasattr(stage.view, "boxed")
    assert not any(card in repr(stage.view) for card in boxed)
    assert not any(card in repr(stage.play.events) for card in boxed)
    assert HIDDEN == ()


def test_rule_f12_the_starting_tile():
    """RULE-F12: left is free, up a hole, down an obstruction, right a lock; a door on each side."""
    view = Stage().view
    room = view.maze.rooms["A"]

    assert view.lost == "A5"
    assert room.doors == ("n", "e", "s", "w")
    assert (room.fields[3], room.fields[1]) == (".", "O")
    assert view.maze.tokens == {"A8": "obstruction", "A6": "lock"}
    assert (view.obstructions_left, view.locks_left) == (9, 3)


def test_it_begins_in_darkness_with_no_mind_hand():
    """[The Basics] All nine mind cards are in the deck, nothing is in hand and nothing is lost."""
    view = Stage().view

    assert not view.light
    assert (len(view.hand), len(view.deck), len(view.gone)) == (0, 9, 0)
    assert view.kept == ()


@pytest.mark.parametrize(
    ("difficulty", "count", "deadly"),
    [("easy", 6, False), ("normal", 6, True), ("hard", 5, True), ("very_hard", 4, True)],
)
def test_c_f31_matches_by_difficulty(difficulty, count, deadly):
    """C-F31: 6, 6, 5 and 4 matches; there is instant death except on Easy."""
    stage = Stage(difficulty=difficulty)

    assert (stage.view.matches, stage.view.deadly) == (count, deadly)
    (awoke,) = [n.event for n in stage.play.events if n.event.kind == "awoke"]
    assert awoke.data == {
        "difficulty": difficulty,
        "matches": count,
        "deadly": deadly,
        "tiles": 12,
        "tale": awoke.data["tale"],
    }
    assert re.fullmatch(r"start_[1-4]", str(awoke.data["tale"]))


def test_rule_f35_six_actions_under_one_name_each():
    """RULE-F35: walking is Move and investigating is Explore, everywhere."""
    assert get_args(Action) == ("move", "tiptoe", "scout", "explore", "clear", "light")
    assert {mind.action for mind in CONTENT.minds.values()} == set(get_args(Action))


def test_one_to_eight_seats():
    """Up to eight share the Lost, and one can play alone."""
    assert GAME.seats == range(1, 9)


def test_the_next_tile_is_the_top_of_the_deck():
    """The tile that is revealed first is the last of the pile, and it leaves the pile."""
    stage = Stage(tiles("corner", "hall"))
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.told("tile_revealed")[0]["tile"] == "corner"
    assert stage.view.tiles_left == 1
