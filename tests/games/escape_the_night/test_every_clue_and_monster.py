"""Each clue and each monster as printed: solved or beaten, failed, and at an odd moment."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from engines.escape_the_night.cards import Clue, Colour, Effect, Monster
from engines.escape_the_night.effects import known
from tests.games.escape_the_night.house import (
    ACTING,
    FRIEND,
    HELD,
    HOUSE,
    PLAN,
    TIRED,
    alone,
    busy,
    since_the_deal,
    tried,
)
from tests.games.escape_the_night.stage import Stage, alive, face_up, hold, ready

CLUES, MONSTERS = HOUSE.clues, HOUSE.monsters

Check = Callable[[Stage, Effect], None]


def moved_to_a_free_space_of(stage: Stage, room: str) -> None:
    """There the acting guest stands now."""
    space = stage.where(ACTING)
    assert space is not None
    assert PLAN.rooms[space] == room


# What an effect does when there is something to act upon


def draws(stage: Stage, effect: Effect) -> None:
    """On top of the one that success brings."""
    assert [e["seat"] for e in since_the_deal(stage, "relic_drawn")] == [0] * (1 + effect.amount)


def gives(stage: Stage, effect: Effect) -> None:
    """The owner names another player."""
    assert stage.choices("gift", 0) == ("seat_1", "seat_2")
    stage.answer("gift", "seat_2")
    assert [e["seat"] for e in since_the_deal(stage, "relic_drawn")] == [0] + [2] * effect.amount


def salvages(stage: Stage, effect: Effect) -> None:
    """One of the last discarded."""
    relic = stage.choices("salvage", 0)[0]
    stage.answer("salvage", relic)
    assert relic in stage.play.view(0).hand


def rouses(stage: Stage, effect: Effect) -> None:
    """The only one who is exhausted."""
    assert stage.told("refreshed") == [{"character": TIRED}]
    assert not stage.character(TIRED).exhausted


def reveals(stage: Stage, effect: Effect) -> None:
    """Tiles of the owner's choice, or what is left of them."""
    while "reveal" in stage.kinds():
        stage.answer("reveal", stage.choices("reveal", 0)[0])
    turned = [e["space"] for e in stage.told("tile_turned")]
    assert turned[:1] == ["a1"]
    assert len(turned) == 1 + effect.amount


def foresees(stage: Stage, effect: Effect) -> None:
    """The top of the deck, one of which goes under it."""
    keep, first, *others = stage.choices("foresee", 0)
    assert (keep, len(others) + 1) == ("keep", effect.amount)
    stage.answer("foresee", first)
    assert stage.play._state.piles[effect.of][0] == first


def strolls(stage: Stage, effect: Effect) -> None:
    """So many steps at most, onto no tile."""
    ends = [key for key in stage.choices("stroll", 0) if key != "stay"]
    away = PLAN.distances(("a1",), lambda space: False)
    assert max(away[space] for space in ends) == effect.amount
    stage.answer("stroll", ends[-1])
    assert stage.where(ACTING) == ends[-1]


def is_spirited_away(stage: Stage, effect: Effect) -> None:
    """To a space of the owner's choice in that room."""
    stage.answer("spirit_away", stage.choices("spirit_away", 0)[0])
    moved_to_a_free_space_of(stage, effect.of)


def frees(stage: Stage, effect: Effect) -> None:
    """The only guest whom a monster holds; the tile stays."""
    assert stage.character(HELD).monster is None
    assert "k3" in [tile.space for tile in stage.view.tiles]


def trades_places(stage: Stage, effect: Effect) -> None:
    """With whom the owner names, or the lot."""
    if effect.of == "choice":
        assert HELD not in stage.choices("trade_places", 0)
        stage.answer("trade_places", FRIEND)
    (traded,) = stage.told("traded_places")
    assert traded["character"] == ACTING
    assert stage.where(str(traded["other_character"])) == "a1"


def discards(stage: Stage, effect: Effect) -> None:
    """So many, of the owner's choice."""
    stage.answer("discard", *stage.choices("discard", 0)[: effect.amount])
    assert [e["seat"] for e in stage.told("relic_discarded")] == [0] * effect.amount


def hands_over(stage: Stage, effect: Effect) -> None:
    """To the next player."""
    assert stage.told("relic_given") == [{"seat": 0, "to_seat": 1}]
    assert stage.view.hand_counts == (2, 3, 1)


def everybody_discards(stage: Stage, effect: Effect) -> None:
    """Whoever has but one is not asked."""
    for seat in (0, 1):
        stage.answer("discard", stage.choices("discard", seat)[0], seat=seat)
    assert [e["seat"] for e in stage.told("relic_discarded")] == [0, 1, 2]


