"""[Recovering an Artifact]."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.games.escape_the_night.stage import (
    CONTENT,
    FIRST_SIDE,
    Stage,
    alive,
    discard,
    face_up,
    hold,
    kinds,
    pin,
    ready,
    stand,
    tiles,
    with_ability,
)


def in_the_attic(g):
    """Kate beside the amulet in the clear attic; the bathroom and the cellar are not clear."""
    tiles(g, f1="clue", i6="monster")
    stand(g, kate="c2")


def test_c_e3_not_while_a_tile_is_left_in_the_room():
    """C-E3: one open tile in the room is enough; the artifact stays, and the move ends there."""

    def scene(g):
        tiles(g, a1="clue")
        face_up(g, "a1")
        stand(g, kate="c2")

    stage = Stage(scene, dice={"move": [2, 2]})
    stage.roll_and("b2")

    assert stage.view.mantle == ()
    assert stage.character("kate").exhausted


def test_claiming_brings_it_to_the_mantle_and_rolls_for_the_man():
    """The artifact leaves its triangle, and one die asks the Mysterious Man."""
    stage = Stage(in_the_attic, dice={"move": [2, 2], "man": [5]})
    stage.roll_and("b2")
    assert stage.choices("move")[:2] == ("claim", "stop")

    events = stage.answer("move", "claim")

    assert kinds(events)[:3] == ["artifact_recovered", "man_rolled", "man_acted"]
    assert events[0].data == {
        "character": "kate",
        "seat": 0,
        "artifact": "amulet",
        "space": "b2",
        "room": "attic",
        "count": 1,
    }
    assert stage.view.mantle == ("amulet",)
    assert "b2" not in [a.space for a in stage.view.artifacts]


def test_rule_e34_claiming_in_passing_is_optional_and_the_move_goes_on():
    """RULE-E34: having passed by or claimed, the character walks on with the steps left."""
    stage = Stage(in_the_attic, dice={"move": [3, 3], "man": [5]})
    stage.roll_and("b2", "claim")
    assert stage.view.steps_left == 5
    stage.answer("move", "d1")
    assert stage.where("kate") == "d1"

    stage = Stage(in_the_attic, dice={"move": [3, 3]})
    stage.roll_and("b2", "d1")
    assert stage.where("kate") == "d1"
    assert stage.view.mantle == ()


def test_rule_e34_stopping_at_the_artifact_without_claiming():
    """RULE-E34: one may end there and leave it."""
    stage = Stage(in_the_attic, dice={"move": [3, 3]})
    stage.roll_and("b2", "stop")

    assert stage.view.mantle == ()
    assert stage.where("kate") == "b2"
    assert stage.character("kate").exhausted


def test_rule_e34_the_last_step_still_allows_the_claim():
    """RULE-E34: with no step left there is the claim or nothing."""
    stage = Stage(lambda g: (in_the_attic(g), stand(g, kate="d2")), dice={"move": [1, 1]})
    stage.roll_and("b2")
    assert stage.choices("move") == ("claim", "stop")


def test_rule_e34_a_character_already_there_may_claim_without_a_step():
    """RULE-E34, RULE-E6: a move of no step ends on its own space, which is enough."""
    stage = Stage(lambda g: (in_the_attic(g), stand(g, kate="b2")), dice={"man": [5]})
    stage.answer("roll", "roll")
    assert stage.choices("move")[0] == "claim"

    stage.answer("move", "claim")

    assert stage.view.mantle == ("amulet",)
    assert "stop" in stage.choices("move")


def man(g_change=lambda g: None, *, die, dice=None, picks=None, seats=2, **options):
    """Kate claims the amulet, and the Mysterious Man's die is loaded."""

    def scene(g):
        in_the_attic(g)
        stand(g, kate="b2")
        g_change(g)

    stage = Stage(scene, seats=seats, dice={"man": [die], **(dice or {})}, picks=picks, **options)
    stage.answer("roll", "roll")
    stage.answer("move", "claim")
    return stage


@pytest.mark.parametrize(
    ("die", "result"),
    [
        (1, "each_discards"),
        (2, "each_discards"),
        (3, "finder_outside"),
        (4, "challenge_at_once"),
        (5, "monster_rises"),
        (6, "next_skips"),
    ],
)
def test_rule_e1_each_face_has_its_line(die, result):
    """RULE-E1: two faces for the first line and one each for the others."""
    stage = man(die=die)

    assert stage.told("man_rolled") == [{"character": "kate", "die": die, "side": "first"}]
    assert stage.told("man_acted")[0]["result"] == result


def test_rule_e31_each_player_discards_a_relic_in_secret():
    """RULE-E31: all at once, own choice; only the names of the cards become known."""
    stage = man(lambda g: (hold(g, 0, "plus_one", "hush"), hold(g, 1, "plus_two", "alibi")), die=1)
    stage.answer("face_the_man", "face")

    assert [(d.seat, d.kind, d.secret) for d in stage.play.asked] == [
        (0, "discard", True),
        (1, "discard", True),
    ]
    assert stage.choices("discard", 0) == ("plus_one", "hush")
    assert kinds(stage.answer("discard", "plus_two", seat=1)) == []
    events = stage.answer("discard", "hush", seat=0)

    assert [e.data for e in events[:2]] == [
        {"seat": 0, "relic": "hush"},
        {"seat": 1, "relic": "plus_two"},
    ]
    assert stage.view.hand_counts == (1, 1)


