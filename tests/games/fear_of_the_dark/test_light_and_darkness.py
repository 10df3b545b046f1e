"""[Light and Darkness], [Mind Hand], [Matches], [While you are in the Light]."""

from __future__ import annotations

import pytest

from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    facts,
    hand,
    keep,
    kinds,
    leak,
    lost,
    matches,
    maze,
    minds,
    tiles,
)

FIVE = "build move_1 move_2 scout_1 light_1 clear_1"


def test_c_f2_a_match_gives_three_cards_of_free_choice():
    """C-F2: in the Dark with 6 matches one gives a hand of 3 chosen cards; 5 matches remain."""
    stage = Stage(maze(ALONE))
    assert not stage.view.light
    stage.say("act strike")
    asked = stage.asked("build")
    assert (asked.shape.least, asked.shape.most) == (3, 3)
    assert sorted(asked.keys()) == sorted(stage.state.content.minds)
    stage.say("build scout_1 light_1 move_2")

    assert sorted(stage.hand) == ["light", "move", "scout"]
    assert stage.view.light
    assert (stage.view.matches, len(stage.view.deck)) == (5, 6)


def test_the_same_mind_card_is_not_taken_twice():
    """[Mind Hand] A hand is built with a set number of cards, not with fewer and a double."""
    stage = Stage(maze(ALONE))
    stage.say("act strike")

    for keys in ("move_1 move_1 move_2", "move_1 move_2", "move_1 move_2 move_3 light_1"):
        with pytest.raises(IllegalAnswer):
            stage.say(f"build {keys}")


def test_rule_f3_light_a_match_costs_a_match_and_builds_five():
    """RULE-F3: the action takes a match too, and the hand has 5 cards instead of 3."""
    stage = Stage(maze(ALONE), hand("light"))
    stage.say("act play.light")
    assert stage.asked("build").shape.least == 5
    stage.say(FIVE)

    assert len(stage.hand) == 5
    assert stage.view.matches == 5
    assert stage.told("match_struck") == [{"left": 5}]


def test_rule_f3_not_without_matches():
    """RULE-F3: no match, no light; neither by itself, nor by the card, nor as a wildcard."""
    stage = Stage(maze(ALONE), hand("light", "move"), matches(0))

    assert "play.light" not in stage.choices("act")
    assert "give.light" not in stage.choices("act")
    assert "strike" not in stage.choices("act")


def test_rule_f4_it_may_be_had_in_darkness():
    """RULE-F4: in the Dark a card is given up for it, a match burns, and the hand has 5 of 8."""
    stage = Stage(maze(ALONE))
    stage.say("act give.light", "give_up explore_1")
    assert "explore_1" not in stage.choices("build")
    stage.say(FIVE)

    assert len(stage.hand) == 5
    assert (stage.view.matches, len(stage.view.gone)) == (5, 1)


def test_rule_f5_the_hand_goes_back_before_it_is_built():
    """RULE-F5: one builds to a size; cards in hand return and may be chosen again, or not."""
    stage = Stage(maze(ALONE), hand("move", "move"))
    stage.say("act strike", "confirm_match yes")
    assert len(stage.choices("build")) == 9
    stage.say("build scout_1 move_1 clear_1")

    assert sorted(stage.hand) == ["clear", "move", "scout"]
    assert len(stage.view.deck) == 6


@pytest.mark.parametrize("left", [("move", "scout"), ("move", "scout", "clear")])
def test_rule_f5_with_too_few_all_are_taken(left):
    """RULE-F5: where no more cards remain than the hand has, they are taken without a question."""
    stage = Stage(maze(ALONE), minds(*left))
    stage.say("act strike")

    assert stage.kind == "act"
    assert sorted(stage.hand) == sorted(left)
    assert stage.view.deck == ()


def test_rule_f5_with_one_more_than_that_one_stays():
    """RULE-F5: as soon as there is a choice it is the player's."""
    stage = Stage(maze(ALONE), minds("move", "scout", "clear", "explore"))
    stage.say("act strike", "build move_1 scout_1 explore_1")

    assert [card.action for card in stage.view.deck] == ["clear"]


def test_rule_f6_a_match_while_lit_is_legal_and_confirmed():
    """RULE-F6: with cards in hand a match may be struck, once it is clear what it costs."""
    stage = Stage(maze(ALONE), hand("move", "scout"))
    stage.say("act strike")
    assert stage.asked("confirm_match").about == {
        "last": False,
        "lit": True,
        "left": 5,
        "hand": 3,
        "found": 0,
    }
    stage.say("confirm_match back")
    assert stage.kind == "act"
    assert (stage.view.matches, stage.hand) == (6, ["move", "scout"])
    stage.say("act strike", "confirm_match yes", "build move_1 move_2 move_3")

    assert stage.view.matches == 5


