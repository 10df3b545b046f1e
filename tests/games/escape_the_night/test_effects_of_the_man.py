"""The Mysterious Man's card as printed: six faces on each side. RULE-E1, RULE-E2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from content.escape_the_night import load
from engines.escape_the_night.cards import Monster
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    discard,
    hold,
    ready,
    stand,
    tiles,
)

PRINTED = load().rules.mysterious
HOUSE = replace(CONTENT, mysterious=PRINTED)


def claim(face, arrange=lambda g: None, *, last=False, again=(), content=HOUSE, **rest):
    """Kate (seat 0) claims the attic's artifact, and the die shows that face."""

    def position(g):
        tiles(g, f1="clue")
        stand(g, kate="b1")
        if last:
            g.round, g.phase = 10, "last_round"
        arrange(g)

    dice = {"man": [face], "man_again": list(again), "move": [3, 3]}
    stage = Stage(position, content=content, dice=dice, hourglass="untimed", **rest)
    stage.roll_and("b2", "claim")
    if "face_the_man" in stage.kinds():
        stage.answer("face_the_man", "face")
    return stage


def two_hands(g):
    """Both players hold relics."""
    hold(g, 0, "haste", "hush", "rebirth")
    hold(g, 1, "alibi", "coffin")


@pytest.mark.parametrize(("face", "last"), [(1, False), (2, False), (1, True)])
def test_each_player_discards(face, last):
    """Faces 1 and 2, and 1 of the second side: every player discards a relic of its choice."""
    stage = claim(face, two_hands, last=last)
    stage.answer("discard", "hush", seat=0)
    stage.answer("discard", "coffin", seat=1)

    assert stage.view.hand_counts == (2, 1)
    assert [e["relic"] for e in stage.told("relic_discarded")] == ["hush", "coffin"]


def test_second_side_2_takes_two_relics_of_the_finders_player():
    """Nobody else loses any."""
    stage = claim(2, two_hands, last=True)
    stage.answer("discard", "haste", "rebirth")

    assert stage.view.hand_counts == (1, 2)


def test_second_side_2_with_an_empty_hand():
    """Nothing to lose, and the walk goes on."""
    stage = claim(2, last=True)

    assert stage.told("nothing_came_of_it") == [{"character": "kate"}]
    assert stage.kinds() == ["move"]


@pytest.mark.parametrize("last", [False, True])
def test_3_sends_the_finder_outside(last):
    """On both sides; the rest of the move is lost. RULE-E21."""
    stage = claim(3, last=last)

    assert stage.where("kate") is None
    assert stage.view.current_seat == 1


def test_first_side_4_even():
    """The second die is even: nothing happens, and the walk goes on."""
    stage = claim(4, again=[2])

    assert stage.told("dice_rolled")[0]["purpose"] == "man_again"
    assert stage.told("nothing_came_of_it") == [{"character": "kate"}]
    assert stage.kinds() == ["move"]


def test_first_side_4_odd():
    """RULE-E20: two drawn by lot fight at once; the round's own vote is still to come."""
    stage = claim(4, lambda g: (alive(g, "ada", "ben", "kate"), hold(g, 0, "haste")), again=[3])
    (pair,) = stage.told("challenge_at_once")
    assert stage.view.phase == "challenge"
    stage.hold_challenge()

    assert len(pair["contestants"]) == 2
    assert len(stage.told("died")) == 1
    assert stage.view.phase == "turns"


def test_first_side_4_odd_with_a_single_survivor():
    """One guest alone fights nobody."""
    stage = claim(4, lambda g: alive(g, "kate"), again=[1])

    assert stage.told("challenge_drawn") == []
    assert stage.kinds() == ["move"]


def test_second_side_4_odd_sends_another_outside():
    """By lot, one of those inside; never the finder."""
    stage = claim(
        4,
        lambda g: (alive(g, "ada", "ben", "kate"), stand(g, ada="e4")),
        last=True,
        again=[5],
    )

    assert stage.where("ada") is None
    assert stage.where("kate") == "b2"
    assert stage.told("sent_outside") == [{"character": "ada", "start": "e4"}]


@pytest.mark.parametrize(("die", "inside"), [(4, True), (5, False)])
def test_second_side_4_comes_to_nothing(die, inside):
    """An even die, or nobody else inside."""
    stage = claim(
        4,
        lambda g: (alive(g, "ada", "kate"), stand(g, **({"ada": "e4"} if inside else {}))),
        last=True,
        again=[die],
    )

    assert stage.told("sent_outside") == []
    assert stage.told("nothing_came_of_it") == [{"character": "kate"}]


@pytest.mark.parametrize("last", [False, True])
def test_5_raises_the_strongest_monster(last):
    """On both sides: from the discard to the top of the deck."""
    monsters = {**CONTENT.monsters, "monster_7": Monster(10)}
    stage = claim(
        5,
        lambda g: discard(g, "monster", "monster_3", "monster_7", "monster_4"),
        last=last,
        content=replace(HOUSE, monsters=monsters),
    )

    assert stage.play._state.piles["monster"][-1] == "monster_7"
    assert stage.play._state.discards["monster"] == ["monster_3", "monster_4"]


def test_5_with_no_monster_discarded():
    """C-E24: nothing happens."""
    assert claim(5).told("nothing_came_of_it") == [{"character": None}]


@pytest.mark.parametrize("last", [False, True])
def test_6_makes_the_next_player_exhaust_a_guest(last):
    """On both sides; RULE-E22."""
    stage = claim(6, lambda g: ready(g, "kate", "ben", "dora"), last=last)
    assert stage.asked("exhaust").seat == 1
    stage.answer("exhaust", "dora")

    assert stage.character("dora").exhausted
    assert not stage.character("ben").exhausted
    assert stage.told("skipped") == [{"character": "dora"}]


def test_second_side_holds_no_challenge():
    """RULE-E2: the tenth round has neither a vote nor a challenge, not even his."""
    assert "challenge_at_once" not in [result.effect.do for result in PRINTED["second"]]
    assert sorted(face for result in PRINTED["second"] for face in result.faces) == [*range(1, 7)]
    assert sorted(face for result in PRINTED["first"] for face in result.faces) == [*range(1, 7)]
