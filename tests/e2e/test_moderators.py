"""/session as a moderator, as one who sits at the table, as its host and as anybody else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.sessions.faces import Status
from bot.sessions.ports import Click
from tests.e2e.moderating import (
    COMMANDS,
    PICKS,
    at_table,
    choose,
    move,
    newest,
    press,
    session,
    table,
)
from tests.e2e.play import begin, controls, world_of
from tests.e2e.world import find, labels, text


async def test_nobody_else_is_even_offered_it(tmp_path: Path) -> None:
    """Players, also the host, do not find the commands; a server's own settings may let them."""
    async with at_table(tmp_path) as world:
        for name in ("Ann", "Ben", "Dan"):
            offered = world[name].available_commands(world.channel)
            assert not [command for command in offered if command.startswith("session")]
        offered = world.owner.available_commands(world.channel)
        assert {f"session {command}" for command in COMMANDS} <= set(offered)


async def test_list_says_how_each_table_stands(tmp_path: Path) -> None:
    """State, health, when something last happened, a link; only of this server."""
    async with at_table(tmp_path) as world:
        told = text(await session(world, "list"))
        code = table(world).code
        assert code in told
        assert "being played, nothing wrong, 2 seats, last change <t:" in told
        assert f"/{world.channel.id}/{world.live().id}" in told
        await session(world, "pause")
        assert "paused, nothing wrong" in text(await session(world, "list"))


async def test_list_is_paged(tmp_path: Path) -> None:
    """More than ten tables: the rest by a button, which works for its own member only."""
    async with at_table(tmp_path) as world:
        registry = world.bot.registry
        for number in range(12):
            place = world.guild.create_text_channel(f"more-{number}")
            await registry.open_lobby(
                Click(900 + number, "Far", 7000 + number, world.time.monotonic()),
                game="script",
                guild_id=world.guild.id,
                channel_id=place.id,
            )
        first = await session(world, "list")
        assert text(first).count("- **") == 10
        second = await press(world, first, "mod_list")
        assert text(second).count("- **") == 3
        forged = find(first, "mod_list").custom_id
        refused = await world.forge("Ben", world.live(), forged)
        assert "Manage Server" in text(refused.response)


@pytest.mark.parametrize("seated", [False, True])
@pytest.mark.parametrize("words", [False, True])
async def test_inspect_shows_what_everybody_sees(tmp_path: Path, seated: bool, words: bool) -> None:
    """Seats, who is awaited, the public log, how far the game is, a mark."""
    async with at_table(tmp_path, seated=seated) as world:
        await move(world)
        shown = await session(world, "inspect", words=words)
        told = text(shown)
        other = "Olga" if seated else "Ben"
        assert f"Seats: Ann and {other}." in told
        assert f"Waiting for {other} (a pick)." in told
        assert "- Ann chose one thing." in told
        assert "Played so far: one move, none taken back." in told
        assert "Mark of this moment: `" in told


async def test_check_says_whether_it_replays(tmp_path: Path) -> None:
    """Counts if it does; the first answer that fails if it does not, and never what it was."""
    async with at_table(tmp_path) as world:
        await move(world)
        await move(world, "Ben")
        assert "replays: 2 moves" in text(await session(world, "check"))
        sql = "UPDATE entry SET record = replace(record, 'thing_1', 'thing_9') WHERE ply = 1"
        await world.store._writer.run(lambda connection: connection.execute_fetchall(sql))
        told = text(await session(world, "check"))
        assert "does not replay: it breaks after one move" in told
        assert "thing" not in told.lower()
        await move(world)


@pytest.mark.parametrize("command", ["check", "pause", "rewind", "export"])
async def test_a_lobby_has_no_game_yet(tmp_path: Path, command: str) -> None:
    """One sentence says so, also once it is closed, and nothing is logged as done."""
    async with world_of(tmp_path, *PICKS) as world:
        world.players["Olga"] = world.owner
        await world.slash("Ann", "play", game="script")
        await world.beat()
        code = table(world).code
        told = await session(world, command)
        assert text(told) == "The game has not begun yet."
        await world.click("Ann", world.live(), "cancel")
        await world.beat()
        late = text((await world.slash("Olga", f"session {command}", table=code)).response)
        assert late
        assert "my fault" not in late
        assert "Nothing yet." in text((await world.slash("Olga", "session log")).response)


