"""[Dangers] and [Resolving Dangers]: each of the six, walked into, scouted and on a map."""

from __future__ import annotations

import pytest

from tests.games.fear_of_the_dark.dangerous import scouted, walked
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
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

ALL = ("terror", "knockout", "propuh", "collapse", "locking", "leakage")
BESIDE_SECRET = ALONE.replace("|...|", "|.A.|", 1)


@pytest.mark.parametrize("kind", ALL)
def test_rule_f1_walking_triggers_every_danger(kind):
    """RULE-F1: whoever walks in meets each of the six."""
    stage = walked(kind, "scout")

    (told,) = stage.told("danger_drawn")
    assert (told["danger"], told["triggered"], told["how"]) == (kind, True, "walk")


@pytest.mark.parametrize("kind", ALL)
def test_rule_f1_scouting_draws_the_card_and_only_leakage_takes_hold(kind):
    """RULE-F1: a card is drawn for a scouted room too; those with the walk icon do nothing."""
    stage = scouted(kind, "move")

    (told,) = stage.told("danger_drawn")
    assert (told["danger"], told["triggered"]) == (kind, kind == "leakage")
    assert told["how"] == "scout"
    assert stage.view.dangers == (kind,)
    assert stage.view.dangers_left == 1


@pytest.mark.parametrize("kind", [kind for kind in ALL if kind != "leakage"])
def test_rule_f1_a_scouted_danger_changes_nothing(kind):
    """RULE-F1: no card, tile or token moves but the danger card, which is discarded."""
    stage = scouted(kind, "move")
    view = stage.view

    assert stage.hand == ["move"]
    assert (len(view.gone), view.terrors, view.tiles_left, view.aside) == (0, 0, 2, 3)
    assert view.maze.tokens == {}


def test_c_f8_a_scouted_knockout_adds_no_tile():
    """C-F8: nothing happens and the deck is as it was."""
    stage = scouted("knockout")

    assert (stage.view.tiles_left, stage.view.aside) == (2, 3)
    assert "knocked_out" not in stage.heard()


def test_a_harmless_room_draws_no_card():
    """[The Cards] A danger card is for a room with the danger icon."""
    stage = Stage(maze(ALONE), hand("move"), tiles("hall", "hall"), dangers("terror"))
    stage.say("act play.move", "walk a.w")

    assert "danger_drawn" not in stage.heard()
    assert stage.view.dangers_left == 1


def test_rule_f19_a_knockout_puts_a_tile_under_the_deck():
    """RULE-F19: one of those set aside goes to the bottom: it comes after all the others."""
    stage = walked("knockout")

    assert (stage.view.tiles_left, stage.view.aside) == (3, 2)
    assert stage.told("knocked_out") == [{"left": 3}]
    assert stage.state.tiles[1:] == ["hall", "hall"]


def test_rule_f19_a_knockout_closes_the_exit_again():
    """RULE-F19: with the last room revealed there is one more to reveal."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("lair"), dangers("knockout"))
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.view.tiles_left == 1
    assert stage.view.exits == ()
    stage.say("act give.move")
    assert stage.option("walk", "b.w").word == "reveal"


def test_rule_f19_with_no_tile_aside_a_knockout_does_nothing():
    """RULE-F19: none left, no effect; the card is discarded."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("lair", "hall"),
        lambda g: g.aside.clear(),
        dangers("knockout"),
    )
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.view.tiles_left == 1
    assert stage.told("danger_without_effect") == [{"danger": "knockout", "reason": "no_tiles"}]


def test_c_f26_propuh_returns_the_whole_hand():
    """C-F26: of 4 cards in hand all go to the deck, it is dark, and none is lost."""
    stage = walked("propuh", "scout", "clear", "light", "explore")

    assert (stage.hand, len(stage.view.deck), len(stage.view.gone)) == ([], 9, 0)
    assert not stage.view.light
    assert stage.told("darkness_fell") == [{"reason": "propuh", "cards": 4}]


def test_rule_f23_propuh_with_the_last_card_in_play():
    """RULE-F23: the played card has gone back before; the wind takes the light it left."""
    stage = walked("propuh")

    assert stage.told("darkness_fell") == [{"reason": "propuh", "cards": 0}]
    assert len(stage.view.deck) == 9


