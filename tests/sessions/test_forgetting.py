"""A person is forgotten: in running games, in finished ones, on the disk and in memory."""

from __future__ import annotations

import contextlib
import sqlite3

import pytest

from bot.sessions import forgetting
from bot.sessions.faces import Status
from bot.sessions.giving import NewSitter
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from bot.store.rows import PreferenceRow
from tests.sessions.house import ANN, BEA, CID, DOT, MOD, House, first_value

NOBODY = "Somebody who left"
COMPUTER = NewSitter(None, "Computer 1")


async def forget(house: House, user: int) -> int:
    """Forget somebody."""
    return await forgetting.forget(house.registry, user, NOBODY, lambda _: "Agatha")


def traces(house: House, user: int) -> list[str]:
    """Every place of the database in which a user's number stands."""
    found: list[str] = []
    with contextlib.closing(sqlite3.connect(house.store.path)) as connection:
        names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
        for (name,) in names:
            for column in connection.execute(f"PRAGMA table_info({name})").fetchall():
                if column[1] not in ("user_id", "host_id", "asked_by"):
                    continue
                sql = f"SELECT count(*) FROM {name} WHERE {column[1]} = ?"
                if connection.execute(sql, (user,)).fetchone()[0]:
                    found.append(f"{name}.{column[1]}")
    return found


async def ended(house: House) -> Session:
    """A game of Ann's and Bea's that a moderator has ended."""
    session = await house.game(ANN, BEA, CID)
    await house.answer_all_people(session)
    await session.end(house.click(MOD, may_manage=True))
    return session


async def test_a_running_table_goes_on_without_the_person(house: House) -> None:
    """A computer player sits there, the host has passed on, and the game can be played on."""
    session = await house.game(ANN, BEA, CID)
    await house.store.set_preference(PreferenceRow(ANN, "dm"))
    assert traces(house, ANN)
    assert await forget(house, ANN) == 1
    assert traces(house, ANN) == []
    assert session.status is Status.RUNNING
    assert session.host_id == BEA
    assert session.seats[0].user_id is None
    assert not forgetting.concerns(session, ANN)
    await house.run(5)
    assert (await session.check()).is_good
    after = await house.restart()
    assert after.same(session).seats[0].user_id is None


@pytest.mark.parametrize("restarts", [False, True])
@pytest.mark.parametrize("seated", [False, True])
async def test_nobody_gets_a_second_seat_by_being_forgotten(
    house: House, seated: bool, restarts: bool
) -> None:
    """Neither by the table's menu nor by a moderator's hand, who still counts as a party there;
    the old seat can be had again. Whoever was taken out by a moderator stays so.
    """
    session = await house.game(ANN, BEA, CID, DOT)
    if not seated:
        await session.hand_over(house.click(ANN), name="Computer 1")
    await session.give_seat(house.click(MOD, may_manage=True), 1, COMPUTER, bars=True)
    await session.hand_over(house.click(CID), name="Computer 2")
    for user in (ANN, BEA):
        await forget(house, user)
    if restarts:
        await house.restart()
        session = house.same(session)
    with pytest.raises(Refusal, match="sat_before"):
        await session.take_over(house.click(ANN), 2)
    with pytest.raises(Refusal, match="knows_a_seat"):
        await session.give_seat(house.click(MOD, may_manage=True), 2, NewSitter(ANN, "Ann"))
    with pytest.raises(Refusal, match="sent_away"):
        await session.take_over(house.click(BEA), 1)
    ann = house.click(ANN, may_manage=True)
    assert await session.give_seat(ann, 2, NewSitter(5, "Eve")) is False
    (mark,) = (await forgetting.about(house.registry, ANN))["marks"]  # type: ignore[misc]
    assert mark == {"code": session.code, "seat": 1, "barred": False}
    await session.take_over(house.click(ANN), 0)
    assert session.seat_of(ANN) == 0
    await forget(house, ANN)
    assert traces(house, ANN) == []


async def test_marks_go_with_the_game_and_are_no_numbers(house: House) -> None:
    """One person has another mark at each table, a game that is over for good keeps none, and all
    that is left of a table that was ended goes when it is deleted.
    """
    first = await house.game(ANN, BEA, CID)
    await first.end(house.click(MOD, may_manage=True))
    second = await ended(house)
    third = await ended(house)
    await third.public_record()
    await forget(house, ANN)
    marks = [await house.store.formers(one.id) for one in (first, second, third)]
    assert [len(rows) for rows in marks] == [1, 1, 0]
    assert len({row.mark for rows in marks for row in rows}) == 2
    assert first.formers == {row.mark: row for row in marks[0]}
    now = house.time.epoch()
    await house.store.purge_games(now + 1, now, 5)
    assert await house.store.formers(first.id) == ()


