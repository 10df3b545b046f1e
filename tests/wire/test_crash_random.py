"""Two tables in one process, killed at random moments of its life, again and again."""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bot.offline.wire import CannotAct
from tests.wire.harness import Harness
from tests.wire.playing import GAME, NAMES, Evening, controls, in_words, lay_table, night, verb
from tests.wire.playing import turn_is_played as turn
from tests.wire.remains import (
    Births,
    Disk,
    check_ballots,
    check_counted,
    check_messages,
    check_table,
)

#: Seconds from the start of a process to its death: from the middle of its start to a few moves on.
SHORTEST, LONGEST = 0.5, 3.5


class Evenings:
    """Table one is a game of three people; at table two Dan opens lobbies and plays with others."""

    def __init__(self, world: Harness) -> None:
        self.world = world
        self.disk = Disk(world.data_dir)
        self.births = Births(world)
        self.first = Evening(world, "table")
        self.second = Evening(world, "lounge")

    async def one_life(self, length: float) -> None:
        """Start the bot, play as fast as it answers, and kill it after so many seconds."""
        dead = asyncio.create_task(self._die(length))
        with contextlib.suppress(RuntimeError):  # killed before it was ready
            await self.world.start_bot()
            await asyncio.gather(self._play(self.first, NAMES), self._play_second())
        await dead
        await self.world.kill_bot()

    async def _die(self, length: float) -> None:
        await asyncio.sleep(length)
        await self.world._kill()

    async def _play(self, evening: Evening, names: tuple[str, ...]) -> None:
        while not self.world.simulation.nobody_answers:
            with contextlib.suppress(CannotAct):
                await evening.play(names)
            await asyncio.sleep(0.05)

    async def _play_second(self) -> None:
        while not self.world.simulation.nobody_answers:
            with contextlib.suppress(CannotAct):
                await self._step()
            await asyncio.sleep(0.05)

    async def _step(self) -> None:
        """Open a lobby, fill it, start it, play; after the end play again."""
        evening, found = self.second, self.table_at(self.second)
        if found is None:
            await self.world.players["Dan"].slash(evening.channel_id, "play", {"game": GAME})
        elif found["status"] == "running":
            await evening.play(("Dan", "Eve"), answers=1)
        elif found["status"] == "lobby":
            lobby, seats = evening.live(), self.disk.seats(found["id"])
            if len(seats) == 1:
                await evening.click("Eve", lobby, "join")
            elif len(seats) == 2:
                await evening.click("Dan", lobby, "add_computer")
            else:
                await evening.click("Dan", lobby, "start")
        else:
            await evening.click("Dan", evening.live(), "again")

    def table_at(self, evening: Evening) -> Mapping[str, Any] | None:
        """The newest table of a channel."""
        rows = self.disk.rows(
            "SELECT * FROM session WHERE channel_id = ? ORDER BY id", evening.channel_id
        )
        return rows[-1] if rows else None

    def check_counted(self) -> None:
        """Every acknowledged answer, seat and start is on the disk, and nothing was sent twice."""
        self.births.check()
        for evening, names in ((self.first, NAMES), (self.second, ("Dan", "Eve"))):
            ids = [
                row["id"]
                for row in self.disk.rows(
                    "SELECT id FROM session WHERE channel_id = ?", evening.channel_id
                )
            ]
            if len(ids) == 1:
                check_counted(evening, self.disk, ids[0])
            for told in evening.told:
                assert told.name in names
                assert self.disk.was_counted(told.interaction), told

    async def rest(self) -> None:
        """Wait until no computer player moves any more, and everything is published."""
        since, plies = time.monotonic(), self._plies()
        async with asyncio.timeout(60):
            while time.monotonic() - since < 2.0:
                await asyncio.sleep(0.1)
                if plies != self._plies():
                    since, plies = time.monotonic(), self._plies()

    def _plies(self) -> list[Any]:
        rows = self.disk.rows("SELECT id, ply FROM session")
        return [(row["id"], row["ply"], self.disk.is_published(row["id"])) for row in rows]

    async def check_all(self, copies: Path | None = None) -> None:
        """Two live tables, and nothing else with controls; up to date, if the bot has ended."""
        self.check_counted()
        for evening, names in ((self.first, NAMES), (self.second, ("Dan", "Eve"))):
            found = self.table_at(evening)
            assert found is not None
            assert self.disk.is_published(found["id"])
            check_messages(evening, self.births, self.disk, found["id"])
            if found["status"] != "running":
                continue
            check_ballots(evening, self.disk.game(found["id"]), names)
            if copies is not None:
                await check_table(evening, found["id"], copies / evening.channel)


async def live_and_die(folder: Path, lives: int, seed: int) -> None:
    """So many lives of random length; what players were told is looked up after each death."""
    print(f"seed {seed}")
    chooser = random.Random(seed)
    data, copies = folder / "data", folder / "copies"
    data.mkdir()
    copies.mkdir()
    async with Harness(data, players=(*NAMES, "Dan", "Eve")) as world:
        await lay_table(world, night(turn, seed=seed % 1000))
        evenings = Evenings(world)
        for life in range(lives):
            await evenings.one_life(chooser.uniform(SHORTEST, LONGEST))
            evenings.check_counted()
            if life == 0:
                in_words(world)  # the first life showed pictures, the others may not
        await world.start_bot()
        await evenings.rest()
        await evenings.check_all()
        told = len(evenings.first.told) + len(evenings.second.told)
        assert told >= lives
        first = await evenings.first.play(answers=1)
        assert first == 1 or not controls(evenings.first.live(), "menu")
        await evenings.rest()
        assert await world.stop_bot() == 0
        await evenings.check_all(copies)
        assert world.calls["PUT /applications/{id}/commands"] == 1
        kinds = {verb(one.custom_id) for one in (*evenings.first.told, *evenings.second.told)}
        print(f"{lives} lives, {told} answers told, of the kinds {sorted(kinds)}")


async def test_nothing_is_lost_or_doubled_by_ten_kills_at_random_moments(tmp_path: Path) -> None:
    """Ten kills at random moments of start, lobby and game: whatever was acknowledged is there, no
    message was sent twice, none is missing, and Discord was told the commands once.
    """
    await live_and_die(tmp_path, 10, secrets.randbits(24))


@pytest.mark.soak
@pytest.mark.timeout(1800)
async def test_nothing_is_lost_or_doubled_by_two_hundred_kills(tmp_path: Path) -> None:
    """The same, two hundred times in one data folder."""
    await live_and_die(tmp_path, 200, secrets.randbits(24))
