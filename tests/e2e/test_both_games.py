"""What a table has to stand, whatever is played at it: tried with every game that there is."""

from __future__ import annotations

import asyncio
import io
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bot import titles
from tests.e2e.play import controls
from tests.e2e.real import (
    GAMES,
    Patient,
    attached,
    begun,
    drawn,
    games,
    next_move,
    real_world,
    session_in,
)
from tests.e2e.world import World, text

SLOW = 5.0


def errors(caplog: Any) -> list[str]:
    """What was logged as our fault, or as an answer that came too late."""
    return [
        r.getMessage()
        for r in caplog.records
        if r.levelname in ("ERROR", "CRITICAL") or "10062" in r.getMessage()
    ]


async def in_rooms(world: World) -> list[Any]:
    """A table of each game in a channel of its own, and a move that can be made there."""
    rooms: list[Any] = []
    for game in GAMES:
        world.channel = world.guild.create_text_channel(game)
        session = await begun(world, game, "Ben")
        rooms.append((world.channel, session, await next_move(world)))
    return rooms


@pytest.mark.parametrize("slow", ["journal", "drawing"])
async def test_five_seconds_for_what_a_move_needs(tmp_path: Path, caplog: Any, slow: str) -> None:
    """Writing the journal, or drawing the board, takes five seconds: the move is acknowledged in
    time, counts once, and its player sees it; nothing is answered too late.
    """
    async with real_world(tmp_path) as world:
        rooms = await in_rooms(world)
        before = [(await session.snapshot()).ply for _, session, _ in rooms]
        acknowledged: list[float] = []
        world.bot.dispatcher.acknowledged = lambda _: acknowledged.append(time.perf_counter())
        commit, made = world.store.commit, world.bot.house.pictures._made

        async def late_commit(write: Any) -> None:
            await asyncio.sleep(SLOW)
            await commit(write)

        async def late_drawing(key: Any, view: Any, draw: Any) -> Any:
            def drawing() -> bytes:
                time.sleep(SLOW)
                return draw()

            return await made(key, view, drawing)

        world.bot.house.pictures._kept.clear()
        if slow == "journal":
            world.store.commit = late_commit
        else:
            world.bot.house.pictures._made = late_drawing
        clicked = time.perf_counter()
        results = await world.burst(*(move.click(world) for _, _, move in rooms))
        assert len(acknowledged) == len(rooms)
        assert max(acknowledged) - clicked < SLOW - 0.5  # it did not wait for what is slow
        world.store.commit = commit
        world.bot.house.pictures._made = made
        for (room, session, _), ply, result in zip(rooms, before, results, strict=True):
            assert result.acknowledged
            world.channel = room
            await world.beat(3)
            assert (await session.snapshot()).ply >= ply + 1
            journal = await world.store.entries(session.id)
            clicks = [row.interaction_id for row in journal if row.interaction_id]
            assert len(clicks) == len(set(clicks)) == 1
            assert session.row.published_ply == session.row.ply
            assert controls(world.table(), "menu")
    assert errors(caplog) == []


@pytest.mark.parametrize("times", [15, pytest.param(100, marks=pytest.mark.soak)])
async def test_double_clicks_in_every_game(tmp_path: Path, caplog: Any, times: int) -> None:
    """Two clicks of one person on one control at the same instant, over and over: one entry a pair,
    ballots too, the other click is answered, and nothing escapes.
    """
    pairs = 0
    async with real_world(tmp_path) as world:
        for game in GAMES:
            for number in range(times):
                session = world.bot.registry.in_channel(world.channel.id)
                if session is None:
                    world.channel = world.guild.create_text_channel(f"{game}-{number}")
                    session = await begun(world, game, "Ben")
                move = await next_move(world)
                entries = {row.ply for row in await world.store.entries(session.id)}
                both = await world.burst(move.click(world), move.click(world))
                new = [
                    row for row in await world.store.entries(session.id) if row.ply not in entries
                ]
                told = [one.response and text(one.response) for one in both]
                assert len([row for row in new if row.interaction_id]) == 1, (move, told)
                others = [one for one in both if one.response and one.response.ephemeral]
                assert all(text(one.response) for one in others)
                pairs += 1
    assert pairs == times * len(GAMES)
    assert errors(caplog) == []


