"""People: names that would call others, people whom the cache does not know, secret ballots."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.play import begin, controls, mark, pick, picks, world_of
from tests.e2e.script import BALLOT, WORDS, Question, script, words
from tests.e2e.world import World, parts, text

CALLS = ("`@everyone", "<@&{role}> ```", "<@{user}> @here")


def nicknamed(world: World, name: str, nick: str) -> None:
    """Give somebody a nickname on the server."""
    member = world.env.backend.get_member(world.guild.id, world[name].id)
    member.nick = nick
    world.env.backend.announce_member_update(world.guild.id, world[name].id)


def payloads(world: World, since: int) -> list[Any]:
    """The messages that the bot has sent since, wherever to."""
    sent = [request.json for request in world.env.http_requests[since:]]
    bodies = [one.get("data", one) for one in sent if isinstance(one, dict)]
    return [one for one in bodies if isinstance(one, dict) and "components" in one]


async def test_nicknames_and_words_call_nobody(tmp_path: Path) -> None:
    """MEM-08: nicknames that name everyone, a role and another person, an answer that is typed in,
    and a game's own words that do: whatever is sent carries a rule that lets through nobody but
    people at the table, and none of them in words.
    """
    loud = WORDS.replace("chose", "@everyone <@&1> chose")
    loud = loud.replace('"{seat}, pick one."', '"`@here` {seat}, pick one."')
    plain = script(*picks(3), BALLOT)
    loaded: Any = replace(plain.content, words=words(loud))
    title = replace(plain, content=loaded)
    async with World(tmp_path, {title.key: title}) as world:
        role = world.guild.default_role.id
        for name, call in zip(("Ann", "Ben", "Cleo"), CALLS, strict=True):
            nicknamed(world, name, call.format(role=role, user=world["Dan"].id))
        since = len(world.env.http_requests)
        await begin(world, "script", "Ben", "Cleo")
        await pick(world)
        await world.slash("Ann", "act", choice="<@!1> @everyone")
        await world.slash("Ben", "rules", topic="@everyone <@&1>")
        await world.slash("Cleo", "tables")
        await world.beat(60)
        sent = payloads(world, since)
        assert len(sent) > 8
        seated = {world[name].id for name in ("Ann", "Ben", "Cleo")}
        for body in sent:
            rule = body["allowed_mentions"]
            assert not rule.get("parse")
            assert {int(user) for user in rule.get("users", ())} <= seated
            assert not rule.get("roles")
        assert any("@everyone" in str(body).replace("\u200b", "") for body in sent)


async def test_people_whom_the_cache_does_not_know(tmp_path: Path) -> None:
    """MEM-13: without the members intent, and after a restart in the middle of a game, nobody is in
    the cache: names come from the store, timers call people all the same, nothing is called None.
    """
    asked = [Question("pick", 3, seats=(n,)) for n in (0, 1, 2, 0)]
    async with world_of(tmp_path, *asked) as world:
        assert not world.bot.intents.members
        await begin(world, "script", "Ben", "Cleo", pace="live")
        await world.restart()
        guild = world.bot.get_guild(world.guild.id)
        assert guild is not None
        guild._members.clear()
        world.bot._connection._users.clear()
        for name in ("Ann", "Ben", "Cleo"):
            await world.beat(125)
            said = "\n".join(text(message) for message in world.messages())
            assert f"<@{world[name].id}>" in said, name
            await world.beat(60)
        said = "\n".join(text(message) for message in world.messages())
        for name in ("Ann", "Ben", "Cleo"):
            assert f"answered for {name}" in said
        assert "None" not in said
        assert world.env.errors == []


def seen_by_others(world: World, voter: str, since: int) -> list[str]:
    """All that was sent since, but for what goes to the voter alone, without what chance made."""
    own = str(world[voter].user.dm_channel.id)
    answers: list[str] = []
    for request in world.env.http_requests[since:]:
        steps = request.path.strip("/").split("/")
        is_private = steps[0] in ("interactions", "webhooks") or own in steps
        if request.method == "GET" or is_private:
            continue
        answers.append(f"{request.method} {steps[0]} {request.json}")
    session = world.bot.registry.in_channel(world.channel.id)
    assert session is not None
    known = "|".join((re.escape(session.code), r"[0-9a-f]{32,64}"))
    return [re.sub(known, "?", one) for one in answers]


@pytest.mark.parametrize("names", [("Ann", "Ben"), ("Ben", "Ann")])
async def test_no_payload_tells_how_somebody_votes(tmp_path: Path, names: tuple[str, str]) -> None:
    """GAM-13: from the opening of a ballot until it is over, everything that is sent to anybody but
    the voter is the same, letter by letter and call by call, whichever way the vote goes.
    """
    voter, other = names
    streams: list[list[str]] = []
    for way, first in enumerate(("thing_2", "thing_9")):
        async with world_of(tmp_path / str(way), BALLOT, *picks(1)) as world:
            await begin(world, "script", "Ben")
            since = len(world.env.http_requests)
            for name, thing in ((voter, first), (other, "thing_4")):
                panel = (await world.click(name, world.live(), "panel")).response
                await mark(world, name, panel, [thing] * 3 + ["thing_5"] * 3)
                await world.beat(2)
                await world.click(name, panel, "cast")
                await world.beat(2)
            assert controls(world.live(), "act")
            streams.append(seen_by_others(world, voter, since))
    assert len(streams[0]) >= 2
    assert streams[0] == streams[1]


async def test_what_destroys_asks_first(tmp_path: Path) -> None:
    """GAM-27: ending, going back, giving a seat away: one click does none of it; the question names
    the table, and what was done stands in the log of acts with who did it.
    """
    async with world_of(tmp_path, *picks(6)) as world:
        world.players["Olga"] = world.owner
        await begin(world, "script", "Ben")
        for _ in range(3):
            await pick(world)
        session = world.bot.registry.in_channel(world.channel.id)
        assert session is not None
        before = (session.row.ply, session.status, dict(session.seats))
        asked: list[Any] = []
        for command, options in (("end", {}), ("seat", {"seat": "2"})):
            reply = await world.slash("Olga", f"session {command}", table=session.code, **options)
            asked.append(reply.response)
        back = (await world.slash("Olga", "session rewind", table=session.code)).response
        menu = next(part for part in parts(back) if part.options)
        chosen = await world.select("Olga", back, [menu.options[1]], custom_id=menu.custom_id)
        asked.append(chosen.response)
        for question in asked:
            assert session.code in text(question)
        assert (session.row.ply, session.status, dict(session.seats)) == before
        await world.click("Olga", asked[2], "rewind_yes")
        await world.click("Olga", asked[0], "end_yes")
        acts = [(act.what, act.by) for act in await world.store.acts(world.guild.id)]
        assert set(acts) >= {("rewind", world.owner.id), ("end", world.owner.id)}
