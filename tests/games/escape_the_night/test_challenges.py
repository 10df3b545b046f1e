"""The twenty death challenges as printed: won by either side, and tied where they can be."""

from __future__ import annotations

import pytest

from engines.escape_the_night.effects import known
from engines.escape_the_night.effects.challenges import PROCEDURES
from tests.games.escape_the_night.fights import ADA, BEN, CARDS, FIGHTS, TIE, Fight, begin, fight_on


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda f: f"{f.card}-{f.loser}")
def test_each_challenge(fight):
    """It ends as the dice and answers have it: one loser, or what the card says of a tie."""
    stage = begin(fight)
    assert stage.told("challenge_drawn")[0]["challenge"] == fight.card
    fight_on(stage, fight)
    dead = [e["character"] for e in stage.told("died")]

    if fight.loser != TIE:
        assert stage.told("challenge_lost")[0]["character"] == fight.loser
        assert stage.told("challenge_tied") == []
        assert dead == [fight.loser]
        return
    assert stage.told("challenge_tied")[0]["contestants"] == ("ada", "ben")
    match CARDS[fight.card].tie:
        case "outsider":
            assert dead == [stage.told("outsider_drawn")[0]["character"]]
            assert dead[0] in ("cleo", "dora", "emil")
        case "both":
            assert dead == ["ada", "ben"]
        case "again":
            assert [e["character"] for e in stage.told("challenge_lost")] == dead == [BEN]


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
