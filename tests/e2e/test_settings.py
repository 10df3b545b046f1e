"""/settings: who may change them, what they do to /play, and what the log tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sessions.ports import Click, Refusal
from bot.sessions.servers import KEYS, MOST_CHANNELS
from tests.e2e.play import begin, pick, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, text

PICKS = [Question("pick", 3, seats=(0,)) for _ in range(3)]


def small(folder: Path) -> World:
    """A server whose owner, Olga, may change its settings."""
    return world_of(folder, *PICKS)


async def settings(world: World, name: str = "Olga", **options: Any) -> str:
    """What the command answers."""
    world.players.setdefault("Olga", world.owner)
    return text((await world.slash(name, "settings", **options)).response)


async def play(world: World, name: str = "Ann", channel: Any = None, **options: Any) -> str:
    """What /play answers in a channel."""
    where = channel or world.channel
    result = await world.players[name].slash(where, "play", game="script", **options)
    await world.beat()
    return text(world._checked(result).response)


async def test_settings_show_where_each_value_comes_from(tmp_path: Path) -> None:
    """At first all are as the bot was set up; what a server chooses is marked, and can go back."""
    async with small(tmp_path) as world:
        fresh = await settings(world)
        assert fresh.count("(as I was set up)") == len(KEYS)
        assert "**Where games may start**: everywhere" in fresh
        changed = await settings(world, tables=3, pace="days", thread=True, ballots=False)
        assert changed.count("(chosen here)") == 4
        assert "**Most tables at once**: 3 (chosen here)" in changed
        assert "**Pace of a new table**: 24 hours, for a game over days (chosen here)" in changed
        await world.restart()
        assert (await settings(world)).count("(chosen here)") == 4
        back = await settings(world, reset="tables")
        assert "**Most tables at once**: 25 (as I was set up)" in back
        assert (await settings(world, reset="all")).count("(as I was set up)") == len(KEYS)


async def test_only_moderators_are_offered_it(tmp_path: Path) -> None:
    """Discord shows the command to members with Manage Server, and the sessions refuse others."""
    async with small(tmp_path) as world:
        assert "settings" not in world["Ann"].available_commands(world.channel)
        assert "settings" in world.owner.available_commands(world.channel)
        servers = world.bot.registry.desk.servers
        click = Click(world["Ann"].id, "Ann", 5, 0.0)
        with pytest.raises(Refusal, match="only_moderators"):
            await servers.change(click, world.guild.id, {"tables": 1})
        assert await world.store.acts(world.guild.id) == ()


async def test_games_start_only_where_they_may(tmp_path: Path) -> None:
    """In the named channels and their threads; who manages the server is not bound."""
    async with small(tmp_path) as world:
        told = await settings(world, channel=world.lounge)
        assert f"<#{world.lounge.id}>" in told
        refused = await play(world)
        assert refused == f"Games start in other channels here: <#{world.lounge.id}>."
        assert not world.messages()
        assert "is open in" in await play(world, channel=world.lounge, thread=True)
        (thread,) = world.lounge.threads
        assert "is open in" in await play(world, "Ben", channel=world.lounge)
        assert "table in this channel already" in await play(world, "Cleo", channel=thread)
        assert "is open in" in await play(world, "Olga")
        assert "everywhere" in await settings(world, without=world.lounge)
        assert "not on the list" in await settings(world, without=world.lounge)


async def test_a_channel_that_is_gone_is_named_so(tmp_path: Path) -> None:
    """A deleted channel stays on the list in words, and can be reset."""
    async with small(tmp_path) as world:
        await settings(world, channel=world.lounge)
        world.env.backend.delete_channel(world.lounge.id)
        await world.beat()
        assert "a channel that is gone" in await settings(world)
        assert "everywhere" in await settings(world, reset="channels")


async def test_a_role_may_be_needed(tmp_path: Path) -> None:
    """Without it one sentence names the role and pings nobody; joining is open to all."""
    async with small(tmp_path) as world:
        role = world.guild.create_role("Hosts")
        await settings(world, role=role)
        told = await play(world)
        assert told.startswith(f"On this server only members with <@&{role.id}> start games.")
        world.env.backend.add_member_role(world.guild.id, world["Ben"].id, role.id)
        await world.beat()
        assert "is open in" in await play(world, "Ben")
        await world.click("Ann", world.live(), "join")
        await world.beat()
        assert "2. Ann" in text(world.live())


async def test_no_more_tables_than_a_server_wants(tmp_path: Path) -> None:
    """Also when two begin in the same moment, and also for moderators."""
    async with small(tmp_path) as world:
        await settings(world, tables=1)
        results = await world.burst(
            world["Ann"].slash(world.channel, "play", game="script"),
            world["Ben"].slash(world.lounge, "play", game="script"),
        )
        await world.beat()
        told = sorted(text(result.response) for result in results)
        assert told[0].startswith("Table ")
        assert told[1].startswith("This server has one table already")
        other = world.guild.create_text_channel("other")
        assert "has one table already" in await play(world, "Olga", channel=other)
        assert len(world.bot.registry.in_guild(world.guild.id)) == 1


async def test_play_again_asks_the_settings_too(tmp_path: Path) -> None:
    """The button of a game's end is no way around them."""
    async with small(tmp_path) as world:
        await begin(world)
        for _ in PICKS:
            await pick(world)
        await settings(world, channel=world.lounge)
        result = await world.click("Ann", world.live(), "again")
        assert "Games start in other channels" in text(result.response)


