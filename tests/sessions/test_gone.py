"""Players who left the server: nobody waits for them, calls them or writes to them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.sessions import motions
from bot.sessions.change import Change
from bot.sessions.faces import PingFace, Status
from bot.sessions.ports import Refusal
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, ROOM, House
from tests.sessions.live_table import SHOWN, asked, bys, table, told
from tests.sessions.waiting import act


async def test_whoever_leaves_has_no_voice_any_more(house: House) -> None:
    """MEM-03: a motion for which somebody's yes was missing lapses when they leave; asked again,
    the table needs those who are still there, and no more.
    """
    session = await table(house, ANN, BEA, CID, DOT)
    change = Change()
    motions.move(session, change, "undo", 0, asked_by=ANN, voices={0: True, 1: True, 2: True})
    await session.locked(lambda: session.commit(change), "test")
    assert session.motion is not None
    assert motions.awaited(session, session.motion) == (3,)
    await session.gone(DOT, "Agatha")
    assert session.motion is None
    again = Change()
    asked_again = motions.move(session, again, "undo", 0, asked_by=ANN, voices={0: True, 1: True})
    assert motions.awaited(session, asked_again) == (2,)
    heard = replace(asked_again, voices={0: True, 1: True, 2: True})
    assert motions.verdict(session, heard) == "carried"


@pytest.mark.parametrize("until", ["propose", "before_vote", "vote", "spend", "take_chair"])
async def test_whoever_leaves_the_server_is_not_waited_for(house: House, until: str) -> None:
    """MEM-03: in each phase the seat goes to a computer player at once, the table is told, and the
    game goes on within ten seconds.
    """
    session = await house.game(ANN, BEA, CID)
    await house.answer_all(session, until=until)
    await house.run(SHOWN)
    seat = next(d.seat for d in session.playing.asked if d.current is None)
    user = session.persons()[seat]
    count = len(session.playing.entries)
    assert await session.gone(user, "Agatha")
    assert session.seats[seat].user_id is None
    await house.run(10)
    host = [("host", 1)] if user == ANN else []
    assert told(house) == [("gone", seat), *host]
    shared = until == "take_chair"
    others = [d for d in session.playing.asked if d.current is None and d.seat != seat]
    assert len(session.playing.entries) > count or (shared and others)
    assert (seat, until) not in asked(session) or shared
    assert not await session.gone(user, "Agatha")


@pytest.mark.parametrize("leaves_first", [True, False])
async def test_nobody_is_called_who_has_just_left(house: House, leaves_first: bool) -> None:
    """MEM-05: the next player leaves in the tick in which the one before ends their turn, in either
    order: no call goes to them.
    """
    session = await house.game(ANN, BEA, CID)
    await house.answer_all(session, until="before_vote")
    await house.run(60)
    decision = next(iter(session.playing.asked))
    seat, after = decision.seat, (decision.seat + 1) % 3
    leaver = session.persons()[after]
    click = house.click(session.persons()[seat])
    leaves = session.gone(leaver, "Agatha")
    ends_turn = session.answer(click, decision.question, decision.kind, ("pass",))
    deeds = (leaves, ends_turn) if leaves_first else (ends_turn, leaves)
    await asyncio.gather(*deeds)
    assert asked(session)[0] == (after, "before_vote")
    await house.run(40)
    calls = [m.face for m in house.channel.of(PingFace, deleted=True)]
    called = [face.seat for face in calls if isinstance(face, PingFace)]
    assert called
    assert after not in called
    assert [one[:1] for one in bys(session) if one[1] == "before_vote"][:2] == [(seat,), (after,)]
    assert all(session.seats[one].user_id for one in called if one is not None)


async def test_leaving_on_one_s_own_turn_and_coming_back(house: House) -> None:
    """MEM-06: three times whoever is to move leaves the server and is back two turns later:
    the seats stay in their order, everybody has a turn in each round and nobody a second one, and
    their own seat is the one that they may have.
    """
    session = await house.game(ANN, BEA, CID)
    for _ in range(3):
        await house.answer_all(session, until="before_vote")
        seat = next(d.seat for d in session.playing.asked)
        user = session.persons()[seat]
        await session.gone(user, "Agatha")
        await house.run(4)
        for turn in (1, 2):
            assert asked(session) == [((seat + turn) % 3, "before_vote")]
            assert await act(house, session, session.persons()[(seat + turn) % 3])
        assert [row.seat for row in session.seats.values()] == [0, 1, 2]
        with pytest.raises(Refusal):
            await session.take_over(house.click(user), (seat + 1) % 3)
        look = await session.take_over(house.click(user), seat)
        assert look.seat == seat
        assert session.seat_of(user) == seat
        await house.run(2)
    turns = [(seat, by) for seat, kind, by in bys(session) if kind == "before_vote"]
    assert [by for _, by in turns] == ["agent", "player", "player"] * 3
    for first in (0, 3, 6):
        (start, _), *others = turns[first : first + 3]
        assert [seat for seat, _ in others] == [(start + 1) % 3, (start + 2) % 3]


async def test_a_substitute_is_briefed_and_knows_one_seat_only(house: House) -> None:
    """Whoever takes the seat over sees what it knows, and can take no other at this table; whoever
    sat elsewhere here cannot take it.
    """
    session = await house.game(ANN, BEA, CID)
    await session.gone(BEA, "Agatha")
    await house.run(SHOWN)
    look = await session.take_over(house.click(DOT), 1)
    assert look.seat == 1
    assert look.view.hand == session.playing.view(1).hand  # type: ignore[attr-defined]
    await session.gone(CID, "Barnaby")
    await session.hand_over(house.click(DOT), name="Cordelia")
    with pytest.raises(Refusal, match="sat_before"):
        await session.take_over(house.click(DOT), 2)


async def test_the_last_one_who_leaves_ends_the_game(house: House) -> None:
    """GAM-24: nobody but computer players is left, so the game ends without a result, told."""
    session = await house.game(ANN, computers=2)
    assert await session.gone(ANN, "Agatha")
    await house.run(3)
    assert session.status is Status.ABANDONED
    assert told(house)[-1] == ("abandoned", None)
    assert house.registry.in_channel(ROOM) is None


async def test_whoever_leaves_while_the_table_is_paused(house: House) -> None:
    """The seat goes to a computer player, which plays when the table goes on."""
    session = await house.game(ANN, BEA, CID)
    await session.pause(house.click(MOD, may_manage=True))
    assert await session.gone(ANN, "Agatha")
    await house.run(5)
    assert (session.status, bys(session)) == (Status.PAUSED, [])
    assert session.host_id == BEA
    await session.resume(house.click(MOD, may_manage=True))
    await house.run(5)
    assert bys(session)[0] == (0, "propose", "agent")


async def test_the_host_of_a_lobby_leaves_the_server(house: House) -> None:
    """GAM-04: the host's role passes on with all settings; with nobody left the lobby closes."""
    session = await house.lobby(ANN, BEA)
    await session.set_option(house.click(ANN), "length", "long")
    await session.set_pace(house.click(ANN), "days")
    assert await session.gone(ANN, "Agatha")
    assert session.host_id == BEA
    assert [row.user_id for row in session.seats.values()] == [BEA]
    assert (session.row.options["length"], session.row.pace) == ("long", "days")
    assert await session.gone(BEA, "Agatha")
    assert session.status is Status.CANCELLED
    assert house.registry.in_guild(GUILD) == ()
