"""The REST side: what comes in is counted, checked, answered by the simulation, and sent back."""

from __future__ import annotations

import collections
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from aiohttp import BodyPartReader, web

from bot.offline.wire import limits
from bot.offline.wire.buckets import Buckets, RateLimit
from bot.offline.wire.limits import Refusal, malformed
from bot.offline.wire.simulation import (
    STORED_CDN,
    BackendError,
    Simulation,
    Unsupported,
    Upload,
)

#: How long a repeated nonce returns the first message, in seconds.
NONCE_MEMORY = 300.0

#: Interaction callback types with a message, with choices, with a form.
_WITH_MESSAGE, _CHOICES, _MODAL = (4, 7), 8, 9

_NUMBER = re.compile(r"(?<=/)\d{5,}(?=/|$)")
_TOKEN = re.compile(r"^(/(?:webhooks|interactions)/\{id\})/[^/]+")

Stage = Literal["before", "after"]


class Severed(Exception):
    """Raised by a hook: the connection is cut, the bot gets no answer."""


@dataclass(frozen=True, slots=True)
class Call:
    """One REST call of the bot. ``kind`` is the method and path with ``{id}`` for every id."""

    method: str
    path: str
    body: Any
    files: tuple[str, ...]
    kind: str
    at: float


#: Called before a call is processed and after it, when its answer is not yet sent.
Hook = Callable[[Stage, Call], Awaitable[None]]


@dataclass(slots=True)
class CallLog:
    """What the bot has asked for: a counter by kind, and the latest calls in order."""

    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    calls: collections.deque[Call] = field(default_factory=lambda: collections.deque(maxlen=5000))

    def add(self, call: Call) -> None:
        """Count one call."""
        self.counts[call.kind] += 1
        self.calls.append(call)

    def clear(self) -> None:
        """Start counting afresh."""
        self.counts.clear()
        self.calls.clear()


@dataclass(slots=True)
class Memory:
    """What the REST side must remember beside SimCord's data; it is saved with the world."""

    nonces: dict[tuple[int, str], tuple[int, float]] = field(default_factory=dict)
    closed_dms: set[int] = field(default_factory=set)


def kind_of(method: str, path: str) -> str:
    """``GET /channels/{id}/messages``: a call without its ids and tokens."""
    shape = _TOKEN.sub(r"\1/{token}", _NUMBER.sub("{id}", path))
    return f"{method} {shape}"


def answer(
    value: Any, status: int = 200, headers: dict[str, str] | None = None, *, cdn: str = STORED_CDN
) -> web.Response:
    """A JSON answer; discord.py wants its content type without a charset."""
    if value is None:
        return web.Response(status=204, headers=headers)
    text = json.dumps(value, default=str).replace(STORED_CDN, cdn)
    return web.Response(
        body=text.encode(),
        status=status,
        headers={**(headers or {}), "Content-Type": "application/json"},
    )


