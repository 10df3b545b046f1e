"""Does anybody see what is hidden from them?"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.escape_the_night import load
from engines.escape_the_night.game import GAME
from engines.escape_the_night.state import State
from engines.kernel.chance import Chance
from engines.kernel.event import Numbered
from tests.driving import one_step, play_out
from tests.games.escape_the_night.nights import Night, opened
from tests.games.escape_the_night.stage import Stage, alive, face_up, hold, ready, stand, tiles
from tests.leaks import Rigged, beyond_seats, differences, seen_by
from tests.plain import line

HOUSE = load().rules
KEYS = st.binary(min_size=32, max_size=32)
few = settings(max_examples=settings().max_examples // 8)


@few
@given(
    seats=st.integers(2, 8), key=KEYS, agent=st.sampled_from(("random", "sensible")), choices=KEYS
)
def test_no_hidden_card_reaches_anybody_else(seats, key, agent, choices):
    """A relic in a hand is its owner's to see; a card in a deck is nobody's, unless foreseen."""
    keeps_secrets(opened(seats, key, hourglass="untimed"), agent, choices)


@pytest.mark.parametrize("agent", ["random", "sensible"])
def test_no_hidden_card_of_the_house_reaches_anybody_else(agent):
    """The same with all that is printed: effects of cards, abilities and the twenty duels."""
    play = opened(4, b"\3" * 32, content=HOUSE, hourglass="untimed")
    keeps_secrets(play, agent, b"\4" * 32, every=12)


def words_before(play: Night, seat: int | None, events: Iterable[Numbered]) -> set[str]:
    """Every id and word in all that reaches that seat (None: a spectator)."""
    return set(re.findall("[a-z0-9_]+", line(seen_by(play, seat, events))))


def test_all_that_reaches_a_seat_is_searched():
    """Its own relic is among its words and among nobody else's."""
    play = rigged(with_hands, until="move")
    found = [seat for seat in (0, 1, 2, 3, None) if "trinket_0" in words_before(play, seat, ())]

    assert found == [0]


def keeps_secrets(play: Night, agent: str, choices: bytes, every: int = 5) -> None:
    """Play it out; now and then look for every name that is somewhere hidden."""

    def check(step):
        if play.ply % every or any(d.kind == "foresee" for d in play.asked):
            return
        g: State = play._state
        holders: dict[str, tuple[int, ...]] = {
            relic: (seat,) for seat, hand in enumerate(g.hands) for relic in hand
        }
        # What was just discarded, reshuffled or told in this step was open before.
        told = str([n.event.data for n in step.events if n.event.is_for(None)])
        holders |= {card: () for deck in g.piles for card in g.piles[deck]}
        hidden = {name: who for name, who in holders.items() if f"'{name}'" not in told}
        given_away = [
            n for n in step.events if n.event.kind.startswith(("relic_seen_given", "foreseen_"))
        ]
        if not given_away:
            for seat in (*range(play.header.seats), None):
                closed = {name for name, who in hidden.items() if seat not in who}
                assert closed & words_before(play, seat, step.events) == set()
        assert beyond_seats(play) == []

    play_out(play, GAME.agents[agent], choices, each=check)


def rigged(change, *, until: str, seats: int = 4) -> Night:
    """A night whose hidden side was changed, played by the same answers up to a question."""
    play = opened(seats, b"\5" * 32, game=Rigged(GAME, change))
    rng = Chance(b"rigged")
    while play.asked[0].kind != until:
        decision = play.asked[0]
        key = "roll" if decision.kind == "roll" else rng.pick("key", decision.keys())
        play.answer(decision.seat, decision.question, decision.kind, [key])
    return play


def with_hands(g: State) -> None:
    """Seats 0 and 1 hold two relics each, the same number on both sides of the swap."""
    hold(g, 0, "trinket_0", "alibi")
    hold(g, 1, "trinket_1", "hush")


def test_swapped_hands_look_the_same_to_the_others():
    """Two seats exchange their relics: no third seat and no spectator sees a difference."""

    def swapped(g: State) -> None:
        with_hands(g)
        g.hands[0], g.hands[1] = g.hands[1], g.hands[0]

    left, right = rigged(with_hands, until="move"), rigged(swapped, until="move")

    assert left.view(0).hand == right.view(1).hand
    assert differences(left, right, (2, 3, None)) == []
    assert differences(left, right, (0,)) != []


