"""Tables whose thread is shut: paused by the bot itself, they go on, move or end."""

from __future__ import annotations

from typing import Any

import pytest

from bot.sessions import moderating, reopening
from bot.sessions.faces import NoticeFace, Status
from bot.sessions.moderating import Place
from bot.sessions.ports import NotAllowed, PlaceGone, Refusal, ThreadShut
from bot.sessions.replaying import Broken
from bot.sessions.session import Session
from bot.sessions.upkeep import shut
from tests.sessions.faulty import locked_up
from tests.sessions.house import ALL, ANN, GUILD, MOD, ROOM, House
from tests.sessions.live_table import left, told
from tests.sessions.waiting import DAY, act

PARENT = 300


async def in_thread(house: House) -> Session:
    """A live table that has begun in a thread."""
    session = await house.registry.open_lobby(
        house.click(ANN), game=house.title.key, guild_id=GUILD, channel_id=ROOM, parent_id=PARENT,
        pace="live",
    )  # fmt: skip
    for user in ALL[1:]:
        await session.join(house.click(user))
    await session.start(house.click(ANN))
    await house.run(2)
    return session


async def shut_out(house: House) -> Session:
    """Such a table, after its thread was shut."""
    session = await in_thread(house)
    assert await shut(session, "it is locked")
    await house.run(2)
    assert session.is_shut_out
    return session


def said(house: House) -> list[tuple[str, int | None]]:
    """The notices, and where each stands."""
    faces = [(m.face, m.place.channel_id) for m in house.channel.of(NoticeFace)]
    return [(face.word, place) for face, place in faces if isinstance(face, NoticeFace)]


@pytest.mark.parametrize("restarted", [False, True])
async def test_it_goes_on_when_its_thread_is_opened(house: House, restarted: bool) -> None:
    """Nobody need do anything else; time is left as it was, and the table says why it goes on."""
    session = await shut_out(house)
    (before,) = left(session)
    await house.run(1000, step=5)
    if restarted:
        await house.restart()
        session = house.same(session)
        assert session.is_shut_out
    await reopening.go_on(session)
    assert (session.status, session.row.crash) == (Status.RUNNING, None)
    await house.run(2)
    assert left(session) == [pytest.approx(before, abs=3)]
    assert said(house)[-1] == ("thread_open", ROOM)
    assert await act(house, session, ANN)


async def test_what_a_moderator_has_paused_waits_for_a_moderator(house: House) -> None:
    """An opened thread changes nothing; also where the bot had paused it first."""
    session = await in_thread(house)
    await session.pause(house.click(MOD, may_manage=True))
    await reopening.go_on(session)
    assert session.status is Status.PAUSED
    await session.resume(house.click(MOD, may_manage=True))
    assert await shut(session, "it is locked")
    await session.pause(house.click(MOD, may_manage=True))
    await reopening.go_on(session)
    await house.run(60 * DAY, step=7200)
    assert session.status is Status.PAUSED
    with pytest.raises(Refusal, match="paused"):
        await session.pause(house.click(MOD, may_manage=True))


@pytest.mark.parametrize("by", ["bot", "moderator"])
async def test_resuming_opens_the_thread_or_says_that_it_cannot(house: House, by: str) -> None:
    """One attempt. If it fails the table waits for the thread, whoever paused it before, and goes
    on with it; if it works the table goes on at once.
    """
    session = await in_thread(house)
    if by == "bot":
        assert await shut(session, "it is locked")
    else:
        await session.pause(house.click(MOD, may_manage=True))
    house.channel.failures["open"] = [ThreadShut("it is locked")]
    tried = house.channel.calls.count("open")
    with pytest.raises(Refusal, match="still_shut"):
        await session.resume(house.click(MOD, may_manage=True))
    assert house.channel.calls.count("open") == tried + 1
    assert session.is_shut_out
    with pytest.raises(Refusal, match="shut_out"):
        await act(house, session, ANN)
    await session.resume(house.click(MOD, may_manage=True))
    assert session.status is Status.RUNNING
    assert await act(house, session, ANN)


async def test_resuming_where_there_is_no_thread_any_more(house: House) -> None:
    """The table has lost its channel: that is said, and it can be brought back elsewhere."""
    session = await shut_out(house)
    house.channel.failures["open"] = [PlaceGone()]
    with pytest.raises(Refusal, match="orphaned"):
        await session.resume(house.click(MOD, may_manage=True))
    assert session.status is Status.ORPHANED
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 1))
    assert session.status is Status.RUNNING


