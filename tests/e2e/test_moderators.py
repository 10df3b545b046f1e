"""/session as a moderator, as one who sits at the table, as its host and as anybody else."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status
from bot.sessions.ports import Click
from bot.sessions.session import Session
from tests.e2e.play import begin, controls, mark, pick, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, find, labels, parts, raw, text

PICKS = [Question("pick", 3, seats=(n % 2,)) for n in range(8)]
COMMANDS = (
    "list", "inspect", "check", "restore", "rewind", "pause", "resume", "seat", "end", "log",
)  # fmt: skip


@asynccontextmanager
async def at_table(
    folder: Path, *questions: Question, seated: bool = False
) -> AsyncIterator[World]:
    """A table of Ann (host) and Ben, or Ann and the moderator Olga; Olga owns the server."""
    async with world_of(folder, *(questions or PICKS)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Olga" if seated else "Ben")
        yield world


def table(world: World) -> Session:
    """The table of the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


async def session(world: World, command: str, name: str = "Olga", **options: Any) -> Any:
    """The reply to a command about the table of the channel."""
    known = {"table": table(world).code, **options}
    if command in ("list", "log"):
        known = options
    result = await world.slash(name, f"session {command}", **known)
    return result.response


async def press(world: World, message: Any, verb: str, name: str = "Olga") -> Any:
    """The reply to a button of a private panel."""
    result = await world.click(name, message, verb)
    return result.response


async def choose(world: World, message: Any, value: str, name: str = "Olga") -> Any:
    """The reply to a choice in the only menu of a panel."""
    menu = next(part for part in parts(message) if part.options)
    result = await world.select(name, message, [value], custom_id=menu.custom_id)
    return result.response


def beginning(listed: Any) -> str:
    """The choice that takes everything back."""
    return next(value for part in parts(listed) for value in part.options if value[:2] == "0.")


async def move(world: World, name: str = "Ann") -> None:
    """Whoever that is presses the first choice on the table."""
    live = [m for m in world.messages() if controls(m, "act")][-1]
    await world.press(name, live, controls(live, "act")[0].custom_id)
    await world.beat()


def newest(world: World) -> str:
    """All that the channel's messages say, as one text."""
    return "\n".join(text(message) for message in world.messages())


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
        assert "being played, in order, 2 seats, last change <t:" in told
        assert f"/{world.channel.id}/{world.live().id}" in told
        await session(world, "pause")
        assert "paused, in order" in text(await session(world, "list"))


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
        assert "Played so far: one move, never gone back." in told
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


@pytest.mark.parametrize("seated", [False, True])
async def test_rewind_by_a_list_and_a_question(tmp_path: Path, seated: bool) -> None:
    """A point of the public log is chosen, the question names the table, and only then it is
    done; a seated moderator is always asked once more. Old buttons have moved on.
    """
    async with at_table(tmp_path, seated=seated) as world:
        other = "Olga" if seated else "Ben"
        for name in ("Ann", other, "Ann", other):
            await move(world, name)
        old = [m for m in world.messages() if controls(m, "act")][-1]
        stale = controls(old, "act")[0].custom_id
        code = table(world).code
        listed = await session(world, "rewind")
        menu = next(part for part in parts(listed) if part.options)
        assert [value.partition(".")[0] for value in menu.options] == ["3", "2", "1", "0"]
        asked = await choose(world, listed, menu.options[2])
        assert code in text(asked)
        assert "3 moves are taken back" in text(asked)
        assert table(world).row.ply == 4
        stays = await press(world, asked, "never_mind")
        assert "Nothing was changed." in text(stays)
        asked = await choose(world, await session(world, "rewind"), menu.options[2])
        told = await press(world, asked, "rewind_yes")
        if seated:
            assert "Go back all the same?" in text(told)
            assert table(world).row.ply == 4
            told = await press(world, told, "rewind_sure")
        assert "is back at that point" in text(told)
        await world.beat()
        assert "A moderator took the table back" in newest(world)
        assert "gone back once" in text(await session(world, "check"))
        assert text(world.live()).count("chose one thing") == 1
        assert f"**{other}, pick one.**" in text(world.live())
        refused = await world.forge("Ann", world.live(), stale)
        assert "The table has moved on" in text(refused.response)
        await move(world, other)
        assert len(table(world).playing.entries) == 2


