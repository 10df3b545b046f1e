"""A simulated Discord with one real bot process, for tests that crash it and look what is left.

    async with Harness(tmp_path) as world:
        await world.start_bot()
        ann = world.players["Ann"]
        reply = await ann.slash(world.channels["table"], "play", {"game": "escape_the_night"})
        await ann.click(reply.message, label="Join")
        trap = world.kill_when("after", "POST", "/channels/*/messages")
        ...
        await trap.sprung(); await world.start_bot()

Players see and act through :class:`bot.offline.wire.Player`; every action returns when the bot has
answered and has been quiet for a moment. The child is killed on the way out, whatever happened.
"""

from __future__ import annotations

import asyncio
import collections
import contextlib
import fnmatch
import os
import secrets
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import discord

from bot.offline.child import Child
from bot.offline.wire import (
    Call,
    Memory,
    Player,
    RateLimit,
    Reply,
    Severed,
    Simulation,
    WireServer,
)

ROOT = Path(__file__).resolve().parents[2]
BOT = (sys.executable, "-m", "bot", "run")

#: Seconds after the bot's last REST call after which it counts as quiet.
QUIET = 0.05

#: The permissions that the bot asks for when it is invited.
PERMISSIONS = discord.Permissions(
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    embed_links=True,
    attach_files=True,
    read_message_history=True,
    create_public_threads=True,
    use_application_commands=True,
)


class Trap:
    """Kills the bot at one exact moment; see :meth:`Harness.kill_when`."""

    def __init__(self) -> None:
        self.call: Call | None = None
        self._event = asyncio.Event()

    @property
    def is_sprung(self) -> bool:
        """Whether the moment has come."""
        return self._event.is_set()

    async def sprung(self, timeout: float = 30.0) -> Call:  # noqa: ASYNC109
        """Wait for the moment; returns the call at which the bot died."""
        await asyncio.wait_for(self._event.wait(), timeout)
        assert self.call is not None
        return self.call

    def spring(self, call: Call) -> None:
        """Note the moment."""
        self.call = call
        self._event.set()


