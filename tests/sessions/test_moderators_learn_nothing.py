"""What a moderator gets is the same whatever is hidden: hands, ballots cast, drafts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import MotionFace, NoticeFace
from bot.sessions.giving import NewSitter
from bot.sessions.moves import mark_of
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.ui import moderators
from tests.leaks import Rigged
from tests.sessions.house import ALL, ANN, BEA, CID, DOT, MOD, House, toy_title
from tests.sessions.voting import ask_of
from tests.toy.senate import SENATE, State


def say(path: str, **facts: object) -> str:
    """Words for a log line."""
    return f"{path} {facts}"


async def outputs(house: House, session: Session, user: int) -> Sequence[object]:
    """Everything that a moderator can get of a table, one after the other."""
    got: list[object] = []

    async def look() -> None:
        snapshot = await session.snapshot()
        got.append(replace(snapshot, pledge=""))
        got.append(await session.moments())
        got.append(replace(await session.check(), reference=""))
        got.append(mark_of(session))

    def mod() -> Any:
        return house.click(user, may_manage=True)

    async def rewind(keep: int, *, knowing: bool = False) -> None:
        try:
            await session.rewind(mod(), keep, mark_of(session), knowing=knowing)
        except Refusal as refusal:
            got.append((refusal.problem, dict(refusal.facts)))
        await look()

    await look()
    for keep in reversed(range(session.playing.ply)):
        await rewind(keep)
    await session.note_look(mod(), "inspect")
    await session.give_seat(mod(), 2, NewSitter(DOT, "Dot"))
    await house.run(2)
    await session.pause(mod())
    await look()
    await session.resume(mod())
    await session.give_seat(mod(), 2, NewSitter(None, "Computer 1"))
    await house.run(0.75)
    await look()
    await rewind(0, knowing=True)
    await house.run(0.5)
    await look()
    rows = await house.store.acts(session.guild_id)
    got.append(moderators.log_lines([replace(row, code="") for row in rows], say))
    still = await session.snapshot()
    still = replace(still, pledge="")
    for message in house.channel.messages.values():
        # Which moment a message catches is a matter of milliseconds; the looks above are exact.
        got += [
            replace(face, mark="", snapshot=still)
            for face in message.faces
            if isinstance(face, (NoticeFace, MotionFace))
        ]
    await session.end(mod())
    return got


@pytest.mark.parametrize("user", [MOD, ANN])
@pytest.mark.parametrize("hidden", ["hands", "ballot", "draft"])
async def test_it_is_the_same_whatever_is_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, user: int, hidden: str
) -> None:
    """Two tables that differ in two hands, in a ballot that was cast, or in what is marked on one,
    give a moderator, seated or not, the same outputs to the last letter.
    """
    found: list[Sequence[object]] = []
    for other in (False, True):

        def swap(state: State, other: bool = other) -> None:
            if other and hidden == "hands":
                state.hands[1], state.hands[2] = state.hands[2], state.hands[1]

        house = await House(tmp_path / f"data{other}", toy_title(Rigged(SENATE, swap))).open()
        with monkeypatch.context() as patched:
            patched.setattr(secrets, "token_bytes", lambda count: b"\x07" * count)
            patched.setattr(secrets, "choice", lambda letters: letters[7])
            session = await house.game(*ALL)
        if hidden == "draft":
            await house.answer_all(session, until="spend")
            decision = ask_of(session, "spend")
            owner = session.seats[decision.seat].user_id or 0
            key = "road" if other else "bath"
            await session.draft(house.click(owner), decision.question, 0, key)
        else:
            await house.answer_all(session, until="vote")
            vote = "nay" if other and hidden == "ballot" else "aye"
            question = ask_of(session, "vote").question
            await session.answer(house.click(BEA), question, "vote", (vote,))
        found.append(await outputs(house, session, user))
        await house.die()

    assert len(found[0]) == len(found[1]) > 15
    for one, two in zip(*found, strict=True):
        assert one == two


def unseen(house: House, session: Session, revisions: int) -> Any:
    """Bea's ballot, cast anew so many times, with time in between."""

    async def vote() -> None:
        question = ask_of(session, "vote").question
        for number in range(revisions + 1):
            value = "nay" if number % 2 else "aye"
            await session.answer(house.click(BEA), question, "vote", (value,))
            house.time.now += 40

    return vote()


async def told_of(house: House, session: Session) -> Sequence[object]:
    """What a moderator can get that speaks of how far the game is, now and later."""
    moments = await session.moments()
    number = {ply: move for move, ply in enumerate(moments.moves, 1)}
    lines = [(number.get(e.ply, 0), e.event.kind, dict(e.event.data)) for e in moments.events]
    points = moments.points, moments.branches, moments.mark, moments.is_open
    return [await session.check(), points, lines, session.row.touched_at, session.status]


async def test_no_count_tells_that_somebody_changed_a_ballot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables of which one has seen three ballots cast anew look the same to the last letter:
    while the vote is open, once it is closed, after a rewind and in the log of acts.
    """
    found: list[list[object]] = []
    for revisions in (0, 6):
        house = await House(tmp_path / f"data{revisions}", toy_title()).open()
        with monkeypatch.context() as patched:
            patched.setattr(secrets, "token_bytes", lambda count: b"\x07" * count)
            patched.setattr(secrets, "choice", lambda letters: letters[7])
            session = await house.game(*ALL)
        await house.answer_all(session, until="vote")
        before = await told_of(house, session)
        opened = session.row.touched_at
        await unseen(house, session, revisions)
        assert session.row.touched_at == opened
        # Where the clock stands is not the tables' doing.
        house.time.now = 5000.0
        got = [before, await told_of(house, session)]
        for user in (ANN, CID):
            vote = ask_of(session, "vote").question
            await session.answer(house.click(user), vote, "vote", ("nay",))
        got.append(await told_of(house, session))
        moments = await session.moments()
        await session.pause(house.click(MOD, may_manage=True))
        got.append(await told_of(house, session))
        keep = moments.keep(len(moments.moves) - 1)
        click = house.click(MOD, may_manage=True)
        await session.rewind(click, keep, moments.mark, knowing=True)
        got += [await told_of(house, session), session.playing.ply]
        acts = await house.store.acts(session.guild_id)
        got.append([(act.what, dict(act.facts)) for act in acts])
        found.append([repr(one) for one in got])
        await house.die()
    assert found[0] == found[1]


async def test_a_list_of_moves_is_not_out_of_date_for_a_secret_answer(house: House) -> None:
    """A ballot cast since a moderator looked does not show as a refusal; a move does."""
    session = await house.game(*ALL)
    await house.answer_all(session, until="vote")
    moments = await session.moments()
    question = ask_of(session, "vote").question
    await session.answer(house.click(BEA), question, "vote", ("aye",))
    assert (await session.moments()).mark == moments.mark
    for user in (ANN, CID):
        await session.answer(house.click(user), question, "vote", ("nay",))
    with pytest.raises(Refusal, match="stale"):
        await session.rewind(house.click(MOD, may_manage=True), 0, moments.mark, knowing=True)
