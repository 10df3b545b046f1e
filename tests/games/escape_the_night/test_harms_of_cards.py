"""What failed clues and monsters do: one scene for each effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.escape_the_night.cards import Effect, Monster
from tests.games.escape_the_night.one_clue import (
    HOPELESS,
    is_pointless,
    scene,
)
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    discard,
    hold,
    pin,
    ready,
    stand,
    tiles,
)


def test_trade_places_by_chance():
    """A failed clue asks nobody, and whoever comes onto the tile does not set it off."""
    stage = scene(
        failed=Effect("trade_places", of="chance"),
        arrange=lambda g: (alive(g, "kate", "ben", "ada"), stand(g, ada="e4", ben="f4")),
        picks={"trade_places": [0]},
    )

    assert (stage.where("kate"), stage.where("ada")) == ("e4", "a1")
    assert len(stage.told("clue_drawn")) == 1


def test_trade_places_with_nobody():
    """When all others are held, nothing happens."""
    stage = scene(
        failed=Effect("trade_places", of="chance"),
        arrange=lambda g: (alive(g, "kate", "ben"), pin(g, "ben", "monster_1")),
    )

    assert stage.told("nothing_came_of_it")


def test_discard_relics():
    """The owner chooses which, in secret; their names become known."""
    stage = scene(
        failed=Effect("discard_relics", 2),
        arrange=lambda g: hold(g, 0, "haste", "rebirth", "hush"),
    )
    assert stage.asked("discard").secret

    stage.answer("discard", "haste", "hush")

    assert stage.play.view(0).hand == ("rebirth",)
    assert [e["relic"] for e in stage.told("relic_discarded")] == ["haste", "hush"]


def test_discard_relics_when_there_are_fewer():
    """All that there is, unasked; with none there is nothing to lose."""
    poor = scene(failed=Effect("discard_relics", 2), arrange=lambda g: hold(g, 0, "haste"))
    empty = scene(failed=Effect("discard_relics", 1))

    assert poor.play.view(0).hand == ()
    assert is_pointless(empty)


def test_hand_over():
    """A relic drawn blind goes to the next player; only the two see which."""
    stage = scene(
        failed=Effect("hand_over"),
        arrange=lambda g: hold(g, 0, "haste", "rebirth"),
        picks={"hand_over": [1]},
    )

    assert stage.play.view(0).hand == ("haste",)
    assert stage.play.view(1).hand == ("rebirth",)
    assert stage.told("relic_seen_given") == []
    assert stage.told("relic_given") == [{"seat": 0, "to_seat": 1}]


def test_hand_over_alone():
    """Without a next player it is discarded; without a relic nothing happens."""
    stage = scene(failed=Effect("hand_over"), arrange=lambda g: hold(g, 0, "haste"), seats=1)

    assert stage.told("relic_discarded") == [{"seat": 0, "relic": "haste"}]
    assert is_pointless(scene(failed=Effect("hand_over")))


def test_each_discards():
    """RULE-E31: every player discards one, all at once."""
    stage = scene(
        failed=Effect("each_discards"),
        arrange=lambda g: (hold(g, 0, "haste", "hush"), hold(g, 1, "rebirth", "alibi")),
    )
    stage.answer("discard", "rebirth", seat=1)
    stage.answer("discard", "haste", seat=0)

    assert [e["relic"] for e in stage.told("relic_discarded")] == ["haste", "rebirth"]


def test_each_discards_with_empty_hands():
    """C-E25 taken to its end: nobody has one."""
    assert is_pointless(scene(failed=Effect("each_discards")))


def test_each_discards_with_those_exempt():
    """The only one with a relic has nobody left alive: nothing comes of it, and that is told."""

    def arrange(g):
        hold(g, 1, "rebirth")
        for guest in g.rows[1]:
            g.characters[guest].alive = False
            g.graveyard.append(guest)

    assert is_pointless(scene(failed=Effect("each_discards"), arrange=arrange))


def test_sent_outside():
    """Out of the door; the clue's tile stays as it is."""
    stage = scene(failed=Effect("sent_outside"))

    assert stage.where("kate") is None
    assert stage.told("sent_outside") == [{"character": "kate", "start": "a1"}]
    assert "a1" in [tile.space for tile in stage.view.tiles]


