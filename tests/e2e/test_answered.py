"""Every control and every command, at tables in every state, by everybody: answered exactly once.

Lists prove that nothing was left out: each verb that has a handler, each command, and each reason
for a refusal that stands in the sources.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest
from discord import app_commands

from bot.sessions.ports import Refusal
from bot.sessions.registry import Registry
from bot.store.opening import DATABASE_NAME
from bot.ui import dispatcher as dispatching
from bot.ui.ids import Control
from engines.kernel.decision import several
from tests.e2e.play import begin, world_of
from tests.e2e.script import BALLOT, Question
from tests.e2e.world import World, labels, text

BOT = Path(__file__).resolve().parents[2] / "bot"

#: What a control of that verb carries; others carry nothing.
KEYS = {
    "act": ("pick", "thing_1"), "draft": ("spread", "0.0"), "cast": ("spread", ""),
    "more": ("pick", "0"), "ballot": ("spread", "0"), "form": ("some", ""),
    "option": ("", "speed"), "take_seat": ("", "1"), "replace_seat": ("", "1"),
    "replace_yes": ("", "1"), "motion": ("", "yes"), "go": ("", "board"),
}  # fmt: skip

#: Verbs that end or change a table come last, or the others would find nothing.
LAST = ("replace_yes", "leave_lobby", "leave_yes", "start", "cancel", "end_yes", "again")

#: What a command is given beside what it must have.
GIVEN: dict[str, dict[str, Any]] = {"act": {"choice": "Thing 1"}, "settings": {"pace": "live"}}

#: Needs a file that somebody sends: tests/e2e/test_moving.py.
WITH_FILES = ("session import",)

#: Refusals of the kernel, which play.py passes on.
KERNEL = ("not_an_option", "too_few", "too_many", "twice", "too_alike", "interrupted",
          "game_over", "not_asked")  # fmt: skip

#: With what the thousand clicks are refused at least.
REFUSED = {
    "channel_taken", "crashed", "game_not_over", "game_over", "lobby_closed", "motion_not_yours",
    "no_such_code", "no_such_table", "no_such_topic", "no_table_here", "no_table_yours",
    "not_host", "not_in_lobby", "not_paused", "not_running", "not_seated", "not_your_move",
    "nothing_to_restore", "old_control", "only_moderators", "orphaned", "paused",
    "server_command", "stale", "which_table",
}  # fmt: skip

#: What a refusal may have to tell.
FACTS: dict[str, Any] = {
    "permissions": ("Send Messages",), "least": 1, "most": 3, "got": 0, "who": ("Ann",),
    "host": "Ann", "option": "speed", "options": ("slow", "fast"), "said": "x", "typed": "x",
    "reference": "00000000", "kind": "pick", "question": 1, "code": "ABCDEF",
}  # fmt: skip

PEOPLE = ("Cleo", "Ben", "Olga", "Ann")


def problems() -> set[str]:
    """Every reason for a refusal in the sources."""
    found = {
        node.args[0].value
        for path in (*BOT.glob("sessions/*.py"), *BOT.glob("cogs/*.py"), *BOT.glob("ui/*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Refusal"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    return {str(one) for one in found} | set(KERNEL)


def commands(world: World) -> list[str]:
    """Every slash command."""
    tree = world.bot.tree
    return sorted(
        one.qualified_name for one in tree.walk_commands() if isinstance(one, app_commands.Command)
    )


def given(world: World, command: str, code: str) -> dict[str, Any]:
    """What a command is called with: all that it must have."""
    found: Any = world.bot.tree.get_command(command.partition(" ")[0])
    if " " in command:
        found = found.get_command(command.partition(" ")[2])
    must: dict[str, Any] = {
        one.display_name: one.choices[0].value if one.choices else "1"
        for one in found.parameters
        if one.required
    }
    known = {"table": code, "game": "script"}
    return {**must, **{key: known[key] for key in known if key in must}, **GIVEN.get(command, {})}


async def tables(world: World) -> dict[str, int]:
    """A table of Ann's and Ben's in each state, each in a channel of its own; ids by state."""
    found: dict[str, int] = {}
    for state in ("lobby", "running", "paused", "crashed", "orphaned", "finished"):
        world.channel = world.guild.create_text_channel(state)
        if state == "lobby":
            await world.slash("Ann", "play", game="script")
            await world.beat()
        else:
            await begin(world, "script", "Ben", pace="none")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        found[state] = session.id
        if state == "paused":
            await world.owner.slash(world.channel, "session pause", table=session.code)
        if state == "crashed":
            with world.env._bot_scope():
                await session.crash(RuntimeError("on purpose"))
        if state == "orphaned":
            world.env.backend.delete_channel(world.channel.id)
        if state == "finished":
            menu = await world.click("Ann", world.live(), "menu")
            sure = await world.click("Ann", menu.response, "end")
            await world.click("Ann", sure.response, "end_yes")
        await world.beat()
        assert session.status.value == {"finished": "abandoned"}.get(state, state)
    world.channel = world.lounge
    return found


class Answers:
    """Counts the first answers of interactions, and notes with what people were refused."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.refused: set[str] = set()
        self._seen = len(world.env.http_requests)
        self.took: list[float] = []
        tell = world.bot.dispatcher.acknowledged

        def acknowledged(seconds: float) -> None:
            self.took.append(seconds)
            tell(seconds)

        world.bot.dispatcher.acknowledged = acknowledged
        note = world.bot.dispatcher._note

        def noted(press: Any, refusal: Refusal) -> None:
            self.refused.add(refusal.problem)
            note(press, refusal)

        world.bot.dispatcher._note = noted

    def check_one(self, what: object, *types: int) -> None:
        """One first answer since the last look, of one of these types (any, if none is named)."""
        requests = self.world.env.http_requests
        new = [r for r in requests[self._seen :] if r.path.startswith("/interactions/")]
        self._seen = len(requests)
        assert len(new) == 1, (what, new)
        body: Any = new[0].json
        assert not types or body["type"] in types, (what, body)


