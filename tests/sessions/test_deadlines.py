"""Time to answer: when it runs, when it stands still, the reminder, and what happens at its end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.sessions import pace
from bot.sessions.faces import NoticeFace, ReminderFace, Status, TableFace
from bot.sessions.moves import mark_of
from bot.sessions.ports import DirectMessagesClosed, Refusal, Unreachable
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from engines.kernel.journal import effective, load_record
from engines.kernel.playthrough import Playthrough
from tests.sessions.house import ANN, BEA, CID, House
from tests.toy.senate import CONTENT, SENATE

LIVE = pace.SECONDS["live"]
SHOWN = 1.0


async def table(house: House, *users: int, until: str = "", computers: int = 0) -> Session:
    """A live table, at the question of that kind, which has just been shown."""
    session = await house.game(*(users or (ANN, BEA, CID)), computers=computers, pace="live")
    if until:
        await house.answer_all(session, until=until)
    await house.run(SHOWN)
    return session


def asked(session: Session) -> list[tuple[int, str]]:
    """Seat and kind of all that is asked and not answered."""
    return [(d.seat, d.kind) for d in session.playing.asked if d.current is None]


def bys(session: Session) -> list[tuple[int, str, str]]:
    """Seat, kind, and by whom each answer was given."""
    return [(e.seat, e.kind, e.by) for e in session.playing.entries]


def told(house: House) -> list[tuple[str, int | None]]:
    """The notices so far: the word, and the seat."""
    return [
        (m.face.word, m.face.seat)
        for m in house.channel.of(NoticeFace)
        if isinstance(m.face, NoticeFace)
    ]


def reminders(house: House, *, deleted: bool = False) -> list[Any]:
    """The reminders that stand in the channel, or also those that are gone."""
    return house.channel.of(ReminderFace, deleted=deleted)


def left(session: Session) -> list[float]:
    """What is left on each clock."""
    now = session.desk.time.monotonic()
    return [clock.left_at(now) for _, clock in sorted(session.clocks.items())]


def deadline_of(house: House) -> float | None:
    """The deadline that the live table message shows, in seconds from now."""
    live = [m for m in house.channel.of(TableFace) if getattr(m.face, "live", False)]
    deadline = live[-1].face.snapshot.deadline  # type: ignore[union-attr]
    return None if deadline is None else deadline.ends_at - house.time.epoch()


# The reminder and the answer


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
    await house.registry.set_preference(ANN, pings=pings)
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


async def test_without_a_pace_nothing_runs_out(house: House) -> None:
    """A table without a pace waits for as long as it takes: no clock, no reminder, no deadline."""
    session = await house.game(ANN, BEA, CID)
    await house.run(SHOWN)
    assert deadline_of(house) is None
    await house.run(2 * 86400, step=600)
    assert (bys(session), session.clocks, reminders(house)) == ([], {}, [])


@pytest.mark.parametrize(("chosen", "seconds"), list(pace.SECONDS.items()))
async def test_each_pace_has_its_time(house: House, chosen: str, seconds: float) -> None:
    """Three minutes, half an hour, a day: shown as the deadline, and kept."""
    session = await house.lobby(ANN, BEA, CID)
    await session.set_pace(house.click(ANN), chosen)
    await session.start(house.click(ANN))
    await house.run(SHOWN)
    assert deadline_of(house) == pytest.approx(seconds, abs=2)
    step = seconds / 360
    await house.run(seconds - 2 * step, step=step)
    assert bys(session) == []
    await house.run(4 * step, step=step)
    assert bys(session) == [(0, "propose", "clock")]


# When it runs


async def test_it_starts_when_the_question_is_seen(house: House) -> None:
    """GAM-02: for ten minutes nothing can be posted; the time begins when the table is up."""
    session = await house.game(ANN, BEA, CID, pace="live")
    house.channel.failures["post"] = [Unreachable("x") for _ in range(40)]
    await house.run(600)
    assert (bys(session), left(session)) == ([], [LIVE])
    house.channel.failures.clear()
    await house.run(62)
    assert 0 < LIVE - left(session)[0] < 64
    await house.run(LIVE - 70)
    assert bys(session) == []


async def test_no_deadline_while_the_table_is_being_published(house: House) -> None:
    """GAM-02: a message that takes ten minutes to go out costs nobody anything."""
    session = await table(house, until="before_vote")
    gate = asyncio.Event()
    edit = house.channel.edit

    async def slow(channel_id: int, message_id: int, face: Any) -> None:
        await gate.wait()
        await edit(channel_id, message_id, face)

    house.channel.edit = slow
    session.version += 1
    house.registry.publisher.nudge(session, urgent=True)
    for _ in range(1200):
        house.time.now += 0.5
        await house.registry.pump()
        await asyncio.sleep(0)
    before = left(session)[0]
    count = len(session.playing.entries)
    gate.set()
    house.channel.edit = edit
    await house.run(5)
    assert len(session.playing.entries) == count
    assert before - 6 < left(session)[0] <= before
    assert before > LIVE - 10


async def test_it_stands_still_while_discord_is_away(house: House) -> None:
    """Offline for an hour, then the rest of the time; the table shows the new deadline."""
    session = await table(house)
    await house.run(60)
    rest = left(session)[0]
    house.registry.disconnected()
    await house.run(3600, step=5)
    assert left(session)[0] == pytest.approx(rest, abs=0.3)
    house.registry.connected()
    await house.run(SHOWN)
    shown = deadline_of(house)
    assert shown is not None
    assert shown == pytest.approx(left(session)[0], abs=0.5)
    assert bys(session) == []
    await house.run(rest + 2)
    assert bys(session) == [(0, "propose", "clock")]


async def test_it_stands_still_while_the_table_is_paused(house: House) -> None:
    """A pause of a day in the middle costs nobody anything, and nothing is shown as running."""
    session = await table(house)
    await house.run(60)
    await session.pause(house.click(9, may_manage=True))
    rest = left(session)[0]
    await house.run(86400, step=60)
    assert left(session)[0] == rest
    assert (await session.snapshot()).deadline is None
    await house.restart()
    session = house.same(session)
    await session.resume(house.click(9, may_manage=True))
    await house.run(SHOWN)
    assert left(session)[0] == pytest.approx(rest, abs=2)
    assert bys(session) == []


@pytest.mark.parametrize("tidy", [True, False], ids=["stopped", "killed"])
async def test_it_stands_still_while_no_bot_runs(house: House, tidy: bool) -> None:
    """A day without the bot: what was left is left. After a kill a player may have a twentieth of
    the time more, never less.
    """
    session = await table(house)
    await house.run(100)
    rest = left(session)[0]
    if tidy:
        await house.registry.close()
    await house.die()
    house.time.now += 86400
    await house.open()
    session = house.same(session)
    assert bys(session) == []
    (kept,) = left(session)
    assert rest - 0.5 <= kept <= rest + (0.5 if tidy else LIVE / 20 + 6)
    await house.run(kept + 3)
    assert bys(session) == [(0, "propose", "clock")]


async def test_after_a_standstill_a_little_time_is_left(house: House) -> None:
    """With a second left the bot goes down: who comes back has a tenth of the time at least."""
    session = await table(house)
    await house.run(LIVE - 3)
    await house.registry.close()
    await house.restart()
    await house.run(LIVE / 10 - 3)
    session = house.same(session)
    assert bys(session) == []
    await house.run(6)
    assert bys(session) == [(0, "propose", "clock")]


async def test_a_card_interrupts(house: House) -> None:
    """While a card asks something first, the ballots' time stands still; the card has its own."""
    session = await table(house, until="vote")
    await house.run(60)
    gag = next(d for d in session.playing.offers if d.kind == "gag")
    user = session.persons()[gag.seat]
    await session.answer(house.click(user), 0, "gag", gag.keys()[:1])
    assert asked(session) == [(gag.seat, "gag_whom")]
    held = {key: c.left for key, c in session.clocks.items() if c.kind == "vote"}
    assert len(held) == 3
    await house.run(100)
    assert {k: c.left for k, c in session.clocks.items() if c.kind == "vote"} == held
    assert all(c.since is None for c in session.clocks.values() if c.kind == "vote")
    await house.run(LIVE - 95)
    assert bys(session)[-1] == (gag.seat, "gag_whom", "clock")
    assert [kind for _, kind in asked(session)] == ["vote", "vote"]
    assert all(LIVE - 75 < rest < LIVE - 55 for rest in left(session))


