"""A bot that may not speak: what players learn in private, and what the operator reads."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from simcord.backend.serializers import channel_payload, member_payload

from bot.sessions.faces import Status
from bot.sessions.session import Session
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.test_sand import TIMED
from tests.e2e.world import World, find, text


def here(world: World) -> Session:
    """The table in the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


def time_out(world: World, *, until: str | None = "2030-01-01T00:00:00+00:00") -> None:
    """A moderator times the bot out; None: and takes the timeout back."""
    backend, me = world.env.backend, world.env.backend.bot_user.id
    backend.edit_member(world.guild.id, me, {"timed_out_until": until})
    # Discord tells a bot of its own changes whatever its intents; the simulation does not.
    guild = backend.get_guild(world.guild.id)
    payload: Any = member_payload(backend, guild, backend.get_member(world.guild.id, me))
    payload = {**payload, "guild_id": str(world.guild.id)}
    with world.env._bot_scope():
        world.bot._connection.parse_guild_member_update(payload)


def asides(result: Any) -> list[str]:
    """What somebody was told besides the answer."""
    return [text(one) for one in result.followups]


def operator(caplog: Any, session: Session) -> list[str]:
    """The lines about a table."""
    return [r.getMessage() for r in caplog.records if session.code in r.getMessage()]


LACKS = "I lack Send Messages in <#{}>, so the table there cannot be kept up to date"
TIMED_OUT = "I am timed out on this server, so the table in <#{}> cannot be kept up to date"


@pytest.mark.parametrize("why", ["permission", "timeout"])
async def test_whoever_clicks_learns_why_nothing_moves(
    tmp_path: Path, caplog: Any, why: str
) -> None:
    """Muted in the middle of a game: every click counts or is refused as ever, and whoever clicks
    is told in private, in one sentence, why the table stands still and what a moderator can do;
    the operator reads one line; when it is over, the table shows everything, and nobody is told.
    """
    async with world_of(tmp_path, *picks(3), BALLOT, *picks(3)) as world:
        await begin(world, "script", "Ben", pace="none")
        session = here(world)
        said = (LACKS if why == "permission" else TIMED_OUT).format(world.channel.id)
        table = world.live()
        if why == "permission":
            world.permit(send_messages=False)
        else:
            time_out(world)

        done = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert text(done.response).startswith(said)
        assert done.response.ephemeral
        assert (await session.snapshot()).ply == 1
        await world.beat(3)

        table = world.table()
        theirs = await world.press("Ben", table, controls(table, "act")[0].custom_id)
        assert "for Ann to decide" in text(theirs.response) or "moved on" in text(theirs.response)
        assert [one.startswith(said) for one in asides(theirs)] == [True]
        stranger = await world.press("Cleo", table, find(table, "hand").custom_id)
        assert text(stranger.response).startswith("You have no seat at this table.")
        assert [one.startswith(said) for one in asides(stranger)] == [True]

        await world.beat(61)
        panel = await world.slash("Ann", "act")
        assert [one.startswith(said) for one in asides(panel)] == [True]
        for _ in range(2):
            counted = await world.press(
                "Ann", panel.response, controls(panel.response, "act")[0].custom_id
            )
            assert "Counted" in text(counted.response)
            assert asides(counted) == []  # told within this minute
        await world.beat(60)
        assert (await session.snapshot()).ply == 3

        # A secret question has come up meanwhile: its ballot goes by letter all the same.
        (letter,) = world.letters("Ben")
        first = controls(letter, "draft")[0]
        marked = await world["Ben"].user.select(letter, ["thing_2"], custom_id=first.custom_id)
        assert marked.acknowledged
        assert [one.startswith(said) for one in asides(marked)] == [True]
        assert session.status is Status.RUNNING
        (line,) = operator(caplog, session)
        assert "is not published" in line
        assert "/session doctor" in line

        if why == "permission":
            world.permit(send_messages=True)
        else:
            time_out(world, until=None)
        await world.beat(70)
        (live,) = [m for m in world.messages() if controls(m, "panel")]
        assert session.row.published_ply == 3
        opened = await world.click("Ann", live, "panel")
        assert asides(opened) == []


