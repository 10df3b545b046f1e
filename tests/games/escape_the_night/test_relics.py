"""Relics: when they may be played, and by whom. RULE-E13, RULE-E32."""

from __future__ import annotations

import pytest

from engines.escape_the_night.effects import known, relics
from engines.escape_the_night.state import Moment
from tests.games.escape_the_night.relic_table import (
    ALL,
    MOMENTS,
    holding,
    play_to,
    table,
    voting,
)
from tests.games.escape_the_night.stage import (
    hold,
    stand,
    tiles,
)


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
