"""A killed bot and every game that there is: old messages of all kinds, and open deadlines."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot import titles
from bot.offline.wire import Reply
from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import (
    QUIET,
    lay_table,
    night,
    turn_is_played,
    vote_is_called,
)
from tests.wire.remains import Disk, published

GAMES = titles.KEYS

#: The bot with a short time to answer, seconds instead of minutes, which it stores twice a second.
LIVE = 5.0
SHORT = (
    sys.executable,
    "-c",
    f"from bot.sessions import pace, registry; pace.SECONDS['live'] = {LIVE}\n"
    "registry._SAVE_EVERY = 0.5\n"
    "from bot.__main__ import main; raise SystemExit(main(['run']))",
)


async def opened(world: Harness, game: str, channel: str, **options: Any) -> Evening:
    """A lobby of Ann's."""
    evening = Evening(world, channel)
    reply = await world.players["Ann"].slash(evening.channel_id, "play", {"game": game, **options})
    assert reply.acknowledged
    await evening.up("join")
    return evening


async def begun(world: Harness, game: str, channel: str, **options: Any) -> Evening:
    """A table of Ann's and Ben's at which somebody is asked something."""
    evening = await opened(world, game, channel, **options)
    await evening.click("Ben", evening.live(), "join")
    await evening.click("Ann", evening.live(), "start")
    await evening.up("menu")
    return evening


def sessions(found: Disk) -> Mapping[int, int]:
    """The tables by their channels."""
    return {row["channel_id"]: row["id"] for row in found.rows("SELECT * FROM session")}


async def test_messages_from_before_a_kill(tmp_path: Path) -> None:
    """Lobby, turn and vote of every game: whatever was pressed before the bot was killed, and all
    that is pressed on these very messages afterwards, is answered; what is legal counts.
    """
    rooms = [f"{kind}-{game}" for game in GAMES for kind in ("lobby", "turn")]
    async with Harness(tmp_path, quiet=QUIET, channels=("table", *rooms)) as world:
        disk = Disk(tmp_path)
        voting = await lay_table(world, night(vote_is_called))
        await world.start_bot()
        lobbies = [await opened(world, game, f"lobby-{game}") for game in GAMES]
        turns = [await begun(world, game, f"turn-{game}") for game in GAMES]
        vote = Evening(world)
        await published(world, disk, *sessions(disk).values())
        before = {evening.channel: evening.live() for evening in (*lobbies, *turns, vote)}
        (letter,) = vote.ballots("Ann")
        tables = sessions(disk)
        plies = {e.channel: len(disk.entries(tables[e.channel_id])) for e in turns}

        await world.kill_bot()
        await world.start_bot()
        await published(world, disk, *tables.values())

        for evening in lobbies:
            shown = before[evening.channel]
            assert (await evening.click("Ben", shown, "join")).acknowledged
            assert [one["name"] for one in disk.seats(tables[evening.channel_id])] == ["Ann", "Ben"]
            assert "Options" in (await evening.click("Ann", shown, "options")).text
        for evening in turns:
            shown = before[evening.channel]
            for name in ("Ann", "Ben"):
                (hand,) = controls(shown, "hand")
                assert (await evening.press(name, shown, hand)).text
                for custom_id in controls(shown, "panel", "act")[:1]:
                    values = evening.first_values(shown, custom_id)
                    reply = await evening.press(name, shown, custom_id, values)
                    assert reply.acknowledged
                    if reply.message is not None and controls(reply.message, "act"):
                        assert await evening.choose(name, reply.message) is not None
            assert len(disk.entries(tables[evening.channel_id])) > plies[evening.channel]
        marked = await vote.mark("Ann", letter, 0, 1)
        assert marked.kind == "update"
        assert (await vote.click("Ben", before["table"], "panel")).message is not None

        # Whoever has no business there is answered as well, whatever they press.
        replies: list[Reply] = []
        for channel, shown in before.items():
            dan = Evening(world, channel)
            for custom_id in shown.custom_ids:
                if custom_id in dan.live().custom_ids:
                    values = dan.first_values(shown, custom_id)
                    replies.append(await dan.press("Dan", dan.live(), custom_id, values))
        assert len(replies) > 10
        assert all(reply.acknowledged for reply in replies)
        assert len(disk.entries(voting)) == len(night(vote_is_called).entries)


