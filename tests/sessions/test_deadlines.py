"""Time to answer: which pace has how much, when it runs, and when it stands still."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.sessions import pace
from bot.sessions.faces import Status
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal, Unreachable
from tests.sessions.house import ANN, BEA, CID, House
from tests.sessions.live_table import LIVE, SHOWN, asked, bys, deadline_of, left, reminders, table
from tests.toy.senate import CONTENT


async def test_without_a_pace_nothing_runs_out(house: House) -> None:
    """A table without a pace waits for as long as it takes: no clock, no reminder, no deadline."""
    session = await house.game(ANN, BEA, CID)
    await house.run(SHOWN)
    assert deadline_of(house) is None
    await house.run(2 * 86400, step=600)
    assert (bys(session), session.clocks, reminders(house)) == ([], {}, [])


@pytest.mark.parametrize(("chosen", "seconds"), list(pace.SECONDS.items()))
async def test_each_pace_has_its_time(house: House, chosen: str, seconds: float) -> None:
    """Three minutes, half an hour, a day: shown as the deadline, and kept."""
    session = await house.lobby(ANN, BEA, CID)
    await session.set_pace(house.click(ANN), chosen)
    await session.start(house.click(ANN))
    await house.run(SHOWN)
    assert deadline_of(house) == pytest.approx(seconds, abs=2)
    step = seconds / 360
    await house.run(seconds - 2 * step, step=step)
    assert bys(session) == []
    await house.run(4 * step, step=step)
    assert bys(session) == [(0, "propose", "clock")]


async def test_it_starts_when_the_question_is_seen(house: House) -> None:
    """GAM-02: for ten minutes nothing can be posted; the time begins when the table is up."""
    session = await house.game(ANN, BEA, CID, pace="live")
    house.channel.failures["post"] = [Unreachable("x") for _ in range(40)]
    await house.run(600)
    assert (bys(session), left(session)) == ([], [LIVE])
    house.channel.failures.clear()
    await house.run(62)
    assert 0 < LIVE - left(session)[0] < 64
    await house.run(LIVE - 70)
    assert bys(session) == []


async def test_no_deadline_while_the_table_is_being_published(house: House) -> None:
    """GAM-02: a message that takes ten minutes to go out costs nobody anything."""
    session = await table(house, until="before_vote")
    gate = asyncio.Event()
    edit = house.channel.edit

    async def slow(channel_id: int, message_id: int, face: Any, *, anew: bool = False) -> None:
        await gate.wait()
        await edit(channel_id, message_id, face, anew=anew)

    house.channel.edit = slow
    session.version += 1
    house.registry.publisher.nudge(session, urgent=True)
    for _ in range(1200):
        house.time.now += 0.5
        await house.registry.pump()
        await asyncio.sleep(0)
    before = left(session)[0]
    count = len(session.playing.entries)
    gate.set()
    house.channel.edit = edit
    await house.run(5)
    assert len(session.playing.entries) == count
    assert before - 6 < left(session)[0] <= before
    assert before > LIVE - 10


async def test_it_stands_still_while_discord_is_away(house: House) -> None:
    """Offline for an hour, then the rest of the time; the table shows the new deadline."""
    session = await table(house)
    await house.run(60)
    rest = left(session)[0]
    house.registry.disconnected()
    await house.run(3600, step=5)
    assert left(session)[0] == pytest.approx(rest, abs=0.3)
    house.registry.connected()
    await house.run(SHOWN)
    shown = deadline_of(house)
    assert shown is not None
    assert shown == pytest.approx(left(session)[0], abs=0.5)
    assert bys(session) == []
    await house.run(rest + 2)
    assert bys(session) == [(0, "propose", "clock")]


async def test_it_stands_still_while_the_table_is_paused(house: House) -> None:
    """A pause of a day in the middle costs nobody anything, and nothing is shown as running."""
    session = await table(house)
    await house.run(60)
    await session.pause(house.click(9, may_manage=True))
    rest = left(session)[0]
    await house.run(86400, step=60)
    assert left(session)[0] == rest
    assert (await session.snapshot()).deadline is None
    await house.restart()
    session = house.same(session)
    await session.resume(house.click(9, may_manage=True))
    await house.run(SHOWN)
    assert left(session)[0] == pytest.approx(rest, abs=2)
    assert bys(session) == []


@pytest.mark.parametrize("tidy", [True, False], ids=["stopped", "killed"])
async def test_it_stands_still_while_no_bot_runs(house: House, tidy: bool) -> None:
    """A day without the bot: what was left is left. After a kill a player may have a twentieth of
    the time more, never less.
    """
    session = await table(house)
    await house.run(100)
    rest = left(session)[0]
    if tidy:
        await house.registry.close()
    await house.die()
    house.time.now += 86400
    await house.open()
    session = house.same(session)
    assert bys(session) == []
    (kept,) = left(session)
    assert rest - 0.5 <= kept <= rest + (0.5 if tidy else LIVE / 20 + 6)
    await house.run(kept + 3)
    assert bys(session) == [(0, "propose", "clock")]


async def test_after_a_standstill_a_little_time_is_left(house: House) -> None:
    """With a second left the bot goes down: who comes back has a tenth of the time at least."""
    session = await table(house)
    await house.run(LIVE - 3)
    await house.registry.close()
    await house.restart()
    await house.run(LIVE / 10 - 3)
    session = house.same(session)
    assert bys(session) == []
    await house.run(6)
    assert bys(session) == [(0, "propose", "clock")]


async def test_a_card_interrupts(house: House) -> None:
    """While a card asks something first, the ballots' time stands still; the card has its own."""
    session = await table(house, until="vote")
    await house.run(60)
    gag = next(d for d in session.playing.offers if d.kind == "gag")
    user = session.persons()[gag.seat]
    await session.answer(house.click(user), 0, "gag", gag.keys()[:1])
    assert asked(session) == [(gag.seat, "gag_whom")]
    held = {key: c.left for key, c in session.clocks.items() if c.kind == "vote"}
    assert len(held) == 3
    await house.run(100)
    assert {k: c.left for k, c in session.clocks.items() if c.kind == "vote"} == held
    assert all(c.since is None for c in session.clocks.values() if c.kind == "vote")
    await house.run(LIVE - 95)
    assert bys(session)[-1] == (gag.seat, "gag_whom", "clock")
    assert [kind for _, kind in asked(session)] == ["vote", "vote"]
    assert all(LIVE - 75 < rest < LIVE - 55 for rest in left(session))


