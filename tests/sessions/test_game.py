"""A game through its session: answers, ballots, seats that change hands, restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.sessions.faces import (
    BallotFace,
    ClosingFace,
    Status,
    TableFace,
)
from bot.sessions.ports import Refusal
from engines.kernel.journal import Branch, load_record
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, House, first_value
from tests.sessions.voting import ask_of, to_the_vote


async def test_a_whole_game_with_a_restart_after_every_answer(tmp_path: Path) -> None:
    """However often the process dies, the game goes on to the same end as without."""
    endings: list[tuple[object, int]] = []
    for restarts in (False, True):
        house = await House(tmp_path / f"data{restarts}").open()
        session = await house.game(*ALL)
        for _ in range(400):
            if session.status is Status.FINISHED:
                break
            assert session.game is not None
            decision = next(d for d in session.game.asked if d.current is None)
            user = session.seats[decision.seat].user_id
            assert user is not None
            await session.answer(
                house.click(user), decision.question, decision.kind, first_value(decision)
            )
            if restarts and session.status is Status.RUNNING:
                await house.run(0.5)
                await house.restart()
                session = house.same(session)
        await house.run(3)
        assert session.status is Status.FINISHED
        assert len(house.channel.of(ClosingFace)) == 1
        live = [m.face for m in house.channel.of(TableFace)]
        assert not any(isinstance(face, TableFace) and face.live for face in live)
        assert len({m.nonce for m in house.channel.messages.values()}) == len(
            house.channel.messages
        )
        endings.append((session.row.outcome and "ended", session.row.ply > 10))
        await house.die()
    assert endings[0] == endings[1]


async def test_wrong_person_wrong_option_stale_question(house: House) -> None:
    """Each is refused with its reason, and the journal stays as long as it was."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    asked = session.seats[decision.seat].user_id
    other = next(user for user in ALL if user != asked)
    tries = (
        (other, decision.question, "propose", decision.keys()[:1], "not_your_move"),
        (asked, decision.question, "propose", ("nonsense",), "not_an_option"),
        (asked, decision.question, "forged", decision.keys()[:1], "not_an_option"),
        (asked, 77, "propose", decision.keys()[:1], "stale"),
        (DOT, decision.question, "propose", decision.keys()[:1], "not_seated"),
    )
    for user, question, kind, keys, problem in tries:
        with pytest.raises(Refusal, match=problem):
            await session.answer(house.click(user or 0), question, kind, keys)

    assert session.row.ply == 0


async def test_the_same_click_delivered_twice_counts_once(house: House) -> None:
    """Two deliveries in one tick, and one more after a restart: one entry."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    click = house.click(session.seats[decision.seat].user_id or 0)
    arguments = (click, decision.question, "propose", decision.keys()[:1])
    results = await asyncio.gather(
        session.answer(*arguments), session.answer(*arguments), return_exceptions=True
    )
    assert [r.problem for r in results if isinstance(r, Refusal)] == ["already_counted"]
    assert session.row.ply == 1
    await house.restart()
    with pytest.raises(Refusal):
        await house.same(session).answer(*arguments)

    assert house.same(session).row.ply == 1


async def test_a_ballot_may_change_until_the_last_one_is_in(house: House) -> None:
    """Each voter has a ballot by DM; casting again replaces; the channel learns only who is out."""
    session = await to_the_vote(house)
    await house.run()
    assert len(house.channel.of(BallotFace)) == 3
    for user, vote in ((ANN, "aye"), (BEA, "nay"), (ANN, "nay")):
        seat = session.seat_of(user)
        assert session.game is not None
        decision = next(d for d in session.game.asked if d.seat == seat)
        await session.answer(house.click(user), decision.question, "vote", (vote,))
    snapshot = await session.snapshot()
    assert [w.seat for w in snapshot.waiting] == [session.seat_of(CID)]
    assert snapshot.public_asked == ()
    await session.answer(house.click(CID), ask_of(session, "vote").question, "vote", ("aye",))
    await house.run()
    snapshot = await session.snapshot()
    tally = [e.event.data for e in snapshot.chapter_events if e.event.kind == "voted"]

    assert tally[0]["nays"] == 2
    ballots = [m.face for m in house.channel.of(BallotFace)]
    assert not any(isinstance(face, BallotFace) and face.open for face in ballots)


async def test_a_seat_taken_over_during_the_vote_starts_with_an_empty_ballot(
    house: House,
) -> None:
    """The ballot cast before is withdrawn by an entry of its own; the newcomer is asked."""
    session = await to_the_vote(house)
    question = ask_of(session, "vote").question
    await session.answer(house.click(BEA), question, "vote", ("nay",))
    before = session.row.ply
    await session.hand_over(house.click(BEA), name="Computer 1")
    entries = await house.store.entries(session.id)
    withdrawn = load_record(entries[-1].record, 1)
    assert session.row.ply == before + 1
    assert not isinstance(withdrawn, Branch)
    assert withdrawn.value is None
    seat = next(row.seat for row in session.seats.values() if row.user_id is None)
    look = await session.take_over(house.click(DOT), seat)

    assert [d.current for d in look.asked] == [None]
    await house.run()
    opened = [
        m
        for m in house.channel.of(BallotFace)
        if isinstance(m.face, BallotFace) and m.face.open and m.place.user_id == DOT
    ]
    assert len(opened) == 1


async def test_a_draft_survives_a_restart_and_is_cast(house: House) -> None:
    """Tokens of an allotment are marked one by one; too alike is refused; then it counts."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    decision = ask_of(session, "spend")
    user = session.seats[decision.seat].user_id or 0
    for index in range(decision.shape.most):
        await session.draft(house.click(user), decision.question, index, "bath")
    await house.restart()
    session = house.same(session)
    look = await session.look(user)
    assert look.draft == ("bath",) * decision.shape.most
    with pytest.raises(Refusal, match="too_alike"):
        await session.cast(house.click(user), decision.question)
    with pytest.raises(Refusal, match="no_such_vote"):
        await session.draft(house.click(user), decision.question, 99, "road")
    await session.draft(house.click(user), decision.question, 0, "road")
    answered = await session.cast(house.click(user), decision.question)

    assert answered.value[0] == "road"


async def test_computer_players_play_a_game_to_its_end(house: House) -> None:
    """One person leaves everything to the machine's company; the game ends by itself."""
    session = await house.game(ANN, computers=2)
    for _ in range(200):
        await house.run(1.25)
        if session.status is Status.FINISHED:
            break
        assert session.game is not None
        mine = [d for d in session.game.asked if d.seat == 0 and d.current is None]
        if mine:
            await session.answer(
                house.click(ANN), mine[0].question, mine[0].kind, first_value(mine[0])
            )

    assert session.status is Status.FINISHED


async def test_the_last_person_to_leave_ends_the_table(house: House) -> None:
    """With nobody left but computer players the game is over and the channel free; the history
    still knows who played.
    """
    session = await house.game(ANN, computers=2)
    await session.hand_over(house.click(ANN), name="Computer 3")
    await house.run(3)

    assert session.status is Status.ABANDONED
    (line,) = await house.registry.finished(100)
    assert line.seats[0] == "Ann"
    assert "Computer 3" not in line.seats
    assert house.registry.in_channel(200) is None
