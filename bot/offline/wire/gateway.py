"""The gateway: identify, heartbeat, resume, and the events of each session."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import json
import secrets
from typing import Any

from aiohttp import WSMsgType, web

from bot.offline.wire.simulation import Simulation, Subscription

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT = 0, 1, 2, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, HEARTBEAT_ACK = 8, 9, 10, 11

#: Close code for a wrong token; a bot must not try again.
AUTHENTICATION_FAILED = 4004

#: Milliseconds between heartbeats, as Discord asks for.
HEARTBEAT_INTERVAL = 41_250

#: An acknowledgement that comes before discord.py has noted its heartbeat reads as 41 s of delay.
ACK_DELAY = 0.02

#: Events kept for a bot that resumes.
KEPT = 500


class Connection:
    """One WebSocket of a bot; frames leave in the order in which they were sent."""

    def __init__(self, socket: web.WebSocketResponse, address: tuple[str, str]) -> None:
        self.socket = socket
        self.public_cdn, self.stored_cdn = address
        self._queue: asyncio.Queue[str] = asyncio.Queue()

    def send(self, frame: dict[str, Any]) -> None:
        """Queue one frame."""
        text = json.dumps(frame, default=str)
        self._queue.put_nowait(text.replace(self.stored_cdn, self.public_cdn))

    async def pump(self) -> None:
        """Write queued frames until the socket is gone."""
        with contextlib.suppress(ConnectionError):
            while True:
                await self.socket.send_str(await self._queue.get())


class Session:
    """One identified bot: its numbered events outlive a lost connection, so it can resume."""

    def __init__(self, simulation: Simulation, intents: int) -> None:
        self.id = secrets.token_hex(8)
        self.sequence = 0
        self.connection: Connection | None = None
        self.log: collections.deque[dict[str, Any]] = collections.deque(maxlen=KEPT)
        self.events = Subscription(simulation, intents, self.send)

    def send(self, event: str, payload: dict[str, Any]) -> None:
        """Number an event, keep it for a resume, and send it if the bot is connected."""
        self.sequence += 1
        frame = {"op": DISPATCH, "t": event, "s": self.sequence, "d": payload}
        self.log.append(frame)
        if self.connection is not None:
            self.connection.send(frame)

    def missed_since(self, sequence: int) -> list[dict[str, Any]] | None:
        """The events after ``sequence``, or None when some of them are no longer kept."""
        if sequence > self.sequence or (self.log and sequence < self.log[0]["s"] - 1):
            return None
        return [frame for frame in self.log if frame["s"] > sequence]


class Gateway:
    """All sessions of the bot, and what a test may do to them."""

    def __init__(self, simulation: Simulation, token: str) -> None:
        self.simulation = simulation
        self.token = token
        self.address = ""
        self.cdn: tuple[str, str] = ("", "")
        self.sessions: dict[str, Session] = {}
        self.identifies = 0
        self.resumes = 0

    @property
    def connected(self) -> bool:
        """Whether a bot is connected and identified."""
        return any(session.connection is not None for session in self.sessions.values())

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one WebSocket. Frames go out uncompressed, which discord.py accepts."""
        socket = web.WebSocketResponse(max_msg_size=1 << 16)
        await socket.prepare(request)
        connection = Connection(socket, self.cdn)
        pump = asyncio.create_task(connection.pump())
        connection.send({"op": HELLO, "d": {"heartbeat_interval": HEARTBEAT_INTERVAL}})
        session: Session | None = None
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    session = await self._received(json.loads(message.data), connection, session)
        finally:
            pump.cancel()
            if session is not None and session.connection is connection:
                session.connection = None
                self.simulation.touch()
        return socket

    async def _received(
        self, frame: dict[str, Any], connection: Connection, session: Session | None
    ) -> Session | None:
        op: int = frame["op"]
        data: Any = frame.get("d")
        if op == HEARTBEAT:
            await asyncio.sleep(ACK_DELAY)
            connection.send({"op": HEARTBEAT_ACK})
        elif op == IDENTIFY:
            if data["token"] != self.token:
                await connection.socket.close(code=AUTHENTICATION_FAILED)
                return None
            return self._identify(data, connection)
        elif op == RESUME:
            return self._resume(data, connection)
        elif op == REQUEST_MEMBERS and session is not None:
            await session.events.request_members(data)
        return session

    def _identify(self, data: dict[str, Any], connection: Connection) -> Session:
        for lost in [one for one in self.sessions.values() if one.connection is None]:
            self._end(lost)
        session = Session(self.simulation, int(data["intents"]))
        session.connection = connection
        self.sessions[session.id] = session
        self.identifies += 1
        session.send("READY", self.simulation.ready_payload(session.id, self.address))
        for guild in self.simulation.guild_payloads():
            session.events.feed("GUILD_CREATE", guild)
        self.simulation.touch()
        return session

    def _resume(self, data: dict[str, Any], connection: Connection) -> Session | None:
        session = self.sessions.get(data["session_id"])
        missed = session.missed_since(int(data["seq"])) if session is not None else None
        if session is None or missed is None or data["token"] != self.token:
            connection.send({"op": INVALID_SESSION, "d": False})
            return None
        self.resumes += 1
        for frame in missed:
            connection.send(frame)
        session.connection = connection
        session.send("RESUMED", {})
        self.simulation.touch()
        return session

    def _end(self, session: Session) -> None:
        session.events.close()
        self.sessions.pop(session.id, None)

    async def drop(self, code: int = 4000, *, forget: bool = False) -> None:
        """Cut the bot's connection; with ``forget`` it cannot resume and identifies anew."""
        for session in list(self.sessions.values()):
            connection, session.connection = session.connection, None
            if forget:
                self._end(session)
            if connection is not None:
                await connection.socket.close(code=code)
        self.simulation.touch()

    async def close(self) -> None:
        """End all sessions."""
        await self.drop(code=1001, forget=True)
