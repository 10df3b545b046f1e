"""Relics: what they do in votes and death challenges, and for the dead."""

from __future__ import annotations

from tests.games.escape_the_night.relic_table import (
    duel,
    table,
    voting,
)
from tests.games.escape_the_night.stage import (
    alive,
    hold,
    ready,
)


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


def test_a_raised_guest_is_not_exhausted():
    """It may still act in the hour in which it comes back."""

    def arrange(g):
        hold(g, 0, "rebirth")
        g.characters["ada"].alive, g.characters["ada"].exhausted = False, True
        g.graveyard.append("ada")

    stage = table(arrange)
    stage.play_relic(0, "rebirth")

    assert not stage.character("ada").exhausted
