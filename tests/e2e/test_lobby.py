"""From /play to the start: seats, options, hosts, limits, permissions, threads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.titles import Title
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.real import GAMES, begun, next_move, real_world
from tests.e2e.script import BALLOT, script
from tests.e2e.world import World, find, labels, parts, text

GAME = "escape_the_night"


@pytest.fixture
def small(tmp_path: Path) -> World:
    """A server with a game for one to four."""
    title = script(BALLOT)
    return World(tmp_path, {title.key: title})


async def opened(world: World, game: str = "script", **options: Any) -> discord.Message:
    """A fresh lobby of Ann's."""
    await world.slash("Ann", "play", game=game, **options)
    await world.beat()
    return world.live()


async def test_seats_options_and_start(small: World) -> None:
    """Joining, leaving, computer players and options show in the lobby; then the game begins."""
    async with small as world:
        lobby = await opened(world)
        await world.click("Ben", lobby, "join")
        await world.click("Cleo", lobby, "join")
        await world.click("Ben", lobby, "leave_lobby")
        await world.click("Ann", lobby, "add_computer")
        await world.beat()
        lobby = world.live()
        assert "1. Ann (host)\n2. Cleo\n3. Agatha (computer player)" in text(lobby)
        assert "(3 of 4)" in text(lobby)

        panel = (await world.click("Ann", lobby, "options")).response
        menu = parts(panel)[0]
        changed = await world.select("Ann", panel, ["fast"], custom_id=menu.custom_id)
        assert "Noted" in text(changed.response)
        await world.beat()
        assert "**Speed**: Quickly" in text(world.live())

        await world.click("Ann", world.live(), "drop_computer")
        await world.click("Ann", world.live(), "start")
        await world.beat()
        assert "spread 6 votes" not in text(world.live())  # a ballot's panel is private
        assert "Cast your vote" in labels(world.live())
        lobby = world.messages()[1]
        assert not parts(lobby)
        assert "The game has begun" in text(lobby)


async def test_only_the_host_decides_and_the_host_passes_on(small: World) -> None:
    """Others cannot start, cancel, set options or add players; who leaves as host hands it on."""
    async with small as world:
        lobby = await opened(world)
        await world.click("Ben", lobby, "join")
        await world.beat()
        lobby = world.live()
        for verb in ("start", "cancel", "add_computer"):
            refused = await world.click("Ben", lobby, verb)
            assert text(refused.response) == "Only Ann, the host, can do that.", verb
        await world.beat()
        assert world.live().id == lobby.id
        assert "1. Ann (host)\n2. Ben" in text(world.live())
        assert "computer player" not in text(world.live())
        assert controls(world.live(), "start")
        told = (await world.click("Ben", lobby, "options")).response
        assert not parts(told)
        assert "**Speed**: Slowly" in text(told)
        panel = (await world.click("Ann", lobby, "options")).response
        menu = parts(panel)[0].custom_id
        await world.select("Ann", panel, ["fast"], custom_id=menu)
        await world.click("Ann", lobby, "leave_lobby")
        await world.beat()
        assert "1. Ben (host)" in text(world.live())
        refused = await world.select("Ann", panel, ["slow"], custom_id=menu)
        assert text(refused.response).startswith("Only Ben, the host, can do that.")
        assert "**Speed**: Quickly" in text(refused.response)
        assert not parts(refused.response)
        assert "**Speed**: Quickly" in text(world.live())
        await world.click("Ben", world.live(), "leave_lobby")
        await world.beat()
        assert "closed before a game began" in text(world.messages()[-1])
        assert not parts(world.messages()[-1])


async def test_who_has_no_seat_in_a_lobby_is_shown_the_way_to_one(small: World) -> None:
    """Leave does nothing for them, and says which button would; there is no game to watch yet."""
    async with small as world:
        lobby = await opened(world)
        told = await world.click("Ben", lobby, "leave_lobby")
        assert text(told.response) == "You have no seat here yet. Press **Join** to take one."


