"""SimCord's world with the bot on the far side of a socket: all its private names are used here.

SimCord drives a bot inside its own process. Here the bot is another process, so this module takes
SimCord's store, actors, router and gateway projection, and replaces its lock-step settlement by
waiting for what the bot really does on the wire. Those parts are not SimCord's public interface,
which is why its version is pinned and ``private_names.py`` says which name moved if one did.
"""

from __future__ import annotations

import asyncio
import collections
import contextvars
import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
import simcord.http.routes  # noqa: F401  # registers the REST routes with the router
from simcord.actors import MemberActor, _dispatch_actor_interaction
from simcord.backend import serializers
from simcord.backend.access import channel_accessible
from simcord.backend.errors import BackendError, SetupError
from simcord.backend.models import Channel, Interaction, Message
from simcord.builders import ChannelHandle, GuildHandle, RoleHandle, UserHandle
from simcord.env import Env
from simcord.gateway import FakeGateway, FakeWebSocket
from simcord.http import RouteNotImplemented, UnsupportedField, router
from simcord.interactions import command_leaves
from simcord.results import InteractionResult, ResponseMessage

from bot.offline.wire.clock import WallClock

__all__ = [
    "BackendError",
    "Channel",
    "ChannelHandle",
    "GuildHandle",
    "Interaction",
    "InteractionResult",
    "MemberActor",
    "Message",
    "ResponseMessage",
    "RoleHandle",
    "SetupError",
    "Simulation",
    "Subscription",
    "Unsupported",
    "Upload",
    "UserHandle",
    "command_leaves",
]

#: SimCord's own base address of stored files; it never leaves this process (see ``rest.py``).
STORED_CDN = "https://cdn.simcord.invalid"

#: Discord's time for the first answer to an interaction, in seconds.
ANSWER_TIME = 3.0

#: How long a file stays after no message shows it any more, in seconds.
SPARE_TIME = 60.0

#: The interaction that the running task has just sent; simultaneous actors each see their own.
_acting: contextvars.ContextVar[Interaction | None] = contextvars.ContextVar(
    "_acting", default=None
)


class Unsupported(Exception):
    """The bot used a route or field that the simulation does not know."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that the bot sent, with its alt text."""

    filename: str
    data: bytes
    description: str | None = None