def test_rule_e31_a_single_relic_is_no_choice():
    """RULE-E31: whoever holds one loses it unasked, and that in the order of the others."""
    stage = man(lambda g: (hold(g, 0, "plus_one", "hush"), hold(g, 1, "plus_two")), die=1)
    stage.answer("face_the_man", "face")
    assert [d.seat for d in stage.play.asked] == [0]
    assert stage.told("relic_discarded") == []
    stage.answer("discard", "hush")

    assert stage.told("relic_discarded") == [
        {"seat": 0, "relic": "hush"},
        {"seat": 1, "relic": "plus_two"},
    ]


def test_c_e25_whoever_has_no_relic_is_unaffected():
    """C-E25: nobody waits for a player without a relic."""
    stage = man(lambda g: hold(g, 1, "plus_two", "alibi"), die=2)
    stage.answer("face_the_man", "face")

    assert [d.seat for d in stage.play.asked] == [1]


def test_rule_e31_a_player_without_living_characters_loses_none():
    """RULE-E31: nor is that player waited for."""
    stage = man(
        lambda g: (alive(g, "kate", "iris"), hold(g, 0, "plus_one"), hold(g, 1, "plus_two")), die=1
    )
    stage.answer("face_the_man", "face")

    assert stage.told("relic_discarded") == [{"seat": 0, "relic": "plus_one"}]
    assert stage.view.hand_counts == (0, 1)


def test_rule_e23_a_locked_purse_keeps_its_relics():
    """RULE-E23: an ability may spare its owner."""

    def scene(g):
        in_the_attic(g)
        stand(g, kate="b2")
        hold(g, 0, "plus_one")
        hold(g, 1, "plus_two")

    stage = Stage(scene, content=with_ability("ben", "locked_purse"), dice={"man": [1]})
    stage.roll_and("claim")
    stage.answer("face_the_man", "face")

    assert stage.told("relic_discarded") == [{"seat": 0, "relic": "plus_one"}]


def test_rule_e21_back_outside_the_rest_of_the_move_is_lost():
    """RULE-E21: out of the door with steps to spare; the tiles lie as they lay."""
    stage = man(die=3)

    assert "sent_outside" in stage.heard()
    assert stage.where("kate") is None
    assert stage.character("kate").exhausted
    assert stage.view.acting != "kate"
    assert {tile.space for tile in stage.view.tiles} == {"f1", "i6"}


def test_rule_e20_the_finder_may_be_drawn_and_die_in_the_middle_of_its_move():
    """RULE-E20: its turn ends with it; the round's own vote still follows."""

    def few(g):
        alive(g, "kate", "jack", "ben", "ada")
        ready(g, "kate")
        hold(g, 1, "plus_one")

    died: list[str] = []
    for order in product(range(4), range(3), range(2)):
        picks = {"challenge_at_once": order}
        dice = {"man_again": [1], "duel": [1, 1, 6, 6]}
        stage = man(few, die=4, dice=dice, picks=picks)
        stage.answer("face_the_man", "face")
        (drawn,) = stage.told("challenge_at_once")
        stage.hold_challenge()
        died.append(stage.told("died")[0]["character"])
        assert died[-1] == drawn["contestants"][0]
        if died[-1] == "kate":
            assert stage.view.phase == "vote"
            assert stage.view.acting is None
            assert "ada" in stage.choices("vote", 0)
        else:
            assert stage.kinds() == ["move"]

    assert {*died} == {"kate", "jack", "ben", "ada"}


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


def test_c_e24_the_strongest_monster_rises():
    """C-E24: nothing happens without a discard; otherwise it is the next to be drawn."""
    assert man(die=5).told("monster_rose") == []

    stage = man(lambda g: discard(g, "monster", "monster_2"), die=5)
    assert stage.told("monster_rose") == [{"monster": "monster_2", "difficulty": 8}]
    assert dict(stage.view.pile_counts)["monster"] == 14


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


def test_rule_e32_relics_after_the_mans_die():
    """RULE-E32: when anybody holds a relic there is a moment before his line is read."""
    stage = man(lambda g: hold(g, 1, "hush"), die=3)
    assert stage.asked("face_the_man").about == {
        "character": "kate",
        "artifact": "amulet",
        "side": "first",
    }
    assert stage.view.man is not None
    assert stage.view.man.die == 3

    stage.play_relic(1, "hush")

    assert "man_foiled" in stage.heard()
    assert stage.where("kate") == "b2"
    assert stage.kinds() == ["move"]


def test_c_e26_the_second_side_in_the_tenth_round():
    """C-E26, RULE-E2: the other six results, none of them a vote or a challenge."""
    stage = man(lambda g: (alive(g, "kate", "ben"), setattr(g, "round", 10)), die=4)

    assert stage.told("man_rolled")[0]["side"] == "second"
    assert stage.told("man_acted")[0]["result"] == "finder_outside"
    assert stage.view.man_side == "second"


def test_the_second_side_is_nobodys_to_see_before():
    """RULE-E2: two houses that differ in it alone look the same, until it lies up."""
    other = replace(CONTENT, mysterious={**CONTENT.mysterious, "second": FIRST_SIDE})
    one, two = man(die=5), man(die=5, content=other)
    for seat in (0, 1, None):
        assert one.play.view(seat) == two.play.view(seat)
    assert [n.event for n in one.play.events] == [n.event for n in two.play.events]
    assert one.view.man_side == "first"

    def last(g):
        alive(g, "kate", "ben")
        g.round = 10

    assert man(last, die=3).told("man_acted")[0]["result"] == "each_discards"
    assert man(last, die=3, content=other).told("man_acted")[0]["result"] == "finder_outside"


def test_a_pinned_character_cannot_claim():
    """RULE-E11: it does not move, so it does not land on anything."""

    def scene(g):
        in_the_attic(g)
        stand(g, kate="b2")
        pin(g, "kate", "monster_1")

    assert Stage(scene).kinds() == ["attempt"]
