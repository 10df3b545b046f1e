"""Several players share the Lost: any of them answers, or the lead goes round."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.kernel.errors import AnswerError
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    hand,
    keep,
    lost,
    matches,
    maze,
    minds,
    tiles,
)


def test_rule_f41_any_seated_player_may_answer():
    """RULE-F41: all are asked the same with the same options, and the first answer decides."""
    stage = Stage(maze(ALONE), seats=3)
    asked = stage.play.asked
    assert [decision.seat for decision in asked] == [0, 1, 2]
    assert all(decision.shared for decision in asked)
    assert all(decision.options == asked[0].options for decision in asked)
    stage.say("act strike", seat=2)
    stage.say("build move_1 move_2 move_3", seat=1)

    assert len(stage.view.hand) == 3


def test_rule_f41_an_answer_that_comes_too_late_is_refused():
    """RULE-F41: when somebody has answered, the others' answers to that question are stale."""
    stage = Stage(maze(ALONE), seats=2)
    number = stage.play.asked[0].question
    stage.say("act give.move", seat=0)

    with pytest.raises(AnswerError):
        stage.play.answer(1, number, "act", ["strike"])


def test_rule_f41_the_lead_goes_round_with_each_match():
    """RULE-F41: the leader alone is asked, and after a match the next one is, and so on round."""
    stage = Stage(maze(ALONE), seats=3, lead="round")
    leads = []
    for _ in range(4):
        assert [decision.seat for decision in stage.play.asked] == [stage.view.lead]
        leads.append(stage.view.lead)
        stage.say("act strike")
        if stage.kind == "confirm_match":
            stage.say("confirm_match yes")
        assert [decision.seat for decision in stage.play.asked] == [stage.view.lead]
        stage.say("build move_1 move_2 scout_1")

    assert leads == [0, 1, 2, 0]
    assert [told["seat"] for told in stage.told("lead_passed")] == [1, 2, 0, 1]


def test_rule_f41_who_struck_it_builds_the_hand():
    """RULE-F41: the lead passes when the hand is built, not before."""
    stage = Stage(maze(ALONE), seats=2, lead="round")
    stage.say("act strike")

    assert stage.asked("build").seat == 0
    stage.say("build move_1 move_2 move_3")
    assert stage.asked("act").seat == 1


def test_rule_f41_light_a_match_passes_the_lead_too():
    """RULE-F41: the action burns a match like the other way."""
    stage = Stage(maze(ALONE), hand("light"), seats=2, lead="round")
    stage.say("act play.light", "build move_1 move_2 move_3 scout_1 clear_1")

    assert stage.view.lead == 1


def test_rule_f41_scrap_paper_does_not_pass_the_lead():
    """RULE-F41: no match burns for it."""
    stage = Stage(maze(ALONE), hand("move"), keep("scrap"), seats=2, lead="round")
    stage.say("act use.scrap", "build move_1 move_2 move_3")

    assert stage.view.lead == 0


def test_rule_f41_a_match_in_the_middle_of_a_move():
    """RULE-F41: the new leader finishes the move."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("hall", "hall"), seats=2, lead="round")
    stage.say("act give.move", "walk a.w", "give_up scout_1")
    stage.say("go_on strike", "build move_1 move_2 move_3")

    assert stage.asked("go_on").seat == 1


def test_rule_f41_in_the_dark_the_lead_goes_round_with_each_act():
    """RULE-F41: with every match burnt, whoever has acted in the dark hands the lead on, at the end
    of the act; what is taken back and what costs no card does not count.
    """
    stage = Stage(maze(ALONE), matches(0), keep("match"), seats=3, lead="round")
    leads = []
    for place in ("a4", "a5", "a6", "a5"):
        leads.append(stage.view.lead)
        stage.say("act give.move", "walk back", "act give.move", f"walk {place}", "give_up back")
        assert stage.view.lead == leads[-1]
        card = next(card.id for card in stage.view.deck)
        stage.say("act give.move", f"walk {place}", f"give_up {card}")
    stage.say("act use.match")

    assert leads == [0, 1, 2, 0]
    assert stage.view.lead == 1
    assert stage.heard()[-3:] == ["lead_passed", "item_used", "match_gained"]


def test_rule_f41_a_match_in_an_act_in_the_dark_passes_the_lead_once():
    """RULE-F41: be it struck on the way, or lit with the card that was given up."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("hall", "hall"), seats=3, lead="round")
    stage.say("act give.move", "walk a.w", "give_up scout_1")
    stage.say("go_on strike", "build move_1 move_2 move_3", "go_on stop")
    assert stage.view.lead == 1

    stage = Stage(maze(ALONE), seats=3, lead="round")
    stage.say("act give.light", "give_up clear_1", "build move_1 move_2 move_3 scout_1 tiptoe_1")
    assert stage.view.lead == 1


def test_rule_f41_in_the_light_an_act_does_not_pass_the_lead():
    """RULE-F41: whoever leads plays the whole hand, and may give cards of it up."""
    stage = Stage(maze(ALONE), hand("move", "scout"), seats=2, lead="round")
    stage.say("act play.move", "walk a4", "act give.move", "walk a5", "give_up scout_1")

    assert stage.view.lead == 0


def test_rule_f41_nobody_leads_on_when_the_mind_is_lost():
    """RULE-F41: with the last card the game ends, and no lead is passed before it."""
    stage = Stage(maze(ALONE), minds("move"), seats=2, lead="round")
    stage.say("act give.move", "walk a4", "give_up move_1")

    assert stage.outcome.ending == "mind_lost"
    assert stage.told("lead_passed") == []


def test_rule_f41_the_first_leader_is_announced():
    """RULE-F41: with several seats all learn who leads at first; alone there is nothing to tell."""
    several, alone = Stage(seats=4, lead="round"), Stage(lead="round")

    assert [n.event.data["seat"] for n in several.play.events if n.event.kind == "lead_passed"] == [
        0
    ]
    assert not [n for n in alone.play.events if n.event.kind == "lead_passed"]
    alone.say("act strike", "build move_1 move_2 move_3")
    assert alone.told("lead_passed") == []


def test_rule_f41_anyone_means_nobody_leads():
    """RULE-F41: by default no lead is shown or passed."""
    stage = Stage(maze(ALONE), seats=3)
    stage.say("act strike", "build move_1 move_2 move_3")

    assert stage.view.lead is None
    assert stage.told("lead_passed") == []


def test_all_see_the_same():
    """All information is shared: views differ in whose they are, and in nothing else."""
    stage = Stage(maze(ALONE), seats=3, lead="round")

    assert all(replace(stage.play.view(seat), seat=None) == stage.view for seat in range(3))
