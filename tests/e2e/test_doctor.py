"""/session doctor: each missing permission by its name, its effect and its remedy; a real trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.serializers import channel_payload

from bot.sessions.faces import Status
from bot.sessions.ports import Click
from tests.e2e.play import begin, controls, picks, world_of
from tests.e2e.test_shut_threads import locked
from tests.e2e.test_silence import archive, in_thread, since, time_out
from tests.e2e.world import World, text

WAYS = {
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "read_message_history": "Read Message History",
    "create_public_threads": "Create Public Threads",
    "send_messages_in_threads": "Send Messages in Threads",
    "send_messages": "Send Messages",
}


async def doctor(world: World, where: Any = None, name: str = "Olga", **options: Any) -> str:
    """What the doctor says in a channel."""
    world.players.setdefault("Olga", world.owner)
    place = where or world.channel
    result = await world.players[name].slash(place, "session doctor", **options)
    return text(world._checked(result).response)


def requests(world: World, since: int) -> list[str]:
    """The methods of what was asked of a channel's messages."""
    sent = world.env.http_requests[since:]
    return [r.method for r in sent if r.path.startswith(f"/channels/{world.channel.id}/messages")]


async def test_all_in_order(tmp_path: Path) -> None:
    """Nothing is missing; a message is sent, edited, given a file and removed; nothing is left."""
    async with world_of(tmp_path, *picks(1)) as world:
        since = len(world.env.http_requests)
        told = await doctor(world)
        assert f"<#{world.channel.id}>: all in order." in told
        assert told.count(": works.") == 4
        assert requests(world, since) == ["POST", "PATCH", "POST", "DELETE", "DELETE"]
        assert world.messages() == []
        (act,) = await world.store.acts(world.guild.id)
        assert (act.what, act.facts["place"]) == ("doctor", f"<#{world.channel.id}>")
        log = text((await world.slash("Olga", "session log")).response)
        assert f"had the doctor look at <#{world.channel.id}>." in log


async def test_a_server_that_is_only_half_known(tmp_path: Path) -> None:
    """The cache does not have the bot itself: it is asked of Discord, and all is looked at."""
    async with world_of(tmp_path, *picks(1)) as world:
        known = world.bot.get_guild(world.guild.id)
        assert known is not None
        known._members.pop(known.me.id)
        assert known.me is None
        told = await doctor(world)
        assert f"<#{world.channel.id}>: all in order." in told
        assert told.count(": works.") == 4


@pytest.mark.parametrize("permission", sorted(WAYS))
async def test_what_the_server_does_not_give(tmp_path: Path, permission: str) -> None:
    """PRM-01, PRM-02, PRM-03: named, with its effect, and the role that should have it."""
    async with world_of(tmp_path, *picks(1)) as world:
        world.permit(**{permission: False})
        told = await doctor(world)
        assert f"I lack **{WAYS[permission]}**:" in told
        assert told.count("I lack") == 1
        assert "*Server Settings → Roles*" in told
        if permission == "send_messages":
            assert "I did not try anything there" in told
        else:
            assert "sending a message: works." in told
        assert world.messages() == []


async def test_what_a_channel_takes_away(tmp_path: Path) -> None:
    """The role has it: then the channel's own permissions are where to look."""
    async with world_of(tmp_path, *picks(1)) as world:
        me = world.guild.roles[world.env.backend.bot_user.name]
        taken = discord.PermissionOverwrite(attach_files=False)
        place = world.guild.create_text_channel("narrow", overwrites={me: taken})
        told = await doctor(world, channel=place)
        assert "I lack **Attach Files**: tables cannot be opened" in told
        assert f"<#{place.id}> takes it away" in told
        assert "Server Settings" not in told
        assert world.messages(place) == []


async def test_threads_are_walked(tmp_path: Path) -> None:
    """PRM-03, PRM-05: a thread needs another permission than its channel; a locked one is named."""
    async with world_of(tmp_path, *picks(1)) as world:
        await world.slash("Ann", "play", game="script", thread=True)
        await world.beat()
        (thread,) = world.channel.threads
        assert f"<#{thread.id}>: all in order." in await doctor(world)
        meta: Any = thread._channel.thread_metadata
        meta.locked = True
        world.env.backend.emit("THREAD_UPDATE", channel_payload(world.env.backend, thread._channel))
        await world.beat()
        assert "The thread is locked and I may not write in it" in await doctor(world)
        world.permit(send_messages_in_threads=False)
        told = await doctor(world)
        assert told.count("I lack **Send Messages in Threads**") == 2
        world.permit(send_messages_in_threads=True, send_messages=False)
        told = await doctor(world, channel=thread)
        assert "I lack" not in told


