"""Places that go away, also while the bot is down or unheard, and what remains of their tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.moderating import Place
from bot.sessions.ports import Click
from bot.sessions.session import Session
from bot.sessions.starting import owes
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, text


def here(world: World) -> Session:
    """The table in the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


def quietly(world: World, act: Callable[[], object]) -> None:
    """Something happens on Discord of which no event tells."""
    backend: Any = world.env.backend
    backend.emit = lambda *_, **__: None
    try:
        act()
    finally:
        del backend.emit


async def in_room(world: World, name: str) -> tuple[Any, Session]:
    """A table of Ann's in a channel of its own."""
    room = world.guild.create_text_channel(name)
    home, world.channel = world.channel, room
    await begin(world)
    session = here(world)
    world.channel = home
    return room, session


async def test_a_channel_deleted_while_the_bot_was_away(tmp_path: Path, caplog: Any) -> None:
    """Of three tables the one whose channel is gone rests, the others can be played; the start
    goes on, and the operator reads one line.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        rooms = [await in_room(world, f"room-{n}") for n in range(3)]
        await world.beat(40)
        gone, lost = rooms[1]
        quietly(world, lambda: world.env.backend.delete_channel(gone.id))
        await world.restart()
        await world.beat(3)
        statuses = [world.bot.registry.session(one.id).status for _, one in rooms]
        assert statuses == [Status.RUNNING, Status.ORPHANED, Status.RUNNING]
        assert len([r for r in caplog.records if lost.code in r.getMessage()]) == 1
        for room, _ in (rooms[0], rooms[2]):
            world.channel = room
            await pick(world)
            assert "Ann chose one thing." in text(world.live())


async def in_lost_room(world: World, *games: Any) -> Session:
    """A table whose channel was deleted while the bot was away; the bot is back.

    ``games``: where the server wants games to be played, besides that room.
    """
    world.players["Olga"] = world.owner
    room, session = await in_room(world, "room")
    for place in (room, *games) if games else ():
        await world.slash("Olga", "settings", channel=place)
    await world.beat(40)
    quietly(world, lambda: world.env.backend.delete_channel(room.id))
    await world.restart()
    await world.beat(30)
    lost = world.bot.registry.session(session.id)
    assert lost.status is Status.ORPHANED
    return lost


def told_of(world: World, session: Session, result: Any = None) -> list[str]:
    """What is said of the loss: beside an answer, or in channels that everybody sees."""
    seen = [*world.messages(), *world.messages(world.lounge)]
    said = [text(one) for one in (seen if result is None else result.followups)]
    return [one for one in said if f"The channel of table {session.code} is gone" in one]


async def test_a_moderator_learns_of_a_lost_channel(tmp_path: Path) -> None:
    """PRM-09: where the server has named no channels for games the loss is told in private, beside
    the next answer to somebody who moderates: once, also over restarts, and to nobody else.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        lost = await in_lost_room(world)
        await world.restart()
        await world.beat(300)
        lost = world.bot.registry.session(lost.id)
        assert told_of(world, lost) == []
        assert told_of(world, lost, await world.slash("Ann", "notify")) == []
        heard = await world.slash("Olga", "status")
        assert len(told_of(world, lost, heard)) == 1
        assert all(one.ephemeral for one in heard.followups)
        for again in (False, True):
            if again:
                await world.restart()
                await world.beat(30)
            assert told_of(world, lost, await world.slash("Olga", "session list")) == []
        assert told_of(world, lost) == []


@pytest.mark.parametrize("may_write", [True, False])
async def test_a_channel_for_games_learns_of_a_lost_one(tmp_path: Path, may_write: bool) -> None:
    """PRM-09: where the server has named channels for games, the first that takes it says once that
    the table rests, and calls nobody; if none does, a moderator is told.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        shut = world.guild.create_text_channel("shut")
        lounge = world.guild.create_text_channel("den")
        for place in (shut,) if may_write else (shut, lounge):
            path = f"/channels/{place.id}/messages"
            world.env.inject_error("POST", path, status=403, code=50013, times=None)
        sent = len(world.env.http_requests)
        world.lounge = lounge
        lost = await in_lost_room(world, shut, lounge)
        await world.beat(3700)
        assert len(told_of(world, lost)) == may_write
        posts = [r for r in world.env.http_requests[sent:] if r.method == "POST"]
        tried = [
            r.path
            for r in posts
            if r.path in {f"/channels/{one.id}/messages" for one in (shut, lounge)}
        ]
        assert len(tried) == 2
        heard = await world.slash("Olga", "session list")
        assert len(told_of(world, lost, heard)) == (not may_write)
        await world.restart()
        await world.beat(30)
        lost = world.bot.registry.session(lost.id)
        assert len(told_of(world, lost)) == may_write
        assert told_of(world, lost, await world.slash("Olga", "status")) == []


@pytest.mark.parametrize("how", ["restored", "ended"])
async def test_a_loss_that_is_put_right_is_not_told(tmp_path: Path, how: str) -> None:
    """PRM-09: whoever brings the table back, or ends it, before anybody was told hears no more of
    it, and nothing is owed any more.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        lost = await in_lost_room(world)
        with world.env._bot_scope():
            click = Click(world.owner.id, "Olga", 1, world.time.monotonic(), may_manage=True)
            if how == "restored":
                await lost.restore(click, Place(world.channel.id, None))
            else:
                await lost.end(click)
        await world.beat(5)
        assert not owes(lost)
        assert told_of(world, lost) == []
        assert told_of(world, lost, await world.slash("Olga", "status")) == []
        if how == "restored":
            await pick(world)


