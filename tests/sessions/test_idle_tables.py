"""Tables at which nobody is: they rest, they end, and lobbies close."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.sessions import pace
from bot.sessions.change import Change
from bot.sessions.faces import LobbyFace, Status, TableFace
from bot.sessions.moderating import Place
from bot.sessions.ports import Refusal
from tests.sessions.house import ANN, BEA, CID, DOT, MOD, ROOM, House
from tests.sessions.live_table import LIVE, SHOWN, asked, bys, table, told
from tests.sessions.waiting import DAY, act


async def test_a_whole_game_with_one_player_gone_for_ever(house: House) -> None:
    """GAM-01, with the speed of people who are there: the game reaches its end without her."""
    session = await table(house)
    for _ in range(6000):
        if session.status is not Status.RUNNING:
            break
        for user in (BEA, CID):
            if session.status is Status.RUNNING:
                await act(house, session, user)
        await house.run(4, step=2)
    assert session.status is Status.FINISHED
    assert {by for seat, _, by in bys(session) if seat == 0} == {"clock", "agent"}


@pytest.mark.parametrize("chosen", ["live", "relaxed", "days"])
async def test_with_everybody_gone_a_table_rests_and_then_ends(house: House, chosen: Any) -> None:
    """GAM-01: once all are away nothing is played any more. The table says when it will end, and
    ends then, without a result, with a notice and without a control; also if the bot was started
    again meanwhile.
    """
    session = await house.game(ANN, BEA, CID, pace=chosen)
    length = pace.SECONDS[chosen]
    for _ in range(20):
        if not session.is_resting:
            await house.run(length / 2, step=length / 60)
    assert session.is_resting
    assert [word for word, _ in told(house)] == ["away", "host", "resting"]
    count = len(session.playing.entries)
    ends_at = session.row.expires_at
    assert ends_at is not None
    await house.restart()
    session = house.same(session)
    rest = ends_at - house.time.epoch()
    assert rest == pytest.approx(pace.RESTS[chosen], abs=length)
    await house.run(rest - 600, step=300)
    assert (len(session.playing.entries), session.status) == (count, Status.RUNNING)
    assert not session.clocks
    await house.run(1200, step=60)
    assert session.status is Status.ABANDONED
    assert told(house)[-1] == ("expired", None)
    assert not [m for m in house.channel.of(TableFace) if getattr(m.face, "live", False)]
    assert house.registry.in_channel(ROOM) is None


async def test_a_resting_table_goes_on_with_the_first_who_comes_back(house: House) -> None:
    """Whoever comes back wakes it: its end is off, computers play for the others who are away, and
    the one who is there has time again.
    """
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    assert session.row.expires_at is not None
    count = len(session.playing.entries)
    assert await session.come_back(house.click(BEA))
    assert session.row.expires_at is None
    assert session.host_id is not None
    for _ in range(200):
        if any(seat == 1 for seat, _ in asked(session)):
            break
        await house.run(1)
    assert len(session.playing.entries) > count
    await house.run(SHOWN)
    assert session.clocks
    await house.restart()
    assert house.same(session).row.expires_at is None


async def test_sand_does_not_run_at_a_table_that_rests(house: House) -> None:
    """The rules' own glass stands still with everything else while nobody is there."""
    session = await table(house, until="spend")
    await house.run(SHOWN)
    glass = next(iter(session.sands.values()))
    before = glass.left_at(house.time.now)
    change = Change()
    for seat, row in session.seats.items():
        change.seats[seat] = replace(row, away=True, misses=2)

    async def work() -> None:
        await session.commit(change)

    await session.locked(work, "test")
    await house.run(300)
    assert glass.left_at(house.time.now) == pytest.approx(before, abs=0.5)
    assert await session.come_back(house.click(ANN))
    await house.run(SHOWN)
    assert next(iter(session.sands.values())).since is not None


async def test_after_a_long_stop_a_table_has_an_hour(house: House) -> None:
    """A table whose hour came while the bot was down does not end before people could see it."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    await house.die()
    house.time.now += 40 * DAY
    await house.open()
    session = house.same(session)
    await house.run(pace.GRACE - 60, step=30)
    assert session.status is Status.RUNNING
    await house.run(180, step=30)
    assert session.status is Status.ABANDONED


async def test_a_table_without_a_pace_ends_after_four_silent_weeks(house: House) -> None:
    """Without a pace nothing is ever answered for anybody. After two weeks without an answer the
    table announces its end; an answer calls that off; otherwise it ends two weeks later.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(13.9 * DAY, step=3600)
    assert (told(house), session.row.expires_at) == ([], None)
    await house.run(DAY, step=3600)
    assert told(house) == [("quiet", None)]
    assert session.row.expires_at is not None
    assert await act(house, session, ANN)
    assert session.row.expires_at is None
    await house.run(20 * DAY, step=3600)
    assert told(house)[-1] == ("quiet", None)
    assert session.status is Status.RUNNING
    await house.restart()
    await house.run(9 * DAY, step=3600)
    assert house.registry.in_channel(ROOM) is None
    assert told(house)[-1] == ("expired", None)
    assert house.same(session).status is Status.ABANDONED