@pytest.mark.parametrize("end", ["finished", "told"])
@pytest.mark.parametrize("restarts", [False, True])
async def test_marks_that_were_there_go_when_the_game_ends_for_good(
    house: House, end: str, restarts: bool
) -> None:
    """Forgotten first, then the game ends with a result, or its dice are told after it was ended:
    no mark stays, neither on the disk nor in memory.
    """
    session = await house.game(ANN, BEA, CID)
    await forget(house, ANN)
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    if end == "finished":
        assert len(await house.store.formers(session.id)) == len(session.formers) == 1
        for _ in range(300):
            await house.run(1.5)
            asked = [] if session.is_over else session.playing.asked
            open_ones = [d for d in asked if d.current is None and d.seat in session.persons()]
            for one in open_ones[:1]:
                click = house.click(session.persons()[one.seat])
                await session.answer(click, one.question, one.kind, first_value(one))
        assert session.status is Status.FINISHED
    else:
        await session.end(house.click(MOD, may_manage=True))
        assert len(await house.store.formers(session.id)) == len(session.formers) == 1
        await session.public_record()
    assert await house.store.formers(session.id) == ()
    assert session.formers == {}
    assert (await forgetting.about(house.registry, ANN))["marks"] == []


async def test_a_finished_game_keeps_its_record(house: House) -> None:
    """The seat is nobody's; the journal replays, and the public record is the same."""
    session = await ended(house)
    before = await session.public_record()
    assert await forget(house, ANN) == 1
    assert session.seats[0].name == NOBODY
    assert session.names == {NOBODY, "Bea", "Cid"}
    assert await session.public_record() == before
    assert (await session.check()).is_good
    assert traces(house, ANN) == []
    await house.restart()
    again = await house.registry.recall(session.id)
    assert await again.public_record() == before
    (told,) = await house.registry.finished(session.guild_id)
    assert told.seats[0] == NOBODY


@pytest.mark.parametrize("state", ["paused", "crashed", "lobby"])
async def test_tables_that_stand_still_forget_too(house: House, state: str) -> None:
    """Paused, stopped by a fault, or not begun."""
    if state == "lobby":
        session = await house.lobby(ANN, BEA)
    else:
        session = await house.game(ANN, BEA, CID)
        if state == "paused":
            await session.pause(house.click(MOD, may_manage=True))
        else:
            await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    assert await forget(house, ANN) == 1
    assert traces(house, ANN) == []
    assert not forgetting.concerns(session, ANN)
    house = await house.restart()
    assert not forgetting.concerns(house.same(session), ANN)


async def test_a_moderator_disappears_from_the_log(house: House) -> None:
    """What was done stays, by nobody; what is told to them before has it."""
    session = await house.game(ANN, BEA, CID)
    await session.pause(house.click(MOD, may_manage=True))
    told = await forgetting.about(house.registry, MOD)
    assert [(one["what"], one["by_me"]) for one in told["acts"]] == [("pause", 1)]  # type: ignore[index,union-attr]
    await forget(house, MOD)
    (act,) = await house.store.acts(session.guild_id)
    assert (act.what, act.by) == ("pause", None)
    assert (await forgetting.about(house.registry, MOD))["acts"] == []


async def test_who_is_told_hears_of_nobody_else(house: House) -> None:
    """One's own seats, tables and notes; no other person, no answer, no secret."""
    session = await ended(house)
    told = await forgetting.about(house.registry, BEA)
    text = str(told)
    assert told["user"] == BEA
    assert [one["code"] for one in told["seats"]] == [session.code]  # type: ignore[index,union-attr]
    assert told["hosted"] == []
    assert "Ann" not in text
    assert session.row.secret.hex() not in text


async def test_a_stranger_is_forgotten_without_harm(house: House) -> None:
    """Nothing is known, nothing changes."""
    session = await house.game(ANN, BEA, CID)
    before = (dict(session.seats), session.row)
    assert await forget(house, 999_999) == 0
    assert (session.seats, session.row) == before


async def test_what_is_not_saved_is_not_forgotten(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: the person hears it, and memory is as the disk."""
    session = await ended(house)

    async def full(user: int, name: str) -> tuple[int, ...]:
        raise StoreBusy("the disk is full")

    monkeypatch.setattr(house.store, "forget", full)
    with pytest.raises(Refusal, match="not_saved"):
        await forget(house, ANN)
    assert session.seats[0].user_id == ANN
    assert session.is_party(ANN)