class Rest:
    """Answers ``/api/v10/...``; ``cdn`` is the public address of stored files."""

    def __init__(
        self, simulation: Simulation, memory: Memory, token: str, limit: RateLimit
    ) -> None:
        self.simulation = simulation
        self.memory = memory
        self.token = token
        self.buckets = Buckets(limit)
        self.log = CallLog()
        self.hooks: list[Hook] = []
        self.gaps: list[str] = []
        self.gateway_address = ""
        self.cdn = STORED_CDN

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call, or none at all when a hook cut the connection."""
        self.simulation.call_began()
        try:
            return await self._handle(request)
        except Severed:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=502)
        finally:
            self.simulation.call_ended()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["tail"]
        try:
            body, uploads = await self._read(request)
        except (ValueError, UnicodeDecodeError):
            return answer(
                {"code": 50109, "message": "The request body contains invalid JSON."}, 400
            )
        call = Call(
            request.method,
            path,
            body,
            tuple(one.filename for one in uploads),
            kind_of(request.method, path),
            time.monotonic(),
        )
        self.log.add(call)
        await self._hook("before", call)
        headers: dict[str, str] = {}
        try:
            response = self._respond(request, call, uploads, headers)
        except (Refusal, BackendError) as refused:
            response = answer(refused.to_json(), refused.status, headers)
        except Unsupported as gap:
            self.gaps.append(str(gap))
            response = answer({"code": 0, "message": str(gap)}, 501)
        await self._hook("after", call)
        return response

    async def _hook(self, stage: Stage, call: Call) -> None:
        for hook in tuple(self.hooks):
            await hook(stage, call)

    async def _read(self, request: web.Request) -> tuple[Any, list[Upload]]:
        """The JSON body and the uploaded files with their alt texts."""
        if not request.content_type.startswith("multipart/"):
            return (self._parse(await request.text()) if request.can_read_body else None), []
        body: Any = None
        files: list[tuple[str, bytes]] = []
        async for part in await request.multipart():
            if not isinstance(part, BodyPartReader):
                continue
            data = bytes(await part.read(decode=False))
            if part.name == "payload_json":
                body = self._parse(data.decode())
            else:
                files.append((part.filename or "file", data))
        declared = body if isinstance(body, dict) else {}
        listed = declared.get("attachments") or declared.get("data", {}).get("attachments") or []
        alt = {str(one.get("id")): one.get("description") for one in listed}
        uploads = [
            Upload(name, data, alt.get(str(index))) for index, (name, data) in enumerate(files)
        ]
        return body, uploads

    def _parse(self, text: str) -> Any:
        """Files are stored under an address of their own, which survives another port."""
        return json.loads(text.replace(self.cdn, STORED_CDN)) if text else None

    def _respond(
        self, request: web.Request, call: Call, uploads: list[Upload], headers: dict[str, str]
    ) -> web.Response:
        parts = call.path.strip("/").split("/")
        by_token = parts[0] in {"interactions", "webhooks"}
        if not by_token and request.headers.get("Authorization") != f"Bot {self.token}":
            return answer({"message": "401: Unauthorized", "code": 0}, 401)
        if call.path == "/gateway/bot":
            return answer(self._gateway_answer())
        limits.check_files([len(one.data) for one in uploads])
        writes_message = call.method in {"POST", "PATCH"} and parts[2:3] == ["messages"]
        if parts[0] == "channels" and writes_message:
            verdict = self.buckets.take(call.method, parts[1])
            headers.update(verdict.headers)
            if not verdict.allowed:
                limited = {"message": "You are being rate limited.", "global": False}
                return answer({**limited, "retry_after": verdict.retry_after}, 429, headers)
        self._check(call, parts)
        if (known := self._by_nonce(call, parts)) is not None:
            return answer(known, headers=headers, cdn=self.cdn)
        value = self.simulation.request(
            call.method,
            call.path,
            body=call.body,
            params=dict(request.query),
            uploads=uploads,
            reason=request.headers.get("X-Audit-Log-Reason"),
        )
        self._note_nonce(call, parts, value)
        return answer(value, headers=headers, cdn=self.cdn)

    def _gateway_answer(self) -> dict[str, Any]:
        starts = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
        return {"url": self.gateway_address, "shards": 1, "session_start_limit": starts}

    # ------------------------------------------------------------------ rules by route

    def _check(self, call: Call, parts: list[str]) -> None:
        body = call.body
        match parts:
            case ["channels", channel, "messages"] if call.method == "POST":
                self._check_channel(int(channel), edit=False)
                limits.check_message(body or {})
            case ["channels", channel, "messages", _] if call.method == "PATCH":
                self._check_channel(int(channel), edit=True)
                limits.check_message(body or {})
            case ["webhooks", _, token, *_]:
                self._check_token(token)
                limits.check_message(body or {})
            case ["interactions", _, _, "callback"]:
                self._check_callback(body or {})
            case ["applications", *_, "commands"] if call.method == "PUT":
                limits.check_commands(body or [])
            case ["channels", _, *_, "threads"] if call.method == "POST":
                if not 1 <= len(str((body or {}).get("name", ""))) <= 100:
                    raise malformed("name: Must be between 1 and 100 in length")
            case _:
                pass

    def _check_callback(self, body: dict[str, Any]) -> None:
        data = body.get("data") or {}
        if body.get("type") in _WITH_MESSAGE:
            limits.check_message(data)
        elif body.get("type") == _CHOICES:
            limits.check_choices(data.get("choices") or [])
        elif body.get("type") == _MODAL:
            limits.check_modal(data)

    def _check_token(self, token: str) -> None:
        """An interaction's token is void before the first answer and after fifteen minutes."""
        backend = self.simulation.backend
        record = backend.interactions.get(backend.interaction_tokens.get(token, 0))
        if record is None:
            if token.startswith("simcord_interaction_"):  # one that was forgotten after its time
                raise Refusal(401, 50027, "Invalid Webhook Token")
            return
        if record.expires_at and datetime.fromisoformat(record.expires_at) <= backend.clock.now():
            raise Refusal(401, 50027, "Invalid Webhook Token")
        if not record.responded:
            raise Refusal(404, 10015, "Unknown Webhook")

    def _check_channel(self, channel_id: int, *, edit: bool) -> None:
        """Closed DMs take no message; an archived thread wakes up for one, but not for an edit."""
        channel = self.simulation.backend.channels.get(channel_id)
        if channel is None:
            return
        if not edit and self.memory.closed_dms.intersection(channel.recipient_ids):
            raise Refusal(403, 50007, "Cannot send messages to this user")
        thread = channel.thread_metadata
        if thread is not None and thread.archived:
            if edit or thread.locked:
                raise Refusal(400, 50083, "Tried to perform an operation on an archived thread")
            thread.archived = False

    # ------------------------------------------------------------------ nonces

    def _nonce(self, call: Call, parts: list[str]) -> tuple[int, str] | None:
        body = call.body if isinstance(call.body, dict) else {}
        sends = call.method == "POST" and parts[0] == "channels" and parts[2:] == ["messages"]
        if not sends or body.get("nonce") is None or not body.get("enforce_nonce"):
            return None
        return int(parts[1]), str(body["nonce"])

    def _by_nonce(self, call: Call, parts: list[str]) -> dict[str, Any] | None:
        """The message that this nonce already made, if it is still there."""
        key = self._nonce(call, parts)
        now = self.simulation.backend.clock.now().timestamp()
        for old in [one for one, (_, at) in self.memory.nonces.items() if at < now - NONCE_MEMORY]:
            del self.memory.nonces[old]
        if key is None or key not in self.memory.nonces:
            return None
        message_id, _ = self.memory.nonces[key]
        message = self.simulation.backend.messages.get(key[0], {}).get(message_id)
        if message is None:
            return None
        return {**self.simulation.message_payload(message), "nonce": key[1]}

    def _note_nonce(self, call: Call, parts: list[str], value: Any) -> None:
        key = self._nonce(call, parts)
        if key is not None and isinstance(value, dict) and "id" in value:
            now = self.simulation.backend.clock.now().timestamp()
            self.memory.nonces[key] = (int(value["id"]), now)
            value["nonce"] = key[1]
