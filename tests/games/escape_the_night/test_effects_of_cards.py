"""What solved and failed clues, monsters and secret rooms do: one scene for each effect."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.escape_the_night.cards import Clue, Effect, Monster, SecretRoom
from engines.escape_the_night.effects import known
from engines.escape_the_night.effects.man import MAN
from engines.escape_the_night.effects.results import RESULTS
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    discard,
    face_up,
    hold,
    pin,
    ready,
    stand,
    tiles,
)

SURE, HOPELESS = 2, 13


def at_the_clue(g):
    """Kate (seat 0) stands beside a clue; everybody else waits outside."""
    tiles(g, a1="clue", f1="monster", c1="clue")
    stand(g, kate="b1")


def scene(solved=None, failed=None, arrange=lambda g: None, **rest):
    """Kate walks onto the clue and rolls; it is solved for sure, or failed for sure."""
    clue = Clue(SURE, solved=solved) if failed is None else Clue(HOPELESS, failed=failed)
    content = replace(rest.pop("content", CONTENT), clues=dict.fromkeys(CONTENT.clues, clue))
    stage = Stage(lambda g: (at_the_clue(g), arrange(g)), content=content, **rest)
    stage.roll_and("a1")
    stage.answer("attempt", "roll")
    if "accept" in stage.kinds():
        stage.answer("accept", "accept")
    return stage


def is_pointless(stage):
    """The effect found nothing to act upon, and the game went on."""
    return bool(stage.told("nothing_came_of_it")) and stage.kinds() == ["roll"]


def drawn(stage):
    """Who drew relics since the game was set up, in order."""
    events = [numbered for numbered in stage.play.events if numbered.ply]
    return [n.event.data["seat"] for n in events if n.event.kind == "relic_drawn"]


def test_every_effect_that_cards_may_name_is_there():
    """What the loader lets through, the rules can do; and they can do nothing else."""
    assert sorted(RESULTS) == sorted(known.RESULTS)
    assert sorted(MAN) == sorted(known.MAN)


def test_draw_relics():
    """So many on top of the one that every solved clue brings."""
    stage = scene(Effect("draw_relics", 2))

    assert drawn(stage) == [0, 0, 0]


def test_gift_with_two_players():
    """The only other player draws, unasked."""
    stage = scene(Effect("gift", 1))

    assert drawn(stage) == [0, 1]


def test_gift_with_more_players():
    """The owner says who draws."""
    stage = scene(Effect("gift", 2), seats=5)
    assert stage.choices("gift", 0) == ("seat_1", "seat_2", "seat_3", "seat_4")

    stage.answer("gift", "seat_3")

    assert drawn(stage) == [0, 3, 3]


def test_gift_alone():
    """Whoever plays alone draws for itself."""
    stage = scene(Effect("gift", 1), seats=1)

    assert drawn(stage) == [0, 0]


def test_gift_passes_over_those_without_guests():
    """RULE-E35: a player without living guests is out of it."""
    stage = scene(Effect("gift", 1), arrange=lambda g: alive(g, "kate", "ada"))

    assert drawn(stage) == [0, 0]


def test_salvage():
    """One of the relics discarded last, the latest first."""
    stage = scene(
        Effect("salvage", 2),
        arrange=lambda g: discard(g, "relic", "haste", "rebirth", "hush"),
    )
    assert stage.choices("salvage") == ("hush", "rebirth")

    stage.answer("salvage", "rebirth")

    assert "rebirth" in stage.play.view(0).hand
    assert stage.play._state.discards["relic"] == ["haste", "hush"]


def test_salvage_of_a_single_card_is_not_asked():
    """No choice, no question."""
    stage = scene(Effect("salvage", 5), arrange=lambda g: discard(g, "relic", "haste"))

    assert stage.told("relic_salvaged") == [{"seat": 0, "relic": "haste"}]


def test_salvage_of_nothing():
    """An empty discard gives nothing."""
    assert is_pointless(scene(Effect("salvage", 5)))


def test_rouse():
    """An exhausted guest of whichever player acts again; the one who acts now is not among them."""
    stage = scene(Effect("rouse"), arrange=lambda g: ready(g, "kate", "dora", "emil", "finn"))
    assert "kate" not in stage.choices("rouse")

    stage.answer("rouse", "ben")

    assert not stage.character("ben").exhausted
    assert stage.character("kate").exhausted


def test_rouse_nobody():
    """With nobody exhausted nothing happens."""
    assert is_pointless(scene(Effect("rouse")))


def test_reveal_tiles():
    """The owner turns so many, one after another."""
    stage = scene(Effect("reveal_tiles", 2))
    assert stage.choices("reveal") == ("f1", "c1")

    stage.answer("reveal", "f1")

    assert {tile.space: tile.colour for tile in stage.view.tiles} == {"f1": "monster", "c1": "clue"}
    assert is_quiet(stage)


def is_quiet(stage):
    """The turn is over and the next player is asked."""
    return stage.kinds() == ["roll"] and stage.view.current_seat == 1


def test_reveal_when_all_lie_open():
    """Nothing is left to turn."""
    assert is_pointless(
        scene(Effect("reveal_tiles", 1), arrange=lambda g: face_up(g, "a1", "c1", "f1"))
    )


def test_foresee():
    """Only the owner sees the cards, and one may go to the bottom."""
    stage = scene(Effect("foresee", 2, "monster"))
    assert stage.told("foresaw") == [{"seat": 0, "deck": "monster", "count": 2}]
    assert stage.told("foreseen_monster") == []
    assert stage.told("foreseen_monster", 1) == []
    assert stage.told("foreseen_monster", 0)[0]["monsters"] == ("monster_13", "monster_12")
    assert stage.asked("foresee").secret
    assert stage.choices("foresee") == ("keep", "monster_13", "monster_12")

    stage.answer("foresee", "monster_13")

    pile = stage.play._state.piles["monster"]
    assert (pile[-1], pile[0]) == ("monster_12", "monster_13")
    assert stage.told("deck_settled") == [{"seat": 0, "deck": "monster", "buried": True}]


def test_foresee_and_keep():
    """The deck may stay as it is."""
    stage = scene(Effect("foresee", 1, "challenge"))
    before = list(stage.play._state.piles["challenge"])

    stage.answer("foresee", "keep")

    assert stage.play._state.piles["challenge"] == before
    assert not stage.told("deck_settled")[0]["buried"]


def test_foresee_an_empty_deck():
    """There is nothing to see."""
    assert is_pointless(
        scene(Effect("foresee", 3, "challenge"), arrange=lambda g: g.piles["challenge"].clear())
    )


def test_stroll():
    """A few steps around tiles and artifacts, past others, not onto them."""
    stage = scene(Effect("stroll", 2), arrange=lambda g: stand(g, ada="a2"))
    # b2 holds an artifact, a2 is taken, c1 has a tile, and a3 lies behind a wall.
    assert stage.choices("stroll") == ("b1", "stay")

    stage.answer("stroll", "b1")

    assert stage.where("kate") == "b1"


def test_stroll_and_stay():
    """Nobody has to."""
    stage = scene(Effect("stroll", 2))
    stage.answer("stroll", "stay")

    assert stage.where("kate") == "a1"


def test_spirit_away():
    """To a free space of the room, if the owner likes."""
    stage = scene(Effect("spirit_away", of="cellar"), arrange=lambda g: stand(g, ada="h5"))
    assert stage.choices("spirit_away") == ("h6", "i6", "stay")  # i5 holds an artifact

    stage.answer("spirit_away", "h6")

    assert stage.where("kate") == "h6"


def test_free_ally():
    """Another's monster goes to the discard, and the tile stays."""
    stage = scene(
        Effect("free_ally"),
        arrange=lambda g: (stand(g, ben="f1"), pin(g, "ben", "monster_1"), face_up(g, "f1")),
    )

    assert stage.character("ben").monster is None
    assert "f1" in [tile.space for tile in stage.view.tiles]
    assert stage.play._state.discards["monster"] == ["monster_1"]


