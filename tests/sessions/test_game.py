"""A game through its session: answers, ballots, seats that change hands, crashes, restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import (
    BallotFace,
    ClosingFace,
    LobbyFace,
    NoticeFace,
    PingFace,
    Status,
    TableFace,
)
from bot.sessions.ports import DirectMessagesClosed, Refusal, Unreachable
from bot.sessions.session import Session
from bot.store.protocol import StoreBusy
from engines.kernel.journal import Branch, load_record
from tests.sessions.house import ANN, BEA, CID, DOT, House, first_value, toy_title
from tests.toy.senate import SENATE, Senate

ALL = (ANN, BEA, CID)


async def to_the_vote(house: House) -> Session:
    """A game of three at its first ballot."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    return session


def ask_of(session: Session, kind: str) -> Any:
    """The first open decision of a kind."""
    assert session.game is not None
    return next(d for d in session.game.asked if d.kind == kind and d.current is None)


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


async def test_sand_beats_a_late_click_and_never_a_timely_one(house: House) -> None:
    """A click counts by its arrival: in time although handled late, void although early handled."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await house.run(2)
    decision = ask_of(session, "spend")
    user = session.seats[decision.seat].user_id or 0
    (glass,) = session.sands.values()
    assert glass.since is not None
    deadline = glass.since + glass.left
    value = first_value(decision)
    timely = house.click(user, at=deadline - 0.1)
    house.registry.arrived(timely.interaction_id, timely.arrived)
    house.time.now = deadline + 0.2
    await house.registry.pump()
    await house.registry.desk.drain(2.0)
    assert [d.kind for d in session.playing.asked] == ["spend"]
    await session.answer(timely, decision.question, "spend", value)
    house.registry.handled(timely.interaction_id)
    assert session.playing.events[-1].event.kind != "coins_lost"

    await house.answer_all(session, until="spend")
    await house.run(2)
    decision = ask_of(session, "spend")
    user = session.seats[decision.seat].user_id or 0
    (glass,) = session.sands.values()
    assert glass.since is not None
    late = house.click(user, at=glass.since + glass.left)
    with pytest.raises(Refusal, match="time_up"):
        await session.answer(late, decision.question, "spend", first_value(decision))
    kinds = [e.event.kind for e in session.playing.events]
    assert "coins_lost" in kinds


async def test_sand_stands_still_while_the_bot_is_down_or_cut_off(house: House) -> None:
    """What was left is left: after a disconnect and after a restart."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await house.run(20)
    (glass,) = session.sands.values()
    house.registry.disconnected()
    left = glass.left_at(house.time.now)
    assert 38 <= left <= 41
    await house.run(300)
    assert session.sands[glass.question].left == left
    house.registry.connected()
    await house.run(11)
    await house.die()
    house.time.now += 5000
    await house.open()
    session = house.same(session)
    await house.run(0.5)
    (glass,) = session.sands.values()

    assert left - 11.5 <= glass.left_at(house.time.now) <= left - 4


async def test_a_commit_that_fails_changes_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk refuses the move; memory goes back to the journal; the next try counts."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    real = house.store.commit

    async def full(write: Any) -> None:
        if write.entries:
            raise StoreBusy("the disk is full")
        await real(write)

    monkeypatch.setattr(house.store, "commit", full)
    with pytest.raises(Refusal, match="not_saved"):
        await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    assert session.playing.ply == 0
    monkeypatch.undo()
    await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])

    assert (session.playing.ply, session.row.ply) == (1, 1)


