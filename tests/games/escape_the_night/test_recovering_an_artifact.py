"""[Recovering an Artifact]."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from tests.games.escape_the_night.attic import in_the_attic, man
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


def test_c_e24_the_strongest_monster_rises():
    """C-E24: nothing happens without a discard; otherwise it is the next to be drawn."""
    assert man(die=5).told("monster_rose") == []

    stage = man(lambda g: discard(g, "monster", "monster_2"), die=5)
    assert stage.told("monster_rose") == [{"monster": "monster_2", "difficulty": 8}]
    assert dict(stage.view.pile_counts)["monster"] == 14


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