def is_sent_outside(stage: Stage, effect: Effect) -> None:
    """And the tile stays."""
    assert stage.where(ACTING) is None
    assert "a1" in [tile.space for tile in stage.view.tiles]


def is_driven_off(stage: Stage, effect: Effect) -> None:
    """To a space of that room, by lot."""
    assert "spirit_away" not in stage.kinds()
    moved_to_a_free_space_of(stage, effect.of)


def tires(stage: Stage, effect: Effect) -> None:
    """Somebody who has not acted, of the owner's choice."""
    assert TIRED not in stage.choices("exhaust", 0)
    stage.answer("exhaust", FRIEND)
    assert stage.told("skipped") == [{"character": FRIEND}]


def turns_red(stage: Stage, effect: Effect) -> None:
    """The tile that brought the clue."""
    assert {tile.space: tile.colour for tile in stage.view.tiles}["a1"] == "monster"


def raises_a_monster(stage: Stage, effect: Effect) -> None:
    """The stronger of the two that lay there."""
    (rose,) = stage.told("monster_rose")
    discarded = stage.play._state.discards["monster"]
    assert all(MONSTERS[m].difficulty <= int(rose["difficulty"]) for m in discarded)
    assert stage.play._state.piles["monster"][-1] == rose["monster"]


DOES: dict[str, Check] = {
    "draw_relics": draws,
    "gift": gives,
    "salvage": salvages,
    "rouse": rouses,
    "reveal_tiles": reveals,
    "foresee": foresees,
    "stroll": strolls,
    "spirit_away": is_spirited_away,
    "free_ally": frees,
    "trade_places": trades_places,
    "discard_relics": discards,
    "hand_over": hands_over,
    "each_discards": everybody_discards,
    "sent_outside": is_sent_outside,
    "driven_to": is_driven_off,
    "tire_another": tires,
    "tile_turns_red": turns_red,
    "monster_rises": raises_a_monster,
}


def test_every_effect_has_a_check():
    """Nothing that a card may do is looked at by nobody."""
    assert sorted(DOES) == sorted(known.RESULTS)


def let_it_stand(stage: Stage) -> Stage:
    """No relic changes the failure."""
    if "accept" in stage.kinds():
        stage.answer("accept", "accept")
    return stage


def after(stage: Stage, effect: Effect | None) -> None:
    """The effect did its own, and then the next player is asked."""
    if effect is not None:
        DOES[effect.do](stage, effect)
        assert stage.told("nothing_came_of_it") == []
    else:
        assert since_the_deal(stage, "relic_discarded") == []
    assert stage.kinds() == ["roll"]
    assert stage.view.current_seat == 1


# Clues


@pytest.mark.parametrize("card", CLUES)
def test_each_clue_is_solved(card):
    """Its own number is enough: the tile goes, a relic comes, and what is printed on it."""
    stage = tried("clue", card, CLUES[card].difficulty, busy)

    assert stage.told("clue_drawn")[0]["clue"] == card
    assert stage.told("clue_solved") == [{"character": ACTING, "seat": 0, "clue": card}]
    assert stage.told("tile_removed")[0]["space"] == "a1"
    assert stage.character(ACTING).solved == 1
    after(stage, CLUES[card].solved)


@pytest.mark.parametrize("card", CLUES)
def test_each_clue_is_failed(card):
    """One less is not: the tile stays, the harm is done, the card lies under its deck."""
    stage = let_it_stand(tried("clue", card, CLUES[card].difficulty - 1, busy))

    assert stage.told("clue_failed") == [{"character": ACTING, "clue": card}]
    assert stage.told("clue_solved") == stage.told("tile_removed") == []
    after(stage, CLUES[card].failed)
    assert stage.play._state.piles["clue"][0] == card
    assert len(since_the_deal(stage, "relic_drawn")) == 0


@pytest.mark.parametrize("card", CLUES)
def test_each_clue_is_solved_by_a_relic_after_the_dice(card):
    """RULE-E32: another player's card makes up for the missing point, and no harm is done."""
    stage = tried(
        "clue", card, CLUES[card].difficulty - 1, lambda g: (alone_but_for_two(g), lent(g))
    )
    assert stage.kinds() == ["accept"]
    stage.play_relic(1, "hip_flask")

    assert stage.told("clue_solved")[0]["clue"] == card
    assert stage.told("clue_failed") == []


def alone_but_for_two(g) -> None:
    """Three are alive, one for each player."""
    alive(g, ACTING, FRIEND, HELD)
    ready(g, ACTING, FRIEND, HELD)


def lent(g) -> None:
    """The second player holds a card that helps anybody."""
    hold(g, 1, "hip_flask")


# Monsters


