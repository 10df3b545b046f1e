"""The sensible computer player in death challenges, and with the cards that belong there.

Ada (seat 0) and Ben (seat 1) are in it; seat 0 is the computer player unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from content.escape_the_night import load
from engines.escape_the_night.cards import Effect, Relic
from engines.escape_the_night.game import GAME
from engines.kernel.chance import Chance
from tests.driving import own
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    hold,
    pin,
    ready,
    stand,
    tiles,
    top,
)

RELICS = {**CONTENT.relics, "ally": Relic(Effect("duel_bonus", 2), anyone=True)}
HOUSE = replace(CONTENT, challenges=load().rules.challenges, relics=RELICS)


def chosen(stage: Stage, seat: int = 0, key: bytes = b"choice") -> tuple[str, ...] | None:
    """What the sensible player in that seat does now: its answer, or the relic it plays."""
    asked, offers = own(stage.play.asked, seat), own(stage.play.offers, seat)
    choice = GAME.agents["sensible"](stage.play.view(seat), asked, offers, Chance(key))
    if choice is None:
        return None
    return choice.decision.check(choice.value)


def anything(stage: Stage, seat: int = 0) -> set[tuple[str, ...]]:
    """All that it would do here, by the chance of the hour."""
    return {chosen(stage, seat, bytes([n])) or () for n in range(60)}


def duel(
    card: str, arrange: Callable[..., object] = lambda g: None, *,
    dice: dict[str, list[int]] | None = None, picks: dict[str, list[int]] | None = None,
    **hands: tuple[str, ...],
) -> Stage:  # fmt: skip
    """Ada and Ben are voted in and the card is drawn; ``s0`` and so on hold these relics."""

    def position(g):
        alive(g, "ada", "ben", "cleo", "dora", "emil")
        ready(g)
        top(g, "challenge", card)
        for name, relics in hands.items():
            hold(g, int(name[1:]), *relics)
        arrange(g)

    stage = Stage(position, seats=3, content=HOUSE, dice=dice, picks=picks)
    while stage.view.duel is None:
        decision = next(d for d in stage.play.asked if d.current is None)
        tokens = decision.shape.most
        stage.answer("vote", *(("ada", "ben") * tokens)[:tokens], seat=decision.seat)
    return stage


def test_it_leaves_the_other_on_the_losing_number():
    """Seventeen matches are lost against good play; from eighteen it takes one."""
    stage = duel("last_match", dice={"matches": [3]}, picks={"first": [0]})
    assert chosen(stage) == ("take_1",)
    stage.answer("matches", "take_1")
    stage.answer("matches", "take_2", seat=1)
    assert chosen(stage) == ("take_2",)
    stage.answer("matches", "take_3")
    stage.answer("matches", "take_3", seat=1)
    assert stage.asked("matches").about["left"] == 9
    assert chosen(stage) == ("take_1",), "there is no good number, so it wins time"


def test_it_presses_on_as_long_as_it_is_behind():
    """First it is content with two thirds; second it has to beat what is there."""
    stage = duel("burning_staircase", dice={"duel": [6, 3, 2, 6, 5]}, picks={"order": [1]})
    stage.answer("press", "roll", seat=0)
    assert chosen(stage) == ("roll",)
    stage.answer("press", "roll", seat=0)
    assert chosen(stage) == ("roll",), "nine of fifteen"
    stage.answer("press", "roll", seat=0)
    assert chosen(stage) == ("stop",), "eleven of fifteen"

    stage.answer("press", "stop", seat=0)
    stage.answer("press", "roll", seat=1)
    assert chosen(stage, 1) == ("roll",)
    stage.answer("press", "roll", seat=1)
    assert chosen(stage, 1) == ("roll",), "eleven are even"


def test_it_drinks_until_the_tray_is_nearly_empty():
    """An even chance is left to somebody else, as long as good manners last."""
    stage = duel("after_you", dice={}, picks={"first": [0], "glass": [1, 1, 1]})
    for drinker in (0, 1, 0):
        assert chosen(stage, drinker) == ("drink",)
        stage.answer("glasses", "drink", seat=drinker)
    assert chosen(stage, 1) == ("pass",)


def test_its_bids_are_modest_and_never_hopeless():
    """Nought to two; a single one where the other has nothing; equal bids would kill both."""
    rich = duel("devils_auction", s0=("haste", "hush", "alibi"), s1=("again",))
    alone = duel("devils_auction", s0=("haste", "hush", "alibi"))

    assert anything(rich) == {("bid_0",), ("bid_1",), ("bid_2",)}
    assert anything(alone) == {("bid_1",)}


@pytest.mark.parametrize(
    ("card", "answers"),
    [
        ("box_with_teeth", {"count_2", "count_3", "count_4"}),
        ("beans_in_the_urn", {"guess_5", "guess_6", "guess_7"}),
    ],
)
def test_it_guesses_near_the_middle(card, answers):
    """Not the same every time, or two computer players would always tie."""
    assert anything(duel(card)) == {(answer,) for answer in answers}


def test_it_holds_two_doors_of_three():
    """Three tokens each, at doors drawn by chance."""
    found = anything(duel("three_doors_to_hold"))

    assert len(found) == 6
    assert all(sorted(map(answer.count, dict.fromkeys(answer))) == [3, 3] for answer in found)


def test_looking_on_it_helps_whoever_is_of_more_use():
    """Ben stands at a task, Ada outside."""

    def position(g):
        tiles(g, a1="clue")
        stand(g, ben="a2")

    assert chosen(duel("friends_in_need", position), 2) == ("ben",)


@pytest.mark.parametrize(
    ("dice", "plays"),
    [
        ([3, 3, 4, 3], True),  # one behind
        ([3, 3, 4, 4], True),  # two behind: even, so neither dies
        ([3, 3, 4, 5], False),
        ([4, 4, 4, 3], False),  # ahead
    ],
)
def test_it_plays_help_only_where_that_turns_the_verdict(dice, plays):
    """And for its own side."""
    stage = duel("pistols_in_the_fog", dice={"duel": dice}, s0=("ally",))
    for seat in (0, 1):
        assert chosen(stage, seat) == ("roll",), "too early to tell"
        stage.answer("brace", "roll", seat=seat)

    assert chosen(stage) == (("ally",) if plays else ("accept",))
    if plays:
        stage.play_relic(0, "ally")
        assert chosen(stage) == ("ada",)


def test_it_saves_its_own_when_all_is_lost():
    """Not before the dice, and not the one who has won."""
    lost = duel("pistols_in_the_fog", dice={"duel": [1, 1, 6, 6]}, s0=("coffin",))
    won = duel("pistols_in_the_fog", dice={"duel": [6, 6, 1, 1]}, s0=("coffin",))
    for stage in (lost, won):
        assert chosen(stage) == ("roll",)
        for seat in (0, 1):
            stage.answer("brace", "roll", seat=seat)

    assert chosen(lost) == ("coffin",)
    assert chosen(won) == ("accept",)


# Cards of the turns before


def test_it_takes_the_least_card_that_is_enough():
    """One short of a clue's seven, and two."""

    def answer(*dice: int) -> tuple[str, ...] | None:
        def scene(g):
            tiles(g, a1="clue")
            stand(g, kate="b1")
            hold(g, 0, "plus_two", "plus_one")

        stage = Stage(scene, dice={"attempt": dice})
        stage.roll_and("a1")
        stage.answer("attempt", "roll")
        return chosen(stage)

    assert answer(2, 4) == ("plus_one",)
    assert answer(2, 3) == ("plus_two",)
    assert answer(2, 2) == ("plus_two",), "both together"


