"""The bot's line to the gateway, which a test can cut, freeze and mend."""

from __future__ import annotations

import asyncio
import contextlib
from types import TracebackType
from typing import Self

from bot.offline.wire.server import HOST
from tests.wire.harness import Harness


class Line:
    """A proxy between the bot and the gateway; enter it before the bot is started.

    Cut: connections end, and new ones are refused. Held: new ones wait. Frozen: nothing passes.
    """

    def __init__(self, world: Harness) -> None:
        self.world = world
        self._is_whole = True
        self.waits = 0
        """How many new connections wait."""
        self._open, self._thawed = asyncio.Event(), asyncio.Event()
        self._open.set()
        self._thawed.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, HOST, 0)
        self._port = self._server.sockets[0].getsockname()[1]
        address = f"ws://{HOST}:{self._port}/gateway"
        server = self.world.server
        server.rest.gateway_address = server.gateway.address = address
        self.world.extra_env["DISCORD_GATEWAY"] = address
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.mend()
        self._server.close()
        self.cut()
        await asyncio.sleep(0.01)  # whoever waited is let go
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def cut(self) -> None:
        """End every connection, and let no new one through."""
        self._is_whole = False
        for writer in self._writers:
            writer.transport.abort()

    def hold(self) -> None:
        """Let new connections wait; those that stand go on."""
        self._open.clear()

    def freeze(self) -> None:
        """Let nothing pass, in either direction."""
        self._thawed.clear()

    def mend(self) -> None:
        """Let everything pass again."""
        self._is_whole = True
        self._open.set()
        self._thawed.set()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._is_whole:
            writer.transport.abort()
            return
        self.waits += 1
        await self._open.wait()
        self.waits -= 1
        if not self._is_whole:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection(HOST, self.world.server.port)
        self._writers |= {writer, back}
        for source, target in ((reader, back), (there, writer)):
            task = asyncio.create_task(self._pass(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        # The server serves nobody who came by another name.
        names = (f"{HOST}:{self._port}".encode(), f"{HOST}:{self.world.server.port}".encode())
        with contextlib.suppress(ConnectionError):
            while data := await source.read(1 << 16):
                await self._thawed.wait()
                target.write(data.replace(b"Host: " + names[0], b"Host: " + names[1]))
                await target.drain()
        target.close()
        self._writers.discard(target)