async def test_limits_of_seats(small: World) -> None:
    """A full table says so; the buttons that cannot help are greyed out; two seats are refused."""
    async with small as world:
        lobby = await opened(world)
        again = await world.click("Ann", lobby, "join")
        assert text(again.response) == "You have a seat at this table already."
        for name in ("Ben", "Cleo", "Dan"):
            await world.click(name, lobby, "join")
        world.join_server(world.env, "Eve")
        full = await world.click("Eve", lobby, "join")
        assert text(full.response).startswith("All 4 seats are taken.")
        await world.beat()
        assert find(world.live(), "join").disabled
        assert find(world.live(), "add_computer").disabled


async def test_a_second_game_in_the_channel_is_refused_with_a_link(small: World) -> None:
    """The first game is untouched, in the lobby and while it is played."""
    async with small as world:
        lobby = await opened(world)
        second = await world.slash("Ben", "play", game="script")
        link = f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/{lobby.id}"
        assert link in text(second.response)
        await world.click("Ann", lobby, "start")
        await world.beat()
        third = await world.slash("Ben", "play", game="script")
        assert str(world.live().id) in text(third.response)
        assert len(world.bot.registry.in_guild(world.guild.id)) == 1


async def test_a_lobby_that_is_not_up_yet_has_no_link(small: World) -> None:
    """The sentence is whole without one."""
    async with small as world:
        path = f"/channels/{world.channel.id}/messages"
        world.env.inject_error("POST", path, status=503, code=0, times=None)
        await world.slash("Ann", "play", game="script")
        second = await world.slash("Ben", "play", game="script")
        told = "There is a table in this channel already; its message is on the way."
        assert text(second.response) == told


async def test_a_thread_of_its_own(small: World) -> None:
    """thread:True opens a thread and plays there; its channel stays free for another game."""
    async with small as world:
        result = await world.slash("Ann", "play", game="script", thread=True)
        await world.beat()
        (thread,) = world.channel.threads
        assert f"<#{thread.id}>" in text(result.response)
        assert thread.name == "The Script with Ann"
        assert "(1 of 4)" in text(world.live(thread))
        assert not any(parts(message) for message in world.messages())
        await opened(world)
        assert len(world.bot.registry.in_guild(world.guild.id)) == 2


async def test_in_a_direct_message_play_is_refused_kindly(small: World) -> None:
    """No table stands in direct messages."""
    async with small as world:
        result = await world["Ann"].user.slash("play", game="script")
        assert text(result.response).startswith("Tables stand in server channels.")


@pytest.mark.parametrize(
    ("permission", "named"),
    [
        ("send_messages", "Send Messages"),
        ("embed_links", "Embed Links"),
        ("attach_files", "Attach Files"),
        ("read_message_history", "Read Message History"),
    ],
)
async def test_missing_permissions_are_named_before_a_seat_is_taken(
    small: World, permission: str, named: str
) -> None:
    """Exactly the missing permission is named, and no table exists afterwards."""
    async with small as world:
        world.permit(**{permission: False})
        result = await world.slash("Ann", "play", game="script")
        said = text(result.response)
        assert said == f"Before we can play here I need: {named}."
        assert world.bot.registry.in_guild(world.guild.id) == ()


async def test_a_channel_that_the_bot_cannot_see(small: World) -> None:
    """The command reaches the bot also where it may not look; nothing is opened there."""
    async with small as world:
        role = world.guild.roles[world.env.backend.bot_user.name]
        denied: Any = {role: discord.PermissionOverwrite(view_channel=False)}
        hidden = world.guild.create_text_channel("hidden", overwrites=denied)
        result = await world["Ann"].slash(hidden, "play", game="script")
        assert "View Channel" in text(result.response)
        assert world.bot.registry.in_guild(world.guild.id) == ()


