"""A table whose journal the rules cannot play on: after an update, or by a fault of the disk."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from bot.store.opening import DATABASE_NAME
from tests.wire.evening import Evening
from tests.wire.harness import Harness
from tests.wire.playing import (
    GAME,
    NAMES,
    QUIET,
    in_words,
    lay_table,
    night,
    turn_is_played,
    vote_is_called,
)
from tests.wire.remains import Births, Disk, check_counted, check_messages, published


async def test_a_table_that_cannot_be_replayed_stops_alone_and_can_be_ended(
    tmp_path: Path,
) -> None:
    """Found at a start: the table and its people are told, the other table plays on, nothing is
    deleted, and a moderator can end it: then its channel is free, it stays ended, and all that
    can be pressed is for another game.
    """
    async with Harness(tmp_path, quiet=QUIET, channels=("table", "hall")) as world:
        in_words(world)
        births, disk = Births(world), Disk(tmp_path)
        broken, sound = Evening(world), Evening(world, "hall")
        first = await lay_table(world, night(vote_is_called))
        second = await lay_table(world, night(turn_is_played), channel="hall")
        await world.start_bot()
        await published(world, disk, first, second)
        await world.kill_bot()
        records = [one["record"] for one in disk.entries(first)]
        damage(tmp_path, first)

        await world.start_bot()
        await world.until(lambda: disk.session(first)["status"] == "crashed")
        await world.until(lambda: len(broken.public()) == 2)
        assert len(disk.entries(first)) == len(records)
        refused = await broken.world.players["Ann"].slash(broken.channel_id, "vote")
        assert refused.acknowledged
        assert await sound.play(answers=2) == 2

        code = disk.session(first)["code"]
        asked = await world.players["Ann"].slash(broken.channel_id, "session end", {"table": code})
        assert asked.message is not None
        await broken.click("Ann", asked.message, "end_yes")
        await published(world, disk, first, second)
        in_words(world, yes=False)
        await world.restart_bot()
        await published(world, disk, first, second)
        assert disk.session(first)["status"] == "abandoned"
        assert [b.label for one in broken.public() for b in one.buttons] == ["Play again"]
        assert [len(broken.ballots(name)) for name in NAMES] == [0, 0, 0]
        births.check()
        await world.players["Ben"].slash(broken.channel_id, "play", {"game": GAME})
        await broken.up("join")
        check_counted(sound, disk, second)
        check_messages(sound, births, disk, second)


async def test_a_table_of_an_unknown_game_rests(tmp_path: Path) -> None:
    """After a step back to a version without some game, its tables are left alone and the others
    go on.
    """
    async with Harness(tmp_path, quiet=QUIET, channels=("table", "hall")) as world:
        in_words(world)
        disk, sound = Disk(tmp_path), Evening(world, "hall")
        first = await lay_table(world, night(vote_is_called))
        second = await lay_table(world, night(turn_is_played), channel="hall")
        with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_NAME)) as database, database:
            database.execute("UPDATE session SET game = 'of_tomorrow' WHERE id = ?", (first,))
        before = disk.session(first)
        await world.start_bot()
        await published(world, disk, second)
        assert await sound.play(answers=2) == 2
        assert (await world.players["Ann"].slash(sound.channel_id, "history")).acknowledged
        assert disk.session(first) == before
        assert any("of_tomorrow" in line for line in world.output)
        assert not [line for line in world.output if " ERROR " in line]


def damage(folder: Path, session: int) -> None:
    """Let one answer have been given to another question than the rules ask there."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as database, database:
        (record,) = database.execute(
            "SELECT record FROM entry WHERE session = ? AND ply = 3", (session,)
        ).fetchone()
        start, mark, rest = record.partition('"mark":"')
        database.execute(
            "UPDATE entry SET record = ? WHERE session = ? AND ply = 3",
            (f"{start}{mark}{'0' * 12}{rest[12:]}", session),
        )
