"""When time runs out: a reminder, then the answer of a computer player. All under the lock.

Such an answer stands in the journal as the clock's. What was missed is told to the table, but for
secret answers: of these nobody shall know which a computer player has given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from bot.sessions import computer, letters, pace, presence, ticking
from bot.sessions.change import Change
from bot.sessions.clocks import Clock
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal
from bot.store.rows import NO_SEAT
from engines.kernel.decision import Decision, Seat

if TYPE_CHECKING:
    from bot.sessions.core import Core


async def answer_due(session: Core, moment: float) -> frozenset[Seat]:
    """Answer for all whose time had run out at that moment (monotonic); whose time it was.

    One public answer at a time, secret ones all at once, as computer players do.
    """
    late: set[Seat] = set()
    while True:
        seats = await _answer(session, moment)
        if not seats:
            return frozenset(late)
        late |= seats


async def _answer(session: Core, moment: float) -> set[Seat]:
    due = [clock for clock in _running(session) if clock.has_run_out(moment)]
    change = Change()
    late: set[Seat] = set()
    gone: list[Seat] = []
    for clock in due:
        decision = _decision(session, clock)
        if decision is None:
            continue
        seats = people_of(session, clock)
        late |= set(seats)
        gone += [seat for seat in seats if presence.miss(session, change, seat)]
        if not decision.secret and clock.seat not in gone:
            word = "missed_all" if clock.seat == NO_SEAT else "missed"
            letters.notice(session, change, word, clock.seat)
        value = computer.answer_for(session, decision)
        chapter = session.playing.view(None).chapter
        step = await session.play(
            lambda game, d=decision, v=value: game.answer(d.seat, d.question, d.kind, v, by="clock")
        )
        await session.note(change, step, chapter)
        if session.playing.outcome is not None or not decision.secret:
            break
    if session.playing.outcome is None and not presence.rests(session.seats_after(change)):
        for seat in gone:
            letters.notice(session, change, "away", seat)
    if change.records:
        await session.commit(change)
    return late


def _running(session: Core) -> Iterable[Clock]:
    """The clocks that may run, the first to end first."""
    found = [session.clocks[key] for key in ticking.may_run(session)]
    now = session.desk.time.monotonic()
    return sorted(found, key=lambda clock: (clock.left_at(now), clock.key))


def _decision(session: Core, clock: Clock) -> Decision | None:
    """What is to be answered; of a shared question at a computer's seat, if one is asked too."""
    asked = [
        decision
        for decision in session.playing.asked
        if decision.question == clock.question
        and decision.current is None
        and clock.seat in (NO_SEAT, decision.seat)
    ]
    asked.sort(key=lambda decision: (not session.plays_itself(decision.seat), decision.seat))
    return asked[0] if asked else None


def people_of(session: Core, clock: Clock) -> list[Seat]:
    """The seats of those whose answer a clock waits for."""
    return [
        decision.seat
        for decision in session.playing.asked
        if decision.question == clock.question
        and decision.current is None
        and clock.seat in (NO_SEAT, decision.seat)
        and not session.plays_itself(decision.seat)
    ]


async def remind(session: Core) -> None:
    """Remind those whose time is running out, each in the way that they have chosen."""
    length = pace.SECONDS.get(session.row.pace)
    if length is None or session.game is None:
        return
    now = session.desk.time.monotonic()
    told = [clock for clock in _running(session) if clock.wants_reminder(length, now)]
    change = Change()
    for clock in told:
        await _remind(session, change, clock)
        clock.reminded = True
    try:
        if told:
            await session.commit(change)
    except Refusal:
        for clock in told:
            clock.reminded = False
        raise


async def _remind(session: Core, change: Change, clock: Clock) -> None:
    for row in list(session.messages.values()):
        is_call = row.purpose == "ping" and row.want in letters.UP
        if is_call and (row.question, row.seat) == clock.key and clock.seat != NO_SEAT:
            letters.retire(session, change, row)
    here = False
    for seat in people_of(session, clock):
        where = await session.desk.calls_to(session.persons()[seat])
        if where == "dm" or (where == "here" and clock.seat != NO_SEAT):
            letters.add(session, change, "reminder", seat=seat, question=clock.question)
        here = here or where == "here"
    if here and clock.seat == NO_SEAT:
        letters.add(session, change, "reminder", question=clock.question)


async def welcome(session: Core, click: Click) -> bool:
    """Whoever was away and does something at the table is back; whether they were away."""
    seat = session.seat_of(click.user_id)
    if session.status is not Status.RUNNING or seat is None or not session.seats[seat].away:
        return False
    await session.load()
    change = Change()
    change.seats[seat] = replace(
        session.seats[seat], misses=0, away=False, acted_at=session.desk.time.epoch()
    )
    await letters.follow_decisions(session, change)
    await session.commit(change)
    return True
