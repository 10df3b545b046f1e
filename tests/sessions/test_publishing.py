"""What a table posts: calls, rounds, letters, and all of it once, however often it is tried."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sessions.faces import (
    BallotFace,
    LobbyFace,
    PingFace,
    Status,
    TableFace,
)
from bot.sessions.ports import DirectMessagesClosed, Unreachable
from tests.sessions.house import ALL, ANN, House
from tests.sessions.voting import ask_of


async def test_a_new_round_has_a_new_table_message(house: House) -> None:
    """The old one loses its controls; the new one tells only what came after."""
    session = await house.game(*ALL)
    await house.run()
    await house.answer_all(session, until="take_chair")
    consul = ask_of(session, "take_chair")
    user = session.seats[consul.seat].user_id or 0
    await session.answer(house.click(user), consul.question, "take_chair", consul.keys()[:1])
    await house.run()
    faces = [m.face for m in house.channel.of(TableFace)]
    old, new = (face for face in faces if isinstance(face, TableFace))

    assert (old.live, new.live) == (False, True)
    assert old.snapshot.chapter_events[0].ply == 0
    assert all(e.ply > old.snapshot.chapter_events[-1].ply for e in new.snapshot.chapter_events)


async def test_calls_to_move_come_once_and_go_when_answered(house: House) -> None:
    """Nobody is called while clicking; after a quiet while one call, deleted by the answer."""
    session = await house.game(*ALL)
    await house.run(5)
    assert house.channel.of(PingFace) == []
    await house.run(60)
    (call,) = house.channel.of(PingFace)
    assert isinstance(call.face, PingFace)
    decision = ask_of(session, "propose")
    assert call.face.seat == decision.seat
    await house.run(60)
    assert len(house.channel.of(PingFace, deleted=True)) == 1
    user = session.seats[decision.seat].user_id or 0
    await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    await house.run(3)

    assert call.is_deleted


async def test_closed_direct_messages_cost_nothing(house: House) -> None:
    """Ballots that cannot be delivered are let go; the vote goes on through panels."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await house.run(0.25)
    house.channel.failures["post"] = [DirectMessagesClosed() for _ in range(3)]
    session.version += 1
    house.registry.publisher.nudge(session)
    await house.run(3)
    await house.answer_all(session, until="spend")

    assert session.status is Status.RUNNING


async def test_publishing_is_tried_again_until_it_works(house: House) -> None:
    """Discord fails four times; the table message comes all the same, once."""
    house.channel.failures["post"] = [Unreachable() for _ in range(4)]
    session = await house.game(*ALL)
    await house.run(40)

    assert len(house.channel.of(TableFace)) == 1
    assert session.row.published_ply == session.row.ply


async def test_a_message_sent_but_not_stored_is_not_sent_twice(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the send and the store: soon after by its nonce, later by its mark."""
    for pause in (0, 600):
        if pause:
            await house.registry.in_channel(200).end(house.click(ANN))  # type: ignore[union-attr]
            await house.run(3)
        real = house.store.commit

        async def forgetful(write: Any, real: Any = real) -> None:
            if not write.posted:
                await real(write)

        monkeypatch.setattr(house.store, "commit", forgetful)
        session = await house.game(*ALL)
        await house.run(0.25)
        counts = [len(house.channel.of(kind)) for kind in (LobbyFace, TableFace)]
        monkeypatch.undo()
        await house.die()
        house.time.now += pause
        await house.open()
        await house.run(3)
        tables = [
            m for m in house.channel.of(TableFace) if isinstance(m.face, TableFace) and m.face.live
        ]
        assert len(tables) == 1
        assert [len(house.channel.of(kind)) for kind in (LobbyFace, TableFace)] == counts
        lobbies = [m.face for m in house.channel.of(LobbyFace)]
        assert all(f.snapshot.status != "lobby" for f in lobbies if isinstance(f, LobbyFace))
        assert house.same(session).live_message is not None


async def test_a_deleted_table_message_is_posted_afresh(house: House) -> None:
    """The next edit meets a gap: a new message with the same page takes its place."""
    session = await house.game(*ALL)
    await house.run()
    (table,) = house.channel.of(TableFace)
    table.is_deleted = True
    await house.answer_all(session, until="vote")
    await house.run(4)

    (fresh,) = house.channel.of(TableFace)
    assert isinstance(fresh.face, TableFace)
    assert fresh.face.live
    assert fresh.face.snapshot.chapter_events[0].ply == 0


async def test_one_persons_unreachable_letters_do_not_hold_up_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a ballot cannot be delivered for now, the table message is kept up to date."""
    session = await house.game(*ALL)
    await house.run()
    real = house.channel.post

    async def failing(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id is not None:
            raise Unreachable
        return await real(address, face, nonce)

    monkeypatch.setattr(house.channel, "post", failing)
    await house.answer_all(session, until="vote")
    await house.run(2)
    (table,) = house.channel.of(TableFace)
    assert isinstance(table.face, TableFace)
    assert {w.kind for w in table.face.snapshot.waiting} == {"vote"}
    monkeypatch.undo()
    await house.run(20)

    assert len(house.channel.of(BallotFace)) == 3
