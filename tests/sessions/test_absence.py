"""Players who are away or gone, tables at which nobody is, lobbies that nobody joins."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.sessions import motions, pace
from bot.sessions.change import Change
from bot.sessions.faces import LobbyFace, PingFace, ReminderFace, Status, TableFace
from bot.sessions.moderating import Place
from bot.sessions.ports import DirectMessagesClosed, Refusal
from bot.sessions.session import Session
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, ROOM, House
from tests.sessions.test_deadlines import LIVE, SHOWN, asked, bys, table, told

DAY = 86400.0


async def act(house: House, session: Session, user: int) -> bool:
    """Let a person answer what is asked of them, if anything is."""
    seat = session.seat_of(user)
    for decision in session.playing.asked:
        if decision.seat == seat and decision.current is None:
            keys = decision.keys()[:1]
            if decision.shape.repeats:
                keys = tuple(decision.keys()[n % 2] for n in range(decision.shape.least))
            await session.answer(house.click(user), decision.question, decision.kind, keys)
            return True
    return False


async def send_away(house: House, session: Session, user: int) -> None:
    """Let a person miss what they are asked until a computer player plays for them."""
    seat = session.seat_of(user)
    assert seat is not None
    for _ in range(2000):
        if session.seats[seat].away:
            return
        for other in session.persons().values():
            if other != user and session.status is Status.RUNNING:
                await act(house, session, other)
        await house.run(5, step=1)
    raise AssertionError("they are still there")


# Away and back


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


# A table at which nobody is


async def test_a_whole_game_with_one_player_gone_for_ever(house: House) -> None:
    """GAM-01, with the speed of people who are there: the game reaches its end without her."""
    session = await table(house)
    for _ in range(6000):
        if session.status is not Status.RUNNING:
            break
        for user in (BEA, CID):
            if session.status is Status.RUNNING:
                await act(house, session, user)
        await house.run(4, step=2)
    assert session.status is Status.FINISHED
    assert {by for seat, _, by in bys(session) if seat == 0} == {"clock", "agent"}


@pytest.mark.parametrize("chosen", ["live", "relaxed", "days"])
async def test_with_everybody_gone_a_table_rests_and_then_ends(house: House, chosen: Any) -> None:
    """GAM-01: once all are away nothing is played any more. The table says when it will end, and
    ends then, without a result, with a notice and without a control; also if the bot was started
    again meanwhile.
    """
    session = await house.game(ANN, BEA, CID, pace=chosen)
    length = pace.SECONDS[chosen]
    for _ in range(20):
        if not session.is_resting:
            await house.run(length / 2, step=length / 60)
    assert session.is_resting
    assert [word for word, _ in told(house)] == ["away", "resting"]
    count = len(session.playing.entries)
    ends_at = session.row.expires_at
    assert ends_at is not None
    await house.restart()
    session = house.same(session)
    rest = ends_at - house.time.epoch()
    assert rest == pytest.approx(pace.RESTS[chosen], abs=length)
    await house.run(rest - 600, step=300)
    assert (len(session.playing.entries), session.status) == (count, Status.RUNNING)
    assert not session.clocks
    await house.run(1200, step=60)
    assert session.status is Status.ABANDONED
    assert told(house)[-1] == ("expired", None)
    assert not [m for m in house.channel.of(TableFace) if getattr(m.face, "live", False)]
    assert house.registry.in_channel(ROOM) is None


async def test_a_resting_table_goes_on_with_the_first_who_comes_back(house: House) -> None:
    """Whoever comes back wakes it: its end is off, computers play for the others who are away, and
    the one who is there has time again.
    """
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    assert session.row.expires_at is not None
    count = len(session.playing.entries)
    assert await session.come_back(house.click(BEA))
    assert session.row.expires_at is None
    assert session.host_id is not None
    for _ in range(200):
        if any(seat == 1 for seat, _ in asked(session)):
            break
        await house.run(1)
    assert len(session.playing.entries) > count
    await house.run(SHOWN)
    assert session.clocks
    await house.restart()
    assert house.same(session).row.expires_at is None


async def test_sand_does_not_run_at_a_table_that_rests(house: House) -> None:
    """The rules' own glass stands still with everything else while nobody is there."""
    session = await table(house, until="spend")
    await house.run(SHOWN)
    glass = next(iter(session.sands.values()))
    before = glass.left_at(house.time.now)
    change = Change()
    for seat, row in session.seats.items():
        change.seats[seat] = replace(row, away=True, misses=2)

    async def work() -> None:
        await session.commit(change)

    await session.locked(work, "test")
    await house.run(300)
    assert glass.left_at(house.time.now) == pytest.approx(before, abs=0.5)
    assert await session.come_back(house.click(ANN))
    await house.run(SHOWN)
    assert next(iter(session.sands.values())).since is not None


