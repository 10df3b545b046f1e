"""Changes that come together share a transaction, and one that is refused fails alone."""

from __future__ import annotations

import asyncio
import random

import pytest

from bot.store.db import SqliteStore
from bot.store.protocol import AlreadyCounted, ChannelTaken, Write, WrongPly
from tests.store.samples import code, length, seat, step, table


async def watch_commits(store: SqliteStore) -> list[str]:
    """A list that grows by each COMMIT of the writing connection from now on."""
    commits: list[str] = []

    def note(statement: str) -> None:
        if statement == "COMMIT":
            commits.append(statement)

    connection = store._writer._connection
    assert connection is not None
    await connection.set_trace_callback(note)
    return commits


async def test_concurrent_changes_share_a_transaction(store: SqliteStore) -> None:
    """Sixty tables move at once with far fewer waits for the disk than tables."""
    ids = [await store.open_session(table(n)) for n in range(60)]
    commits = await watch_commits(store)
    await asyncio.gather(*(store.commit(step(number, 0)) for number in ids))
    assert [await length(store, number) for number in ids] == [1] * 60
    assert 1 <= len(commits) <= 3


async def test_a_wrong_ply_fails_alone(store: SqliteStore) -> None:
    """Among good changes of other tables in the same group, only the wrong one is refused."""
    ids = [await store.open_session(table(n)) for n in range(9)]
    commits = await watch_commits(store)
    plies = [0, 0, 3, 0, 0, 7, 0, 0, 1]
    results = await asyncio.gather(
        *(store.commit(step(n, ply)) for n, ply in zip(ids, plies, strict=True)),
        return_exceptions=True,
    )
    assert [type(result) for result in results] == [
        type(None) if ply == 0 else WrongPly for ply in plies
    ]
    assert [await length(store, n) for n in ids] == [1 if ply == 0 else 0 for ply in plies]
    assert len(commits) <= 2


async def test_a_double_click_counts_once(store: SqliteStore) -> None:
    """Two deliveries of one click in one tick, 200 times: one entry each time."""
    number = await store.open_session(table(1))
    for ply in range(200):
        results = await asyncio.gather(
            store.commit(step(number, ply, interaction=5000 + ply)),
            store.commit(step(number, ply, interaction=5000 + ply)),
            return_exceptions=True,
        )
        assert sorted(type(result).__name__ for result in results) == ["AlreadyCounted", "NoneType"]
    assert await length(store, number) == 200


async def test_two_clicks_on_one_ply_count_once(store: SqliteStore) -> None:
    """Different clicks for the same place in the journal: the first is in, the other WrongPly."""
    number = await store.open_session(table(1))
    results = await asyncio.gather(
        *(store.commit(step(number, 0, interaction=n)) for n in range(20)), return_exceptions=True
    )
    assert [type(result) for result in results] == [type(None)] + [WrongPly] * 19
    assert not await store.was_counted(19)


async def test_one_of_two_games_gets_the_channel(store: SqliteStore) -> None:
    """Two people open a game in one channel in the same tick, a hundred times."""
    for channel in range(100):
        results = await asyncio.gather(
            store.open_session(table(channel, "lobby")),
            store.open_session(table(channel, "lobby", code=code(1000 + channel))),
            return_exceptions=True,
        )
        (taken,) = [result for result in results if isinstance(result, ChannelTaken)]
        (holder,) = [result for result in results if isinstance(result, int)]
        assert taken.session_id == holder
        assert len(await store.sessions_of_channel(channel, live=False)) == 1


async def test_a_user_gets_one_seat(store: SqliteStore) -> None:
    """Joining from five devices at once leaves one seat taken."""
    number = await store.open_session(table(1, "lobby"))
    results = await asyncio.gather(
        *(
            store.commit(Write(session=number, seats=(seat(number, n, 5),), interaction=n, at=2.0))
            for n in range(5)
        ),
        return_exceptions=True,
    )
    assert sum(result is None for result in results) == 1
    assert len(await store.seats(number)) == 1


async def test_readers_never_see_what_is_not_durable(store: SqliteStore) -> None:
    """While groups are being written, a journal and its length always agree."""
    ids = [await store.open_session(table(n)) for n in range(10)]

    async def play(number: int) -> None:
        for ply in range(20):
            await store.commit(step(number, ply))
            assert await length(store, number) == ply + 1

    async def look() -> int:
        looks = 0
        while not all([await length(store, number) == 20 for number in ids]):
            looks += 1
        return looks

    looking = asyncio.create_task(look())
    await asyncio.gather(*(play(number) for number in ids))
    assert await looking > 0


async def test_order_within_a_session_is_kept(store: SqliteStore) -> None:
    """Changes of one session sent without waiting are made in the order in which they came."""
    number = await store.open_session(table(1))
    await asyncio.gather(*(store.commit(step(number, ply)) for ply in range(250)))
    assert await length(store, number) == 250


async def cancel_at_random(store: SqliteStore, rounds: int, seed: int) -> None:
    """Cancel writers at random moments; what the disk has must be whole, and writing must go on."""
    chooser = random.Random(seed)
    ids = [await store.open_session(table(n)) for n in range(5)]
    plies = dict.fromkeys(ids, 0)
    clicks = 0
    for _ in range(rounds):
        tasks: dict[int, asyncio.Task[None]] = {}
        for number in chooser.sample(ids, chooser.randint(1, len(ids))):
            clicks += 1
            change = store.commit(step(number, plies[number], interaction=clicks))
            tasks[number] = asyncio.create_task(change)
        for _ in range(chooser.randint(0, 12)):
            await asyncio.sleep(0)
        if chooser.random() < 0.3:
            await asyncio.sleep(chooser.random() / 500)
        doomed = [task for task in tasks.values() if chooser.random() < 0.7]
        for task in doomed:
            task.cancel()
        results = await asyncio.gather(*tasks.values(), return_exceptions=True)
        # A later change stands behind the cancelled ones, so after it they are settled.
        await store.set_setting("round", str(clicks))
        for number, result in zip(tasks, results, strict=True):
            found = await length(store, number)
            assert found - plies[number] in ((1,) if result is None else (0, 1))
            assert result is None or isinstance(result, asyncio.CancelledError)
            plies[number] = found
    for number in ids:
        await store.commit(step(number, plies[number]))


async def test_a_cancelled_caller_leaves_no_open_transaction(store: SqliteStore) -> None:
    """A few hundred rounds; every time the next write works and no half change is visible."""
    await cancel_at_random(store, 300, seed=1)


@pytest.mark.soak
@pytest.mark.timeout(600)
async def test_a_cancelled_caller_leaves_no_open_transaction_long(store: SqliteStore) -> None:
    """The same, two thousand rounds."""
    await cancel_at_random(store, 2000, seed=2)


async def test_a_cancelled_click_is_counted_all_the_same(store: SqliteStore) -> None:
    """A click whose caller is gone before the commit is on the disk, and its repetition refused."""
    number = await store.open_session(table(1))
    task = asyncio.create_task(store.commit(step(number, 0, interaction=3)))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(AlreadyCounted):
        await store.commit(step(number, 0, interaction=3))
    assert await length(store, number) == 1