async def test_sand_comes_first(house: House) -> None:
    """While the rules' own sand runs there is no deadline besides: at its end the clock answers as
    the rules say, and that is nobody's miss.
    """
    session = await table(house, until="spend")
    assert session.sands
    assert all(clock.since is None for clock in session.clocks.values())
    assert deadline_of(house) is None
    await house.run(CONTENT.seconds + 3)
    assert bys(session)[-1] == (-1, "sand", "clock")
    assert not any(row.misses for row in session.seats.values())


async def test_going_back_gives_all_the_time_again(house: House) -> None:
    """GAM-26: after a rewind the question is asked anew, with a clock of its own; the reminder of
    what is taken back goes with it.
    """
    session = await table(house, until="before_vote")
    await house.run(LIVE * 2 / 3 + 3)
    assert len(reminders(house)) == 1
    await session.rewind(house.click(9, may_manage=True), 0, mark_of(session), knowing=True)
    await house.run(SHOWN)
    assert not reminders(house)
    (rest,) = left(session)
    assert rest > LIVE - 3
    await house.run(LIVE + 2)
    assert bys(session)[0] == (0, "propose", "clock")


@pytest.mark.parametrize("what", ["channel", "server"])
async def test_nothing_runs_out_where_there_is_no_channel(house: House, what: str) -> None:
    """PRM-08, PRM-11: the channel is gone, or the bot was removed: no answer is given, no reminder
    tried, and the table does not end; it has its time when a moderator brings it back.
    """
    session = await table(house)
    await house.run(100)
    if what == "channel":
        await house.registry.channel_gone(session.channel_id)
    else:
        await house.registry.guild_gone(session.guild_id)
    sent = len(house.channel.messages)
    await house.run(13 * 86400, step=3600)
    assert (bys(session), len(house.channel.messages)) == ([], sent)
    assert session.status is Status.ORPHANED
    await session.restore(house.click(9, may_manage=True))
    await house.run(SHOWN)
    assert bys(session) == []
    assert left(session)[0] > LIVE / 10 - 3


