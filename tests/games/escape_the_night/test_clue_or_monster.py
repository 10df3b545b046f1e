"""[Resolving a Clue or Monster]."""

from __future__ import annotations

import pytest

from engines.escape_the_night.cards import Clue, Effect, Monster
from tests.games.escape_the_night.attempts import (
    at_the_clue,
    at_the_monster,
    pinned,
    with_clue,
    with_monster,
)
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    discard,
    face_up,
    hold,
    kinds,
    pin,
    ready,
    stand,
    top,
)


def test_the_card_is_read_before_the_roll():
    """Tile, then card, then one question before the dice: all know what is at stake."""
    stage = Stage(at_the_clue)
    events = stage.roll_and("a1")

    assert [e.kind for e in events if e.kind.startswith(("tile", "clue"))] == [
        "tile_turned",
        "clue_drawn",
    ]
    assert stage.asked("attempt").about == {
        "character": "kate",
        "clue": "clue_3",
        "monster": "",
        "difficulty": 7,
    }
    assert stage.view.attempt is not None
    assert (stage.view.attempt.card, stage.view.attempt.dice) == ("clue_3", ())


@pytest.mark.parametrize(
    ("dice", "event"),
    [([3, 4], "clue_solved"), ([6, 6], "clue_solved"), ([3, 3], "clue_failed")],
)
def test_c_e7_the_difficulty_itself_is_enough(dice, event):
    """C-E7: equal or higher succeeds, one less fails."""
    stage = Stage(at_the_clue, dice={"attempt": dice})
    stage.roll_and("a1")

    assert event in kinds(stage.answer("attempt", "roll"))


@pytest.mark.parametrize("difficulty", [2, 12])
def test_c_e8_a_solved_clue_clears_its_tile_and_brings_one_relic(difficulty):
    """C-E8: tile gone, card discarded, one relic, one point, whatever the difficulty."""
    stage = Stage(at_the_clue, content=with_clue(Clue(difficulty)), dice={"attempt": [6, 6]})
    stage.roll_and("a1")

    events = stage.answer("attempt", "roll")

    assert kinds(events)[:5] == [
        "attempt_rolled",
        "clue_solved",
        "tile_removed",
        "relic_drawn",
        "relic_seen",
    ]
    assert events[2].data == {"space": "a1", "room": "attic", "left": 0}
    assert [tile.space for tile in stage.view.tiles] == ["f1"]
    assert stage.view.hand_counts == (1, 0)
    assert stage.character("kate").solved == 1
    assert stage.play._state.discards["clue"] == ["clue_3"]


def test_rule_e10_a_failed_clue_goes_under_the_deck_and_its_tile_stays():
    """RULE-E10: the card's harm is done first, then it lies at the bottom; the tile lies open."""
    content = with_clue(Clue(7, failed=Effect("sent_outside")))
    stage = Stage(at_the_clue, content=content, dice={"attempt": [1, 2]})
    stage.roll_and("a1")

    events = stage.answer("attempt", "roll")

    assert kinds(events)[:3] == ["attempt_rolled", "clue_failed", "sent_outside"]
    assert stage.play._state.piles["clue"][0] == "clue_3"
    assert [(t.space, t.colour) for t in stage.view.tiles] == [("a1", "clue"), ("f1", None)]
    assert stage.where("kate") is None
    assert stage.view.hand_counts == (0, 0)


def test_c_e5_trying_again_draws_a_new_clue():
    """C-E5: the next turn on the tile takes the next card; the failed one is at the bottom."""

    def scene(g):
        at_the_clue(g)
        alive(g, "kate")

    stage = Stage(scene, dice={"attempt": [1, 1, 1, 1]})
    stage.roll_and("a1")
    stage.answer("attempt", "roll")
    stage.answer("roll", "retry")

    assert stage.asked("attempt").about["clue"] == "clue_4"
    assert stage.play._state.piles["clue"][0] == "clue_3"
    assert len(stage.told("tile_turned")) == 1


def test_a_monster_lies_on_the_character_and_is_fought_at_once():
    """The drawn monster is face up on the card, and there is one chance now."""
    stage = Stage(at_the_monster)
    events = stage.roll_and("f1")

    assert "pinned" in kinds(events)
    assert stage.character("kate").monster == "monster_3"
    assert stage.asked("attempt").about == {
        "character": "kate",
        "clue": "",
        "monster": "monster_3",
        "difficulty": 8,
    }


def test_a_defeated_monster_clears_its_tile_and_brings_one_relic():
    """C-E7 for monsters: card discarded, tile gone, one relic, one point."""
    stage = Stage(at_the_monster, dice={"attempt": [4, 4]})
    stage.roll_and("f1")

    events = stage.answer("attempt", "roll")

    assert kinds(events)[:4] == [
        "attempt_rolled",
        "monster_defeated",
        "tile_removed",
        "relic_drawn",
    ]
    assert stage.character("kate").monster is None
    assert stage.character("kate").slain == 1
    assert stage.play._state.discards["monster"] == ["monster_3"]
    assert stage.view.hand_counts == (1, 0)


