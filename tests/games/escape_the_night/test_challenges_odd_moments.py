"""Odd moments of the death challenges: help, bids that cannot be paid, glasses passed on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.escape_the_night.cards import Challenge, Effect, Relic
from tests.games.escape_the_night.fights import (
    ADA,
    BEN,
    CARDS,
    FIGHTS,
    HOUSE,
    TIE,
    Fight,
    begin,
    fight_on,
    help_with,
)
from tests.games.escape_the_night.stage import hold


def test_a_bid_that_was_played_meanwhile():
    """A relic played between bid and payment is gone: only what is paid counts."""
    hands = {0: ["coffin", "hush", "haste"], 1: ["alibi", "again"]}
    stage = begin(Fight("devils_auction", ADA, hand=hands))
    stage.answer("bid", "bid_2", seat=0)
    stage.answer("bid", "bid_1", seat=1)
    assert stage.asked("discard", 0).shape.least == 2
    stage.play_relic(0, "coffin")
    stage.answer("discard", "alibi", seat=1)

    assert [e["score"] for e in stage.told("challenge_scored")] == [2, 1]


def test_a_bid_that_cannot_be_paid():
    """Whoever plays its only relic after bidding it, while the other pays, pays nothing."""
    stage = begin(Fight("devils_auction", ADA, hand={0: ["coffin"], 1: ["alibi", "again"]}))
    stage.answer("bid", "bid_1", seat=0)
    stage.answer("bid", "bid_1", seat=1)
    stage.play_relic(0, "coffin")
    stage.answer("discard", "alibi", seat=1)

    assert [e["score"] for e in stage.told("challenge_scored")] == [0, 1]


def test_a_bid_of_the_whole_hand_is_paid_unasked():
    """There is nothing to choose, and all can see that; nor is an empty hand asked for a bid."""
    stage = begin(Fight("devils_auction", ADA, hand={1: ["alibi"]}))
    assert [(d.seat, d.kind) for d in stage.play.asked] == [(1, "bid")]
    stage.answer("bid", "bid_1")

    assert stage.told("relic_discarded") == [{"seat": 1, "relic": "alibi"}]
    assert stage.told("died")[0]["character"] == "ada"


def test_the_last_match_is_struck_unasked():
    """Whoever has to take the only one left is not asked, unless somebody holds a relic."""
    for hand in ({}, {2: ["haste"]}):
        stage = begin(Fight("last_match", ADA, {}, {"matches": [1]}, {"first": [0]}, hand))
        for seat, count in ((0, 3), (1, 3), (0, 3), (1, 3), (0, 3)):
            stage.answer("matches", f"take_{count}", seat=seat)
        assert ("matches" in stage.kinds()) == bool(hand)

    assert stage.choices("matches") == ("take_1",)


def test_nobody_takes_a_breath_without_relics():
    """With no hand to help from there is nothing to wait for: the dice fall at once."""
    stage = begin(Fight("pistols_in_the_fog", ADA, dice={"duel": [2, 3, 3, 3]}))

    assert stage.told("died")[0]["character"] == "ada"


def test_an_auction_without_anything_to_bid():
    """Nobody is asked for a secret bid of nothing; dice part the two, however often they are even.

    A relic in a third hand is nothing to bid either, but may help.
    """
    fight = Fight(
        "devils_auction", ADA, dice={"duel": [3, 3, 2, 4, 1, 2, 6, 5]}, hand={2: ["hush"]}
    )
    stage = begin(fight)
    assert stage.told("nobody_can_bid") == [{}]
    assert stage.kinds() == ["brace", "brace"]
    stage.hold_challenge()

    assert [e["total"] for e in stage.told("duel_rolled")] == [6, 6, 3, 11]
    assert [e["character"] for e in stage.told("died")] == ["ada"]


def test_a_bonus_breaks_an_even_bout():
    """Where nothing is counted it decides between equals."""
    stage = begin(Fight("dagger_cloak_lantern", BEN))
    help_with(stage, "ada")
    stage.answer("cunning", "dagger", seat=0)
    stage.answer("cunning", "dagger", seat=1)

    assert stage.told("challenge_lost")[0]["character"] == "ben"


def test_a_bonus_is_a_pass_at_the_last_match():
    """One turn may be let go by."""
    stage = begin(Fight("last_match", ADA, {}, {"matches": [1]}, {"first": [0]}))
    assert stage.choices("matches") == ("take_1", "take_2", "take_3")
    help_with(stage, "ben")
    stage.answer("matches", "take_1", seat=0)
    assert stage.choices("matches") == ("take_1", "take_2", "take_3", "pass")
    stage.answer("matches", "pass", seat=1)
    stage.answer("matches", "take_1", seat=0)

    assert stage.choices("matches") == ("take_1", "take_2", "take_3")
    assert stage.told("match_passed") == [{"character": "ben", "left": 15}]


def test_a_bonus_is_a_refusal_at_the_tray():
    """One glass may be left to the other, and only one."""
    stage = begin(Fight("bad_sherry", ADA, picks={"first": [0], "glass": [3]}, hand={2: ["haste"]}))
    help_with(stage, "ada")
    for seat in (0, 1):
        stage.answer("brace", "roll", seat=seat)
    assert stage.choices("glasses") == ("drink", "decline")
    stage.answer("glasses", "decline", seat=0)
    assert stage.choices("glasses", 1) == ("drink",)
    stage.answer("glasses", "drink", seat=1)

    assert stage.choices("glasses", 0) == ("drink",)


def test_the_glass_that_was_passed_on():
    """After You: a guest who is not in it drinks, drawn by lot; if it was that one, only it dies.

    No relic can help any more: nobody is asked, not even a holder of one that saves.
    """
    stage = begin(
        Fight("after_you", ADA, picks={"first": [0], "glass": [0]}, hand={0: ["coffin"]}),
    )
    stage.hold_challenge()
    assert stage.choices("glasses") == ("drink", "pass")
    stage.answer("glasses", "pass", seat=0)

    (passed,) = stage.told("glass_passed")
    assert passed["character"] == "ada"
    assert [e["character"] for e in stage.told("died")] == [passed["other_character"]]
    assert passed["other_character"] in ("cleo", "dora", "emil")
    assert stage.told("challenge_lost") == []
    assert (stage.character("ada").alive, stage.character("ben").alive) == (True, True)


def test_a_glass_is_passed_on_once():
    """Whoever drank it lives and the other goes on; the second refusal is not offered."""
    stage = begin(Fight("after_you", ADA, picks={"first": [0], "glass": [1, 1, 1]}))
    stage.answer("glasses", "pass", seat=0)
    assert stage.told("glass_drunk")[0]["left"] == 4
    assert stage.choices("glasses", 1) == ("drink", "pass")
    stage.answer("glasses", "drink", seat=1)

    assert stage.choices("glasses", 0) == ("drink",)


def test_with_nobody_else_a_glass_is_declined():
    """Two are left alive: there is no third to drink it, so it goes back to the other."""

    def two(g):
        for guest in ("cleo", "dora", "emil"):
            g.characters[guest].alive = False
            g.graveyard.append(guest)

    stage = begin(Fight("after_you", ADA, picks={"first": [0]}), two)
    assert stage.choices("glasses") == ("drink", "decline")
    stage.answer("glasses", "decline", seat=0)

    assert stage.told("glass_declined") == [{"character": "ada", "left": 5}]
    assert stage.choices("glasses", 1) == ("drink", "decline")


def test_declining_without_drawing_anybody_in():
    """A card may leave a refused glass on the tray: it is the other's turn, nothing is drunk."""
    cards = {**CARDS, "after_you": Challenge(Effect("glasses", 5, "decline"))}
    fight = Fight("after_you", BEN, picks={"first": [0], "glass": [0]})
    stage = begin(fight, content=replace(HOUSE, challenges=cards))
    stage.answer("glasses", "decline", seat=0)
    assert stage.told("glass_declined") == [{"character": "ada", "left": 5}]
    stage.answer("glasses", "drink", seat=1)

    assert [e["character"] for e in stage.told("died")] == ["ben"]


