"""Players who are away: a computer plays for them, and any click of theirs brings them back."""

from __future__ import annotations

import pytest

from bot.sessions import motions
from bot.sessions.change import Change
from bot.sessions.faces import PingFace, ReminderFace
from bot.sessions.ports import Refusal
from tests.sessions.house import ANN, BEA, CID, DOT, MOD, House
from tests.sessions.live_table import LIVE, SHOWN, asked, bys, table, told
from tests.sessions.waiting import act, send_away, take_no_letters


async def test_two_misses_in_a_row_and_a_computer_plays(house: House) -> None:
    """GAM-01: after the second miss the seat is played by a computer player and the table is told;
    after the first, an answer of the player's own begins the count anew.
    """
    session = await table(house)
    await house.run(LIVE + 6)
    assert session.seats[0].misses == 1
    await house.answer_all(session, until="vote")
    assert session.seats[0].misses == 0
    await send_away(house, session, ANN)
    assert session.seats[0].user_id == ANN
    assert told(house).count(("away", 0)) == 1
    own = [one for one in bys(session) if one[0] == 0]
    assert [by for _, _, by in own[-2:]] == ["clock", "clock"]
    for _ in range(40):
        for user in (BEA, CID):
            await act(house, session, user)
        await house.run(2)
        if bys(session)[-1][2] == "agent":
            break
    assert "agent" in [by for seat, _, by in bys(session) if seat == 0]
    assert not [m for m in house.channel.of(PingFace) if getattr(m.face, "seat", None) == 0]


async def test_any_click_of_theirs_that_counts_brings_them_back(house: House) -> None:
    """The button, an answer, and leaving the seat to look at it: each ends it, across a restart."""
    session = await table(house)
    await send_away(house, session, ANN)
    await house.restart()
    session = house.same(session)
    assert session.seats[0].away
    assert session.plays_itself(0)
    assert await session.come_back(house.click(ANN))
    assert (session.seats[0].away, session.seats[0].misses) == (False, 0)
    assert not await session.come_back(house.click(ANN))
    await send_away(house, session, ANN)
    with pytest.raises(Refusal, match="stale"):
        await session.answer(house.click(ANN), 999, "vote", ("aye",))
    assert not session.seats[0].away
    rows = await house.store.seats(session.id)
    assert (rows[0].away, rows[0].misses) == (False, 0)


async def test_whoever_is_back_is_asked_again(house: House) -> None:
    """Back at the table, a player has all the time for the next question, and is called to it."""
    session = await table(house)
    await send_away(house, session, ANN)
    assert await session.come_back(house.click(ANN))
    for _ in range(200):
        if (0, "vote") in asked(session):
            break
        for user in (ANN, BEA, CID):
            await act(house, session, user)
        await house.run(1)
    await house.run(SHOWN)
    (clock,) = [c for key, c in session.clocks.items() if key[1] == 0]
    assert clock.left_at(house.time.now) > LIVE - 5


async def test_the_host_s_role_passes_on_to_somebody_who_is_there(house: House) -> None:
    """A host who is away is host no more; neither is one who leaves, and nobody absent inherits."""
    session = await table(house)
    assert session.host_id == ANN
    await send_away(house, session, ANN)
    assert session.host_id == BEA
    await session.gone(BEA, "Agatha")
    assert session.host_id == CID


async def test_the_absent_have_no_voice_in_taking_back(house: House) -> None:
    """Taking an answer back needs those who are there, so that one who is away blocks nothing. Of
    their own seat they are asked all the same.
    """
    session = await table(house, ANN, BEA, CID, DOT)
    await send_away(house, session, DOT)
    change = Change()
    undo = motions.move(session, change, "undo", 0, asked_by=ANN, voices={0: True})
    assert motions.awaited(session, undo) == (1, 2)
    seat = motions.move(session, change, "seat", 3, asked_by=ANN, user_id=MOD, name="Mod")
    assert 3 in motions.awaited(session, seat)


async def test_letters_that_are_refused_are_told_once(house: House) -> None:
    """MEM-01: a player who takes no letters votes in the panel; one note says so, however many
    ballots there are, and no second letter is tried.
    """
    tries = take_no_letters(house, BEA)
    session = await house.game(ANN, BEA, CID)
    for _ in range(3):
        await house.answer_all(session, until="vote")
        await house.run(SHOWN)
        for user in (ANN, BEA, CID):
            await act(house, session, user)
        await house.run(SHOWN)
    assert told(house) == [("letters_closed", 1)]
    assert tries == [BEA]


async def test_a_restart_nags_nobody_whose_letters_are_refused(house: House) -> None:
    """Who takes no letters is remembered while the bot runs only, since nobody sees a difference:
    each start tries one letter, the table's note is not written again, and ballots and calls come
    where they came before.
    """
    await house.registry.desk.set_preference(BEA, pings="dm")
    tries = take_no_letters(house, BEA)
    session = await house.game(ANN, BEA, CID)
    for life in range(1, 4):
        await house.answer_all(session, until="vote")
        await house.run(40)
        assert len(tries) == life
        assert told(house) == [("letters_closed", 1)]
        calls = [m for m in house.channel.of(PingFace) if m.place.user_id is None]
        assert [m.face.seat for m in calls if isinstance(m.face, PingFace)] == [1]
        for user in (ANN, BEA, CID):
            await act(house, session, user)
        await house.run(SHOWN)
        await house.restart()
        session = house.same(session)
        await session.snapshot()


async def test_reminders_go_when_a_seat_changes_hands(house: House) -> None:
    """A reminder to somebody who has left does not stay in the channel."""
    session = await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    assert len(house.channel.of(ReminderFace)) == 1
    await session.gone(ANN, "Agatha")
    await house.run(3)
    assert not house.channel.of(ReminderFace)