def test_driven_to():
    """A free space of the room, by lot."""
    stage = scene(failed=Effect("driven_to", of="cellar"), picks={"driven_to": [1]})

    assert stage.where("kate") == "h6"


def test_driven_to_where_one_is():
    """Whoever is in the room already stays."""
    stage = scene(failed=Effect("driven_to", of="attic"))

    assert stage.where("kate") == "a1"
    assert is_pointless(stage)


def test_driven_off_with_the_monster():
    """RULE-E11: the monster comes along, and the tile it came from stays."""
    monsters = dict.fromkeys(CONTENT.monsters, Monster(HOPELESS, failed=Effect("sent_outside")))
    stage = Stage(
        lambda g: (tiles(g, f1="monster"), stand(g, kate="e1")),
        content=replace(CONTENT, monsters=monsters),
    )
    stage.roll_and("f1")
    stage.answer("attempt", "roll")

    assert stage.where("kate") is None
    assert stage.character("kate").monster is not None
    assert "f1" in [tile.space for tile in stage.view.tiles]


def test_tire_another():
    """Somebody who has not acted yet is exhausted."""
    stage = scene(
        failed=Effect("tire_another"), arrange=lambda g: ready(g, "kate", "ben", "ada", "jack")
    )
    assert stage.choices("exhaust") == ("ada", "ben", "jack")

    stage.answer("exhaust", "jack")

    assert stage.character("jack").exhausted
    assert stage.told("skipped") == [{"character": "jack"}]


def test_tire_nobody():
    """When all others have acted, nobody is left to tire."""
    stage = scene(
        failed=Effect("tire_another"), arrange=lambda g: (alive(g, "kate"), ready(g, "kate"))
    )

    assert stage.told("nothing_came_of_it")


def test_tile_turns_red():
    """The clue's tile is a monster's from now on."""
    stage = scene(failed=Effect("tile_turns_red"))

    assert [tile.colour for tile in stage.view.tiles if tile.space == "a1"] == ["monster"]
    assert stage.told("tile_changed")[0]["colour"] == "monster"


def test_a_red_tile_stays_red():
    """On a monster's tile nothing changes."""
    monsters = dict.fromkeys(CONTENT.monsters, Monster(HOPELESS, failed=Effect("tile_turns_red")))
    stage = Stage(
        lambda g: (tiles(g, f1="monster"), stand(g, kate="e1")),
        content=replace(CONTENT, monsters=monsters),
    )
    stage.roll_and("f1")
    stage.answer("attempt", "roll")

    assert stage.told("tile_changed") == []
    assert stage.told("nothing_came_of_it") == [{"character": "kate"}]


def test_monster_rises():
    """The strongest of the discard goes on top; chance parts equals."""
    monsters = {**CONTENT.monsters, "monster_2": Monster(11), "monster_5": Monster(11)}
    stage = scene(
        failed=Effect("monster_rises"),
        content=replace(CONTENT, monsters=monsters),
        arrange=lambda g: discard(g, "monster", "monster_1", "monster_2", "monster_5"),
        picks={"strongest": [1]},
    )

    assert stage.play._state.piles["monster"][-1] == "monster_5"
    assert stage.told("monster_rose") == [{"monster": "monster_5", "difficulty": 11}]


def test_no_monster_rises_from_an_empty_discard():
    """C-E24."""
    assert is_pointless(scene(failed=Effect("monster_rises")))


@pytest.mark.parametrize("do", ["stroll", "spirit_away"])
def test_whom_a_monster_holds_goes_nowhere(do):
    """RULE-E11: an effect that walks does not free from a monster."""
    effect = Effect(do, 2) if do == "stroll" else Effect(do, of="cellar")
    monsters = dict.fromkeys(CONTENT.monsters, Monster(HOPELESS, failed=effect))
    stage = Stage(
        lambda g: (tiles(g, f1="monster"), stand(g, kate="e1")),
        content=replace(CONTENT, monsters=monsters),
    )
    stage.roll_and("f1")
    stage.answer("attempt", "roll")

    assert stage.where("kate") == "f1"
    assert stage.told("nothing_came_of_it") == [{"character": "kate"}]
