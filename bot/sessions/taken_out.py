"""What the log of acts tells of seats and people: whom moderators took out, and from where.

A seat that a moderator has emptied stays the seat of whoever sat there, as to who may agree to a
newcomer, until somebody sits there again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final

from bot.sessions.memory import Memory
from bot.sessions.ports import Click, Refusal
from bot.store.protocol import StoreError
from bot.store.rows import ActRow
from engines.kernel.decision import Seat

_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Emptied:
    """Who has called a computer player in for a person; None if they were forgotten since."""

    by: int | None

    def may_be_by(self, click: Click) -> bool:
        """Whether it was who clicks; of one who was forgotten, whether they may manage."""
        return click.may_manage if self.by is None else self.by == click.user_id


async def emptied(session: Memory, seat: Seat) -> Emptied | None:
    """How a computer player came to a seat, if a moderator has taken a person out of it.

    None for a seat that was a computer's from the start or that its owner gave up. Refusal
    ``not_read``.
    """
    if session.seats[seat].user_id is not None:
        return None
    async for act in _acts(session):
        facts = act.facts
        if act.what == "seat" and facts.get("seat") == seat and not facts.get("ends"):
            return Emptied(act.by) if facts.get("to") == "computer" else None
        if act.what == "taken" and facts.get("seat") == seat:
            return None
        seats = facts.get("seats")
        if act.what == "seat_again" and isinstance(seats, list) and seat in seats:
            return None
    return None


async def is_kept_out(session: Memory, user_id: int) -> bool:
    """Whether a moderator has taken a person out of the lobby for good. Refusal ``not_read``."""
    async for act in _acts(session):
        if act.what == "seat" and act.about == user_id:
            return act.facts.get("to") == "nobody" and bool(act.facts.get("barred"))
    return False


async def _acts(session: Memory) -> AsyncIterator[ActRow]:
    """What was done to a table, the newest first."""
    offset = 0
    while True:
        try:
            rows = await session.desk.store.acts(session.guild_id, session.id, _AT_ONCE, offset)
        except StoreError as error:
            raise Refusal("not_read") from error
        for row in rows:
            yield row
        if len(rows) < _AT_ONCE:
            return
        offset += _AT_ONCE