async def test_it_is_not_known_whether_the_thread_is_open(house: House) -> None:
    """Something else goes wrong with the attempt: that keeps nobody from playing."""
    session = await in_thread(house)
    await session.pause(house.click(MOD, may_manage=True))
    house.channel.failures["open"] = [NotAllowed()]
    await session.resume(house.click(MOD, may_manage=True))
    assert session.status is Status.RUNNING


async def test_it_moves_in_one_step(house: House) -> None:
    """Restored in another channel it goes on there, with nothing tried in the old place; without
    one it is the same as resuming.
    """
    session = await shut_out(house)
    house.channel.failures["open"] = [ThreadShut("it is locked")]
    with pytest.raises(Refusal, match="still_shut"):
        await session.restore(house.click(MOD, may_manage=True))
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 1))
    assert (session.status, session.row.crash) == (Status.RUNNING, None)
    await house.run(2)
    assert said(house)[-1] == ("moved", ROOM + 1)
    assert await act(house, session, ANN)


async def test_while_it_stays_shut_it_ages(house: House) -> None:
    """After two weeks the thread's channel is told, also over a restart; two weeks later the game
    ends without a result, which is told too. It can be brought back before and afterwards.
    """
    session = await shut_out(house)
    await house.run(13.9 * DAY, step=3600)
    assert session.row.expires_at is None
    await house.restart()
    session = house.same(session)
    await house.run(0.2 * DAY, step=3600)
    assert said(house)[-1] == ("quiet_thread", PARENT)
    ends_at = session.row.expires_at
    assert ends_at is not None
    await session.note_look(house.click(ANN, may_manage=True), "inspect")
    assert session.row.expires_at == ends_at
    await house.run(13.7 * DAY, step=3600)
    assert session.is_shut_out
    await house.run(0.4 * DAY, step=3600)
    assert session.status is Status.ABANDONED
    assert said(house)[-1] == ("expired_thread", PARENT)
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 1))
    assert session.status is Status.RUNNING


async def test_an_opened_thread_calls_the_end_off(house: House) -> None:
    """Its end was announced; the thread is opened hours before, and the table can be played: from
    then on it ends as any other at which nobody plays.
    """
    session = await shut_out(house)
    await house.run(15 * DAY, step=3600)
    ends_at = session.row.expires_at
    assert ends_at is not None
    await house.run(12.8 * DAY, step=3600)
    await reopening.go_on(session)
    assert session.row.expires_at is None
    await house.run(0.6 * DAY, step=300)
    assert house.time.epoch() > ends_at
    assert session.status is Status.RUNNING
    assert ("thread_open", None) in told(house)
    assert await session.come_back(house.click(ANN))


async def test_a_return_that_could_not_be_stored_is_tried_again(house: House) -> None:
    """The disk was busy when the thread was opened: the table goes on some seconds later."""
    session = await shut_out(house)
    with locked_up(house):
        await reopening.go_on(session)
    assert session.is_shut_out
    await house.run(10)
    assert session.status is Status.RUNNING


async def test_a_thread_that_is_opened_before_we_know_that_it_is_shut(house: House) -> None:
    """Discord's two words cross: the table is not paused for a thread that is open."""
    session = await in_thread(house)
    real = house.channel.edit

    async def crossed(*_: Any, **__: Any) -> None:
        house.registry.publisher.opened(session, ROOM)
        house.channel.edit = real
        raise ThreadShut

    house.channel.edit = crossed
    assert await act(house, session, ANN)
    await house.run(5)
    assert session.status is Status.RUNNING
    assert house.registry.publisher.shown(session).failures == 0


async def test_a_table_that_cannot_be_moved_still_waits_for_its_thread(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its journal cannot be played, which a moderator learns by `/session restore`; no pause of
    theirs comes of it: in the end the game ends, and its channel is free.
    """
    session = await shut_out(house)

    def broken(*_: object) -> None:
        raise Broken(-1, "garbled")

    monkeypatch.setattr(moderating, "replayed", broken)
    with pytest.raises(Refusal, match="not_restorable"):
        await session.restore(house.click(MOD, may_manage=True), Place(777))
    assert session.is_shut_out
    await house.run(60 * DAY, step=7200)
    assert session.is_over
