"""The promise in the channel, and /verify: from the lobby to the file, through restarts."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import discord

from tests.e2e.play import begin, mark, world_of
from tests.e2e.script import BALLOT
from tests.e2e.world import World, labels, text


def promises(world: World) -> list[discord.Message]:
    """The messages with a hash."""
    return [m for m in world.messages() if "Fair dice" in text(m)]


async def to_the_end(world: World) -> None:
    """Ann casts the only ballot."""
    panel = (await world.click("Ann", world.live(), "panel")).response
    await mark(world, "Ann", panel, ["thing_1", "thing_2"] * 3)
    await world.click("Ann", panel, "cast")
    await world.beat(3)


def record_in(world: World, shown: Any) -> dict[str, Any]:
    """The file that came with a reply."""
    (attached,) = shown.attachments
    return json.loads(world.env.backend.cdn.get(attached.url) or b"")


async def test_the_promise_stands_above_the_lobby_and_is_never_touched(tmp_path: Path) -> None:
    """Posted once, before the lobby; restarts, the game and its end leave it as it is."""
    async with world_of(tmp_path, BALLOT) as world:
        await world.slash("Ann", "play", game="script")
        await world.beat()
        promise, lobby = world.messages()
        assert "Fair dice" in text(promise)
        assert labels(promise) == []
        assert "Start" in labels(lobby)
        said = text(promise)
        await world.restart()
        await world.click("Ann", world.live(), "start")
        await world.beat()
        await world.restart()
        await to_the_end(world)
        await world.restart()

        (same,) = promises(world)
        assert (same.id, text(same), same.edited_at) == (promise.id, said, None)
        touched = [r for r in world.env.http_requests if str(promise.id) in r.path]
        assert [r for r in touched if r.method in ("PATCH", "DELETE")] == []


async def test_verify_gives_link_secret_and_file(tmp_path: Path) -> None:
    """Nothing while the game goes on; then the answer is private, and its parts belong together."""
    async with world_of(tmp_path, BALLOT) as world:
        none = await world.slash("Dan", "verify")
        assert text(none.response).startswith("No game has ended in this channel yet.")
        await begin(world)
        early = await world.slash("Dan", "verify")
        assert text(early.response) == "This game is not over yet."
        await to_the_end(world)
        closing = text(world.live())
        await world.restart()

        shown = (await world.slash("Dan", "verify")).response
        assert shown.ephemeral
        record = record_in(world, shown)
        head = record["header"]
        (promise,) = promises(world)
        link = f"https://discord.com/channels/{world.guild.id}/{world.channel.id}/{promise.id}"
        assert link in text(shown)
        assert head["secret"] in text(shown)
        assert head["secret"] in closing
        assert record["digest"] in text(shown)
        promised = re.search(r"`([0-9a-f]{64})`", text(promise))
        assert promised is not None
        assert hashlib.sha256(bytes.fromhex(head["secret"])).hexdigest() == promised[1]
        assert head["pledge"] == promised[1]
        assert record["outcome"]["ending"] == "done"
        body = json.dumps(record)
        assert [name for name in ("Ann", str(world["Ann"].id), "thing_1") if name in body] == []


async def test_verify_takes_any_finished_table_of_the_server(tmp_path: Path) -> None:
    """By autocomplete, also from another channel; a running game and an odd code are refused."""
    async with world_of(tmp_path, BALLOT) as world:
        await begin(world)
        first = world.bot.registry.in_channel(world.channel.id)
        assert first is not None
        await to_the_end(world)
        await begin(world)
        second = world.bot.registry.in_channel(world.channel.id)
        assert second is not None
        offered = await world["Dan"].autocomplete(world.lounge, "verify", "table", "script")
        assert [one["value"] for one in offered] == [first.code]
        assert await world["Dan"].autocomplete(world.lounge, "verify", "table", "zeppelin") == []

        shown: Any = await world["Dan"].slash(world.lounge, "verify", table=first.code)
        assert first.code in text(shown.response)
        assert record_in(world, shown.response)["outcome"]["ending"] == "done"
        nothing: Any = await world["Dan"].slash(world.lounge, "verify")
        assert text(nothing.response).startswith("No game has ended in this channel yet.")
        early = await world.slash("Dan", "verify", table=second.code)
        assert text(early.response) == "This game is not over yet."
        odd = await world.slash("Dan", "verify", table="nonsense")
        assert text(odd.response) == "I know no table with that code."
        menu = (await world.click("Ann", world.live(), "menu")).response
        asked = (await world.click("Ann", menu, "end")).response
        await world.click("Ann", asked, "end_yes")
        ended = await world.slash("Dan", "verify", table=second.code)
        assert record_in(world, ended.response)["outcome"] is None
