"""A thread that is locked, and what whoever moderates can do about the table in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.session import Session
from tests.e2e.play import controls, picks, world_of
from tests.e2e.test_lost_places import quietly
from tests.e2e.test_silence import archive, in_thread, since
from tests.e2e.world import World, text


async def locked(world: World) -> tuple[Any, Session]:
    """Ann's table in a thread that somebody locks; the bot has met that, and paused the table."""
    thread, session = await in_thread(world)
    archive(world, thread, archived=True, locked=True)
    for method, end in (("POST", "/messages"), ("PATCH", "/messages/*"), ("PATCH", "")):
        path = f"/channels/{thread.id}{end}"
        world.env.inject_error(method, path, status=400, code=50083, times=None)
    await world.beat(130)
    assert session.is_shut_out
    return thread, session


async def test_it_moves_in_one_step(tmp_path: Path) -> None:
    """``/session restore`` with a channel: the game goes on there, and is left alone in the thread;
    without one the bot says what stands in the way, and both ways out.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        thread, session = await locked(world)
        listed = await world.owner.slash(world.channel, "session list")
        assert "paused, its thread is closed" in text(listed.response)
        code = session.code
        refused = await world.owner.slash(world.channel, "session restore", table=code)
        assert text(refused.response).startswith(f"I could not open the thread <#{thread.id}>")
        moved = await world.owner.slash(
            world.channel, "session restore", table=code, channel=world.lounge
        )
        assert f"stands in <#{world.lounge.id}>" in text(moved.response)
        await world.beat(3)
        assert session.status is Status.RUNNING
        sent = len(world.env.http_requests)
        table = world.table(world.lounge)
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat(3)
        assert "Ann chose one thing." in text(world.table(world.lounge))
        assert not since(world, sent, thread)


@pytest.mark.parametrize("seen", [True, False])
async def test_it_goes_on_when_somebody_opens_it(tmp_path: Path, seen: bool) -> None:
    """Also if that happened while the bot was down; what a moderator has paused stays paused."""
    async with world_of(tmp_path, *picks(4)) as world:
        thread, session = await locked(world)
        world.env.backend.faults.clear()
        if seen:
            archive(world, thread, archived=False, locked=False)
        else:
            quietly(world, lambda: archive(world, thread, archived=False, locked=False))
            await world.restart()
            session = world.bot.registry.session(session.id)
        await world.beat(3)
        assert session.status is Status.RUNNING
        assert any("The thread is open again" in text(m) for m in world.messages(thread))
        code = session.code
        await world.owner.slash(world.channel, "session pause", table=code)
        archive(world, thread, archived=True, locked=False)
        archive(world, thread, archived=False, locked=False)
        await world.beat(3)
        assert session.status is Status.PAUSED


async def test_resuming_opens_the_thread(tmp_path: Path) -> None:
    """A moderator paused the table, and the thread was archived meanwhile: one request opens it."""
    async with world_of(tmp_path, *picks(4)) as world:
        thread, session = await in_thread(world)
        # The simulation wants this for what Discord allows to anybody who may write there.
        world.permit(manage_channels=True)
        code = session.code
        await world.owner.slash(world.channel, "session pause", table=code)
        await world.beat(3)
        archive(world, thread, archived=True, locked=False)
        sent = len(world.env.http_requests)
        done = await world.owner.slash(world.channel, "session resume", table=code)
        assert "goes on" in text(done.response)
        opened = [r for r in since(world, sent, thread) if r.path == f"/channels/{thread.id}"]
        assert [r.method for r in opened if r.method == "PATCH"] == ["PATCH"]
        assert not thread._channel.thread_metadata.archived
        await world.beat(3)
        table = world.table(thread)
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat(3)
        assert (await session.snapshot()).ply == 1
