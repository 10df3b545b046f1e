"""The channel of a table that stands still: every command there speaks of that table."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from bot.sessions.faces import Status
from bot.sessions.session import Session
from tests.e2e.play import begin, picks, world_of
from tests.e2e.world import World, parts, text

COMMANDS = ("act", "vote", "hand", "board", "log", "leave", "undo")

SHOWN = {"board": "chapter 0", "log": "{}"}

STATES = ("crashed", "garbled", "orphaned")

SAID = {
    "crashed": "This table was stopped by a fault",
    "garbled": "This table stands still: what I have stored of it cannot be read",
    "orphaned": "This table rests, since its channel was gone or hidden from me; nothing is lost.",
}


async def stopped(world: World, state: str) -> Session:
    """Ann and Ben sit at a table here that stands still, and at another one elsewhere."""
    home = world.channel
    world.channel = world.lounge
    await begin(world, "script", "Ben")
    world.channel = home
    await begin(world, "script", "Ben")
    session = world.bot.registry.in_channel(home.id)
    assert session is not None
    match state:
        case "crashed":
            with world.env._bot_scope():
                await session.locked(lambda one=session: one.crash(RuntimeError("a bug")), "crash")
        case "orphaned":
            with world.env._bot_scope():
                await world.bot.registry.channel_gone(home.id)
        case _:
            await garble(world, session)
    await world.beat()
    session = world.bot.registry.session(session.id)
    assert session.status in (Status.CRASHED, Status.ORPHANED)
    return session


async def garble(world: World, session: Session) -> None:
    """The header of its journal is damaged while the bot is down."""
    await world.bot.registry.close()
    await world.store.close()
    with contextlib.closing(sqlite3.connect(world.folder / "nightwatch.db")) as found, found:
        found.execute("UPDATE session SET header = '{nope' WHERE id = ?", (session.id,))
    await world.env.restart_bot(await world._bot())


@pytest.mark.parametrize("state", STATES)
async def test_commands_speak_of_the_table_in_their_channel(tmp_path: Path, state: str) -> None:
    """Nobody who also sits elsewhere is asked which table they mean; they, and whoever sits
    nowhere, learn why this one rests and what can be done, by every command and by ``/help``.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        session = await stopped(world, state)
        for command in COMMANDS:
            told = text((await world.slash("Ann", command)).response)
            if state == "orphaned" and command in SHOWN:  # its game is as sound as ever
                assert SHOWN[command].format(session.code) in told
                continue
            assert told.startswith(SAID[state]), command
            assert "/session restore" in told
        for command in ("hand", "leave"):
            told = text((await world.slash("Dan", command)).response)
            assert told.startswith((SAID[state], "You have no seat at this table.")), command
        told = await world.slash("Ann", "act", choice="thing")
        assert text(told.response).startswith(SAID[state])
        shown = text((await world.slash("Dan", "help")).response)
        assert f"{session.code} is in this channel. {SAID[state]}" in shown
        assert "`/play` opens a new one here" in shown
        told = await world.slash("Ann", "verify")
        assert "over" in text(told.response)


async def test_a_new_table_beside_a_stopped_one(tmp_path: Path) -> None:
    """Once another table is played in the channel, commands speak of that one."""
    async with world_of(tmp_path, *picks(4)) as world:
        await stopped(world, "crashed")
        await begin(world, "script")
        assert "pick" in text((await world.slash("Ann", "act")).response).lower()
        shown = text((await world.slash("Ann", "help")).response)
        assert shown.startswith("You sit at the table in this channel.")


async def test_a_paused_table_says_so(tmp_path: Path) -> None:
    """``/help`` beside a table that a moderator has paused tells that and what can be seen."""
    async with world_of(tmp_path, *picks(4)) as world:
        await begin(world, "script")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        await world.owner.slash(world.channel, "session pause", table=session.code)
        shown = text((await world.slash("Ann", "help")).response)
        assert "This table is paused. A moderator can let it go on" in shown
        assert "`/board` and `/log` show how this one stands" in shown
        refused = await world.owner.slash(world.channel, "session restore", table=session.code)
        assert text(refused.response).startswith("A moderator has paused that table")


async def test_a_garbled_table_promises_nothing(tmp_path: Path) -> None:
    """It is not said that nothing is lost: what is true is told in the channel, to players and by
    every command of moderators, and `/session end` is as good as its word.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        session = await stopped(world, "garbled")
        notice = text(world.messages()[-1])
        assert "What I have stored of this table cannot be read" in notice
        assert "othing is lost" not in notice
        code = session.code
        checked = await world.owner.slash(world.channel, "session check", table=code)
        assert "cannot be read or set up any more" in text(checked.response)
        refused = await world.owner.slash(world.channel, "session restore", table=code)
        assert "cannot be brought back as it is" in text(refused.response)
        assert "`/session end` ends it." in text(refused.response)
        asked = await world.owner.slash(world.channel, "session end", table=code)
        assert asked.response is not None
        yes = next(one for one in parts(asked.response) if ":end_yes:" in one.custom_id)
        await world.owner.click(asked.response, custom_id=yes.custom_id)
        assert session.status is Status.ABANDONED
        refused = await world.owner.slash(world.channel, "session restore", table=code)
        assert "`/session end`" not in text(refused.response)
