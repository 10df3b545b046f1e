"""Replay: the same game again, or the ply at which it is another one; marks, branches, bugs."""

from dataclasses import replace

import pytest

from engines.kernel.decision import Offer
from engines.kernel.errors import ReplayDiverged, RulesBug, StaleAnswer
from engines.kernel.event import PUBLIC
from engines.kernel.journal import Branch, effective
from engines.kernel.playthrough import Playthrough
from tests.kernel.small import Small, header, replay, say, start, told


def rules_with(
    *,
    third=("a", "b"),
    second="count",
    draws=1,
    score=1,
    revisable=False,
    seat=0,
    sand=10,
    only=PUBLIC,
    card="a",
):
    """Three questions and a score; each argument is something that a release might change."""

    async def rules(t, notes):
        t.offers = lambda: [Offer(1, "card", (card,))]
        await t.ask(0, "first", lambda: ("a", "b"))
        for _ in range(draws):
            t.chance.die("die")
        await t.ask_each(lambda: (0,), second, lambda _: ("a", "b"), revisable=revisable)
        t.tell("scored", only=only, points=score)
        with t.timer("sand", sand):
            await t.ask(seat, "third", lambda: third)

    return rules


def played(rules):
    """The entries of a whole game of it."""
    play = start(rules)
    while play.asked:
        say(play, play.asked[0].seat, "a")
    return play.entries


def test_replay_is_the_same_game():
    """Entries, events, marks, traces and draws are equal; nothing was re-interpreted."""
    play = start(rules_with())
    for _ in range(3):
        say(play, 0, "a")
    other = replay(rules_with(), play.entries)

    assert other.entries == play.entries
    assert other.events == play.events
    assert other.chance.ledger == play.chance.ledger
    assert other.outcome == play.outcome
    assert other.reinterpreted_from is None
    assert all(entry.mark and entry.trace for entry in play.entries)


@pytest.mark.parametrize(
    ("changed", "ply"),
    [
        ({"card": "b"}, 1),
        ({"second": "number"}, 2),
        ({"draws": 2}, 2),
        ({"draws": 0}, 2),
        ({"revisable": True}, 2),
        ({"third": ("a", "c")}, 3),
        ({"third": ("b", "a")}, 3),
        ({"third": ("a",)}, 3),
        ({"seat": 1}, 3),
        ({"sand": 20}, 3),
    ],
)
def test_other_questions_diverge_where_they_begin(changed, ply):
    """Another offer, kind, option, order, seat, form, timer or number of draws is named."""
    entries = played(rules_with())

    with pytest.raises(ReplayDiverged) as caught:
        replay(rules_with(**changed), entries)

    assert caught.value.ply == ply
    assert caught.value.expected != caught.value.found


@pytest.mark.parametrize("changed", [{"score": 2}, {"only": (0,)}])
def test_other_consequences_are_reported_not_refused(changed):
    """The same questions with another score, or audience, replay; the first such ply is noted."""
    entries = played(rules_with())
    play = replay(rules_with(**changed), entries)

    assert play.reinterpreted_from == 2
    assert play.outcome is not None


def test_a_trace_holds_all_that_went_before():
    """Once games differ in what was told, their traces differ to the end."""
    one, two = (played(rules_with(score=score)) for score in (1, 2))

    assert [a.trace == b.trace for a, b in zip(one, two, strict=True)] == [True, False, False]
    assert [a.mark == b.mark for a, b in zip(one, two, strict=True)] == [True, True, True]


def test_an_entry_that_is_no_answer_diverges():
    """Without marks an entry still has to fit what is asked."""
    entries = [replace(entry, mark="", trace="") for entry in played(rules_with())]
    entries[1] = replace(entries[1], value=("z",))

    with pytest.raises(ReplayDiverged, match="ply 2"):
        replay(rules_with(), entries)


def test_entries_without_traces_are_not_reported():
    """An entry from a playthrough without checks says nothing about consequences."""
    play = start(rules_with(), checks=False)
    for _ in range(3):
        say(play, 0, "a")

    assert replay(rules_with(score=2), play.entries).reinterpreted_from is None


def test_entries_after_the_end_diverge():
    """A journal that is longer than its game was written under other rules."""
    entries = played(rules_with())

    with pytest.raises(ReplayDiverged) as caught:
        replay(rules_with(), [*entries, entries[-1]])
    assert caught.value.ply == 4


def test_without_checks_there_are_no_marks():
    """Simulations skip marks and traces and play the same game."""
    play = start(rules_with(), checks=False)
    for _ in range(3):
        say(play, 0, "a")

    assert {(entry.mark, entry.trace) for entry in play.entries} == {("", "")}
    assert told(play) == ["scored"]
    assert [replace(e, mark="", trace="") for e in played(rules_with())] == play.entries


def test_marks_do_not_depend_on_who_looks():
    """Views and open questions may be read any number of times."""
    play = start(rules_with())
    for seat in (0, 1, None):
        play.view(seat)
        play.view(seat)
        assert (play.asked, play.offers, play.waiting()) == (
            play.asked,
            play.offers,
            play.waiting(),
        )
    say(play, 0, "a")

    assert play.entries[0] == played(rules_with())[0]


# Rewinds.