async def test_threads_by_default_and_not_in_a_thread(tmp_path: Path) -> None:
    """A new table gets its own thread unless it is told otherwise, or stands in one already."""
    async with small(tmp_path) as world:
        await settings(world, thread=True)
        await play(world)
        (thread,) = world.channel.threads
        assert world.live(thread)
        await play(world, "Ben", thread=False)
        assert world.live(world.channel)


async def test_ballots_by_default(tmp_path: Path) -> None:
    """The server's choice holds for whoever has made none of their own."""
    async with world_of(tmp_path, BALLOT, BALLOT) as world:
        await settings(world, ballots=False)
        await world.slash("Ben", "notify", ballots="on")
        await world.slash("Ann", "notify", pings="here")
        await begin(world, "script", "Ben")
        assert len(world.letters("Ben")) == 1
        assert world.letters("Ann") == []


async def test_pace_by_default(tmp_path: Path) -> None:
    """New tables have the server's pace, unless /play names another one."""
    async with small(tmp_path) as world:
        assert "**Pace of a new table**: 30 minutes" in await settings(world)
        await settings(world, pace="days")
        await play(world)
        await play(world, "Ben", channel=world.lounge, pace="live")
        paces = {session.channel_id: session.row.pace for session in world.bot.registry.live()}
        assert paces == {world.channel.id: "days", world.lounge.id: "live"}
        assert "set pace to “24 hours”." in text(
            (await world.slash("Olga", "session log")).response
        )


async def test_the_log_tells_each_change(tmp_path: Path) -> None:
    """Who, when, what; in words, without pinging the channel or the role."""
    async with small(tmp_path) as world:
        await settings(world, tables=3)
        await settings(world, channel=world.lounge, thread=True)
        await settings(world, reset="tables")
        told = text((await world.slash("Olga", "session log")).response)
        assert "set most tables to “3”." in told
        assert f"set places to “<#{world.lounge.id}>”, own threads to “yes”." in told
        assert "went back to how I was set up in: most tables." in told
        assert "“25”" not in told
        assert told.count(f"<@{world.owner.id}>") == 3
        await settings(world, thread=True)
        assert len(await world.store.acts(world.guild.id)) == 3