@pytest.mark.parametrize("status", [500, 503])
async def test_whoever_clicks_in_an_outage_is_told(
    tmp_path: Path, caplog: Any, status: int
) -> None:
    """Discord takes no messages for minutes: clicks count, and after some seconds whoever clicks
    reads why nothing moves; the operator reads one line, and afterwards nobody is told any more.
    """
    async with world_of(tmp_path, *picks(5)) as world:
        await begin(world, pace="none")
        session = here(world)
        table = world.live()
        path = "/channels/*/messages*"
        world.env.inject_error("*", path, status=status, times=None)
        await world.press("Ann", table, controls(table, "act")[0].custom_id)
        await world.beat(30)
        panel = await world.slash("Ann", "act")
        said = f"I cannot bring the table in <#{world.channel.id}> up to date just now"
        assert [one.startswith(said) for one in asides(panel)] == [True]
        done = await world.press(
            "Ann", panel.response, controls(panel.response, "act")[0].custom_id
        )
        assert "Counted" in text(done.response)
        await world.beat(61)
        stale = await world.press("Ann", table, controls(table, "act")[0].custom_id)
        assert [one.startswith(said) for one in asides(stale)] == [True]
        (line,) = operator(caplog, session)
        assert "is not published" in line
        world.env.backend.faults.clear()
        await world.beat(70)
        assert session.row.published_ply == 2
        assert asides(await world.slash("Ann", "act")) == []


async def test_a_lobby_that_cannot_be_shown(tmp_path: Path) -> None:
    """Who joins has the seat and is told; who opens the rules there is not."""
    async with world_of(tmp_path, *picks(2)) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        lobby = world.live()
        world.permit(send_messages=False)
        joined = await world.click("Ben", lobby, "join")
        assert text(joined.response).startswith(LACKS.format(world.channel.id))
        assert here(world).seat_of(world["Ben"].id) == 1
        assert asides(await world.slash("Cleo", "rules", topic="script")) == []


async def test_a_secret_is_not_lost_with_the_permission_to_look(
    tmp_path: Path, caplog: Any
) -> None:
    """View Channel is taken away: the table rests at once, with one line; who clicks is told how it
    comes back, and it does.
    """
    async with world_of(tmp_path, *picks(5)) as world:
        await begin(world)
        session = here(world)
        await pick(world)
        path = f"/channels/{world.channel.id}/messages*"
        world.env.inject_error("*", path, status=403, code=50001, times=None)
        panel = (await world.slash("Ann", "act")).response
        await world.press("Ann", panel, controls(panel, "act")[0].custom_id)
        await world.beat(3)
        assert session.status is Status.ORPHANED
        (line,) = operator(caplog, session)
        assert "its channel is gone or hidden" in line
        told = await world.press("Ann", world.live(), controls(world.live(), "act")[0].custom_id)
        assert text(told.response).startswith("This table rests, since its channel was")
        world.env.backend.faults.clear()
        back = await world.owner.slash(world.channel, "session restore", table=session.code)
        assert "is back" in text(back.response)
        await world.beat(3)
        assert (await session.snapshot()).ply == 2
        await pick(world)
        assert (await session.snapshot()).ply == 3


def glass_of(world: World) -> Any:
    """The message with the glass."""
    return next(m for m in world.messages() if controls(m, "act"))


def left(world: World, shown: str) -> float:
    """The seconds to the moment that a table counts down to."""
    found = re.search(r"The sand runs out <t:(\d+):R>", shown)
    assert found is not None
    return int(found[1]) - world.env.now().timestamp()


async def test_no_sand_falls_while_nobody_can_be_shown_anything(tmp_path: Path) -> None:
    """The hourglass of a table that cannot be shown stands still, and goes on afterwards."""
    async with world_of(tmp_path, *TIMED) as world:
        await begin(world, "script", "Ben")
        await world.beat(10)
        world.env.inject_error("*", "/channels/*/messages*", status=403, code=50013, times=None)
        with world.env._bot_scope():
            world.bot.registry.look_again(here(world))
        await world.beat(200)
        assert (await here(world).snapshot()).ply == 0
        world.env.backend.faults.clear()
        while (
            "⏳ The sand runs out" not in (shown := text(glass_of(world))) or left(world, shown) < 0
        ):
            await world.beat(5)
        assert left(world, shown) > 35
        assert (await here(world).snapshot()).ply == 0
        await world.beat(60)
        assert any("Time is up." in text(m) for m in world.messages())


@pytest.fixture
def shut_answers() -> list[dict[str, Any]]:
    """What Discord answers to a bot in an archived thread that it may not open."""
    return [
        {"method": "POST", "path": "/channels/{}/messages", "status": 400, "code": 50083},
        {"method": "PATCH", "path": "/channels/{}/messages/*", "status": 400, "code": 50083},
        {"method": "PATCH", "path": "/channels/{}", "status": 403, "code": 50013},
    ]


async def in_thread(world: World, *others: str) -> tuple[Any, Session]:
    """A table of Ann's that has begun in a thread of its own."""
    await world.slash("Ann", "play", game="script", thread=True, pace="live")
    await world.beat()
    (thread,) = world.channel.threads
    for name, verb in (*((other, "join") for other in others), ("Ann", "start")):
        lobby = world.live(thread)
        await world[name].click(lobby, custom_id=find(lobby, verb).custom_id)
        await world.beat()
    session = world.bot.registry.in_channel(thread.id)
    assert session is not None
    return thread, session


