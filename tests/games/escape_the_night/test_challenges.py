"""The twenty death challenges as printed: a win for either side, and a tie where there can be one.

Ada (seat 0) and Ben (seat 1) are voted in; what they answer and what the dice show is stated.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from content.escape_the_night import load
from engines.escape_the_night.cards import Effect, Relic
from engines.escape_the_night.effects import known
from engines.escape_the_night.effects.challenges import PROCEDURES
from tests.games.escape_the_night.stage import CONTENT, Stage, alive, hold, ready, top

CARDS = load().rules.challenges
HOUSE = replace(CONTENT, challenges=CARDS)
ADA, BEN, TIE = "ada", "ben", "tie"


@dataclass(frozen=True)
class Fight:
    """A challenge and how it goes: answers by kind and seat, in order; else the first option."""

    card: str
    loser: str
    says: dict[str, dict[int, list[Any]]] = field(default_factory=dict)
    dice: dict[str, list[int]] = field(default_factory=dict)
    picks: dict[str, list[int]] = field(default_factory=dict)
    hand: dict[int, list[str]] = field(default_factory=dict)


def secret(kind: str, ada: Any, ben: Any) -> dict[str, dict[int, list[Any]]]:
    """Both answer such a question once."""
    return {kind: {0: [ada], 1: [ben]}}


FIGHTS = [
    # dice_duel, the higher total
    Fight("pistols_in_the_fog", ADA, dice={"duel": [2, 3, 3, 3]}),
    Fight("pistols_in_the_fog", BEN, dice={"duel": [6, 6, 6, 5]}),
    Fight("pistols_in_the_fog", TIE, dice={"duel": [2, 4, 3, 3]}),
    # dice_duel, the lower total
    Fight("low_beams", ADA, dice={"duel": [2, 2, 2, 1, 2, 2]}),
    Fight("low_beams", BEN, dice={"duel": [1, 1, 1, 1, 1, 2]}),
    Fight("low_beams", TIE, dice={"duel": [1, 2, 3, 3, 2, 1]}),
    # best_of
    Fight("three_bouts_of_steel", ADA, dice={"duel": [1, 2, 6, 5, 3, 4]}),
    Fight("three_bouts_of_steel", BEN, dice={"duel": [2, 1, 6, 5]}),
    Fight("three_bouts_of_steel", TIE, dice={"duel": [2, 1, 1, 2, 4, 4]}),
    Fight("five_rounds", ADA, dice={"duel": [1, 2, 1, 2, 1, 2]}),
    Fight("five_rounds", BEN, dice={"duel": [4, 4, 4, 4, 4, 4, 4, 4, 5, 4]}),
    Fight("five_rounds", TIE, dice={"duel": [1, 2, 2, 1, 1, 2, 2, 1, 3, 3]}),
    # cunning
    Fight("dagger_cloak_lantern", ADA, secret("cunning", "dagger", "cloak")),
    Fight("dagger_cloak_lantern", BEN, secret("cunning", "dagger", "lantern")),
    Fight("dagger_cloak_lantern", TIE, secret("cunning", "cloak", "cloak")),
    Fight("masked_ball", ADA, {"cunning": {0: ["dagger", "cloak"], 1: ["dagger", "lantern"]}}),
    Fight("masked_ball", BEN, {"cunning": {0: ["cloak"], 1: ["dagger"]}}),
    Fight("masked_ball", TIE, {"cunning": {0: ["dagger"] * 3, 1: ["dagger"] * 3}}),
    # bid
    Fight("devils_auction", ADA, secret("bid", "bid_0", "bid_1"), hand={1: ["haste"]}),
    Fight(
        "devils_auction",
        BEN,
        secret("bid", "bid_2", "bid_1"),
        hand={0: ["hush", "coffin"], 1: ["haste"]},
    ),
    Fight(
        "devils_auction",
        TIE,
        secret("bid", "bid_0", "bid_0"),
        hand={0: ["hush"], 1: ["haste"]},
    ),
    # press
    Fight(
        "burning_staircase",
        ADA,
        {"press": {0: ["roll", "stop"], 1: ["roll", "roll", "stop"]}},
        {"duel": [6, 3, 4]},
        {"order": [1]},
    ),
    Fight(
        "burning_staircase",
        BEN,
        {"press": {0: ["roll", "stop"], 1: ["roll", "roll"]}},
        {"duel": [2, 6, 1]},
        {"order": [1]},
    ),
    Fight(
        "burning_staircase",
        TIE,
        {"press": {0: ["roll"] * 3, 1: ["roll"]}},
        {"duel": [1, 1]},
        {"order": [0]},
    ),
    Fight(
        "roof_in_the_rain",
        ADA,
        {"press": {0: ["roll", "stop"], 1: ["roll"] * 4}},
        {"duel": [6, 6, 6, 6, 6]},
        {"order": [1]},
    ),
    Fight(
        "roof_in_the_rain",
        BEN,
        {"press": {0: ["roll", "stop"], 1: ["roll", "stop"]}},
        {"duel": [4, 3]},
        {"order": [1]},
    ),
    Fight(
        "roof_in_the_rain",
        TIE,
        {"press": {0: ["roll", "stop"], 1: ["roll", "stop"]}},
        {"duel": [4, 4]},
        {"order": [1]},
    ),
    # jaws
    Fight("box_with_teeth", ADA, secret("jaws", "count_5", "count_2"), {"jaws": [4]}),
    Fight("box_with_teeth", BEN, secret("jaws", "count_4", "count_3"), {"jaws": [4]}),
    Fight("box_with_teeth", TIE, secret("jaws", "count_6", "count_5"), {"jaws": [4]}),
    # allies
    Fight("friends_in_need", ADA, {"back": {2: ["ada"], 3: ["ben"]}}, {"duel": [1, 1, 3, 3]}),
    Fight("friends_in_need", BEN, {"back": {2: ["ada"], 3: ["ada"]}}, {"duel": [3, 3, 3, 4]}),
    Fight("friends_in_need", TIE, {"back": {2: ["ada"], 3: ["ben"]}}, {"duel": [3, 3, 2, 4]}),
    # jury
    Fight(
        "trial_by_guests",
        ADA,
        {**secret("plead", "brazen", "honest"), "judge": {2: ["ada"], 3: ["ben"]}},
        {"plea": [2]},
    ),
    Fight(
        "trial_by_guests",
        BEN,
        {**secret("plead", "honest", "brazen"), "judge": {2: ["ada"], 3: ["ada"]}},
        {"plea": [6]},
    ),
    Fight(
        "trial_by_guests",
        TIE,
        {**secret("plead", "honest", "honest"), "judge": {2: ["ada"], 3: ["ben"]}},
    ),
    # call
    Fight("rapping_table", ADA, secret("call", "odd", "even"), {"call": [4]}),
    Fight(
        "rapping_table",
        BEN,
        {"call": {0: ["odd", "odd"], 1: ["odd", "even"]}},
        {"call": [2, 5]},
    ),
    Fight(
        "rapping_table",
        TIE,
        {"call": {0: ["odd"] * 5, 1: ["odd"] * 5}},
        {"call": [2, 1, 2, 1, 2]},
    ),
    # nearest
    Fight("beans_in_the_urn", ADA, secret("guess", "guess_7", "guess_9"), {"nearest": [5, 5]}),
    Fight("beans_in_the_urn", BEN, secret("guess", "guess_7", "guess_9"), {"nearest": [3, 3]}),
    Fight("beans_in_the_urn", TIE, secret("guess", "guess_7", "guess_9"), {"nearest": [3, 5]}),
    Fight("drop_in_the_dark", ADA, secret("guess", "guess_9", "guess_2"), {"nearest": [4, 4]}),
    Fight("drop_in_the_dark", BEN, secret("guess", "guess_8", "guess_2"), {"nearest": [4, 4]}),
    Fight("drop_in_the_dark", TIE, secret("guess", "guess_9", "guess_12"), {"nearest": [4, 4]}),
    # spread
    Fight(
        "three_doors_to_hold",
        ADA,
        secret("spread", ["cellar"] * 6, ["cellar", "garden", "garden", *["chapel"] * 3]),
    ),
    Fight(
        "three_doors_to_hold",
        BEN,
        secret("spread", ["cellar"] * 3 + ["garden"] * 3, ["chapel"] * 6),
    ),
    Fight(
        "three_doors_to_hold",
        TIE,
        secret("spread", ["cellar"] * 4 + ["garden"] * 2, ["chapel"] * 4 + ["garden"] * 2),
    ),
    # matches: 16 in the box, Ada begins
    Fight(
        "last_match",
        ADA,
        {
            "matches": {
                0: ["take_3", "take_3", "take_1", "take_1"],
                1: ["take_3", "take_3", "take_2"],
            }
        },
        {"matches": [1]},
        {"first": [0]},
    ),
    Fight(
        "last_match",
        BEN,
        {"matches": {0: ["take_3"] * 3, 1: ["take_3", "take_3", "take_1"]}},
        {"matches": [1]},
        {"first": [0]},
    ),
    # hide: Ada hides, Ben seeks; and the other way round
    Fight(
        "sardines",
        ADA,
        {"hide": {0: ["piano"]}, "seek": {1: ["chest", "curtain", "piano"]}},
        picks={"hider": [0]},
    ),
    Fight(
        "sardines",
        BEN,
        {"hide": {0: ["piano"]}, "seek": {1: ["chest", "curtain", "coffin"]}},
        picks={"hider": [0]},
    ),
    Fight(
        "sardines",
        BEN,
        {"hide": {1: ["chest"]}, "seek": {0: ["chest"]}},
        picks={"hider": [1]},
    ),
    # glasses
    Fight("bad_sherry", ADA, picks={"first": [0], "glass": [3, 2, 0]}),
    Fight("bad_sherry", BEN, picks={"first": [1], "glass": [0]}),
    Fight(
        "after_you",
        ADA,
        {"glasses": {0: ["drink", "drink"], 1: ["decline"]}},
        picks={"first": [0], "glass": [1, 0]},
    ),
    Fight(
        "after_you",
        BEN,
        {"glasses": {0: ["decline"], 1: ["drink"]}},
        picks={"first": [0], "glass": [0]},
    ),
]


def begin(
    fight: Fight,
    arrange=lambda g: None,
    *,
    seats=4,
    contestants=("ada", "ben"),
    content=HOUSE,
):
    """The fight's card is drawn; nothing has been answered yet."""

    def position(g):
        alive(g, "ada", "ben", "cleo", "dora", "emil")
        ready(g)
        top(g, "challenge", fight.card)
        for seat, relics in fight.hand.items():
            hold(g, seat, *relics)
        arrange(g)

    stage = Stage(position, seats=seats, content=content, dice=fight.dice, picks=fight.picks)
    one, other = contestants
    while stage.kinds() and stage.kinds()[0] == "vote":
        decision = next(d for d in stage.play.asked if d.current is None)
        tokens = decision.shape.most
        ballot = (one, other) * tokens
        stage.answer("vote", *ballot[:tokens], seat=decision.seat)
    return stage


