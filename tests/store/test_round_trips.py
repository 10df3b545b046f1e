"""DB-18: everything that a real game makes goes through the database and comes back the same."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.store.columns import to_json
from bot.store.db import open_store
from bot.store.protocol import Write
from bot.store.rows import EntryRow
from bot.titles import Title
from engines.kernel.decision import CLOCK
from engines.kernel.journal import Header, dump_header, dump_record, load_header, load_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import play_out
from tests.store.samples import seat, table

Play = Playthrough[Any, Any, Any]


@cache
def title(key: str) -> Title:
    """The game as it is shipped."""
    return titles.load(key)


def typed(value: object) -> object:
    """A value with the type of each part beside it: 1, True and '1' are three things."""
    if isinstance(value, dict):
        return sorted((repr(typed(name)), typed(item)) for name, item in value.items())
    if isinstance(value, list | tuple):
        return [type(value).__name__, [typed(item) for item in value]]
    return type(value).__name__, repr(value)


def as_lists(value: object) -> object:
    """What is told as tuples is written as lists."""
    if isinstance(value, dict):
        return {name: as_lists(item) for name, item in value.items()}
    return [as_lists(item) for item in value] if isinstance(value, list | tuple) else value


async def there_and_back(folder: Path, key: str, number: int, agent: str) -> None:
    """Play a game through, store it entry by entry, and read it with a fresh store."""
    game = title(key).game
    seats = game.seats[number % len(game.seats)]
    options = {one.key: one.values[number % len(one.values)] for one in game.options}
    header = Header(
        key, game.rules_version, title(key).content.digest, f"{number:064x}", seats, options
    )
    play: Play = play_out(
        Playthrough(game, title(key).content.rules, header), game.agents[agent], bytes([number])
    )
    row = table(
        1, game=key, options=dict(options), header=dump_header(header),
        outcome=None if play.outcome is None else as_lists(dataclasses.asdict(play.outcome)),
    )  # fmt: skip
    async with await open_store(folder) as store:
        session = await store.open_session(row, tuple(seat(0, n, 10**18 + n) for n in range(seats)))
        entries = tuple(
            EntryRow(session, ply, dump_record(entry), 10**18 + ply, 1000.5 + ply)
            for ply, entry in enumerate(play.entries)
        )
        await store.commit(Write(session=session, expected_ply=0, entries=entries, at=2.0))
    async with await open_store(folder) as store:
        found = await store.session(session)
        assert found is not None
        stored = await store.entries(session)
        assert stored == entries
        assert [one.user_id for one in await store.seats(session)] == [
            10**18 + n for n in range(seats)
        ]
    assert typed(found.options) == typed(row.options)
    assert typed(found.outcome) == typed(row.outcome)
    read = [load_record(one.record, ply) for ply, one in enumerate(stored, 1)]
    assert [typed(dataclasses.astuple(one)) for one in read] == [
        typed(dataclasses.astuple(one)) for one in play.entries
    ]
    again: Play = Playthrough(game, title(key).content.rules, load_header(found.header or ""))
    for one in read:
        assert isinstance(one, Entry)
        again.replay_one(one)
    assert again.events == play.events
    for one in dataclasses.fields(play._state):
        if one.name != "content":
            assert typed(getattr(again._state, one.name)) == typed(getattr(play._state, one.name))
    for numbered in play.events:
        told = as_lists(dict(numbered.event.data))
        text = to_json(told, "event")
        assert text is not None
        assert json.loads(text) == told
    assert any(entry.seat != CLOCK for entry in play.entries)


@pytest.mark.parametrize("key", titles.KEYS)
async def test_a_whole_game_comes_back_equal(tmp_path: Path, key: str) -> None:
    """Entries, options, outcome and ids, equal and of equal types; replayed, the same state and
    events, each of which is JSON that does not change.
    """
    await there_and_back(tmp_path, key, 2, "random")


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("key", titles.KEYS)
async def test_many_games_come_back_equal(tmp_path: Path, key: str) -> None:
    """The same for sixty games of all numbers of seats and all options."""
    for number in range(60):
        folder = tmp_path / str(number)
        await there_and_back(folder, key, number, ("sensible", "random")[number % 2])
