"""Games and servers whose time is over go; what is live, or came back, stays."""

from __future__ import annotations

import pytest

from bot.sessions.faces import Status
from bot.sessions.ports import Refusal
from bot.sessions.retention import DAY, EVERY, Retention, Sweep
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from tests.sessions.house import ANN, BEA, CID, GUILD, MOD, House


async def ended(house: House) -> Session:
    """A game that is over."""
    session = await house.game(ANN, BEA, CID)
    await session.end(house.click(MOD, may_manage=True))
    await house.run(2)
    return session


async def days(house: House, count: float, sweep: Sweep) -> None:
    """Let days go by, with a look each day and at the end."""
    await sweep.sweep()
    whole, rest = divmod(count, 1)
    for step in (*[1.0] * int(whole), rest):
        house.time.offset += step * DAY
        await sweep.sweep()


async def test_a_game_goes_when_its_time_is_over(house: House) -> None:
    """Not a day before, and wholly: nobody can look at it or verify it any more."""
    session = await ended(house)
    sweep = Sweep(house.registry, Retention(games=10), lambda: {GUILD})
    await days(house, 9.9, sweep)
    assert await house.registry.finished(GUILD)
    await days(house, 0.2, sweep)
    assert await house.registry.finished(GUILD) == ()
    with pytest.raises(Refusal, match="no_such_table"):
        await house.registry.recall(session.id)
    assert await house.store.is_gone(session.code)
    await house.run(2)


async def test_zero_days_keep_games_for_ever(house: House) -> None:
    """An installation may keep everything."""
    await ended(house)
    await days(house, 5, Sweep(house.registry, Retention(games=0), lambda: {GUILD}))
    assert len(await house.registry.finished(GUILD)) == 1


async def test_live_tables_do_not_age(house: House) -> None:
    """A paused game is still there, however long ago it was played."""
    session = await house.game(ANN, BEA, CID)
    await session.pause(house.click(MOD, may_manage=True))
    await days(house, 5, Sweep(house.registry, Retention(games=1), lambda: {GUILD}))
    assert house.same(session).status is Status.PAUSED


async def test_a_server_goes_after_the_bot_was_removed(house: House) -> None:
    """PRM-11: everything stays for the documented time, also live tables, then all of it goes."""
    session = await house.game(ANN, BEA, CID)
    await house.registry.guild_gone(GUILD)
    here: set[int] = set()
    sweep = Sweep(house.registry, Retention(servers=30), lambda: here)
    await sweep.sweep()
    await days(house, 29.9, sweep)
    assert house.same(session).status is Status.ORPHANED
    await days(house, 0.2, sweep)
    assert await house.store.session(session.id) is None
    assert await house.store.known_servers() == {}
    assert house.registry.everything() == ()


async def test_who_comes_back_in_time_loses_nothing(house: House) -> None:
    """And begins a new count when they leave again."""
    session = await house.game(ANN, BEA, CID)
    here: set[int] = set()
    sweep = Sweep(house.registry, Retention(servers=30), lambda: here)
    await sweep.sweep()
    await days(house, 29, sweep)
    here.add(GUILD)
    await sweep.sweep()
    await days(house, 9, sweep)
    here.clear()
    await sweep.sweep()
    await days(house, 29, sweep)
    assert house.same(session).status is Status.RUNNING


async def test_an_outage_or_a_start_is_no_removal(house: House) -> None:
    """PRM-12: while it is not known where the bot is, no server is touched."""
    session = await house.game(ANN, BEA, CID)
    sweep = Sweep(house.registry, Retention(servers=1), lambda: None)
    await days(house, 9, sweep)
    assert await house.store.known_servers() == {GUILD: None}
    assert house.same(session).status is Status.RUNNING


async def test_many_games_go_in_small_steps(house: House) -> None:
    """More than one step's worth, in one sweep."""
    for _ in range(43):
        session = await house.lobby(ANN)
        await session.cancel(house.click(ANN))
    await days(house, 6, Sweep(house.registry, Retention(games=5), lambda: {GUILD}))
    assert house.registry.everything() == ()


async def test_a_full_disk_is_one_line(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again at the next look."""
    await ended(house)
    sweep = Sweep(house.registry, Retention(games=5), lambda: {GUILD})
    await days(house, 4.5, sweep)
    house.time.offset += DAY
    purge = house.store.purge_games

    async def full(*_: object) -> tuple[int, ...]:
        raise StoreBusy("the disk is full")

    monkeypatch.setattr(house.store, "purge_games", full)
    await sweep.sweep()
    assert "could not be taken away: the disk is full" in caplog.text
    monkeypatch.setattr(house.store, "purge_games", purge)
    await sweep.sweep()
    assert await house.registry.finished(GUILD) == ()


async def test_a_clock_set_far_ahead_deletes_nothing(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    """One line for the operator, also over restarts; set right again, all is as it was before, for
    games and for servers that were left.
    """
    session = await ended(house)
    here: set[int] = set()
    sweep = Sweep(house.registry, Retention(games=10, servers=10), lambda: here)
    await sweep.sweep()
    house.time.offset += 1000 * DAY
    for _ in range(50):
        await sweep.sweep()
        house.time.offset += EVERY
    await house.restart()
    await Sweep(house.registry, Retention(games=10, servers=10), lambda: here).sweep()
    lines = [r for r in caplog.records if "the clock stands" in r.getMessage()]
    assert ["1000 days after the last look" in r.getMessage() for r in lines] == [True]
    assert await house.store.session(session.id) is not None
    house.time.offset -= 1000 * DAY
    sweep = Sweep(house.registry, Retention(games=10, servers=10), lambda: here)
    await days(house, 7, sweep)
    assert await house.store.session(session.id) is not None
    await days(house, 2, sweep)
    assert await house.store.session(session.id) is None


@pytest.mark.parametrize("looks", [1, 0])
async def test_after_a_long_stop_what_is_due_goes_a_little_later(house: House, looks: int) -> None:
    """A bot that was really away for so long deletes after three days, also one whose database has
    no look of before, as after an upgrade. A second jump begins the three days anew.
    """
    session = await ended(house)
    sweep = Sweep(house.registry, Retention(games=10), lambda: {GUILD})
    for _ in range(looks):
        await sweep.sweep()
    house.time.offset += 40 * DAY
    await days(house, 2.9, sweep)
    assert await house.store.session(session.id) is not None
    house.time.offset += 40 * DAY
    await days(house, 2.9, sweep)
    assert await house.store.session(session.id) is not None
    await days(house, 0.2, sweep)
    assert await house.store.session(session.id) is None


@pytest.mark.parametrize("stored", ["nan", "inf", "[[", "1 2 nan"])
async def test_a_garbled_moment_of_the_last_look(house: House, stored: str) -> None:
    """RPL-09: it counts as none: the look is done, and the moment is stored anew."""
    await ended(house)
    await house.store.set_setting("swept_at", stored)
    await house.store.set_setting("swept_doubt", stored)
    await days(house, 3, Sweep(house.registry, Retention(games=2), lambda: {GUILD}))
    assert await house.registry.finished(GUILD) == ()
    assert await house.store.setting("swept_at") == str(house.time.epoch())