def test_free_ally_of_several():
    """The owner says who."""
    stage = scene(
        Effect("free_ally"),
        arrange=lambda g: (pin(g, "ben", "monster_1"), pin(g, "ada", "monster_2")),
    )
    stage.answer("free", "ada")

    assert stage.character("ada").monster is None
    assert stage.character("ben").monster == "monster_1"


def test_free_nobody():
    """Without a monster on anybody nothing happens."""
    assert is_pointless(scene(Effect("free_ally")))


def test_trade_places_by_choice():
    """With somebody whom no monster holds; nobody has to."""
    stage = scene(
        Effect("trade_places", of="choice"),
        arrange=lambda g: (alive(g, "kate", "ben", "ada"), pin(g, "ben", "monster_1")),
    )
    assert stage.choices("trade_places") == ("ada", "stay")

    stage.answer("trade_places", "ada")

    assert (stage.where("kate"), stage.where("ada")) == (None, "a1")


def test_trade_places_declined():
    """The choice may be to stay."""
    stage = scene(Effect("trade_places", of="choice"))
    stage.answer("trade_places", "stay")

    assert stage.where("kate") == "a1"


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


def test_effects_of_a_defeated_monster():
    """Monsters reward like clues."""
    monsters = dict.fromkeys(CONTENT.monsters, Monster(SURE, defeated=Effect("draw_relics", 1)))
    stage = Stage(
        lambda g: (tiles(g, f1="monster"), stand(g, kate="e1")),
        content=replace(CONTENT, monsters=monsters),
    )
    stage.roll_and("f1")
    stage.answer("attempt", "roll")

    assert drawn(stage) == [0, 0]


def test_effects_of_a_secret_room():
    """RULE-E33: whoever ends a move there; walking through does nothing."""
    rooms = {room: SecretRoom(Effect("reveal_tiles", 1)) for room in CONTENT.secret_rooms}
    stage = Stage(
        lambda g: (tiles(g, f1="monster", c1="clue"), stand(g, kate="g3")),
        content=replace(CONTENT, secret_rooms=rooms),
        secret_room="on",
    )
    stage.roll_and("h3")
    stage.answer("reveal", "c1")

    assert [tile.colour for tile in stage.view.tiles if tile.space == "c1"] == ["clue"]
