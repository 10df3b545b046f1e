"""Moderators at a table: look, check, pause, end; each act in the log, nothing secret."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import Status, TableFace
from bot.sessions.moves import mark_of, moves_of
from bot.sessions.ports import Refusal
from tests.e2e.script import Question, calm, script
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, ROOM, House, first_value
from tests.sessions.moderator import damage, done, mod, words
from tests.sessions.voting import ask_of

# Pause and resume


async def test_a_paused_table_rests_until_a_moderator_lets_it_go_on(house: House) -> None:
    """Sand stands still, clicks are refused, computers wait, also across a restart; afterwards
    the glass goes on from where it stood.
    """
    session = await house.game(ANN, BEA, CID, computers=1)
    for _ in range(60):
        await house.run(1.25)
        await house.answer_all_people(session)
        if session.sands or session.playing.asked[0].shared:
            break
    await session.pause(mod(house))
    left = {q: g.left_at(house.time.now) for q, g in session.sands.items()}
    ply = session.row.ply
    await house.run(100)
    await house.restart()
    session = house.same(session)
    await house.run(30)

    assert session.status is Status.PAUSED
    assert session.row.ply == ply
    assert {q: g.left_at(house.time.now) for q, g in session.sands.items()} == left
    decision = session.playing.asked[0]
    user = session.seats[decision.seat].user_id or ANN
    for work in (
        session.answer(house.click(user), decision.question, decision.kind, first_value(decision)),
        session.look(user),
        session.hand_over(house.click(BEA), name="X"),
        session.pause(mod(house)),
    ):
        with pytest.raises(Refusal, match="paused"):
            await work
    (live,) = [
        m.face for m in house.channel.of(TableFace) if isinstance(m.face, TableFace) and m.face.live
    ]
    assert live.snapshot.status is Status.PAUSED
    await session.resume(mod(house))
    await house.run(2)
    assert session.status is Status.RUNNING
    assert all(g.since is not None for g in session.sands.values())
    assert await words(house) == ["paused", "resumed"]
    assert await done(house, session) == ["pause", "resume"]


async def test_sand_that_ran_out_before_the_pause_has_run_out(house: House) -> None:
    """A pause does not save anybody who was late already."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await house.run(2)
    house.time.now += 70
    await session.pause(mod(house))
    assert "coins_lost" in [e.event.kind for e in session.playing.events]
    assert session.status is Status.PAUSED


async def test_a_deleted_table_message_of_a_paused_table_comes_back_once(house: House) -> None:
    """The message is gone while the table is paused: one fresh one, and no endless trying."""
    session = await house.game(*ALL)
    await house.run(2)
    (table,) = house.channel.of(TableFace)
    table.is_deleted = True
    await session.pause(mod(house))
    await house.run(5)
    posted = house.channel.calls.count("post")
    await house.run(20)
    assert house.channel.calls.count("post") == posted
    assert len(house.channel.of(TableFace)) == 1


async def test_only_moderators_and_only_where_it_makes_sense(house: House) -> None:
    """Each door refuses a player, and a table that is not in that state."""
    session = await house.game(*ALL)
    for work in (
        session.pause(house.click(ANN)),
        session.resume(house.click(ANN)),
        session.restore(house.click(ANN)),
        session.note_look(house.click(ANN), "inspect"),
    ):
        with pytest.raises(Refusal, match="only_moderators"):
            await work
    with pytest.raises(Refusal, match="not_paused"):
        await session.resume(mod(house))
    with pytest.raises(Refusal, match="nothing_to_restore"):
        await session.restore(mod(house))
    lobby = await house.registry.open_lobby(
        house.click(DOT), game=session.title.key, guild_id=100, channel_id=201
    )
    with pytest.raises(Refusal, match="not_running"):
        await lobby.pause(mod(house))
    assert await done(house, session) == []


# Check


