"""The clicks on a motion: who may, what it changes, and what happens when all have agreed."""

from __future__ import annotations

from dataclasses import replace

from bot.sessions import giving, motions, undo
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.play import ready
from bot.sessions.ports import Click, Refusal
from bot.store.rows import MotionState


async def speak(session: Core, click: Click, number: int, *, agrees: bool) -> MotionState:
    """Agree or disagree; how the motion stands afterwards.

    Refusal ``motion_over`` if it is not open any more, ``motion_not_yours`` if one is not asked.
    """
    session.check_click(click)
    if not session.is_over and session.seat_of(click.user_id) is None:
        raise Refusal("motion_not_yours")
    seat = await ready(session, click)
    row = session.motion
    if row is None or row.number != number:
        raise Refusal("motion_over")
    if not motions.may_speak(session, row, seat):
        raise Refusal("motion_not_yours")
    heard = replace(row, voices={**row.voices, seat: agrees})
    change = Change(click)
    state = motions.verdict(session, heard)
    if state == "carried":
        await _carry(session, change, heard)
        return state
    change.motions[row.number] = heard
    if state == "refused":
        motions.settle(session, change, heard, state)
    await session.commit(change)
    return state


async def _carry(session: Core, change: Change, heard: motions.MotionRow) -> None:
    try:
        if heard.kind == "undo":
            await undo.carry(session, change, heard)
        else:
            await giving.carry(session, change, heard)
    except Refusal as refusal:
        if refusal.problem in ("not_saved", "already_counted", "crashed"):
            raise
        late = Change(change.click)
        motions.settle(session, late, heard, "lapsed")
        await session.commit(late)
        raise Refusal("motion_over") from refusal


async def let_lapse(session: Core) -> None:
    """Nobody has settled it for too long."""
    row = session.motion
    if row is not None and motions.is_stale(row, session.desk.time.epoch()):
        change = Change()
        motions.lapse(session, change, all_kinds=True)
        await session.commit(change)
