"""Draws that were made, made once more."""

from __future__ import annotations

import pytest

from engines.kernel.chance import Chance
from engines.kernel.redrawn import Redrawn


def test_a_ledger_gives_the_same_shuffles_picks_and_dice():
    """Purpose by purpose, in whatever order the purposes are asked for."""
    chance = Chance(b"k" * 32)
    deck, die = chance.shuffled("deck", "abcdefg"), chance.die("roll")
    picked, again = chance.pick("lot", ["x", "y", "z"]), chance.shuffled("deck", "abc")
    chance.switch(1)
    late = chance.die("roll")
    redrawn = Redrawn(chance.ledger)

    assert redrawn.pick("lot", ["x", "y", "z"]) == picked
    assert redrawn.shuffled("deck", "abcdefg") == deck
    assert redrawn.left("deck") == 2
    assert [redrawn.die("roll"), redrawn.die("roll")] == [die, late]
    assert redrawn.shuffled("deck", "abc") == again
    assert redrawn.left("deck") == 0


def test_what_was_not_drawn_is_refused():
    """No draw more than there were, none of another purpose, none below another number."""
    chance = Chance(b"k" * 32)
    chance.die("roll")
    redrawn = Redrawn(chance.ledger)

    with pytest.raises(ValueError, match="no draw roll 1 below 8"):
        redrawn.die("roll", 8)
    redrawn.die("roll")
    with pytest.raises(ValueError, match="no draw roll 2 below 6"):
        redrawn.die("roll")
    with pytest.raises(ValueError, match="no draw lot 1"):
        redrawn.pick("lot", "ab")
