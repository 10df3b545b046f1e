"""[Light and Darkness]: cards played by light, and cards given up in either."""

from __future__ import annotations

import pytest

from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    facts,
    hand,
    kinds,
    lost,
    maze,
    minds,
    tiles,
)


def test_who_pays_is_told_for_what():
    """Whoever names the card need not be who chose the way: field or door stand in the question."""
    stage = Stage(maze(ALONE), lost("A4"), hand("scout", "move"))
    stage.say("act two_steps", "walk a.w")
    door = {"field": None, "room": "A", "side": "w"}
    assert stage.asked("plain_card").about == {"steps": 2, **door}
    stage.say("plain_card back", "act give.scout")
    assert {**stage.asked("give_up").about, **door} == stage.asked("give_up").about
    stage.say("give_up back", "act give.light", "confirm_match yes")
    for fact in door:
        assert stage.asked("give_up").about[fact] is None


def test_rule_f7_the_last_card_may_still_scout():
    """RULE-F7: what counts is the light at its beginning; darkness falls at its end."""
    stage = Stage(maze(ALONE.replace("...|\nD.@.D", ".@.|\nD...D")), hand("scout"), tiles("hall"))
    assert stage.view.lost == "A2"
    events = stage.say("act play.scout")

    assert "tile_placed" in kinds(events)
    assert kinds(events)[-1] == "darkness_fell"
    assert not stage.view.light


def test_rule_f7_the_last_card_may_still_tiptoe():
    """RULE-F7: the last card may cross a hole, and the Lost stands in the Dark afterwards."""
    stage = Stage(maze(ALONE.replace("...", ".O.", 1)), hand("tiptoe"))
    events = stage.say("act play.tiptoe", "walk a2")

    assert stage.view.lost == "A2"
    assert facts(events, "darkness_fell") == {"reason": "used_up", "cards": 0}


def test_rule_f7_it_is_light_until_the_action_is_over():
    """RULE-F7: while the last card's tile is being turned about, the view still shows light."""
    stage = Stage(maze(ALONE), hand("move"), tiles("corner"))
    stage.say("act play.move", "walk a.n")

    assert stage.kind == "rotate"
    assert stage.hand == []
    assert stage.view.light


def test_rule_f7_a_played_card_is_back_at_once():
    """RULE-F7: a card that is played is in the deck while its action goes on."""
    stage = Stage(maze(ALONE), hand("move", "scout"), tiles("corner"))
    stage.say("act play.move", "walk a.n")

    assert stage.kind == "rotate"
    assert "move" in [card.action for card in stage.view.deck]


def test_in_the_light_a_card_is_played_and_returned():
    """[While you are in the Light] Its printed action is done and the card is in the deck again."""
    stage = Stage(maze(ALONE), hand("move", "scout"))
    stage.say("act play.move", "walk a1")

    assert stage.hand == ["scout"]
    assert len(stage.view.deck) == 8
    assert stage.view.gone == ()


def test_only_what_is_in_hand_is_played():
    """[While you are in the Light] Printed actions are those of the hand, each kind once."""
    stage = Stage(maze(ALONE), hand("move", "move", "light"))

    played = [key for key in stage.choices("act") if key.startswith("play.")]
    assert played == ["play.move", "play.light"]


def test_c_f4_a_wildcard_is_gone_for_good():
    """C-F4: of a hand of 3 a card is given up: hand 2, and 8 mind cards in all, for ever."""
    stage = Stage(maze(ALONE), hand("scout", "explore", "clear"))
    stage.say("act give.move", "walk a1", "give_up scout_1")

    assert stage.hand == ["explore", "clear"]
    assert (len(stage.view.deck), [c.action for c in stage.view.gone]) == (6, ["scout"])
    stage.say("act strike", "confirm_match yes")
    assert "scout_1" not in stage.choices("build")


def test_a_wildcard_does_any_action():
    """[While you are in the Light] Whatever the card shows, any possible action may be had."""
    stage = Stage(maze(ALONE), hand("explore"), tiles("hall"))

    assert "give.move" in stage.choices("act")
    assert "give.tiptoe" in stage.choices("act")
    assert "give.light" in stage.choices("act")