async def test_only_a_plain_no_makes_a_table_rest(tmp_path: Path) -> None:
    """The cache knows no channel, and Discord fails to say whether there is one: the table stays,
    also while the whole server is unavailable.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        await begin(world)
        guild: Any = world.bot.get_guild(world.guild.id)
        place = f"/channels/{world.channel.id}"
        for status in (503, 500):
            guild._channels.pop(world.channel.id, None)
            world.env.inject_error("GET", place, status=status, times=None)
            with world.env._bot_scope():
                world.bot.dispatch("ready")
            await world.beat(30)
            world.env.backend.faults.clear()
            assert here(world).status is Status.RUNNING
        await pick(world)
        assert "Ann chose one thing." in text(world.live())
        world.env.backend.emit("GUILD_DELETE", {"id": str(world.guild.id), "unavailable": True})
        with world.env._bot_scope():
            world.bot.dispatch("ready")
        await world.beat(3)
        assert here(world).status is Status.RUNNING


async def test_a_thread_that_went_without_a_word(tmp_path: Path) -> None:
    """The first failing request makes the table rest; after that nothing is tried any more."""
    async with world_of(tmp_path, BALLOT, *picks(3)) as world:
        await world.slash("Ann", "play", game="script", thread=True)
        await world.beat()
        (thread,) = world.channel.threads
        for name, verb in (("Ben", "join"), ("Ann", "start")):
            lobby = world.live(thread)
            await world[name].click(lobby, custom_id=find(lobby, verb).custom_id)
            await world.beat()
        session = world.bot.registry.in_channel(thread.id)
        assert session is not None
        (letter,) = world.letters("Ben")
        quietly(world, lambda: world.env.backend.delete_channel(thread.id))
        sent = len(world.env.http_requests)
        first = controls(letter, "draft")[0]
        await world["Ben"].user.select(letter, ["thing_2"], custom_id=first.custom_id)
        await world.slash("Ann", "act")
        await world.beat(700)
        assert session.status is Status.ORPHANED
        tried = [r for r in world.env.http_requests[sent:] if str(thread.id) in r.path]
        assert len(tried) <= 2


async def test_a_muted_bot(tmp_path: Path, caplog: Any) -> None:
    """It may not write any more: moves count and are answered in private, the operator reads one
    line, and with the permission the table is back.
    """
    async with world_of(tmp_path, *picks(9)) as world:
        await begin(world)
        world.permit(send_messages=False)
        for _ in range(4):  # over the end of a page, which needs a new message
            panel = (await world.slash("Ann", "act")).response
            done = await world.press("Ann", panel, controls(panel, "act")[0].custom_id)
            assert "Counted" in text(done.response)
            await world.beat(3)
        await world.beat(300)
        assert (await here(world).snapshot()).ply == 4
        said = [r for r in caplog.records if here(world).code in r.getMessage()]
        assert len(said) == 1
        assert "permission" in said[0].getMessage()
        world.permit(send_messages=True)
        await world.beat(70)
        await pick(world)
        assert (await here(world).snapshot()).ply == 5
        assert len([m for m in world.messages() if controls(m, "act")]) == 1


@pytest.mark.parametrize("which", ["table", "letters", "everything"])
async def test_sand_runs_out_over_deleted_messages(tmp_path: Path, which: str, caplog: Any) -> None:
    """A vote whose messages a moderator has deleted ends with its sand, and the game goes on with a
    message that can be clicked; nothing fails.
    """
    timed = Question("spread", 5, BALLOT.shape, seconds=60)
    async with world_of(tmp_path, timed, *picks(3)) as world:
        await begin(world, "script", "Ben")
        await world.beat(3)
        gone = [] if which == "letters" else world.messages()
        gone += [] if which == "table" else [*world.letters("Ann"), *world.letters("Ben")]
        for message in gone:
            world.env.backend.delete_message(message.channel.id, message.id)
        await world.beat(70)
        await world.slash("Ann", "board")
        await world.beat(5)
        await pick(world)
        assert "Ann chose one thing." in text(world.live())
    assert not [r for r in caplog.records if r.levelname == "ERROR"]


async def test_an_expired_lobby_whose_message_was_deleted(tmp_path: Path, caplog: Any) -> None:
    """It closes at its hour, and a new one can be opened there at once."""
    async with world_of(tmp_path, *picks(3)) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        for message in world.messages():
            world.env.backend.delete_message(world.channel.id, message.id)
        for _ in range(5):
            await world.beat(600)
        assert world.bot.registry.in_channel(world.channel.id) is None
        await begin(world)
        await pick(world)
        assert "Ann chose one thing." in text(world.live())
    assert not [r for r in caplog.records if r.levelname == "ERROR"]
