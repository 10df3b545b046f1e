"""What fails outside a table's place holds up nothing in it, and rest is only what is stored."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from bot.sessions import letters
from bot.sessions.change import Change
from bot.sessions.faces import BallotFace, NoticeFace, Status, TableFace
from bot.sessions.moderating import Place
from bot.sessions.ports import NotAllowed, PlaceGone, ThreadShut, Unreachable
from bot.store.protocol import StoreBusy
from tests.sessions.house import ALL, ANN, GUILD, MOD, ROOM, House
from tests.sessions.voting import ask_of, with_sand

OTHER, PARENT = 300, 400


def refuse(
    house: House, monkeypatch: pytest.MonkeyPatch, channel_id: int, error: type[Exception]
) -> None:
    """From now on nothing can be posted, changed or deleted in a channel or thread."""
    real: Any = house.channel

    def failing(name: str) -> Any:
        act = getattr(real, name)

        async def call(place: Any, *rest: Any, **more: Any) -> Any:
            if getattr(place, "channel_id", place) == channel_id:
                house.channel.calls.append("refused")
                raise error("refused")
            return await act(place, *rest, **more)

        return call

    for name in ("post", "edit", "delete"):
        monkeypatch.setattr(house.channel, name, failing(name))


async def test_a_shut_thread_that_the_table_has_left(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ended in a locked thread and restored in another channel, a table goes on there; its old
    message is asked for once, and loses its controls when the thread is opened.
    """
    session = await house.game(*ALL)
    await house.run()
    refuse(house, monkeypatch, ROOM, ThreadShut)
    click = house.click(MOD, may_manage=True)
    await session.end(click)
    await house.run(3)
    await session.restore(house.click(MOD, may_manage=True), Place(OTHER))
    await house.run(3)
    refused = house.channel.calls.count("refused")
    await house.answer_all(session, until="vote")
    await house.run(120, step=2)

    assert session.status is Status.RUNNING
    assert session.row.published_ply == session.row.ply > 0
    tables = {m.place.channel_id: m.face for m in house.channel.of(TableFace)}
    new, old = tables[OTHER], tables[ROOM]
    assert isinstance(new, TableFace)
    assert {one.kind for one in new.snapshot.waiting} == {"vote"}
    assert house.channel.calls.count("refused") == refused
    assert house.registry.publisher.barred(session.id) == ""
    monkeypatch.undo()
    assert getattr(old, "live", False)
    house.registry.publisher.opened(session, ROOM)
    await house.run(3)
    tables = {m.place.channel_id: m.face for m in house.channel.of(TableFace)}
    assert not getattr(tables[ROOM], "live", True)


async def test_a_letter_that_cannot_be_delivered(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Discord fails to open one person's letters for minutes: the table is up to date and nobody
    reads anything else, the operator reads one line, and the letter comes at last.
    """
    session = await house.game(*ALL)
    await house.run()
    real = house.channel.post

    async def failing(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id == ANN:
            raise Unreachable("503")
        return await real(address, face, nonce)

    monkeypatch.setattr(house.channel, "post", failing)
    await house.answer_all(session, until="vote")
    await house.run(90)
    publisher = house.registry.publisher
    assert session.row.published_ply == session.row.ply
    assert publisher.barred(session.id) == ""
    assert publisher.shown(session).failures == 0
    lines = [r for r in caplog.records if r.levelno >= logging.WARNING]
    assert [session.code in r.getMessage() for r in lines] == [True]
    assert len(house.channel.of(BallotFace)) == 2
    monkeypatch.undo()
    await house.run(70)

    assert len(house.channel.of(BallotFace)) == 3


@pytest.mark.parametrize(
    ("error", "status"), [(ThreadShut, Status.PAUSED), (PlaceGone, Status.ORPHANED)]
)
async def test_a_rest_that_cannot_be_stored(
    house: House, monkeypatch: pytest.MonkeyPatch, error: type[Exception], status: Status
) -> None:
    """The place is shut or gone while the disk is full: no sand falls, and as soon as it can be
    stored the table rests.
    """
    session = await with_sand(house, 3)
    (glass,) = session.sands.values()
    assert glass.since is not None
    refuse(house, monkeypatch, ROOM, error)
    commit = house.store.commit

    async def full(write: Any) -> None:
        raise StoreBusy("the disk is full")

    monkeypatch.setattr(house.store, "commit", full)
    session.version += 1
    house.registry.publisher.nudge(session)
    await house.run(1)
    left = glass.left_at(house.time.now)
    await house.run(100, step=2)
    assert glass.left_at(house.time.now) == left
    assert session.status is Status.RUNNING
    monkeypatch.setattr(house.store, "commit", commit)
    await house.run(62, step=2)

    assert session.status is status


async def test_a_notice_told_outside_waits_for_no_thread(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While nothing may be posted in the thread, its channel is told what it is to be told."""
    session = await house.registry.open_lobby(
        house.click(ANN), game=house.title.key, guild_id=GUILD, channel_id=ROOM, parent_id=PARENT
    )
    for user in ALL[1:]:
        await session.join(house.click(user))
    await session.start(house.click(ANN))
    await house.run(3)
    refuse(house, monkeypatch, ROOM, NotAllowed)
    change = Change(fields={"status": "paused"})
    letters.notice(session, change, "resumed")
    letters.notice(session, change, "thread_shut")
    await session.locked(lambda: session.commit(change), "notices")
    house.registry.publisher.nudge(session)
    await house.run(3)

    told = house.channel.of(NoticeFace)
    assert [one.place.channel_id for one in told] == [PARENT]
    assert ask_of(session, "propose")