def test_rule_f8_in_the_light_a_wildcard_comes_from_the_hand():
    """RULE-F8, C-F29: nothing of the deck can be given up while it is lit."""
    stage = Stage(maze(ALONE), hand("scout", "explore"))
    stage.say("act give.move", "walk a1")

    assert stage.choices("give_up") == ("scout_1", "explore_1", "back")
    assert stage.asked("give_up").about == {
        "purpose": "move",
        "light": True,
        "cards": 9,
        "left": 8,
        "field": "A1",
        "room": None,
        "side": None,
    }


def test_rule_f8_in_the_dark_a_wildcard_comes_from_the_deck():
    """RULE-F8 [While you are in the Darkness] Any of the deck; one of each kind is offered."""
    stage = Stage(maze(ALONE))
    stage.say("act give.move", "walk a1")

    keys = stage.choices("give_up")
    assert keys == ("move_1", "explore_1", "light_1", "tiptoe_1", "scout_1", "clear_1", "back")
    stage.say("give_up scout_1")
    assert [c.action for c in stage.view.gone] == ["scout"]


def test_rule_f39_a_wildcard_names_its_price_and_may_be_taken_back():
    """RULE-F39: the question that takes the card says how many are left, and back costs nothing."""
    stage = Stage(maze(ALONE), minds("move", "scout"))
    stage.say("act give.move", "walk a1")
    assert stage.asked("give_up").about["left"] == 1
    stage.say("give_up back")

    assert stage.view.lost == "A5"
    assert [card.action for card in stage.view.deck] == ["move", "scout"]


def test_rule_f39_even_the_only_card_is_asked_for():
    """RULE-F39: with one card left there is no choice of card, but still a way back."""
    stage = Stage(maze(ALONE), minds("move"))
    stage.say("act give.move", "walk a1")

    assert stage.choices("give_up") == ("move_1", "back")


def test_rule_f9_two_steps_need_a_hand_card():
    """RULE-F9: in the Dark there is no two-step move, and a discard gives the full four steps."""
    dark = Stage(maze(ALONE))
    assert "two_steps" not in dark.choices("act")
    dark.say("act give.move")

    assert dark.asked("walk").about == {"action": "move", "steps": 4, "light": False, "tiles": 12}


def test_any_hand_card_moves_two_steps():
    """[Game Board] Each kind of card in hand is offered for two steps, and returns to the deck."""
    stage = Stage(maze(ALONE), hand("scout", "light", "clear"))
    stage.say("act two_steps", "walk a1")
    where = {"field": "A1", "room": None, "side": None}
    assert stage.asked("plain_card").about == {"steps": 2, **where}
    assert stage.choices("plain_card") == ("scout_1", "light_1", "clear_1", "back")
    stage.say("plain_card light_1")

    assert stage.hand == ["scout", "clear"]
    assert (len(stage.view.deck), stage.view.gone) == (7, ())
    assert stage.told("card_walked") == [{"action": "light", "steps": 2}]


def test_two_steps_may_be_taken_back():
    """Until the card is named nothing is spent."""
    stage = Stage(maze(ALONE), hand("scout", "light"))
    stage.say("act two_steps", "walk a1", "plain_card back", "act two_steps", "walk back")

    assert stage.view.lost == "A5"
    assert stage.hand == ["scout", "light"]


@pytest.mark.parametrize("action", ["tiptoe", "scout"])
def test_c_f5_some_actions_need_light(action):
    """C-F5: in the Dark neither Tiptoe nor Scout is there, not even for a card given up."""
    drawing = ALONE.replace("...|\nD.@.D", ".@.|\nD...D")
    dark, lit = Stage(maze(drawing)), Stage(maze(drawing), hand("move"))

    assert f"give.{action}" in lit.choices("act")
    assert f"give.{action}" not in dark.choices("act")
    with pytest.raises(IllegalAnswer):
        dark.say(f"act give.{action}")