def archive(world: World, thread: Any, *, archived: bool, locked: bool) -> None:
    """Somebody, or Discord by itself, archives a thread or opens it."""
    meta: Any = thread._channel.thread_metadata
    meta.archived, meta.locked = archived, locked
    world.env.backend.emit("THREAD_UPDATE", channel_payload(world.env.backend, thread._channel))


def since(world: World, sent: int, thread: Any) -> list[Any]:
    """The requests about a thread since then."""
    return [r for r in world.env.http_requests[sent:] if str(thread.id) in r.path]


async def test_a_deadline_falls_in_an_archived_thread(tmp_path: Path) -> None:
    """The thread was archived between two turns. When the time to answer is over the bot opens it
    in one attempt, and the table shows what the computer player did.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        thread, session = await in_thread(world)
        # The simulation wants this for what Discord allows to anybody who may write there.
        world.permit(manage_channels=True)
        await world.beat(130)
        archive(world, thread, archived=True, locked=False)
        path = f"/channels/{thread.id}/messages*"
        world.env.inject_error("POST", path, status=400, code=50083, times=1)
        sent = len(world.env.http_requests)
        await world.beat(55)
        assert (await session.snapshot()).ply == 1
        opened = [r for r in since(world, sent, thread) if r.path == f"/channels/{thread.id}"]
        assert [r.method for r in opened if r.method == "PATCH"] == ["PATCH"]
        assert not thread._channel.thread_metadata.archived
        assert session.status is Status.RUNNING
        assert "Ann chose one thing." in text(world.table(thread))


@pytest.mark.parametrize("locked", [True, False])
async def test_a_deadline_falls_in_a_thread_that_stays_shut(
    tmp_path: Path, caplog: Any, shut_answers: list[dict[str, Any]], locked: bool
) -> None:
    """It is locked, or the bot may not open it: after at most three requests the table is paused,
    its channel is told once, the operator reads one line, and nothing is tried again, not after a
    restart either. Whoever clicks learns why. Once somebody has opened it, the game goes on.
    """
    async with world_of(tmp_path, *picks(3), Question("pick", 3, seats=(1,))) as world:
        thread, session = await in_thread(world, "Ben")
        await world.beat(130)
        archive(world, thread, archived=True, locked=locked)
        for answer in shut_answers:
            path = answer["path"].format(thread.id)
            world.env.inject_error(**{**answer, "path": path}, times=None)
        sent = len(world.env.http_requests)
        await world.beat(55)
        await world.beat(600)
        assert len(since(world, sent, thread)) <= 3, [r.path for r in since(world, sent, thread)]
        assert session.status is Status.PAUSED
        assert (await session.snapshot()).ply == 1
        hints = [m for m in world.messages() if "is paused, since its thread was closed" in text(m)]
        assert len(hints) == 1
        assert f"The table {session.code} in <#{thread.id}> is paused" in text(hints[0])
        (line,) = operator(caplog, session)
        assert "cannot be shown" in line

        code = session.code
        sent = len(world.env.http_requests)
        await world.restart()
        await world.beat(300)
        assert len(since(world, sent, thread)) <= 4
        session = world.bot.registry.by_code(code)
        assert session.status is Status.PAUSED
        hints = [m for m in world.messages() if "is paused, since its thread was closed" in text(m)]
        assert len(hints) == 1
        told = await world["Ann"].user.slash("act")
        assert text(told.response).startswith("This table is paused, since its thread")
        assert asides(told) == []  # that is said once

        # Resumed while it is still shut: one attempt, and both ways out are named.
        sent = len(world.env.http_requests)
        refused = await world.owner.slash(world.channel, "session resume", table=code)
        assert text(refused.response).startswith(f"I could not open the thread <#{thread.id}>")
        assert "`/session restore` with a `channel`" in text(refused.response)
        await world.beat(120)
        assert session.status is Status.PAUSED
        assert len([r for r in since(world, sent, thread) if r.method != "GET"]) <= 2

        world.env.backend.faults.clear()
        archive(world, thread, archived=False, locked=False)
        await world.beat(3)
        assert session.status is Status.RUNNING
        assert [m for m in world.messages(thread) if "The thread is open again" in text(m)]
        table = world.table(thread)
        counted = await world["Ann"].click(table, custom_id=controls(table, "act")[0].custom_id)
        assert counted.acknowledged
        await world.beat(3)
        assert (await session.snapshot()).ply == 2
        assert text(world.table(thread)).count("Ann chose one thing.") == 2
