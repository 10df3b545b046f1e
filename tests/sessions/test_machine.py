"""Random lives of a table: answers, refusals, double clicks, kills, seats that change hands,
rewinds, pauses, answers taken back.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.sessions import clocks
from bot.sessions.faces import Status, TableFace
from bot.sessions.giving import NewSitter
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.agents import random_value
from engines.kernel.chance import Chance
from engines.kernel.journal import effective, load_record
from engines.kernel.playthrough import Playthrough
from tests.sessions.house import ANN, BEA, CID, DOT, MOD, House
from tests.toy.senate import CONTENT, SENATE

DEEDS = (
    "answer",
    "answer",
    "answer",
    "answer",
    "again",
    "wrong",
    "kill",
    "cut",
    "time",
    "leave",
    "take",
    "rewind",
    "undo",
    "pause",
    "give",
    "wait",
    "wait",
    "gone",
    "back",
)


async def live(deeds: list[str], seed: int) -> None:
    """One life of a table; after every deed memory, disk and channel must agree."""
    rng = Chance(seed.to_bytes(8, "big"))
    with tempfile.TemporaryDirectory() as folder:
        house = await House(Path(folder) / "data").open()
        try:
            session = await house.game(ANN, BEA, CID, pace="live" if seed % 2 else "none")
            for deed in deeds:
                session = house.same(session)
                if session.status is not Status.RUNNING:
                    break
                try:
                    await do(house, deed, rng)
                except Refusal as refusal:
                    assert deed != "answer" or refusal.problem == "too_late", refusal  # noqa: PT017
                await agree(house)
        finally:
            await house.die()


async def do(house: House, deed: str, rng: Chance) -> None:
    """One deed."""
    session = house.registry.in_channel(200)
    assert session is not None
    game = session.playing
    open_now = [d for d in game.asked if d.current is None and session.seats[d.seat].user_id]
    match deed:
        case "answer" | "again" if open_now:
            decision = rng.pick("which", open_now)
            click = house.click(session.seats[decision.seat].user_id or 0)
            value = random_value(decision, rng)
            await session.answer(click, decision.question, decision.kind, value)
            if deed == "again":
                await session.answer(click, decision.question, decision.kind, value)
        case "wait":
            await house.run(40 + 20 * rng.below("wait", 8), step=5)
        case "gone":
            if len(session.persons()) > 1:
                await session.gone(rng.pick("gone", list(session.persons().values())), "Computer")
        case "back":
            for user in session.persons().values():
                await session.come_back(house.click(user))
        case "wrong":
            await session.answer(house.click(DOT + 1), 1, "propose", ("law_1",))
        case "kill":
            await house.run(rng.below("pause", 3) * 0.5)
            await house.restart()
        case "cut":
            house.registry.disconnected()
            await house.run(1)
            house.registry.connected()
        case "leave":
            persons = session.persons()
            if len(persons) > 1:
                user = rng.pick("leaver", list(persons.values()))
                await session.hand_over(house.click(user), name="Computer")
        case "take":
            computers = [seat for seat, row in session.seats.items() if row.user_id is None]
            free = [u for u in (ANN, BEA, CID, DOT) if session.seat_of(u) is None]
            if computers and free:
                await session.take_over(house.click(free[0]), computers[0])
        case "rewind" if game.ply:
            keep = rng.below("keep", game.ply)
            marks = [entry.trace for entry in game.entries[:keep]]
            click = house.click(MOD, may_manage=True)
            await session.rewind(click, keep, mark_of(session), knowing=True)
            assert [entry.trace for entry in session.playing.entries] == marks
        case "undo":
            await undo(house, session, rng)
        case "pause":
            await session.pause(house.click(MOD, may_manage=True))
            if rng.below("kill", 2):
                await house.restart()
            await house.run(1)
            session = house.same(session)
            await session.resume(house.click(MOD, may_manage=True))
        case "give":
            seat = rng.below("seat", len(session.seats))
            user = rng.pick("user", (None, ANN, DOT))
            asks = rng.pick("moderator", (ANN, MOD))
            sitter = NewSitter(user, "Computer" if user is None else "Somebody")
            await session.give_seat(house.click(asks, may_manage=True), seat, sitter)
        case _:
            await house.run(rng.below("time", 4) * 0.75)


async def undo(house: House, session: Session, rng: Chance) -> None:
    """Somebody asks, and the others agree or do not; a kill may come between."""
    persons = list(session.persons().values())
    before = session.playing.ply
    done = await session.ask_undo(house.click(rng.pick("asker", persons)), session.row.ply)
    if rng.below("kill", 3) == 0:
        await house.restart()
        session = house.same(session)
    motion = session.motion
    for user in persons:
        if motion is None or session.motion is None:
            break
        agrees = rng.below("agrees", 4) > 0
        done = await session.speak(house.click(user), motion.number, agrees=agrees) == "carried"
    if done:
        assert session.playing.ply == before - 1


async def agree(house: House) -> None:
    """The journal on the disk replays to the game in memory; at most one table message is live."""
    for session in house.registry.in_guild(100):
        rows = await house.store.entries(session.id)
        entries, branch = effective(load_record(row.record, n) for n, row in enumerate(rows, 1))
        if session.game is not None:
            header = session.game.header
            again = Playthrough.replay(SENATE, CONTENT, header, entries, branch=branch)
            assert again.asked == session.game.asked
            assert again.events == session.game.events
            assert session.row.ply == len(rows)
            waits = clocks.awaited(session.game, session.seats)
            timed = session.row.pace == "live" and not session.is_over
            assert set(session.clocks) == (set(waits) if timed else set())
        stored = await house.store.session(session.id)
        assert stored is not None
        assert (stored.pace, stored.expires_at) == (session.row.pace, session.row.expires_at)
        assert list(await house.store.seats(session.id)) == list(session.seats.values())
    await house.registry.desk.drain(2.0)
    owed = [s for s in house.registry.in_guild(100) if house.registry.publisher.shown(s).dirty]
    lives = [
        m for m in house.channel.of(TableFace) if isinstance(m.face, TableFace) and m.face.live
    ]
    assert owed or len(lives) <= 1
    nonces = [message.nonce for message in house.channel.messages.values()]
    assert len(nonces) == len(dict.fromkeys(nonces))


@given(st.lists(st.sampled_from(DEEDS), min_size=5, max_size=40), st.integers(0, 2**32))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_memory_disk_and_channel_agree_after_every_deed(deeds: list[str], seed: int) -> None:
    """The short form."""
    asyncio.run(live(deeds, seed))


@pytest.mark.soak
@pytest.mark.timeout(900)
@given(st.lists(st.sampled_from(DEEDS), min_size=20, max_size=200), st.integers(0, 2**32))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_memory_disk_and_channel_agree_for_long(deeds: list[str], seed: int) -> None:
    """The long form."""
    asyncio.run(live(deeds, seed))