async def test_after_a_long_stop_a_table_has_an_hour(house: House) -> None:
    """A table whose hour came while the bot was down does not end before people could see it."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    await house.die()
    house.time.now += 40 * DAY
    await house.open()
    session = house.same(session)
    await house.run(pace.GRACE - 60, step=30)
    assert session.status is Status.RUNNING
    await house.run(180, step=30)
    assert session.status is Status.ABANDONED


async def test_a_table_without_a_pace_ends_after_four_silent_weeks(house: House) -> None:
    """Without a pace nothing is ever answered for anybody. After two weeks without an answer the
    table announces its end; an answer calls that off; otherwise it ends two weeks later.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(13.9 * DAY, step=3600)
    assert (told(house), session.row.expires_at) == ([], None)
    await house.run(DAY, step=3600)
    assert told(house) == [("quiet", None)]
    assert session.row.expires_at is not None
    assert await act(house, session, ANN)
    assert session.row.expires_at is None
    await house.run(20 * DAY, step=3600)
    assert told(house)[-1] == ("quiet", None)
    assert session.status is Status.RUNNING
    await house.restart()
    await house.run(9 * DAY, step=3600)
    assert house.registry.in_channel(ROOM) is None
    assert told(house)[-1] == ("expired", None)
    assert house.same(session).status is Status.ABANDONED


@pytest.mark.parametrize("state", ["crashed", "orphaned"])
async def test_a_table_that_was_stopped_ends_after_four_weeks(house: House, state: str) -> None:
    """Two weeks after it was stopped it says so once, if it has a place; a moderator who only
    looks changes nothing. Two weeks later it ends, and can be brought back before and afterwards.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(1)

    async def stop() -> None:
        if state == "orphaned":
            await house.registry.channel_gone(session.channel_id)
        else:
            await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")

    house.time.now += 30 * DAY
    await stop()
    await house.run(13.9 * DAY, step=3600)
    before = told(house)
    assert session.row.expires_at is None
    await house.run(0.2 * DAY, step=3600)
    ends_at = session.row.expires_at
    await session.note_look(house.click(MOD, may_manage=True), "inspect")
    await house.run(0.2 * DAY, step=3600)
    assert session.row.expires_at == ends_at is not None
    said = [("stopped", None)] if state == "crashed" else []
    assert told(house) == before + said
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 1))
    assert session.row.expires_at is None
    await stop()
    await house.run(15 * DAY, step=3600)
    await house.restart()
    session = house.same(session)
    await house.run(13.5 * DAY, step=3600)
    assert session.status is Status.ABANDONED
    ends = [("expired_stopped", None)] if state == "crashed" else []
    assert told(house)[-1:] == ends
    await session.restore(house.click(MOD, may_manage=True), Place(ROOM + 2))
    assert session.status is Status.RUNNING
    assert await act(house, session, ANN)


async def test_a_paused_table_does_not_end(house: House) -> None:
    """A pause is a moderator's to end, however long it lasts."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    await session.pause(house.click(MOD, may_manage=True))
    assert session.row.expires_at is None
    await house.run(60 * DAY, step=7200)
    assert session.status is Status.PAUSED
    await session.resume(house.click(MOD, may_manage=True))
    assert session.is_resting
    assert session.row.expires_at is not None


# Gone from the server


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
    assert told(house) == [("gone", seat)]
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


