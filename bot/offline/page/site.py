"""The players' web site: one page for each token, a live feed, actions, and files."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import mimetypes
import os
import socket
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.typedefs import Handler

from bot.offline.links import player_of
from bot.offline.page import views
from bot.offline.page.actions import Actions
from bot.offline.wire import CannotAct, Player
from bot.offline.wire.simulation import STORED_CDN
from bot.offline.world import World

_log = logging.getLogger(__name__)

HOST = "127.0.0.1"

#: Changes closer together than this (seconds) reach a page together.
BREATH = 0.05

#: A page without news still hears about the bot's state this often (seconds).
PULSE = 1.0

_STATIC = Path(__file__).parent / "static"
_SEEN = 8  # states of a place that a page may still be drawing

#: Nothing on the page may come from, or go, anywhere else.
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True, slots=True)
class BotState:
    """The bot as the page shows it. ``state`` is "running", "restarting" or "down"."""

    state: str
    starts: int
    words: str


def listen(port: int) -> socket.socket:
    """A socket of the loopback interface; port 0 is any free one. OSError when it is taken."""
    listener = socket.socket()
    try:
        if os.name == "posix":  # on Windows this would share the port with another program
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen(64)
    except OSError:
        listener.close()
        raise
    return listener


class PlayersPage:
    """Serves the pages of all players.

    ``tokens`` are the players' secrets in the order of ``world.people``; ``bot`` tells the bot's
    state, ``kill`` kills it.
    """

    def __init__(
        self,
        world: World,
        tokens: list[str],
        bot: Callable[[], BotState],
        kill: Callable[[], object],
    ) -> None:
        self.world = world
        self.tokens = tokens
        self._bot = bot
        self._kill = kill
        self._runner: web.AppRunner | None = None
        self._sockets: set[web.WebSocketResponse] = set()
        self._seen: dict[int, deque[str]] = {}
        self.port = 0

    async def start(self, listener: socket.socket) -> None:
        """Serve on a socket made by :func:`listen`."""
        app = web.Application(client_max_size=16 << 20, middlewares=[self._only_here])
        app.router.add_get("/p/{token}", self._page)
        app.router.add_get("/p/{token}/live", self._live)
        app.router.add_post("/p/{token}/act", self._act)
        app.router.add_post("/p/{token}/kill", self._kill_bot)
        app.router.add_get("/p/{token}/file/{path:.*}", self._file)
        app.router.add_get("/static/emoji.ttf", self._emoji)
        app.router.add_get("/static/{name}", self._static)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        self._runner = runner
        await web.SockSite(runner, listener).start()
        self.port = listener.getsockname()[1]

    async def stop(self) -> None:
        """Close every page's feed and stop listening."""
        for one in tuple(self._sockets):
            await one.close()
        if self._runner is not None:
            await self._runner.cleanup()

    def link(self, number: int) -> str:
        """The address of one player's page."""
        return f"http://{HOST}:{self.port}/p/{self.tokens[number]}"

    # ------------------------------------------------------------------ who may ask

    @web.middleware
    async def _only_here(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse other host names and other sites' scripts, and lock the page in."""
        hosts = {f"{HOST}:{self.port}", f"localhost:{self.port}"}
        origin = request.headers.get("Origin")
        if request.headers.get("Host") not in hosts:
            return web.Response(status=403, text="403\n")
        if origin is not None and origin not in {f"http://{host}" for host in hosts}:
            return web.Response(status=403, text="403\n")
        response = await handler(request)
        if not response.prepared:
            for name, value in _HEADERS.items():
                response.headers.setdefault(name, value)
        return response

    def _who(self, request: web.Request) -> Player:
        number = player_of(request.match_info["token"], self.tokens)
        if number is None:
            raise web.HTTPNotFound
        return self.world.player(number)

    # ------------------------------------------------------------------ pages and files

    async def _page(self, request: web.Request) -> web.StreamResponse:
        self._who(request)
        return web.FileResponse(_STATIC / "index.html", headers=_HEADERS)

    async def _static(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["name"]
        if not (_STATIC / name).is_file() or Path(name).name != name:
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return web.FileResponse(_STATIC / name, headers={**_HEADERS, "Content-Type": kind})

    async def _emoji(self, _request: web.Request) -> web.StreamResponse:
        """The colour emoji that SimCord brings along, for computers without any."""
        fonts = resources.files("simcord") / "preview" / "static" / "fonts"
        for font in fonts.iterdir() if fonts.is_dir() else ():
            if font.name.startswith("noto-color-emoji"):
                body = await asyncio.to_thread(font.read_bytes)
                cached = {**_HEADERS, "Cache-Control": "max-age=86400"}
                return web.Response(body=body, content_type="font/ttf", headers=cached)
        raise web.HTTPNotFound

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """A file of a message, for those who see the message."""
        player = self._who(request)
        path = "/" + request.match_info["path"]
        parts = path.split("/")
        if len(parts) != 5 or not parts[2].isdigit():
            raise web.HTTPNotFound
        try:
            shown = player.messages(int(parts[2]))
        except CannotAct:
            raise web.HTTPNotFound from None
        url = STORED_CDN + path
        data = self.world.simulation.file(path)
        is_there = any(one["url"] == url for m in shown for one in m.attachments)
        if data is None or not (is_there or self._has_seen(player, path)):
            raise web.HTTPNotFound
        kind = mimetypes.guess_type(parts[4])[0] or "application/octet-stream"
        headers = {**_HEADERS, "Cache-Control": "private, max-age=3600"}
        if not kind.startswith("image/") or kind == "image/svg+xml":
            headers["Content-Disposition"] = "attachment"
        return web.Response(body=data, content_type=kind, headers=headers)

    def remember(self, player: Player, messages: str) -> None:
        """What a page was just told to show: it may fetch pictures that are replaced meanwhile."""
        self._seen.setdefault(player.id, deque(maxlen=_SEEN)).append(messages)

    def _has_seen(self, player: Player, path: str) -> bool:
        return any(f'{path}"' in messages for messages in self._seen.get(player.id, ()))

    # ------------------------------------------------------------------ acting

    async def _act(self, request: web.Request) -> web.StreamResponse:
        player = self._who(request)
        try:
            body = await request.json()
        except ValueError:
            raise web.HTTPBadRequest from None
        if not isinstance(body, dict):
            raise web.HTTPBadRequest
        return web.json_response(await Actions(self.world, player).act(body))

    async def _kill_bot(self, request: web.Request) -> web.StreamResponse:
        player = self._who(request)
        _log.warning("%s kills the bot", player.name)
        self._kill()
        return web.json_response({"ok": True})

    # ------------------------------------------------------------------ the live feed

    async def _live(self, request: web.Request) -> web.WebSocketResponse:
        player = self._who(request)
        connection = web.WebSocketResponse(heartbeat=20, max_msg_size=1 << 16)
        await connection.prepare(request)
        feed = _Feed(self, player, connection, f"/p/{request.match_info['token']}/file")
        self._sockets.add(connection)
        push = asyncio.create_task(feed.push())
        try:
            async for message in connection:
                if message.type is WSMsgType.TEXT:
                    feed.heard(message.data)
        finally:
            self._sockets.discard(connection)
            push.cancel()
            await asyncio.gather(push, return_exceptions=True)
        return connection

    def bot_state(self) -> dict[str, Any]:
        """The bot's state for the page."""
        return asdict(self._bot())


class _Feed:
    """One open page: it is told each part of what it shows when that part has changed."""

    def __init__(
        self, site: PlayersPage, player: Player, connection: web.WebSocketResponse, files: str
    ) -> None:
        self._site = site
        self._player = player
        self._connection = connection
        self._files = files
        self._channel = 0
        self._watched = False
        self._sent: dict[str, str] = {}
        self._wake = asyncio.Event()

    def heard(self, text: str) -> None:
        """The page opened another place, or was looked at or away from."""
        with contextlib.suppress(ValueError, TypeError, AttributeError):
            said = json.loads(text)
            if "open" in said:
                self._channel = int(said["open"])
                self._sent.pop("messages", None)
            if "watched" in said:
                self._watched = bool(said["watched"])
            self._wake.set()

    async def push(self) -> None:
        """Send what changed, as it changes, until cancelled or the page is gone.

        After a failure the connection is closed: the page connects again and is told everything.
        """
        try:
            await self._push()
        except ConnectionError:
            pass
        except Exception:  # noqa: BLE001  # ours; logged, and the page starts afresh
            _log.exception("the page of %s could not be told what changed", self._player.name)
            await self._connection.close(code=WSCloseCode.INTERNAL_ERROR)

    async def _push(self) -> None:
        simulation = self._site.world.simulation
        while True:
            await self._send_changes()
            changed = asyncio.create_task(simulation.changed(PULSE))
            woken = asyncio.create_task(self._wake.wait())
            try:
                await asyncio.wait({changed, woken}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                changed.cancel()
                woken.cancel()
            self._wake.clear()
            await asyncio.sleep(BREATH)

    async def _send_changes(self) -> None:
        for name, part in self._parts().items():
            text = views.as_text(part, STORED_CDN, self._files)
            if self._sent.get(name) != text:
                self._sent[name] = text
                if name == "messages":
                    self._site.remember(self._player, text)
                await self._connection.send_str(f'{{"part": "{name}", "value": {text}}}')

    def _parts(self) -> dict[str, Any]:
        world, player = self._site.world, self._player
        open_places = player.places()
        if all(place.id != self._channel for place in open_places) and open_places:
            self._channel = open_places[0].id
        if self._watched:
            latest = next((p.latest for p in open_places if p.id == self._channel), 0)
            world.read[player.id, self._channel] = latest
        return {
            "me": {
                "id": str(player.id),
                "name": player.name,
                "dms_closed": player.id in world.memory.closed_dms,
            },
            "bot": self._site.bot_state(),
            "people": views.people(world),
            "places": views.places(world, player),
            "commands": views.commands(player, self._channel),
            "messages": {
                "channel": str(self._channel),
                "messages": views.messages(world, player, self._channel),
            },
        }
