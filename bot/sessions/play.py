"""During the game: answers, ballots, seats that change hands. All under the lock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.sessions import acts, deadlines, letters, motions, taken_out
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import SeatLook, Status
from bot.sessions.ports import Click, Refusal
from bot.store.rows import SittingRow
from engines.kernel.decision import CLOCK, Decision, Seat, Value
from engines.kernel.playthrough import QUESTIONS

if TYPE_CHECKING:
    from bot.store.rows import Json


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that counted: what was asked, what was noted, and what the seat sees now.

    ``look`` is None when this answer ended the game.
    """

    decision: Decision
    value: Value
    look: SeatLook | None


async def answer(
    session: Core, click: Click, question: int, kind: str, keys: Sequence[str]
) -> Answered:
    """Take a person's answer. The same answer again is taken, too, and changes nothing."""
    seat = await ready(session, click)
    decision = _find(session, seat, question, kind)
    change = Change(click)
    value = decision.current
    if value is None or tuple(value) != tuple(keys):
        chapter = session.playing.view(None).chapter
        step = await session.play(lambda game: game.answer(seat, question, kind, keys))
        await session.note(change, step, chapter)
        value = step.entry.value or ()
    draft = None if decision.shape.repeats else session.seats[seat].draft
    change.seats[seat] = replace(
        session.seats[seat], acted_at=session.desk.time.epoch(), draft=draft
    )
    await session.commit(change)
    look = session.look_now(click.user_id) if session.status is Status.RUNNING else None
    return Answered(decision, value, look)


async def draft(session: Core, click: Click, question: int, index: int, key: str) -> SeatLook:
    """Mark one token of an allotment, without casting it."""
    seat = await ready(session, click)
    decision = _allotment(session, seat, question)
    if key not in decision.keys():  # noqa: SIM118 - a method of Decision, no dict
        raise Refusal("not_an_option", kind=decision.kind, got=key)
    keys = list(session.look_now(click.user_id).draft)
    if not 0 <= index < len(keys):
        raise Refusal("no_such_vote", kind=decision.kind, most=len(keys))
    keys[index] = key
    stored: Json = {"question": question, "keys": [*keys]}
    change = Change(click)
    change.seats[seat] = replace(
        session.seats[seat], draft=stored, acted_at=session.desk.time.epoch()
    )
    await session.commit(change)
    return session.look_now(click.user_id)


async def cast(session: Core, click: Click, question: int) -> Answered:
    """Make the draft the answer."""
    seat = await ready(session, click)
    decision = _allotment(session, seat, question)
    marked = session.look_now(click.user_id).draft
    keys = tuple(key for key in marked if key)
    return await answer(session, click, question, decision.kind, keys)


async def hand_over(session: Core, click: Click, seat: Seat | None, name: str) -> None:
    """Give a seat to a computer player: one's own, or (the host) anybody's.

    The last person's seat is given to nobody: the table is ended, and remembers who played.
    """
    await ready(session, click, needs_seat=False)
    if seat is None:
        seat = session.require_seat(click.user_id)
    row = session.seats.get(seat)
    if row is None or row.user_id is None:
        raise Refusal("stale", kind="seat")
    if row.user_id != click.user_id:
        session.check_host(click)
    change = Change(click)
    above = False
    if row.user_id != click.user_id:
        about = row.user_id
        facts: dict[str, Json] = {"seat": seat, "to": "computer"}
        if session.is_last(seat):
            facts["ends"] = True
        above = acts.from_above(session, change, click, "seat", about=about, **facts)
    if session.is_last(seat):
        abandon(session, change)
    else:
        await change_hands(session, change, seat, None, name)
        word = "gone" if row.user_id == click.user_id else "replaced"
        letters.notice(session, change, "seat_computer" if above else word, seat)
    await session.commit(change)


async def take_over(session: Core, click: Click, seat: Seat) -> SeatLook:
    """A person takes a computer player's seat; what they may know comes back.

    Refusal ``sat_before`` to whoever knows another seat of this game, ``sent_away`` to whom a
    moderator has sent away, ``emptied_it`` to the moderator who took a person out of it.
    """
    await ready(session, click, needs_seat=False)
    if session.seat_of(click.user_id) is not None:
        raise Refusal("already_seated")
    row = session.seats.get(seat)
    if row is None or row.user_id is not None:
        raise Refusal("seat_is_taken")
    check_sitting(session, click.user_id, seat)
    sitting = session.sitting_of(click.user_id)
    is_barred = sitting is not None and sitting.barred
    if is_barred or await taken_out.is_kept_out(session, click.user_id):
        raise Refusal("sent_away")
    emptied = await taken_out.emptied(session, seat)
    if emptied is not None and sitting is None and emptied.may_be_by(click):
        raise Refusal("emptied_it")
    change = Change(click)
    if emptied is not None:
        acts.note(session, change, click.user_id, "taken", seat=seat)
    await change_hands(session, change, seat, click.user_id, click.name)
    letters.notice(session, change, "taken", seat)
    await session.commit(change)
    return session.look_now(click.user_id)


