"""Two programs on one data folder by turns: an update, and the way back."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from bot import titles
from tests.wire.evening import Evening, controls
from tests.wire.harness import ROOT, Harness
from tests.wire.playing import QUIET
from tests.wire.remains import Disk, published
from tests.wire.test_crash_games import begun

#: The bot of whatever tree comes first on the path, wherever the process is started.
ELSEWHERE = (sys.executable, "-P", "-m", "bot", "run")

RAISED, SILENT = titles.KEYS[:2]
"""The game that says in the later program that its rules are others, and the one that does not."""


def later_tree(folder: Path) -> Path:
    """A copy of the program whose games draw once more in their set-up."""
    ignored = shutil.ignore_patterns("__pycache__")
    for part in ("bot", "content", "engines"):
        shutil.copytree(ROOT / part, folder / part, ignore=ignored)
    for game in titles.KEYS:
        path = folder / "engines" / game / "game.py"
        text = path.read_text(encoding="utf-8")
        for old, new in (
            ("rules_version = 1\n", f"rules_version = {1 + (game == RAISED)}\n"),
            ("        return g, ", '        table.chance.below("one_more", 6)\n        return g, '),
        ):
            assert text.count(old) == 1, (game, old)
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return folder


async def board(evening: Evening) -> str:
    """What everybody may see of a table, in words."""
    told = await evening.world.players["Ben"].slash(evening.channel_id, "board", {"words": True})
    return told.text


@pytest.mark.soak
async def test_an_update_and_the_way_back(tmp_path: Path) -> None:
    """RPL-07: a program with later rules is started on the tables of this one, whether the rules
    say that they are others or not: each table stands still, with a note and with all its records,
    and a new one can be played. Back on this program a moderator lets each go on where it was, and
    the one of the later rules stands still.
    """
    data = tmp_path / "data"
    data.mkdir()
    later = later_tree(tmp_path / "later")
    rooms = ("old-a", "old-b", "new")
    async with Harness(data, argv=ELSEWHERE, quiet=QUIET, channels=("table", *rooms)) as world:
        disk = Disk(data)
        await world.start_bot()
        old = [await begun(world, RAISED, "old-a"), await begun(world, SILENT, "old-b")]
        for evening in old:
            assert await evening.play(("Ann", "Ben"), answers=4) == 4
        ids = {row["channel_id"]: row["id"] for row in disk.rows("SELECT * FROM session")}
        tables = [ids[evening.channel_id] for evening in old]
        await published(world, disk, *tables)
        boards = [await board(evening) for evening in old]
        records = [[row["record"] for row in disk.entries(one)] for one in tables]
        counts = [len(evening.public()) for evening in old]
        assert await world.stop_bot() == 0

        world.extra_env["PYTHONPATH"] = str(later)
        await world.start_bot()
        await world.until(
            lambda: [disk.session(one)["status"] for one in tables] == ["crashed"] * 2, 20.0
        )
        for evening, table, kept, count in zip(old, tables, records, counts, strict=True):
            await world.until(lambda e=evening, n=count: len(e.public()) > n)
            assert "/session restore" in evening.public()[-1].text
            told = await evening.world.players["Ann"].slash(evening.channel_id, "act")
            assert told.text
            assert not controls(told.message, "act") if told.message else True
            assert [row["record"] for row in disk.entries(table)] == kept
        new = await begun(world, RAISED, "new")
        assert await new.play(("Ann", "Ben"), answers=2) == 2
        (third,) = disk.rows("SELECT * FROM session WHERE channel_id = ?", new.channel_id)
        assert '"rules":2' in third["header"]
        assert await world.stop_bot() == 0

        del world.extra_env["PYTHONPATH"]
        await world.start_bot()
        await world.until(lambda: disk.session(third["id"])["status"] == "crashed", 20.0)
        for evening, table, seen in zip(old, tables, boards, strict=True):
            code = disk.session(table)["code"]
            place = evening.channel_id
            done = await world.players["Ann"].slash(place, "session restore", {"table": code})
            assert "is back" in done.text
            assert await board(evening) == seen
            assert await evening.play(("Ann", "Ben"), answers=2) == 2
            await published(world, disk, table)
            assert len(disk.entries(table)) >= 6
        told = [line for line in world.output if " ERROR " in line]
        assert len(told) == len([*tables, third]), told
