"""Relics: what they do when they are played in a turn."""

from __future__ import annotations

from dataclasses import replace

import pytest

from content.escape_the_night import load
from engines.escape_the_night.cards import Clue, Effect, Relic
from tests.games.escape_the_night.relic_table import (
    HOUSE,
    holding,
    play_to,
    table,
)
from tests.games.escape_the_night.stage import (
    face_up,
    hold,
    pin,
    stand,
    tiles,
)

# What they do


def test_bonus_before_and_after_the_dice():
    """RULE-E32: both count, and one that suffices ends the question."""
    stage = play_to("attempt", holding(0, "bonus", "shared_bonus"))
    stage.play_relic(0, "bonus")
    stage.answer("attempt", "roll")
    assert stage.told("attempt_rolled")[0]["total"] == 4
    stage.play_relic(0, "shared_bonus")

    assert stage.view.attempt is not None
    assert stage.view.attempt.bonus == 4
    assert stage.told("roll_helped")[-1] == {
        "seat": 0,
        "character": "kate",
        "amount": 2,
        "bonus": 4,
    }


def test_bonus_that_suffices():
    """Two short, two given: the clue is solved without another word."""
    content = replace(HOUSE, clues=dict.fromkeys(HOUSE.clues, Clue(4)))
    stage = play_to("rolled", holding(1, "shared_bonus"), content=content)
    stage.play_relic(1, "shared_bonus")

    assert stage.told("clue_solved")[0]["character"] == "kate"


def test_reroll():
    """Both dice again; the new ones count."""
    stage = play_to("rolled", holding(0, "reroll"))
    stage.play_relic(0, "reroll")

    assert stage.told("rerolled")[0]["dice"] == (6, 6)
    assert stage.told("clue_solved")


def test_haste():
    """Two spaces more in the move under way."""
    stage = play_to("walking", holding(0, "haste"))
    before = stage.view.steps_left
    stage.play_relic(0, "haste")

    assert stage.view.steps_left == before + 2
    assert len(stage.choices("move")) >= 1


@pytest.mark.parametrize("steps", [1, 3])
def test_haste_by_what_the_card_says(steps):
    """The amount is the card's."""
    content = replace(
        HOUSE, relics={**HOUSE.relics, "boots": Relic(Effect("haste", steps), anyone=True)}
    )
    stage = play_to("walking", holding(1, "boots"), content=content)
    before = stage.view.steps_left
    stage.play_relic(1, "boots")

    assert stage.view.steps_left == before + steps
    assert stage.told("hastened")[0]["amount"] == steps


def test_haste_for_another():
    """A shared one carries whoever walks."""
    stage = play_to("walking", holding(1, "shared_haste"))
    stage.play_relic(1, "shared_haste")

    assert stage.told("hastened")[0]["character"] == "kate"


def test_reveal_tiles():
    """A face-down tile of the holder's choice."""
    stage = play_to("turn", holding(0, "reveal_tiles"))
    stage.play_relic(0, "reveal_tiles")
    stage.answer("reveal", "f1")

    assert [tile.colour for tile in stage.view.tiles if tile.space == "f1"] == ["monster"]


def test_reveal_tiles_when_all_lie_open():
    """Then it is not offered."""
    stage = play_to("turn", lambda g: (holding(0, "reveal_tiles")(g), face_up(g, "a1", "c1", "f1")))

    assert stage.offered(0) == ()


def test_foresee():
    """The holder alone sees the cards."""
    stage = play_to("turn", holding(1, "shared_foresee"))
    stage.play_relic(1, "shared_foresee")

    assert stage.told("foreseen_monster", 0) == []
    assert len(stage.told("foreseen_monster", 1)[0]["monsters"]) == 2
    stage.answer("foresee", "keep")
    assert stage.kinds() == ["roll"]


@pytest.mark.parametrize("moment", ["turn", "walking"])
def test_trade_places(moment):
    """Before the dice or during the walk, which then goes on from the new space."""
    stage = play_to(moment, holding(0, "trade_places"))
    stage.play_relic(0, "trade_places")
    assert "ben" not in stage.choices("trade_places")
    stage.answer("trade_places", "ada")

    assert (stage.where("kate"), stage.where("ada")) == ("e4", "a2")
    if moment == "turn":
        stage.answer("roll", "roll")
    assert "f4" in stage.choices("move")


def test_trade_places_onto_a_tile():
    """Nothing is set off, but the tile can be tried; RULE-E5."""
    stage = play_to(
        "turn",
        lambda g: (holding(0, "trade_places")(g), stand(g, ada="a1"), face_up(g, "a1")),
    )
    assert stage.choices("roll") == ("roll",)
    stage.play_relic(0, "trade_places")
    stage.answer("trade_places", "ada")

    assert stage.choices("roll") == ("roll", "retry")


def test_through_wall():
    """To a free space that touches through a wall, for no step at all."""
    stage = play_to("walking", holding(0, "through_wall"))
    before = stage.view.steps_left
    stage.play_relic(0, "through_wall")
    stage.answer("through_wall", "a3")

    assert stage.where("kate") == "a3"
    assert stage.view.steps_left == before


