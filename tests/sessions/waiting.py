"""People who answer and people who do not, for tests."""

from __future__ import annotations

from typing import Any

from bot.sessions.faces import Status
from bot.sessions.ports import DirectMessagesClosed
from bot.sessions.session import Session
from tests.sessions.house import House

DAY = 86400.0


async def act(house: House, session: Session, user: int) -> bool:
    """Let a person answer what is asked of them, if anything is."""
    seat = session.seat_of(user)
    for decision in session.playing.asked:
        if decision.seat == seat and decision.current is None:
            keys = decision.keys()[:1]
            if decision.shape.repeats:
                keys = tuple(decision.keys()[n % 2] for n in range(decision.shape.least))
            await session.answer(house.click(user), decision.question, decision.kind, keys)
            return True
    return False


async def send_away(house: House, session: Session, user: int) -> None:
    """Let a person miss what they are asked until a computer player plays for them."""
    seat = session.seat_of(user)
    assert seat is not None
    for _ in range(2000):
        if session.seats[seat].away:
            return
        for other in session.persons().values():
            if other != user and session.status is Status.RUNNING:
                await act(house, session, other)
        await house.run(5, step=1)
    raise AssertionError("they are still there")


def take_no_letters(house: House, *users: int) -> list[int]:
    """These people take no direct messages; whom one was tried to be sent to, in order."""
    tries: list[int] = []
    post = house.channel.post

    async def closed(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id in users:
            tries.append(address.user_id)
            raise DirectMessagesClosed
        return await post(address, face, nonce)

    house.channel.post = closed
    return tries
