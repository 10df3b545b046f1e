"""During the game: answers, ballots, seats that change hands, crashes. All under the lock."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bot.sessions import computer, letters
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import SeatLook, Status
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import Broken, Play, replayed
from engines.kernel.decision import Decision, Seat, Value
from engines.kernel.journal import Branch, effective
from engines.kernel.table import Entry

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
    """Take a person's answer."""
    seat = await _ready(session, click)
    decision = _find(session, seat, question, kind)
    chapter = session.playing.view(None).chapter
    step = await session.play(lambda game: game.answer(seat, question, kind, keys))
    change = Change(click)
    await session.note(change, step, chapter)
    draft = None if decision.shape.repeats else session.seats[seat].draft
    change.seats[seat] = replace(
        session.seats[seat], acted_at=session.desk.time.epoch(), draft=draft
    )
    await session.commit(change)
    look = session.look_now(click.user_id) if session.status is Status.RUNNING else None
    return Answered(decision, step.entry.value or (), look)


async def draft(session: Core, click: Click, question: int, index: int, key: str) -> SeatLook:
    """Mark one token of an allotment, without casting it."""
    seat = await _ready(session, click)
    decision = _allotment(session, seat, question)
    if key not in decision.keys():  # noqa: SIM118 - a method of Decision, no dict
        raise Refusal("not_an_option", kind=decision.kind, got=key)
    keys = list(session.look_now(click.user_id).draft)
    if not 0 <= index < len(keys):
        raise Refusal("stale", kind=decision.kind)
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
    seat = await _ready(session, click)
    decision = _allotment(session, seat, question)
    marked = session.look_now(click.user_id).draft
    keys = tuple(key for key in marked if key)
    return await answer(session, click, question, decision.kind, keys)


async def hand_over(session: Core, click: Click, seat: Seat | None, name: str) -> None:
    """Give a seat to a computer player: one's own, or (the host) anybody's.

    The last person's seat is given to nobody: the table is ended, and remembers who played.
    """
    await _ready(session, click, needs_seat=False)
    if seat is None:
        seat = session.require_seat(click.user_id)
    row = session.seats.get(seat)
    if row is None or row.user_id is None:
        raise Refusal("stale", kind="seat")
    if row.user_id != click.user_id:
        session.check_host(click)
    change = Change(click)
    if session.is_last(seat):
        _abandon(session, change)
    else:
        await _change_hands(session, change, seat, None, name)
        if row.user_id == session.host_id:
            persons = [r.user_id for r in session.seats_after(change).values() if r.user_id]
            change.fields["host_id"] = persons[0]
    await session.commit(change)


async def take_over(session: Core, click: Click, seat: Seat) -> SeatLook:
    """A person takes a computer player's seat; what they may know comes back."""
    await _ready(session, click, needs_seat=False)
    if session.seat_of(click.user_id) is not None:
        raise Refusal("already_seated")
    row = session.seats.get(seat)
    if row is None or row.user_id is not None:
        raise Refusal("seat_is_taken")
    change = Change(click)
    await _change_hands(session, change, seat, click.user_id, click.name)
    await session.commit(change)
    return session.look_now(click.user_id)


async def end(session: Core, click: Click) -> None:
    """End the table without a result."""
    session.check_click(click)
    if session.is_over:
        raise Refusal("game_over")
    session.check_host(click)
    change = Change(click)
    _abandon(session, change)
    await session.commit(change)


async def restore(session: Core, click: Click) -> None:
    """Bring a crashed or orphaned table back: replay, without the entry that broke it if need be.

    Nothing is deleted: what is left out stays in the journal behind a branch record.
    """
    session.check_click(click)
    if not click.may_manage:
        raise Refusal("only_moderators")
    if session.status not in (Status.CRASHED, Status.ORPHANED):
        raise Refusal("nothing_to_restore")
    change = Change(click)
    try:
        header, records = await session.read_journal()
        content = await session.content_of(header)
        entries, branch = effective(records)

        async def again(entries: Sequence[Entry], branch: int) -> Play:
            return await asyncio.to_thread(
                replayed, session.title, content, header, entries, branch
            )

        try:
            game = await again(entries, branch)
        except Broken as broken:
            if broken.good < 0:
                raise
            branch += 1
            change.records.append(Branch(branch, broken.good))
            game = await again(entries[: broken.good], branch)
    except Broken as broken:
        reference = session.report(broken, "could not be restored")
        raise Refusal("not_restorable", reference=reference) from broken
    change.fields |= {"status": "running", "crash": None}
    letters.notice(session, change, "restored")
    await session.take_up(change, game, after_ply=game.ply)


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


async def _ready(session: Core, click: Click, *, needs_seat: bool = True) -> Seat:
    """The person's seat (-1 if they need none), once the game is in memory and the clock is right.

    A glass that had run out when the click arrived comes first, even if its timer is late.
    """
    session.check_click(click)
    session.check_running()
    await session.load()
    seat = session.require_seat(click.user_id) if needs_seat else -1
    if await run_out(session, click.arrived):
        raise Refusal("time_up")
    return seat


def _find(session: Core, seat: Seat, question: int, kind: str) -> Decision:
    """The decision that an answer means, with a refusal that says who is asked instead."""
    game = session.playing
    for decision in (*game.asked, *game.offers, *game.interrupted):
        if (decision.seat, decision.question, decision.kind) == (seat, question, kind):
            return decision
    others = [d for d in (*game.asked, *game.interrupted) if d.question == question]
    if question and others:
        names = tuple(
            session.seats[d.seat].name for d in others if not computer.leaves_it(session, d)
        )
        raise Refusal("not_your_move", kind=kind, who=names)
    raise Refusal("stale", kind=kind)


def _allotment(session: Core, seat: Seat, question: int) -> Decision:
    game = session.playing
    for decision in (*game.asked, *game.interrupted):
        if (decision.seat, decision.question) == (seat, question):
            if decision in game.interrupted:
                raise Refusal("interrupted", kind=decision.kind)
            if decision.shape.repeats:
                return decision
    raise Refusal("stale", kind="ballot")


async def _change_hands(
    session: Core, change: Change, seat: Seat, user_id: int | None, name: str
) -> None:
    """Put somebody else at a seat; an answer of the seat that may still change is withdrawn."""
    old = session.seats[seat]
    kind = "computer" if user_id is None else "person"
    change.seats[seat] = replace(
        old, user_id=user_id, name=name, kind=kind, draft=None, acted_at=None
    )
    for row in list(session.messages.values()):
        if row.seat == seat and row.want in letters.UP:
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
        if user_id is not None and (await session.desk.preference(user_id)).ballots:
            letters.add(session, change, "ballot", seat=seat, question=decision.question)


def _abandon(session: Core, change: Change) -> None:
    change.fields |= {"status": "abandoned", "ended_at": session.desk.time.epoch()}
    letters.close_all(session, change)
    letters.notice(session, change, "abandoned")
