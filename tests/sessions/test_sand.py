"""Sand in a glass: when it runs, when it stands still, and what it beats."""

from __future__ import annotations

import pytest

from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.decision import Decision
from tests.sessions.house import ANN, House, first_value
from tests.sessions.voting import ask_of, with_sand


def spending(session: Session) -> tuple[Decision, int, float]:
    """What is asked under the sand, of whom, and the moment at which it has run out."""
    decision = ask_of(session, "spend")
    (glass,) = session.sands.values()
    assert glass.since is not None
    return decision, session.persons()[decision.seat], glass.since + glass.left


async def test_sand_beats_a_late_click_and_never_a_timely_one(house: House) -> None:
    """A click counts by its arrival: in time although handled late, void although early handled."""
    session = await with_sand(house, 2)
    decision, user, deadline = spending(session)
    value = first_value(decision)
    timely = house.click(user, at=deadline - 0.1)
    house.registry.arrived(timely.interaction_id, timely.arrived)
    house.time.now = deadline + 0.2
    await house.registry.pump()
    await house.registry.desk.drain(2.0)
    assert [d.kind for d in session.playing.asked] == ["spend"]
    await session.answer(timely, decision.question, "spend", value)
    house.registry.handled(timely.interaction_id)
    assert session.playing.events[-1].event.kind != "coins_lost"

    await house.answer_all(session, until="spend")
    await house.run(2)
    decision, user, deadline = spending(session)
    late = house.click(user, at=deadline)
    with pytest.raises(Refusal, match="time_up"):
        await session.answer(late, decision.question, "spend", first_value(decision))
    kinds = [e.event.kind for e in session.playing.events]
    assert "coins_lost" in kinds


async def test_sand_stands_still_while_the_bot_is_down_or_cut_off(house: House) -> None:
    """What was left is left: after a disconnect and after a restart."""
    session = await with_sand(house, 20)
    (glass,) = session.sands.values()
    house.registry.disconnected()
    left = glass.left_at(house.time.now)
    assert 38 <= left <= 41
    await house.run(300)
    assert session.sands[glass.question].left == left
    house.registry.connected()
    await house.run(11)
    await house.die()
    house.time.now += 5000
    await house.open()
    session = house.same(session)
    await house.run(0.5)
    (glass,) = session.sands.values()

    assert left - 11.5 <= glass.left_at(house.time.now) <= left - 4


async def test_a_table_that_rests_loses_no_sand(house: House) -> None:
    """The channel goes while sand runs; restored days later, the glass goes on from there."""
    session = await with_sand(house, 20)
    await house.registry.channel_gone(session.channel_id)
    assert session.status is Status.ORPHANED
    (glass,) = session.sands.values()
    left = glass.left_at(house.time.now)
    await house.run(30)
    await house.restart()
    house.time.now += 90_000
    session = house.same(session)
    await session.restore(house.click(ANN, may_manage=True))
    (glass,) = session.sands.values()

    assert 30 < left < 45
    assert abs(glass.left_at(house.time.now) - left) < 0.01
