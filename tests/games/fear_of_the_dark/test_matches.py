"""[Matches], [Mind Hand]: what a match costs, and the hand that is built by its light."""

from __future__ import annotations

import pytest

from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    hand,
    keep,
    kinds,
    leak,
    matches,
    maze,
    minds,
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
