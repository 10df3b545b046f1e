"""A rewind by mistake: the answers that it left out come back."""

from __future__ import annotations

import pytest

from bot.sessions import stored
from bot.sessions.faces import NoticeFace
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.journal import Branch, load_record
from tests.sessions.house import ALL, ANN, MOD, House
from tests.sessions.rewinding import play_on, rewind


async def take_back(house: House, session: Session, user: int = MOD) -> None:
    """A moderator takes the last rewind back."""
    click = house.click(user, may_manage=True)
    await session.take_back_rewind(click, mark_of(session))


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("back", [1, 9])
async def test_a_rewind_by_mistake_is_taken_back(house: House, restarts: bool, back: int) -> None:
    """The table stands where it stood, to the same hash, nothing is deleted, and the game goes on
    to its end and can be verified. What is asked has a number of its own.
    """
    session = await house.game(*ALL)
    traces = await play_on(house, session, 13)
    old = {decision.question for decision in session.playing.asked}
    await rewind(house, session, 13 - back)
    assert await session.can_return()
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    await take_back(house, session)
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    records = [load_record(r.record, 0) for r in await house.store.entries(session.id)]

    assert records[13:] == [Branch(1, 13 - back, "moderator"), Branch(2, 13, "return")]
    assert [e.trace for e in session.playing.entries] == traces
    assert not old & {decision.question for decision in session.playing.asked}
    assert not await session.can_return()
    act, *_ = await house.store.acts(session.guild_id)
    assert (act.what, act.by) == ("return", MOD)
    await house.run(3)
    notices = [m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)]
    assert notices == ["rewound", "returned"]
    assert (await session.check()).is_good
    while not session.is_over:
        await play_on(house, session, 1)
    record = await session.public_record()
    assert [one["by"] for one in record["taken_back"]] == ["moderator", "return"]
    assert {draw["branch"] for draw in record["ledger"]} == {0, 2}


async def test_dice_after_the_return_are_nobodys_to_know(house: House) -> None:
    """Neither those of the abandoned line nor those of the rewind fall again: what anybody could
    work out beforehand would be known dice.
    """
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await play_on(house, session, 1)
    await rewind(house, session, session.playing.ply - 1)
    await take_back(house, session)
    before = session.playing.chance.calls
    while session.playing.chance.calls == before:
        await play_on(house, session, 1)
    assert {draw.branch for draw in session.playing.chance.ledger[before:]} == {2}


async def test_no_answer_is_lost_by_a_return(house: House) -> None:
    """Once anybody has answered since, in secret or not, a rewind stays; so it does if the table
    has taken an answer back itself, and where there was none.
    """
    session = await house.game(*ALL)
    with pytest.raises(Refusal, match="nothing_to_return"):
        await take_back(house, session)
    await house.answer_all(session, until="vote")
    await rewind(house, session, 1)
    await play_on(house, session, 1)
    assert not await session.can_return()
    with pytest.raises(Refusal, match="nothing_to_return"):
        await take_back(house, session)
    await rewind(house, session, 0)
    with pytest.raises(Refusal, match="only_moderators"):
        await session.take_back_rewind(house.click(ANN), mark_of(session))
    with pytest.raises(Refusal, match="stale"):
        await session.take_back_rewind(house.click(MOD, may_manage=True), "000000000000")
    await take_back(house, session)
    with pytest.raises(Refusal, match="nothing_to_return"):
        await take_back(house, session)


async def test_two_rewinds_and_one_is_taken_back(house: House) -> None:
    """The last one only: the table stands where the first one had put it."""
    session = await house.game(*ALL)
    traces = await play_on(house, session, 13)
    await rewind(house, session, 9)
    await rewind(house, session, 2)
    await take_back(house, session)
    assert [e.trace for e in session.playing.entries] == traces[:9]
    await play_on(house, session, 2)
    await house.restart()
    session = house.same(session)
    await session.snapshot()
    assert session.playing.ply == 11


async def test_whether_a_rewind_can_be_taken_back_is_found_out_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looking at the moments replays nothing; what was found out holds until the journal grows."""
    session = await house.game(*ALL)
    await play_on(house, session, 5)
    await rewind(house, session, 3)
    looks: list[str] = []
    read = stored.journal_of

    async def noted(session: Session) -> object:
        looks.append(session.code)
        return await read(session)

    monkeypatch.setattr(stored, "journal_of", noted)
    await session.moments()
    assert looks == []
    for _ in range(3):
        assert await session.can_return()
    assert len(looks) == 1
    await play_on(house, session, 1)
    assert not await session.can_return()
    assert len(looks) == 2
