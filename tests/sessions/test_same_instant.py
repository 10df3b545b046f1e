"""A click and a deadline at the same instant: one of them counts, and only one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.sessions.faces import TableFace
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.decision import Decision
from tests.sessions.house import ANN, House
from tests.sessions.live_table import SHOWN, bys, table


def running_out(session: Session) -> tuple[Decision, float]:
    """What is asked under the only clock, and the moment at which its time is over."""
    (clock,) = session.clocks.values()
    assert clock.since is not None
    decision = next(d for d in session.playing.asked if d.current is None)
    return decision, clock.since + clock.left


async def test_a_click_at_the_deadline_is_too_late_and_one_before_counts(house: House) -> None:
    """GAM-21: by arrival, however late the pump is: what arrived before the end counts even if the
    time is over when it is dealt with; what arrived at the end does not.
    """
    session = await table(house, until="before_vote")
    decision, end = running_out(session)
    user = session.persons()[decision.seat]
    house.time.now = end + 3
    early = house.click(user, at=end - 0.001)
    await session.answer(early, decision.question, decision.kind, ("pass",))
    assert bys(session)[-1] == (decision.seat, "before_vote", "player")
    await house.run(SHOWN)
    decision, end = running_out(session)
    user = session.persons()[decision.seat]
    house.time.now = end + 3
    late = house.click(user, at=end)
    with pytest.raises(Refusal, match="too_late"):
        await session.answer(late, decision.question, decision.kind, ("pass",))
    assert bys(session)[-1] == (decision.seat, "before_vote", "clock")
    assert session.seats[decision.seat].misses == 1


async def test_the_deadline_waits_for_a_click_that_came_in_time(house: House) -> None:
    """GAM-21: a click that arrived before the end and is still on its way holds the deadline."""
    session = await table(house, until="before_vote")
    _, end = running_out(session)
    count = len(session.playing.entries)
    house.registry.arrived(4711, end - 0.01)
    house.time.now = end + 0.01
    await house.run(2)
    assert len(session.playing.entries) == count
    house.registry.handled(4711)
    await house.run(3)
    assert bys(session)[-1][2] == "clock"


@pytest.mark.parametrize("first", ["click", "clock"])
async def test_last_ballot_and_deadline_at_one_instant(house: House, first: str) -> None:
    """GAM-21: many times over, the last ballot and the deadline come in the same tick, in either
    order, with a slow message in between: the vote is counted once, by one of the two.
    """
    await at_one_instant(house, first, 40)


@pytest.mark.soak
@pytest.mark.timeout(900)
@pytest.mark.parametrize("first", ["click", "clock"])
async def test_last_ballot_and_deadline_five_hundred_times(house: House, first: str) -> None:
    """GAM-21: the same, five hundred times in each order."""
    await at_one_instant(house, first, 500)


async def at_one_instant(house: House, first: str, turns: int) -> None:
    """So many votes that end in a race."""
    slow = house.channel.edit

    async def edit(channel_id: int, message_id: int, face: Any, *, anew: bool = False) -> None:
        for _ in range(20):
            await asyncio.sleep(0)
        await slow(channel_id, message_id, face, anew=anew)

    house.channel.edit = edit
    for turn in range(turns):
        session = await table(house, until="vote")
        for decision in list(session.playing.asked)[1:]:
            user = session.persons()[decision.seat]
            await session.answer(house.click(user), decision.question, "vote", ("aye",))
        await house.run(SHOWN)
        decision, end = running_out(session)
        user = session.persons()[decision.seat]
        count = len(session.playing.entries)
        pages = len(house.channel.of(TableFace, deleted=True))
        house.time.now = end + (0.0 if turn % 2 else -0.01)
        click = house.click(user)
        house.registry.arrived(click.interaction_id, click.arrived)
        answer = session.answer(click, decision.question, "vote", ("nay",))
        house.time.now = end + 0.01
        if first == "click":
            work = asyncio.create_task(answer)
            await asyncio.sleep(0)
            await house.registry.pump()
        else:
            await house.registry.pump()
            work = asyncio.create_task(answer)
        (result,) = await asyncio.gather(work, return_exceptions=True)
        house.registry.handled(click.interaction_id)
        await house.run(3)
        votes = [one for one in bys(session)[count:] if one[1] == "vote"]
        came_in_time = not turn % 2
        assert votes == [(decision.seat, "vote", "player" if came_in_time else "clock")]
        if came_in_time:
            assert not isinstance(result, BaseException)
        else:
            assert isinstance(result, Refusal)
            assert result.problem == "too_late"
        counted = [e for e in session.playing.events if e.event.kind == "voted"]
        assert len(counted) == 1
        assert len(house.channel.of(TableFace, deleted=True)) <= pages + 1
        await session.end(house.click(ANN))
        await house.run(SHOWN)
