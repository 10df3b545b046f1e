"""Real time as an answer: sand that runs while a block does."""

import pytest

from engines.kernel.chance import Chance
from engines.kernel.decision import CLOCK, Offer, TimeUp
from engines.kernel.errors import RulesBug, StaleAnswer
from engines.kernel.table import Entry, Table
from tests.kernel.small import replay, say, start, told


async def hurry(t, notes):
    """Two answers within the sand; a card asks in between; then a rest."""

    async def play(seat, kind, key):
        await t.ask(seat, "why", lambda: ("so",))
        t.tell("explained")

    t.offers, t.play = (lambda: [Offer(1, "card", ("c",))]), play
    try:
        with t.timer("sand", 30):
            await t.ask(0, "first", lambda: ("a",))
            await t.ask(0, "second", lambda: ("a",))
            t.tell("quick")
    except TimeUp as up:
        t.tell("slow", kind=up.timer.kind)
    t.offers = tuple
    await t.ask(0, "rest", lambda: ("ok",))


def hurried():
    """A game of it, and its timer's number."""
    play = start(hurry)
    (timer,) = play.timers
    assert (timer.kind, timer.seconds) == ("sand", 30)
    return play, timer.question


def slow(kind):
    """How `hurry` tells that time was up."""
    return [("slow", {"kind": kind})]


def events(play):
    """Kinds and data of all events."""
    return [(e.event.kind, dict(e.event.data)) for e in play.events]


@pytest.mark.parametrize("answers", [0, 1])
def test_time_up_comes_out_of_whichever_await_is_open(answers):
    """The sand runs through the whole block, not through one question."""
    play, number = hurried()
    for _ in range(answers):
        say(play, 0, "a", kind=play.asked[0].kind)

    step = play.run_out(number)

    assert (step.entry.seat, step.entry.question, step.entry.kind) == (CLOCK, number, "sand")
    assert (step.entry.value, step.entry.by) == ((), "clock")
    assert events(play) == slow("sand")
    assert [d.kind for d in play.asked] == ["rest"]
    assert play.timers == ()


def test_in_time_the_timer_is_gone():
    """After the block no sand runs, and a late clock is stale."""
    play, number = hurried()
    say(play, 0, "a", kind="first")
    assert len(play.timers) == 1
    say(play, 0, "a", kind="second")

    assert play.timers == ()
    assert told(play) == ["quick"]
    with pytest.raises(StaleAnswer) as caught:
        play.run_out(number)
    assert caught.value.problem == "no_such_timer"


def test_time_up_leaves_a_nested_question_and_the_one_below():
    """The card that was asking is not explained, and nothing stays interrupted."""
    play, number = hurried()
    say(play, 1, "c", kind="card")
    assert [d.kind for d in play.interrupted] == ["first"]
    assert len(play.timers) == 1

    play.run_out(number)

    assert events(play) == slow("sand")
    assert play.interrupted == ()


def test_a_player_cannot_answer_for_the_clock():
    """A timer is no question of a seat, not even of the clock's."""
    play, number = hurried()

    with pytest.raises(StaleAnswer):
        play.answer(CLOCK, number, "sand", ())
    with pytest.raises(StaleAnswer):
        play.run_out(play.asked[0].question)


def test_timers_are_told_apart():
    """Of two timers the one that ran out is named; the other one runs on."""

    async def rules(t, notes):
        try:
            with t.timer("day", 100) as day:
                while True:
                    try:
                        with t.timer("hour", 10):
                            await t.ask(0, "work", lambda: ("on",))
                    except TimeUp as up:
                        if up.timer == day:
                            raise
                        t.tell("hour_over")
        except TimeUp:
            t.tell("day_over")

    play = start(rules)
    for kind in ("hour", "hour", "day"):
        (timer,) = (timer for timer in play.timers if timer.kind == kind)
        play.run_out(timer.question)

    assert told(play) == ["hour_over", "hour_over", "day_over"]
    assert play.outcome is not None


def test_replay_runs_out_at_the_same_place():
    """What the clock did is in the journal like any other answer."""
    play, number = hurried()
    say(play, 0, "a", kind="first")
    play.run_out(number)
    say(play, 0, "ok")

    again = replay(hurry, play.entries)

    assert again.entries == play.entries
    assert again.events == play.events
    assert again.outcome == play.outcome


def test_time_up_that_nobody_catches_is_a_bug():
    """Rules that declare a timer must say what happens when it has run out."""

    async def rules(t, notes):
        with t.timer("sand", 1):
            await t.ask(0, "first", lambda: ("a",))

    play = start(rules)
    with pytest.raises(RulesBug, match="sand ran out"):
        play.run_out(play.timers[0].question)


def test_a_timer_that_is_not_the_rules_is_a_bug():
    """A driver that sends the clock's answer for an unknown timer is not taken for a seat."""
    table = Table(Chance(b"x"))
    rules = table.ask(0, "first", lambda: ("a",))
    rules.send(None)

    with pytest.raises(RulesBug, match="timer 99"):
        rules.send(Entry(CLOCK, 99, "sand", ()))


def test_sand_must_run():
    """A timer of no seconds is a bug."""

    async def rules(t, notes):
        with t.timer("sand", 0):
            await t.ask(0, "first", lambda: ("a",))

    with pytest.raises(RulesBug, match="0 seconds"):
        start(rules)
