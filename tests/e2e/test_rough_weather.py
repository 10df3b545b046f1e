"""Discord slow, wrong or gone for a while: clicks are answered, and nothing counts twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from discord.http import HTTPClient

from bot.sessions.session import Session
from bot.ui import dispatcher as dispatching
from tests.e2e.play import begin, controls, pick, picks, world_of
from tests.e2e.script import BALLOT
from tests.e2e.world import World, text


def here(world: World) -> Session:
    """The table in the channel."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


def errors(caplog: Any) -> list[str]:
    """What was logged as our fault."""
    return [r.getMessage() for r in caplog.records if r.levelname in ("ERROR", "CRITICAL")]


async def test_a_fault_after_the_receipt(tmp_path: Path, caplog: Any) -> None:
    """The handler breaks when the receipt is out already: in its place comes a sentence with the
    reference under which the log has the rest; nothing has changed.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)

        async def broken(*_: Any, **__: Any) -> None:
            await asyncio.sleep(2.2)
            raise RuntimeError("a bug after the receipt")

        world.bot.house.actions["board"] = broken
        sent = len(world.env.http_requests)
        result = await world.slash("Ann", "board")
        said = text(result.response)
        own = [r for r in world.env.http_requests[sent:] if r.path.startswith("/interactions/")]
        assert [r.json and r.json["type"] for r in own] == [5]
        assert "it is my fault" in said
        (fault,) = errors(caplog)
        assert said.partition("(Reference ")[2].partition(")")[0] in fault
        assert (await here(world).snapshot()).ply == 0


async def test_one_picture_after_every_move(tmp_path: Path) -> None:
    """Fifteen moves, some of which change only words: each message has the one picture it should
    have, uploads happen only when it changes, and the older pages keep theirs.
    """
    async with world_of(tmp_path, *picks(16)) as world:
        await begin(world)
        seen: set[str] = set()
        for _ in range(15):
            await pick(world)
            table = world.live()
            assert len(table.attachments) == 1
            seen.add(table.attachments[0].filename)
        await world.beat(3)
        pages = [m for m in world.messages() if m.attachments]
        assert all(len(m.attachments) == 1 for m in pages)
        assert 1 < len(seen) <= 16


async def test_many_moves_in_little_time(tmp_path: Path) -> None:
    """Forty moves in ten seconds: few edits, none of the moves is delayed, and two seconds later
    the table shows the last.
    """
    async with world_of(tmp_path, *picks(41)) as world:
        await begin(world)
        sent = len(world.env.http_requests)
        for number in range(40):
            done = await world.slash("Ann", "act", choice="Thing 1")
            assert "Counted" in text(done.response)
            assert (await here(world).snapshot()).ply == number + 1
            await world.beat(0.25)
        await world.beat(2)
        place = f"/channels/{world.channel.id}/messages/"
        edits = [
            r
            for r in world.env.http_requests[sent:]
            if r.method == "PATCH" and r.path.startswith(place)
        ]
        assert len(edits) <= 50  # of these one for each page that was turned
        assert here(world).row.published_ply == 40


def twice(world: World) -> None:
    """From now on the gateway repeats each interaction at once."""
    backend: Any = world.env.backend
    emit = backend.emit

    def repeated(event: str, payload: Any, *more: Any, **named: Any) -> Any:
        first = emit(event, payload, *more, **named)
        if event == "INTERACTION_CREATE":
            emit(event, payload, *more, **named)
        return first

    backend.emit = repeated


async def test_the_same_click_delivered_twice(tmp_path: Path, caplog: Any) -> None:
    """The gateway repeats an event: the click counts once."""
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        twice(world)
        table = world.live()
        await world["Ann"].click(table, custom_id=controls(table, "act")[0].custom_id)
        await world.beat(3)
        assert (await here(world).snapshot()).ply == 1
    assert errors(caplog) == []


async def test_a_slow_command_delivered_twice(
    tmp_path: Path, caplog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same, and the work takes so long that a receipt goes out: there is one, and one answer
    comes in its place.
    """
    monkeypatch.setattr(dispatching, "PATIENCE", 0.01)
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        board, shown = world.bot.house.actions["board"], 0

        async def slow(*given: Any) -> Any:
            nonlocal shown
            await asyncio.sleep(0.1)
            shown += 1
            return await board(*given)

        world.bot.house.actions["board"] = slow
        twice(world)
        sent = len(world.env.http_requests)
        done = await world.slash("Ann", "board")
        assert shown == 2
        assert "chapter 0" in text(done.response)
        mine = ("/interactions/", "/webhooks/")
        own = [r for r in world.env.http_requests[sent:] if r.path.startswith(mine)]
        assert [r.method for r in own] == ["POST", "PATCH"]
    assert errors(caplog) == []


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_an_outage_of_minutes(tmp_path: Path, caplog: Any, status: int) -> None:
    """Every request about messages fails for five minutes: moves by command count, the operator
    reads little, and when it is over there is one table that shows everything.
    """
    async with world_of(tmp_path, *picks(9)) as world:
        await begin(world)
        path = "/channels/*/messages*"
        world.env.inject_error("*", path, status=status, times=None)
        for _ in range(4):
            done = await world.slash("Ann", "act", choice="Thing 1")
            assert "Counted" in text(done.response)
            await world.beat(75)
        world.env.backend.faults.clear()
        await world.beat(70)
        assert here(world).row.published_ply == 4
        assert len([m for m in world.messages() if controls(m, "act")]) == 1
        told = [r for r in caplog.records if "is not published" in r.getMessage()]
        assert len([r for r in told if r.levelname == "WARNING"]) <= 2
        await pick(world)
    assert errors(caplog) == []