async def test_a_cancelled_click_is_either_whole_or_not_at_all(house: House) -> None:
    """Cancelling the waiting handler leaves memory and disk in step."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    task = asyncio.create_task(
        session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    )
    for _ in range(3):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await house.registry.desk.drain(2.0)
    entries = await house.store.entries(session.id)

    assert len(entries) == session.playing.ply == session.row.ply


class Faulty(Senate):
    """A senate whose rules break when a law named by the test is proposed."""

    broken = True

    def setup(self, table: Any, content: Any, setting: Any) -> Any:
        state, rules = super().setup(table, content, setting)
        tell = table.tell

        def telling(kind: str, **data: Any) -> None:
            if kind == "proposed" and Faulty.broken:
                raise ZeroDivisionError("a fault in the rules")
            tell(kind, **data)

        table.tell = telling
        return state, rules


async def test_a_fault_in_the_rules_stops_only_its_own_table(tmp_path: Path) -> None:
    """The table is marked crashed with a reference and can be restored; no answer is lost."""
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    Faulty.broken = True
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    key = decision.keys()[:1]
    with pytest.raises(Refusal, match="crashed") as refused:
        await session.answer(house.click(user), decision.question, "propose", key)
    assert len(str(refused.value.facts["reference"])) == 8
    assert session.status is Status.CRASHED
    await house.run()
    assert [
        m.face.word for m in house.channel.of(NoticeFace) if isinstance(m.face, NoticeFace)
    ] == ["crashed"]
    with pytest.raises(Refusal, match="only_moderators"):
        await session.restore(house.click(ANN))
    await house.restart()
    session = house.same(session)
    Faulty.broken = False
    await session.restore(house.click(ANN, may_manage=True))
    assert session.status is Status.RUNNING
    await session.answer(house.click(user), decision.question, "propose", key)
    await house.run()
    lives = [m.face.live for m in house.channel.of(TableFace) if isinstance(m.face, TableFace)]
    assert lives == [False, True]
    await house.die()


async def test_restoring_leaves_out_the_answer_that_breaks_the_replay(tmp_path: Path) -> None:
    """New rules that fail on a stored answer: it stays in the journal behind a branch record."""
    Faulty.broken = False
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    entries = session.row.ply
    Faulty.broken = True
    await house.restart()
    session = house.same(session)
    assert session.status is Status.CRASHED
    await session.restore(house.click(ANN, may_manage=True))
    Faulty.broken = False
    records = await house.store.entries(session.id)

    assert session.playing.ply == 0
    assert len(records) == entries + 1
    assert load_record(records[-1].record, entries + 1) == Branch(1, 0)
    await house.answer_all(session, until="vote")
    await house.restart()
    assert house.same(session).playing.ply > 0
    await house.die()


async def test_a_new_round_has_a_new_table_message(house: House) -> None:
    """The old one loses its controls; the new one tells only what came after."""
    session = await house.game(*ALL)
    await house.run()
    await house.answer_all(session, until="take_chair")
    consul = ask_of(session, "take_chair")
    user = session.seats[consul.seat].user_id or 0
    await session.answer(house.click(user), consul.question, "take_chair", consul.keys()[:1])
    await house.run()
    faces = [m.face for m in house.channel.of(TableFace)]
    old, new = (face for face in faces if isinstance(face, TableFace))

    assert (old.live, new.live) == (False, True)
    assert old.snapshot.chapter_events[0].ply == 0
    assert all(e.ply > old.snapshot.chapter_events[-1].ply for e in new.snapshot.chapter_events)


async def test_calls_to_move_come_once_and_go_when_answered(house: House) -> None:
    """Nobody is called while clicking; after a quiet while one call, deleted by the answer."""
    session = await house.game(*ALL)
    await house.run(5)
    assert house.channel.of(PingFace) == []
    await house.run(60)
    (call,) = house.channel.of(PingFace)
    assert isinstance(call.face, PingFace)
    decision = ask_of(session, "propose")
    assert call.face.seat == decision.seat
    await house.run(60)
    assert len(house.channel.of(PingFace, deleted=True)) == 1
    user = session.seats[decision.seat].user_id or 0
    await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    await house.run(3)

    assert call.is_deleted


async def test_closed_direct_messages_cost_nothing(house: House) -> None:
    """Ballots that cannot be delivered are let go; the vote goes on through panels."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    await house.run(0.25)
    house.channel.failures["post"] = [DirectMessagesClosed() for _ in range(3)]
    session.version += 1
    house.registry.publisher.nudge(session)
    await house.run(3)
    await house.answer_all(session, until="spend")

    assert session.status is Status.RUNNING


async def test_publishing_is_tried_again_until_it_works(house: House) -> None:
    """Discord fails four times; the table message comes all the same, once."""
    house.channel.failures["post"] = [Unreachable() for _ in range(4)]
    session = await house.game(*ALL)
    await house.run(40)

    assert len(house.channel.of(TableFace)) == 1
    assert session.row.published_ply == session.row.ply


