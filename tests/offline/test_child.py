"""The bot's process: started again when it dies, killed and stopped on request, never orphaned."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from bot.offline import child
from bot.offline.child import Child, Supervisor
from tests.wire.harness import ROOT

SLEEPER = "import time; time.sleep(60)"
POLITE = (
    "import signal, sys, time\n"
    "signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))\n"
    "print('ready', flush=True)\n"
    "time.sleep(60)"
)


class Watch:
    """A supervisor, and a way to wait for what it does."""

    def __init__(self, code: str) -> None:
        self.changed = asyncio.Event()
        self.supervisor = Supervisor(
            (sys.executable, "-c", code), dict(os.environ), self.changed.set
        )

    async def until(self, condition: Callable[[Supervisor], bool]) -> None:
        async with asyncio.timeout(30):
            while not condition(self.supervisor):
                self.changed.clear()
                await self.changed.wait()


@pytest.fixture
async def watched() -> AsyncIterator[Callable[[str], Watch]]:
    """Makes supervisors of Python code, and stops them."""
    made: list[Watch] = []

    def make(code: str) -> Watch:
        made.append(Watch(code))
        made[-1].supervisor.start()
        return made[-1]

    yield make
    for one in made:
        await one.supervisor.stop()


async def test_a_bot_that_dies_is_started_again_later_each_time(
    watched: Callable[[str], Watch],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each death is said with its exit code, and the wait doubles up to a bound."""
    monkeypatch.setattr(child, "FIRST_DELAY", 0.05)
    monkeypatch.setattr(child, "LONGEST_DELAY", 0.15)
    watch = watched("raise SystemExit(7)")
    await watch.until(lambda one: one.starts == 4)
    lines = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert lines[0].startswith("the bot ended by itself with exit code 7")
    assert len(lines) >= 3
    assert "exit code 7" in watch.supervisor.last_words


async def test_a_killed_bot_starts_again_at_once(watched: Callable[[str], Watch]) -> None:
    """No back-off for a death that was asked for."""
    watch = watched(SLEEPER)
    await watch.until(lambda one: one.doing == "running")
    assert watch.supervisor.kill()
    await watch.until(lambda one: one.starts == 2 and one.doing == "running")


async def test_stopping_waits_for_a_bot_that_tidies_up() -> None:
    """SIGTERM first; an exit code of 0 shows that it ended by itself."""
    started = await Child.start((sys.executable, "-c", POLITE), dict(os.environ), captured=True)
    assert started.process.stdout is not None
    await started.process.stdout.readline()
    assert await started.stop() == 0


async def test_a_bot_that_does_not_end_is_killed() -> None:
    """After the grace it is killed."""
    stubborn = POLITE.replace("sys.exit(0)", "None")
    started = await Child.start((sys.executable, "-c", stubborn), dict(os.environ), captured=True)
    assert started.process.stdout is not None
    await started.process.stdout.readline()
    assert await started.stop(grace=0.2) == -signal.SIGKILL


@pytest.mark.skipif(sys.platform != "linux", reason="the leash is Linux's")
async def test_the_bot_ends_with_a_parent_that_was_killed() -> None:
    """SIGKILL of the parent leaves no orphan behind."""
    code = (
        "import asyncio, os, sys\n"
        "from bot.offline.child import Child\n"
        "async def main():\n"
        f"    one = await Child.start((sys.executable, '-c', {SLEEPER!r}), dict(os.environ))\n"
        "    print(one.process.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", code, env=env, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout is not None
    grandchild = int(await parent.stdout.readline())
    await asyncio.sleep(0.2)  # the leash is put on in the child's first moments
    parent.kill()
    await parent.wait()
    async with asyncio.timeout(30):
        while _lives(grandchild):  # noqa: ASYNC110  # nobody tells us of a stranger's end
            await asyncio.sleep(0.02)


def _lives(pid: int) -> bool:
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"
