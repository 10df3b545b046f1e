"""A start replays what has to be replayed, in order, and leaves everything else alone."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions import core, fingerprints
from bot.sessions.faces import PingFace, Status
from bot.sessions.session import Session
from bot.sessions.starting import AT_ONCE
from bot.store.db import SqliteStore
from bot.store.protocol import StoreBusy, Write
from bot.store.rows import Pace
from tests.sessions.house import ANN, BEA, CID, GUILD, House, first_value, toy_title
from tests.toy.senate import SENATE

TABLES = 200


@pytest.fixture
def replays(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The game keys of all replays, in order."""
    found: list[str] = []
    real = core.replayed

    def counted(*given: Any) -> Any:
        found.append(given[2].key)
        return real(*given)

    monkeypatch.setattr(core, "replayed", counted)
    return found


async def begun(house: House, channel: int, pace: Pace = "none", computers: int = 0) -> Session:
    """A table of its own channel, with three seats."""
    people = (ANN, BEA, CID)[: 3 - computers]
    session = await house.registry.open_lobby(
        house.click(ANN), game="senate", guild_id=GUILD, channel_id=channel, pace=pace
    )
    for user in people[1:]:
        await session.join(house.click(user))
    for number in range(computers):
        await session.add_computer(house.click(ANN), f"Computer {number}")
    await session.start(house.click(ANN))
    return session


async def many(house: House, pace: Pace = "none") -> list[Session]:
    """Two hundred tables at their first question, of which everything is published."""
    made = [begun(house, 10_000 + number, pace) for number in range(TABLES)]
    sessions = [*await asyncio.gather(*made)]
    await house.run(40, step=5)
    return sessions


async def outdate(house: House, sessions: list[Session]) -> None:
    """Have these tables been checked by another program."""
    for session in sessions:
        write = Write(session=session.id, fields={"fingerprint": "another"})
        await house.store.commit(write)


@pytest.mark.timeout(180)
async def test_checked_tables_are_left_alone(house: House, replays: list[str]) -> None:
    """Two hundred tables of which everybody sees everything: no replay, no request. A click on one
    of them replays that one.
    """
    sessions = await many(house)
    await house.die()
    house.channel.calls.clear()
    await house.open(look=False)
    await house.run(5)
    assert replays == []
    assert house.channel.calls == []
    table = house.same(sessions[77])
    decision = (await table.look(ANN)).asked[0]
    await table.answer(house.click(ANN), decision.question, decision.kind, first_value(decision))
    assert len(replays) == 1
    await house.run(2)
    assert len(replays) == 1
    assert house.channel.calls.count("edit") >= 1


@pytest.mark.timeout(180)
async def test_unchecked_tables_are_checked_a_few_at_a_time(
    house: House, replays: list[str]
) -> None:
    """After an update each table is replayed once, two a beat, nothing is sent for it, and the next
    start replays none. What is clicked meanwhile does not wait.
    """
    sessions = await many(house)
    await outdate(house, sessions)
    await house.die()
    house.channel.calls.clear()
    await house.open(look=False)
    last = house.same(sessions[-1])
    assert not last.is_checked
    await last.look(ANN)
    assert len(replays) == 1
    await house.run(5 * 0.25)
    assert len(replays) == 1 + 5 * AT_ONCE
    await house.run(TABLES * 0.25)
    assert len(replays) == len(set(replays)) == TABLES
    assert house.channel.calls == []
    assert all(house.same(session).is_checked for session in sessions)
    await house.die()
    await house.open(look=False)
    await house.run(5)
    assert len(replays) == TABLES


async def test_the_oldest_deadline_comes_first(house: House, replays: list[str]) -> None:
    """Tables with less time left are woken before those with more; all show their new time."""
    days = await begun(house, 1, "days")
    relaxed = await begun(house, 2, "relaxed")
    live = await begun(house, 3, "live")
    none = await begun(house, 4)
    await house.run(40, step=1)
    key = {s.id: s.playing.header.key for s in (days, relaxed, live, none)}
    await outdate(house, [days, relaxed, live, none])
    await house.die()
    house.time.now += 3600
    await house.open(look=False)
    await house.run(2)
    assert replays == [key[s.id] for s in (live, relaxed, days, none)]
    for session in (live, relaxed, days):
        again = house.same(session)
        assert again.clocks
        assert all(clock.since is not None for clock in again.clocks.values())


