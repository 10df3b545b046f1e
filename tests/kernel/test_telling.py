"""Events: who may know them, and what they may hold."""

from enum import Enum, StrEnum

import pytest

from engines.kernel.errors import RulesBug
from engines.kernel.event import PUBLIC, Event
from tests.kernel.small import say, start, told


def telling(only=PUBLIC, **data):
    """Rules that tell one thing at once."""

    async def rules(t, notes):
        t.tell("happened", only=only, **data)

    return rules


def test_an_event_reaches_its_audience():
    """Seats see what is public and what names them; a spectator sees what is public."""

    async def rules(t, notes):
        t.tell("drew", count=2)
        t.tell("drawn", only=(0, 2), cards=["a", "b"])

    play = start(rules)

    assert [told(play, seat) for seat in (0, 1, 2, None)] == [
        ["drew", "drawn"],
        ["drew"],
        ["drew", "drawn"],
        ["drew"],
    ]


@pytest.mark.parametrize("only", [None, (), [0], 0, "public", ("0",), (True,), (-1,), (3,)])
def test_an_audience_is_public_or_seats(only):
    """Nothing empty, no other type and no seat beyond the table can pass for an audience."""
    with pytest.raises(RulesBug, match="audience"):
        start(telling(only))


class Suit(Enum):
    """No JSON."""

    BLADES = "blades"


class Rank(StrEnum):
    """JSON as the text that it is."""

    HIGH = "high"


@pytest.mark.parametrize("value", [0.5, {1: "a"}, {"a"}, Suit.BLADES, object(), [[0.0]], b"x"])
def test_data_is_strict_json(value):
    """Floats, numbers as names and foreign types are refused, with the place where they are."""
    with pytest.raises(RulesBug, match=r"happened\.what"):
        start(telling(what=[{"deep": value}]))


def test_data_is_copied():
    """What the rules change afterwards does not change what was told."""

    async def rules(t, notes):
        cards = ["a"]
        t.tell("drawn", cards=cards, by={"seat": cards}, rank=Rank.HIGH, of=3, last=True, next=None)
        cards.append("b")

    (numbered,) = start(rules).events

    assert numbered.event == Event(
        "drawn",
        {
            "cards": ("a",),
            "by": {"seat": ("a",)},
            "rank": "high",
            "of": 3,
            "last": True,
            "next": None,
        },
    )
    assert type(numbered.event.data["rank"]) is str
    assert numbered.event.data["last"] is True


def test_data_may_have_any_name():
    """What is told may have a kind of its own, beside that of the event."""
    (numbered,) = start(telling(kind="veto", self=1)).events

    assert numbered.event == Event("happened", {"kind": "veto", "self": 1})


def test_events_are_numbered_by_the_ply_that_caused_them():
    """The set-up is ply 0; each answer's events count from 0 again."""

    async def rules(t, notes):
        t.tell("a")
        await t.ask(0, "go", lambda: ("on",))
        await t.ask(0, "go", lambda: ("on",))
        t.tell("b")
        t.tell("c")

    play = start(rules)
    assert say(play, 0, "on").events == ()
    step = say(play, 0, "on")

    assert [(e.ply, e.n, e.event.kind) for e in play.events] == [
        (0, 0, "a"),
        (2, 0, "b"),
        (2, 1, "c"),
    ]
    assert list(step.events) == play.events[1:]


def test_a_view_of_facts_cannot_be_changed_through_a_question():
    """What a prompt is about is a copy too."""

    async def rules(t, notes):
        about = {"cards": ["a"]}
        notes["about"] = about["cards"]
        await t.ask(0, "go", lambda: ("on",), about=about)

    play = start(rules)
    play.view(None)["about"].append("b")

    assert play.asked[0].about == {"cards": ("a",)}


def test_an_event_tells_how_many_draws_came_before_it():
    """Whoever checks the dice must know which draws belong to which event."""

    async def rules(t, notes):
        t.tell("first")
        t.chance.dice("move", 2)
        t.tell("second")
        t.tell("third", only=(0,))
        await t.ask(0, "roll", lambda: ("on",))
        t.chance.die("move")
        t.tell("fourth")

    play = start(rules)
    say(play, 0, "on")

    assert [e.draws for e in play.events] == [0, 2, 2, 3]
