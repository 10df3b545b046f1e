"""The process as an operator sees it: a second one, bad settings, refused tokens, and its log."""

from __future__ import annotations

import asyncio
import base64
import collections
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.offline.child import Child
from bot.offline.wire import Call, Severed
from tests.wire.evening import Evening
from tests.wire.harness import BOT, ROOT, Harness
from tests.wire.playing import (
    NAMES,
    QUIET,
    lay_lobby,
    night,
    vote_is_called,
)
from tests.wire.remains import published, staged
from tests.wire.test_data_folder import program

#: Of the form of a bot's token; its parts are words that no log has by chance.
TOKEN = "TmlnaHR3YXRjaGNhbmFyeTAx.Gcanry.QuartzOwlMarmaladeTrombone_7-Zyzzyva"
CANARY = "marmalade-trombone-7"


async def outcome(child: Child) -> tuple[int, list[str]]:
    """The exit code of a process, and every line that it wrote."""
    async with asyncio.timeout(30):
        output, _ = await child.process.communicate()
    assert child.process.returncode is not None
    return child.process.returncode, output.decode().splitlines()


def run(folder: Path, *args: str, **variables: str) -> tuple[int, str]:
    """Run the bot in that folder with nothing but these settings: exit code and output."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    found = subprocess.run(
        [sys.executable, "-m", "bot", *args],
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=30,
        check=False,
        text=True,
    )
    return found.returncode, found.stdout


async def test_a_second_process_is_refused_before_it_signs_in(tmp_path: Path) -> None:
    """A second process on the same data says so in one line, without a call to Discord, and leaves
    the first alone; when the first is killed, another starts at once.
    """
    async with staged(tmp_path) as scene:
        await scene.lay(night(vote_is_called))
        world = scene.world
        await world.start_bot()
        await published(world, scene.disk, scene.session)
        calls = sum(world.calls.values())
        second = await Child.start(BOT, world.environment(), captured=True)
        code, lines = await outcome(second)
        assert code == 1
        assert len(lines) == 1
        assert "works with the data" in lines[0]
        assert sum(world.calls.values()) == calls
        assert world.child is not None
        assert f"process {world.child.process.pid} " in lines[0]
        assert await scene.evening.play(("Ann",), answers=1) == 1
        await world.kill_bot()
        await world.start_bot()
        await scene.all_is_well()


async def test_a_refused_token_is_one_clear_line(tmp_path: Path) -> None:
    """Discord answers 401: the bot ends, names DISCORD_TOKEN in one line, and shows no token."""
    async with Harness(tmp_path, quiet=QUIET, env={"DISCORD_TOKEN": TOKEN}) as world:
        code, lines = await outcome(await Child.start(BOT, world.environment(), captured=True))
    complaints = [line for line in lines if " CRITICAL " in line or " ERROR " in line]
    assert code == 2
    assert len(complaints) == 1
    assert "DISCORD_TOKEN" in complaints[0]
    assert "Traceback" not in "".join(lines)
    check_secret(TOKEN, lines)


def test_discord_out_of_reach_is_one_clear_line(tmp_path: Path) -> None:
    """Nobody listens at Discord's address: the bot ends and says so in one line."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/api/v10"
        code, output = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, DISCORD_API=address)
    complaints = [line for line in output.splitlines() if " CRITICAL " in line]
    assert code == 1
    assert len(complaints) == 1
    assert "Discord cannot be reached" in complaints[0]
    assert "Traceback" not in output
    check_secret(TOKEN, [output])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DISCORD_TOKEN", f"{CANARY} {CANARY}"),
        ("DISCORD_TOKEN", f'"{CANARY}'),
        ("LOG_LEVEL", CANARY),
        ("LOG_FORMAT", CANARY),
        ("DEV_GUILD_ID", CANARY),
        ("OFFLINE_PORT", CANARY),
        ("OFFLINE_PORT", "70000"),
        ("DISCORD_API", CANARY),
        ("DISCORD_GATEWAY", f"https://{CANARY}"),
    ],
)
def test_a_malformed_setting_is_named_and_not_shown(tmp_path: Path, name: str, value: str) -> None:
    """The process ends with one line that names the variable, and its value is nowhere."""
    code, output = run(tmp_path, "run", **{"DISCORD_TOKEN": TOKEN, name: value})
    assert code == 2
    assert len(output.splitlines()) == 1
    assert name in output
    assert value not in output
    assert CANARY not in output
    check_secret(TOKEN, [output])