async def test_sand_comes_first(house: House) -> None:
    """While the rules' own sand runs there is no deadline besides: at its end the clock answers as
    the rules say, and that is nobody's miss.
    """
    session = await table(house, until="spend")
    assert session.sands
    assert all(clock.since is None for clock in session.clocks.values())
    assert deadline_of(house) is None
    await house.run(CONTENT.seconds + 3)
    assert bys(session)[-1] == (-1, "sand", "clock")
    assert not any(row.misses for row in session.seats.values())


async def test_going_back_gives_all_the_time_again(house: House) -> None:
    """GAM-26: after a rewind the question is asked anew, with a clock of its own; the reminder of
    what is taken back goes with it.
    """
    session = await table(house, until="before_vote")
    await house.run(LIVE * 2 / 3 + 3)
    assert len(reminders(house)) == 1
    await session.rewind(house.click(9, may_manage=True), 0, mark_of(session), knowing=True)
    await house.run(SHOWN)
    assert not reminders(house)
    (rest,) = left(session)
    assert rest > LIVE - 3
    await house.run(LIVE + 2)
    assert bys(session)[0] == (0, "propose", "clock")


@pytest.mark.parametrize("what", ["channel", "server"])
async def test_nothing_runs_out_where_there_is_no_channel(house: House, what: str) -> None:
    """PRM-08, PRM-11: the channel is gone, or the bot was removed: no answer is given, no reminder
    tried, and the table does not end; it has its time when a moderator brings it back.
    """
    session = await table(house)
    await house.run(100)
    if what == "channel":
        await house.registry.channel_gone(session.channel_id)
    else:
        await house.registry.guild_gone(session.guild_id)
    sent = len(house.channel.messages)
    await house.run(13 * 86400, step=3600)
    assert (bys(session), len(house.channel.messages)) == ([], sent)
    assert session.status is Status.ORPHANED
    await session.restore(house.click(9, may_manage=True))
    await house.run(SHOWN)
    assert bys(session) == []
    assert left(session)[0] > LIVE / 10 - 3


async def test_the_pace_is_the_host_s_choice(house: House) -> None:
    """Only the host chooses it, in the lobby and later, and only one that there is."""
    session = await house.lobby(ANN, BEA, CID)
    with pytest.raises(Refusal, match="not_host"):
        await session.set_pace(house.click(BEA), "live")
    with pytest.raises(Refusal, match="unknown_option"):
        await session.set_pace(house.click(ANN), "hourly")
    await session.set_pace(house.click(ANN), "days")
    await house.restart()
    session = house.same(session)
    assert session.row.pace == "days"
    await session.start(house.click(ANN))
    with pytest.raises(Refusal, match="not_host"):
        await session.set_pace(house.click(BEA), "live")
    assert "pace" not in session.playing.header.options