def test_rule_e11_a_monster_that_withstood_pins_the_character():
    """RULE-E11, C-E4, C-E6: next turn no dice for walking are rolled; the same card is fought."""

    def scene(g):
        at_the_monster(g)
        alive(g, "kate")

    stage = Stage(scene, dice={"attempt": [1, 1, 1, 1]})
    stage.roll_and("f1")
    stage.answer("attempt", "roll")

    assert "monster_withstood" in stage.heard()
    assert stage.kinds() == ["attempt"]
    assert stage.asked("attempt").about["monster"] == "monster_3"
    assert stage.view.round == 2
    assert len(stage.told("move_rolled")) == 1


def test_c_e4_a_pinned_character_does_not_roll_for_movement():
    """C-E4: its turn is the fight and nothing else."""
    stage = Stage(pinned, dice={"attempt": [1, 1]})
    assert stage.kinds() == ["attempt"]

    stage.answer("attempt", "roll")

    assert stage.told("move_rolled") == []
    assert stage.character("kate").exhausted
    assert stage.where("kate") == "f1"


def test_c_e6_the_same_monster_until_it_is_beaten():
    """C-E6: no new card is drawn for the second fight; winning it frees the character."""
    stage = Stage(pinned, dice={"attempt": [6, 6]})
    events = stage.answer("attempt", "roll")

    assert stage.told("pinned") == []
    assert [e.data for e in events if e.kind == "monster_defeated"] == [
        {"character": "kate", "seat": 0, "monster": "monster_5"}
    ]


def test_a_monster_met_away_from_its_tile_removes_no_other():
    """RULE-E11: the fight is wherever the character stands; a clue's tile there is not its tile."""

    def scene(g):
        pinned(g)
        stand(g, kate="a1")
        face_up(g, "a1")

    stage = Stage(scene, dice={"attempt": [6, 6]})
    stage.answer("attempt", "roll")

    assert {tile.space for tile in stage.view.tiles} == {"a1", "f1"}


def test_benefits_come_with_success_and_harm_with_failure():
    """[Resolving a Clue or Monster] some cards do more, for good and for ill."""
    content = with_monster(
        Monster(8, defeated=Effect("draw_relics", 1), failed=Effect("sent_outside"))
    )
    stage = Stage(pinned, content=content, dice={"attempt": [6, 6]})
    stage.answer("attempt", "roll")
    assert stage.view.hand_counts == (2, 0)

    stage = Stage(pinned, content=content, dice={"attempt": [1, 1]})
    stage.answer("attempt", "roll")
    assert stage.where("kate") is None
    assert stage.character("kate").monster == "monster_5"


def test_c_e30_a_card_against_a_rule_wins():
    """C-E30: a tile keeps its colour, unless a card turns it red."""
    content = with_clue(Clue(7, failed=Effect("tile_turns_red")))
    stage = Stage(at_the_clue, content=content, dice={"attempt": [1, 1]})
    stage.roll_and("a1")
    stage.answer("attempt", "roll")

    assert (stage.view.tiles[0].space, stage.view.tiles[0].colour) == ("a1", "monster")


def test_rule_e5_an_open_monster_tile_without_its_monster_is_tried_with_a_new_one():
    """RULE-E5, RULE-E12: whoever takes the place of a dead fighter draws a new card."""

    def scene(g):
        at_the_monster(g)
        face_up(g, "f1")
        alive(g, "ada", "ben", "kate")
        ready(g)
        stand(g, ada="f1")
        pin(g, "ada", "monster_0")
        top(g, "monster", "monster_7")

    stage = Stage(scene, dice={"duel": [1, 1, 6, 6], "move": [1] * 4, "attempt": [6, 6]})
    stage.cast(s0="ada ben", s1="ada")
    assert stage.told("died")[0]["character"] == "ada"
    assert stage.told("released") == [{"character": "ada", "monster": "monster_0"}]
    stage.roll_and("stay")
    assert stage.play._state.discards["monster"] == ["monster_0"]
    stage.roll_and("f1")
    assert stage.asked("attempt").about["monster"] == "monster_7"
    stage.answer("attempt", "roll")

    assert stage.play._state.discards["monster"] == ["monster_0", "monster_7"]
    assert "f1" not in [tile.space for tile in stage.view.tiles]


def test_rule_e14_an_empty_deck_is_its_shuffled_discard():
    """RULE-E14: the discard becomes the deck when a card is needed."""

    def scene(g):
        at_the_monster(g)
        discard(g, "monster", *tuple(g.piles["monster"]))

    stage = Stage(scene)
    events = stage.roll_and("f1")

    assert "reshuffled" in kinds(events)
    assert dict(stage.view.pile_counts)["monster"] == 13
    assert stage.character("kate").monster is not None


def test_rule_e14_without_any_relic_left_none_is_drawn():
    """RULE-E14: when all relics are in hands, success brings none, and the table is told."""

    def scene(g):
        at_the_clue(g)
        hold(g, 1, *tuple(g.piles["relic"]))

    stage = Stage(scene, dice={"attempt": [6, 6]})
    stage.roll_and("a1")
    events = stage.answer("attempt", "roll")

    assert "relics_ran_out" in kinds(events)
    assert stage.view.hand_counts[0] == 0