@pytest.mark.parametrize("die", [1, 2])
def test_a_bonus_decides_a_call_that_leaves_them_even(die):
    """Both right or both wrong: the one with help lives, in the first bout already."""
    stage = begin(Fight("rapping_table", BEN, dice={"call": [die]}))
    help_with(stage, "ada")
    stage.answer("call", "odd", seat=0)
    stage.answer("call", "odd", seat=1)

    assert stage.told("challenge_lost")[0]["character"] == "ben"
    assert len(stage.told("call_rolled")) == 1


def test_each_ally_is_worth_one():
    """On top of the dice, for either side."""
    fight = Fight(
        "friends_in_need", BEN, {"back": {2: ["ada"], 3: ["ada"]}}, {"duel": [3, 3, 3, 4]}
    )
    stage = begin(fight)
    fight_on(stage, fight)

    assert [(e["seats"], e["total"]) for e in stage.told("backed")] == [((2, 3), 8), ((), 7)]


def test_a_bonus_is_another_look_for_the_seeker():
    """And one less against a hider who has it."""
    looks = []
    for helped in ("ben", "ada"):
        stage = begin(Fight("sardines", ADA, picks={"hider": [0]}))
        help_with(stage, helped)
        stage.answer("hide", "wardrobe", seat=0)
        for place in ("chest", "curtain", "chimney", "piano"):
            if "seek" in stage.kinds():
                stage.answer("seek", place, seat=1)
        looks.append(len(stage.told("place_searched")))

    assert looks == [4, 2]


