"""Relics: when they may be played, by whom, and what they do. RULE-E13, RULE-E32."""

from __future__ import annotations

from dataclasses import replace

import pytest

from content.escape_the_night import load
from engines.escape_the_night.cards import Clue, Effect, Relic
from engines.escape_the_night.effects import known, relics
from engines.escape_the_night.state import Moment
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

AMOUNTS = {
    "foresee": Effect("foresee", 2, "monster"),
    "trade_places": Effect("trade_places", of="choice"),
    "salvage": Effect("salvage", 3),
    "reveal_tiles": Effect("reveal_tiles", 1),
}
OURS = {do: AMOUNTS.get(do, Effect(do, 2)) for do in known.RELICS}
"""One relic of each kind, under the name of its effect, and again as ``shared_...``."""

HOUSE = replace(
    CONTENT,
    relics={
        **{do: Relic(effect) for do, effect in OURS.items()},
        **{f"shared_{do}": Relic(effect, anyone=True) for do, effect in OURS.items()},
        "ballast": Relic(Effect("bonus", 1)),
    },
)
ALL = tuple(OURS)


def table(arrange, *, seats=2, **rest):
    """A game in which any relic may be held."""
    return Stage(arrange, seats=seats, content=rest.pop("content", HOUSE), **rest)


def holding(seat, *names):
    """An arrangement: these relics in that hand, and someone to act on for each of them."""

    def arrange(g):
        tiles(g, a1="clue", f1="monster", c1="clue")
        stand(g, kate="a2", ada="e4")
        alive(g, "kate", "ada", "ben", "cleo", "dora", "jack")
        ready(g, "kate", "ben", "cleo", "dora", "jack")
        pin(g, "ben", "monster_1")
        discard(g, "relic", "ballast")
        hold(g, seat, *names)

    return arrange


# Moments

MOMENTS = {
    "turn": ("rebirth", "reveal_tiles", "foresee", "trade_places", "rouse", "banish", "salvage"),
    "walking": (
        "haste",
        "rebirth",
        "reveal_tiles",
        "foresee",
        "trade_places",
        "through_wall",
        "rouse",
        "banish",
        "salvage",
    ),
    "attempt": ("bonus", "banish"),
    "rolled": ("bonus", "reroll", "banish"),
}
TO = {
    "turn": (),
    "walking": (("roll", "roll"),),
    "attempt": (("roll", "roll"), ("move", "a1")),
    "rolled": (("roll", "roll"), ("move", "a1"), ("attempt", "roll")),
}


def play_to(moment, arrange, **rest):
    """Kate's turn, as far as that moment; her roll falls short."""
    stage = table(arrange, dice={"attempt": [1, 1, 6, 6], "move": [3, 3]}, **rest)
    for kind, key in TO[moment]:
        stage.answer(kind, key)
    return stage


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_moments_of_a_turn(moment):
    """On its holder's turn each relic fits just these moments."""
    stage = play_to(moment, holding(0, *ALL))

    assert stage.view.moment == moment
    assert sorted(stage.offered(0)) == sorted(MOMENTS[moment])


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_relics_of_ones_own_stay_in_hand_on_others_turns(moment):
    """RULE-E13: a relic without ``anyone`` waits for its holder's turn."""
    assert play_to(moment, holding(1, *ALL)).offered(1) == ()


@pytest.mark.parametrize("moment", list(MOMENTS))
def test_shared_relics_fit_everybodys_turn(moment):
    """RULE-E13: a card's own text wins; so even without a living guest."""

    def arrange(g):
        holding(1, *(f"shared_{do}" for do in ALL))(g)
        for guest in ("ben", "dora", "jack"):
            g.characters[guest].alive = False
        g.characters["ada"].monster, g.characters["ben"].monster = "monster_1", None

    stage = play_to(moment, arrange)

    assert not stage.play._state.living_of(1)
    assert sorted(stage.offered(1)) == sorted(f"shared_{do}" for do in MOMENTS[moment])


def test_moments_of_the_man():
    """His die can be changed or waved away while it lies there."""
    stage = table(
        lambda g: (stand(g, kate="b1"), tiles(g, f1="clue"), hold(g, 0, *ALL)), dice={"man": [3]}
    )
    stage.roll_and("b2", "claim")

    assert sorted(stage.offered(0)) == ["reroll_man", "silence_man"]


def voting(g):
    """Everybody has acted; five are alive."""
    alive(g, "ada", "ben", "cleo", "dora", "emil")
    ready(g)


def test_moments_of_the_vote():
    """Everybody may play what fits a vote: it is nobody's turn."""
    stage = table(lambda g: (voting(g), hold(g, 0, *ALL), hold(g, 1, "shared_accuse")))

    assert sorted(stage.offered(0)) == ["accuse", "alibi", "rebirth"]
    assert stage.offered(1) == ("shared_accuse",)


def test_moments_of_the_challenge():
    """Until the verdict stands."""
    stage = table(lambda g: (voting(g), hold(g, 0, *ALL)))
    stage.cast(s0="ada ada ben", s1="ada ben")
    assert sorted(stage.offered(0)) == ["duel_bonus", "rebirth", "spare"]

    stage.answer("brace", "roll", seat=0)
    stage.answer("brace", "roll", seat=1)

    assert stage.kinds() == ["verdict", "verdict"]
    assert sorted(stage.offered(0)) == ["duel_bonus", "rebirth", "spare"]