async def test_threads_need_permissions_of_their_own(small: World) -> None:
    """Sending in threads counts in a thread, sending in channels does not; creating is named."""
    async with small as world:
        world.permit(create_public_threads=False, send_messages_in_threads=False)
        result = await world.slash("Ann", "play", game="script", thread=True)
        assert "Create Public Threads and Send Messages in Threads" in text(result.response)
        world.permit(send_messages_in_threads=True, create_public_threads=True)
        await world.slash("Ann", "play", game="script", thread=True)
        await world.beat()
        (thread,) = world.channel.threads
        await world.click("Ann", world.live(thread), "cancel")
        await world.beat()
        world.permit(send_messages=False)
        plays = await world["Ann"].slash(thread, "play", game="script")
        assert "is open in" in text(plays.response)


@pytest.mark.parametrize("game", GAMES)
async def test_a_thread_plays_by_the_permission_for_threads(tmp_path: Path, game: str) -> None:
    """PRM-03: in a thread where the bot may send in threads and not in channels a game is opened,
    played and shown, with its picture; where it is the other way round none is opened, and what is
    missing is named, and nothing else.
    """
    async with real_world(tmp_path) as world:
        backend, home = world.env.backend, world.channel
        backend.create_thread(home.id, "evening", world["Ann"].id)
        (world.channel,) = home.threads
        world.permit(send_messages=True, send_messages_in_threads=False)
        refused = await world.slash("Ann", "play", game=game)
        assert text(refused.response) == "Before we can play here I need: Send Messages in Threads."
        assert world.bot.registry.in_guild(world.guild.id) == ()
        assert world.messages() == []

        world.permit(send_messages=False, send_messages_in_threads=True)
        session = await begun(world, game, "Ben")
        for _ in range(3):
            await (await next_move(world)).make(world)
        await world.beat(3)
        assert (await session.snapshot()).ply >= 3
        assert session.row.published_ply == session.row.ply
        assert len(world.table().attachments) == 1
        assert not [m for m in world.messages(home) if parts(m)]
        world.channel = home
        refused = await world.slash("Ann", "play", game=game)
        assert text(refused.response) == "Before we can play here I need: Send Messages."
        assert not world.bot.metrics.errors


async def test_how_to_play(world: World, night: Title) -> None:
    """Five lines on the game, then how a turn goes."""
    async with world:
        lobby = await opened(world, GAME)
        told = (await world.click("Ben", lobby, "howto")).response
        assert text(told).count("\n- ") == 5
        assert "How a turn goes here" in text(told)
        assert "\n1. " in text(told)


async def test_options_can_be_given_with_the_command(world: World) -> None:
    """/play takes the options of the games as parameters."""
    async with world:
        lobby = await opened(world, GAME, hourglass="10", abilities="off")
        assert "**Last hour**: 10 minutes" in text(lobby)
        assert "**Abilities**: Off" in text(lobby)


async def test_a_lobby_button_after_the_start(small: World) -> None:
    """Somebody whose client still shows the lobby is told that the game has begun."""
    async with small as world:
        lobby = await opened(world)
        await world.click("Ann", lobby, "start")
        join = find(lobby, "join").custom_id
        result = await world.forge("Ben", lobby, join)
        assert text(result.response) == "The game has begun, so that cannot be changed any more."


async def test_whoever_is_seated_again_is_called_once(tmp_path: Path) -> None:
    """The new lobby names those who did not open it and rings for who wants that, until they give
    the seat up.
    """
    async with world_of(tmp_path, *picks(2)) as world:
        await begin(world, "script", "Ben", "Cleo")
        await world.slash("Cleo", "notify", pings="off")
        for _ in range(2):
            await pick(world)
        await world.beat(3)
        await world.click("Ann", world.live(), "again")
        await world.beat()
        lobby = world.live()
        ben, cleo = world["Ben"].user, world["Cleo"].user
        assert f"<@{ben.id}> and Cleo have their old seats again" in text(lobby)
        assert [user.id for user in lobby.mentions] == [ben.id]
        await world.click("Ben", lobby, "leave_lobby")
        await world.click("Ben", lobby, "join")
        await world.beat()
        assert f"<@{ben.id}>" not in text(world.live())
        assert "Cleo has the old seat again" in text(world.live())
        await world.click("Cleo", lobby, "leave_lobby")
        await world.beat()
        assert "old seat" not in text(world.live())
        assert cleo.id not in [user.id for user in world.live().mentions]
