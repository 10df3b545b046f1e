"""What happens when time runs out: first a reminder, then an answer by the clock."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.store.protocol import StoreBusy
from engines.kernel.journal import effective, load_record
from engines.kernel.playthrough import Playthrough
from tests.sessions.house import ANN, BEA, CID, House
from tests.sessions.live_table import LIVE, SHOWN, asked, bys, left, reminders, table, told
from tests.sessions.waiting import take_no_letters
from tests.toy.senate import CONTENT, SENATE


async def test_first_a_reminder_then_an_answer(house: House) -> None:
    """GAM-01: whoever does nothing is reminded when two thirds of the time are over, and at its end
    a computer player answers: the journal has it as the clock's, the reminder is taken away, and
    the stored journal replays.
    """
    session = await table(house)
    assert asked(session) == [(0, "propose")]
    await house.run(LIVE * 2 / 3 - 3)
    assert not reminders(house)
    await house.run(6)
    (reminder,) = reminders(house)
    assert (reminder.face.seats, reminder.face.kind) == ((0,), "propose")
    assert not reminder.face.shared
    assert reminder.face.ends_at - house.time.epoch() == pytest.approx(LIVE / 3, abs=6)
    await house.run(LIVE / 3 - 8)
    assert bys(session) == []
    await house.run(6)
    assert bys(session) == [(0, "propose", "clock")]
    assert not reminders(house)
    rows = await house.store.entries(session.id)
    entries, _ = effective(load_record(row.record, n) for n, row in enumerate(rows, 1))
    again = Playthrough.replay(SENATE, CONTENT, session.playing.header, entries)
    assert again.events == session.playing.events
    assert entries[0].mark == again.entries[0].mark


async def test_the_clock_s_answer_has_the_same_mark_as_a_player_s(house: House) -> None:
    """Who gave an answer changes neither its mark nor what follows from it."""
    session = await table(house)
    await house.run(LIVE + 2)
    (entry,) = session.playing.entries
    other = Playthrough(SENATE, CONTENT, session.playing.header)
    step = other.answer(0, entry.question, entry.kind, entry.value or ())
    assert (step.entry.mark, step.entry.trace) == (entry.mark, entry.trace)
    assert (step.entry.by, entry.by) == ("player", "clock")


@pytest.mark.parametrize("pings", ["here", "dm", "off"])
async def test_reminders_come_as_each_player_wants(house: House, pings: str) -> None:
    """In the channel, by letter, or not at all, by what /notify says; the answer comes anyway."""
    await house.registry.desk.set_preference(ANN, pings=pings)
    session = await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    places = [m.place.user_id for m in reminders(house)]
    assert places == {"here": [None], "dm": [ANN], "off": []}[pings]
    await house.run(LIVE / 3)
    assert bys(session) == [(0, "propose", "clock")]


async def test_an_answer_in_time_takes_the_reminder_away(house: House) -> None:
    """Who answers after the reminder has missed nothing, and the next question has all its time."""
    session = await table(house, until="before_vote")
    await house.run(LIVE * 2 / 3 + 3)
    assert len(reminders(house)) == 1
    ((seat, _),) = asked(session)
    decision = session.playing.asked[0]
    user = session.persons()[seat]
    await session.answer(house.click(user), decision.question, decision.kind, ("pass",))
    await house.run(SHOWN)
    assert not reminders(house)
    assert session.seats[seat].misses == 0
    assert left(session)[0] > LIVE - 5


async def test_a_reminder_is_not_sent_twice(house: House) -> None:
    """Also not after a restart between the reminder and the end."""
    await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    await house.restart()
    await house.run(20)
    assert len(reminders(house, deleted=True)) == 1


async def test_missing_ballots_are_cast_together_and_nothing_tells_which(house: House) -> None:
    """At the deadline every missing ballot is cast in one transaction. No message says whose they
    were, and no public payload tells one of these ballots from the others.
    """
    session = await table(house, until="vote")
    (mine,) = [d for d in session.playing.asked if d.seat == 1]
    await session.answer(house.click(BEA), mine.question, "vote", ("nay",))
    await house.run(SHOWN)
    notices = len(told(house))
    before = len(session.playing.entries)
    await house.run(LIVE + 2)
    cast = [e for e in session.playing.entries[before:] if e.kind == "vote"]
    assert [(e.seat, e.by) for e in cast] == [(0, "clock"), (2, "clock")]
    rows = (await house.store.entries(session.id))[before : before + 2]
    assert rows[0].received_at == rows[1].received_at
    assert len(told(house)) == notices
    for event in session.playing.events:
        if event.event.kind == "voted":
            assert set(event.event.data) == {"ayes", "nays", "abstained"}


async def test_a_missed_question_is_told_if_it_is_no_secret(house: House) -> None:
    """Of a proposal and a speech, which are made in secret, nothing is said; of a card's question,
    which all can see, it is.
    """
    session = await table(house)
    await house.run(LIVE + 6)
    assert [kind for _, kind in asked(session)] == ["before_vote"]
    await house.run(LIVE + 6)
    assert told(house) == []
    await house.answer_all(session, until="vote")
    gag = next(d for d in session.playing.offers if d.kind == "gag")
    await session.answer(house.click(session.persons()[gag.seat]), 0, "gag", gag.keys()[:1])
    await house.run(LIVE + 6)
    assert told(house) == [("missed", gag.seat)]


async def test_after_the_deadline_a_computer_answers_for_the_table(house: House) -> None:
    """A shared question has one clock for all. Computers leave it to people until that has run out;
    then one answers, everybody who was asked has missed it, and the table is told once.
    """
    session = await table(house, ANN, BEA, computers=1)
    await house.answer_all_people(session)
    for _ in range(60):
        if asked(session) and asked(session)[0][1] == "take_chair":
            break
        await house.answer_all_people(session)
        await house.run(2)
    shared = [d for d in session.playing.asked if d.kind == "take_chair"]
    assert len(shared) == 3
    await house.run(SHOWN)
    ((question, seat),) = session.clocks
    assert (question, seat) == (shared[0].question, -1)
    await house.run(LIVE * 2 / 3)
    (reminder,) = reminders(house)
    assert (reminder.face.seats, reminder.face.shared) == ((0, 1), True)
    await house.run(LIVE / 3 + 2)
    assert (2, "take_chair", "clock") in bys(session)
    assert told(house).count(("missed_all", None)) == 1
    assert [session.seats[seat].misses for seat in (0, 1)] == [1, 1]


async def test_one_answer_is_enough_for_all(house: House) -> None:
    """Who does not answer a shared question that somebody else answers has missed nothing."""
    session = await table(house, until="take_chair")
    decision = next(d for d in session.playing.asked if d.seat == 1)
    await house.run(LIVE - 20)
    await session.answer(house.click(BEA), decision.question, decision.kind, decision.keys()[:1])
    await house.run(SHOWN)
    assert not any(row.misses for row in session.seats.values())
    assert not reminders(house)


async def test_a_full_disk_at_the_deadline(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock's answer cannot be stored: nothing is counted, it is tried again now and then, and
    counts once.
    """
    session = await table(house)
    commit = house.store.commit
    tries = 0

    async def full(write: Any) -> None:
        nonlocal tries
        if write.entries:
            tries += 1
            raise StoreBusy("full")
        await commit(write)

    monkeypatch.setattr(house.store, "commit", full)
    await house.run(LIVE + 20)
    assert (bys(session), session.row.ply) == ([], 0)
    assert 2 <= tries <= 12
    monkeypatch.undo()
    await house.run(4)
    assert bys(session) == [(0, "propose", "clock")]
    assert session.seats[0].misses == 1


async def test_a_computer_player_that_stumbles_answers_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the agent does at a deadline, an answer is given, and a legal one."""

    def stumbles(*_: Any) -> None:
        raise RuntimeError("no idea")

    for agent in (stumbles, lambda *_: None):
        monkeypatch.setitem(house.title.game.agents, "sensible", agent)
        session = await table(house)
        await house.run(LIVE + 3)
        assert bys(session) == [(0, "propose", "clock")]
        await session.end(house.click(ANN))
        await house.run(SHOWN)


async def test_closed_letters_reach_the_channel(house: House) -> None:
    """MEM-01: who wants to be called by letter and takes none is called in the channel, and the
    table is told once that letters do not reach them.
    """
    await house.registry.desk.set_preference(ANN, pings="dm")
    take_no_letters(house, ANN, BEA, CID)
    session = await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    (reminder,) = reminders(house)
    assert reminder.place.user_id is None
    await house.run(LIVE)
    assert told(house).count(("letters_closed", 0)) == 1
    assert session.status is Status.RUNNING