def test_through_one_of_several_walls():
    """RULE-E36: the holder chooses; a wall with a tile behind it stays shut."""

    def arrange(g):
        tiles(g, c1="clue")
        stand(g, kate="d1")
        hold(g, 0, "through_wall")

    shut = table(arrange)
    shut.answer("roll", "roll")
    shut.play_relic(0, "through_wall")
    assert shut.choices("through_wall")[0] == "e1"
    assert "c1" not in shut.choices("through_wall")

    both = table(lambda g: (arrange(g), tiles(g, a1="clue")))
    both.answer("roll", "roll")
    both.play_relic(0, "through_wall")
    assert both.choices("through_wall")[:2] == ("e1", "c1")
    both.answer("through_wall", "c1")

    assert both.where("kate") == "c1"


def test_through_a_wall_on_the_way():
    """RULE-E36: the steps to the wall are paid, the one through it is not, and the walk goes on."""
    stage = table(
        lambda g: (tiles(g, a1="clue"), stand(g, kate="c3"), hold(g, 0, "through_wall")),
        dice={"move": [1, 3]},
    )
    stage.answer("roll", "roll")
    stage.play_relic(0, "through_wall")
    paid = {o.key: o.about["steps"] for o in stage.asked("through_wall").options}
    assert (paid["c2"], paid["b4"], paid["e1"]) == (0, 1, 3)
    assert "a1" not in paid
    stage.answer("through_wall", "b4")

    assert stage.told("walked")[-1]["path"] == ("b3",)
    assert stage.told("placed")[-1]["space"] == stage.where("kate") == "b4"
    assert stage.view.steps_left == 3
    assert "b5" in stage.choices("move")


def test_rouse():
    """An exhausted guest acts again."""
    stage = play_to("turn", holding(0, "rouse"))
    stage.play_relic(0, "rouse")

    assert stage.told("refreshed") == [{"character": "ada"}]


def test_silence_man():
    """Nothing happens, whatever the die said."""
    stage = table(
        lambda g: (stand(g, kate="b1"), tiles(g, f1="clue"), hold(g, 0, "silence_man")),
        dice={"man": [3]},
    )
    stage.roll_and("b2", "claim")
    stage.play_relic(0, "silence_man")

    assert stage.told("man_foiled") == [{"character": "kate"}]
    assert stage.where("kate") == "b2"


def test_reroll_man():
    """The new face counts; it can be changed again."""
    stage = table(
        lambda g: (stand(g, kate="b1"), tiles(g, f1="clue"), hold(g, 0, "reroll_man")),
        dice={"man": [5, 3]},
    )
    stage.roll_and("b2", "claim")
    stage.play_relic(0, "reroll_man")
    assert stage.view.man is not None
    assert stage.view.man.die == 3
    stage.answer("face_the_man", "face")

    assert stage.where("kate") is None


def test_banish_anothers_monster():
    """The monster is discarded undefeated, and nobody's count grows."""
    stage = play_to("turn", holding(0, "banish"))
    stage.play_relic(0, "banish")

    assert stage.character("ben").monster is None
    assert stage.character("ben").slain == 0
    assert stage.play._state.discards["monster"] == ["monster_1"]


def test_banishing_anothers_monster_leaves_ones_own_fight():
    """Only the fight of the guest that was freed is over."""

    def arrange(g):
        stand(g, kate="e1")
        tiles(g, f1="monster")
        pin(g, "ben", "monster_1")
        hold(g, 0, "banish")

    stage = table(arrange)
    stage.roll_and("f1")
    stage.play_relic(0, "banish")
    stage.answer("free", "ben")

    assert stage.character("ben").monster is None
    assert stage.kinds() == ["attempt"]
    assert stage.character("kate").monster is not None


def test_banish_ends_a_fight():
    """In mid-fight: neither won nor lost, the tile stays, and no relic is drawn."""

    def arrange(g):
        tiles(g, f1="monster")
        stand(g, kate="e1")
        hold(g, 0, "banish")

    stage = table(arrange)
    stage.roll_and("f1")
    events = stage.play_relic(0, "banish")

    kinds = [event.kind for event in events]
    assert "released" in kinds
    assert "monster_withstood" not in kinds
    assert "relic_drawn" not in kinds
    assert stage.character("kate").monster is None
    assert "f1" in [tile.space for tile in stage.view.tiles]
    assert stage.view.current_seat == 1


def test_salvage():
    """A card from the discard, but never the one that is being played."""
    stage = play_to("turn", holding(0, "salvage"))
    stage.play_relic(0, "salvage")

    assert stage.play.view(0).hand == ("ballast",)
    assert stage.play._state.discards["relic"] == ["salvage"]


def test_rule_e13_no_card_moves_or_frees_a_guest_in_the_middle_of_anothers_turn():
    """RULE-E13: what takes a turn out of its player's hands is for the holder's own turns."""
    meddling = ("through_wall", "banish", "trade_places")
    printed = [relic for relic in load().rules.relics.values() if relic.effect.do in meddling]

    assert sorted(relic.effect.do for relic in printed) == sorted(meddling)
    assert not any(relic.anyone for relic in printed)