def fight_on(stage: Stage, fight: Fight) -> None:
    """Answer as stated until the challenge is over."""
    says = {kind: {s: list(a) for s, a in seats.items()} for kind, seats in fight.says.items()}
    for _ in range(60):
        open_now = [d for d in stage.play.asked if d.current is None]
        if stage.view.duel is None or not open_now:
            return
        decision = open_now[0]
        queue = says.get(decision.kind, {}).get(decision.seat)
        given = queue.pop(0) if queue else list(decision.keys()[: decision.shape.most])
        answer = given if isinstance(given, list) else [given]
        stage.answer(decision.kind, *answer, seat=decision.seat)
    raise AssertionError("the challenge does not end")


def help_with(stage: Stage, contestant: str) -> None:
    """One point of help in the challenge under way."""
    assert stage.play._state.duel is not None
    stage.play._state.duel.bonus[contestant] = 1


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda f: f"{f.card}-{f.loser}")
def test_each_challenge(fight):
    """It ends as the dice and answers have it, with one loser or in a tie."""
    stage = begin(fight)
    assert stage.told("challenge_drawn")[0]["challenge"] == fight.card
    tied_again = CARDS[fight.card].tie == "again"
    fight_on(stage, fight)

    if fight.loser == TIE:
        assert stage.told("challenge_tied")[0]["contestants"] == ("ada", "ben")
        assert stage.told("outsider_drawn") or tied_again or CARDS[fight.card].tie == "both"
    else:
        assert stage.told("challenge_lost")[0]["character"] == fight.loser
        assert stage.told("died")[-1]["character"] == fight.loser
        assert stage.told("challenge_tied") == []


