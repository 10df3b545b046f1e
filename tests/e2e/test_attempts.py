"""What comes from another server, or was made up: refused, and told to the operator."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from bot.sessions.session import Session
from bot.ui.ids import Control
from tests.e2e.play import begin, world_of
from tests.e2e.script import Question
from tests.e2e.world import World, find, text

PICK = Question("pick", 3, seats=(0,))


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Any:
    """Reads what the log has told since the last look."""
    caplog.set_level(logging.INFO, "bot.ui.attempts")

    def look() -> list[tuple[str, str]]:
        found = [
            (record.levelname, record.getMessage())
            for record in caplog.records
            if record.name == "bot.ui.attempts"
        ]
        caplog.clear()
        return found

    return look


async def elsewhere(world: World) -> tuple[MemberActor, ChannelHandle]:
    """Dan on a server of his own, with a lobby in its channel."""
    other = world.env.create_guild("Elsewhere", owner=world["Dan"].user)
    place = other.create_text_channel("here")
    await world.beat()
    member = MemberActor(world.env, other, world["Dan"].user)
    assert (await member.slash(place, "play", game="script")).acknowledged
    await world.beat()
    return member, place


def here(world: World) -> Session:
    """The table of the first server."""
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    return session


async def pressed(world: World, member: MemberActor, place: ChannelHandle, custom_id: str) -> str:
    """What that member is told for a button that was put into the message there."""
    message = world.live(place)
    stored = world.env.backend.get_message(place.id, message.id)
    control = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
    shown, stored.components = stored.components, [{"type": 1, "components": [control]}]
    result = await member.click(message, custom_id=custom_id)
    stored.components = shown
    assert result.acknowledged
    return text(result.response)


@pytest.mark.parametrize("command", ["session inspect", "session end", "session log", "verify"])
async def test_codes_of_another_server(tmp_path: Path, told: Any, command: str) -> None:
    """Who manages one server learns nothing by another's code, and the operator reads of it."""
    async with world_of(tmp_path, PICK) as world:
        await begin(world)
        member, place = await elsewhere(world)
        code = here(world).code
        for given in (code, "ZZZZZZ"):
            answer = await member.slash(place, command, table=given)
            assert text(answer.response) == "I know no table with that code."
        who = f"user {member.user.id} on server {member.guild.id}"
        line = f"refused: a code of another server, '{code}', {who}"
        assert told() == [("WARNING", line)]
        await world.beat(61)
        await member.slash(place, command, table="x\ny" + "\u202e" * 200)
        cut = "'x\\ny" + "\\u202e" * 97 + "'..."
        assert told() == [
            ("INFO", f"refused: a code of no table, {cut}, {who}; 1 more were not told")
        ]


@pytest.mark.parametrize(
    "verb",
    ["end_yes", "hand", "replace_yes", "join", "menu", "board", "words", "log", "story", "again"],
)
async def test_controls_of_another_servers_table(tmp_path: Path, told: Any, verb: str) -> None:
    """They change nothing, show nothing, and are told."""
    async with world_of(tmp_path, PICK) as world:
        await begin(world)
        member, place = await elsewhere(world)
        session = here(world)
        forged = Control(verb, session.id).button
        said = await pressed(world, member, place, forged)
        assert said.startswith("That table does not exist any more.")
        assert not session.is_over
        who = f"user {member.user.id} on server {member.guild.id}"
        line = f"refused: a control of another server's table, '{forged}', {who}"
        assert told() == [("WARNING", line)]


async def test_one_s_own_table_from_another_server(tmp_path: Path, told: Any) -> None:
    """Who sits at a table opens it with a command anywhere, and the buttons there are theirs."""
    async with world_of(tmp_path, PICK) as world:
        await begin(world, "script", "Dan")
        other = world.env.create_guild("Elsewhere", owner=world["Dan"].user)
        place = other.create_text_channel("here")
        await world.beat()
        member = MemberActor(world.env, other, world["Dan"].user)
        panel = (await member.slash(place, "act")).response
        assert panel is not None
        shown = await member.click(panel, custom_id=find(panel, "hand").custom_id)
        assert "card_1" in text(shown.response)
        assert not told()


async def test_nobody_sits_down_from_another_server(tmp_path: Path, told: Any) -> None:
    """A lobby is joined where it stands."""
    async with world_of(tmp_path, PICK) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        member, place = await elsewhere(world)
        session = here(world)
        said = await pressed(world, member, place, Control("join", session.id).button)
        assert said.startswith("That table does not exist any more.")
        assert len(session.persons()) == 1
        assert len(told()) == 1


@pytest.mark.parametrize(
    ("custom_id", "what"),
    [
        ("n:b:fly:1:1:pick:x", "a control that is unknown"),
        ("any\ncontrol\x1b[2J", "a control that is unknown"),
        ("n:b:join:zz:0::", "a control of a table that is unknown"),
        ("n:b:act:1:1:pick:no_such_thing", "a control for an option that there is not"),
        ("n:b:mod_log:1:0::0.0123456789ab", "a moderator's control without a pass"),
        ("n:b:end_yes:1:0::", "a confirmation that only a host is asked for"),
    ],
)
async def test_controls_that_were_made_up(
    tmp_path: Path, told: Any, custom_id: str, what: str
) -> None:
    """However often somebody tries: one line a minute, and nothing in it but plain signs."""
    async with world_of(tmp_path, Question("pick", 3, seats=(1,))) as world:
        await begin(world, "script", "Ben")
        for _ in range(5):
            await world.forge("Ben", world.live(), custom_id)
        who = f"user {world['Ben'].user.id} on server {world.guild.id}"
        assert told() == [("INFO", f"refused: {what}, {custom_id!r}, {who}")]
