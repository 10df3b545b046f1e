"""The twenty death challenges as printed, and how each is won, lost and tied.

Ada (seat 0) and Ben (seat 1) are voted in; what they answer and what the dice show is stated.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from content.escape_the_night import load
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
    Fight("low_beams", TIE, dice={"duel": [1, 2, 3, 3, 2, 1, 1, 1, 1, 2, 2, 2]}),
    # best_of
    Fight("three_bouts_of_steel", ADA, dice={"duel": [1, 2, 6, 5, 3, 4]}),
    Fight("three_bouts_of_steel", BEN, dice={"duel": [2, 1, 6, 5]}),
    Fight("three_bouts_of_steel", TIE, dice={"duel": [2, 1, 1, 2, 4, 4]}),
    Fight("five_rounds", ADA, dice={"duel": [1, 2, 1, 2, 1, 2]}),
    Fight("five_rounds", BEN, dice={"duel": [4, 4, 4, 4, 4, 4, 4, 4, 5, 4]}),
    Fight("five_rounds", TIE, dice={"duel": [1, 2, 2, 1, 1, 2, 2, 1, 3, 3] + [2, 1] * 3}),
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
        {"call": {0: ["odd"] * 6, 1: [*["odd"] * 5, "even"]}},
        {"call": [2, 1, 2, 1, 2, 1]},
    ),
    # nearest
    Fight("beans_in_the_urn", ADA, secret("guess", "guess_7", "guess_9"), {"nearest": [5, 5]}),
    Fight("beans_in_the_urn", BEN, secret("guess", "guess_7", "guess_9"), {"nearest": [3, 3]}),
    Fight("beans_in_the_urn", TIE, secret("guess", "guess_7", "guess_9"), {"nearest": [3, 5]}),
    Fight("drop_in_the_dark", ADA, secret("guess", "guess_9", "guess_2"), {"nearest": [4, 4]}),
    Fight("drop_in_the_dark", BEN, secret("guess", "guess_8", "guess_2"), {"nearest": [4, 4]}),
    Fight(
        "drop_in_the_dark",
        TIE,
        {"guess": {0: ["guess_9", "guess_7"], 1: ["guess_12", "guess_6"]}},
        {"nearest": [4, 4, 4, 4]},
    ),
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
        {"glasses": {0: ["drink", "drink"], 1: ["pass"]}},
        picks={"first": [0], "glass": [1, 1, 0]},
    ),
    Fight(
        "after_you",
        BEN,
        {"glasses": {0: ["pass"], 1: ["drink"]}},
        picks={"first": [0], "glass": [1, 0]},
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
