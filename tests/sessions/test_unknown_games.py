"""Tables of games that this version does not have: they rest, age, and can be ended."""

from __future__ import annotations

import contextlib
import logging
import sqlite3

import pytest

from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.retention import DAY, Retention, Sweep
from bot.sessions.session import Session
from bot.store.opening import DATABASE_NAME
from tests.sessions.house import ANN, BEA, CID, DOT, GUILD, MOD, House
from tests.sessions.waiting import act


async def taken_away(house: House, game: str = "old_game") -> None:
    """The bot is stopped, and the next version calls all of these tables' game otherwise."""
    await house.die()
    with contextlib.closing(sqlite3.connect(house.folder / DATABASE_NAME)) as found, found:
        found.execute("UPDATE session SET game = ?", (game,))
    await house.open(look=False)


async def days(house: House, count: float) -> None:
    """Days go by, with a look at what is over each of them, and a restart now and then."""
    for day in range(int(count)):
        await Sweep(house.registry, Retention(), lambda: {GUILD}).sweep()
        house.time.offset += DAY
        if day % 5 == 4:
            await house.die()
            await house.open(look=False)
    house.time.offset += (count % 1) * DAY
    await Sweep(house.registry, Retention(), lambda: {GUILD}).sweep()


async def status(house: House, session: Session) -> str:
    """Where a table stands on the disk."""
    row = await house.store.session(session.id)
    assert row is not None
    return row.status


@pytest.mark.parametrize("state", ["running", "crashed", "orphaned"])
async def test_it_ends_after_four_weeks(
    house: House, caplog: pytest.LogCaptureFixture, state: str
) -> None:
    """Counted from when the game was first missed, not from the last move, through restarts: not a
    day before, with a line. When the game is back, a moderator can restore the table.
    """
    caplog.set_level(logging.INFO)
    session = await house.game(ANN, BEA, CID)
    await house.run(2)
    if state == "crashed":
        await session.locked(lambda: session.crash(RuntimeError("a fault")), "crash")
    elif state == "orphaned":
        await house.registry.channel_gone(session.channel_id)
    house.time.offset += DAY
    await taken_away(house)
    assert len([m for m in caplog.messages if "is of an unknown game, old_game" in m]) == 1
    await days(house, 27.9)
    assert await status(house, session) == state
    await days(house, 0.2)
    assert await status(house, session) == "abandoned"
    assert any("nobody has its game, old_game" in line for line in caplog.messages)
    assert house.registry.unknown.in_guild(GUILD) == ()
    await taken_away(house, house.title.key)
    again = await house.registry.recall(session.id)
    await again.restore(house.click(MOD, may_manage=True))
    assert again.status is Status.RUNNING


async def test_with_its_game_it_goes_on_and_its_time_begins_anew(house: House) -> None:
    """Back after three weeks it plays on by itself; missed again, it has four whole weeks."""
    session = await house.game(ANN, BEA, CID)
    await house.run(2)
    await taken_away(house)
    await days(house, 21)
    await taken_away(house, house.title.key)
    await Sweep(house.registry, Retention(), lambda: {GUILD}).sweep()
    back = house.same(session)
    assert (back.status, back.row.expires_at) == (Status.RUNNING, None)
    await back.snapshot()
    assert await act(house, back, ANN)
    await taken_away(house)
    await days(house, 21)
    assert await status(house, session) == "running"


@pytest.mark.parametrize(
    "stored",
    [
        "{",
        "[1]",
        '{"1": "x", "2": null}',
        '{"1": true}',
        '{"1": NaN}',
        '{"1": -Infinity}',
        "[" * 100_000,
    ],
)
async def test_a_garbled_moment_begins_anew(house: House, stored: str) -> None:
    """What cannot be read ends no table early, and fails no look."""
    session = await house.game(ANN, BEA, CID)
    assert session.id == 1
    await taken_away(house)
    await days(house, 20)
    await house.store.set_setting("unknown_since", stored)
    await days(house, 20)
    assert await status(house, session) == "running"
    await days(house, 9)
    assert await status(house, session) == "abandoned"


async def test_a_clock_that_is_set_back_costs_no_time(house: House) -> None:
    """First missed by a clock that went a day ahead: the four weeks run from when it was right."""
    session = await house.game(ANN, BEA, CID)
    await taken_away(house)
    house.time.offset += DAY
    await days(house, 0)
    house.time.offset -= DAY
    await days(house, 27.9)
    assert await status(house, session) == "running"
    await days(house, 0.2)
    assert await status(house, session) == "abandoned"


async def test_a_table_that_is_over_does_not_rest(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """Its last message is still to be posted when its game is gone: it ages no more, ends no
    second time, and no moderator is shown it among those that rest.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(2)
    await session.end(house.click(MOD, may_manage=True))
    await taken_away(house)
    with contextlib.closing(sqlite3.connect(house.folder / DATABASE_NAME)) as found, found:
        found.execute("UPDATE message SET want = 'close' WHERE purpose = 'table'")
    await house.die()
    await house.open(look=False)
    row = await house.store.session(session.id)
    assert row is not None
    assert session.id in {found.session for found in await house.store.open_messages()}
    assert house.registry.unknown.in_guild(GUILD) == ()
    assert not [line for line in caplog.messages if "is of an unknown game" in line]
    await days(house, 30)
    assert await house.store.session(session.id) == row


async def test_a_paused_one_stays_and_a_lobby_closes(house: House) -> None:
    """A pause is the moderators'; a lobby has its own hour, and then frees its channel."""
    session = await house.game(ANN, BEA, CID)
    await session.pause(house.click(MOD, may_manage=True))
    await taken_away(house)
    await days(house, 40)
    assert await status(house, session) == "paused"
    await house.registry.unknown.end(house.click(MOD, may_manage=True), session.id)
    lobby = await house.lobby(ANN)
    await taken_away(house)
    await days(house, 0)
    assert await status(house, lobby) == "lobby"
    await days(house, 0.1)
    assert await status(house, lobby) == "cancelled"
    assert (await house.lobby(DOT)).status is Status.LOBBY


async def test_a_moderator_ends_it(house: House) -> None:
    """Whoever wants to play there is told its code; only moderators end it, the log has it, no row
    is lost, and the channel is free.
    """
    session = await house.game(ANN, BEA, CID)
    await house.run(2)
    assert await act(house, session, ANN)
    await taken_away(house)
    with pytest.raises(Refusal, match="channel_rests") as refused:
        await house.lobby(DOT)
    assert refused.value.facts == {"code": session.code}
    unknown = house.registry.unknown
    with pytest.raises(Refusal, match="only_moderators"):
        await unknown.end(house.click(ANN), session.id)
    await unknown.end(house.click(MOD, may_manage=True), session.id)
    with pytest.raises(Refusal, match="no_such_table"):
        await unknown.end(house.click(MOD, may_manage=True), session.id)
    assert await status(house, session) == "abandoned"
    assert len(await house.store.entries(session.id)) == 1
    (told,) = await house.store.acts(GUILD)
    assert (told.what, told.by, told.code) == ("end", MOD, session.code)
    assert (await house.lobby(DOT)).status is Status.LOBBY
