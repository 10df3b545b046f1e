"""What goes wrong at one table: not saved, cut short, rules at fault; it harms nothing else."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from bot.sessions.faces import (
    NoticeFace,
    Status,
    TableFace,
)
from bot.sessions.ports import Refusal
from engines.kernel.journal import Branch, load_record
from tests.sessions.faulty import Faulty, full_disk, locked_up
from tests.sessions.house import ALL, ANN, DOT, GUILD, MOD, House, toy_title
from tests.sessions.live_table import LIVE, bys, table
from tests.sessions.voting import ask_of
from tests.toy.senate import SENATE


async def test_a_commit_that_fails_changes_nothing(house: House) -> None:
    """A full disk refuses the move; memory goes back to the journal; the next try counts."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    with full_disk(house), pytest.raises(Refusal, match="not_saved"):
        await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    assert session.playing.ply == 0
    await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])

    assert (session.playing.ply, session.row.ply) == (1, 1)


async def test_a_database_that_somebody_holds_stops_no_table(house: House) -> None:
    """Neither saved nor read: the click is refused, and the next one finds the table as it was."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    first = decision.keys()[:1]
    with locked_up(house):
        with pytest.raises(Refusal, match="not_saved"):
            await session.answer(house.click(user), decision.question, "propose", first)
        for _ in range(2):
            with pytest.raises(Refusal, match="not_read"):
                await session.answer(house.click(user), decision.question, "propose", first)
    assert session.status is Status.RUNNING
    await session.answer(house.click(user), decision.question, "propose", first)
    assert (session.playing.ply, session.row.ply) == (1, 1)


async def test_a_table_that_could_not_be_read_again_is_so_by_itself(house: House) -> None:
    """The clock's answer was neither saved nor read: without any click the table goes on later."""
    session = await table(house)
    await house.run(30)
    with locked_up(house):
        await house.run(LIVE + 20)
        assert session.game is None
    await house.run(60)
    assert session.game is not None
    await house.run(LIVE + 20)
    assert bys(session)[0] == (0, "propose", "clock")


async def test_a_busy_disk_makes_no_table_unreadable(house: House) -> None:
    """`/session restore` is refused for now, and nothing else is noted of the table."""
    session = await house.game(*ALL)
    await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    with locked_up(house), pytest.raises(Refusal, match="not_read"):
        await session.restore(house.click(MOD, may_manage=True))
    assert session.fault == "crashed"
    await session.restore(house.click(MOD, may_manage=True))
    assert session.status is Status.RUNNING


async def test_a_start_forgets_no_table_for_a_write_that_failed(house: House) -> None:
    """What was found out of one table could not be stored: it and all others are looked at."""
    sessions = [await house.game(*ALL)]
    for place in (901, 902, 903):
        session = await house.registry.open_lobby(
            house.click(ANN), game=house.title.key, guild_id=GUILD, channel_id=place, pace="live"
        )
        for user in ALL[1:]:
            await session.join(house.click(user))
        await session.start(house.click(ANN))
        sessions.append(session)
    await house.run(5)
    await house.die()
    await house.open(look=False)
    for session in house.registry.live():
        session.row = replace(session.row, fingerprint="of another program")
    house.registry.start.plan(house.registry.live())
    with locked_up(house, reads=False):
        await house.run(1)
    await house.run(30)
    assert all(house.same(session).is_checked for session in sessions)


async def test_tables_that_cannot_be_looked_at_yet_are_so_later(house: House) -> None:
    """A start beside somebody who holds the database calls no table broken, and forgets none."""
    session = await house.game(*ALL)
    session.row = replace(session.row, fingerprint="of another program")
    session.let_go()
    house.registry.start.plan([session])
    with locked_up(house):
        await house.run(3)
    assert (house.registry.start.broken, session.status) == (0, Status.RUNNING)
    await house.run(3)
    assert session.is_checked


async def test_a_cancelled_click_is_either_whole_or_not_at_all(house: House) -> None:
    """Cancelling the waiting handler leaves memory and disk in step."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    task = asyncio.create_task(
        session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    )
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await house.registry.desk.drain(2.0)
    entries = await house.store.entries(session.id)

    assert len(entries) == session.playing.ply == session.row.ply


async def test_a_fault_in_the_rules_stops_only_its_own_table(tmp_path: Path) -> None:
    """The table is marked crashed with a reference and can be restored; no answer is lost."""
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    Faulty.broken = True
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    key = decision.keys()[:1]
    with pytest.raises(Refusal, match="crashed") as refused:
        await session.answer(house.click(user), decision.question, "propose", key)
    assert len(str(refused.value.facts["reference"])) == 8
    assert session.status is Status.CRASHED
    await house.run()
    assert [
        m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)
    ] == ["crashed"]
    with pytest.raises(Refusal, match="only_moderators"):
        await session.restore(house.click(ANN))
    await house.restart()
    session = house.same(session)
    Faulty.broken = False
    await session.restore(house.click(ANN, may_manage=True))
    assert session.status is Status.RUNNING
    await session.answer(house.click(user), decision.question, "propose", key)
    await house.run()
    lives = [m.face.live for m in house.channel.of(TableFace) if isinstance(m.face, TableFace)]
    assert lives == [False, True]
    await house.die()


async def test_restoring_leaves_out_the_answer_that_breaks_the_replay(tmp_path: Path) -> None:
    """New rules that fail on a stored answer: it stays in the journal behind a branch record."""
    Faulty.broken = False
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    entries = session.row.ply
    Faulty.broken = True
    await house.restart()
    session = house.same(session)
    assert session.status is Status.CRASHED
    await session.restore(house.click(ANN, may_manage=True))
    Faulty.broken = False
    records = await house.store.entries(session.id)

    assert session.playing.ply == 0
    assert len(records) == entries + 1
    assert load_record(records[-1].record, entries + 1) == Branch(1, 0)
    await house.answer_all(session, until="vote")
    await house.restart()
    assert house.same(session).playing.ply > 0
    await house.die()


async def test_nothing_is_refused_halfway_when_the_bot_stops(house: House) -> None:
    """Closing lets what was begun finish, then refuses with its own reason."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    click = house.click(user)
    running = asyncio.create_task(
        session.answer(click, decision.question, "propose", decision.keys()[:1])
    )
    await asyncio.sleep(0)
    await house.registry.close()
    result = await asyncio.gather(running, return_exceptions=True)
    entries = await house.store.entries(session.id)
    assert len(entries) == (0 if isinstance(result[0], Refusal) else 1)
    with pytest.raises(Refusal, match="shutting_down"):
        await session.answer(house.click(user), decision.question, "propose", ("x",))


async def test_a_table_cannot_be_restored_into_a_channel_that_another_one_holds(
    tmp_path: Path,
) -> None:
    """The moderator is told where the other table is, and the crashed one stays as it was."""
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    Faulty.broken = True
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    with pytest.raises(Refusal, match="crashed"):
        await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    other = await house.lobby(DOT)
    with pytest.raises(Refusal, match="channel_taken") as refused:
        await session.restore(house.click(ANN, may_manage=True))
    assert refused.value.facts["session"] == other.id
    assert session.status is Status.CRASHED
    await other.cancel(house.click(DOT))
    Faulty.broken = False
    await session.restore(house.click(ANN, may_manage=True))

    assert session.status is Status.RUNNING
    await house.die()


def test_the_toy_is_the_real_toy() -> None:
    """The faulty senate differs from the toy in nothing but its fault."""
    assert Faulty().key == SENATE.key
