"""/undo: the last public answer is taken back if everybody agrees and nothing has come of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.sessions.faces import MotionFace, NoticeFace, TableFace
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.journal import Branch, load_record
from tests.e2e.script import Question, calm, script
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, MOD, House, first_value

PICKS = [Question("pick", 3, seats=(n % 3,)) for n in range(6)]


async def scripted(folder: Path, *questions: Question) -> House:
    """A bot whose game asks these questions."""
    return await House(folder / "data", script(*(questions or PICKS), agent=calm)).open()


async def pick(house: House, session: Session, value: str = "thing_1") -> None:
    """Whoever is asked picks that."""
    decision = next(d for d in session.playing.asked if d.current is None)
    user = session.seats[decision.seat].user_id or 0
    await session.answer(house.click(user), decision.question, decision.kind, (value,))


async def ask(house: House, session: Session, user: int = ANN) -> bool:
    """A player asks to take the last answer back."""
    return await session.ask_undo(house.click(user), session.row.ply)


def motions(house: House) -> list[MotionFace]:
    """What the table was asked, as it stands in the channel."""
    return [m.face for m in house.channel.of(MotionFace) if isinstance(m.face, MotionFace)]


@pytest.mark.parametrize("restarts", [False, True])
async def test_everybody_agrees_by_one_click(tmp_path: Path, restarts: bool) -> None:
    """The table is asked; with the last yes the answer is gone, behind a branch record, and the
    table shows that moment. The vote survives restarts between the clicks.
    """
    house = await scripted(tmp_path)
    session = await house.game(*ALL)
    await pick(house, session)
    await pick(house, session, "thing_2")
    trace = session.playing.entries[0].trace
    assert await ask(house, session) is False
    await house.run(2)
    (asked,) = motions(house)
    assert (asked.state, asked.agreed, asked.awaited) == ("open", (0,), (1, 2))
    number = session.motion.number if session.motion else 0
    for user, state in ((BEA, "open"), (CID, "carried")):
        if restarts:
            await house.restart()
            session = house.same(session)
        assert await session.speak(house.click(user), number, agrees=True) == state
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    await house.run(3)
    records = [load_record(r.record, 0) for r in await house.store.entries(session.id)]

    assert records[2:] == [Branch(1, 1, "undo")]
    assert [e.trace for e in session.playing.entries] == [trace]
    assert [d.seat for d in session.playing.asked] == [1]
    (asked,) = motions(house)
    assert asked.state == "carried"
    tables = [m.face for m in house.channel.of(TableFace)]
    live = [face for face in tables if isinstance(face, TableFace) and face.live]
    assert [face.snapshot.ply for face in live] == [1]
    notices = [m.face for m in house.channel.of(NoticeFace)]
    assert [n.word for n in notices if isinstance(n, NoticeFace)] == ["undone"]
    (act,) = await house.store.acts(session.guild_id)
    assert (act.what, act.by) == ("undo", ANN)
    await pick(house, session)
    await house.die()


async def test_one_no_and_it_stays(tmp_path: Path) -> None:
    """The table is not asked the same a second time; after the next answer it may be again."""
    house = await scripted(tmp_path)
    session = await house.game(*ALL)
    await pick(house, session)
    await ask(house, session)
    await house.run(0.5)
    assert await session.speak(house.click(CID), 1, agrees=False) == "refused"
    with pytest.raises(Refusal, match="motion_over"):
        await session.speak(house.click(BEA), 1, agrees=True)
    with pytest.raises(Refusal, match="undo_refused"):
        await ask(house, session, BEA)
    await pick(house, session)
    await ask(house, session, BEA)
    await house.run(2)

    assert [face.state for face in motions(house)] == ["refused", "open"]
    assert session.playing.ply == 2
    await house.die()


async def test_alone_at_the_table_it_is_done_at_once(tmp_path: Path) -> None:
    """Computer players do not count. Who looked first is refused if the table moved on since."""
    house = await scripted(
        tmp_path, Question("pick", 3, seats=(0,)), Question("pick", 3, seats=(0,))
    )
    session = await house.game(ANN, computers=2)
    await pick(house, session)
    found = await session.undo_look(house.click(ANN))
    assert found.alone
    assert [e.event.kind for e in found.told] == ["answered"]
    with pytest.raises(Refusal, match="stale"):
        await session.ask_undo(house.click(ANN), found.length - 1)
    assert await session.ask_undo(house.click(ANN), found.length) is True
    assert session.playing.ply == 0
    assert motions(house) == []
    with pytest.raises(Refusal, match="undo_nothing"):
        await session.undo_look(house.click(ANN))
    await house.die()


async def test_the_same_click_twice_takes_back_one_answer(tmp_path: Path) -> None:
    """A delivery that comes again is not counted, also after a restart."""
    house = await scripted(tmp_path, *[Question("pick", 3, seats=(0,))] * 4)
    session = await house.game(ANN, computers=1)
    await pick(house, session)
    await pick(house, session)
    click = house.click(ANN)
    await session.ask_undo(click, session.row.ply)
    for _ in range(2):
        with pytest.raises(Refusal):
            await session.ask_undo(click, session.row.ply)
        await house.restart()
        session = house.same(session)
    await session.snapshot()
    assert session.playing.ply == 1
    await house.die()


async def test_not_once_somebody_has_answered(tmp_path: Path) -> None:
    """The next answer makes an open question to the table lapse; so does a computer's answer, but
    computers leave people a minute to talk about it.
    """
    house = await scripted(tmp_path, *[Question("pick", 3, seats=(n,)) for n in (0, 1, 2, 0)])
    session = await house.game(ANN, BEA, computers=1)
    await pick(house, session)
    await ask(house, session)
    await house.run(0.5)
    await pick(house, session)
    await house.run(0.75)
    assert [face.state for face in motions(house)] == ["lapsed"]
    with pytest.raises(Refusal, match="motion_over"):
        await session.speak(house.click(BEA), 1, agrees=True)
    await ask(house, session, BEA)
    await house.run(40)
    assert session.playing.ply == 2
    await house.restart()
    session = house.same(session)
    await house.run(10)
    assert session.playing.ply == 2
    await house.run(20)
    assert session.playing.ply == 3
    await house.run(2)
    assert [face.state for face in motions(house)] == ["lapsed", "lapsed"]
    with pytest.raises(Refusal, match="undo_late"):
        await ask(house, session)
    await house.die()


async def test_never_for_ballots_cards_dice_and_what_was_hidden(house: House) -> None:
    """Through a whole game of the senate each of the four is refused, a ballot also to others."""
    session = await house.game(*ALL)
    refused: dict[str, str] = {}
    for _ in range(120):
        if session.is_over:
            break
        decision = next(d for d in session.playing.asked if d.current is None)
        user = session.seats[decision.seat].user_id or 0
        value = first_value(decision)
        await session.answer(house.click(user), decision.question, decision.kind, value)
        if session.is_over:
            break
        for other in ALL:
            own_secret = other == user and decision.secret
            seat = session.seat_of(other)
            has_answered = any(entry.seat == seat for entry in session.playing.entries)
            late = "undo_late" if has_answered else "undo_nothing"
            with pytest.raises(Refusal, match="undo_secret" if own_secret else late):
                await ask(house, session, other)
        refused[decision.kind] = "undo_late"
        offer = next((o for o in session.playing.offers if o.kind == "decree"), None)
        if offer is not None and "decree" not in refused:
            user = session.seats[offer.seat].user_id or 0
            await session.answer(house.click(user), 0, offer.kind, offer.keys()[:1])
            with pytest.raises(Refusal, match="undo_secret"):
                await ask(house, session, user)
            refused["decree"] = "undo_secret"

    assert set(refused) == {"propose", "before_vote", "vote", "spend", "take_chair", "decree"}
    assert all(row.state != "carried" for row in session.motions.values())


async def test_who_may_ask_and_who_may_agree(tmp_path: Path) -> None:
    """Only people at the table; a spectator, a moderator and a second motion are refused."""
    house = await scripted(tmp_path)
    session = await house.game(*ALL)
    with pytest.raises(Refusal, match="undo_nothing"):
        await ask(house, session)
    await pick(house, session)
    for user in (DOT, MOD):
        with pytest.raises(Refusal, match="not_seated"):
            await session.ask_undo(house.click(user, may_manage=True), session.row.ply)
    await ask(house, session, BEA)
    with pytest.raises(Refusal, match="motion_open"):
        await ask(house, session, CID)
    for user in (DOT, MOD):
        with pytest.raises(Refusal, match="motion_not_yours"):
            await session.speak(house.click(user, may_manage=True), 1, agrees=True)
    with pytest.raises(Refusal, match="motion_over"):
        await session.speak(house.click(ANN), 2, agrees=True)
    await session.pause(house.click(MOD, may_manage=True))
    with pytest.raises(Refusal, match="paused"):
        await session.speak(house.click(ANN), 1, agrees=True)
    with pytest.raises(Refusal, match="paused"):
        await ask(house, session)
    await session.resume(house.click(MOD, may_manage=True))
    await session.speak(house.click(ANN), 1, agrees=True)
    await session.speak(house.click(CID), 1, agrees=True)
    assert session.playing.ply == 0
    await house.die()


async def test_a_question_to_the_table_lapses_when_seats_change_hands(tmp_path: Path) -> None:
    """Who leaves takes no part, and nothing is carried behind their back."""
    house = await scripted(tmp_path)
    session = await house.game(*ALL)
    await pick(house, session)
    await ask(house, session)
    await session.speak(house.click(BEA), 1, agrees=True)
    await session.hand_over(house.click(CID), name="Computer 1")
    await house.run(2)
    assert [face.state for face in motions(house)] == ["lapsed"]
    assert session.playing.entries[0].value == ("thing_1",)
    await house.die()


async def test_nobody_settles_it_and_it_lapses(tmp_path: Path) -> None:
    """After a day the question is closed by itself, also across a restart."""
    house = await scripted(tmp_path)
    session = await house.game(*ALL)
    await pick(house, session)
    await ask(house, session)
    await house.run(2)
    await house.die()
    house.time.now += 86_500
    await house.open()
    session = house.same(session)
    await house.run(2)
    assert [face.state for face in motions(house)] == ["lapsed"]
    assert session.motion is None
    await house.die()
