"""The simulated Discord on a port of the loopback interface."""

from __future__ import annotations

import asyncio

from aiohttp import web
from aiohttp.typedefs import Handler

from bot.offline.wire.buckets import RateLimit
from bot.offline.wire.gateway import Gateway
from bot.offline.wire.rest import Memory, Rest
from bot.offline.wire.simulation import STORED_CDN, Simulation

HOST = "127.0.0.1"

#: A request may be larger than Discord allows, so that the refusal is Discord's own.
_MOST_BYTES = 64 << 20


class WireServer:
    """Serves a simulation to one bot: REST under ``/api/v10``, the gateway, and stored files.

    The bot is pointed here by two environment variables, see :meth:`environment`.
    """

    def __init__(
        self,
        simulation: Simulation,
        *,
        token: str,
        memory: Memory | None = None,
        limit: RateLimit | None = None,
    ) -> None:
        self.simulation = simulation
        self.token = token
        self.memory = memory or Memory()
        self.rest = Rest(simulation, self.memory, token, limit or RateLimit())
        self.gateway = Gateway(simulation, token)
        self._runner: web.AppRunner | None = None
        self.port = 0

    @property
    def api(self) -> str:
        """The address that the bot takes for Discord's REST interface."""
        return f"http://{HOST}:{self.port}/api/v10"

    @property
    def gateway_address(self) -> str:
        """The address that the bot takes for Discord's gateway."""
        return f"ws://{HOST}:{self.port}/gateway"

    def environment(self) -> dict[str, str]:
        """What a bot process must find in its environment."""
        return {
            "DISCORD_TOKEN": self.token,
            "DISCORD_API": self.api,
            "DISCORD_GATEWAY": self.gateway_address,
        }

    async def start(self, port: int = 0) -> None:
        """Listen; port 0 takes any free one. Raises OSError when the port is taken."""
        app = web.Application(client_max_size=_MOST_BYTES, middlewares=[self._only_here])
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/cdn/{tail:.*}", self._file)
        app.router.add_route("*", "/api/v10/{tail:.*}", self.rest.handle)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.port = runner.addresses[0][1]
        cdn = f"http://{HOST}:{self.port}/cdn"
        self.rest.cdn, self.rest.gateway_address = cdn, self.gateway_address
        self.gateway.address, self.gateway.cdn = self.gateway_address, (cdn, STORED_CDN)

    async def stop(self) -> None:
        """Close every connection and stop listening."""
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def connected(self, timeout: float = 15.0) -> None:  # noqa: ASYNC109
        """Wait until a bot is connected; TimeoutError after ``timeout`` seconds."""
        async with asyncio.timeout(timeout):
            while not self.gateway.connected:
                await self.simulation.changed()

    @web.middleware
    async def _only_here(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        # A web page elsewhere may lead a browser here under another host name.
        if request.headers.get("Host") not in {f"{HOST}:{self.port}", f"localhost:{self.port}"}:
            return web.Response(status=403)
        return await handler(request)

    async def _file(self, request: web.Request) -> web.Response:
        data = self.simulation.file("/" + request.match_info["tail"])
        if data is None:
            return web.Response(status=404)
        return web.Response(body=data, content_type="application/octet-stream")
