"""The offline table from the command line's side: links, restarts, signals, a port in use."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.offline import table
from bot.store.lock import FolderLock
from tests.offline.table_process import TableProcess, is_running


class Plain:
    """Settings as far as the table reads them."""

    def __init__(self, data_dir: Path, port: int) -> None:
        self.data_dir = data_dir
        self.offline_port = port
        self.dev_guild_id = None


def number_shown(parts: dict[str, Any]) -> int:
    """The number on the newest board, -1 when there is none."""
    for message in reversed(parts["messages"]["messages"]):
        if "Board" in str(message["components"]):
            return int(str(message["components"]).partition("count:")[2].partition("'")[0])
    return -1


async def test_the_table_goes_on_after_it_was_stopped(tmp_path: Path) -> None:
    """The same links, messages and ids after SIGTERM and a new start; old buttons work."""
    async with TableProcess(tmp_path) as first:
        assert list(first.links) == ["Ann", "Ben"]
        links = {name: link.rpartition("/")[2] for name, link in first.links.items()}
        parts = await first.until("Ann", is_running)
        channel = parts["messages"]["channel"]
        told = await first.act("Ann", do="slash", channel=channel, name="board", options={})
        assert told == {"ok": True}
        parts = await first.until("Ben", lambda parts: number_shown(parts) == 0)
        board = parts["messages"]["messages"][-1]
        assert await first.stop() == 0
        assert "Stopping." in "".join(first.lines)
    async with TableProcess(tmp_path) as second:
        assert {n: link.rpartition("/")[2] for n, link in second.links.items()} == links
        parts = await second.until("Ben", is_running)
        assert parts["messages"]["messages"][-1]["id"] == board["id"]
        count = {"message": board["id"], "channel": channel, "custom_id": "count:0"}
        assert await second.act("Ben", do="click", **count) == {"ok": True}
        await second.until("Ann", lambda parts: number_shown(parts) == 1)
        # A bot killed by a player's hand is back by itself, and the table with it.
        await second.kill_bot("Ann")
        await second.until("Ann", lambda parts: is_running(parts) and parts["bot"]["starts"] == 2)
        count["custom_id"] = "count:1"
        assert await second.act("Ben", do="click", **count) == {"ok": True}
        assert await second.stop(signal.SIGINT) == 0


async def test_a_bot_that_cannot_start_is_said_and_shown(tmp_path: Path) -> None:
    """The terminal names the exit code, the page says that the bot is down."""
    bad = (sys.executable, "-c", "raise SystemExit(5)")
    async with TableProcess(tmp_path, bot=bad) as made:
        parts = await made.until("Ann", lambda parts: parts["bot"]["state"] == "down")
        assert "exit code 5" in parts["bot"]["words"]
        assert any("exit code 5" in line for line in made.lines)
        assert await made.stop() == 0


def test_a_port_in_use_is_one_clear_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names OFFLINE_PORT, and the exit code is not 0."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert table.main(Plain(tmp_path, port), 2) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert f"Port {port}" in told.err
    assert "OFFLINE_PORT" in told.err


def test_one_table_at_a_time_uses_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second one with another port but the same DATA_DIR says so and leaves the world alone."""
    (tmp_path / "offline").mkdir()
    lock = FolderLock(tmp_path / "offline")
    assert table.main(Plain(tmp_path, 0), 2) == 1
    assert "already" in capsys.readouterr().err
    assert not (tmp_path / "offline" / "links.json").exists()
    lock.release()


@pytest.mark.parametrize("players", [0, 12])
def test_too_few_or_too_many_players_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], players: int
) -> None:
    """1 to 11."""
    assert table.main(Plain(tmp_path, 0), players) == 2
    assert "1 to 11" in capsys.readouterr().err


def test_a_simcord_that_does_not_fit_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The missing name is told instead of a traceback in the middle of a game."""
    monkeypatch.setattr(table, "missing_names", lambda: ["simcord.gateway:FakeGateway.feed"])
    assert table.main(Plain(tmp_path, 0), 2) == 2
    assert "FakeGateway.feed" in capsys.readouterr().err


def test_a_bot_that_cannot_begin_ends_the_table_with_its_own_words(tmp_path: Path) -> None:
    """Damaged data: the bot's one line, no links to pages that could not work, and an exit code."""
    folder = tmp_path / "offline" / "bot"
    folder.mkdir(parents=True)
    (folder / "nightwatch.db").write_text("this is no database\n" * 100)
    done = subprocess.run(
        [sys.executable, "-m", "bot", "run"],
        env={**os.environ, "DATA_DIR": str(tmp_path), "OFFLINE_PORT": "0"},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 1
    assert "nightwatch.db" in done.stderr
    assert "http://" not in done.stdout