def test_every_challenge_is_fought_here():
    """All twenty cards are above, each lost by either side, and tied unless it never ties."""
    seen = {(fight.card, fight.loser) for fight in FIGHTS}
    due = {(card, loser) for card in CARDS for loser in (ADA, BEN)}
    due |= {
        (card, TIE)
        for card, printed in CARDS.items()
        if printed.procedure.do not in known.NEVER_TIED
    }

    assert seen == due


def test_every_procedure_that_cards_may_name_is_there():
    """What the loader lets through can be held, and the cards use all of it."""
    assert sorted(PROCEDURES) == sorted(known.CHALLENGES)
    assert sorted({c.procedure.do for c in CARDS.values()}) == sorted(PROCEDURES)


@pytest.mark.parametrize("card", list(CARDS))
def test_both_owners_are_asked(card):
    """Each side has a moment for its relics before it is over."""
    stage = begin(Fight(card, TIE, hand={0: ["haste"], 1: ["alibi"]}))
    asked: set[int] = set()
    while stage.view.duel is not None:
        open_now = [d for d in stage.play.asked if d.current is None]
        asked |= {d.seat for d in open_now}
        decision = open_now[0]
        keys = decision.keys()[: max(decision.shape.least, 1)]
        tokens = [keys[0]] * decision.shape.most if decision.shape.repeats else keys
        stage.answer(decision.kind, *tokens, seat=decision.seat)

    assert {0, 1} <= asked