def test_offers_are_nobody_elses_to_see():
    """Whoever holds a relic that fits looks like somebody who holds one that does not."""

    def scene(relic: str):
        def arrange(g: State) -> None:
            tiles(g, a1="clue")
            stand(g, kate="b1")
            hold(g, 1, relic)

        stage = Stage(arrange, seats=3, dice={"attempt": [1, 1]})
        while stage.view.acting != "kate":
            stage.roll_and("stay")
        stage.roll_and("a1")
        return stage.play

    fits, does_not = scene("plus_one"), scene("alibi")

    assert [d.seat for d in fits.offers] == [1]
    assert does_not.offers == ()
    assert differences(fits, does_not, (0, 2, None)) == []


def test_the_colour_of_a_hidden_tile_looks_the_same_to_all():
    """Face down, a clue is a monster to every eye, in pictures as in labels."""

    def scene(colour):
        def arrange(g: State) -> None:
            tiles(g, a1=colour, c1="clue")
            face_up(g, "c1")
            stand(g, kate="b1")

        stage = Stage(arrange)
        stage.answer("roll", "roll")
        return stage.play

    assert differences(scene("clue"), scene("monster"), (0, 1, None)) == []


def test_the_order_of_the_decks_looks_the_same_to_all():
    """What will be drawn is in no view."""

    def reversed_decks(g: State) -> None:
        for pile in g.piles.values():
            pile.reverse()

    left, right = rigged(lambda g: None, until="move"), rigged(reversed_decks, until="move")

    assert differences(left, right, (0, 1, 2, 3, None)) == []


def test_a_ballot_looks_the_same_to_the_others():
    """RULE-E18: what a seat cast is seen by that seat alone, and that it voted by all."""

    def after(*tokens: str):
        def arrange(g: State) -> None:
            alive(g, "ada", "ben", "cleo", "dora", "emil")
            ready(g)

        stage = Stage(arrange, seats=3)
        stage.answer("vote", *tokens, seat=0)
        return stage.play

    one, other = after("ada", "ben"), after("cleo", "emil")

    assert [d.seat for d in one.waiting()] == [1, 2]
    assert differences(one, other, (1, 2, None)) == []
    assert differences(one, other, (0,)) != []


def test_a_discard_looks_the_same_to_the_others_until_all_are_in():
    """RULE-E31: nobody sees what another is about to discard."""

    def after(relic: str):
        def arrange(g: State) -> None:
            tiles(g, f1="clue", i6="monster")
            stand(g, kate="b2")
            hold(g, 0, "plus_one", "hush")
            hold(g, 1, "plus_two", "again")

        stage = Stage(arrange, dice={"man": [1]})
        stage.roll_and("claim")
        stage.answer("face_the_man", "face")
        stage.answer("discard", relic, seat=0)
        return stage.play

    assert differences(after("plus_one"), after("hush"), (1, None)) == []


def test_a_computer_player_does_not_see_what_is_hidden():
    """Other hands, decks and face-down colours changed: the sensible player answers as before."""
    agent = GAME.agents["sensible"]
    for seed in range(6):
        play = opened(3, bytes([seed]) * 32)
        rng = Chance(b"drive")
        for _ in range(20 + 30 * seed):
            if play.outcome is None:
                one_step(play, agent, rng, fuss=10_000)
        if play.outcome is not None:
            continue
        decision = play.asked[0]
        asked = [d for d in play.asked if d.seat == decision.seat]
        offers = [d for d in play.offers if d.seat == decision.seat]
        chosen = agent(play.view(decision.seat), asked, offers, Chance(b"x"))
        g: State = play._state
        for pile in g.piles.values():
            pile.reverse()
        one, other = (seat for seat in range(3) if seat != decision.seat)
        g.hands[one], g.hands[other] = g.hands[other], g.hands[one]
        for tile in g.tiles.values():
            if not tile.face_up:
                tile.colour = "monster" if tile.colour == "clue" else "clue"
        counts = [len(hand) for hand in g.hands]
        if counts[one] != counts[other]:
            g.hands[one], g.hands[other] = g.hands[other], g.hands[one]

        assert agent(play.view(decision.seat), asked, offers, Chance(b"x")) == chosen
