"""Many clicks at one instant, and the same click delivered twice."""

from __future__ import annotations

import asyncio
import collections
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import (
    QUIET,
    in_words,
    lay_lobby,
    lay_table,
    night,
    turn_is_played,
)
from tests.wire.remains import Births, Disk, check_counted, check_messages, published

CROWD = tuple(f"Guest {number}" for number in range(1, 18))
SEATS = 11


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[Harness]:
    """A server with twenty-one members."""
    names = ("Ann", "Ben", "Cleo", "Dan", *CROWD)
    async with Harness(
        tmp_path, quiet=QUIET, players=names, channels=("table", "lounge", "hall")
    ) as made:
        in_words(made)
        yield made


async def test_twenty_clicks_at_one_instant_count_once_each(world: Harness) -> None:
    """Twenty people press Join at once: each free seat is taken once, and all are answered. One
    person presses Join, and one who is asked an answer, twenty times at once: it counts once.
    """
    births, disk = Births(world), Disk(world.data_dir)
    lobby, lounge, hall = Evening(world), Evening(world, "lounge"), Evening(world, "hall")
    many = await lay_lobby(world)
    one = await lay_lobby(world, channel="lounge")
    game = await lay_table(world, night(turn_is_played), channel="hall")
    await world.start_bot()
    await published(world, disk, many, one, game)

    others = [name for name in world.players if name != "Ann"]
    assert len(others) == 20
    shown = lobby.live()
    replies = await asyncio.gather(*(lobby.click(name, shown, "join") for name in others))
    assert all(reply.acknowledged for reply in replies)
    seats = disk.seats(many)
    assert [seat["seat"] for seat in seats] == list(range(SEATS))
    assert len({seat["user_id"] for seat in seats}) == SEATS
    assert len(lobby.told) == SEATS - 1
    assert {told.name for told in lobby.told} == {seat["name"] for seat in seats[1:]}

    shown = lounge.live()
    replies = await asyncio.gather(*(lounge.click("Ben", shown, "join") for _ in range(20)))
    assert all(reply.acknowledged for reply in replies)
    assert [seat["name"] for seat in disk.seats(one)] == ["Ann", "Ben"]

    shown, before = hall.live(), len(disk.entries(game))
    (act,) = controls(shown, "act")
    values = hall.first_values(shown, act)
    pressed = (hall.press("Cleo", shown, act, values) for _ in range(20))
    replies = await asyncio.gather(*pressed)
    assert all(reply.acknowledged for reply in replies)
    entries = disk.entries(game)
    assert len(entries) == before + 1
    assert entries[-1]["value"] == values
    assert entries[-1]["interaction_id"] in [reply.id for reply in replies]

    await published(world, disk, many, one, game)
    for evening, session in ((lobby, many), (lounge, one), (hall, game)):
        check_messages(evening, births, disk, session)
    for told in lobby.told:
        assert disk.was_counted(told.interaction)


async def test_a_click_delivered_again_counts_once(world: Harness) -> None:
    """The same interaction comes a second time, at once and after a kill: it is no second answer,
    and the game goes on.
    """
    births, disk, hall = Births(world), Disk(world.data_dir), Evening(world, "hall")
    game = await lay_table(world, night(turn_is_played), channel="hall")
    await world.start_bot()
    await published(world, disk, game)
    before = len(disk.entries(game))
    reply = await hall.move("Cleo")
    assert reply is not None
    assert reply.text.startswith("Counted")
    await world.redeliver(reply)
    assert len(disk.entries(game)) == before + 1
    await world.restart_bot()
    await world.redeliver(reply)
    await published(world, disk, game)
    assert len(disk.entries(game)) == before + 1
    assert await hall.play(answers=2) == 2
    await published(world, disk, game)
    check_counted(hall, disk, game)
    check_messages(hall, births, disk, game)
    clicks = collections.Counter(one["interaction_id"] for one in disk.entries(game))
    assert clicks[reply.id] == 1
