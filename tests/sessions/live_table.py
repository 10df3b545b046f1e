"""A table at a live pace, and what is seen of its clocks, for tests."""

from __future__ import annotations

from typing import Any

from bot.sessions import pace
from bot.sessions.faces import NoticeFace, ReminderFace, TableFace
from bot.sessions.session import Session
from tests.sessions.house import ANN, BEA, CID, House

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
