"""Questions: for one seat, for any, for each; what is an answer, and what breaks the contract."""

import asyncio

import pytest

from engines.kernel.decision import Decision, Option, Shape, allotment, several
from engines.kernel.errors import IllegalAnswer, RulesBug, StaleAnswer
from engines.kernel.game import Outcome
from tests.kernel.small import by_seat, say, seats_of, start, told

YES_NO = ("yes", "no")


def decision(shape: Shape, *keys: str) -> Decision:
    """A question with these options, outside any game."""
    return Decision(1, 0, "choose", tuple(Option(key) for key in keys), shape)


def test_ask_goes_on_with_the_key():
    """One seat's answer is what `ask` returns, and the outcome is what the rules return."""

    async def rules(t, notes):
        notes["said"] = await t.ask(1, "confirm", lambda: YES_NO, about={"what": ["a", 1]})
        return Outcome("asked", False, {"said": notes["said"]})

    play = start(rules)
    (asked,) = play.asked
    assert (asked.seat, asked.kind, asked.keys(), asked.current) == (1, "confirm", YES_NO, None)
    assert asked.about == {"what": ("a", 1)}

    say(play, 1, "no")

    assert play.view(None) == {"said": "no"}
    assert play.outcome == Outcome("asked", False, {"said": "no"})
    assert play.asked == play.offers == play.timers == play.interrupted == ()


def test_what_is_refused_changes_nothing():
    """Another seat, another number, another kind and no option are refused and leave no entry."""

    async def rules(t, notes):
        notes["said"] = await t.ask(1, "confirm", lambda: YES_NO)

    play = start(rules)
    number = play.asked[0].question
    for seat, question, kind, error in [
        (0, number, "confirm", StaleAnswer),
        (1, number + 1, "confirm", StaleAnswer),
        (1, number, "deny", StaleAnswer),
        (1, number, "confirm", IllegalAnswer),
    ]:
        with pytest.raises(error):
            play.answer(seat, question, kind, ("perhaps",))
    with pytest.raises(TypeError, match="'yes'"):
        play.answer(1, number, "confirm", "yes")

    assert (play.ply, play.view(None), play.events) == (0, {}, [])


def test_after_the_end_answers_are_stale():
    """When the game has ended, the problem says so."""

    async def rules(t, notes):
        await t.ask(0, "confirm", lambda: YES_NO)

    play = start(rules)
    number = play.asked[0].question
    say(play, 0, "yes")

    with pytest.raises(StaleAnswer) as caught:
        play.answer(0, number, "confirm", ("yes",))
    assert caught.value.problem == "game_over"


@pytest.mark.parametrize(
    ("shape", "value", "problem", "facts"),
    [
        (several(1, 2), ("a", "z"), "not_an_option", {"got": "z", "options": ("a", "b", "c")}),
        (several(1, 2), (), "too_few", {"got": 0, "least": 1}),
        (several(1, 2), ("a", "b", "c"), "too_many", {"got": 3, "most": 2}),
        (several(1, 2), ("a", "a"), "twice", {}),
        (allotment(3, distinct=2), ("a", "a", "a"), "too_alike", {"got": 1, "least": 2}),
        (Shape(1, 4, True, 2), ("a",), "too_alike", {"got": 1, "least": 2}),
    ],
)
def test_an_illegal_answer_says_why(shape, value, problem, facts):
    """A refused value names its problem and the facts that a sentence about it needs."""
    with pytest.raises(IllegalAnswer) as caught:
        decision(shape, "a", "b", "c").check(value)

    assert caught.value.problem == problem
    assert caught.value.facts == {"kind": "choose", **facts}


@pytest.mark.parametrize(
    ("shape", "keys", "value"),
    [
        (several(0, 2), "abc", ()),
        (several(0, 2), "abc", ("c", "a")),
        (allotment(3), "abc", ("b", "b", "b")),
        (allotment(3, distinct=2), "a", ("a", "a", "a")),
        (allotment(1, distinct=2), "abc", ("a",)),
    ],
)
def test_a_legal_answer_keeps_its_order(shape, keys, value):
    """Keys stay in the order chosen; variety is asked only as far as options and tokens allow."""
    assert decision(shape, *keys).check(list(value)) == value


def test_an_option_is_found_by_its_key():
    """With what it is about; another key is a KeyError."""
    asked = Decision(1, 0, "choose", (Option("a"), Option("b", "law", {"coins": 2})))

    assert asked.option("b").about == {"coins": 2}
    with pytest.raises(KeyError):
        asked.option("c")