# The same instant


async def test_a_click_at_the_deadline_is_too_late_and_one_before_counts(house: House) -> None:
    """GAM-21: by arrival, however late the pump is: what arrived before the end counts even if the
    time is over when it is dealt with; what arrived at the end does not.
    """
    session = await table(house, until="before_vote")
    (clock,) = session.clocks.values()
    assert clock.since is not None
    end = clock.since + clock.left
    decision = session.playing.asked[0]
    user = session.persons()[decision.seat]
    house.time.now = end + 3
    early = house.click(user, at=end - 0.001)
    await session.answer(early, decision.question, decision.kind, ("pass",))
    assert bys(session)[-1] == (decision.seat, "before_vote", "player")
    await house.run(SHOWN)
    (clock,) = session.clocks.values()
    assert clock.since is not None
    end = clock.since + clock.left
    decision = session.playing.asked[0]
    user = session.persons()[decision.seat]
    house.time.now = end + 3
    late = house.click(user, at=end)
    with pytest.raises(Refusal, match="too_late"):
        await session.answer(late, decision.question, decision.kind, ("pass",))
    assert bys(session)[-1] == (decision.seat, "before_vote", "clock")
    assert session.seats[decision.seat].misses == 1


async def test_the_deadline_waits_for_a_click_that_came_in_time(house: House) -> None:
    """GAM-21: a click that arrived before the end and is still on its way holds the deadline."""
    session = await table(house, until="before_vote")
    (clock,) = session.clocks.values()
    assert clock.since is not None
    count = len(session.playing.entries)
    end = clock.since + clock.left
    house.registry.arrived(4711, end - 0.01)
    house.time.now = end + 0.01
    await house.run(2)
    assert len(session.playing.entries) == count
    house.registry.handled(4711)
    await house.run(3)
    assert bys(session)[-1][2] == "clock"