@pytest.mark.parametrize("seated", [False, True])
async def test_a_rewind_by_mistake(tmp_path: Path, seated: bool) -> None:
    """A button of the next list takes it back, after a question; also from the very beginning, and
    not once somebody has answered.
    """
    async with at_table(tmp_path, seated=seated) as world:
        other = "Olga" if seated else "Ben"
        await move(world)
        await move(world, other)
        for answered in (False, True):
            listed = await session(world, "rewind")
            assert not controls(listed, "return")
            asked = await choose(world, listed, beginning(listed))
            told = await press(world, asked, "rewind_yes")
            if seated:
                await press(world, told, "rewind_sure")
            await world.beat()
            listed = await session(world, "rewind")
            assert labels(listed) == ["Take the rewind back"]
            asked = await press(world, listed, "return")
            assert "Dice to come fall differently" in text(asked)
            if answered:
                await move(world)
            told = await press(world, asked, "return_yes")
            await world.beat()
            if answered:
                assert "The table has moved on" in text(told)
                assert table(world).playing.ply == 1
            else:
                assert "stands again where it stood" in text(told)
                assert table(world).playing.ply == 2
                assert "A moderator took the rewind back." in newest(world)
        assert "took the rewind of" in text(await session(world, "log"))


async def test_a_long_list_of_points_is_paged(tmp_path: Path) -> None:
    """More than a menu holds: every point can be reached, and a page survives a restart."""
    questions = [Question("pick", 3, seats=(0,)) for _ in range(32)]
    async with at_table(tmp_path, *questions) as world:
        for _ in range(30):
            await pick(world)
        first = await session(world, "rewind")
        values = [value for part in parts(first) for value in part.options]
        await world.restart()
        second = await press(world, first, "rewind")
        values += [value for part in parts(second) for value in part.options]
        keeps = [value.partition(".")[0] for value in values]
        assert keeps == [str(n) for n in reversed(range(30))]
        asked = await choose(world, second, values[-1])
        assert "30 moves are taken back" in text(asked)
        await press(world, asked, "rewind_yes")
        await world.beat()
        assert table(world).playing.ply == 0


async def test_a_list_that_is_out_of_date(tmp_path: Path) -> None:
    """Somebody has answered since: nothing is taken back by mistake."""
    async with at_table(tmp_path) as world:
        await move(world)
        listed = await session(world, "rewind")
        await move(world, "Ben")
        refused = await choose(world, listed, beginning(listed))
        assert "The table has moved on" in text(refused)
        listed = await session(world, "rewind")
        asked = await choose(world, listed, beginning(listed))
        await move(world)
        await press(world, asked, "rewind_yes")
        assert table(world).row.ply == 3


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
        assert "The time to answer is another now: 24 hours." in newest(world)
        ends = int(re.findall(r"<t:(\d+):R>", text(world.live()))[-1])
        assert 86_390 < ends - world.time.epoch() <= 86_402
        offered = await world.owner.autocomplete(
            world.channel, "session pace", "pace", "", table=table(world).code
        )
        assert [one["value"] for one in offered] == ["live", "relaxed", "days", "none"]
        assert "is changed" in text(await session(world, "pace", pace="none"))
        await world.beat()
        assert "The time to answer is another now: no limit." in newest(world)
        assert "⏱" not in text(world.live())
        again = await session(world, "pace", pace="none")
        assert text(again) == "That is the time to answer here already."
        log = text(await session(world, "log"))
        assert "to no limit." in log
        assert f"<@{world['Ann'].id}> changed the time to answer" in log


@pytest.mark.parametrize("to", ["computer", "person"])
async def test_seat_as_an_outsider(tmp_path: Path, to: str) -> None:
    """A question that names table and seat; then somebody else sits there, and the table knows."""
    async with at_table(tmp_path) as world:
        offered = await world.owner.autocomplete(
            world.channel, "session seat", "seat", "", table=table(world).code
        )
        assert [(one["value"], one["name"]) for one in offered] == [
            ("1", "Seat 1: Ann"),
            ("2", "Seat 2: Ben"),
        ]
        options: dict[str, Any] = {"seat": "2"}
        if to == "person":
            options["player"] = world["Dan"].user
        asked = await session(world, "seat", **options)
        assert table(world).code in text(asked)
        assert "give seat 2 (Ben) to" in text(asked)
        assert table(world).seat_of(world["Ben"].id) == 1
        told = await press(world, asked, "seat_yes")
        assert text(told).startswith("Seat 2 of ")
        assert "has changed hands" in text(told)
        assert "gave seat 2 of " in text(await session(world, "log"))
        await world.beat()
        assert table(world).seat_of(world["Ben"].id) is None
        if to == "person":
            assert table(world).seat_of(world["Dan"].id) == 1
            assert "a seat at this table is yours now" in newest(world)
            hand = await world.slash("Dan", "hand")
            assert "card_1" in text(hand.response)
        else:
            assert "A moderator gave a seat to a computer player" in newest(world)