async def test_letters_that_are_refused_are_told_once(house: House) -> None:
    """MEM-01: a player who takes no letters votes in the panel; one note says so, however many
    ballots there are, and no second letter is tried.
    """
    tries: list[int] = []
    post = house.channel.post

    async def closed(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id == BEA:
            tries.append(BEA)
            raise DirectMessagesClosed
        return await post(address, face, nonce)

    house.channel.post = closed
    session = await house.game(ANN, BEA, CID)
    for _ in range(3):
        await house.answer_all(session, until="vote")
        await house.run(SHOWN)
        for user in (ANN, BEA, CID):
            await act(house, session, user)
        await house.run(SHOWN)
    assert told(house) == [("letters_closed", 1)]
    assert tries == [BEA]


# Lobbies


async def test_a_restart_nags_nobody_whose_letters_are_refused(house: House) -> None:
    """Who takes no letters is remembered while the bot runs only, since nobody sees a difference:
    each start tries one letter, the table's note is not written again, and ballots and calls come
    where they came before.
    """
    await house.registry.set_preference(BEA, pings="dm")
    tries: list[int] = []
    post = house.channel.post

    async def closed(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id == BEA:
            tries.append(BEA)
            raise DirectMessagesClosed
        return await post(address, face, nonce)

    house.channel.post = closed
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


async def test_a_lobby_closes_when_nobody_comes(house: House) -> None:
    """GAM-03: half an hour after the last change it is closed, with its message; the seats are
    free, and clicks on it are told so.
    """
    session = await house.lobby(ANN)
    await house.run(1500, step=5)
    await session.join(house.click(BEA))
    await house.run(1500, step=5)
    assert session.status is Status.LOBBY
    await house.run(330, step=5)
    assert session.status is Status.CANCELLED
    (message,) = house.channel.of(LobbyFace)
    assert message.face.snapshot.status is Status.CANCELLED  # type: ignore[union-attr]
    assert message.face.snapshot.expires_at is not None  # type: ignore[union-attr]
    assert house.registry.in_channel(ROOM) is None
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.join(house.click(CID))
    assert not house.registry.of_user(ANN)


async def test_a_lobby_keeps_its_time_through_a_restart(house: House) -> None:
    """GAM-03: the original deadline holds. If it came while the bot was down, nobody can join or
    start any more, not even before the lobby's message is closed.
    """
    session = await house.lobby(ANN, BEA, CID)
    ends_at = session.row.expires_at
    assert ends_at == house.time.epoch() + pace.LOBBY
    await house.run(600, step=5)
    await house.restart()
    session = house.same(session)
    assert session.row.expires_at == ends_at
    await house.die()
    house.time.now += DAY
    await house.open()
    session = house.same(session)
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.start(house.click(ANN))
    with pytest.raises(Refusal, match="lobby_closed"):
        await session.join(house.click(DOT))
    await house.run(3)
    assert session.status is Status.CANCELLED
    opened = await house.lobby(DOT)
    assert opened.status is Status.LOBBY


async def test_a_lobby_that_is_closed_by_its_host_is_no_expired_one(house: House) -> None:
    """What is shown of a closed lobby tells the two apart."""
    session = await house.lobby(ANN)
    await session.cancel(house.click(ANN))
    assert (session.status, session.row.expires_at) == (Status.CANCELLED, None)


async def test_a_game_that_has_begun_has_no_lobby_s_hour(house: House) -> None:
    """With the start the hour of the lobby is gone."""
    session = await house.game(ANN, BEA, CID)
    assert session.row.expires_at is None
    await house.run(4000, step=20)
    assert session.status is Status.RUNNING


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


async def test_a_second_game_in_a_channel_with_a_resting_table(house: House) -> None:
    """GAM-06: a table that rests still holds its channel; whoever opens another is shown it."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    with pytest.raises(Refusal, match="channel_taken") as refused:
        await house.lobby(DOT)
    assert refused.value.facts["session"] == session.id
    await session.end(house.click(MOD, may_manage=True))
    assert (await house.lobby(DOT)).status is Status.LOBBY


async def test_reminders_go_when_a_seat_changes_hands(house: House) -> None:
    """A reminder to somebody who has left does not stay in the channel."""
    session = await table(house)
    await house.run(LIVE * 2 / 3 + 3)
    assert len(house.channel.of(ReminderFace)) == 1
    await session.gone(ANN, "Agatha")
    await house.run(3)
    assert not house.channel.of(ReminderFace)