def test_rule_f23_propuh_in_the_dark_does_nothing():
    """RULE-F23: where there is no hand the wind finds nothing."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("lair", "hall"), dangers("propuh"))
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.told("danger_without_effect") == [{"danger": "propuh", "reason": "no_light"}]
    assert "darkness_fell" not in stage.heard()


@pytest.mark.parametrize(("kind", "lying"), [("locking", "lock"), ("collapse", "obstruction")])
def test_c_f10_a_token_on_the_field_just_left(kind, lying):
    """C-F10 [Scenario 1 - Walked into] The door field of the room before is barred."""
    stage = walked(kind)

    assert stage.view.lost == "B6"
    assert stage.view.maze.tokens == {"A4": lying}
    assert stage.told("token_placed") == [{"token": lying, "field": "A4"}]


def test_rule_f21_the_way_back_is_barred_and_not_the_lost():
    """RULE-F21: the Lost may walk about in the new room, but not back."""
    stage = walked("locking")
    stage.say("act give.move")

    assert "a4" not in stage.choices("walk")
    assert {"b5", "b4"} <= set(stage.choices("walk"))


def test_rule_f21_it_lies_before_the_door_wherever_the_move_began():
    """RULE-F21: the field just left is the one in front of the door, not where the move began."""
    stage = Stage(maze(ALONE), hand("move"), tiles("lair", "hall"), dangers("collapse"))
    stage.say("act play.move", "walk a.w")

    assert stage.view.maze.tokens == {"A4": "obstruction"}


def test_rule_f20_without_a_lock_left_locking_does_nothing():
    """RULE-F20: all four lie in the maze, so none is placed."""
    drawing = ALONE.replace("|...|", "|X.X|")
    stage = Stage(maze(drawing), lost("A4"), tiles("lair", "hall"), dangers("locking"))
    assert stage.view.locks_left == 0
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert "A4" not in stage.view.maze.tokens
    assert stage.told("danger_without_effect") == [{"danger": "locking", "reason": "no_tokens"}]


def test_c_f9_a_scouted_leakage_takes_the_room_and_not_the_hand():
    """C-F9 [Scenario 2 - Scouted] The token is laid; the hand is kept until one enters."""
    stage = scouted("leakage", "move", "clear")
    assert stage.view.maze.rooms["B"].leakage
    assert stage.hand == ["move", "clear"]
    assert stage.told("leak_sprung") == [{"room": "B", "tile": "lair"}]
    stage.say("act play.move", "walk b6")

    assert stage.hand == []
    assert stage.told("darkness_fell") == [{"reason": "leak", "cards": 1}]


def test_rule_f22_walked_into_leakage_takes_the_hand_at_once():
    """RULE-F22: who stands in the room when it springs is in the dark at once."""
    stage = walked("leakage", "scout")

    assert stage.view.leaking
    assert stage.hand == []
    assert stage.told("darkness_fell") == [{"reason": "leak", "cards": 1}]


def test_rule_f22_in_the_leaking_room():
    """RULE-F22: no match, no scrap paper; a Match item may be taken, and dark discards work."""
    stage = Stage(
        maze(BESIDE_SECRET),
        leak("A"),
        token(a4="obstruction"),
        keep("scrap", "match"),
        lambda g: setattr(g, "matches", 3),
        location("A", "map"),
    )

    assert set(stage.choices("act")) == {"use.match", "give.move", "give.clear"}
    stage.say("act use.match")
    assert stage.view.matches == 4


def test_there_is_one_leakage_token():
    """[Components] A second leak, if a box had the card, would find no token."""
    stage = Stage(maze(ALONE), lost("A4"), leak("A"), tiles("lair", "hall"), dangers("leakage"))
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert not stage.view.maze.rooms["B"].leakage
    assert stage.told("danger_without_effect") == [{"danger": "leakage", "reason": "no_tokens"}]


def test_rule_f32_an_empty_danger_deck():
    """RULE-F32: no card, no effect; the discards are not shuffled."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("lair", "hall"),
        dangers(),
        lambda g: g.spent_dangers.append("terror_1"),
    )
    events = stage.say("act give.move", "walk a.w", "give_up move_1")

    assert "dangers_ran_out" in kinds(events)
    assert "danger_drawn" not in kinds(events)
    assert stage.view.terrors == 0


def test_danger_cards_are_drawn_from_the_top():
    """[Special rooms] The top card is resolved first, then the one below it."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("lair", "lair_2", "hall"),
        dangers("propuh", "knockout"),
    )
    stage.say("act give.move", "walk a.w", "give_up move_1")
    stage.say("act give.move", "walk b.w", "give_up move_2")

    assert [told["danger"] for told in stage.told("danger_drawn")] == ["propuh", "knockout"]


def test_rule_f28_a_room_from_a_map_draws_no_danger():
    """RULE-F28: whoever follows a map passes by the danger; the card stays on its deck."""
    stage = Stage(
        maze(BESIDE_SECRET),
        hand("explore"),
        tiles("lair", "hall"),
        dangers("leakage"),
        location("A", "map"),
    )
    stage.say("act play.explore", "map a.w")

    assert "B" in stage.view.maze.rooms
    assert "danger_drawn" not in stage.heard()
    assert stage.view.dangers_left == 1
