"""The offline table: a simulated Discord, the normal bot beside it, and a page for each player.

No account, no token, no network: the bot is the same program that runs on Discord, started as a
child process with two addresses changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from bot.offline import links
from bot.offline import world as worlds
from bot.offline.child import Supervisor
from bot.offline.page import BotState, PlayersPage, listen
from bot.offline.wire import WireServer, missing_names
from bot.outlet import say
from bot.store.lock import FolderLock
from bot.store.protocol import StoreInUse, StoreUnusable

_log = logging.getLogger(__name__)

#: Friendly names; the first owns the server and may use every moderator's command.
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Juno", "Kit")

#: Seconds between two looks whether the world must be saved.
SAVE_EVERY = 3.0

#: What is started beside the simulated Discord.
BOT = (sys.executable, "-m", "bot", "run", "--warned")


class Settings(Protocol):
    """What the table needs of ``bot.config.Settings``."""

    @property
    def data_dir(self) -> Path:
        """The folder for everything that is kept."""
        ...

    @property
    def offline_port(self) -> int:
        """The port of the players' page; 0 takes any free one."""
        ...

    @property
    def dev_guild_id(self) -> int | None:
        """The server that gets commands at once, on Discord."""
        ...


def main(settings: Settings, players: int = 4, *, argv: Sequence[str] = BOT) -> int:
    """Run the offline table until Ctrl-C or SIGTERM; returns the exit code.

    ``players`` is from 1 to 11. Prints one link for each of them. ``argv`` is the bot to start.
    """
    if not 1 <= players <= len(NAMES):
        say(f"The offline table is for 1 to {len(NAMES)} people, not {players}.", error=True)
        return 2
    if moved := missing_names():
        say(f"This simcord does not fit (it lacks {', '.join(moved)}).", error=True)
        say("Install the pinned version: pip install -e '.[offline]'", error=True)
        return 2
    if not logging.getLogger().handlers:
        logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    port = settings.offline_port
    try:
        listener = listen(port)
    except OSError as wrong:
        why = f"Port {port} cannot be used ({wrong.strerror}). Is another table running?"
        say(f"{why} If not, set OFFLINE_PORT to another number.", error=True)
        return 1
    folder = settings.data_dir.resolve() / "offline"
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        lock = FolderLock(folder)
    except (StoreInUse, StoreUnusable) as wrong:
        listener.close()
        say(str(wrong), error=True)
        return 1
    try:
        return asyncio.run(Table(settings, players, argv).run(listener))
    except KeyboardInterrupt:  # pressed before the table listened for it
        return 0
    finally:
        lock.release()


class Table:
    """One run of the offline table."""

    def __init__(self, settings: Settings, players: int, argv: Sequence[str] = BOT) -> None:
        self._settings = settings
        self._data_dir = settings.data_dir.resolve()
        self._saved = self._data_dir / "offline" / "world.pickle"
        self._world = worlds.open_world(self._saved, NAMES[:players])
        self._server = WireServer(
            self._world.simulation, token=secrets.token_urlsafe(32), memory=self._world.memory
        )
        self._tokens = links.tokens(self._data_dir / "offline" / "links.json", players)
        self._site = PlayersPage(self._world, self._tokens, self._bot_state, self._kill)
        self._bot: Supervisor | None = None
        self._argv = argv
        self._saved_version = -1
        self._saving = asyncio.Lock()
        self._stop = asyncio.Event()

    async def run(self, listener: socket.socket) -> int:
        """Serve pages on ``listener`` until told to stop; returns the exit code."""
        loop = asyncio.get_running_loop()
        for name in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows: Ctrl-C raises instead
                loop.add_signal_handler(name, self._stop.set)
        try:
            await self._site.start(listener)
            await self._server.start()
            return await self._serve()
        finally:
            await self._site.stop()
            await self._server.stop()

    async def _serve(self) -> int:
        # A folder of its own: tables played here have no place on a real server later.
        folder = self._data_dir / "offline" / "bot"
        folder.mkdir(mode=0o700, exist_ok=True)
        env = {**os.environ, **self._server.environment(), "DATA_DIR": str(folder)}
        if self._settings.dev_guild_id is not None:
            # A server of the real Discord is unknown here; an empty value would not hide a file's.
            env["DEV_GUILD_ID"] = str(self._world.guild_id)
        self._bot = Supervisor(self._argv, env, self._world.simulation.touch)
        self._bot.start()
        saver = asyncio.create_task(self._keep_saving(), name="saving the world")
        waiter = asyncio.create_task(self._stop.wait(), name="waiting for the end")
        greeter = asyncio.create_task(self._greet(), name="greeting")
        watched = asyncio.create_task(self._bot.ended(), name="watching the bot")
        code = 0
        try:
            await asyncio.wait({saver, waiter, watched}, return_when=asyncio.FIRST_COMPLETED)
            code = self._bot.failed or 0
            for task in (saver, watched):
                if task.done() and (error := task.exception()) is not None:
                    _log.error("%s failed", task.get_name(), exc_info=error)
                    code = 1
        finally:
            say("Stopping.")
            tasks = (saver, waiter, watched, greeter)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._bot.stop()
            await self._save()
        return code

    async def _greet(self) -> None:
        """Hand out the links, once there is a bot behind them, or will be one again."""
        assert self._bot is not None
        while not self._server.gateway.connected and self._bot.doing != "waiting":
            await self._world.simulation.changed()
        say("")
        say("Nightwatch plays offline. One link per player, for this computer only:")
        say("")
        for number in range(len(self._tokens)):
            player = self._world.player(number)
            owner = "  (owns the server: moderator commands work)" if number == 0 else ""
            say(f"  {player.name:<5} {self._site.link(number)}{owner}")
        say("")
        say("Open each link in a tab or window of its own and type /play. Ctrl-C ends.")
        say("")

    # ------------------------------------------------------------------ the bot

    def _bot_state(self) -> BotState:
        if self._bot is None:
            return BotState("restarting", 0, "")
        if self._bot.doing == "running" and self._server.gateway.connected:
            return BotState("running", self._bot.starts, "")
        state = "down" if self._bot.doing in {"waiting", "stopped"} else "restarting"
        return BotState(state, self._bot.starts, self._bot.last_words)

    def _kill(self) -> None:
        if self._bot is not None:
            self._bot.kill()

    # ------------------------------------------------------------------ keeping the world

    async def _keep_saving(self) -> None:
        while True:
            await asyncio.sleep(SAVE_EVERY)
            await self._save()

    async def _save(self) -> None:
        # Shielded: a cancelled save goes on in its thread, and the next one must not meet it.
        await asyncio.shield(asyncio.create_task(self._save_once()))

    async def _save_once(self) -> None:
        async with self._saving:
            version = self._world.simulation.version
            if version != self._saved_version:
                packed = worlds.pack(self._world)
                await asyncio.to_thread(worlds.save, self._saved, packed)
                self._saved_version = version
