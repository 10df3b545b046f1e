"""A table at its first vote, or with its glass turned, for tests."""

from __future__ import annotations

from typing import Any

from bot.sessions.session import Session
from tests.sessions.house import ALL, House


async def to_the_vote(house: House) -> Session:
    """A game of three at its first ballot."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    return session


async def with_sand(house: House, seconds: float) -> Session:
    """A game of three in which sand has run for so long, of a minute."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await house.run(seconds)
    return session


def ask_of(session: Session, kind: str) -> Any:
    """The first open decision of a kind."""
    assert session.game is not None
    return next(d for d in session.game.asked if d.kind == kind and d.current is None)