class Simulation(Env):
    """One simulated Discord: its data, its people, and the answers of its REST routes.

    ``quiet`` is how long (in seconds) an action waits after the bot's last REST call before it
    counts as settled; 0 returns as soon as the interaction has its first answer.
    """

    def __init__(self, *, quiet: float = 0.0) -> None:
        # Env wants a client; this one never connects.
        super().__init__(discord.Client(intents=discord.Intents(guilds=True)), check_errors=False)
        self.quiet = quiet
        self.backend.clock = WallClock()
        # SimCord keeps every request for ever, which a test likes and an evening of play does not.
        self.backend.http_requests = collections.deque(maxlen=2000)  # type: ignore[assignment]
        self.backend.transcript = collections.deque(maxlen=2000)  # type: ignore[assignment]
        self.backend.subscribers.append(self._heard)
        self._started = True
        #: Set while no bot runs: an action then fails at once instead of after three seconds.
        self.nobody_answers = False
        self.version = 0
        self._change = asyncio.Event()
        self._in_flight = 0
        self._last_call = 0.0

    # ------------------------------------------------------------------ what changed

    def touch(self) -> None:
        """Note that something visible changed, and wake whoever waits in :meth:`changed`."""
        self.version += 1
        self._change.set()
        self._change = asyncio.Event()

    async def changed(self, timeout: float | None = None) -> bool:  # noqa: ASYNC109
        """Wait for the next change; False when ``timeout`` seconds passed without one."""
        try:
            await asyncio.wait_for(self._change.wait(), timeout)
        except TimeoutError:
            return False
        return True

    def _heard(self, _event: str, _payload: Mapping[str, Any]) -> None:
        self.touch()

    # ------------------------------------------------------------------ the world's data

    def data(self) -> dict[str, Any]:
        """What must be kept of this world: picklable, and shared with it (do not change it)."""
        kept = dict(vars(self.backend))
        for name in ("subscribers", "http_requests", "transcript", "clock"):
            kept.pop(name)
        return kept

    def restore(self, data: Mapping[str, Any]) -> None:
        """Become the world that :meth:`data` described; handles made before are then invalid."""
        unknown = data.keys() - vars(self.backend).keys()
        if unknown:
            raise ValueError(f"the saved world has fields unknown to this simcord: {unknown}")
        vars(self.backend).update(data)
        self._guilds[:] = [GuildHandle(self, guild) for guild in self.backend.guilds.values()]
        self.touch()

    def forget_spent(self) -> None:
        """Drop what nobody can use again: expired interactions and files no message shows.

        A file of the last minute stays: a picture just replaced may be on its way to a reader.
        """
        backend, now = self.backend, self.backend.now_iso()
        for record in list(backend.interactions.values()):
            if record.expires_at is not None and record.expires_at <= now:
                del backend.interactions[record.id]
                backend.interaction_tokens.pop(record.token, None)
        shown = {
            attachment["url"]
            for channel in backend.messages.values()
            for message in channel.values()
            for attachment in message.attachments
        }
        blobs = backend.cdn._blobs
        for url in [url for url in blobs if "/attachments/" in url and url not in shown]:
            made = discord.utils.snowflake_time(int(url.split("/")[-2]))
            if (backend.clock.now() - made).total_seconds() > SPARE_TIME:
                del blobs[url]
        # Numbers within a millisecond matter in that millisecond only.
        newest = max(backend._sequences, default=0)
        backend._sequences = {ms: n for ms, n in backend._sequences.items() if ms == newest}
        backend._reserved_ids = {n for n in backend._reserved_ids if n >> 22 > newest - 3_600_000}

    def file(self, address: str) -> bytes | None:
        """A stored file by its address in a message or that address's path; None if it is gone."""
        return self.backend.cdn.get(STORED_CDN + address.removeprefix(STORED_CDN))

    # ------------------------------------------------------------------ REST and gateway

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: Mapping[str, str] | None = None,
        uploads: Sequence[Upload] = (),
        reason: str | None = None,
    ) -> Any:
        """Let SimCord answer one REST call; returns its JSON, or None for an empty answer.

        Raises :class:`BackendError` for what Discord refuses, :class:`Unsupported` for what the
        simulation does not know.
        """
        files = [
            discord.File(io.BytesIO(one.data), one.filename, description=one.description)
            for one in uploads
        ]
        try:
            return router.dispatch(
                self.backend,
                method,
                path,
                json=body,
                params=dict(params or {}),
                files=files,
                reason=reason,
            )
        except (RouteNotImplemented, UnsupportedField) as gap:
            raise Unsupported(str(gap)) from gap
        except ValueError as gap:  # simcord's way to say "unknown command field"
            raise Unsupported(f"{method} {path}: {gap}") from gap

    def call_began(self) -> None:
        """The bot has begun a REST call: an action is not settled before it ends."""
        self._in_flight += 1

    def call_ended(self) -> None:
        """The REST call has been answered."""
        self._in_flight -= 1
        self._last_call = time.monotonic()
        self.touch()

    def ready_payload(self, session_id: str, address: str) -> dict[str, Any]:
        """The READY event of a new gateway session."""
        backend = self.backend
        return {
            "v": 10,
            "user": dict(serializers.user_payload(backend.bot_user)),
            "guilds": [{"id": str(guild), "unavailable": True} for guild in backend.guilds],
            "session_id": session_id,
            "resume_gateway_url": address,
            "shard": [0, 1],
            "application": {"id": str(backend.application_id), "flags": 0},
        }

    def guild_payloads(self) -> list[dict[str, Any]]:
        """One GUILD_CREATE event for each server that the bot is in."""
        backend = self.backend
        return [
            dict(serializers.guild_create_payload(backend, guild))
            for guild in backend.guilds.values()
        ]

    def message_payload(self, message: Message) -> dict[str, Any]:
        """A message as Discord writes it."""
        return dict(serializers.message_payload(self.backend, message))

    async def late_click(
        self, actor: MemberActor | UserHandle, message: Mapping[str, Any], data: dict[str, Any]
    ) -> Interaction:
        """A component used on ``message`` as it once was, whatever it has become since."""
        channel = self.backend.channels[int(message["channel_id"])]
        guild = actor.guild if isinstance(actor, MemberActor) else None
        result = await _dispatch_actor_interaction(
            actor,
            3,
            ChannelHandle(self, guild, channel),
            data,
            extra={"message": dict(message)},
            source_message_id=int(message["id"]),
        )
        return result._interaction

    def can_see(self, channel: Channel, user_id: int) -> bool:
        """Whether this user may read that channel's history."""
        return channel_accessible(self.backend, channel.id, user_id, history=True)

    # ------------------------------------------------------------------ SimCord's hooks

    def _begin_operation(self, label: str) -> None:
        """Nothing: on the wire several people may act at the same instant."""

    def _end_operation(self) -> None:
        """Nothing, as for the beginning."""

    def _notify_dispatch_observers(self, interaction: Interaction) -> None:
        super()._notify_dispatch_observers(interaction)
        _acting.set(interaction)

    async def _settle_internal(
        self,
        *,
        timeout: float | None = None,  # noqa: ASYNC109
        idle: float = 0.05,
        dispatch: str | None = None,
        _deadline: float | None = None,
    ) -> None:
        """Wait until the bot has answered and is quiet, or the interaction has failed."""
        record = _acting.get() if dispatch == "INTERACTION_CREATE" else None
        began = time.monotonic()
        deadline = began + ANSWER_TIME + 0.2
        while (now := time.monotonic()) < deadline and not self.nobody_answers:
            wait = deadline - now
            if (record is None or record.responded) and not self._in_flight:
                wait = max(self._last_call, began) + self.quiet - now
                if wait <= 0:
                    return
            await self.changed(wait)