@pytest.mark.parametrize("seated", [False, True])
async def test_pause_and_resume(tmp_path: Path, seated: bool) -> None:
    """Clicks are refused by one kind sentence that says who may let it go on; then all goes on."""
    async with at_table(tmp_path, seated=seated) as world:
        old = [m for m in world.messages() if controls(m, "act")][-1]
        control = controls(old, "act")[0].custom_id
        paused = await session(world, "pause")
        assert "is paused" in text(paused)
        await world.beat()
        assert "A moderator paused the table." in newest(world)
        result = await world.forge("Ann", world.live(), control)
        told = "This table is paused. A moderator can let it go on with `/session resume`."
        assert text(result.response) == told
        assert not controls(world.live(), "act")
        hand = await world.slash("Ann", "hand")
        assert text(hand.response) == told
        await world.restart()
        assert table(world).status is Status.PAUSED
        assert "goes on" in text(await session(world, "resume"))
        await world.beat()
        await move(world)
        assert "Ann chose one thing." in text(world.live())


async def test_the_pace_of_a_game_that_goes_on(tmp_path: Path) -> None:
    """The host by the table's menu, a moderator by a command with the paces to choose from; the
    table is told how long, and shows the new deadline. Other players have no such button.
    """
    async with at_table(tmp_path) as world:
        menu = (await world.click("Ben", world.live(), "menu")).response
        assert "Time to answer" not in labels(menu)
        menu = (await world.click("Ann", world.live(), "menu")).response
        refused = await world.forge("Ben", world.live(), find(menu, "set_pace").custom_id)
        assert text(refused.response) == "Only Ann, the host, can do that."
        panel = await press(world, menu, "set_pace", "Ann")
        told = await choose(world, panel, "days", "Ann")
        assert "is changed" in text(told)
        await world.beat()
        assert "The time to answer is now 24 hours, from the start for whoever is asked." in newest(
            world
        )
        ends = int(re.findall(r"<t:(\d+):R>", text(world.live()))[-1])
        assert 86_390 < ends - world.time.epoch() <= 86_402
        offered = await world.owner.autocomplete(
            world.channel, "session pace", "pace", "", table=table(world).code
        )
        assert [one["value"] for one in offered] == ["live", "relaxed", "days", "none"]
        assert "is changed" in text(await session(world, "pace", pace="none"))
        await world.beat()
        assert "There is no limit to the time for an answer any more." in newest(world)
        assert "⏱" not in text(world.live())
        again = await session(world, "pace", pace="none")
        assert text(again) == "That is the time to answer here already."
        log = text(await session(world, "log"))
        assert "to no limit." in log
        assert f"<@{world['Ann'].id}> changed the time to answer" in log


@pytest.mark.parametrize("seated", [False, True])
async def test_restore_into_another_channel(tmp_path: Path, seated: bool) -> None:
    """The channel is gone: without one that is named it is refused, with one the table is there."""
    async with at_table(tmp_path, seated=seated) as world:
        lost = table(world)
        world.env.backend.delete_channel(world.channel.id)
        world.channel = world.lounge
        await world.beat()
        assert lost.status is Status.ORPHANED
        refused = await world.slash("Olga", "session restore", table=lost.code)
        assert "Name another one" in text(refused.response)
        back = await world.slash("Olga", "session restore", table=lost.code, channel=world.lounge)
        assert f"stands in <#{world.lounge.id}>" in text(back.response)
        await world.beat()
        assert "A moderator moved the table here." in newest(world)
        await move(world)
        assert "Ann chose one thing." in text(world.live())


async def test_restore_into_a_server_that_is_only_half_known(tmp_path: Path) -> None:
    """The cache does not have the bot itself: Discord will say what it may, and the table moves."""
    async with at_table(tmp_path) as world:
        code = table(world).code
        world.env.backend.delete_channel(world.channel.id)
        world.channel = world.lounge
        await world.beat()
        known = world.bot.get_guild(world.guild.id)
        assert known is not None
        known._members.pop(known.me.id)
        assert known.me is None
        back = await world.slash("Olga", "session restore", table=code, channel=world.lounge)
        assert f"stands in <#{world.lounge.id}>" in text(back.response)