def test_no_relic_is_played_upon_another():
    """While a card takes effect nobody plays the next."""
    stage = table(holding(0, "rouse", "reveal_tiles"))
    stage.play_relic(0, "reveal_tiles")

    assert stage.kinds() == ["reveal"]
    assert stage.offered(0) == ()


def test_every_moment_is_named():
    """No relic waits for a moment that never comes, and every kind is there."""
    assert sorted(relics.USES) == sorted(known.RELICS)
    named = Moment.__args__

    assert all(moment in named for use in relics.USES.values() for moment in use.moments)


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


def test_rebirth():
    """The dead come back outside, and vote in the vote that is open."""
    stage = table(lambda g: (voting(g), hold(g, 0, "rebirth")))
    assert stage.asked("vote", 1).shape.most == 2
    stage.play_relic(0, "rebirth")
    stage.answer("raise", "jack")

    assert stage.character("jack").alive
    assert stage.where("jack") is None
    assert "jack" not in stage.view.graveyard
    assert stage.asked("vote", 1).shape.most == 3
    assert "jack" in stage.choices("vote", 0)


def test_rebirth_of_the_only_dead_is_not_asked():
    """No choice, no question; with nobody dead it is not offered."""

    def arrange(g):
        hold(g, 0, "rebirth")
        g.characters["ada"].alive = False
        g.graveyard.append("ada")

    stage = table(arrange)
    stage.play_relic(0, "rebirth")

    assert stage.character("ada").alive
    assert table(lambda g: hold(g, 0, "rebirth")).offered(0) == ()


def test_accuse():
    """Votes that no token cast count like others."""
    stage = table(lambda g: (voting(g), hold(g, 0, "accuse")))
    stage.play_relic(0, "accuse")
    stage.answer("accuse", "emil")
    stage.cast(s0="ada ben ada", s1="dora cleo")

    assert {"character": "emil", "votes": 2} in stage.told("votes_fell")


def test_alibi():
    """An own guest is out of the vote; all ballots are asked for again, whomever they named."""
    stage = table(lambda g: (voting(g), hold(g, 0, "alibi")))
    stage.answer("vote", "dora", "ben", seat=1)
    stage.play_relic(0, "alibi")
    assert stage.choices("alibi") == ("ada", "cleo", "emil")
    stage.answer("alibi", "ada")

    assert stage.asked("vote", 1).current is None
    assert "ada" not in stage.choices("vote", 1)


def test_alibi_leaves_two_to_vote_for():
    """The second of four to be excused ends the vote: with two left there is no choice."""
    stage = table(
        lambda g: (
            alive(g, "ada", "ben", "cleo", "emil"),
            ready(g),
            hold(g, 0, "alibi", "shared_alibi"),
        )
    )
    stage.play_relic(0, "alibi")
    stage.answer("alibi", "ada")
    assert stage.choices("vote", 1) == ("ben", "cleo", "emil")
    stage.play_relic(0, "shared_alibi")
    stage.answer("alibi", "emil")

    assert stage.told("chosen") == [{"contestants": ("ben", "cleo")}]


def fighting(g):
    """Ada (seat 0) and Ben (seat 1) are voted in."""
    voting(g)


def duel(*held, seat=0, **rest):
    """The challenge between them has begun."""
    stage = table(lambda g: (fighting(g), hold(g, seat, *held)), **rest)
    stage.cast(s0="ada ada ben", s1="ada ben")
    return stage


def test_duel_bonus():
    """Whoever it is for; after the dice it can still turn the verdict."""
    stage = duel("duel_bonus", dice={"duel": [3, 3, 4, 3]})
    stage.answer("brace", "roll", seat=0)
    stage.answer("brace", "roll", seat=1)
    assert stage.asked("verdict", 0).about["losers"] == ("ada",) or stage.asked("verdict", 0).about[
        "losers"
    ] == ["ada"]
    stage.play_relic(0, "duel_bonus")
    stage.answer("support", "ada")  # no relic is left that could turn it back

    assert stage.told("challenge_lost")[0]["character"] == "ben"


def test_spare():
    """The loser lives, and nobody dies instead. Only one's own can be protected."""
    stage = duel("spare", dice={"duel": [1, 1, 6, 6]})
    assert stage.offered(0) == ("spare",)
    stage.play_relic(0, "spare")
    stage.hold_challenge()

    assert stage.told("spared") == [{"character": "ada"}]
    assert stage.told("died") == []


def test_spare_needs_a_contestant_of_ones_own():
    """Onlookers have nobody to protect."""
    stage = table(
        lambda g: (
            alive(g, "ada", "ben", "cleo", "dora"),
            ready(g),
            hold(g, 2, "shared_spare"),
        ),
        seats=4,
    )
    stage.cast(s0="ada", s1="ben", s2="ada", s3="ben")

    assert stage.offered(2) == ()


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
    """The holder chooses; a wall with a tile behind it stays shut."""

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
    """The steps to the wall are paid, the one through it is not, and the walk goes on."""
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


def test_a_raised_guest_is_not_exhausted():
    """It may still act in the hour in which it comes back."""

    def arrange(g):
        hold(g, 0, "rebirth")
        g.characters["ada"].alive, g.characters["ada"].exhausted = False, True
        g.graveyard.append("ada")

    stage = table(arrange)
    stage.play_relic(0, "rebirth")

    assert not stage.character("ada").exhausted


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
