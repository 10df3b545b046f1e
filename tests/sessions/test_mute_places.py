"""Tables whose place the bot cannot write in: nothing is played by time until it can again."""

from __future__ import annotations

import pytest

from bot.sessions import pace
from bot.sessions.faces import Status, TableFace
from bot.sessions.listening import listen
from bot.sessions.moderating import Place
from bot.sessions.ports import NotAllowed, Unreachable
from tests.sessions.house import ANN, BEA, CID, GUILD, MOD, ROOM, House
from tests.sessions.live_table import LIVE, bys, deadline_of, left, reminders, table, told
from tests.sessions.voting import with_sand
from tests.sessions.waiting import DAY, act


def mute(house: House, *, is_so: bool = True) -> None:
    """The bot may not write in the table's place from now on, or it may again."""

    def may_write(guild_id: int, channel_id: int) -> bool:
        return not (is_so and (guild_id, channel_id) == (GUILD, ROOM))

    house.registry.desk.may_write = may_write


@pytest.mark.parametrize("restarted", [False, True])
async def test_clocks_stand_still_while_nothing_can_be_written(
    house: House, restarted: bool
) -> None:
    """Neither a reminder nor the clock's answer comes, nobody is told of a deadline, and afterwards
    what was left is left; also if the bot was started again meanwhile.
    """
    session = await table(house)
    await house.run(100)
    (before,) = left(session)
    mute(house)
    await house.run(1)
    if restarted:
        await house.die()
        await house.open(look=False)
        mute(house)
        session = house.same(session)
    await house.run(LIVE * 3)
    assert (bys(session), reminders(house)) == ([], [])
    assert (await session.look(ANN)).deadline is None
    assert left(session) == [pytest.approx(before, abs=LIVE / 20 if restarted else 3)]
    mute(house, is_so=False)
    await house.run(2)
    assert (await session.look(ANN)).deadline is not None
    assert deadline_of(house) == pytest.approx(before, abs=LIVE / 20 + 3)
    await house.run(before + LIVE / 20 + 2)
    assert bys(session) == [(0, "propose", "clock")]


async def test_the_last_seconds_come_with_mercy(house: House) -> None:
    """Two seconds were left: afterwards there is a tenth of the whole time."""
    session = await table(house)
    await house.run(LIVE - 4)
    mute(house)
    await house.run(60)
    assert bys(session) == []
    mute(house, is_so=False)
    await house.run(2)
    (rest,) = left(session)
    assert rest == pytest.approx(LIVE * pace.MERCY, abs=3)


async def test_sand_stands_still_while_nothing_can_be_written(house: House) -> None:
    """The rules' own glass has afterwards what it had, and then runs out."""
    session = await with_sand(house, 20)
    (glass,) = session.sands.values()
    mute(house)
    await house.run(0.5)
    before = glass.left_at(house.time.now)
    await house.run(300)
    assert session.sands[glass.question].left_at(house.time.now) == before > 30
    mute(house, is_so=False)
    await house.run(before - 2)
    assert glass.question in session.sands
    await house.run(5)
    assert glass.question not in session.sands


async def test_computer_players_wait_for_a_voice(house: House) -> None:
    """Whatever a person answers meanwhile counts; computer players answer once it can be seen."""
    session = await table(house, ANN, computers=2)
    await house.run(30)
    count = len(session.playing.entries)
    mute(house)
    await house.run(1)
    assert await act(house, session, ANN)
    await house.run(600)
    assert len(session.playing.entries) == count + 1
    mute(house, is_so=False)
    await house.run(30)
    assert {by for _, _, by in bys(session)[count + 1 :]} == {"agent"}


async def test_a_missing_permission_of_which_no_cache_knew(house: House) -> None:
    """Discord refuses a message and nothing foretold it: computer players wait all the same, until
    a message is taken.
    """
    session = await table(house, ANN, computers=2)
    await house.run(30)
    count = len(session.playing.entries)
    house.channel.failures = {"post": [NotAllowed()] * 6, "edit": [NotAllowed()] * 6}
    assert await act(house, session, ANN)
    await house.run(0.5)
    house.channel.failures["edit"] += [NotAllowed()] * 4
    await house.run(6)
    assert session.is_mute
    answered = len(session.playing.entries)
    await house.run(10)
    assert len(session.playing.entries) == answered
    house.channel.failures.clear()
    await house.run(90)
    assert not session.is_mute
    assert len(session.playing.entries) > count + 1


async def test_a_table_at_rest_ends_where_it_can_be_read(house: House) -> None:
    """Its hour comes while nothing can be written: it waits, and for an hour after that, too."""
    session = await table(house)
    await house.run(LIVE * 20)
    assert session.is_resting
    mute(house)
    await house.run(3 * DAY, step=600)
    assert session.status is Status.RUNNING
    mute(house, is_so=False)
    await house.run(pace.GRACE - 60, step=30)
    assert session.status is Status.RUNNING
    await house.run(180, step=30)
    assert session.status is Status.ABANDONED
    assert told(house)[-1] == ("expired", None)