def test_the_first_of_any_decides():
    """`ask_any` shows each seat options of its own and ends with the first answer."""

    async def rules(t, notes):
        notes["first"] = await t.ask_any(lambda: (2, 0), "grab", lambda seat: (f"of_{seat}",))

    play = start(rules)
    assert [(d.seat, d.keys()) for d in play.asked] == [(2, ("of_2",)), (0, ("of_0",))]

    say(play, 0, "of_0")

    assert play.view(None) == {"first": (0, "of_0")}
    assert play.outcome is not None


def test_the_first_of_any_decides_several():
    """`ask_any_several` ends with the first complete answer, in the order in which it came."""

    async def rules(t, notes):
        notes["first"] = await t.ask_any_several(
            lambda: (0, 2), "menu", lambda _: "abcd", several(2, 3), about={"what": 3}
        )

    play = start(rules)
    assert [(d.seat, d.shape, d.about) for d in play.asked] == [
        (0, several(2, 3), {"what": 3}),
        (2, several(2, 3), {"what": 3}),
    ]
    with pytest.raises(IllegalAnswer, match="too_few"):
        say(play, 0, "a")

    say(play, 2, "d", "b")

    assert play.view(None) == {"first": (2, ("d", "b"))}
    with pytest.raises(StaleAnswer):
        play.answer(0, 1, "menu", ("a", "b"))


def test_a_question_says_whether_one_answer_decides():
    """What `ask_any` and `ask_any_several` ask is `shared`, also of one seat; nothing else is."""

    async def rules(t, notes):
        await t.ask_any(lambda: (0, 1), "any", lambda _: YES_NO)
        await t.ask_any(lambda: (0,), "any_of_one", lambda _: YES_NO)
        await t.ask_any_several(lambda: (0, 1), "any_several", lambda _: YES_NO, several(1, 2))
        await t.ask(0, "one", lambda: YES_NO)
        await t.ask_several(0, "several", lambda: YES_NO, several(1, 2))
        await t.ask_each(lambda: (0,), "each", lambda _: YES_NO)
        await t.window("window", lambda: (0,), lambda _: (), lambda seat, key: asyncio.sleep(0))

    play = start(rules)
    shared = {}
    while play.asked:
        decision = play.asked[0]
        shared[decision.kind] = [d.shared for d in play.asked]
        say(play, decision.seat, decision.keys()[0])

    assert shared == {
        "any": [True, True],
        "any_of_one": [True],
        "any_several": [True, True],
        "one": [False],
        "several": [False],
        "each": [False],
        "window": [False],
    }


def test_each_answers_in_any_order():
    """`ask_each` leaves the question open to those still out and returns the order of its seats."""

    async def rules(t, notes):
        notes["votes"] = await t.ask_each(lambda: (2, 0, 1), "vote", lambda _: YES_NO)
        t.tell("counted", votes=list(notes["votes"]))

    play = start(rules)
    say(play, 1, "yes")
    assert seats_of(play.asked) == seats_of(play.waiting()) == [2, 0]
    say(play, 0, "no")
    assert play.view(None) == {}
    say(play, 2, "yes")

    assert list(play.view(None)["votes"].items()) == [(2, ("yes",)), (0, ("no",)), (1, ("yes",))]
    assert told(play) == ["counted"]


def test_each_of_nobody_is_empty_at_once():
    """Without a seat to ask, `ask_each` returns an empty answer and nothing waits."""

    async def rules(t, notes):
        notes["votes"] = await t.ask_each(lambda: (), "vote", lambda _: YES_NO)

    play = start(rules)

    assert play.view(None) == {"votes": {}}
    assert play.ply == 0


def test_each_seat_has_a_shape_of_its_own():
    """The shape of an answer may differ from seat to seat."""

    async def rules(t, notes):
        notes["spent"] = await t.ask_each(
            lambda: (0, 1), "spend", lambda _: ("a", "b"), shape=lambda seat: allotment(seat + 1)
        )

    play = start(rules)
    with pytest.raises(IllegalAnswer):
        say(play, 0, "a", "a")
    say(play, 0, "b")
    say(play, 1, "a", "a")

    assert play.view(None) == {"spent": {0: ("b",), 1: ("a", "a")}}


async def ballot(t, notes):
    """A revisable secret ballot of three."""
    notes["votes"] = await t.ask_each(
        lambda: (0, 1, 2), "vote", lambda _: YES_NO, secret=True, revisable=True
    )