async def test_a_message_sent_but_not_stored_is_not_sent_twice(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed between the send and the store: soon after by its nonce, later by its mark."""
    for pause in (0, 600):
        if pause:
            await house.registry.in_channel(200).end(house.click(ANN))  # type: ignore[union-attr]
            await house.run(3)
        real = house.store.commit

        async def forgetful(write: Any, real: Any = real) -> None:
            if not write.posted:
                await real(write)

        monkeypatch.setattr(house.store, "commit", forgetful)
        session = await house.game(*ALL)
        await house.run(0.25)
        counts = [len(house.channel.of(kind)) for kind in (LobbyFace, TableFace)]
        monkeypatch.undo()
        await house.die()
        house.time.now += pause
        await house.open()
        await house.run(3)
        tables = [
            m for m in house.channel.of(TableFace) if isinstance(m.face, TableFace) and m.face.live
        ]
        assert len(tables) == 1
        assert [len(house.channel.of(kind)) for kind in (LobbyFace, TableFace)] == counts
        lobbies = [m.face for m in house.channel.of(LobbyFace)]
        assert all(f.snapshot.status != "lobby" for f in lobbies if isinstance(f, LobbyFace))
        assert house.same(session).live_message is not None


async def test_a_deleted_table_message_is_posted_afresh(house: House) -> None:
    """The next edit meets a gap: a new message with the same page takes its place."""
    session = await house.game(*ALL)
    await house.run()
    (table,) = house.channel.of(TableFace)
    table.is_deleted = True
    await house.answer_all(session, until="vote")
    await house.run(4)

    (fresh,) = house.channel.of(TableFace)
    assert isinstance(fresh.face, TableFace)
    assert fresh.face.live
    assert fresh.face.snapshot.chapter_events[0].ply == 0


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


async def test_nothing_is_refused_halfway_when_the_bot_stops(house: House) -> None:
    """Closing lets what was begun finish, then refuses with its own reason."""
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    click = house.click(user)
    running = asyncio.create_task(
        session.answer(click, decision.question, "propose", decision.keys()[:1])
    )
    await asyncio.sleep(0)
    await house.registry.close()
    result = await asyncio.gather(running, return_exceptions=True)
    entries = await house.store.entries(session.id)
    assert len(entries) == (0 if isinstance(result[0], Refusal) else 1)
    with pytest.raises(Refusal, match="shutting_down"):
        await session.answer(house.click(user), decision.question, "propose", ("x",))


def test_the_toy_is_the_real_toy() -> None:
    """The faulty senate differs from the toy in nothing but its fault."""
    assert Faulty().key == SENATE.key


async def test_a_table_cannot_be_restored_into_a_channel_that_another_one_holds(
    tmp_path: Path,
) -> None:
    """The moderator is told where the other table is, and the crashed one stays as it was."""
    house = await House(tmp_path / "data", toy_title(Faulty())).open()
    Faulty.broken = True
    session = await house.game(*ALL)
    decision = ask_of(session, "propose")
    user = session.seats[decision.seat].user_id or 0
    with pytest.raises(Refusal, match="crashed"):
        await session.answer(house.click(user), decision.question, "propose", decision.keys()[:1])
    other = await house.lobby(DOT)
    with pytest.raises(Refusal, match="channel_taken") as refused:
        await session.restore(house.click(ANN, may_manage=True))
    assert refused.value.facts["session"] == other.id
    assert session.status is Status.CRASHED
    await other.cancel(house.click(DOT))
    Faulty.broken = False
    await session.restore(house.click(ANN, may_manage=True))

    assert session.status is Status.RUNNING
    await house.die()


async def test_one_persons_unreachable_letters_do_not_hold_up_the_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a ballot cannot be delivered for now, the table message is kept up to date."""
    session = await house.game(*ALL)
    await house.run()
    real = house.channel.post

    async def failing(address: Any, face: Any, nonce: str) -> tuple[int, int]:
        if address.user_id is not None:
            raise Unreachable
        return await real(address, face, nonce)

    monkeypatch.setattr(house.channel, "post", failing)
    await house.answer_all(session, until="vote")
    await house.run(2)
    (table,) = house.channel.of(TableFace)
    assert isinstance(table.face, TableFace)
    assert {w.kind for w in table.face.snapshot.waiting} == {"vote"}
    monkeypatch.undo()
    await house.run(20)

    assert len(house.channel.of(BallotFace)) == 3


async def test_a_table_that_rests_loses_no_sand(house: House) -> None:
    """The channel goes while sand runs; restored days later, the glass goes on from there."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="spend")
    await house.run(20)
    await house.registry.channel_gone(session.channel_id)
    assert session.status is Status.ORPHANED
    (glass,) = session.sands.values()
    left = glass.left_at(house.time.now)
    await house.run(30)
    await house.restart()
    house.time.now += 90_000
    session = house.same(session)
    await session.restore(house.click(ANN, may_manage=True))
    (glass,) = session.sands.values()

    assert 30 < left < 45
    assert abs(glass.left_at(house.time.now) - left) < 0.01