#: Controls whose handlers look at no table.
NO_TABLE = {"never_mind", "topic"}
#: What is told beside their answers looks at tables; what the others are refused with does too.
ANSWERED = {"never_mind"}


class Broken:
    """Tables with a bug: whatever is asked of them fails."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("a bug after the receipt")


Act = Callable[[], Awaitable[Any]]


async def every_control(world: World, ids: dict[str, int]) -> AsyncIterator[tuple[str, Act]]:
    """A click of everybody on each control, of each table and of one that does not exist."""
    world.players["Olga"] = world.owner
    await world.slash("Olga", "play", game="script")
    await world.beat()
    anchor = world.live()
    verbs = sorted(world.bot.dispatcher._handlers, key=lambda verb: (verb in LAST, verb))
    for name in PEOPLE:
        for verb in verbs:
            for state, session in (*ids.items(), ("none", 999)):
                if name in ("Ben", "Olga") and state not in ("lobby", "running", "paused"):
                    continue
                kind, key = KEYS.get(verb, ("", ""))
                control = Control(verb, session, 1, kind, key)
                label = f"{verb}, {name}, {state}"
                yield label, lambda c=control, n=name: world.forge(n, anchor, c.button)
                if name == "Ann" and state in ("lobby", "running"):
                    yield label, lambda c=control, n=name: world.forge(n, anchor, c.menu, ["1"])


async def every_command(world: World) -> AsyncIterator[tuple[str, Act]]:
    """Each command of everybody, where a table is, where none is, and in direct messages."""
    session = world.bot.registry.in_channel(world.channel.id)
    code = session.code if session is not None else "NOCODE"
    for name in PEOPLE:
        member = world.players[name]
        offered = member.available_commands(world.channel)
        for command in commands(world):
            if command in WITH_FILES or command not in offered:
                continue
            told = given(world, command, code)
            yield f"/{command}, {name}", lambda c=command, g=told, n=name: world.slash(n, c, **g)
            if not command.startswith(("session", "settings", "status", "play", "privacy")):
                yield (
                    f"/{command}, {name}, direct",
                    lambda c=command, g=told, u=member.user: u.slash(c, **g),
                )


@pytest.mark.timeout(240)
async def test_everything_is_answered_once(tmp_path: Path) -> None:
    """Nearly a thousand clicks and commands, most of them refused: each has one first answer,
    in less than three seconds.
    """
    async with world_of(tmp_path, Question("pick", 3, seats=(0,)), BALLOT) as world:
        ids = await tables(world)
        answers = Answers(world)
        world.players["Olga"] = world.owner
        running = world.bot.registry.session(ids["running"])
        await world.slash("Olga", "session resume", table=running.code)
        clicked: set[str] = set()
        async for label, act in every_control(world, ids):
            answers._seen = len(world.env.http_requests)
            result = await act()
            assert result.acknowledged, label
            answers.check_one(label)
            clicked.add(label.partition(",")[0])
        assert clicked == set(world.bot.dispatcher._handlers)

        called: set[str] = set()
        rooms = {channel.id: channel for channel in world.guild.channels.values()}
        for room in (rooms.get(running.channel_id, world.lounge), world.lounge):
            world.channel = room
            async for label, act in every_command(world):
                answers._seen = len(world.env.http_requests)
                result = await act()
                assert result.acknowledged, label
                answers.check_one(label)
                called.add(label.partition(",")[0][1:])
        assert called | set(WITH_FILES) == set(commands(world))
        assert answers.refused >= REFUSED
        assert len(answers.took) > 800
        assert max(answers.took) < 3.0  # by Discord's clock


async def kinds_of(world: World, answers: Answers) -> dict[str, Act]:
    """One way to click, choose, send and call: on the table, in a panel, by form, by command."""
    table = world.live()
    panel = (await world.click("Ann", table, "hand")).response
    act = Control("act", 1, 1, "some", "thing_1")

    async def form() -> Any:
        opened = await world.click("Ann", table, "form")
        answers._seen = len(world.env.http_requests)
        return await world["Ann"].submit_modal(opened, {"page.0": ["thing_1"]})

    return {
        "button": lambda: world.forge("Ann", table, act.button),
        "menu": lambda: world.forge("Ann", table, act.menu, ["thing_1"]),
        "panel": lambda: world.forge("Ann", panel, act.button),
        "form": form,
        "command": lambda: world.slash("Ann", "board"),
    }


async def test_every_refusal_is_told_once(tmp_path: Path) -> None:
    """Each reason that the sources know, on the table, in a panel, in a form and after a command:
    one answer, one sentence, and never the one for what nobody has thought of.
    """
    async with world_of(tmp_path, Question("some", 60, several(0, 30), seats=(0,))) as world:
        await begin(world, "script", "Ben", pace="none")
        answers = Answers(world)
        problem = ""

        async def refuses(*_: Any) -> None:
            raise Refusal(problem, **FACTS)

        kinds = await kinds_of(world, answers)
        world.bot.dispatcher._handlers["act"] = refuses
        world.bot.house.actions["board"] = refuses
        for problem in sorted(problems()):
            for kind, act in kinds.items():
                answers._seen = len(world.env.http_requests)
                result = await act()
                answers.check_one((problem, kind))
                said = text(result.response)
                assert said, (problem, kind)
                assert "it is my fault" not in said, (problem, kind, said)
                assert said != "That is not possible just now.", problem
        assert answers.refused == problems()
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        assert (await session.snapshot()).ply == 0


def on_disk(world: World) -> list[str]:
    """All that is stored, as the SQL that would store it."""
    with contextlib.closing(sqlite3.connect(world.folder / DATABASE_NAME)) as found:
        return list(found.iterdump())


async def sent_in(world: World, command: str, **options: Any) -> Any:
    """A command of the owner's with a file."""
    return world._checked(await world.owner.slash(world.channel, command, **options))


