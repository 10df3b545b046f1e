"""What the people at a table are asked to agree to: one motion at a time, kept in the store.

A motion is bound to seats. Whoever may speak does so by one click; the motion is carried, refused,
or lapses because the table has moved on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from bot.sessions import letters
from bot.sessions.change import Change
from bot.sessions.memory import Memory
from bot.store.rows import MotionKind, MotionRow, MotionState
from engines.kernel.decision import Seat

LASTS: Final = 86400.0
"""Seconds after which a motion that nobody has settled lapses."""


def move(
    session: Memory,
    change: Change,
    kind: MotionKind,
    seat: Seat,
    *,
    asked_by: int,
    user_id: int | None = None,
    name: str = "",
    bars: bool = False,
    voices: Mapping[int, bool] | None = None,
) -> MotionRow:
    """Ask the table; whatever it was asked before lapses."""
    lapse(session, change, all_kinds=True)
    row = MotionRow(
        session=session.id,
        number=1 + max(session.motions, default=0),
        kind=kind,
        seat=seat,
        ply=session.row.ply,
        asked_by=asked_by,
        user_id=user_id,
        name=name,
        bars=bars,
        voices=voices or {},
        made_at=session.desk.time.epoch(),
    )
    change.motions[row.number] = row
    letters.add(session, change, "motion", question=row.number)
    return row


def settle(session: Memory, change: Change, row: MotionRow, state: MotionState) -> None:
    """A motion has come to its end; its message loses its buttons."""
    change.motions[row.number] = replace(row, state=state)
    if row.seat in session.seats:
        session.asked_of[row.number] = session.seats[row.seat]
    for message in list(letters.current(session, change)):
        is_its = message.purpose == "motion" and message.question == row.number
        if is_its and message.want in letters.UP:
            letters.retire(session, change, message)


def lapse(session: Memory, change: Change, *, all_kinds: bool = False) -> None:
    """The table has moved on: nobody can take back what was answered before.

    ``all_kinds``: seats have changed hands, or the table stops, so nothing is asked any more.
    """
    row = session.motion
    if row is not None and row.number not in change.motions and (all_kinds or row.kind == "undo"):
        settle(session, change, row, "lapsed")


def is_stale(row: MotionRow, now: float) -> bool:
    """Whether nobody has settled it for too long (``now`` in epoch seconds)."""
    return now - row.made_at > LASTS


def awaited(session: Memory, row: MotionRow) -> tuple[Seat, ...]:
    """The seats that may speak and have not."""
    return tuple(seat for seat in _voters(session, row) if seat not in row.voices)


def may_speak(session: Memory, row: MotionRow, seat: Seat) -> bool:
    """Whether that seat is asked at all: a moderator has no voice in their own motion."""
    return seat in _voters(session, row)


def _voters(session: Memory, row: MotionRow) -> tuple[Seat, ...]:
    persons = session.persons()
    if row.kind == "undo":
        return tuple(seat for seat in persons if not session.seats[seat].away)
    return tuple(seat for seat, user in persons.items() if user != row.asked_by)


def verdict(session: Memory, row: MotionRow) -> MotionState:
    """How the motion stands.

    Taking back needs every person's yes. Of a seat its owner decides, or all the others together:
    the moderator who asks and computer players do not count.
    """
    voters = _voters(session, row)
    owner = session.seats[row.seat].user_id if row.kind == "seat" else None
    if owner is not None and owner != row.asked_by:
        # Also where the owner cannot be asked just now: nobody's silence is agreement.
        if row.seat in row.voices:
            return "carried" if row.voices[row.seat] else "refused"
        others = [seat for seat in voters if seat != row.seat]
        return "carried" if others and all(row.voices.get(s) for s in others) else "open"
    if any(row.voices.get(seat) is False for seat in voters):
        return "refused"
    return "carried" if all(row.voices.get(seat) for seat in voters) else "open"