async def test_a_first_answer_on_an_unchecked_table(house: House, replays: list[str]) -> None:
    """It is replayed before the answer counts, and counts as checked from then on."""
    session = await begun(house, 1)
    await house.run(40, step=5)
    await outdate(house, [session])
    await house.die()
    await house.open(look=False)
    again = house.same(session)
    assert again.game is None
    question = session.playing.asked[0]
    await again.answer(house.click(ANN), question.question, question.kind, first_value(question))
    assert len(replays) == 1
    assert again.is_checked
    stored = await house.store.session(again.id)
    assert stored is not None
    assert stored.fingerprint == again.row.fingerprint


async def test_a_computer_player_that_was_to_move(house: House) -> None:
    """The process died before a computer player moved: it does after the start, unasked."""
    session = await begun(house, 1, computers=2)
    while session.playing.asked[0].seat == 0:  # until somebody else is asked
        decision = session.playing.asked[0]
        await session.answer(
            house.click(ANN), decision.question, decision.kind, first_value(decision)
        )
    ply = session.playing.ply
    assert session.row.wake_at is not None
    await house.die()
    await house.open(look=False)
    await house.run(4)
    assert house.same(session).row.ply > ply


async def test_a_person_who_was_to_be_called(house: House) -> None:
    """The process died in the half minute in which people are not called: they are afterwards."""
    await begun(house, 1)
    await house.run(3)
    assert house.channel.of(PingFace) == []
    await house.die()
    await house.open(look=False)
    await house.run(40, step=1)
    assert len(house.channel.of(PingFace)) == 1


async def test_a_retold_game_names_its_table(house: House, caplog: Any) -> None:
    """An answer whose consequences are told otherwise now is logged with the table's code."""
    session = await begun(house, 1)
    decision = session.playing.asked[0]
    await session.answer(house.click(ANN), decision.question, decision.kind, first_value(decision))
    (entry,) = await house.store.entries(session.id)
    record = json.dumps({**json.loads(entry.record), "trace": "another"})
    sql = "UPDATE entry SET record = ? WHERE session = ?"
    await house.store._writer.run(lambda c: c.execute_fetchall(sql, (record, session.id)))
    await outdate(house, [session])
    await house.die()
    await house.open(look=False)
    await house.run(1)
    told = f"table {session.code} is re-interpreted from answer 1 on"
    assert [r.getMessage() for r in caplog.records if "re-interpreted" in r.getMessage()] == [told]
    assert house.same(session).status is Status.RUNNING


def test_what_a_fingerprint_depends_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules' version, the content and every file of the engine and the kernel; nothing else."""
    title = toy_title()
    own = fingerprints.fingerprint_of(title)
    assert own == fingerprints.fingerprint_of(toy_title())
    newer = dataclasses.replace(SENATE, rules_version=2)
    assert own != fingerprints.fingerprint_of(toy_title(newer))
    content = dataclasses.replace(title.content, digest="other")
    assert own != fingerprints.fingerprint_of(dataclasses.replace(title, content=content))
    names = {p.name for p in fingerprints._sources(titles.load("fear_of_the_dark").game)}
    assert {"game.py", "cards.py", "playthrough.py", "journal.py"} <= names
    changed = tmp_path / "senate.py"
    changed.write_text("# another engine\n")
    monkeypatch.setattr(fingerprints, "_sources", lambda _: [changed])
    assert own != fingerprints.fingerprint_of(title)


async def test_a_store_that_cannot_tell_at_the_start(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Locked just when Discord is reached: a line, and a few seconds later the tables come back."""
    session = await house.game(ANN, BEA, CID)
    await house.die()
    real = SqliteStore.open_messages
    locked = [StoreBusy("the database is locked")] * 2

    async def told(store: SqliteStore) -> Any:
        if locked:
            raise locked.pop()
        return await real(store)

    monkeypatch.setattr(SqliteStore, "open_messages", told)
    await house.open(look=False)
    assert house.registry.start.brought_back == 0
    await house.run(6)
    assert len(locked) == 0
    await house.run(8)
    assert house.registry.start.brought_back == 1
    assert house.same(session).status is Status.RUNNING
    assert caplog.text.count("the tables cannot be brought back now: the database is locked") == 2