class Subscription:
    """What one gateway session receives: Discord's events, filtered by the bot's intents."""

    def __init__(
        self, simulation: Simulation, intents: int, send: Callable[[str, dict[str, Any]], None]
    ) -> None:
        self.intents = discord.Intents._from_value(intents)
        self._send = send
        self._backend = simulation.backend
        self._gateway = FakeGateway(simulation.backend, self)
        self._upstream = FakeWebSocket(simulation.backend, self._gateway)
        self._backend.subscribers.append(self._gateway.feed)

    @property
    def parsers(self) -> Subscription:
        """SimCord looks up one parser for each event; every event goes out the same way here."""
        return self

    def __getitem__(self, event: str) -> Callable[[dict[str, Any]], None]:
        """The parser of ``event``."""
        return lambda payload: self._send(event, payload)

    get = __getitem__

    def feed(self, event: str, payload: Mapping[str, Any]) -> None:
        """Deliver one event to this session alone."""
        self._gateway.feed(event, payload)

    async def request_members(self, asked: Mapping[str, Any]) -> None:
        """Answer opcode 8 with GUILD_MEMBERS_CHUNK events."""
        await self._upstream.request_chunks(
            int(asked["guild_id"]),
            asked.get("query"),
            limit=asked.get("limit", 0),
            user_ids=asked.get("user_ids"),
            presences=asked.get("presences", False),
            nonce=asked.get("nonce"),
        )

    def close(self) -> None:
        """Receive nothing more."""
        if self._gateway.feed in self._backend.subscribers:
            self._backend.subscribers.remove(self._gateway.feed)
