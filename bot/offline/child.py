"""The bot as a child process: started, watched, started again when it dies, stopped in order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from bot.offline.leash import leashed

_log = logging.getLogger(__name__)

#: Seconds that a bot may take to end by itself before it is killed.
GRACE = 8.0

#: Seconds before the first and the slowest new attempt after a death nobody asked for.
FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0

#: A bot that ran this long counts as healthy: the next death starts from the first delay again.
HEALTHY = 30.0
#: Exit codes with which the bot says that it cannot be started like this.
BROKEN = (1, 2)

Doing = Literal["starting", "running", "waiting", "stopped"]


class Child:
    """One run of a program. Its own process group keeps the terminal's Ctrl-C from it."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(
        cls, argv: Sequence[str], env: Mapping[str, str], *, captured: bool = False
    ) -> Child:
        """Start ``argv``. With ``captured`` its output is read from ``process.stdout``."""
        output = asyncio.subprocess.PIPE if captured else None
        process = await asyncio.create_subprocess_exec(
            *leashed(argv),
            env=dict(env),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=asyncio.subprocess.STDOUT if captured else None,
            start_new_session=True,
        )
        return cls(process)

    @property
    def alive(self) -> bool:
        """Whether the process still runs."""
        return self.process.returncode is None

    def kill(self) -> None:
        """End it at once, without warning."""
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()

    async def stop(self, grace: float = GRACE) -> int:
        """Ask it to end, kill it after ``grace`` seconds; returns its exit code."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), grace)
            except TimeoutError:
                _log.warning("the bot did not end within %.0f s and was killed", grace)
                self.kill()
        return await self.process.wait()


class Supervisor:
    """Keeps one bot running. ``changed`` is called whenever :attr:`doing` may have changed.

    A bot that cannot even begin (broken content, damaged data) has said why; it is not started
    again, and ``failed`` is its exit code.
    """

    def __init__(
        self, argv: Sequence[str], env: Mapping[str, str], changed: Callable[[], None]
    ) -> None:
        self.argv = argv
        self.env = env
        self.doing: Doing = "stopped"
        self.starts = 0
        self.last_words = ""
        self.failed: int | None = None
        self._changed = changed
        self._child: Child | None = None
        self._killed = False
        self._hurry = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the bot, and start it again for as long as :meth:`stop` is not called."""
        self._task = asyncio.create_task(self._run(), name="bot process")

    def kill(self) -> bool:
        """Kill the bot without warning; it is started again at once. False when none runs."""
        if self._child is None or not self._child.alive:
            self._hurry.set()
            return False
        self._killed = True
        self._child.kill()
        return True

    async def stop(self) -> None:
        """Ask the bot to end, wait for it, and start no other."""
        self._stopping = True
        self._hurry.set()
        if self._child is not None:
            await self._child.stop()
        if self._task is not None:
            await self._task

    async def ended(self) -> None:
        """Wait until the watch itself ends; raises what ended it, if that was an error."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _run(self) -> None:
        delay = FIRST_DELAY
        while not self._stopping:
            began = time.monotonic()
            self._set("starting")
            self._child = await Child.start(self.argv, self.env)
            self.starts += 1
            self._set("running")
            code = await self._child.process.wait()
            if self._stopping:
                break
            if self._killed:
                self._killed = False
                self.last_words = "the bot was killed"
                _log.warning("the bot was killed and is started again")
                continue
            delay = FIRST_DELAY if time.monotonic() - began > HEALTHY else delay
            self.last_words = f"the bot ended by itself with exit code {code}"
            if self.starts == 1 and code in BROKEN and time.monotonic() - began < HEALTHY:
                self.failed = code
                break
            _log.error("%s; it is started again in %.0f s", self.last_words, delay)
            self._set("waiting")
            self._hurry.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), delay)
            delay = min(delay * 2, LONGEST_DELAY)
        self._set("stopped")

    def _set(self, doing: Doing) -> None:
        self.doing = doing
        self._changed()