def test_rule_f39_light_a_match_with_other_cards_in_hand_is_confirmed():
    """RULE-F39: the other cards would go back unplayed, so it is asked whether that is meant."""
    stage = Stage(maze(ALONE), hand("light", "move"))
    stage.say("act play.light")
    assert stage.asked("confirm_match").about == {
        "last": False,
        "lit": True,
        "left": 5,
        "hand": 5,
        "found": 0,
    }
    stage.say("confirm_match back")

    assert (stage.view.matches, stage.hand) == (6, ["light", "move"])


def test_rule_f39_the_last_match_is_confirmed():
    """RULE-F39: what costs the last match asks first, in the Dark too; taking it back is free."""
    stage = Stage(maze(ALONE), matches(1))
    stage.say("act strike")
    assert stage.asked("confirm_match").about == {
        "last": True,
        "lit": False,
        "left": 0,
        "hand": 3,
        "found": 0,
    }
    stage.say("confirm_match back", "act give.light")
    assert stage.asked("confirm_match").about["hand"] == 5
    stage.say("confirm_match yes", "give_up back")
    assert (stage.view.matches, len(stage.view.deck)) == (1, 9)
    stage.say("act strike", "confirm_match yes", "build move_1 move_2 move_3")

    assert stage.view.matches == 0


def test_rule_f39_found_matches_are_counted_when_the_last_is_asked_about():
    """RULE-F39: what is still in the pockets is no reason to say that none is left."""
    stage = Stage(maze(ALONE), matches(1), keep("match", "match", "key"))
    strike = next(option for option in stage.asked("act").options if option.key == "strike")
    assert strike.about == {"left": 0, "found": 2}
    stage.say("act strike")

    assert stage.asked("confirm_match").about["found"] == 2


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


def test_rule_f39_a_match_in_the_dark_is_not_asked_about():
    """RULE-F39: a match that is not the last and lights the Dark is simply struck."""
    stage = Stage(maze(ALONE))
    stage.say("act strike")

    assert stage.kind == "build"


def test_rule_f39_light_a_match_as_the_last_card_is_not_asked_about():
    """RULE-F39: nothing goes back unplayed then."""
    stage = Stage(maze(ALONE), hand("light"))
    stage.say("act play.light")

    assert stage.kind == "build"


def test_rule_f7_light_a_match_as_the_last_card_may_pick_itself_again():
    """RULE-F7: the card is back in the deck in time to be among the five."""
    stage = Stage(maze(ALONE), hand("light"))
    stage.say("act play.light", FIVE)

    assert "light" in stage.hand


def test_rule_f7_it_never_went_dark_when_the_last_card_made_light():
    """RULE-F7: with a new hand at the end of the action no darkness has fallen."""
    stage = Stage(maze(ALONE), hand("light"))
    events = stage.say("act play.light", FIVE)

    assert kinds(events) == ["card_played", "match_struck", "hand_built"]


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


def test_c_f25_no_match_in_the_leaking_room():
    """C-F25: where the water is no match burns: not by itself, and no Light a match either."""
    stage = Stage(maze(ALONE), leak("A"))

    assert "strike" not in stage.choices("act")
    assert "give.light" not in stage.choices("act")
    assert "give.move" in stage.choices("act")


def test_rule_f42_a_light_for_nobody():
    """RULE-F42: who gives up the very last card for a match has no hand to build, and is lost."""
    stage = Stage(maze(ALONE), minds("scout"))
    events = stage.say("act give.light", "give_up scout_1")

    assert "hand_built" not in kinds(events)
    assert stage.outcome.ending == "mind_lost"


def test_free_acts_are_free():
    """[Matches] A match, and a kept item, cost no mind card."""
    stage = Stage(maze(ALONE), keep("match"), matches(3))
    stage.say("act use.match", "act strike", "build move_1 move_2 move_3")

    assert stage.view.matches == 3
    assert stage.view.gone == ()


@pytest.mark.parametrize("action", ["tiptoe", "scout"])
def test_c_f5_some_actions_need_light(action):
    """C-F5: in the Dark neither Tiptoe nor Scout is there, not even for a card given up."""
    drawing = ALONE.replace("...|\nD.@.D", ".@.|\nD...D")
    dark, lit = Stage(maze(drawing)), Stage(maze(drawing), hand("move"))

    assert f"give.{action}" in lit.choices("act")
    assert f"give.{action}" not in dark.choices("act")
    with pytest.raises(IllegalAnswer):
        dark.say(f"act give.{action}")