def test_a_verdict_is_asked_anew_when_it_turns():
    """A relic that changes who loses takes the acceptances back; one that does not keeps them."""
    relics = {f"help_{n}": Relic(Effect("duel_bonus", 1), anyone=True) for n in range(3)}
    fight = Fight(
        "pistols_in_the_fog",
        BEN,
        dice={"duel": [3, 3, 3, 5]},
        hand={0: ["help_0", "help_1", "help_2"]},
    )
    stage = begin(fight, content=replace(HOUSE, relics={**HOUSE.relics, **relics}))
    stage.answer("brace", "roll", seat=0)
    stage.answer("brace", "roll", seat=1)
    assert stage.asked("verdict", 0).about["losers"] == ("ada",)
    stage.answer("verdict", "accept", seat=1)

    told = []
    for relic in ("help_0", "help_1", "help_2"):
        stage.play_relic(0, relic)
        stage.answer("support", "ada")
        losers: Any = stage.play.asked[0].about.get("losers", ())
        told.append((len(stage.kinds()), *losers))

    # One more does not suffice, the second makes them even, the third leaves no relic to wait for.
    assert told[:2] == [(1, "ada"), (2,)]
    assert stage.told("challenge_lost")[0]["character"] == "ben"


SETTLED = [
    fight
    for fight in FIGHTS
    if fight.loser != TIE
    and CARDS[fight.card].procedure.do in ("cunning", "call", "matches", "hide", "glasses")
]


@pytest.mark.parametrize("fight", SETTLED, ids=lambda f: f"{f.card}-{f.loser}")
def test_a_bonus_comes_too_late_where_nothing_was_counted(fight):
    """Lost outright: at the verdict no help is offered that would do nothing; saving still is."""
    content = replace(
        HOUSE, relics={**HOUSE.relics, "help": Relic(Effect("duel_bonus", 2), anyone=True)}
    )
    stage = begin(fight, lambda g: hold(g, 2, "help"), content=content)
    assert stage.offered(2) == ("help",)
    says = {kind: {s: list(a) for s, a in seats.items()} for kind, seats in fight.says.items()}
    while "verdict" not in stage.kinds():
        decision = next(d for d in stage.play.asked if d.current is None)
        queue = says.get(decision.kind, {}).get(decision.seat)
        answer = queue.pop(0) if queue else decision.keys()[0]
        stage.answer(decision.kind, answer, seat=decision.seat)

    assert stage.asked("verdict").about["settled"]
    assert stage.offered(2) == ()


@pytest.mark.parametrize("card", ["dagger_cloak_lantern", "masked_ball", "rapping_table"])
def test_a_bonus_at_the_verdict_parts_equals(card):
    """Where nothing is counted and the two are even, help that comes last decides."""
    fight = next(f for f in FIGHTS if f.card == card and f.loser == TIE)
    content = replace(
        HOUSE, relics={**HOUSE.relics, "help": Relic(Effect("duel_bonus", 1), anyone=True)}
    )
    stage = begin(fight, lambda g: hold(g, 0, "help"), content=content)
    says = {kind: {s: list(a) for s, a in seats.items()} for kind, seats in fight.says.items()}
    while "verdict" not in stage.kinds():
        decision = next(d for d in stage.play.asked if d.current is None)
        stage.answer(decision.kind, says[decision.kind][decision.seat].pop(0), seat=decision.seat)
    assert not stage.asked("verdict").about["settled"]
    stage.play_relic(0, "help")
    stage.answer("support", "ben")

    assert stage.told("challenge_lost")[0]["character"] == "ada"
    assert stage.told("challenge_tied") == []