@pytest.mark.parametrize("state", ["lobby", "game"])
async def test_a_place_that_stays_mute_does_not_keep_its_table_for_ever(
    house: House, state: str
) -> None:
    """Two weeks after its hour it ends unheard, and the channel is free."""
    start = house.lobby if state == "lobby" else house.game
    session = await start(ANN, BEA, CID)
    mute(house)
    await house.run(13.5 * DAY, step=3600)
    assert not session.is_over
    await house.run(30 * DAY, step=3600)
    assert session.is_over
    assert house.registry.in_channel(ROOM) is None


async def test_a_lobby_closes_where_it_can_be_read(house: House) -> None:
    """Whoever looks for it finds it open for as long as its message could not say otherwise."""
    session = await house.lobby(ANN, BEA)
    mute(house)
    await house.run(pace.LOBBY * 3, step=30)
    assert session.status is Status.LOBBY
    mute(house, is_so=False)
    await house.run(60, step=5)
    assert session.status is Status.CANCELLED


async def test_a_voice_that_is_back_is_used_at_once(house: House) -> None:
    """After many refusals the next try is a minute away; once the cache says that the bot may
    write, the table is brought up to date within seconds.
    """
    session = await table(house)
    mute(house)
    house.channel.failures = {name: [NotAllowed()] * 60 for name in ("post", "edit")}
    assert await act(house, session, ANN)
    await house.run(220)
    house.channel.failures.clear()
    mute(house, is_so=False)
    edits = house.channel.calls.count("edit")
    await house.run(4)
    assert house.channel.calls.count("edit") > edits


async def test_a_panel_tells_no_deadline_from_the_moment_on(house: House) -> None:
    """The table is drawn anew when the place falls mute, and again when it does not any more."""
    session = await table(house)
    versions = [session.version]
    for is_so in (True, False):
        mute(house, is_so=is_so)
        await house.run(3)
        versions.append(session.version)
    assert versions == sorted({*versions})


@pytest.mark.parametrize("how", ["away", "mute"])
async def test_computer_players_move_on_after_a_short_silence(house: House, how: str) -> None:
    """It comes just when they were about to move: they do once Discord is in reach again, or the
    bot may write.
    """
    session = await table(house, ANN, computers=2)
    await house.run(30)
    assert await act(house, session, ANN)
    count = len(session.playing.entries)
    await session._lock.acquire()
    house.time.now += 2
    await house.registry.pump()
    if how == "away":
        house.registry.disconnected()
    else:
        mute(house)
        listen(session, house.registry.publisher, afresh=True)
    session._lock.release()
    await house.registry.desk.drain(2.0)
    assert len(session.playing.entries) == count
    mute(house, is_so=False)
    house.registry.connected()
    await house.run(30)
    assert {by for _, _, by in bys(session)[count:]} == {"agent"}


async def test_a_start_where_nothing_can_be_written(house: House) -> None:
    """It is known before anything is played: not one answer is given unheard."""
    session = await table(house, ANN, computers=2)
    await house.run(30)
    assert await act(house, session, ANN)
    count = len(session.playing.entries)
    await house.die()
    await house.open(look=False)
    house.registry.disconnected()
    mute(house)
    house.registry.connected()
    session = house.same(session)
    assert session.is_mute
    await house.run(60)
    assert (await session.look(ANN)).deadline is None
    assert len(session.playing.entries) == count


async def test_a_network_error_gives_no_voice(house: House) -> None:
    """Between refusals Discord fails in another way: the place is as mute as before."""
    session = await table(house, ANN, computers=2)
    await house.run(30)
    refused = [NotAllowed()] * 60
    mixed = [*refused[:4], Unreachable("no route"), *refused]
    house.channel.failures = {"post": [*refused], "edit": mixed}
    await house.run(1)
    assert await act(house, session, ANN)
    await house.run(20)
    assert session.is_mute
    count = len(session.playing.entries)
    await house.run(180)
    assert (session.is_mute, len(session.playing.entries)) == (True, count)


async def test_a_refusal_stops_the_clock_at_once(house: House) -> None:
    """No cache knew of it: from the refused message on no time runs."""
    session = await table(house)
    house.channel.failures = {name: [NotAllowed()] * 60 for name in ("post", "edit")}
    assert await act(house, session, ANN)
    await house.run(1.5)
    before = left(session)
    await house.run(30)
    assert left(session) == before


async def test_what_failed_in_the_old_place_says_nothing_of_the_new_one(house: House) -> None:
    """A table that was refused for minutes is moved: within seconds it stands elsewhere."""
    session = await table(house, ANN, computers=2)
    house.channel.failures = {name: [NotAllowed()] * 60 for name in ("post", "edit")}
    await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    await house.run(300)
    house.channel.failures.clear()
    await session.restore(house.click(MOD, may_manage=True), Place(777))
    await house.run(3)
    places = [message.place.channel_id for message in house.channel.of(TableFace)]
    assert places[-1] == 777
