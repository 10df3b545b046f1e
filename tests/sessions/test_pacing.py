"""The pace of a table, changed during the game: who may, and what becomes of open deadlines."""

from __future__ import annotations

import pytest

from bot.sessions import pace
from bot.sessions.faces import NoticeFace, Status
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from tests.sessions.house import ALL, ANN, BEA, MOD, House


def left(session: Session) -> list[float]:
    """What is left on each clock."""
    now = session.desk.time.monotonic()
    return [clock.left_at(now) for _, clock in sorted(session.clocks.items())]


def notices(house: House) -> list[str]:
    """The notices so far."""
    return [m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)]


@pytest.mark.parametrize("by", ["host", "moderator"])
@pytest.mark.parametrize("restarts", [False, True])
async def test_whoever_is_asked_has_the_new_time_in_full(
    house: House, by: str, restarts: bool
) -> None:
    """From the moment at which the table shows it; the table is told, and the log has who did it.
    The old clock gives no answer any more.
    """
    session = await house.game(*ALL, pace="relaxed")
    await house.run(1)
    house.time.now += 1700
    click = house.click(ANN) if by == "host" else house.click(MOD, may_manage=True)
    await session.set_pace(click, "days")
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    await house.run(2)
    (rest,) = left(session)
    assert pace.SECONDS["days"] - 3 < rest <= pace.SECONDS["days"]
    assert notices(house) == ["pace"]
    (act,) = await house.store.acts(session.guild_id)
    assert (act.what, act.by, dict(act.facts)) == (
        "pace", ANN if by == "host" else MOD, {"pace": "days"},
    )  # fmt: skip
    house.time.now += 1800
    await house.run(1)
    assert session.playing.ply == 0


async def test_shorter_longer_and_none(house: House) -> None:
    """A shorter pace takes no move by itself; without one no clock runs; then one runs again."""
    session = await house.game(*ALL, pace="days")
    await house.run(1)
    house.time.now += 20_000
    await session.set_pace(house.click(ANN), "live")
    await house.run(2)
    assert 175 < left(session)[0] <= 180
    assert session.playing.ply == 0
    await session.set_pace(house.click(ANN), "none")
    await house.run(2)
    house.time.now += 100_000
    await house.run(2)
    assert left(session) == []
    assert session.playing.ply == 0
    await session.set_pace(house.click(ANN), "live")
    await house.run(190)
    assert session.playing.ply == 1


async def test_while_it_is_paused_and_in_the_lobby(house: House) -> None:
    """Both are moments to think of it; a lobby's change is an option, not told as a notice."""
    session = await house.lobby(*ALL, pace="live")
    await session.set_pace(house.click(ANN), "relaxed")
    assert notices(house) == []
    await session.start(house.click(ANN))
    await session.pause(house.click(MOD, may_manage=True))
    await session.set_pace(house.click(MOD, may_manage=True), "days")
    assert session.status is Status.PAUSED
    await session.resume(house.click(MOD, may_manage=True))
    await house.run(2)
    assert left(session)[0] > pace.SECONDS["days"] - 5


async def test_a_table_at_rest_ends_by_the_new_pace(house: House) -> None:
    """A moderator who gives absent players more time gives the table more time, too."""
    session = await house.game(*ALL, pace="live")
    await house.run(1)
    for _ in range(12):
        await house.run(200, step=20)
    assert session.is_resting
    await session.set_pace(house.click(MOD, may_manage=True), "days")
    assert session.is_resting
    expires_at = session.row.expires_at
    assert expires_at == house.time.epoch() + pace.RESTS["days"]


async def test_who_may_not_and_what_is_none(house: House) -> None:
    """Other players, strangers, a pace that does not exist, the same again, a game that is over."""
    session = await house.game(*ALL, pace="live")
    for user, value, problem in (
        (BEA, "days", "not_host"),
        (MOD, "days", "not_host"),
        (ANN, "soon", "unknown_option"),
        (ANN, "live", "pace_is_so"),
    ):
        with pytest.raises(Refusal, match=problem):
            await session.set_pace(house.click(user), value)
    assert session.row.pace == "live"
    await session.end(house.click(ANN))
    with pytest.raises(Refusal, match="game_over"):
        await session.set_pace(house.click(ANN), "days")
    assert await house.store.acts(session.guild_id) == ()