@pytest.mark.timeout(240)
async def test_a_fault_after_the_receipt_in_every_handler(
    tmp_path: Path, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The handler of each control and each command breaks as soon as it looks at the tables, when
    its receipt is out already: in place of the receipt comes a sentence with a reference, under
    which the log has the traceback, and nothing has changed, neither at the table nor on the disk
    nor in the channel. A file that is sent in is among them.
    """
    monkeypatch.setattr(dispatching, "PATIENCE", 0.002)
    async with world_of(tmp_path, Question("pick", 3, seats=(0,)), BALLOT) as world:
        await begin(world, "script", "Ben", pace="none")
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        before, stored = await session.snapshot(), on_disk(world)
        seen = [(m.id, text(m), labels(m)) for m in world.messages()]
        run, table_id = world.bot.dispatcher._run, session.id
        label, broken = "", cast("Registry", Broken())

        broke: set[str] = set()

        async def runs(press: Any, handler: Any) -> None:
            async def late(press: Any) -> Any:
                await asyncio.sleep(0.01)
                try:
                    return await handler(press)
                except RuntimeError:
                    broke.add(label)
                    raise

            await run(press, late)

        world.bot.dispatcher._run = runs
        world.players["Olga"] = world.owner
        table = world.live()
        world.bot.house.registry = broken
        answers = Answers(world)
        acts: list[tuple[str, Act]] = [
            (verb, lambda v=verb: world.forge("Ann", table, Control(v, table_id, 1).button))
            for verb in sorted(world.bot.dispatcher._handlers)
        ]
        acts += [
            (f"/{one}", lambda c=one: world.slash("Olga", c, **given(world, c, "NOCODE")))
            for one in commands(world)
            if one not in WITH_FILES
        ]
        acts += [
            (f"/{one}", lambda c=one: sent_in(world, c, file=("x", b"nothing")))
            for one in WITH_FILES
        ]
        for label, act in acts:
            caplog.clear()
            answers._seen = len(world.env.http_requests)
            result = await act()
            answers.check_one(label, 5, 6)
            told = result.response if label.startswith("/") else result.followups[0]
            said = text(told)
            assert ("it is my fault" in said) == (label not in ANSWERED), (label, said)
            if label in ANSWERED:  # what is told beside an answer takes nothing away from it
                continue
            reference = said.partition("(Reference ")[2].partition(")")[0]
            (record,) = [r for r in caplog.records if reference in r.getMessage()]
            assert record.levelname == "ERROR"
            assert "a bug after the receipt" in str(record.exc_info)
        assert {label for label, _ in acts} - broke == NO_TABLE
        assert {label[1:] for label, _ in acts if label[0] == "/"} == set(commands(world))
        assert await session.snapshot() == before
        await world.beat(3)
        assert on_disk(world) == stored
        assert [(m.id, text(m), labels(m)) for m in world.messages()] == seen