def test_it_banishes_a_strong_monster_that_it_could_not_beat():
    """Only after the dice, and it is the one that is being fought."""
    relics = {**CONTENT.relics, "salt": Relic(Effect("banish"), anyone=True)}
    monsters = {monster: replace(card, difficulty=10) for monster, card in CONTENT.monsters.items()}
    stage = Stage(
        lambda g: (pin(g, "kate", "monster_0"), pin(g, "ada", "monster_1"), hold(g, 0, "salt")),
        content=replace(CONTENT, relics=relics, monsters=monsters),
        dice={"attempt": [4, 5]},
    )
    assert chosen(stage) == ("roll",)
    stage.answer("attempt", "roll")
    assert chosen(stage) == ("salt",)
    stage.play_relic(0, "salt")
    assert chosen(stage) == ("kate",)


def test_it_rouses_when_nobody_else_has_a_turn_left():
    """By then it can choose among all who have acted."""
    relics = {**CONTENT.relics, "coffee": Relic(Effect("rouse"), anyone=True)}

    def offered(*fresh: str) -> tuple[str, ...] | None:
        return chosen(
            Stage(
                lambda g: (ready(g, "kate", *fresh), hold(g, 0, "coffee")),
                content=replace(CONTENT, relics=relics),
            )
        )

    assert offered("ben") == ("roll",)
    assert offered() == ("coffee",)


@pytest.mark.parametrize(("start", "dice", "plays"), [("g6", (1, 1), True), ("g4", (1, 1), False)])
def test_it_goes_through_a_wall_when_a_task_is_behind_it(start, dice, plays):
    """Two steps do not lead around to the cellar, but there may be only a wall between."""

    def scene(g):
        tiles(g, a1="clue", f1="clue", i6="clue")
        stand(g, kate=start)
        hold(g, 0, "panel")

    relics = {**CONTENT.relics, "panel": Relic(Effect("through_wall"))}
    stage = Stage(scene, content=replace(CONTENT, relics=relics), dice={"move": dice})
    stage.answer("roll", "roll")

    assert (chosen(stage) == ("panel",)) is plays
    if plays:
        stage.play_relic(0, "panel")
        assert chosen(stage) == ("h6",)
