"""Restoring a table: from a journal that diverged, was torn or cannot be read, and elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.sessions.faces import Status, TableFace
from bot.sessions.giving import NewSitter
from bot.sessions.moderating import Place
from bot.sessions.moves import moves_of
from bot.sessions.ports import Refusal
from engines.kernel.journal import Branch, load_record
from tests.sessions.faulty import Faulty
from tests.sessions.house import ALL, ANN, BEA, DOT, ROOM, House, toy_title
from tests.sessions.moderator import damage, done, mod, words
from tests.sessions.voting import ask_of, with_sand


async def test_a_diverged_table_goes_on_at_the_last_good_answer(house: House) -> None:
    """Found at the next start, brought back without the answers from there on, none deleted."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    records = await house.store.entries(session.id)
    broken = json.loads(records[2].record) | {"mark": "000000000000/0"}
    await damage(house, session, 2, json.dumps(broken))
    await house.restart()
    session = house.same(session)
    assert session.status is Status.CRASHED
    moves = await session.restore(mod(house))
    assert moves == len(moves_of(session.playing))
    stored = await house.store.entries(session.id)

    assert session.playing.ply == 2
    assert len(stored) == len(records) + 1
    assert load_record(stored[-1].record, 0) == Branch(1, 2, "moderator")
    (act, *_) = await house.store.acts(session.guild_id)
    assert (act.what, act.facts["left_out"]) == ("restore", True)
    await house.answer_all(session, until="vote")
    assert await words(house) == ["crashed", "restored_part"]


@pytest.mark.parametrize(
    ("place", "record"), [(-1, '{"by":"x","something":"new"}'), (0, '{"by":'), (1, "")]
)
async def test_a_record_that_cannot_be_read_stops_its_table_only(
    house: House, place: int, record: str
) -> None:
    """A whole one of a form that nobody knows, or a torn one in the middle: nothing is dropped,
    nothing deleted; the moderator is told under a reference.
    """
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    count = session.row.ply
    await damage(house, session, place % count, record)
    await house.restart()
    session = house.same(session)
    assert session.status is Status.CRASHED
    with pytest.raises(Refusal, match="not_restorable"):
        await session.restore(mod(house))
    assert len(await house.store.entries(session.id)) == count
    other = await house.lobby(DOT)
    assert other.status is Status.LOBBY


@pytest.mark.parametrize("cut", [0, 1, 20, 60])
async def test_a_torn_last_record_is_set_aside(house: House, cut: int) -> None:
    """The end of the journal is cut off: the table goes on before it, numbering too."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    records = await house.store.entries(session.id)
    await damage(house, session, len(records) - 1, records[-1].record[:cut])
    await house.restart()
    session = house.same(session)
    assert session.status is Status.CRASHED
    assert await session.restore(mod(house)) == len(moves_of(session.playing))
    assert session.playing.ply == session.row.ply == len(records) - 1
    assert await words(house) == ["unreadable", "restored_part"]
    (act, *_) = await house.store.acts(session.guild_id)
    assert act.facts["left_out"] is True
    await house.answer_all(session, until="spend")
    await house.restart()
    assert house.same(session).status is Status.RUNNING


async def test_an_orphaned_table_comes_back_in_another_channel(house: House) -> None:
    """Its channel is gone: the table, its calls and its commands are in the new one."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await house.run(2)
    await house.registry.channel_gone(ROOM)
    assert session.status is Status.ORPHANED
    with pytest.raises(Refusal, match="orphaned"):
        await session.look(ANN)
    await session.restore(mod(house), Place(300, 299))
    await house.run(3)
    moved = [m.face for m in house.channel.of(TableFace) if m.place.channel_id == 300]
    assert [face.live for face in moved if isinstance(face, TableFace)] == [True]
    assert house.registry.in_channel(300) is session
    assert house.registry.in_channel(ROOM) is None
    assert session.row.parent_id == 299
    await house.restart()
    session = house.same(session)
    assert session.channel_id == 300
    await house.answer_all(session, until="spend")
    assert (await words(house))[-1] == "moved"


async def test_not_into_a_channel_that_another_table_holds(house: House) -> None:
    """The moderator is told which, and the table stays as it was."""
    session = await house.game(*ALL)
    await house.registry.channel_gone(ROOM)
    other = await house.registry.open_lobby(
        house.click(DOT), game=session.title.key, guild_id=100, channel_id=300
    )
    with pytest.raises(Refusal, match="channel_taken") as refused:
        await session.restore(mod(house), Place(300))
    assert refused.value.facts["session"] == other.id
    assert (session.status, session.channel_id) == (Status.ORPHANED, ROOM)
    assert await done(house, session) == []


async def test_a_table_that_was_ended_by_mistake_can_be_brought_back(house: House) -> None:
    """As long as nobody has looked at its dice: after that nobody may play on knowing them."""
    session = await with_sand(house, 20)
    (glass,) = session.sands.values()
    left = glass.left_at(house.time.now)
    await session.end(mod(house))
    assert session.status is Status.ABANDONED
    assert house.registry.in_channel(ROOM) is None
    await house.restart()
    session = await house.registry.recall(session.id)
    await session.restore(mod(house))
    assert session.status is Status.RUNNING
    assert [abs(g.left - left) < 0.01 for g in session.sands.values()] == [True]
    await house.answer_all(session, until="take_chair")
    await session.end(mod(house))
    await session.public_record()
    await house.restart()
    session = await house.registry.recall(session.id)
    with pytest.raises(Refusal, match="dice_were_told"):
        await session.restore(mod(house))
    assert await done(house, session) == ["end", "restore", "end"]


async def test_a_crashed_table_with_an_open_question_to_it(tmp_path: Path) -> None:
    """The question lapses with the crash; bringing the table back asks nothing."""
    Faulty.broken = True
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    session = await house.game(*ALL)
    await session.give_seat(mod(house, BEA), 2, NewSitter(DOT, "Dot"))
    assert session.motion is not None
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    with pytest.raises(Refusal, match="crashed"):
        await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    assert session.motion is None
    Faulty.broken = False
    await session.restore(mod(house))
    assert session.motion is None
    await house.die()


async def test_a_bot_that_was_removed_and_invited_again(house: House) -> None:
    """Nothing is sent while it is away; afterwards a moderator brings the table back or ends it."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await house.run(2)
    await house.registry.guild_gone(session.guild_id)
    assert session.status is Status.ORPHANED
    calls = len(house.channel.calls)
    await house.run(60)
    await house.restart()
    session = house.same(session)
    await house.run(60)
    assert len(house.channel.calls) == calls
    await session.restore(mod(house))
    await house.answer_all(session, until="spend")
    await house.registry.guild_gone(session.guild_id)
    await session.end(mod(house))
    assert session.status is Status.ABANDONED
    assert await done(house, session) == ["restore", "end"]
