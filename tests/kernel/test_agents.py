"""The random computer player: always legal, and it can choose everything that is."""

from hypothesis import given
from hypothesis import strategies as st

from engines.kernel.agents import random_agent, random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Option, Shape, allotment, several


def decision(shape, count, **more):
    """A question with so many options."""
    return Decision(1, 0, "pick", tuple(Option(f"o_{n}") for n in range(count)), shape, **more)


@st.composite
def answerable(draw):
    """A question that has some legal answer."""
    count = draw(st.integers(1, 5))
    repeats = draw(st.booleans())
    most = draw(st.integers(1, 6))
    least = draw(st.integers(0, most if repeats else min(most, count)))
    return decision(Shape(least, most, repeats, draw(st.integers(0, 6))), count)


@given(asked=answerable(), key=st.binary(min_size=1, max_size=8))
def test_a_random_answer_is_legal(asked, key):
    """Whatever shape can be answered, the answer passes the kernel's own check."""
    value = random_value(asked, Chance(key))

    assert asked.check(value) == value


def test_every_answer_can_come():
    """Among many draws each value of a small question appears."""
    rng = Chance(b"x")
    subsets = {random_value(decision(several(1, 2), 2), rng) for _ in range(100)}
    spreads = {random_value(decision(allotment(2), 2), rng) for _ in range(100)}

    assert subsets == {("o_0",), ("o_1",), ("o_0", "o_1"), ("o_1", "o_0")}
    assert {tuple(sorted(value)) for value in spreads} == {
        ("o_0", "o_0"),
        ("o_0", "o_1"),
        ("o_1", "o_1"),
    }


def test_it_does_not_answer_twice():
    """A revisable question that it has answered is left alone; others are answered."""
    done = decision(several(1, 1), 2, revisable=True, current=("o_1",))
    todo = decision(several(1, 1), 2)

    assert random_agent(None, [done], [], Chance(b"x")) is None
    choice = random_agent(None, [done, todo], [], Chance(b"x"))
    assert choice is not None
    assert choice.decision is todo


def test_now_and_then_it_plays_an_offer():
    """Offers are taken sometimes, and sometimes not, also when nothing is asked."""
    offer = Decision(0, 0, "card", (Option("c"),))
    rng = Chance(b"x")
    played = [random_agent(None, [], [offer], rng) is not None for _ in range(100)]

    assert 2 < sum(played) < 40
