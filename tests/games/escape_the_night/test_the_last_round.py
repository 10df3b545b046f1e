"""[The Last Round]."""

from __future__ import annotations

import pytest

from engines.kernel.errors import StaleAnswer
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    hold,
    kinds,
    pin,
    ready,
    recovered,
    stand,
)


def last(g):
    """The tenth hour, two survivors, nothing done."""
    alive(g, "kate", "ben")
    stand(g, kate="c3", ben="d3")
    g.round = 10


def alive_too(g, *guests):
    """These live as well."""
    for guest in guests:
        g.characters[guest].alive = True
        g.graveyard.remove(guest)


def sand(stage: Stage):
    """The hourglass runs out."""
    (timer,) = stage.play.timers
    return [n.event for n in stage.play.run_out(timer.question).events]


def test_c_e14_after_round_nine_there_is_no_vote():
    """C-E14: the tracker moves to ten; however often all are exhausted, they are just restored."""

    def scene(g):
        alive(g, "kate", "ben", "iris")
        ready(g)
        g.round = 9

    stage = Stage(scene, dice={"duel": [1, 1, 6, 6]})
    stage.cast(s0="ben kate", s1="kate")
    stage.hold_challenge()
    assert stage.view.phase == "last_round"
    before = len(stage.told("restored"))
    for _ in range(8):
        stage.roll_and("stay")

    assert stage.view.round == 10
    assert len(stage.told("chosen")) == 1
    assert len(stage.told("restored")) == before + 4
    assert stage.told("man_unmasked") == [{}]


@pytest.mark.parametrize("minutes", ["3", "5", "60"])
def test_rule_e3_the_hourglass_runs_for_as_long_as_agreed(minutes):
    """RULE-E3: real time, chosen in the lobby, turned once as the round begins."""
    stage = Stage(last, hourglass=minutes)

    (timer,) = stage.play.timers
    assert (timer.kind, timer.seconds) == ("hourglass", 60 * int(minutes))
    assert stage.told("hourglass_turned") == [{"minutes": int(minutes)}]
    assert stage.view.hourglass == int(minutes)
    assert stage.view.actions_left is None


def test_rule_e3_the_sand_decides():
    """RULE-E3: the night is lost when it has run out, whatever is being asked."""
    stage = Stage(last)
    events = sand(stage)

    assert kinds(events) == ["night_ended"]
    assert stage.outcome.ending == "daylight_lost"
    assert not stage.outcome.won


def test_rule_e3_no_sand_before_the_tenth_round():
    """RULE-E3: nine rounds take as long as they take."""
    assert Stage().play.timers == ()


def test_c_e18_a_winning_move_after_the_sand_is_void():
    """C-E18: once it has run out the answer finds nothing to answer."""

    def scene(g):
        last(g)
        g.tiles.clear()
        recovered(g, *tuple(g.artifacts.values()))
        stand(g, ben="a4")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    winning = stage.asked("move")
    sand(stage)

    with pytest.raises(StaleAnswer):
        stage.play.answer(winning.seat, winning.question, "move", ["c4"])
    assert stage.outcome.ending == "daylight_lost"


@pytest.mark.parametrize("where", ["move", "attempt", "relic"])
def test_rule_e3_the_sand_interrupts_everything(where):
    """RULE-E3: in the middle of a move, of an attempt, of a relic's own question."""

    def scene(g):
        last(g)
        hold(g, 0, "rebirth")
        if where == "attempt":
            pin(g, "kate", "monster_0")

    stage = Stage(scene)
    if where == "move":
        stage.answer("roll", "roll")
    if where == "relic":
        stage.play_relic(0, "rebirth")
        assert stage.kinds() == ["raise"]
    sand(stage)

    assert stage.outcome.ending == "daylight_lost"


def test_rule_e3_untimed_a_budget_of_actions():
    """RULE-E3: so many character actions instead of sand; each one counts."""
    stage = Stage(last, hourglass="untimed")
    assert stage.play.timers == ()
    assert stage.told("budget_set") == [{"actions": 8}]
    for left in range(7, 0, -1):
        stage.roll_and("stay")
        assert stage.view.actions_left == left
    stage.roll_and("stay")

    assert stage.outcome.ending == "budget_spent"


def test_rule_e3_the_last_action_may_still_win():
    """RULE-E3: the budget is looked at after the action, the win at once."""

    def scene(g):
        last(g)
        g.tiles.clear()
        recovered(g, *tuple(g.artifacts.values()))
        stand(g, ben="a4")

    stage = Stage(scene, hourglass="untimed", dice={"move": [1, 1] * 8})
    for _ in range(6):
        stage.roll_and("stay")
    stage.roll_and("c4")

    assert stage.outcome.ending == "escaped"


def test_rule_e28_the_starting_player_begins_and_turns_alternate():
    """RULE-E28: one character at a time, to the left; all restored as soon as all are exhausted.

    With two guests for the one and one for the other, the seat left of the last goes on.
    """
    stage = Stage(lambda g: (last(g), alive_too(g, "iris"), setattr(g, "starting_seat", 1)))
    acting = []
    for _ in range(7):
        acting.append(stage.view.acting)
        assert len(stage.play.asked) == 1
        stage.roll_and("stay")

    assert acting == ["ben", "kate", "iris", "ben", "kate", "iris", "ben"]


def test_rule_e28_after_restoring_it_goes_on_to_the_left():
    """RULE-E28: the last to act is followed by the next seat, not by the starting player again."""
    stage = Stage(lambda g: (last(g), alive_too(g, "jack", "iris"), setattr(g, "starting_seat", 0)))
    acting = []
    for _ in range(8):
        acting.append(stage.view.acting)
        stage.roll_and("stay")
    assert acting == ["kate", "jack", "iris", "ben"] * 2

    stage = Stage(
        lambda g: (last(g), alive_too(g, "jack", "iris"), ready(g, "jack", "iris", "ben"))
    )
    acting = []
    for _ in range(5):
        acting.append(stage.view.acting)
        stage.roll_and("stay")
    assert acting == ["iris", "jack", "ben", "kate", "jack"]


def test_rule_e28_a_monster_is_still_in_the_way():
    """RULE-E28: whoever has one must fight it in the tenth round too."""
    stage = Stage(lambda g: (last(g), pin(g, "kate", "monster_0")))

    assert stage.kinds() == ["attempt"]


def test_a_late_character_misses_one_turn_of_the_last_round():
    """RULE-E22: also there, and only once."""
    stage = Stage(lambda g: (last(g), ready(g), g.late.extend(["kate", "ben"])))

    assert stage.told("restored") == [{"late": ("ben", "kate")}, {"late": ()}]
    assert stage.view.acting == "kate"
