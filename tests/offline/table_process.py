"""The offline table as a process of its own, with the small bot of the wire tests beside it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import aiohttp

from bot.offline.child import Child
from tests.wire.harness import ROOT

TINY = (sys.executable, str(ROOT / "tests/wire/tiny_bot.py"))

_PROGRAM = """
import pathlib, sys, types
from bot.offline.table import main
data_dir, port, players, *argv = sys.argv[1:]
settings = types.SimpleNamespace(
    data_dir=pathlib.Path(data_dir), offline_port=int(port), dev_guild_id=None
)
sys.exit(main(settings, int(players), argv=argv))
"""


class TableProcess:
    """Runs ``bot.offline.table.main``; on the way out the process is stopped if it still runs."""

    def __init__(
        self, data_dir: Path, *, port: int = 0, players: int = 2, bot: tuple[str, ...] = TINY
    ) -> None:
        self.argv = (
            *(sys.executable, "-c", _PROGRAM, str(data_dir), str(port), str(players)),
            *bot,
        )
        self.lines: list[str] = []
        self.links: dict[str, str] = {}
        self.code: int | None = None

    async def __aenter__(self) -> Self:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        self.child = await Child.start(self.argv, env, captured=True)
        self.http = aiohttp.ClientSession()
        self._ready = asyncio.Event()
        self._reader = asyncio.create_task(self._read())
        async with asyncio.timeout(30):
            await self._ready.wait()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.http.close()
        # In order, so that it takes its bot along: that holds the other end of what is read here.
        await self.child.stop(15.0)
        await self._reader
        if kind is not None:
            print("".join(self.lines))

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        self.child.process.send_signal(how)
        async with asyncio.timeout(30):
            code = await self.child.process.wait()
            await self._reader
        return code

    async def act(self, player: str, **action: Any) -> dict[str, Any]:
        """One action of a player's page."""
        async with self.http.post(self.links[player] + "/act", json=action) as response:
            return await response.json()

    async def kill_bot(self, player: str) -> None:
        """Press the page's control."""
        async with self.http.post(self.links[player] + "/kill") as response:
            assert response.status == 200

    async def until(self, player: str, condition: Any, wait: float = 10.0) -> dict[str, Any]:
        """What a newly opened page of this player is told, once it fulfils the condition."""
        parts: dict[str, Any] = {}
        async with (
            asyncio.timeout(wait),
            self.http.ws_connect(self.links[player] + "/live") as socket,
        ):
            while len(parts) < 6 or not condition(parts):
                told = await socket.receive_json()
                parts[told["part"]] = told["value"]
        return parts

    async def _read(self) -> None:
        assert self.child.process.stdout is not None
        async for raw in self.child.process.stdout:
            line = raw.decode(errors="replace")
            self.lines.append(line)
            if found := re.match(r"\s+(\w+)\s+(http://127\.0\.0\.1:\d+/p/[-\w]+)", line):
                self.links[found[1]] = found[2]
            if "Ctrl-C" in line:
                self._ready.set()
        self._ready.set()


def is_running(parts: dict[str, Any]) -> bool:
    """The bot is connected and its commands are known."""
    return parts["bot"]["state"] == "running" and bool(parts["commands"])
