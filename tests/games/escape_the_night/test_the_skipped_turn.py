"""[Recovering an Artifact]: the turn that the Mysterious Man takes away. RULE-E22."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.games.escape_the_night.attic import man
from tests.games.escape_the_night.stage import CONTENT, Stage, alive, hold, ready


def test_rule_e22_lateness_dies_with_the_guest():
    """RULE-E22: who dies in the man's challenge and is raised in the same hour starts fresh."""

    def late(g):
        alive(g, "kate", "ada", "ben")
        ready(g, "kate")
        g.late.extend(["kate", "ada", "ben"])
        hold(g, 0, "rebirth")

    stage = man(late, die=4, dice={"man_again": [1]})
    stage.answer("face_the_man", "face")
    stage.hold_challenge()
    (dead,) = (e["character"] for e in stage.told("died"))
    stage.play_relic(0, "rebirth")
    stage.answer("raise", dead)

    assert stage.character(dead).alive
    assert set(stage.view.late) == {"kate", "ada", "ben"} - {dead}


def test_rule_e22_the_next_player_exhausts_one_of_its_characters():
    """RULE-E22: the next to the left with living characters chooses, and a turn is lost."""
    stage = man(die=6)
    assert stage.asked("exhaust").seat == 1
    assert set(stage.choices("exhaust")) == {"ben", "dora", "finn", "hugo", "jack"}

    stage.answer("exhaust", "jack")

    assert stage.character("jack").exhausted
    stage.answer("move", "stop")
    assert stage.view.acting == "hugo"


def test_rule_e22_with_nobody_ready_one_starts_the_next_round_exhausted():
    """RULE-E22: the skip is owed, once."""
    stage = man(lambda g: ready(g, "kate", "iris"), die=6)
    stage.answer("exhaust", "jack")

    assert stage.told("delayed") == [{"character": "jack"}]
    assert stage.view.late == ("jack",)
    assert not stage.told("exhausted")


def test_rule_e22_nobody_owes_two_turns():
    """RULE-E22: whoever is late already cannot be made later."""

    def scene(g):
        alive(g, "kate", "jack")
        ready(g, "kate")
        g.late.append("jack")

    stage = man(scene, die=6)

    assert stage.kinds() == ["move"]
    assert stage.view.late == ("jack",)


def test_rule_e22_alone_it_is_ones_own_character():
    """RULE-E22: solo, the next player is oneself; the finder's own turn is no price."""
    stage = man(die=6, seats=1)

    assert stage.asked("exhaust").seat == 0
    assert "kate" not in stage.choices("exhaust")


@pytest.mark.parametrize("seats", [1, 2])
def test_rule_e22_whose_turn_it_is_does_not_pay(seats):
    """RULE-E22: with all others exhausted one of them starts late, not the finder."""
    stage = man(lambda g: (alive(g, "kate", "iris"), ready(g, "kate")), die=6, seats=seats)
    assert {stage.character(c).owner for c in ("kate", "iris")} == {0}

    assert stage.view.late == ("iris",)
    assert stage.kinds() == ["move"]


def test_rule_e22_nobody_but_the_finder():
    """RULE-E22: who is alone starts late in person."""
    stage = man(lambda g: (alive(g, "kate"), ready(g, "kate")), die=6)

    assert stage.view.late == ("kate",)


def late_hour(*late):
    """Kate and Ben in the tenth hour, where no restoring is waited for."""

    def arrange(g):
        alive(g, "kate", "ben")
        ready(g, "kate")
        g.late.extend(late)
        g.round = 10

    return arrange


@pytest.mark.parametrize("late", [("ben",), ("kate",)])
def test_rule_e22_in_the_tenth_hour_a_turn_is_lost_even_if_all_are_late(late):
    """RULE-E22: being late together costs nothing, so a turn is taken off those that are left."""
    stage = man(late_hour(*late), die=6, hourglass="untimed")
    assert stage.told("delayed") == []
    assert stage.view.actions_left == 7
    stage.answer("move", "stop")

    assert stage.view.actions_left == 6


def test_rule_e22_in_the_tenth_hour_the_last_turn_may_be_lost():
    """RULE-E22: there are never fewer than none left, and the night ends then."""

    def arrange(g):
        late_hour("ben")(g)
        numbers = replace(g.content.numbers, untimed_actions={"any": 1})
        g.content = replace(g.content, numbers=numbers)

    stage = man(arrange, die=6, hourglass="untimed")
    assert stage.view.actions_left == 0
    stage.answer("move", "stop")

    assert stage.outcome.ending == "budget_spent"


def test_rule_e22_while_the_sand_runs_the_move_is_lost():
    """RULE-E22: there no turn can be taken off, so the finder's steps are."""
    stage = man(late_hour("ben"), die=6)

    assert stage.told("move_cut_short") == [{"character": "kate"}]
    assert stage.where("kate") == "b2"
    assert stage.told("restored") == [{"late": ("ben",)}]
    assert (stage.kinds(), stage.view.acting) == (["roll"], "kate")


def test_rule_e22_in_the_tenth_hour_one_of_two_may_be_late():
    """RULE-E22: while somebody else is on time, being late is price enough."""
    stage = man(late_hour(), die=6, hourglass="untimed")

    assert stage.told("delayed") == [{"character": "ben"}]
    assert stage.view.actions_left == 8


def test_rule_e22_a_player_without_living_characters_is_passed_over():
    """RULE-E22: three players, the one in the middle is out."""
    stage = man(lambda g: alive(g, "kate", "hugo", "iris", "finn", "cleo"), die=6, seats=3)
    owners = {c.id: c.owner for c in stage.view.characters}

    assert owners["kate"] == 1
    assert stage.asked("exhaust").seat == 2


@pytest.mark.parametrize("hourglass", ["5", "untimed"])
def test_rule_e22_who_is_late_into_the_tenth_hour_may_be_let_off(hourglass):
    """RULE-E22: late from hour nine, everybody alive is ready and no turn is taken off."""

    def arrange(g):
        alive(g, "kate")
        ready(g)
        g.late.append("kate")
        g.round = 9

    stage = Stage(arrange, hourglass=hourglass)

    assert stage.view.phase == "last_round"
    assert stage.told("restored") == [{"late": ("kate",)}, {"late": ()}]
    assert (stage.kinds(), stage.view.acting) == (["roll"], "kate")
    assert stage.view.actions_left in (None, CONTENT.numbers.untimed_actions["any"])


def test_rule_e22_late_into_the_tenth_hour_while_another_is_on_time():
    """RULE-E22: then the turn is lost as in any other hour."""

    def arrange(g):
        alive(g, "kate", "ben")
        ready(g)
        g.late.append("kate")
        g.round = 9
        hold(g, 0, "coffin")

    stage = Stage(arrange, hourglass="untimed", dice={"duel": [6, 6, 1, 1]})
    stage.play_relic(0, "coffin")
    while stage.view.round == 9:
        stage.hold_challenge()
        if "spare" in stage.kinds():
            stage.answer("spare", "kate")

    assert {c.id for c in stage.view.characters if c.alive} == {"kate", "ben"}
    assert stage.view.acting == "ben"