async def test_a_form_that_is_closed_unsent(tmp_path: Path) -> None:
    """Opening a form holds nothing: others act meanwhile, and the same person opens another."""
    async with world_of(tmp_path, BALLOT, *picks(2)) as world:
        await begin(world, "script", "Ben")
        panel = (await world.click("Ben", world.live(), "panel")).response
        for part in controls(panel, "draft"):
            await world.select("Ben", panel, ["thing_2"], custom_id=part.custom_id)
        assert not here(world)._lock.locked()
        await world.beat(600)
        again = (await world.click("Ben", world.live(), "panel")).response
        assert controls(again, "draft")


async def test_ten_restarts_register_once(tmp_path: Path) -> None:
    """Commands are written to Discord at the first start only."""
    async with world_of(tmp_path, *picks(1)) as world:
        sent = len(world.env.http_requests)
        for _ in range(10):
            await world.restart()
        written = [
            r
            for r in world.env.http_requests[sent:]
            if "/commands" in r.path and r.method in ("PUT", "POST", "PATCH", "DELETE")
        ]
        assert written == []


def filled_in(command: Any) -> Any:
    """A command or option as Discord gives it back: with all that nobody has said."""
    told = {"name_localizations": None, "description_localizations": None, **command}
    if "options" in command or "type" not in command or "version" in command:
        told |= {"dm_permission": True, "default_permission": True, "nsfw": False}
        told |= {
            "id": "1",
            "application_id": "2",
            "version": "3",
            "default_member_permissions": command.get("default_member_permissions"),
            "type": command.get("type", 1),
        }
        told["integration_types"] = list(reversed(command.get("integration_types") or [0]))
    for key, default in (("required", False), ("autocomplete", False), ("choices", None)):
        told.setdefault(key, default)
    told["options"] = [filled_in(one) for one in command.get("options") or []]
    told["choices"] = [
        {"name_localizations": None, **one} for one in command.get("choices") or []
    ] or None
    return told


async def test_defaults_that_discord_fills_in_are_no_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten starts with unchanged code, and Discord gives commands back with every default written
    out and its lists the other way round: nothing is created or overwritten after the first.
    """
    known = HTTPClient.get_global_commands
    asked = 0

    async def get(self: Any, application_id: int) -> list[Any]:
        nonlocal asked
        asked += 1
        return [filled_in(one) for one in reversed(await known(self, application_id))]

    async with world_of(tmp_path, *picks(1)) as world:
        monkeypatch.setattr(type(world.bot.http), "get_global_commands", get)
        sent = len(world.env.http_requests)
        for _ in range(10):
            await world.restart()
        assert asked == 10
        written = [
            r
            for r in world.env.http_requests[sent:]
            if "/commands" in r.path and r.method in ("PUT", "POST", "PATCH", "DELETE")
        ]
        assert written == []


async def test_a_mistake_of_ours_while_publishing(tmp_path: Path, caplog: Any) -> None:
    """A face that cannot be made is told once, with its traceback, and tried again: when it can be
    made the table is up to date without anybody doing anything.
    """
    async with world_of(tmp_path, *picks(3)) as world:
        await begin(world)
        channel: Any = world.bot.registry.desk.channel
        edit = channel.edit

        async def broken(*_: Any, **__: Any) -> None:
            raise KeyError("a bug")

        channel.edit = broken
        await pick(world)
        await world.beat(60)
        channel.edit = edit
        (fault,) = errors(caplog)
        assert "is not published" in fault
        caplog.clear()
        await world.beat(70)
        (table,) = [m for m in world.messages() if controls(m, "act")]
        assert "Ann chose one thing." in text(table)


async def test_an_old_message_that_may_not_be_edited_just_now(tmp_path: Path) -> None:
    """Discord limits edits of old messages: the game goes on in a new one at once, and the old one
    loses its controls when that is allowed again, instead of keeping them for ever.
    """
    async with world_of(tmp_path, *picks(9)) as world:
        await begin(world)
        old = world.live()
        path = f"/channels/{world.channel.id}/messages/{old.id}"
        world.env.inject_error("PATCH", path, status=400, code=30046, times=None)
        panel = (await world.slash("Ann", "act")).response
        await world.press("Ann", panel, controls(panel, "act")[0].custom_id)
        await world.beat(5)
        (new,) = [m for m in world.messages() if controls(m, "act") and m.id != old.id]
        assert "Ann chose one thing." in text(new)
        world.env.backend.faults.clear()
        await world.beat(130)
        (live,) = [m for m in world.messages() if controls(m, "act")]
        assert live.id == new.id
        await pick(world)