@pytest.mark.parametrize("kind", ["missing", "a file", "not writable"])
def test_a_data_folder_that_cannot_be_used_is_named(tmp_path: Path, kind: str) -> None:
    """The process ends with one line that names DATA_DIR and the folder, before it signs in."""
    folder = tmp_path / "data"
    if kind == "a file":
        folder.touch()
    if kind == "not writable":
        folder = Path("/proc")
        if not folder.is_dir():
            pytest.skip("needs a folder that even an administrator cannot write to")
    code, output = run(tmp_path, "run", DISCORD_TOKEN=TOKEN, DATA_DIR=str(folder))
    assert code == 2
    assert len(output.splitlines()) == 1
    assert "DATA_DIR" in output
    assert str(folder) in output
    check_secret(TOKEN, [output])


def test_a_port_in_use_is_named(tmp_path: Path) -> None:
    """Without a token: the offline table's port is taken, and one line says which setting it is."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, output = run(tmp_path, OFFLINE_PORT=str(port))
    assert code not in (0, None)
    assert len(output.splitlines()) == 1
    assert str(port) in output
    assert "OFFLINE_PORT" in output


async def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    """OPS-08: at LOG_LEVEL=DEBUG, through login, a lobby, a vote, lost connections, a kill and a
    restart: neither the token in any form nor an interaction's token is in the output, in a file of
    the data folder, a backup included, or in a message.
    """
    async with staged(tmp_path, env={"LOG_LEVEL": "DEBUG"}) as scene:
        world = scene.world
        world.output = collections.deque()
        server = world.server
        server.token = server.rest.token = server.gateway.token = TOKEN
        lounge = Evening(world, "lounge")
        await scene.lay(night(vote_is_called))
        await lay_lobby(world, channel="lounge")
        lost: list[Call] = []

        async def hook(stage: str, call: Call) -> None:
            if stage == "after" and call.path.startswith("/interactions/") and not lost:
                lost.append(call)
                raise Severed

        await world.start_bot()
        await published(world, scene.disk, scene.session)
        server.rest.hooks.append(hook)
        for name in NAMES[1:]:
            await lounge.click(name, lounge.live(), "join")
        await lounge.click("Dan", lounge.live(), "join")
        assert await scene.evening.play(("Ann",), answers=1) == 1
        await world.drop_gateway()
        await world.restart_bot()
        assert await scene.evening.play(("Ben", "Cleo"), answers=2) == 2
        await published(world, scene.disk, scene.session)
        assert await world.stop_bot() == 0
        output = "".join(world.output)
        assert " DEBUG " in output
        check_secret(TOKEN, [output])
        tokens = set(world.simulation.backend.interaction_tokens)
        assert len(tokens) > 8
        assert not [token for token in tokens if token in output]
        code, told = await program(world.environment(), "backup")
        assert code == 0, told
        files = [path for path in world.data_dir.rglob("*") if path.is_file()]
        assert any("by-hand" in path.name for path in files)
        stored = [path.read_bytes().decode("latin-1") for path in files]
        sent = repr(list(world.simulation.backend.messages.values()))
        assert len(sent) > 1000
        check_secret(TOKEN, [told, sent, *stored])
        assert not [token for token in tokens if token in sent + told + "".join(stored)]


async def test_the_harness_would_find_a_secret(tmp_path: Path) -> None:
    """The search itself works: a process that prints its token is found out."""
    program = "import os; print('x' + os.environ['DISCORD_TOKEN'][5:])"
    async with Harness(tmp_path, quiet=QUIET, argv=(sys.executable, "-c", program)) as world:
        world.extra_env["DISCORD_TOKEN"] = TOKEN
        _, lines = await outcome(await Child.start(world.argv, world.environment(), captured=True))
    with pytest.raises(AssertionError):
        check_secret(TOKEN, lines)


def check_secret(secret: str, lines: list[str]) -> None:
    """No half of a secret, and no base64 of it at whatever place it began, is in these lines."""
    half = len(secret) // 2
    pieces = {secret[:half], secret[half:], *secret.split(".")[::2]}
    for shift in range(3):
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            code = encode(bytes(shift) + secret.encode()).decode().rstrip("=")
            pieces |= {code[4:half], code[half:-2]}
    text = "\n".join(lines)
    assert not [piece for piece in pieces if piece in text]
