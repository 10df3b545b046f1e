"""What solved clues, defeated monsters and secret rooms do: one scene for each effect."""

from __future__ import annotations

from dataclasses import replace

from engines.escape_the_night.cards import Effect, Monster, SecretRoom
from engines.escape_the_night.effects import known
from engines.escape_the_night.effects.man import MAN
from engines.escape_the_night.effects.results import RESULTS
from tests.games.escape_the_night.one_clue import (
    SURE,
    drawn,
    is_pointless,
    is_quiet,
    scene,
)
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    discard,
    face_up,
    pin,
    ready,
    stand,
    tiles,
)


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