async def test_what_discord_refuses_is_told(tmp_path: Path) -> None:
    """A filter, a fault, a message that cannot be removed: each step with Discord's own error."""
    async with world_of(tmp_path, *picks(1)) as world:
        path = f"/channels/{world.channel.id}/messages"
        world.env.inject_error("POST", path, status=400, code=200000, times=1)
        told = await doctor(world)
        assert "sending a message: does not work (Discord's error 200000)." in told
        assert "editing" not in told
        world.env.inject_error("DELETE", f"{path}/*", status=403, code=50013, times=1)
        told = await doctor(world)
        assert "removing it: does not work (Discord's error 50013)." in told


async def test_who_may_not_see_a_channel_learns_nothing_of_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A server may give the command to others: they still hear nothing of hidden channels, and no
    trial is made there.
    """
    caplog.set_level("INFO")
    async with world_of(tmp_path, *picks(1)) as world:
        assert "session doctor" not in world["Ann"].available_commands(world.channel)
        everybody = world.guild.default_role
        closed = discord.PermissionOverwrite(view_channel=False)
        mine = discord.PermissionOverwrite(view_channel=True)
        me = world.guild.roles[world.env.backend.bot_user.name]
        hidden = world.guild.create_text_channel("hidden", overwrites={everybody: closed, me: mine})
        await world.beat()
        (command,) = [c for c in await world.bot.tree.fetch_commands() if c.name == "session"]
        world.guild.set_command_permissions(command, {world["Ann"]: True})
        since = len(world.env.http_requests)
        cog: Any = world.bot.cogs["Doctor"]
        look = cog.doctor
        # No client offers the channel; a forged command could still name it.
        cog.doctor = lambda press, _: look(press, world.bot.get_channel(hidden.id))
        told = await doctor(world, name="Ann")
        assert told == "You cannot see that channel yourself, so I do not tell you about it."
        assert "hidden channel was refused" in caplog.text
        sent = world.env.http_requests[since:]
        assert not [r for r in sent if str(hidden.id) in r.path]
        assert await world.store.acts(world.guild.id) == ()


async def test_a_table_in_a_closed_thread_is_found(tmp_path: Path) -> None:
    """PRM-05: the cache drops archived threads; asked in their channel, inside them, or of them by
    name the doctor tells all the same what is true of the table there, and opens nothing.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        thread, session = await locked(world)
        cached: Any = world.bot.get_guild(world.guild.id)
        assert cached.get_thread(thread.id) is None
        paused = f"table {session.code} there is paused and takes no moves."
        for where, options in (
            (world.channel, {}),
            (thread, {}),
            (world.lounge, {"channel": thread}),
        ):
            sent = len(world.env.http_requests)
            told = await doctor(world, where, **options)
            assert f"<#{thread.id}>:\n  - The thread is closed and I may not open it" in told
            assert paused in told
            assert "`/session restore` with a `channel` moves it" in told
            assert "Moves count" not in told
            assert [r for r in since(world, sent, thread) if r.method != "GET"] == []


async def test_an_archived_thread_of_a_table(tmp_path: Path) -> None:
    """One that the next move opens is told as such, as is one that is locked and not met yet."""
    async with world_of(tmp_path, *picks(4)) as world:
        thread, _ = await in_thread(world)
        archive(world, thread, archived=True, locked=False)
        for told in (await doctor(world), await doctor(world, channel=thread)):
            assert f"<#{thread.id}>:\n  - The thread is archived. The next move opens it" in told
        archive(world, thread, archived=True, locked=True)
        told = await doctor(world)
        assert f"<#{thread.id}>:\n  - The thread is locked and I may not write in it" in told