async def test_restore_only_where_bot_and_moderator_may_write(tmp_path: Path) -> None:
    """What is missing is named before anything is moved."""
    async with at_table(tmp_path) as world:
        lost = table(world)
        world.env.backend.delete_channel(world.channel.id)
        world.channel = world.lounge
        await world.beat()
        world.permit(attach_files=False)
        refused = await world.slash(
            "Olga", "session restore", table=lost.code, channel=world.lounge
        )
        assert "Attach Files" in text(refused.response)
        assert lost.status is Status.ORPHANED


async def test_end_and_the_way_back(tmp_path: Path) -> None:
    """One click ends nothing; two do, and the mistake can be undone."""
    async with at_table(tmp_path) as world:
        ended = table(world)
        await move(world)
        asked = await session(world, "end")
        assert ended.code in text(asked)
        assert ended.status is Status.RUNNING
        forged = find(asked, "end_yes").custom_id
        await press(world, asked, "end_yes")
        await world.beat()
        assert "A moderator ended this game without a result." in newest(world)
        await begin(world)
        other = table(world)
        stolen = forged.split(":")
        stolen[3] = str(other.id)
        refused = await world.forge("Ben", world.live(), ":".join(stolen))
        assert text(refused.response) == "Only Ann, the host, can do that."
        assert other.status is Status.RUNNING
        taken = await world.slash("Olga", "session restore", table=ended.code)
        assert "Another table stands in that place already" in text(taken.response)
        back = await world.slash("Olga", "session restore", table=ended.code, channel=world.lounge)
        assert "is back" in text(back.response)
        assert ended.status is Status.RUNNING


async def test_the_log_tells_who_did_what(tmp_path: Path) -> None:
    """Newest first, ten a page, of the server or of one table; looks are in it, too."""
    async with at_table(tmp_path) as world:
        code = table(world).code
        for _ in range(6):
            await session(world, "pause")
            await session(world, "resume")
        await session(world, "inspect")
        first = await session(world, "log")
        newest_lines = text(first).splitlines()[1:]
        lines = [line for line in text(first).splitlines() if line.startswith("- ")]
        assert len(lines) == 10
        assert f"looked at {code}." in lines[0]
        assert f"<@{world.owner.id}> let {code} go on." in lines[1]
        older = await press(world, first, "mod_log")
        assert text(older).count("\n- ") == 3
        only = await world.slash("Olga", "session log", table=code)
        assert text(only.response).splitlines()[1:] == newest_lines
        nothing = await world.slash("Olga", "session log", table="ABC123")
        assert "no table with that code" in text(nothing.response)


async def test_whom_the_servers_settings_let_in(tmp_path: Path) -> None:
    """A member without Manage Server who is allowed the command may press its buttons, too, also
    after a restart. Somebody else may not with the same button, nor may anybody much later.
    """
    async with at_table(tmp_path) as world:
        known = await world.bot.tree.fetch_commands()
        command = next(one for one in known if one.name == "session")
        world.guild.set_command_permissions(command.id, {world["Cleo"]: True})
        assert "session end" in world["Cleo"].available_commands(world.channel)
        asked = await session(world, "end", "Cleo")
        forged = find(asked, "end_yes").custom_id
        refused = await world.forge("Dan", world.live(), forged)
        assert text(refused.response) == "Only Ann, the host, can do that."
        await world.restart()
        ended = table(world)
        done = await press(world, asked, "end_yes", "Cleo")
        assert "is ended" in text(done)
        assert ended.status is Status.ABANDONED
        await begin(world, pace="none")
        for _ in range(4):
            await world.beat(475)
        steps = forged.split(":")
        steps[3] = str(table(world).id)
        refused = await world.forge("Cleo", world.live(), ":".join(steps))
        assert text(refused.response) == "Only Ann, the host, can do that."
        assert table(world).status is Status.RUNNING
