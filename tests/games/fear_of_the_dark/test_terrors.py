"""[Resolving Dangers]: Terrors, which take a card or, the second time, everything."""

from __future__ import annotations

import pytest

from tests.games.fear_of_the_dark.dangerous import walked
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    facts,
    hand,
    lost,
    maze,
    minds,
    tiles,
)


def test_rule_f11_a_terror_takes_a_card_of_ones_choice():
    """RULE-F11: the player chooses, from hand or deck; the card is gone and the Terror kept."""
    stage = walked("terror", "scout")
    assert stage.asked("lose_card").about == {"count": 1}
    zones = {o.key: o.word for o in stage.asked("lose_card").options}
    assert zones["scout_1"] == "hand"
    assert zones["move_1"] == "deck"
    stage.say("lose_card clear_1")

    assert [card.action for card in stage.view.gone] == ["clear"]
    assert stage.told("card_lost") == [{"action": "clear", "left": 8}]
    assert (stage.view.terrors, stage.view.dangers) == (1, ())


def test_rule_f11_a_kind_that_is_in_both_is_offered_from_both():
    """RULE-F11: a Move in hand and a Move in the deck are different losses."""
    stage = walked("terror", "move")

    moves = [o.word for o in stage.asked("lose_card").options if o.about["action"] == "move"]
    assert moves == ["hand", "deck"]


def test_rule_f11_from_the_hand_it_may_go_dark():
    """RULE-F11, RULE-F7: if the last hand card is lost to it, darkness falls, and that is told."""
    stage = walked("terror", "scout")
    events = stage.say("lose_card scout_1")

    assert stage.hand == []
    assert facts(events, "darkness_fell") == {"reason": "used_up", "cards": 0}


def test_rule_f7_the_played_card_can_be_lost_to_a_terror():
    """RULE-F7: the card in play is back in the deck already, so it may be the one."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        hand("tiptoe"),
        tiles("lair", "hall"),
        dangers("terror"),
    )
    stage.say("act play.tiptoe", "walk a.w", "lose_card tiptoe_1")

    assert [card.action for card in stage.view.gone] == ["tiptoe"]


def test_rule_f11_the_last_mind_card_is_the_end():
    """RULE-F11: where a Terror takes the last card there is nothing to choose, and all is lost."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        minds("move"),
        hand("move"),
        tiles("lair", "hall"),
        dangers("terror"),
    )
    stage.say("act play.move", "walk a.w")

    assert stage.outcome.ending == "mind_lost"
    assert stage.told("card_lost") == [{"action": "move", "left": 0}]


def test_rule_f42_a_terror_with_no_card_left_to_take():
    """RULE-F42: the last card was given up for this very step; the mind is lost, not the rules."""
    stage = Stage(maze(ALONE), lost("A4"), minds("move"), tiles("lair", "hall"), dangers("terror"))
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.outcome.ending == "mind_lost"
    assert "card_lost" not in stage.heard()


@pytest.mark.parametrize("difficulty", ["normal", "hard", "very_hard"])
def test_c_f20_the_second_terror_is_the_end(difficulty):
    """C-F20: with one Terror before, the second is instant death, and no card is asked for."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("lair", "hall"),
        lambda g: g.terrors.append("terror_3"),
        dangers("terror"),
        difficulty=difficulty,
    )
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert stage.outcome.ending == "terror"
    assert stage.outcome.facts["terrors"] == 2


def test_c_f20_on_easy_only_a_card_is_lost():
    """C-F20: on Easy the second and third Terror cost a card each, and play goes on."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("lair", "lair_2", "hall"),
        lambda g: g.terrors.append("terror_3"),
        dangers("terror", "terror"),
        difficulty="easy",
    )
    stage.say("act give.move", "walk a.w", "give_up move_1", "lose_card scout_1")
    assert not stage.is_over
    assert stage.view.terrors == 2
    stage.say("act give.move", "walk b.w", "give_up move_2", "lose_card clear_1")

    assert (stage.view.terrors, len(stage.view.gone)) == (3, 4)


def test_c_f21_a_scouted_terror_is_discarded_and_not_counted():
    """C-F21, RULE-F33: untriggered it lies with the discards, and a later one is the first."""
    stage = Stage(
        maze(ALONE), lost("A4"), hand("scout"), tiles("lair", "hall"), dangers("terror", "terror")
    )
    stage.say("act play.scout")

    assert (stage.view.terrors, stage.view.dangers) == (0, ("terror",))
    assert "terror_kept" not in stage.heard()


def test_rule_f33_a_triggered_terror_is_kept_in_view():
    """RULE-F33: it lies beside the board, not with the discards; other cards are discarded."""
    stage = walked("terror", "scout")

    assert stage.told("terror_kept") == [{"count": 1}]
    assert (stage.view.terrors, stage.view.dangers) == (1, ())
    assert walked("propuh").view.dangers == ("propuh",)