@pytest.mark.parametrize("looker", [MOD, ANN])
@pytest.mark.parametrize("state", ["crashed", "orphaned"])
async def test_a_table_that_was_stopped_ends_after_four_weeks(
    house: House, state: str, looker: int
) -> None:
    """Two weeks after it was stopped it says so once, if it has a place; a moderator who only
    looks, from outside or from a seat, changes nothing. Two weeks later it ends, and can be
    brought back before and afterwards.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(1)

    async def stop() -> None:
        if state == "orphaned":
            await house.registry.channel_gone(session.channel_id)
        else:
            await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")

    house.time.now += 30 * DAY
    await stop()
    await house.run(13.9 * DAY, step=3600)
    before = told(house)
    assert session.row.expires_at is None
    await house.run(0.2 * DAY, step=3600)
    ends_at = session.row.expires_at
    await session.note_look(house.click(looker, may_manage=True), "inspect")
    await house.run(0.2 * DAY, step=3600)
    assert session.row.expires_at == ends_at is not None
    said = [("stopped", None)] if state == "crashed" else []
    assert told(house) == before + said
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 1))
    assert session.row.expires_at is None
    await stop()
    await house.run(15 * DAY, step=3600)
    await house.restart()
    session = house.same(session)
    await house.run(13.5 * DAY, step=3600)
    assert session.status is Status.ABANDONED
    ends = [("expired_stopped", None)] if state == "crashed" else []
    assert told(house)[-1:] == ends
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 2))
    assert session.status is Status.RUNNING
    assert await act(house, session, ANN)


async def test_a_paused_table_does_not_end(house: House) -> None:
    """A pause is a moderator's to end, however long it lasts."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    await session.pause(house.click(MOD, may_manage=True))
    assert session.row.expires_at is None
    await house.run(60 * DAY, step=7200)
    assert session.status is Status.PAUSED
    await session.resume(house.click(MOD, may_manage=True))
    assert session.is_resting
    assert session.row.expires_at is not None


async def test_a_lobby_closes_when_nobody_comes(house: House) -> None:
    """GAM-03: half an hour after the last change it is closed, with its message; the seats are
    free, and clicks on it are told so.
    """
    session = await house.lobby(ANN)
    await house.run(1500, step=5)
    await session.join(house.click(BEA))
    await house.run(1500, step=5)
    assert session.status is Status.LOBBY
    await house.run(330, step=5)
    assert session.status is Status.CANCELLED
    (message,) = house.channel.of(LobbyFace)
    assert message.face.snapshot.status is Status.CANCELLED  # type: ignore[union-attr]
    assert message.face.snapshot.expires_at is not None  # type: ignore[union-attr]
    assert house.registry.in_channel(ROOM) is None
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.join(house.click(CID))
    assert not house.registry.of_user(ANN)


async def test_a_lobby_keeps_its_time_through_a_restart(house: House) -> None:
    """GAM-03: the original deadline holds. If it came while the bot was down, nobody can join or
    start any more, not even before the lobby's message is closed.
    """
    session = await house.lobby(ANN, BEA, CID)
    ends_at = session.row.expires_at
    assert ends_at == house.time.epoch() + pace.LOBBY
    await house.run(600, step=5)
    await house.restart()
    session = house.same(session)
    assert session.row.expires_at == ends_at
    await house.die()
    house.time.now += DAY
    await house.open()
    session = house.same(session)
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.start(house.click(ANN))
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.join(house.click(DOT))
    await house.run(3)
    assert session.status is Status.CANCELLED
    opened = await house.lobby(DOT)
    assert opened.status is Status.LOBBY


async def test_a_lobby_that_is_closed_by_its_host_is_no_expired_one(house: House) -> None:
    """What is shown of a closed lobby tells the two apart."""
    session = await house.lobby(ANN)
    await session.cancel(house.click(ANN))
    assert (session.status, session.row.expires_at) == (Status.CANCELLED, None)


async def test_a_game_that_has_begun_has_no_lobby_s_hour(house: House) -> None:
    """With the start the hour of the lobby is gone."""
    session = await house.game(ANN, BEA, CID)
    assert session.row.expires_at is None
    await house.run(4000, step=20)
    assert session.status is Status.RUNNING


async def test_a_second_game_in_a_channel_with_a_resting_table(house: House) -> None:
    """GAM-06: a table that rests still holds its channel; whoever opens another is shown it."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    with pytest.raises(Refusal, match="channel_taken") as refused:
        await house.lobby(DOT)
    assert refused.value.facts["session"] == session.id
    await session.end(house.click(MOD, may_manage=True))
    assert (await house.lobby(DOT)).status is Status.LOBBY
