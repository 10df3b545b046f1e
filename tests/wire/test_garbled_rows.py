"""Garbled rows in the database: the bot starts, one table stands still, and can be put right."""

from __future__ import annotations

import contextlib
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from bot.store.opening import DATABASE_NAME
from tests.wire.evening import Evening
from tests.wire.harness import Harness
from tests.wire.playing import (
    GAME,
    QUIET,
    in_words,
    lay_table,
    night,
    turn_is_played,
    vote_is_called,
)
from tests.wire.remains import Disk, check_counted, published


def garble(folder: Path, sql: str, *values: object) -> None:
    """Change the database behind the bot's back."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE_NAME)) as database, database:
        assert database.execute(sql, values).rowcount > 0


async def test_garbled_rows_stop_their_table_alone(tmp_path: Path) -> None:
    """RPL-09, GAM-25: with the timers of one table garbled, the last record of a second torn and a
    ballot's draft of a third, the bot starts; the third and a sound one play on, where a motion
    with garbled voices lapses; the first two stand still with all their rows, and a moderator ends
    them: their channels are free again.
    """
    channels = ("table", "hall", "attic", "cellar")
    async with Harness(tmp_path, quiet=QUIET, channels=channels) as world:
        in_words(world)
        disk = Disk(tmp_path)
        timers = await lay_table(world, night(turn_is_played), channel="table")
        torn = await lay_table(world, night(turn_is_played), channel="hall")
        draft = await lay_table(world, night(vote_is_called), channel="attic")
        sound = await lay_table(world, night(turn_is_played), channel="cellar")
        garble(tmp_path, "UPDATE session SET timers = '[{' WHERE id = ?", timers)
        garble(
            tmp_path,
            "INSERT INTO motion (session, number, kind, seat, ply, name, voices, state, made_at)"
            " SELECT id, 1, 'undo', 0, ply, '', '{\"0', 'open', created_at FROM session"
            " WHERE id = ?",
            sound,
        )
        garble(tmp_path, "UPDATE seat SET draft = '[\"' WHERE session = ? AND seat = 0", draft)
        garble(
            tmp_path,
            "UPDATE entry SET record = substr(record, 1, 20) WHERE session = ?1 AND ply ="
            " (SELECT max(ply) FROM entry WHERE session = ?1)",
            torn,
        )
        records = {one: disk.rows("SELECT record FROM entry WHERE session = ?", one)
                   for one in (timers, torn)}  # fmt: skip

        await world.start_bot()
        await published(world, disk, draft, sound)
        assert await Evening(world, "cellar").play(answers=2) == 2
        assert await Evening(world, "attic").play(answers=1) == 1
        await world.until(lambda: disk.session(torn)["status"] == "crashed")
        (told,) = [line for line in world.output if "the data of session" in line]
        assert disk.session(timers)["code"] in told
        motion = "SELECT state FROM motion WHERE session = ?"
        await world.until(lambda: disk.rows(motion, sound) == [{"state": "lapsed"}])
        for one, before in records.items():
            assert disk.rows("SELECT record FROM entry WHERE session = ?", one) == before

        for channel, one in (("table", timers), ("hall", torn)):
            place, code = world.channels[channel], disk.session(one)["code"]
            asked = await world.players["Ann"].slash(place, "session end", {"table": code})
            assert asked.message is not None
            await Evening(world, channel).click("Ann", asked.message, "end_yes")
            await world.until(lambda one=one: disk.session(one)["status"] == "abandoned")
        in_words(world, yes=False)
        await world.restart_bot()
        for channel, one in (("table", timers), ("hall", torn)):
            await world.players["Ben"].slash(world.channels[channel], "play", {"game": GAME})
            await Evening(world, channel).up("join")
            assert disk.session(one)["status"] == "abandoned"
            assert disk.rows("SELECT record FROM entry WHERE session = ?", one) == records[one]
        check_counted(Evening(world, "cellar"), disk, sound)


_FAILS = """
import os, sys, time
from pathlib import Path
import bot.app as app
import bot.online as online
def fails(*_args, **_kwargs):
    Path(os.environ["DATA_DIR"], "failed at").write_text(str(time.time()))
    raise RuntimeError("this step of the start has failed")
async def fails_later(*args, **kwargs):
    fails()
class Fails(app.Nightwatch):
    def __init__(self, *args, **kwargs):
        fails()
step = sys.argv.pop(1)
if step == "backups begun":
    online.Schedule.start = fails
elif step == "made":
    online.Nightwatch = Fails
elif step == "numbers served":
    online.serve = fails
elif step == "signed in":
    app.discord.http.HTTPClient.static_login = fails_later
elif step == "tables known":
    app.Registry.open = fails_later
elif step == "cogs added":
    app.Nightwatch.add_cog = fails_later
elif step == "put into words":
    app.put_into_words = fails
elif step == "commands registered":
    app.register = fails_later
elif step == "pump begun":
    app.tasks.Loop.start = fails
elif step == "connected":
    app.Nightwatch.connect = fails_later
from bot.__main__ import main
sys.exit(main())
"""

STEPS = (
    "backups begun", "made", "numbers served", "signed in", "tables known", "cogs added",
    "put into words", "commands registered", "pump begun", "connected",
)  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
async def test_a_start_that_fails_after_the_database_is_open_ends(
    tmp_path: Path, step: str
) -> None:
    """DB-14: whichever step of the start fails, the process ends by itself, not with 0, and has put
    the database away: the next one starts without a word about it.
    """
    async with Harness(tmp_path, quiet=QUIET) as world:
        if step == "numbers served":
            world.extra_env["METRICS_PORT"] = "9200"
        world.argv = (sys.executable, "-c", _FAILS, step, "run", "--online")
        with pytest.raises(RuntimeError, match="the bot ended"):
            await world.start_bot()
        ended = time.time()
        assert world.child is not None
        assert await world.child.process.wait() not in (0, None)
        assert ended - float((tmp_path / "failed at").read_text()) < 5.0
        assert any("this step of the start has failed" in line for line in world.output)
        assert not (tmp_path / f"{DATABASE_NAME}-wal").exists()