@pytest.mark.parametrize("first", ["click", "clock"])
async def test_last_ballot_and_deadline_at_one_instant(house: House, first: str) -> None:
    """GAM-21: many times over, the last ballot and the deadline come in the same tick, in either
    order, with a slow message in between: the vote is counted once, by one of the two.
    """
    await at_one_instant(house, first, 40)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("first", ["click", "clock"])
async def test_last_ballot_and_deadline_five_hundred_times(house: House, first: str) -> None:
    """GAM-21: the same, five hundred times in each order."""
    await at_one_instant(house, first, 500)


async def at_one_instant(house: House, first: str, turns: int) -> None:
    """So many votes that end in a race."""
    slow = house.channel.edit

    async def edit(channel_id: int, message_id: int, face: Any) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        await slow(channel_id, message_id, face)

    house.channel.edit = edit
    for turn in range(turns):
        session = await table(house, until="vote")
        for decision in list(session.playing.asked)[1:]:
            user = session.persons()[decision.seat]
            await session.answer(house.click(user), decision.question, "vote", ("aye",))
        await house.run(SHOWN)
        (clock,) = session.clocks.values()
        assert clock.since is not None
        end = clock.since + clock.left
        decision = next(d for d in session.playing.asked if d.current is None)
        user = session.persons()[decision.seat]
        count = len(session.playing.entries)
        pages = len(house.channel.of(TableFace, deleted=True))
        house.time.now = end + (0.0 if turn % 2 else -0.01)
        click = house.click(user)
        house.registry.arrived(click.interaction_id, click.arrived)
        answer = session.answer(click, decision.question, "vote", ("nay",))
        house.time.now = end + 0.01
        if first == "click":
            work = asyncio.create_task(answer)
            await asyncio.sleep(0)
            await house.registry.pump()
        else:
            await house.registry.pump()
            work = asyncio.create_task(answer)
        (result,) = await asyncio.gather(work, return_exceptions=True)
        house.registry.handled(click.interaction_id)
        await house.run(3)
        votes = [one for one in bys(session)[count:] if one[1] == "vote"]
        came_in_time = not turn % 2
        assert votes == [(decision.seat, "vote", "player" if came_in_time else "clock")]
        if came_in_time:
            assert not isinstance(result, BaseException)
        else:
            assert isinstance(result, Refusal)
            assert result.problem == "too_late"
        counted = [e for e in session.playing.events if e.event.kind == "voted"]
        assert len(counted) == 1
        assert len(house.channel.of(TableFace, deleted=True)) <= pages + 1
        await session.end(house.click(ANN))
        await house.run(SHOWN)


# Ballots


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


# What one answer decides for several


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


# Faults


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
    await house.registry.set_preference(ANN, pings="dm")
    post = house.channel.post

    async def closed(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id is not None:
            raise DirectMessagesClosed
        return await post(address, face, nonce)

    house.channel.post = closed
    session = await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    (reminder,) = reminders(house)
    assert reminder.place.user_id is None
    await house.run(LIVE)
    assert told(house).count(("letters_closed", 0)) == 1
    assert session.status is Status.RUNNING


async def test_the_pace_is_the_host_s_choice(house: House) -> None:
    """Only the host chooses it, in the lobby and later, and only one that there is."""
    session = await house.lobby(ANN, BEA, CID)
    with pytest.raises(Refusal, match="not_host"):
        await session.set_pace(house.click(BEA), "live")
    with pytest.raises(Refusal, match="unknown_option"):
        await session.set_pace(house.click(ANN), "hourly")
    await session.set_pace(house.click(ANN), "days")
    await house.restart()
    session = house.same(session)
    assert session.row.pace == "days"
    await session.start(house.click(ANN))
    with pytest.raises(Refusal, match="not_host"):
        await session.set_pace(house.click(BEA), "live")
    assert "pace" not in session.playing.header.options
