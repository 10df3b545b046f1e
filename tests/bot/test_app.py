"""The bot as a process: it starts, stops in good order, and says why when it cannot."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path

from bot.health import HEARTBEAT
from bot.offline.wire import Player, Shown
from bot.store.opening import DATABASE_NAME
from tests.wire.harness import ROOT, Harness

TOO_LONG = 8.0


async def run(folder: Path, **env: str) -> tuple[int, str]:
    """Run the bot to its end; exit code and output."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", "--online",
        cwd=ROOT,
        env={**os.environ, "DATA_DIR": str(folder), "LOG_LEVEL": "INFO", **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    async with asyncio.timeout(30):
        output, _ = await process.communicate()
    assert process.returncode is not None
    return process.returncode, output.decode()


def names_in(folder: Path) -> list[str]:
    """The files of a folder."""
    return sorted(path.name for path in folder.iterdir())


async def shown(world: Harness, player: Player, label: str) -> Shown:
    """The newest message in the channel that has a button of that label, once there is one."""

    def find() -> Shown | None:
        messages = player.messages(world.channels["table"])
        fitting = [m for m in messages if any(label == one.label for one in m.buttons)]
        return fitting[-1] if fitting else None

    return await world.until(find)


async def test_a_game_begins_over_the_wire(tmp_path: Path) -> None:
    """The real process, its own database and pictures: /play, Start, a table with a board."""
    async with Harness(tmp_path) as world:
        await world.start_bot()
        ann = world.players["Ann"]
        await ann.slash(world.channels["table"], "play", {"game": "escape_the_night"})
        await ann.click(await shown(world, ann, "Start"), label="Start")
        table = await shown(world, ann, "Roll and move")
        (picture,) = table.pictures
        assert "Hour 1" in (picture.alt or "")
        assert "Ann" in table.text


async def test_a_stop_is_clean_and_quick(tmp_path: Path) -> None:
    """SIGTERM in the lobby: exit code 0 in time, the database closed; the lobby goes on after."""
    async with Harness(tmp_path) as world:
        await world.start_bot()
        ann = world.players["Ann"]
        await ann.slash(world.channels["table"], "play", {"game": "escape_the_night"})
        await shown(world, ann, "Start")
        began = time.monotonic()
        assert await world.stop_bot() == 0
        assert time.monotonic() - began < TOO_LONG
        left = names_in(tmp_path)
        assert HEARTBEAT in left
        assert not [name for name in left if name.endswith("-wal")]
        await world.start_bot()
        await ann.click(await shown(world, ann, "Start"), label="Start")
        await shown(world, ann, "Roll and move")


async def test_a_refused_token(tmp_path: Path) -> None:
    """One line names the variable, never its value; the exit code is not 0."""
    async with Harness(tmp_path / "world") as world:
        addresses = world.server.environment() | {"DISCORD_TOKEN": "wrong.token.entirely-wrong"}
        code, output = await run(tmp_path, **addresses)
        assert code != 0
        assert "DISCORD_TOKEN" in output
        assert "Traceback" not in output
        assert "entirely-wrong" not in output


async def test_data_that_cannot_be_used_costs_no_login(tmp_path: Path) -> None:
    """A database of somebody else's: one line, not 0, and no request reached Discord."""
    (tmp_path / DATABASE_NAME).write_bytes(b"not a database" * 100)
    async with Harness(tmp_path / "world") as world:
        code, output = await run(tmp_path, **world.server.environment())
        assert code != 0
        assert "Traceback" not in output
        assert str(tmp_path / DATABASE_NAME) in output
        assert not world.calls


async def test_nobody_at_the_other_end(tmp_path: Path) -> None:
    """Discord cannot be reached: one line and an exit code, no traceback."""
    code, output = await run(
        tmp_path,
        DISCORD_TOKEN="a.b.c",
        DISCORD_API="http://127.0.0.1:9/api/v10",
        DISCORD_GATEWAY="ws://127.0.0.1:9/",
    )
    assert code == 1
    assert "cannot be reached" in output
    assert "Traceback" not in output
