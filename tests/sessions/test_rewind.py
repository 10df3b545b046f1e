"""Rewinding: the table goes on from an earlier answer, and everything on Discord follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import BallotFace, NoticeFace, PingFace, Status, TableFace
from bot.sessions.moves import mark_of, moves_of
from bot.sessions.pledge import key_of
from bot.sessions.ports import Refusal
from bot.tools import verify
from bot.tools.public_records import Drawn
from engines.kernel.journal import Branch, load_record
from tests.sessions.faulty import full_disk
from tests.sessions.house import ALL, ANN, BEA, MOD, House, first_value
from tests.sessions.rewinding import play_on, rewind
from tests.sessions.voting import with_sand


@pytest.mark.parametrize("back", [1, 3, 100])
@pytest.mark.parametrize("restarts", [False, True])
async def test_the_table_is_as_it_was_after_that_answer(
    house: House, back: int, restarts: bool
) -> None:
    """One, three and all answers taken back: same hash as recorded then, nothing deleted, and a
    branch record names the answer it goes on from. A restart in between changes nothing.
    """
    session = await house.game(*ALL)
    traces = await play_on(house, session, 13)
    moves = moves_of(session.playing)
    keep = max(0, 13 - back)
    before = len(await house.store.entries(session.id))
    await rewind(house, session, keep)
    if restarts:
        await house.restart()
        session = house.same(session)
    await session.snapshot()
    records = await house.store.entries(session.id)

    assert session.playing.ply == keep
    assert [e.trace for e in session.playing.entries] == traces[:keep]
    assert len(records) == before + 1
    assert load_record(records[-1].record, 0) == Branch(1, keep, "moderator")
    assert str(MOD) not in records[-1].record
    (act,) = await house.store.acts(session.guild_id)
    assert (act.what, act.by, act.facts["branch"]) == ("rewind", MOD, 1)
    assert act.facts == {"branch": 1, "left_out": len([ply for ply in moves if ply > keep])}
    await play_on(house, session, 5)


async def test_known_dice_do_not_come_again(house: House) -> None:
    """The draws after a branch are made under its own key, and the record says how often."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    keep = session.playing.ply
    await play_on(house, session, 1)
    rolls: list[int] = []
    for _ in range(8):
        omen = [d for d in session.playing.chance.ledger if d.purpose == "omen"][-1]
        rolls.append(omen.result)
        await rewind(house, session, keep)
        await play_on(house, session, 1)
    branches = {d.branch for d in session.playing.chance.ledger if d.purpose == "omen"}

    assert len(set(rolls)) > 1
    assert branches == {8}


async def test_messages_follow(house: House) -> None:
    """The old table message loses its controls, a new one shows that moment with what led there,
    calls to move and ballots of the undone vote are taken back, and a notice says what happened.
    """
    session = await house.game(*ALL)
    await house.run(45)
    assert len(house.channel.of(PingFace)) == 1
    await play_on(house, session, 1)
    proposed = session.playing.ply
    await house.answer_all(session, until="vote")
    await house.run(3)
    ballots = house.channel.of(BallotFace)
    assert len(ballots) == 3
    await session.answer(house.click(BEA), session.playing.asked[0].question, "vote", ("nay",))
    await rewind(house, session, proposed)
    await house.run(3)
    tables = [m.face for m in house.channel.of(TableFace)]
    live = [face for face in tables if isinstance(face, TableFace) and face.live]

    assert len(live) == 1
    assert live[0] is tables[-1]
    assert live[0].snapshot.ply == proposed
    assert [e.event.kind for e in live[0].snapshot.chapter_events][-1] == "proposed"
    assert {w.kind for w in live[0].snapshot.waiting} == {"before_vote"}
    assert not any(isinstance(m.face, BallotFace) and m.face.open for m in ballots)
    assert house.channel.of(PingFace) == []
    words = [m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)]
    assert words == ["rewound"]
    await house.answer_all(session, until="vote")
    await house.run(3)
    again = [
        m for m in house.channel.of(BallotFace) if isinstance(m.face, BallotFace) and m.face.open
    ]
    assert len(again) == 3
    assert not {m.nonce for m in again} & {m.nonce for m in ballots}


