"""The way between the bot and the simulated Discord: what Discord does there beyond the simulation,
and how slow it can be.
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from typing import Any

from simcord import BackendError
from simcord.backend.models import Channel
from simcord.backend.serializers import channel_payload
from simcord.env import Env
from simcord.http.client import FakeHTTPClient, _raise_for

ARCHIVED = 50083


class Wire:
    """While it is entered every request of the bot passes through here.

    A nonce that was used shortly before gives the message of that time. An archived thread takes no
    edits; a message or a request opens it, unless it is locked. ``slow``: messages take seconds on
    their way there, or their answers on the way back.
    """

    def __init__(self, env: Env, rng: random.Random) -> None:
        self.env = env
        self.rng = rng
        self.slow = False
        self.waited = 0
        self._nonces: dict[tuple[int, str], int] = {}
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []
        self._request: Any = None

    def __enter__(self) -> None:
        self._request = request = FakeHTTPClient.request

        async def passed(http: FakeHTTPClient, route: Any, **more: Any) -> Any:
            return await self._pass(http, route, request, more)

        setattr(FakeHTTPClient, "request", passed)  # noqa: B010

    def __exit__(self, *_: object) -> None:
        setattr(FakeHTTPClient, "request", self._request)  # noqa: B010

    async def _pass(self, http: Any, route: Any, request: Any, more: dict[str, Any]) -> Any:
        steps = route.path.strip("/").split("/")
        if steps[0] != "channels" or route.channel_id is None:
            return await request(http, route, **more)
        is_late = self.slow and self.rng.random() < 0.5
        if is_late and self.rng.random() < 0.5:
            await self._wait(more)
            is_late = False
        answer = await self._carry(http, route, request, more)
        if is_late:
            await self._wait(more)
        return answer

    async def _carry(self, http: Any, route: Any, request: Any, more: dict[str, Any]) -> Any:
        channel = self.env.backend.channels.get(int(route.channel_id))
        if channel is not None and channel.is_thread:
            try:
                self._open(channel, route, more)
            except BackendError as error:
                _raise_for(error)
            if "archived" in (more.get("json") or {}):
                return channel_payload(self.env.backend, channel)
        if (route.method, route.path) != ("POST", "/channels/{channel_id}/messages"):
            return await request(http, route, **more)
        body = more.get("json") or json.loads(more["form"][0]["value"])
        key = (int(route.channel_id), str(body["nonce"]))
        known = self._nonces.get(key)
        found = self.env.backend.messages.get(key[0], {}).get(known or 0)
        if found is not None:
            return await http.get_message(key[0], found.id)
        made = await request(http, route, **more)
        self._nonces[key] = int(made["id"])
        return made

    def _open(self, channel: Channel, route: Any, more: dict[str, Any]) -> None:
        meta: Any = channel.thread_metadata
        if not meta.archived or route.method == "GET":
            return
        asks = (more.get("json") or {}).get("archived") is False
        sends = (route.method, route.path) == ("POST", "/channels/{channel_id}/messages")
        if meta.locked or not (asks or sends):
            raise BackendError(400, ARCHIVED, "Thread is archived")
        self.archive(channel, archived=False)

    def archive(self, channel: Channel, *, archived: bool = True, locked: bool = False) -> None:
        """Archive a thread, or open it, and tell the bot."""
        meta: Any = channel.thread_metadata
        meta.archived, meta.locked = archived, locked
        self.env.backend.emit("THREAD_UPDATE", channel_payload(self.env.backend, channel))

    async def _wait(self, more: dict[str, Any]) -> None:
        """Some seconds of the simulation's clock.

        Nobody waits for a picture that takes so long: to them it is an error at once.
        """
        self.waited += 1
        if more.get("files"):
            raise TimeoutError
        if asyncio.current_task() not in self.env._work.tasks:
            return  # the bot is being stopped by the test itself, which can let no time pass
        until = self.env.backend.clock.elapsed + self.rng.uniform(1, 12)
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((until, future))
        await self.env.external_wait(future, reason="Discord is slow")

    def go_on(self, *, all_of_them: bool = False) -> None:
        """Let those go on whose time is over."""
        now = math.inf if all_of_them else self.env.backend.clock.elapsed
        for until, future in self._waiting:
            if until <= now and not future.done():
                future.set_result(None)
        self._waiting = [one for one in self._waiting if not one[1].done()]


__all__ = ["Wire"]