def left(found: Disk, session: int) -> float:
    """What is left of a table's first clock, as the disk has it."""
    return json.loads(found.session(session)["clocks"])[0]["left_ms"] / 1000


def first_edit(world: Harness, evening: Evening, since: float) -> float:
    """When a table was first brought up to date since then (monotonic)."""
    place = f"/channels/{evening.channel_id}/messages/"
    calls = world.server.rest.log.calls
    return min(
        one.at
        for one in calls
        if one.at > since and one.method == "PATCH" and one.path.startswith(place)
    )


async def test_a_deadline_outlives_a_kill(tmp_path: Path) -> None:
    """Killed while players have time to answer, and down for longer than they had left: nothing is
    answered for them meanwhile or at once, and what was left falls when it has run.
    """
    async with Harness(tmp_path, quiet=QUIET, argv=SHORT, channels=GAMES) as world:
        disk = Disk(tmp_path)
        await world.start_bot()
        tables = [await begun(world, game, game, pace="live") for game in GAMES]
        ids = [sessions(disk)[one.channel_id] for one in tables]
        await world.until(lambda: all(left(disk, one) < LIVE - 1.0 for one in ids), 30.0)
        await world.kill_bot()
        given = [len(disk.entries(one)) for one in ids]
        stored = [left(disk, one) for one in ids]
        assert all(0.1 < one < LIVE - 1.0 for one in stored), stored
        await asyncio.sleep(max(stored) + 0.5)

        began = time.monotonic()
        await world.start_bot()
        for number in sorted(range(len(ids)), key=lambda n: stored[n]):
            session, before = ids[number], given[number]
            await world.until(lambda s=session, b=before: len(disk.entries(s)) > b, 30.0)
            up = first_edit(world, tables[number], began)
            assert time.monotonic() - up >= stored[number] - 0.2
            assert disk.entries(session)[before]["by"] == "clock"


async def test_a_channel_is_deleted_while_the_bot_is_down(tmp_path: Path) -> None:
    """Of three tables in three channels one has lost its channel when the bot starts: the start
    goes on, that table rests, with one line for the operator, and the two others are played on.
    """
    rooms = ("table", "lounge", "hall")
    async with Harness(tmp_path, quiet=QUIET, channels=rooms) as world:
        disk = Disk(tmp_path)
        tables = {
            room: await lay_table(world, night(turn_is_played), channel=room) for room in rooms
        }
        await world.start_bot()
        await published(world, disk, *tables.values())
        await world.kill_bot()
        world.simulation.backend.delete_channel(world.channels["lounge"])
        await world.start_bot()
        await world.until(lambda: disk.session(tables["lounge"])["status"] == "orphaned", 20.0)
        code = disk.session(tables["lounge"])["code"]
        said = f"table {code} rests: its channel is gone"
        await world.until(lambda: [line for line in world.output if said in line], 20.0)
        for room in ("table", "hall"):
            evening = Evening(world, room)
            before = len(disk.entries(tables[room]))
            assert await evening.play(answers=1) == 1
            assert len(disk.entries(tables[room])) > before
            assert disk.session(tables[room])["status"] == "running"
        listed = await world.players["Ann"].slash(world.channels["hall"], "session list")
        assert code in listed.text
        assert "its channel was lost" in listed.text
        # The server has named no channel for games: the first who moderates is told, once.
        told: list[str] = []
        async with asyncio.timeout(20):
            while not told:
                await asyncio.sleep(0.5)
                heard = await world.players["Ann"].slash(world.channels["hall"], "status")
                told = [one.text for one in heard.followups]
        assert told[0].startswith(f"The channel of table {code} is gone")
        heard = await world.players["Ann"].slash(world.channels["hall"], "session list")
        assert heard.followups == []
        assert len([line for line in world.output if said in line]) == 1