@pytest.mark.parametrize("restarts", [False, True])
async def test_stale_controls_stay_stale(house: House, restarts: bool) -> None:
    """An old button is refused even where the very same question, or one with its old number, is
    asked again after the rewind.
    """
    session = await house.game(*ALL)
    old: list[Any] = []
    for _ in range(6):
        decision = next(d for d in session.playing.asked if d.current is None)
        old.append(decision)
        await play_on(house, session, 1)
    await rewind(house, session, 1)
    if restarts:
        await house.restart()
        session = house.same(session)
        await session.snapshot()
    for _ in range(6):
        for decision in old:
            user = session.seats[decision.seat].user_id or 0
            with pytest.raises(Refusal, match="stale"):
                await session.answer(
                    house.click(user), decision.question, decision.kind, first_value(decision)
                )
        await play_on(house, session, 1)


async def test_sand_is_as_it_was_at_that_answer(house: House) -> None:
    """What was left when the answer before was given is left again, not what has run since."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    keep = session.playing.ply
    await house.run(25)
    (glass,) = session.sands.values()
    assert glass.left_at(house.time.now) < 40
    await play_on(house, session, 2)
    assert session.sands == {}
    await rewind(house, session, keep)
    (glass,) = session.sands.values()
    assert glass.left == 60.0
    assert glass.since is None
    await house.run(2)
    assert session.sands[glass.question].since is not None
    await house.run(10)
    left = session.sands[glass.question].left_at(house.time.now)
    await house.restart()
    again = house.same(session).sands
    assert [abs(g.left - left) < 6 for g in again.values()] == [True]


async def test_sand_in_the_middle_of_a_question_comes_back_too(tmp_path: Path) -> None:
    """An answer given while sand ran stores what was left; going back to it brings that back."""
    from tests.e2e.script import Question, script

    house = await House(
        tmp_path / "data", script(Question("pick", 3, seconds=100), Question("pick", 3, seats=(0,)))
    ).open()
    session = await house.game(ANN, BEA)
    await house.run(30)
    first = next(d for d in session.playing.asked if d.seat == 0)
    await session.answer(house.click(ANN), first.question, "pick", first.keys()[:1])
    (glass,) = session.sands.values()
    left = glass.left_at(house.time.now)
    await house.run(40)
    second = next(d for d in session.playing.asked if d.seat == 1)
    await session.answer(house.click(BEA), second.question, "pick", second.keys()[:1])
    await rewind(house, session, 1)

    (glass,) = session.sands.values()
    assert abs(glass.left - left) < 0.01
    assert left < 75
    await house.die()


async def test_computer_players_are_woken(house: House) -> None:
    """After a rewind to a moment at which a computer was to move, it moves again."""
    session = await house.game(ANN, computers=2)
    for _ in range(40):
        await house.run(1.25)
        await house.answer_all_people(session)
        if session.playing.ply > 6:
            break
    assert session.playing.ply > 6
    keep = next(n for n, e in enumerate(session.playing.entries) if e.by == "agent" and n > 0)
    await rewind(house, session, keep)
    assert session.playing.ply == keep
    await house.run(3)
    assert session.playing.ply > keep


async def test_it_is_asked_twice_if_something_was_seen(house: House) -> None:
    """Dice or hidden cards since then: refused until it is done knowingly. Who sits there has to
    say so always, so that the answer tells nothing about what others have seen.
    """
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await play_on(house, session, 1)
    length = session.row.ply
    click = house.click(MOD, may_manage=True)
    with pytest.raises(Refusal, match="rewind_reveals"):
        await session.rewind(click, 1, mark_of(session))
    assert session.row.ply == length
    await house.answer_all(session, until="before_vote")
    with pytest.raises(Refusal, match="rewind_reveals"):
        await session.rewind(house.click(MOD, may_manage=True), length, mark_of(session))
    await play_on(house, session, 1)
    keep = session.playing.ply - 1
    with pytest.raises(Refusal, match="rewind_reveals"):
        await session.rewind(house.click(BEA, may_manage=True), keep, mark_of(session))
    await session.rewind(house.click(MOD, may_manage=True), keep, mark_of(session))

    assert session.playing.ply == keep


async def test_refusals(house: House) -> None:
    """Not for players, not to the present or the future, not by a list that is out of date."""
    session = await house.game(*ALL)
    await play_on(house, session, 3)
    length, mark = session.row.ply, mark_of(session)
    with pytest.raises(Refusal, match="only_moderators"):
        await session.rewind(house.click(ANN), 1, mark, knowing=True)
    for keep in (3, 4, -1):
        with pytest.raises(Refusal, match="stale"):
            await rewind(house, session, keep)
    await house.answer_all(session, until="spend")
    with pytest.raises(Refusal, match="stale"):
        await session.rewind(house.click(MOD, may_manage=True), 1, mark, knowing=True)
    assert session.row.ply > length
    assert await house.store.acts(session.guild_id) == ()
    await session.end(house.click(ANN))
    with pytest.raises(Refusal, match="game_over"):
        await rewind(house, session, 1)


async def test_a_rewind_that_cannot_be_saved_changes_nothing(house: House) -> None:
    """The disk is full: the table stays where it was, sand and all, and can be played on."""
    session = await with_sand(house, 20)
    ply, question = session.playing.ply, session.playing.asked[0].question
    (glass,) = session.sands.values()
    left = glass.left_at(house.time.now)
    with full_disk(house), pytest.raises(Refusal, match="not_saved"):
        await rewind(house, session, 1)

    assert session.playing.ply == ply
    assert session.playing.asked[0].question == question
    (glass,) = session.sands.values()
    assert abs(glass.left_at(house.time.now) - left) < 0.01
    await play_on(house, session, 2)
    assert await house.store.acts(session.guild_id) == ()


async def test_a_paused_table_can_be_taken_back_and_stays_paused(house: House) -> None:
    """The moment of the rewind is shown at once; it is played on only after the pause."""
    session = await house.game(*ALL)
    await play_on(house, session, 4)
    await session.pause(house.click(MOD, may_manage=True))
    await rewind(house, session, 2)
    await house.restart()
    session = house.same(session)
    await house.run(3)
    assert session.status is Status.PAUSED
    (live,) = [
        m.face for m in house.channel.of(TableFace) if isinstance(m.face, TableFace) and m.face.live
    ]
    assert live.snapshot.ply == 2
    await session.resume(house.click(MOD, may_manage=True))
    await play_on(house, session, 3)


async def test_a_game_that_was_taken_back_can_be_verified(house: House) -> None:
    """The public record lists the branches, and every open draw follows from the secret."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await play_on(house, session, 3)
    kept = [len([ply for ply in moves_of(session.playing) if ply <= 5])]
    await rewind(house, session, 5)
    await play_on(house, session, 6)
    kept.append(len([ply for ply in moves_of(session.playing) if ply <= 3]))
    await rewind(house, session, 3)
    for _ in range(300):
        if session.status is Status.FINISHED:
            break
        await play_on(house, session, 1)
    record = await session.public_record()
    header = record["header"]
    key = key_of(bytes.fromhex(header["secret"]), header["start"])
    draws = [Drawn(**draw) for draw in record["ledger"]]

    assert header["branches"] == 2
    assert record["taken_back"] == [
        {"branch": number, "after": after, "by": "moderator"}
        for number, after in enumerate(kept, 1)
    ]
    assert {draw.branch for draw in draws} == {0, 2}
    opened = [draw for draw in draws if not draw.hidden]
    assert [verify.drawn(key, draw) for draw in opened] == [draw.result for draw in opened]
