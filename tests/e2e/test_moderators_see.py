"""What moderators are shown: nothing secret, no trace of changed ballots, names as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bot.sessions.ports import Click
from tests.e2e.moderating import PICKS, at_table, beginning, choose, move, press, session, table
from tests.e2e.play import begin, mark, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, labels, parts, raw, text


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