def test_a_revisable_answer_can_be_changed_until_all_are_in():
    """The question stays open to who has answered, and shows what was answered so far."""
    play = start(ballot)
    assert all(d.secret and d.revisable for d in play.asked)
    say(play, 0, "yes")
    assert by_seat(play, 0).current == ("yes",)
    assert seats_of(play.waiting()) == [1, 2]
    say(play, 0, "no")
    assert by_seat(play, 0).current == ("no",)
    say(play, 2, "yes")
    say(play, 1, "yes")

    assert play.view(None) == {"votes": {0: ("no",), 1: ("yes",), 2: ("yes",)}}


def test_a_revisable_answer_can_be_withdrawn():
    """Afterwards the seat is still out; without an answer there is nothing to withdraw."""
    play = start(ballot)
    vote = by_seat(play, 0)
    with pytest.raises(StaleAnswer) as caught:
        play.withdraw(0, vote.question, "vote")
    assert caught.value.problem == "nothing_to_withdraw"
    say(play, 0, "yes")

    step = play.withdraw(0, vote.question, "vote", by="moderator")

    assert (step.entry.value, step.entry.by) == (None, "moderator")
    assert seats_of(play.waiting()) == [0, 1, 2]


def test_an_answer_that_is_not_revisable_stands():
    """It can be neither given twice nor withdrawn."""

    async def rules(t, notes):
        await t.ask_each(lambda: (0, 1), "vote", lambda _: YES_NO)

    play = start(rules)
    number = play.asked[0].question
    say(play, 0, "yes")

    with pytest.raises(StaleAnswer):
        play.answer(0, number, "vote", ("no",))
    with pytest.raises(StaleAnswer):
        play.withdraw(0, number, "vote")
    with pytest.raises(StaleAnswer):
        play.withdraw(1, number, "vote")


def test_every_call_takes_one_number():
    """Questions are numbered one by one, however many seats each of them asks."""

    async def rules(t, notes):
        await t.ask(0, "a", lambda: YES_NO)
        await t.ask_each(lambda: (0, 1), "b", lambda _: YES_NO)
        await t.ask_any(lambda: (0, 1), "c", lambda _: YES_NO)

    play = start(rules)
    numbers = []
    while play.asked:
        numbers.append(play.asked[0].question)
        say(play, play.asked[0].seat, "yes")

    assert numbers == [1, 2, 2, 3]


def asking(seats, keys, shape=None):
    """Rules that ask these seats this."""

    async def rules(t, notes):
        await t.ask_each(
            lambda: seats, "pick", lambda _: keys, shape=lambda _: shape or several(1, 1)
        )

    return rules


@pytest.mark.parametrize(
    ("rules", "what"),
    [
        (asking((0, 1, 0), YES_NO), "twice"),
        (asking((0, 3), YES_NO), "not at the table"),
        (asking((-1,), YES_NO), "not at the table"),
        (asking((True,), YES_NO), "not at the table"),
        (asking((0,), ()), "no legal answer"),
        (asking((0,), YES_NO, several(3, 4)), "no legal answer"),
        (asking((0,), YES_NO, several(0, 0)), "no legal answer"),
        (asking((0,), ("yes", "yes")), "'yes' twice"),
        (asking((0,), ("Yes!",)), "no option key"),
        (asking((0,), ("k" * 41,)), "no option key"),
        (asking((0,), (Option("a", about={"x": 0.5}),)), "not JSON"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_bug(rules, what):
    """Wrong seats and questions without a legal answer are the rules' fault, found at once."""
    with pytest.raises(RulesBug, match=what):
        start(rules)


def test_any_of_nobody_is_a_bug():
    """`ask_any` needs somebody to ask."""

    async def rules(t, notes):
        await t.ask_any(lambda: (), "grab", lambda _: YES_NO)

    with pytest.raises(RulesBug, match="asks nobody"):
        start(rules)


def test_a_foreign_awaitable_is_a_bug():
    """Rules may suspend through their table alone."""

    async def rules(t, notes):
        await asyncio.sleep(0)

    with pytest.raises(RulesBug, match="only Table may suspend"):
        start(rules)


def test_rules_must_end_with_an_outcome():
    """Any other result is a bug, and so are facts that are not JSON."""

    async def a_word(t, notes):
        return "won"

    async def a_float(t, notes):
        return Outcome("won", True, {"share": 0.5})

    with pytest.raises(RulesBug, match="'won', not an Outcome"):
        start(a_word)
    with pytest.raises(RulesBug, match="share"):
        start(a_float)


def test_a_bug_is_not_swallowed_by_except_exception():
    """A card that catches every Exception still cannot hide a broken contract."""

    async def rules(t, notes):
        try:
            await t.ask(0, "pick", lambda: ())
        except Exception:  # noqa: BLE001 - it is what the test is about
            notes["hidden"] = True

    with pytest.raises(RulesBug):
        start(rules)