@pytest.mark.parametrize("seated", [False, True])
async def test_what_stands_in_the_way_of_a_seat_is_said_first(tmp_path: Path, seated: bool) -> None:
    """Instead of the question whether to do it, and before anybody at the table is asked."""
    async with at_table(tmp_path, seated=seated) as world:
        asked = await session(world, "seat", seat="1", barred=True)
        await press(world, asked, "seat_yes")
        await world.beat()
        other = world["Olga" if seated else "Ben"].user
        stranger = world.env.create_user("far", global_name="Far")
        wrong: list[tuple[str, dict[str, Any]]] = [
            ("A computer player sits there already.", {"seat": "1"}),
            ("That table has no such seat.", {"seat": "7"}),
            ("They sit at this table already.", {"seat": "1", "player": other}),
            ("have sat at another seat", {"seat": "2", "player": world["Ann"].user}),
            ("They are not on this server", {"seat": "1", "player": stranger}),
        ]
        if seated:
            wrong.append(
                ("taken them out of this game", {"seat": "1", "player": world["Ann"].user})
            )
        for told, options in wrong:
            reply = await session(world, "seat", **options)
            assert told in text(reply)
            assert not parts(reply)
        await world.beat()
        assert not [m for m in world.messages() if controls(m, "motion")]


async def test_seat_as_a_seated_moderator(tmp_path: Path) -> None:
    """A person only with the owner's click, which works after a restart; nobody else's counts."""
    async with at_table(tmp_path, seated=True) as world:
        asked = await session(world, "seat", seat="1", player=world["Dan"].user)
        told = await press(world, asked, "seat_yes")
        assert "I have asked the table" in text(told)
        await world.beat()
        motion = [m for m in world.messages() if controls(m, "motion")][-1]
        assert "give the seat of Ann to Dan" in text(motion)
        agree = controls(motion, "motion")[0].custom_id
        await world.restart()
        for name in ("Olga", "Dan", "Cleo"):
            refused = await world.press(name, motion, agree)
            assert text(refused.response) == "That is for others to agree to."
        assert table(world).seat_of(world["Ann"].id) == 0
        done = await world.press("Ann", motion, agree)
        assert text(done.response) == "Agreed, and done."
        await world.beat()
        assert table(world).seat_of(world["Dan"].id) == 0
        closed = next(m for m in world.messages() if m.id == motion.id)
        assert "Agreed, and done." in text(closed)
        assert not parts(closed)
        asked = await session(world, "seat", seat="1")
        await press(world, asked, "seat_yes")
        await world.beat()
        assert table(world).seat_of(world["Dan"].id) is None


async def test_who_has_sat_is_not_offered_another_seat(tmp_path: Path) -> None:
    """Neither in the table's menu nor in /tables; a barred player is told why."""
    async with at_table(tmp_path) as world:
        await world.click("Ben", (await world.slash("Ben", "leave")).response, "leave_yes")
        asked = await session(world, "seat", seat="2", player=world["Dan"].user)
        await press(world, asked, "seat_yes")
        asked = await session(world, "seat", seat="2", barred=True)
        await press(world, asked, "seat_yes")
        await world.beat()
        menu = (await world.click("Ben", world.live(), "menu")).response
        assert "Take a seat" in labels(menu)
        menu = (await world.click("Dan", world.live(), "menu")).response
        assert "Take a seat" not in labels(menu)
        forged = f"n:m:take_seat:{table(world).id}:0::"
        value = f"{table(world).id}.1"
        refused = await world.forge("Dan", world.live(), forged, [value])
        assert "A moderator has taken you out of this game" in text(refused.response)
        listed = await world.slash("Dan", "tables")
        assert not parts(listed.response)


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
        assert "There is a table in this channel already" in text(taken.response)
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