@pytest.mark.parametrize("card", list(CARDS))
@pytest.mark.parametrize("seats", [1, 2])
def test_one_owner_for_both(card, seats):
    """Where one seat has both, the house plays for the second and nobody else is asked for it."""
    contestants = ("ada", "cleo")
    stage = begin(Fight(card, TIE), seats=seats, contestants=contestants)
    pair = stage.told("challenge_drawn")[0]["contestants"]
    owners = {stage.character(c).owner for c in pair}
    assert len(owners) == 1
    assert stage.told("house_plays")[0] == {"character": pair[1]}
    while stage.view.duel is not None:
        decision = next(d for d in stage.play.asked if d.current is None)
        assert decision.seat in owners or decision.kind in ("back", "judge")
        keys = decision.keys()[: max(decision.shape.least, 1)]
        tokens = [keys[0]] * decision.shape.most if decision.shape.repeats else keys
        stage.answer(decision.kind, *tokens, seat=decision.seat)

    assert len(stage.told("died")) in (1, 2)


@pytest.mark.parametrize("card", ["friends_in_need", "trial_by_guests"])
def test_the_dead_have_no_voice(card):
    """RULE-E35: only players with somebody alive are asked for their side."""
    stage = begin(Fight(card, TIE), lambda g: g.characters["cleo"].__setattr__("alive", False))
    asked: set[int] = set()
    while stage.view.duel is not None:
        decision = next(d for d in stage.play.asked if d.current is None)
        if decision.kind in ("back", "judge"):
            asked.add(decision.seat)
        stage.answer(decision.kind, decision.keys()[0], seat=decision.seat)

    assert asked == {3}


def test_secret_choices_are_secret():
    """Nothing is told before both have chosen, and the channel does not learn what was chosen."""
    stage = begin(Fight("dagger_cloak_lantern", ADA))
    assert stage.asked("cunning", 0).secret
    before = stage.heard()
    stage.answer("cunning", "dagger", seat=0)

    assert stage.heard() == before
    assert stage.asked("cunning", 0).current == ("dagger",)


def test_the_hiding_place_is_secret():
    """Whoever seeks learns it at the end."""
    stage = begin(Fight("sardines", ADA, picks={"hider": [0]}))
    assert stage.asked("hide").secret
    stage.answer("hide", "coffin", seat=0)

    told = [e for kind in set(stage.heard()) for e in stage.told(kind, 1)]
    assert not any("coffin" in str(facts) for facts in told)


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
