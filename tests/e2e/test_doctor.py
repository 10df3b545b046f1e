"""/session doctor: each missing permission by its name, its effect and its remedy; a real trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.serializers import channel_payload

from tests.e2e.play import picks, world_of
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
        assert "I lack **Attach Files**: boards come in words only" in told
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
        assert "The thread is locked." in await doctor(world)
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
