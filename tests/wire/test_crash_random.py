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
from tests.wire.evening import Evening, controls, verb
from tests.wire.harness import Harness
from tests.wire.playing import (
    NAMES,
    QUIET,
    in_words,
    lay_lobby,
    lay_table,
    night,
)
from tests.wire.playing import turn_is_played as turn
from tests.wire.remains import (
    Births,
    Disk,
    check_ballots,
    check_counted,
    check_messages,
    check_table,
)

#: Seconds from the first answer of a process to its death; one in five dies while it starts.
LONGEST = 1.5
STARTING = 1.0


class Evenings:
    """Table one is a game of three people; table two a lobby that Dan fills and starts."""

    def __init__(self, world: Harness) -> None:
        self.world = world
        self.disk = Disk(world.data_dir)
        self.births = Births(world)
        self.first = Evening(world, "table")
        self.second = Evening(world, "lounge")

    async def one_life(self, chooser: random.Random) -> None:
        """Start the bot, play as fast as it answers, and kill it at some moment."""
        if chooser.random() < 0.2:
            dead = asyncio.create_task(self._die(chooser.uniform(0.0, STARTING)))
            with contextlib.suppress(RuntimeError):  # killed before it was ready
                await self.world.start_bot()
        else:
            await self.world.start_bot()
            dead = asyncio.create_task(self._die(chooser.uniform(0.0, LONGEST)))
            await asyncio.gather(self._play(self.first, NAMES), self._play_second())
        await dead
        await self.world.kill_bot()

    async def _die(self, delay: float) -> None:
        await asyncio.sleep(delay)
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
        """Fill the lobby, start it, play; after the end play again."""
        evening, found = self.second, self.table_at(self.second)
        if found["status"] == "running":
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

    def table_at(self, evening: Evening) -> Mapping[str, Any]:
        """The newest table of a channel."""
        rows = self.disk.rows(
            "SELECT * FROM session WHERE channel_id = ? ORDER BY id", evening.channel_id
        )
        return rows[-1]

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
        """Wait until only people are waited for, and everything is published."""
        since, state = time.monotonic(), self._state()
        async with asyncio.timeout(60):
            while time.monotonic() - since < 1.3 or not all(calm for *_, calm in state):
                await asyncio.sleep(0.1)
                if state != (now := self._state()):
                    since, state = time.monotonic(), now

    def _state(self) -> list[tuple[int, int, bool]]:
        rows = self.disk.rows("SELECT id, ply, status FROM session")
        return [(row["id"], row["ply"], self._is_calm(row["id"], row["status"])) for row in rows]

    def _is_calm(self, session: int, status: str) -> bool:
        if self.disk.owed(session):
            return False
        if status != "running":
            return True
        computers = [one["seat"] for one in self.disk.seats(session) if one["user_id"] is None]
        return not any(one.seat in computers for one in self.disk.game(session).waiting())

    async def check_all(self, copies: Path | None = None) -> None:
        """Two live tables, and nothing else with controls; up to date, if the bot has ended."""
        self.check_counted()
        for evening, names in ((self.first, NAMES), (self.second, ("Dan", "Eve"))):
            found = self.table_at(evening)
            assert self.disk.owed(found["id"]) == []
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
    async with Harness(data, quiet=QUIET, players=(*NAMES, "Dan", "Eve")) as world:
        in_words(world)
        await lay_table(world, night(turn, seed=seed % 1000))
        await lay_lobby(world, channel="lounge", people=("Dan",))
        evenings = Evenings(world)
        for _ in range(lives):
            await evenings.one_life(chooser)
            evenings.check_counted()
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