async def test_a_sound_journal_is_found_sound_beside_the_table(house: House) -> None:
    """Counts are told, the live game is not touched, and clicks go on meanwhile."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await session.rewind(mod(house), 2, mark_of(session), knowing=True)
    await house.answer_all(session, until="vote")
    game = session.game
    checking = asyncio.create_task(session.check())
    await session.answer(house.click(ANN), ask_of(session, "vote").question, "vote", ("aye",))
    found = await checking

    assert session.game is game
    assert (found.is_good, found.retold_from, found.branches) == (True, None, 1)
    assert game is not None
    assert found.moves == len(moves_of(game)) > 0


async def test_a_journal_without_a_move_that_is_told_otherwise(tmp_path: Path) -> None:
    """One secret answer, no move: it is from the first move on, not from a move 0."""
    house = await House(tmp_path / "data", script(Question("pick", 3), agent=calm)).open()
    session = await house.game(ANN, BEA)
    question = session.playing.asked[0].question
    await session.answer(house.click(ANN), question, "pick", ("thing_1",))
    (entry,) = await house.store.entries(session.id)
    await damage(house, session, 0, json.dumps({**json.loads(entry.record), "trace": "another"}))
    found = await session.check()
    assert (found.is_good, found.moves, found.retold_from) == (True, 0, 1)
    await house.die()


async def test_the_first_answer_that_fails_is_named(house: House, tmp_path: Path) -> None:
    """An entry whose question was another one then; nothing about what was answered is told."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    records = await house.store.entries(session.id)
    broken = json.loads(records[2].record) | {"mark": "000000000000/0"}
    await damage(house, session, 2, json.dumps(broken))
    found = await session.check()
    moves = [ply for ply in moves_of(session.playing) if ply <= 2]
    assert (found.is_good, found.is_readable, found.moves) == (False, True, len(moves))
    assert len(found.reference) == 8
    await damage(house, session, 2, '{"somebody": "else"}')
    found = await session.check()
    assert (found.is_good, found.is_readable) == (False, False)
    assert session.status is Status.RUNNING


# End


async def test_a_stuck_game_can_be_ended_without_touching_it(house: House) -> None:
    """Every part of the game in memory raises: the moderator's end works all the same, a player's
    does not, and the channel is free at once.
    """
    session = await house.game(*ALL)
    await house.run(1)

    class Broken:
        """Raises at every touch."""

        def __getattr__(self, name: str) -> Any:
            raise ZeroDivisionError(name)

    session.game = Broken()  # type: ignore[assignment]
    with pytest.raises(Refusal, match="not_host"):
        await session.end(house.click(BEA))
    await session.end(mod(house))
    assert session.status is Status.ABANDONED
    fresh = await house.lobby(DOT)
    assert fresh.channel_id == ROOM
    assert (await done(house, session)) == ["end"]
    assert "ended" in await words(house)


async def test_what_a_host_does_is_no_moderators_act(house: House) -> None:
    """The log is of those who act from above: the host, also one who may manage, is not in it."""
    session = await house.game(*ALL)
    await session.end(house.click(ANN, may_manage=True))
    assert await done(house, session) == []
    lobby = await house.lobby(BEA, CID)
    await lobby.add_computer(mod(house), "Computer 1")
    await lobby.set_option(mod(house), "length", "long")
    await lobby.start(mod(house))
    assert await done(house, lobby) == ["lobby_add", "lobby_option", "lobby_start"]


async def test_a_click_that_comes_twice_is_one_act(house: House) -> None:
    """Also when the process died after the first delivery."""
    session = await house.game(*ALL)
    click = mod(house)
    await session.pause(click)
    await house.restart()
    session = house.same(session)
    with pytest.raises(Refusal):
        await session.pause(click)
    assert await done(house, session) == ["pause"]


async def test_marks_name_a_moment_and_tell_nothing(house: House) -> None:
    """The same moment has the same mark, another one another; cast ballots do not change it, and
    it is not the hash that anybody could make of guesses.
    """
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    ply = session.playing.ply
    before = mark_of(session)
    question = ask_of(session, "vote").question
    await session.answer(house.click(BEA), question, "vote", ("nay",))
    nay = mark_of(session)
    await session.rewind(mod(house), ply, mark_of(session), knowing=True)
    assert mark_of(session) == before
    await session.answer(house.click(BEA), ask_of(session, "vote").question, "vote", ("aye",))
    assert mark_of(session) == nay
    trace = session.playing.entries[-1].trace
    assert mark_of(session) not in trace
    assert trace not in mark_of(session)
