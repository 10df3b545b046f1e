"""Seats that moderators give to somebody else, and when the table has to agree to it first.

What stands in the way is said before anybody is asked, and is looked at again before it is done.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.sessions import acts, letters, lobby, motions, play, taken_out
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.moderating import check_moderator, ready
from bot.sessions.ports import Click, Refusal
from bot.store.rows import Json, MotionRow, SittingRow
from engines.kernel.decision import Seat


@dataclass(frozen=True, slots=True)
class NewSitter:
    """Who is to have a seat; without ``user_id`` a computer player of that name."""

    user_id: int | None
    name: str = ""


async def check(session: Core, click: Click, seat: Seat, sitter: NewSitter) -> bool:
    """Refuse what cannot be; whether the table has to agree first.

    Refusals ``no_such_seat``, ``computer_sits_there``, ``sits_already``, ``knows_a_seat``,
    ``was_sent_away``, ``nobody_to_agree``, ``not_read`` and, by the state of the table, those of
    ``check_running``.
    """
    session.check_click(click)
    check_moderator(click)
    is_lobby = session.status is Status.LOBBY and sitter.user_id is None
    if not is_lobby and session.status is not Status.PAUSED:
        session.check_running()
    row = session.seats.get(seat)
    if row is None:
        raise Refusal("no_such_seat")
    if is_lobby:
        return False
    if sitter.user_id is None:
        if row.user_id is None:
            raise Refusal("computer_sits_there")
        return False
    is_owner = row.user_id == click.user_id
    takes_it = sitter.user_id == click.user_id and await _is_somebodys(session, seat)
    must_ask = takes_it or (session.is_party(click.user_id) and not is_owner)
    await _check_newcomer(session, sitter.user_id, seat, agreed=must_ask)
    others = set(session.persons().values()) - {click.user_id}
    if must_ask and not others and await _is_somebodys(session, seat):
        raise Refusal("nobody_to_agree")
    return must_ask


async def _is_somebodys(session: Core, seat: Seat) -> bool:
    """Whether a person sits there, or would if no moderator had taken them out."""
    is_persons = session.seats[seat].user_id is not None
    return is_persons or await taken_out.emptied(session, seat) is not None


async def _check_newcomer(session: Core, user_id: int, seat: Seat, *, agreed: bool) -> None:
    """Refuse whoever may not sit there; ``agreed``: by the table, so not whom one has barred."""
    if session.seat_of(user_id) is not None:
        raise Refusal("sits_already")
    sitting = session.sitting_of(user_id)
    if sitting is not None and sitting.seat != seat:
        raise Refusal("knows_a_seat")
    is_barred = sitting is not None and sitting.barred
    if agreed and (is_barred or await taken_out.is_kept_out(session, user_id)):
        raise Refusal("was_sent_away")


async def give_seat(
    session: Core, click: Click, seat: Seat, sitter: NewSitter, *, bars: bool = False
) -> bool:
    """Put somebody else at a seat; whether it was done, or else the table was asked to agree.

    ``bars``: whoever sat there cannot take the seat again by themselves. In a lobby the seat is
    simply cleared. Refusals as for ``check``.
    """
    await check(session, click, seat, sitter)
    if session.status is Status.LOBBY:
        await lobby.dismiss(session, click, seat, bars=bars)
        return True
    await ready(session, click)
    must_ask = await check(session, click, seat, sitter)
    change = Change(click)
    if sitter.user_id is None:
        await _to_computer(session, change, seat, sitter.name, click.user_id, bars=bars)
        await session.commit(change)
        return True
    if must_ask:
        motion = motions.move(
            session,
            change,
            "seat",
            seat,
            asked_by=click.user_id,
            user_id=sitter.user_id,
            name=sitter.name,
            bars=bars,
        )
        acts.note(session, change, click.user_id, "seat_asked", about=sitter.user_id, seat=seat)
        if motions.verdict(session, motion) != "carried":
            await session.commit(change)
            return False
        change = Change(click)
    await _to_person(session, change, seat, sitter, click.user_id, bars=bars)
    await session.commit(change)
    return True


async def carry(session: Core, change: Change, motion: MotionRow) -> None:
    """The table agrees that somebody takes a seat. A Refusal if they cannot now."""
    if motion.user_id is None or motion.asked_by is None or motion.seat not in session.seats:
        raise Refusal("motion_over")
    await _check_newcomer(session, motion.user_id, motion.seat, agreed=True)
    motions.settle(session, change, motion, "carried")
    sitter = NewSitter(motion.user_id, motion.name)
    await _to_person(session, change, motion.seat, sitter, motion.asked_by, bars=motion.bars)
    await session.commit(change)


async def _to_computer(
    session: Core, change: Change, seat: Seat, name: str, by: int, *, bars: bool
) -> None:
    old = session.seats[seat].user_id
    if bars and old is not None:
        change.sittings[old] = SittingRow(session.id, old, seat, barred=True)
    ends: dict[str, Json] = {"ends": True} if session.is_last(seat) else {}
    acts.note(session, change, by, "seat", about=old, seat=seat, to="computer", barred=bars, **ends)
    if ends:
        play.abandon(session, change)
        return
    await play.change_hands(session, change, seat, None, name)
    letters.notice(session, change, "seat_computer", seat)


async def _to_person(
    session: Core, change: Change, seat: Seat, sitter: NewSitter, by: int, *, bars: bool
) -> None:
    old, old_name = session.seats[seat].user_id, session.seats[seat].name
    bars = bars and old is not None
    await play.change_hands(session, change, seat, sitter.user_id, sitter.name)
    if old is not None:
        session.lost[seat] = old_name
    if bars and old is not None:
        change.sittings[old] = SittingRow(session.id, old, seat, barred=True)
    facts = {"barred": True} if bars else {}
    acts.note(session, change, by, "seat", about=sitter.user_id, seat=seat, to="person", **facts)
    letters.notice(session, change, "seat_person", seat)