async def end(session: Core, click: Click) -> None:
    """End the table without a result, in whatever state its game may be."""
    session.check_click(click)
    if session.is_over:
        raise Refusal("game_over")
    session.check_host(click)
    change = Change(click)
    above = acts.from_above(session, change, click, "end")
    abandon(session, change, "ended" if above else "abandoned")
    # The journal has all there is; a game that raises at every touch must not keep a table alive.
    session.let_go()
    await session.commit(change)


async def run_out(session: Core, moment: float) -> bool:
    """Answer for the clock if a glass had run out at that moment (monotonic)."""
    for glass in list(session.sands.values()):
        if not glass.has_run_out(moment):
            continue
        chapter = session.playing.view(None).chapter
        step = await session.play(lambda game, q=glass.question: game.run_out(q))
        change = Change()
        await session.note(change, step, chapter)
        await session.commit(change)
        return True
    return False


def check_sitting(session: Core, user_id: int, seat: Seat) -> None:
    """Refuse a seat to whoever has sat at another one: they know what they must not know."""
    sitting = session.sitting_of(user_id)
    if sitting is not None and sitting.seat != seat:
        raise Refusal("sat_before")


async def ready(session: Core, click: Click, *, needs_seat: bool = True) -> Seat:
    """The person's seat (-1 if they need none), once the game is in memory and the clock is right.

    A glass that had run out when the click arrived comes first, even if its timer is late; so does
    a deadline. Refusal ``time_up``, or ``too_late`` if it was the person's own deadline.
    """
    session.check_click(click)
    session.check_running()
    await session.load()
    seat = session.require_seat(click.user_id) if needs_seat else -1
    if await run_out(session, click.arrived):
        raise Refusal("time_up")
    late = await deadlines.answer_due(session, click.arrived)
    if needs_seat:
        await deadlines.welcome(session, click)
        if seat in late:
            raise Refusal("too_late")
    return seat


def _find(session: Core, seat: Seat, question: int, kind: str) -> Decision:
    """The decision that an answer means, with a refusal that says who is asked instead."""
    game = session.playing
    for decision in (*game.asked, *game.offers, *game.interrupted):
        if (decision.seat, decision.question, decision.kind) == (seat, question, kind):
            return decision
    others = [d for d in (*game.asked, *game.interrupted) if d.question == question]
    if any(d.seat == seat for d in others):  # theirs to decide, but not that, or not with that
        raise Refusal("not_an_option", kind=kind)
    if question and others:
        seats = tuple(d.seat for d in others if not session.is_left_to_people(d))
        raise Refusal("not_your_move", kind=kind, who=seats)
    raise Refusal(_outrun(session, seat, question), kind=kind)


def _outrun(session: Core, seat: Seat, question: int) -> str:
    """Why that is asked no more: a clock was first, if only by an instant, or the table went on."""
    game = session.playing
    place = (question // QUESTIONS, seat, question % QUESTIONS)
    for entry in reversed(game.entries):
        if (entry.branch, entry.seat, entry.question) == place:
            return "too_late" if entry.by == "clock" else "stale"
        if entry.seat == CLOCK:
            return "time_up" if entry is game.entries[-1] else "stale"
    return "stale"


def _allotment(session: Core, seat: Seat, question: int) -> Decision:
    game = session.playing
    for decision in (*game.asked, *game.interrupted):
        if (decision.seat, decision.question) == (seat, question):
            if decision in game.interrupted:
                raise Refusal("interrupted", kind=decision.kind)
            if decision.shape.repeats:
                return decision
    raise Refusal(_outrun(session, seat, question), kind="ballot")


async def change_hands(
    session: Core, change: Change, seat: Seat, user_id: int | None, name: str
) -> None:
    """Put somebody else at a seat; an answer of the seat that may still change is withdrawn."""
    old = session.seats[seat]
    kind = "computer" if user_id is None else "person"
    motions.lapse(session, change, all_kinds=True)
    session.lost.pop(seat, None)
    if user_id is not None:
        change.sittings[user_id] = SittingRow(session.id, user_id, seat)
    change.seats[seat] = replace(
        old,
        user_id=user_id,
        name=name,
        kind=kind,
        draft=None,
        acted_at=None,
        misses=0,
        away=False,
    )
    for row in list(session.messages.values()):
        is_theirs = row.seat == seat and row.purpose in ("ballot", *letters.CALLS)
        if is_theirs and row.want in letters.UP:
            letters.retire(session, change, row)
    for decision in session.playing.asked:
        if decision.seat != seat or not letters.is_ballot(decision):
            continue
        if decision.current is not None:
            chapter = session.playing.view(None).chapter
            step = await session.play(
                lambda game, d=decision: game.withdraw(d.seat, d.question, d.kind, by="seat")
            )
            await session.note(change, step, chapter)
        if user_id is not None and await session.desk.sends_ballots(user_id, session.guild_id):
            letters.add(session, change, "ballot", seat=seat, question=decision.question)


def abandon(session: Core, change: Change, word: str | None = "abandoned") -> None:
    """The table ends without a result; a notice says so in the words of that name, if any."""
    change.fields |= {"status": "abandoned", "ended_at": session.desk.time.epoch()}
    motions.lapse(session, change, all_kinds=True)
    letters.close_all(session, change)
    if word is not None:
        letters.notice(session, change, word)
