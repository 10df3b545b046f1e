"""Chance: fixed numbers, a second implementation, fairness of form.

The constants were computed with the openssl command line, not with this project.
"""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.chance import Chance, Draw
from engines.kernel.errors import RulesBug
from tests.kernel.small import replay, say, start

KEY = bytes(31) + b"\x01"
HARD = 3 * 2**62 + 1
"""One try in four is not fair for it."""


def hmac_sha256(key: bytes, text: str) -> bytes:
    """By the definition, RFC 2104, for keys of at most 64 bytes."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + text.encode()).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def draw(key: bytes, purpose: str, k: int, n: int, branch: int = 0) -> int:
    """The recipe once more, in the fewest lines: what anyone can check a game with."""
    key = hmac_sha256(key, f"branch/{branch}") if branch else key
    attempt = 0
    while (
        x := int.from_bytes(hmac_sha256(key, f"{purpose}/{k}/{attempt}")[:8], "big")
    ) >= 2**64 - 2**64 % n:
        attempt += 1
    return x % n


def test_fixed_numbers():
    """These draws never change: stored games depend on them."""
    chance = Chance(KEY)

    assert [chance.below("die", 6) for _ in range(5)] == [5, 2, 1, 5, 5]
    assert [chance.below("deck.a", 52) for _ in range(3)] == [35, 32, 34]
    assert chance.below("wide", 2**62) == 69775084031639376


def test_fixed_numbers_of_a_branch():
    """Another branch draws under another key, and its counts go on."""
    chance = Chance(KEY)
    chance.switch(1)
    assert [chance.below("die", 6) for _ in range(3)] == [2, 0, 1]

    chance.switch(0)
    assert chance.dice("die", 2) == (6, 6)
    chance.switch(1)
    assert chance.die("die") == 3


def test_an_unfair_try_is_repeated():
    """Where 2**64 is no multiple of n, the numbers beyond the last multiple are not used."""
    chance = Chance(KEY)

    assert [chance.below("hard", HARD) for _ in range(5)] == [
        8901217211264584595,
        1361456750450747841,
        1525479387333944320,
        6599223857978688555,
        1110529568934058476,
    ]


@given(
    key=st.binary(min_size=1, max_size=64),
    draws=st.lists(
        st.tuples(
            st.sampled_from(("die", "deck.a", "x_1-2")),
            st.integers(1, 100) | st.just(HARD) | st.integers(1, 2**64),
            st.integers(0, 3),
        ),
        max_size=20,
    ),
)
def test_every_draw_follows_the_recipe(key, draws):
    """The ledger can be checked, line by line, with the recipe alone."""
    chance = Chance(key)
    results = []
    for purpose, n, branch in draws:
        chance.switch(branch)
        results.append(chance.below(purpose, n))

    assert [draw(key, d.purpose, d.k, d.n, d.branch) for d in chance.ledger] == results
    assert [d.result for d in chance.ledger] == results
    assert chance.calls == len(draws)


def test_the_ledger_names_each_draw():
    """Purposes count for themselves, in the order in which draws were made."""
    chance = Chance(KEY)
    chance.die("die")
    chance.below("deck.a", 52)
    chance.die("die")

    assert chance.ledger == [
        Draw("die", 1, 6, 5),
        Draw("deck.a", 1, 52, 35),
        Draw("die", 2, 6, 2),
    ]


def test_a_shuffle_is_fisher_yates_from_the_top():
    """The last place is filled first; one card needs no draw."""
    items = ["a", "b", "c", "d", "e"]
    chance = Chance(KEY)
    deck = list(items)
    for top, k in ((4, 1), (3, 2), (2, 3), (1, 4)):
        other = draw(KEY, "cards", k, top + 1)
        deck[top], deck[other] = deck[other], deck[top]

    assert chance.shuffled("cards", items) == deck
    assert items == ["a", "b", "c", "d", "e"]
    assert chance.shuffled("cards", ["a"]) == ["a"]
    assert chance.calls == 4


def test_a_pick_is_one_draw():
    """`pick` takes the item whose place was drawn."""
    chance = Chance(KEY)

    assert chance.pick("die", "abcdef") == "f"
    assert chance.ledger == [Draw("die", 1, 6, 5)]


def test_purposes_do_not_touch_each_other():
    """More draws for one purpose leave the numbers of another as they were."""
    alone, among = Chance(KEY), Chance(KEY)
    among.shuffled("deck", range(10))

    assert alone.dice("die", 20) == among.dice("die", 20)


@pytest.mark.parametrize("purpose", ["", "Die", "a b", "a/b", "x" * 61])
def test_a_purpose_is_a_plain_word(purpose):
    """No purpose can be mistaken for another one with a number."""
    with pytest.raises(RulesBug, match="no purpose"):
        Chance(KEY).below(purpose, 6)


def test_nothing_to_draw_from_is_a_bug():
    """There is no number below 0 and no item in an empty list."""
    chance = Chance(KEY)
    with pytest.raises(RulesBug):
        chance.below("die", 0)
    with pytest.raises(RulesBug):
        chance.pick("die", ())

    assert chance.calls == 0


def test_hidden_purposes_have_a_key_of_their_own():
    """The key that is told at the end gives every open draw and no hidden one, in any branch."""
    other = bytes(32)
    chance = Chance(KEY, other)
    chance.hidden = ("deck",)
    for branch in (0, 1):
        chance.switch(branch)
        assert chance.below("deck", 2**40) == draw(other, "deck", branch + 1, 2**40, branch)
        assert chance.below("die", 2**40) == draw(KEY, "die", branch + 1, 2**40, branch)

    assert [d.hidden for d in chance.ledger] == [True, False, True, False]


def test_without_a_second_key_hidden_draws_are_as_others():
    """A simulation keeps nothing from anybody: its dice do not depend on what is hidden."""
    hidden, plain = Chance(KEY), Chance(KEY)
    hidden.hidden = ("deck",)

    assert hidden.shuffled("deck", range(9)) == plain.shuffled("deck", range(9))


async def rolling(t, notes):
    """A die before the first question, and one after each answer."""
    notes["rolls"] = [t.chance.die("die")]
    for _ in range(3):
        await t.ask(0, "roll", lambda: ("on",))
        notes["rolls"].append(t.chance.die("die"))


def test_rules_draw_under_the_headers_key():
    """A game's dice are those of its key, and a replay rolls them again."""
    play = start(rolling, key=KEY.hex())
    for _ in range(3):
        say(play, 0, "on")

    assert play.view(None)["rolls"] == [6, 3, 2, 6]
    assert replay(rolling, play.entries, key=KEY.hex()).chance.ledger == play.chance.ledger


def test_after_a_rewind_the_dice_differ():
    """What was drawn before the branch stays; what comes after is drawn under the branch's key."""
    play = start(rolling, key=KEY.hex())
    for _ in range(3):
        say(play, 0, "on")
    again = replay(rolling, play.entries[:1], key=KEY.hex())
    again.branch = 1
    say(again, 0, "on")

    assert again.view(None)["rolls"] == [6, 3, draw(KEY, "die", 3, 6, branch=1) + 1]
    assert [d.branch for d in again.chance.ledger] == [0, 0, 1]
    assert replay(rolling, again.entries, key=KEY.hex()).chance.ledger == again.chance.ledger