@pytest.mark.parametrize("moves", [15, 3], ids=["plain", "real"])
@pytest.mark.parametrize("game", GAMES)
async def test_the_right_picture_after_every_move(tmp_path: Path, game: str, moves: int) -> None:
    """INT-17: fifteen moves, and talk that moves the table down: what is attached to the table is
    one file, byte for byte the picture of this moment, and the pages before it keep the one that
    they had. Through three moves with the pictures that the game really has.
    """
    games_real = {game: titles.load(game)} if moves == 3 else games()
    async with Patient(tmp_path, games_real) as world:
        session = await begun(world, game, "Ben")
        shown: dict[int, list[bytes]] = {}
        for number in range(moves):
            if number == moves // 2:
                for _ in range(12):  # talk moves the table down
                    await world["Dan"].send(world.channel, "Boo!")
                await world.beat(12)
            await (await next_move(world)).make(world)
            while session.row.published_ply != session.row.ply:
                await world.beat(0.5)
            table = world.table()
            shown[table.id] = [drawn(session, await session.snapshot())]
            assert attached(world, table) == shown[table.id]
            assert Image.open(io.BytesIO(shown[table.id][0])).format == "PNG"
        kept = {m.id: attached(world, m) for m in world.messages() if m.id in shown}
        assert kept == shown
        if moves == 15:
            assert len(shown) > 1
            assert len({picture for (picture,) in shown.values()}) > 1


async def test_no_click_waits_for_a_drawing(tmp_path: Path, caplog: Any) -> None:
    """Twenty-five tables of all games are clicked at once, and no board can be drawn before the
    last click is acknowledged: all are, none by a mere receipt, and then all tables are shown.
    """
    tables = 25
    async with real_world(tmp_path) as world:
        rooms: list[Any] = []
        for number in range(tables):
            world.channel = world.guild.create_text_channel(f"room-{number}")
            session = await begun(world, GAMES[number % len(GAMES)])
            rooms.append((session, await next_move(world)))
        may_draw, acknowledged = threading.Event(), 0
        made = world.bot.house.pictures._made

        def heard(_: float) -> None:
            nonlocal acknowledged
            acknowledged += 1
            if acknowledged == tables:
                may_draw.set()

        async def held(key: Any, view: Any, draw: Any) -> Any:
            def drawing() -> bytes:
                assert may_draw.wait(8), "a click waits for a drawing"
                return draw()

            return await made(key, view, drawing)

        world.bot.dispatcher.acknowledged = heard
        world.bot.house.pictures._made = held
        plies = [session.row.ply for session, _ in rooms]
        results = await world.burst(*(move.click(world) for _, move in rooms))
        assert acknowledged == tables
        assert may_draw.is_set()
        assert all(one.acknowledged for one in results)
        await world.beat(5)
        for (session, _), ply in zip(rooms, plies, strict=True):
            assert session.row.ply > ply
            assert session.row.published_ply == session.row.ply
    assert errors(caplog) == []


@pytest.mark.parametrize("game", GAMES)
async def test_a_button_after_six_quiet_hours(tmp_path: Path, game: str) -> None:
    """Nothing expires by itself where no pace is set: the buttons that stand there still work."""
    async with real_world(tmp_path) as world:
        session = await begun(world, game, "Ben")
        before = (await session.snapshot()).ply
        world.bot.pump.cancel()  # four beats a second make six hours take minutes here
        for _ in range(6 * 60):
            await world.beat(60)
            with world.env._bot_scope():
                await world.bot.registry.pump()
        with world.env._bot_scope():
            world.bot.pump.start()
        await world.beat(3)
        move = await next_move(world)
        assert (await move.make(world)).acknowledged
        await world.beat(2)
        assert (await session.snapshot()).ply > before
        assert session_in(world) is session