@pytest.mark.parametrize("card", MONSTERS)
def test_each_monster_is_beaten(card):
    """Its own number is enough: the tile goes, a relic comes, and what is printed on it."""
    stage = tried("monster", card, MONSTERS[card].difficulty, lambda g: busy(g, card))

    assert stage.told("pinned")[-1]["monster"] == card
    assert stage.told("monster_defeated") == [{"character": ACTING, "seat": 0, "monster": card}]
    assert stage.told("tile_removed")[0]["space"] == "a1"
    assert (stage.character(ACTING).slain, stage.character(ACTING).monster) == (1, None)
    after(stage, MONSTERS[card].defeated)


@pytest.mark.parametrize("card", MONSTERS)
def test_each_monster_withstands(card):
    """One less is not: it holds the guest, wherever the harm takes the two of them."""
    roll = MONSTERS[card].difficulty - 1
    stage = let_it_stand(tried("monster", card, roll, lambda g: busy(g, card)))

    assert stage.told("monster_withstood") == [{"character": ACTING, "monster": card}]
    assert stage.told("tile_removed") == []
    after(stage, MONSTERS[card].failed)
    assert stage.character(ACTING).monster == card
    assert len(since_the_deal(stage, "relic_drawn")) == 0


@pytest.mark.parametrize("card", MONSTERS)
def test_each_monster_is_fought_until_it_is_beaten(card):
    """RULE-E11: failed twice and beaten in the third turn, without a step in between."""
    number = MONSTERS[card].difficulty
    dice = [1, 1, 1, 1, number - 6, 6] if number > 6 else [1, 1, 1, 1, 1, number - 1]
    stage = tried("monster", card, 2, alone, dice={"attempt": dice})
    for _ in range(2):
        assert stage.kinds() == ["attempt"]
        stage.answer("attempt", "roll")

    assert [e["monster"] for e in stage.told("pinned")] == [card]
    assert len(stage.told("monster_withstood")) == 2
    assert stage.told("monster_defeated")[0]["monster"] == card
    assert len(stage.told("move_rolled")) == 1


# Odd moments of those that do something: there is nothing to act upon

CARDS: dict[Colour, Mapping[str, Clue] | Mapping[str, Monster]] = {
    "clue": CLUES,
    "monster": MONSTERS,
}
PRINTED: dict[str, tuple[Colour, str, int, Effect]] = {
    f"{card}-{how}": (colour, card, printed.difficulty - (how == "failed"), effect)
    for colour, cards in CARDS.items()
    for card, printed in cards.items()
    for how, effect in (
        ("solved", printed.solved if isinstance(printed, Clue) else printed.defeated),
        ("failed", printed.failed),
    )
    if effect is not None
}


def bare(name: str) -> Stage:
    """Prosper Pinch alone in the house, with what he needs for nothing to come of it."""
    colour, card, roll, effect = PRINTED[name]
    space = "a1"
    if effect.do == "driven_to":  # he is in that room already
        space = next((s for s in HOUSE.board.circles if PLAN.rooms[s] == effect.of), "a1")

    def arrange(g) -> None:
        alone(g)
        face_up(g, *g.tiles)
        if effect.do == "draw_relics":
            g.piles["relic"].clear()
        if effect.do == "foresee":
            g.piles[effect.of].clear()
            g.piles.setdefault(colour, [])
            if effect.of == colour:
                g.piles[colour].append(card)

    return tried(colour, card, roll, arrange, space=space)


@pytest.mark.parametrize("name", PRINTED)
def test_each_effect_at_an_odd_moment(name):
    """Nobody else, no relic, no card: it is told that nothing came of it, and the night goes on."""
    colour, card, _, effect = PRINTED[name]
    stage = bare(name)
    match effect.do:
        case "draw_relics":
            assert len(stage.told("relics_ran_out")) == 1 + effect.amount
        case "gift":  # alone one draws for oneself
            assert [e["seat"] for e in since_the_deal(stage, "relic_drawn")] == [0, 0]
        case "stroll" | "spirit_away":
            stage.answer(effect.do, "stay")
            assert stage.where(ACTING) == "a1"
        case "sent_outside":
            # A clue's tile is left behind; a monster comes along.
            assert stage.where(ACTING) is None
            assert stage.character(ACTING).monster == (card if colour == "monster" else None)
            assert stage.kinds() == (["attempt"] if colour == "monster" else ["roll"])
        case "tile_turns_red":  # whoever tries it again meets a monster
            stage.answer("roll", "retry")
            assert stage.character(ACTING).monster is not None
        case "driven_to" if effect.of not in HOUSE.board.triangles:
            assert PLAN.rooms[stage.where(ACTING) or ""] == effect.of
        case _:
            assert len(stage.told("nothing_came_of_it")) == 1
    assert stage.play.outcome is None