async def test_nothing_secret_is_in_any_moderators_output(tmp_path: Path) -> None:
    """Hands, private news, ballots cast and drafts: none of it is in anything that a moderator
    gets, seated or not, in any state of the table, nor in what the table is told of it.
    """
    async with at_table(tmp_path, Question("pick", 3, seats=(0,)), BALLOT, *PICKS) as world:
        await move(world)
        for name, things in (("Ann", (7, 8)), ("Ben", (9, 10))):
            panel = (await world.click(name, world.live(), "panel")).response
            values = [f"thing_{things[n % 2]}" for n in range(6)]
            marked = await mark(world, name, panel, values)
            if name == "Ann":
                await world.click(name, marked.response, "cast")
        await world.beat()
        shown: list[Any] = []
        code = table(world).code
        shown += [await session(world, "inspect", words=words) for words in (False, True)]
        shown += [await session(world, command) for command in ("list", "check", "log")]
        listed = await session(world, "rewind")
        asked = await choose(world, listed, beginning(listed))
        shown += [listed, asked, await press(world, asked, "rewind_yes")]
        shown += [await session(world, "pause"), await session(world, "inspect", words=True)]
        shown += [await session(world, "resume"), await session(world, "seat", seat="2")]
        asked = await session(world, "seat", seat="2", player=world.owner.user)
        shown += [asked, await press(world, asked, "seat_yes")]
        await world.beat()
        asked = await session(world, "end")
        shown += [asked, await press(world, asked, "end_yes")]
        shown.append((await world.slash("Olga", "session inspect", table=code)).response)
        shown.append((await world.slash("Olga", "session log", table=code)).response)
        shown += world.messages()
        told = "\n".join(str(raw(message)).lower() for message in shown)
        for secret in ("card_", "quiz_", "card 0", "quiz 1", "number is", "thing 7", "thing 8",
                       "thing 9", "thing 10", "thing_7", "thing_9"):  # fmt: skip
            assert secret not in told, secret


async def cast(world: World, name: str, number: int) -> None:
    """That person's ballot, as it goes out for the so-manieth time."""
    session = table(world)
    asked = next(d for d in session.playing.asked if d.seat == session.seat_of(world[name].id))
    click = Click(world[name].id, name, 5_000_000 + session.row.ply, world.time.monotonic())
    keys = [f"thing_{1 + (n + number) % 2}" for n in range(6)]
    await session.answer(click, asked.question, asked.kind, keys)
    await world.beat()


async def test_changed_ballots_leave_no_trace_in_what_moderators_see(tmp_path: Path) -> None:
    """Whether Ben has cast his ballot once or four times: the list, the look into the table, the
    points to go back to with their values, the question and the log are the same, while the vote
    is open and when it is closed.
    """
    found: list[list[str]] = []
    for times in (1, 4):
        seen: list[str] = []

        async def look(world: World, seen: list[str] = seen) -> None:
            listed = await session(world, "rewind")
            asked = await choose(world, listed, beginning(listed))
            commands = ("list", "inspect", "check", "log")
            replies = [listed, asked, *[await session(world, one) for one in commands]]
            told = "\n".join(f"{text(one)}\n{labels(one)}\n{parts(one)}" for one in replies)
            told = re.sub(r"<t:\d+:.>|\d{17,}|[0-9a-f]{12}", "*", told)
            seen.append(told.replace(table(world).code, "CODE"))

        questions = [Question("pick", 3, seats=(0,)), BALLOT, *PICKS]
        async with at_table(tmp_path / f"{times}", *questions) as world:
            await move(world)
            for number in range(times):
                await cast(world, "Ben", number)
            await look(world)
            await cast(world, "Ann", 0)
            await look(world)
            await move(world)
            await look(world)
        found.append(seen)
    assert found[0] == found[1]
    assert "3 moves" in found[0][2]


async def test_names_are_literal_and_ping_nobody(tmp_path: Path) -> None:
    """A name full of signs reads as it is in every panel, question to the table and notice."""
    async with world_of(tmp_path, *PICKS) as world:
        name = "*b* @everyone [x](http://y)"
        world.players["Odd"] = world.join_server(world.env, name)
        world.players["Olga"] = world.owner
        await begin(world, "script", "Odd", "Olga")
        await move(world)
        shown = [await session(world, "inspect", words=True)]
        shown.append(await session(world, "seat", seat="2"))
        asked = await session(world, "seat", seat="1", player=world["Dan"].user)
        await press(world, asked, "seat_yes")
        asked = await session(world, "seat", seat="2", player=world["Dan"].user)
        shown.append(asked)
        await press(world, asked, "seat_yes")
        await world.beat()
        shown += [m for m in world.messages() if "A moderator would like" in text(m)]
        assert len(shown) >= 4
        for message in shown:
            outside = re.sub(r"```.*?```", "", text(message), flags=re.DOTALL)
            for line in outside.splitlines():
                assert "*b*" not in line.replace("\\*", "")
                assert "@everyone" not in line
                assert "[x](" not in line
