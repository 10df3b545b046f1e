"""Answers that Discord takes and does not confirm, with the library's own repeats over HTTP."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import fnmatch
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web

from bot import titles
from bot.offline.wire import Call, Severed, Shown
from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import QUIET
from tests.wire.remains import Births, Disk, check_counted, check_messages, published
from tests.wire.test_crash_games import begun, sessions

#: Longer than the bot waits before it sends a bare receipt.
SLOW = 2.0


class Losing:
    """Loses the confirmation of each interaction's first answer, once Discord has taken it."""

    def __init__(self, world: Harness) -> None:
        self.world = world
        self.how = ""
        self.seen: collections.Counter[str] = collections.Counter()
        world.server.rest.hooks.append(self._hook)

    async def _hook(self, stage: str, call: Call) -> None:
        if stage != "after" or not fnmatch.fnmatch(call.path, "/interactions/*/callback"):
            return
        self.seen[call.path] += 1
        if self.how and self.seen[call.path] == 1:
            raise web.HTTPBadGateway if self.how == "502" else Severed

    @contextlib.asynccontextmanager
    async def answers(self, how: str, count: int) -> AsyncIterator[None]:
        """Lose so many meanwhile; the library repeats each after a 502."""
        self.how = how
        self.seen.clear()
        yield
        if how == "502":
            await self.world.until(lambda: len(self.seen) == count and min(self.seen.values()) > 1)
        self.how = ""
        assert len(self.seen) == count
        await self.world.settle(0.2)


async def mover(evening: Evening) -> tuple[str, Shown]:
    """Somebody who is asked something at that table, and the panel."""
    for name in ("Ann", "Ben"):
        panel = await evening.panel(name)
        if panel is not None and controls(panel, "act", "draft"):
            return name, panel
    raise AssertionError("nobody is asked anything")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("how", ["502", "cut"])
async def test_a_lost_answer_counts_as_given(tmp_path: Path, how: str) -> None:
    """INT-16: Discord takes the first answer to clicks and commands and answers 502, or nothing; to
    the repeat it says that there is one already: each move counts once, nobody reads of a fault,
    and after a receipt that was lost like this the answer itself still comes.
    """
    rooms = titles.KEYS
    async with Harness(tmp_path, quiet=QUIET, channels=("table", *rooms)) as world:
        births, disk, losing = Births(world), Disk(tmp_path), Losing(world)
        await world.start_bot()
        evenings = [await begun(world, game, game) for game in rooms]
        ids = [sessions(disk)[evening.channel_id] for evening in evenings]

        async def clicks() -> list[int]:
            await published(world, disk, *ids)
            return [
                len([one for one in disk.entries(table) if one["interaction_id"]]) for table in ids
            ]

        def shown(channel_id: int, message: Shown) -> str:
            """A message that Ann or Ben alone sees, as it is now."""
            found = [
                one
                for name in ("Ann", "Ben")
                for one in world.players[name].messages(channel_id)
                if one.id == message.id
            ]
            return found[0].text

        before = await clicks()
        movers = [await mover(evening) for evening in evenings]
        async with losing.answers(how, len(rooms)):
            panels = await asyncio.gather(*(e.panel("Dan") for e in evenings))
        assert all(panel is not None and "no seat" in panel.text for panel in panels)
        async with losing.answers(how, len(rooms)):
            moves = zip(evenings, movers, strict=True)
            await asyncio.gather(*(e.press(n, p, *first(p)) for e, (n, p) in moves))
        assert await clicks() == [count + 1 for count in before]

        movers = [await mover(evening) for evening in evenings]
        async with losing.answers(how, len(rooms) + 1):
            with disk.held():
                moves = zip(evenings, movers, strict=True)
                work = asyncio.gather(
                    world.players["Dan"].slash(
                        world.channels["table"], "notify", {"ballots": "off"}
                    ),
                    *(e.press(n, p, *first(p)) for e, (n, p) in moves),
                )
                await asyncio.sleep(SLOW)
            told, *_ = await work
        assert await clicks() == [count + 2 for count in before]
        (note,) = world.players["Dan"].messages(world.channels["table"])
        assert note.id == (told.message and told.message.id)
        assert "do not come by direct message" in note.text
        for evening, (_, panel) in zip(evenings, movers, strict=True):
            assert shown(evening.channel_id, panel).startswith("Counted")

        for evening, table in zip(evenings, ids, strict=True):
            check_counted(evening, disk, table)
            check_messages(evening, births, disk, table)
            for player in world.players.values():
                said = [one.text for one in player.messages(evening.channel_id)]
                assert not [one for one in said if "my fault" in one]
        assert not [line for line in world.output if "Traceback" in line or " ERROR " in line]


def first(panel: Shown) -> tuple[str, list[str]]:
    """The first thing that can be chosen in a panel."""
    (custom_id, *_) = controls(panel, "act")
    return custom_id, Evening.first_values(panel, custom_id)
