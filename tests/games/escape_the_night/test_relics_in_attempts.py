"""Relics around an attempt: time for them before and after the roll, and whose they help."""

from __future__ import annotations

from dataclasses import replace

from engines.escape_the_night.cards import Effect
from tests.games.escape_the_night.attempts import at_the_clue, pinned
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    hold,
    kinds,
    stand,
)


def test_rule_e32_relics_before_the_roll():
    """RULE-E32: before the dice fall there is time for them, also for other players' cards."""
    stage = Stage(
        lambda g: (at_the_clue(g), hold(g, 0, "own_plus"), hold(g, 1, "plus_two")),
        dice={"attempt": [1, 2]},
    )
    stage.roll_and("a1")
    assert stage.offered(0) == ("own_plus",)
    assert stage.offered(1) == ("plus_two",)

    stage.play_relic(0, "own_plus")
    stage.play_relic(1, "plus_two")
    events = stage.answer("attempt", "roll")

    assert events[0].data["bonus"] == 4
    assert events[0].data["total"] == 7
    assert "clue_solved" in kinds(events)


def test_rule_e13_a_relic_serves_its_owners_characters_on_the_owners_turn():
    """RULE-E13: unless the card says otherwise; then it helps anybody on any turn."""

    def scene(g):
        at_the_clue(g)
        stand(g, kate="c6", jack="b1")
        hold(g, 0, "own_plus", "plus_one")
        g.starting_seat = 1

    stage = Stage(scene)
    stage.roll_and("a1")

    assert stage.asked("attempt").seat == 1
    assert stage.offered(0) == ("plus_one",)


def test_rule_e13_whoever_has_no_character_left_keeps_the_relics():
    """RULE-E13: and may play those that serve anybody on any turn."""

    def scene(g):
        at_the_clue(g)
        alive(g, "kate", "iris")
        hold(g, 1, "plus_one", "own_plus")

    stage = Stage(scene)
    stage.roll_and("a1")

    assert stage.offered(1) == ("plus_one",)
    assert stage.view.hand_counts == (0, 2)


def test_rule_e32_after_a_failed_roll_there_is_time_for_relics():
    """RULE-E32: the result counts only when the acting player lets it stand."""
    stage = Stage(lambda g: (at_the_clue(g), hold(g, 1, "plus_two")), dice={"attempt": [2, 3]})
    stage.roll_and("a1")
    events = stage.answer("attempt", "roll")
    assert kinds(events) == ["attempt_rolled"]
    assert stage.asked("accept").seat == 0

    events = stage.play_relic(1, "plus_two")

    assert "clue_solved" in kinds(events)
    assert stage.view.acting != "kate"


def test_rule_e32_letting_it_stand():
    """RULE-E32: with the answer the failure counts."""
    stage = Stage(lambda g: (at_the_clue(g), hold(g, 1, "plus_one")), dice={"attempt": [2, 3]})
    stage.roll_and("a1")
    stage.answer("attempt", "roll")
    stage.play_relic(1, "plus_one")
    assert stage.kinds() == ["accept"]

    assert kinds(stage.answer("accept", "accept"))[0] == "clue_failed"


def test_rule_e32_being_asked_tells_nothing():
    """RULE-E32: the question comes when anybody holds any relic, since counts are public."""
    for relic in ("plus_two", "alibi"):
        stage = Stage(lambda g, r=relic: (at_the_clue(g), hold(g, 1, r)), dice={"attempt": [1, 1]})
        stage.roll_and("a1")
        stage.answer("attempt", "roll")
        assert stage.kinds() == ["accept"]

    stage = Stage(at_the_clue, dice={"attempt": [1, 1]})
    stage.roll_and("a1")
    stage.answer("attempt", "roll")
    assert stage.kinds() == ["roll"]


def test_rule_e32_a_second_roll_replaces_the_first():
    """RULE-E32: after a reroll the new dice count."""
    stage = Stage(lambda g: (at_the_clue(g), hold(g, 0, "again")), dice={"attempt": [1, 1, 6, 5]})
    stage.roll_and("a1")
    stage.answer("attempt", "roll")

    assert "clue_solved" in kinds(stage.play_relic(0, "again"))


def test_rule_e11_a_banished_monster_is_neither_beaten_nor_fought_on():
    """RULE-E11, RULE-E12: the fight ends with the turn; no relic, and the tile stays."""

    def scene(g):
        pinned(g)
        hold(g, 0, "salt")

    content = replace(CONTENT, relics={**CONTENT.relics, "salt": replace_effect("banish")})
    stage = Stage(scene, content=content)
    events = stage.play_relic(0, "salt")

    assert "released" in kinds(events)
    assert "monster_defeated" not in kinds(events)
    assert stage.character("kate").monster is None
    assert stage.character("kate").exhausted
    assert {tile.space for tile in stage.view.tiles} == {"a1", "f1"}


def replace_effect(do: str):
    """A relic for anybody with that effect."""
    return replace(CONTENT.relics["plus_one"], effect=Effect(do))
