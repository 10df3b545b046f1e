"""Going back and on again, for tests."""

from __future__ import annotations

from bot.sessions.moves import mark_of
from bot.sessions.session import Session
from tests.sessions.house import MOD, House, first_value


async def rewind(house: House, session: Session, keep: int, user: int = MOD) -> None:
    """A moderator goes back, also where something was seen since."""
    click = house.click(user, may_manage=True)
    await session.rewind(click, keep, mark_of(session), knowing=True)


async def play_on(house: House, session: Session, answers: int) -> list[str]:
    """So many answers by the people; the running hash after each."""
    traces: list[str] = []
    for _ in range(answers):
        decision = next(d for d in session.playing.asked if d.current is None)
        user = session.seats[decision.seat].user_id or 0
        await session.answer(
            house.click(user), decision.question, decision.kind, first_value(decision)
        )
        traces.append(session.playing.entries[-1].trace)
    return traces