def test_a_rewind_goes_on_from_an_earlier_ply_under_a_new_branch():
    """What counts is the kept beginning and what came after; new entries name their branch."""
    entries = played(rules_with())
    records = [*entries, Branch(1, 1)]
    kept, branch = effective(records)
    play = replay(rules_with(), kept)
    play.branch = branch
    for _ in range(2):
        say(play, 0, "b")

    assert [entry.branch for entry in play.entries] == [0, 1, 1]
    line, branch = effective([*records, *play.entries[1:]])
    assert (list(line), branch) == (play.entries, 1)
    assert replay(rules_with(), line).events == play.events


def test_replay_goes_on_under_the_branch_it_is_given():
    """A rewind that nobody has answered since is known from the journal alone."""
    entries = played(rules_with())
    kept, branch = effective([*entries, Branch(1, 2), Branch(2, 1)])
    play = Playthrough.replay(Small(rules_with()), None, header(), kept, branch=branch)

    assert say(play, 0, "a").entry.branch == 2


def test_after_a_rewind_old_question_numbers_mean_nothing():
    """The question that is open again has another number than before, the journal its bare one."""
    entries = played(rules_with())
    kept, branch = effective([*entries, Branch(1, 1)])
    before = replay(rules_with(), kept)
    (old,) = before.asked
    play = Playthrough.replay(Small(rules_with()), None, header(), kept, branch=branch)
    (new,) = play.asked
    assert (new.seat, new.kind, new.options) == (old.seat, old.kind, old.options)
    with pytest.raises(StaleAnswer):
        play.answer(old.seat, old.question, old.kind, old.keys()[:1])

    step = play.answer(new.seat, new.question, new.kind, new.keys()[:1])
    assert step.entry.question == old.question
    assert (
        step.entry.mark
        == before.answer(old.seat, old.question, old.kind, old.keys()[:1]).entry.mark
    )


# Bugs.


def broken(error):
    """Rules that raise at the second answer."""

    async def rules(t, notes):
        await t.ask(0, "first", lambda: ("a",))
        await t.ask(0, "second", lambda: ("a", "b"))
        t.tell("never_told")
        notes["half"] = True
        raise error

    return rules


@pytest.mark.parametrize("error", [ZeroDivisionError(), RulesBug("no")])
def test_a_bug_in_the_rules_leaves_no_entry(error):
    """What the answer half did is not in the entries or events; it plays on only after a replay."""
    play = start(broken(error))
    say(play, 0, "a")
    kept = list(play.entries)

    with pytest.raises(type(error)):
        say(play, 0, "b")

    assert play.entries == kept
    assert play.events == []
    assert play.outcome is None
    with pytest.raises(RulesBug, match="broke after ply 1"):
        play.answer(0, 2, "second", ("a",))
    rebuilt = replay(broken(error), play.entries)
    assert [d.kind for d in rebuilt.asked] == ["second"]
    assert rebuilt.view(None) == {}


def test_a_players_error_out_of_the_rules_is_a_bug():
    """Otherwise a half-played answer would be told to the player as one that changed nothing."""
    play = start(broken(StaleAnswer("not_asked")))
    say(play, 0, "a")

    with pytest.raises(RulesBug, match="StaleAnswer"):
        say(play, 0, "a")


def test_a_bug_during_replay_is_not_a_divergence():
    """The journal fits; it is the rules that fail."""
    entries = played(broken_late(False))

    with pytest.raises(RulesBug, match="StaleAnswer"):
        replay(broken_late(True), entries)


def broken_late(now):
    """Rules that, in a later release, raise at the second answer."""

    async def rules(t, notes):
        await t.ask(0, "first", lambda: ("a",))
        await t.ask(0, "second", lambda: ("a",))
        if now:
            raise StaleAnswer("not_asked")

    return rules


def test_close_does_not_run_the_rules_on():
    """Only clean-up runs; nothing is told, asked or noted, and answers are stale."""

    async def rules(t, notes):
        try:
            with t.timer("sand", 5):
                await t.ask(0, "first", lambda: ("a",))
            notes["went_on"] = True
        finally:
            t.tell("cleaned_up")
        await t.ask(0, "second", lambda: ("a",))

    play = start(rules)
    number = play.asked[0].question
    play.close()
    play.close()

    assert play.asked == play.offers == play.timers == ()
    with pytest.raises(StaleAnswer):
        play.answer(0, number, "first", ("a",))
    assert (play.view(None), play.events, play.entries, play.outcome) == ({}, [], [], None)


def test_rules_that_go_on_when_closed_are_a_bug():
    """A clean-up that asks would never be answered."""

    async def rules(t, notes):
        try:
            await t.ask(0, "first", lambda: ("a",))
        finally:
            await t.ask(0, "second", lambda: ("a",))

    play = start(rules)
    with pytest.raises(RulesBug, match="went on"):
        play.close()


def test_two_tables_do_not_touch_each_other():
    """Two games interleaved are each what they are alone."""
    left, right = start(rules_with()), start(rules_with(draws=2))
    for _ in range(3):
        say(left, 0, "a")
        say(right, 0, "a")

    assert left.entries == played(rules_with())
    assert right.entries == played(rules_with(draws=2))
