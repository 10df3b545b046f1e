"""Tables that have ended, as a server's history tells of them."""

from __future__ import annotations

from dataclasses import dataclass

from bot.sessions.desk import Desk
from bot.sessions.session import Session
from bot.sessions.showing import outcome_of
from engines.kernel.game import Outcome


@dataclass(frozen=True, slots=True)
class FinishedTable:
    """A line of a server's history."""

    session: int
    code: str
    game: str
    outcome: Outcome | None
    seats: tuple[str, ...]
    ended_at: float
    channel_id: int
    message_id: int | None


async def finished(desk: Desk, guild_id: int, limit: int, offset: int) -> tuple[FinishedTable, ...]:
    """The games of a server that are over, the latest first."""
    tables: list[FinishedTable] = []
    for row in await desk.store.finished(guild_id, limit, offset):
        if row.game not in desk.titles:
            continue
        seats = await desk.store.seats(row.id)
        messages = await desk.store.messages(row.id)
        closing = [m.message_id for m in messages if m.purpose == "closing"]
        session = Session(desk, desk.titles[row.game], row, seats, messages)
        tables.append(
            FinishedTable(
                row.id,
                row.code,
                row.game,
                outcome_of(session),
                tuple(seat.name for seat in seats),
                row.ended_at or row.touched_at,
                row.channel_id,
                closing[0] if closing else None,
            )
        )
    return tuple(tables)