class Harness:
    """One server "Test" with named channels and members, served to one bot process.

    The first member owns the server. ``data_dir`` becomes the bot's DATA_DIR; ``env`` adds to or
    replaces variables of the bot's environment. ``limit`` is lifted unless a test wants it.
    """

    def __init__(
        self,
        data_dir: Path,
        *,
        argv: Sequence[str] = BOT,
        env: Mapping[str, str] | None = None,
        players: Sequence[str] = ("Ann", "Ben", "Cleo", "Dan"),
        channels: Sequence[str] = ("table", "lounge"),
        limit: RateLimit = RateLimit(calls=0),  # noqa: B008  # immutable
        quiet: float = QUIET,
    ) -> None:
        self.data_dir = data_dir
        self.argv = argv
        self.simulation = Simulation(quiet=quiet)
        self.server = WireServer(
            self.simulation, token=secrets.token_hex(16), memory=Memory(), limit=limit
        )
        self.extra_env = dict(env or {})
        owner = self.simulation.create_user(players[0].lower(), global_name=players[0])
        guild = self.simulation.create_guild("Test", owner=owner)
        self.guild_id = guild.id
        guild.roles[self.simulation.backend.bot_user.name]._role.permissions = PERMISSIONS.value
        self.channels = {name: guild.create_text_channel(name).id for name in channels}
        self.players = {players[0]: Player(self.simulation, guild.id, owner.id)}
        for name in players[1:]:
            self.add_player(name)
        self.output: collections.deque[str] = collections.deque(maxlen=500)
        self.child: Child | None = None
        self._reader: asyncio.Task[None] | None = None
        self._interactions: dict[int, Mapping[str, Any]] = {}
        self.simulation.backend.subscribers.append(self._emitted)

    # ------------------------------------------------------------------ life

    async def __aenter__(self) -> Self:
        await self.server.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.kill_bot()
        await self.server.stop()
        if kind is not None:
            print("".join(self.output))

    def add_player(self, name: str) -> Player:
        """One more member of the server."""
        guild = self.simulation.guild
        user = self.simulation.create_user(name.lower(), global_name=name)
        guild.add_member(user)
        self.players[name] = Player(self.simulation, guild.id, user.id)
        return self.players[name]

    def environment(self) -> dict[str, str]:
        """What the bot process finds in its environment."""
        found = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
        found |= {"DATA_DIR": str(self.data_dir), **self.server.environment()}
        return found | self.extra_env

    async def start_bot(self, timeout: float = 20.0) -> None:  # noqa: ASYNC109
        """Start the bot; returns when it is connected, its commands are known, and it is quiet.

        Raises RuntimeError with the bot's output when it ends before that, or takes too long.
        """
        assert self.child is None or not self.child.alive, "the bot is already running"
        self.child = await Child.start(self.argv, self.environment(), captured=True)
        self.simulation.nobody_answers = False
        self._reader = asyncio.create_task(self._read(self.child))
        try:
            async with asyncio.timeout(timeout):
                while not (self.server.gateway.connected and self.simulation.backend.commands):
                    if not self.child.alive:
                        await self._reader
                        raise RuntimeError("the bot ended:\n" + "".join(self.output))
                    await self.simulation.changed(0.2)
                await self.settle()
        except TimeoutError:
            raise RuntimeError("the bot did not get ready:\n" + "".join(self.output)) from None

    async def kill_bot(self) -> None:
        """SIGKILL, and wait until the process is gone and its connection with it."""
        if self.child is None:
            return
        await self._kill()
        if self._reader is not None:
            await self._reader
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(30):
                while self.server.gateway.connected:
                    await self.simulation.changed(0.1)

    async def stop_bot(self) -> int:
        """SIGTERM; returns the exit code."""
        assert self.child is not None
        code = await self.child.stop()
        if self._reader is not None:
            await self._reader
        return code

    async def restart_bot(self) -> None:
        """Kill the bot and start it again."""
        await self.kill_bot()
        await self.start_bot()

    async def settle(self, quiet: float | None = None) -> None:
        """Wait until the bot has made no REST call for a moment."""
        wanted = self.simulation.quiet if quiet is None else quiet
        calls, latest = self.server.rest.log.calls, time.monotonic()
        while (rest := latest + wanted - time.monotonic()) > 0:
            await self.simulation.changed(rest)
            latest = max(latest, calls[-1].at) if calls else latest

    async def until(self, condition: Callable[[], Any], timeout: float = 30.0) -> Any:  # noqa: ASYNC109
        """Wait until ``condition()`` is true of the world; returns what it returned.

        A bot may well publish some time after it has answered: wait for what must appear.
        """
        async with asyncio.timeout(timeout):
            while not (found := condition()):
                await self.simulation.changed(0.1)
            return found

    async def drop_gateway(self, *, forget: bool = False) -> None:
        """Cut the gateway; the bot resumes, or with ``forget`` identifies anew. Waits for it."""
        await self.server.gateway.drop(forget=forget)
        await self.server.connected()

    # ------------------------------------------------------------------ watching and trapping

    @property
    def calls(self) -> collections.Counter[str]:
        """REST calls so far by kind, for instance ``POST /channels/{id}/messages``."""
        return self.server.rest.log.counts

    def kill_when(
        self,
        stage: str,
        method: str,
        path: str,
        *,
        nth: int = 1,
        where: Callable[[Any], bool] | None = None,
    ) -> Trap:
        """Kill the bot at its ``nth`` call from now on that fits.

        ``stage`` "before": the call arrives and is not processed. "after": it was processed, its
        answer is never sent. ``path`` is an fnmatch pattern without ``/api/v10``; ``where`` looks
        at the call's body. "When an interaction's answer arrives" is therefore
        ``kill_when("before", "POST", "/interactions/*/callback")``.
        """
        assert stage in {"before", "after"}
        trap = Trap()
        seen = 0

        async def hook(now: str, call: Call) -> None:
            nonlocal seen
            if now != stage or call.method != method or not fnmatch.fnmatch(call.path, path):
                return
            if trap.is_sprung or (where is not None and not where(call.body)):
                return
            seen += 1
            if seen < nth:
                return
            self.server.rest.hooks.remove(hook)
            await self._kill()
            trap.spring(call)
            raise Severed

        self.server.rest.hooks.append(hook)
        return trap

    async def redeliver(self, reply: Reply) -> None:
        """Send the bot the very same interaction once more, as Discord may after a reconnect."""
        self.simulation.backend.emit("INTERACTION_CREATE", self._interactions[reply.id])
        await self.settle()

    def close_dms(self, player: Player, *, closed: bool = True) -> None:
        """Refuse (or take again) direct messages to this player with 50007."""
        player.close_dms(self.server.memory.closed_dms, closed=closed)

    async def _kill(self) -> None:
        assert self.child is not None
        self.child.kill()
        await self.child.process.wait()
        self.simulation.nobody_answers = True
        self.simulation.touch()

    def _emitted(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            self._interactions[int(payload["id"])] = payload

    async def _read(self, child: Child) -> None:
        assert child.process.stdout is not None
        async for line in child.process.stdout:
            self.output.append(line.decode(errors="replace"))