async def test_a_table_is_brought_back_into_an_archived_thread(tmp_path: Path) -> None:
    """It is named like any other place, and stands there; one that is locked as well is refused
    in one sentence, and so is one that cannot be seen or asked for. Nothing fails.
    """
    async with world_of(tmp_path, *picks(4)) as world:
        thread, other = await in_thread(world)
        world.players["Olga"] = world.owner
        click = Click(world.owner.id, "Olga", 1, world.time.monotonic(), may_manage=True)
        with world.env._bot_scope():
            await other.end(click)
        await begin(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        with world.env._bot_scope():
            await world.bot.registry.channel_gone(world.channel.id)
        await world.beat(3)

        async def restore() -> str:
            given = {"table": session.code, "channel": thread}
            return text((await world.slash("Olga", "session restore", **given)).response)

        archive(world, thread, archived=True, locked=True)
        assert (await restore()).startswith(f"The thread <#{thread.id}> is locked and I may not")
        archive(world, thread, archived=True, locked=False)
        for status, said in ((403, "I cannot see that channel or thread"), (500, "I cannot look")):
            path = f"/channels/{thread.id}"
            world.env.inject_error("GET", path, status=status, code=50001, times=None)
            assert (await restore()).startswith(said)
            world.env.backend.faults.clear()
        world.permit(manage_channels=True)  # the simulation wants it for opening a thread
        assert f"stands in <#{thread.id}>" in await restore()
        await world.beat(3)
        assert session.status is Status.RUNNING
        assert controls(world.live(thread), "act")
        known: Any = world.bot.get_guild(world.guild.id)
        parent = known._channels.pop(world.channel.id)
        told = await doctor(world, world.lounge, channel=thread)
        assert told.startswith("I cannot see that channel or thread")
        known._channels[parent.id] = parent
        assert not world.bot.metrics.errors


async def test_something_else_that_cannot_be_found(tmp_path: Path) -> None:
    """A command that names what the cache does not have: one kind sentence, and no fault."""
    async with world_of(tmp_path, *picks(1)) as world:
        cached: Any = world.bot.get_guild(world.guild.id)
        cached._channels.pop(world.lounge.id)
        world.players["Olga"] = world.owner
        told = text((await world.slash("Olga", "settings", channel=world.lounge)).response)
        assert told.startswith("I cannot find what you named for that command")
        assert "my fault" not in told
        assert not world.bot.metrics.errors
        world.env.errors.clear()  # the simulation counts what the bot has dealt with


async def test_a_timeout_is_no_fault_of_roles(tmp_path: Path) -> None:
    """A timed out bot has lost nearly every permission: only the timeout is named, and what does
    not come from it.
    """
    async with world_of(tmp_path, *picks(1)) as world:
        time_out(world)
        told = await doctor(world)
        assert "I am timed out on this server" in told
        assert "I lack" not in told
        assert "all in order" not in told
        world.permit(read_message_history=False)
        told = await doctor(world)
        assert told.count("I lack") == 1
        assert "Read Message History" in told


async def test_what_keeps_tables_from_opening_is_told_so(tmp_path: Path) -> None:
    """PRM-01: of whatever `/play` refuses to begin without, the doctor says that tables cannot be
    opened.
    """
    async with world_of(tmp_path, *picks(1)) as world:
        for name in ("attach_files", "read_message_history", "embed_links"):
            world.permit(**{name: False})
            refused = text((await world.slash("Ann", "play", game="script")).response)
            assert refused == f"Before we can play here I need: {WAYS[name]}."
            assert f"I lack **{WAYS[name]}**: tables cannot be opened" in await doctor(world)
            world.permit(**{name: True})


@pytest.mark.parametrize("has_role", [True, False])
async def test_nothing_is_to_be_given_to_everybody(tmp_path: Path, has_role: bool) -> None:
    """The bot's own role is named; a bot without one is to be given a role, and nobody else gets
    its permissions.
    """
    async with world_of(tmp_path, *picks(1)) as world:
        world.permit(attach_files=False)
        guild: Any = world.bot.get_guild(world.guild.id)
        role = guild.get_role(world.guild.roles[world.env.backend.bot_user.name].id)
        role.tags = discord.RoleTags({"bot_id": guild.me.id}) if has_role else None
        told = await doctor(world)
        assert ("Give me a role that has it" in told) is not has_role
        assert (f"Give it to <@&{role.id}>" in told) is has_role
        assert f"<@&{world.guild.id}>" not in told