async def test_the_log_tells_everything_that_was_set_at_once(tmp_path: Path) -> None:
    """However much one command sets, or puts back, its line tells all of it."""
    async with small(tmp_path) as world:
        role = world.guild.create_role("Hosts")
        click = Click(world.owner.id, "Olga", 5, 0.0, may_manage=True)
        many: dict[str, Any] = {"channels": [10**18 + n for n in range(MOST_CHANNELS)]}
        more = {"role": role.id, "pace": "relaxed", "thread": True, "ballots": False, "tables": 12}
        servers = world.bot.registry.desk.servers
        await servers.change(click, world.guild.id, many | more)
        world.players["Olga"] = world.owner
        told = text((await world.slash("Olga", "session log")).response)
        listed = ", ".join(f"<#{one}>" for one in many["channels"][:3])
        assert told.endswith(
            f" set places to “{listed} and 47 more”, who may start to “<@&{role.id}>”, pace to"
            " “30 minutes”, own threads to “yes”, ballots by message to “no”, most tables to “12”."
        )
        await settings(world, reset="all", pace="live")
        told = text((await world.slash("Olga", "session log")).response)
        assert (
            " set pace to “3 minutes”; went back to how I was set up in: places, who may start,"
            " own threads, ballots by message, most tables.\n"
        ) in told


async def test_what_changes_nothing_is_not_in_the_log(tmp_path: Path) -> None:
    """A channel put on the list and taken off it at once, one that is there already, a reset of
    what nobody has chosen, also beside something that does change.
    """
    async with small(tmp_path) as world:
        lounge = world.lounge
        await settings(world, channel=lounge)
        for options in ({"channel": lounge}, {"channel": lounge, "without": lounge}):
            assert f"<#{lounge.id}> (chosen here)" in await settings(world, **options)
        await settings(world, reset="tables")
        assert len(await world.store.acts(world.guild.id)) == 1
        assert "everywhere (as I was set up)" in await settings(world, without=lounge)
        for options in ({"reset": "channels"}, {"channel": lounge, "without": lounge}):
            assert "everywhere (as I was set up)" in await settings(world, **options)
        assert len(await world.store.acts(world.guild.id)) == 2
        await settings(world, reset="all", tables=3)
        told = text((await world.slash("Olga", "session log")).response)
        assert "set places to “everywhere”." in told
        assert "set most tables to “3”." in told
        assert "went back" not in told


@pytest.mark.parametrize(
    "wanted",
    [
        {"tables": 0}, {"tables": 26}, {"tables": True}, {"tables": "3"}, {"pace": "fast"},
        {"role": "everyone"}, {"role": True}, {"thread": 1}, {"ballots": "no"},
        {"channels": ["1"]}, {"channels": "everywhere"}, {"colour": "red"}, {"colour": None},
    ],
)  # fmt: skip
async def test_what_no_client_sends_is_refused(tmp_path: Path, wanted: dict[str, Any]) -> None:
    """Values that do not fit change nothing and leave no line in the log."""
    async with small(tmp_path) as world:
        servers = world.bot.registry.desk.servers
        click = Click(1, "Olga", 5, 0.0, may_manage=True)
        with pytest.raises(Refusal, match="bad_setting"):
            await servers.change(click, world.guild.id, wanted)
        too_many: dict[str, Any] = {"channels": list(range(MOST_CHANNELS + 1))}
        with pytest.raises(Refusal, match="too_many_channels"):
            await servers.change(click, world.guild.id, too_many)
        assert not any(one.own for one in await servers.all(world.guild.id))
        assert await world.store.acts(world.guild.id) == ()


async def test_settings_of_another_server_are_its_own(tmp_path: Path) -> None:
    """What one server chooses does not hold on the next."""
    async with small(tmp_path) as world:
        await settings(world, tables=1)
        servers = world.bot.registry.desk.servers
        assert await servers.value(world.guild.id, "tables") == 1
        assert await servers.value(world.guild.id + 1, "tables") == 25
