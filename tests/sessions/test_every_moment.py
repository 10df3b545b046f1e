"""Whoever leaves, does not answer, or ends the table, at whatever moment of whatever game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.sessions.faces import BallotFace, ClosingFace, NoticeFace, Status, TableFace
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from engines.kernel.chance import Chance
from engines.kernel.decision import CLOCK
from engines.kernel.playthrough import QUESTIONS
from engines.kernel.table import Entry
from tests.driving import one_step
from tests.sessions.house import ANN, MOD, House
from tests.sessions.live_table import LIVE
from tests.sessions.moments import Moment, every_moment, game_number, kinds, lay

GAMES = tuple(titles.KEYS)

pytestmark = pytest.mark.timeout(300)


def found(key: str) -> Sequence[Moment]:
    """The moments of a game, which are the same for every test."""
    return every_moment(titles.load(key))


async def laid(folder: Path, key: str, **options: Any) -> tuple[House, list[Session]]:
    """A house with a table at each moment."""
    house = await House(folder, titles.load(key)).open()
    sessions = await lay(house, list(found(key)), **options)
    for session in sessions:
        await session.snapshot()
    await house.run(3, step=0.1)
    return house, sessions


def waits_for(session: Session, seat: int, kind: str) -> bool:
    """Whether that seat is out for such a question, or could play such a card."""
    game = session.playing
    return any(
        (one.seat, one.kind) == (seat, kind) and one.current is None
        for one in (*game.asked, *game.offers)
    )


def told(house: House, session: Session) -> list[tuple[str, int | None]]:
    """The notices in a table's channel."""
    return [
        (m.face.word, m.face.seat)
        for m in house.channel.of(NoticeFace)
        if isinstance(m.face, NoticeFace) and m.place.channel_id == session.channel_id
    ]


def controls(house: House, session: Session) -> list[str]:
    """The messages of a table that can still be clicked, its letters too."""
    kept: list[str] = []
    for message in house.channel.messages.values():
        face, mark = message.face, message.face.mark
        if message.is_deleted or not mark.startswith(session.code):
            continue
        is_open = isinstance(face, BallotFace) and face.open
        if is_open or (isinstance(face, TableFace) and face.live):
            kept.append(mark)
    return kept


def check_over(house: House, session: Session, word: str) -> None:
    """GAM-24: told once, nothing left to click, the channel and the seats free, nothing owed."""
    assert session.status is Status.ABANDONED
    assert [one for one, _ in told(house, session)].count(word) == 1
    assert controls(house, session) == []
    assert house.registry.in_channel(session.channel_id) is None
    assert session not in house.registry.of_user(ANN)
    assert [row.purpose for row in session.messages.values() if row.want == "post"] == []


@pytest.mark.parametrize("key", GAMES)
async def test_somebody_leaves_whatever_is_asked(tmp_path: Path, key: str) -> None:
    """MEM-03: for every kind of question of every game: whoever is asked leaves the server. Within
    ten seconds a computer player has answered, the table is told once, and it waits for nobody who
    is not there. GAM-24: when the last one has left too, the game is over for everybody to see.
    """
    house, sessions = await laid(tmp_path, key)
    assert {moment.kind for moment in found(key)} == kinds(house.title)
    try:
        for moment, session in zip(found(key), sessions, strict=True):
            assert waits_for(session, moment.seat, moment.kind), moment.kind
            shared = any(
                one.shared and (one.seat, one.kind) == (moment.seat, moment.kind)
                for one in session.playing.asked
            )
            before = len(session.playing.entries)
            user, host = session.persons()[moment.seat], session.host_id
            assert await session.gone(user, "Agatha")
            await house.run(9, step=1)
            new_host = [] if user != host else [("host", session.seat_of(session.host_id or 0))]
            assert told(house, session) == [("gone", moment.seat), *new_host]
            if not moment.offered and not (shared and session.persons()):
                entry = session.playing.entries[before]
                assert (entry.seat, entry.kind, entry.by) == (moment.seat, moment.kind, "agent")
            for seat, user in session.persons().items():
                if session.status is Status.RUNNING:
                    assert await session.gone(user, f"Barnaby {seat}")
            await house.run(3, step=1)
            if session.status is not Status.FINISHED:
                check_over(house, session, "abandoned")
    finally:
        await house.die()


@pytest.mark.parametrize("key", GAMES)
async def test_nobody_answers_whatever_is_asked(tmp_path: Path, key: str) -> None:
    """GAM-01, GAM-02, RULE-E29: for every kind of question: with a pace the time begins when it is
    seen, and when it is over the clock has answered it. What may be played unasked costs nothing.
    """
    house, sessions = await laid(tmp_path, key, pace="live")
    try:
        before = [len(session.playing.entries) for session in sessions]
        for session in sessions:
            clocks = [clock.since is not None for clock in session.clocks.values()]
            assert clocks
            assert session.playing.timers or any(clocks)
        await house.run(LIVE - 10, step=5)
        assert [len(session.playing.entries) for session in sessions] == before
        await house.run(20, step=1)
        for moment, session, first in zip(found(key), sessions, before, strict=True):
            given = session.playing.entries[first:]
            if not moment.offered:
                assert (moment.seat, moment.kind, "clock") in {
                    (one.seat, one.kind, one.by) for one in given
                } or not waits_for(session, moment.seat, moment.kind), moment.kind
            assert given, moment.kind
            assert {one.by for one in given} == {"clock"}
    finally:
        await house.die()


@pytest.mark.parametrize("key", GAMES)
async def test_it_is_ended_whatever_is_asked(tmp_path: Path, key: str) -> None:
    """GAM-24: at every moment the host, or (by turns) a moderator, can end the table: a notice, no
    controls, the channel and everybody's seats free; clicks on what was open are told that it is
    over.
    """
    house, sessions = await laid(tmp_path, key)
    try:
        for moment, session in zip(found(key), sessions, strict=True):
            decision = next(
                one
                for one in (*session.playing.asked, *session.playing.offers)
                if (one.seat, one.kind) == (moment.seat, moment.kind)
            )
            user = session.persons()[moment.seat]
            who = ("host", "moderator")[session.id % 2]
            by = house.click(MOD, may_manage=True) if who == "moderator" else house.click(ANN)
            await session.end(by)
            await house.run(2, step=1)
            check_over(house, session, "ended" if who == "moderator" else "abandoned")
            with pytest.raises(Refusal, match="game_over"):
                await session.answer(
                    house.click(user), decision.question, decision.kind, decision.keys()[:1]
                )
        assert not house.channel.of(ClosingFace)
    finally:
        await house.die()


@pytest.mark.parametrize("key", GAMES)
async def test_nobody_else_can_answer_whatever_is_asked(tmp_path: Path, key: str) -> None:
    """GAM-11: at every moment whoever is not asked, out of the game or not, whoever sits at another
    table only, and strangers are refused, and the journal stays as it is.
    """
    house, sessions = await laid(tmp_path, key)
    stranger = 77
    try:
        refused = 0
        for session in sessions:
            asked = (*session.playing.asked, *session.playing.offers)
            before = len(session.playing.entries)
            for decision in asked:
                may = {
                    session.persons()[one.seat]
                    for one in asked
                    if (one.question, one.kind) == (decision.question, decision.kind)
                }
                for user in {*range(1, 9), stranger} - may:
                    with pytest.raises(Refusal) as told:
                        await session.answer(
                            house.click(user), decision.question, decision.kind, decision.keys()[:1]
                        )
                    words = ("not_your_move", "stale", "not_seated", "not_an_option")
                    assert told.value.problem in words
                    refused += 1
            assert len(session.playing.entries) == before
        assert refused > 50
    finally:
        await house.die()


def last_moments(key: str) -> dict[str, Moment]:
    """Of some games the moment before the answer that ends them, by how they end."""
    title = titles.load(key)
    found: dict[str, Moment] = {}
    for number in range(1, 25):
        play, agent = game_number(title, number)
        rng = Chance(b"%d" % number)
        while play.outcome is None:
            one_step(play, agent, rng)
        *before, last = play.entries
        if play.outcome.ending not in found:
            moment = Moment(play.header, tuple(before), last.kind, last.seat, offered=False)
            found[play.outcome.ending] = moment
            _LAST[key, play.outcome.ending] = last
        play.close()
    return found


_LAST: dict[tuple[str, str], Entry] = {}


@pytest.mark.parametrize("key", GAMES)
async def test_every_ending_is_told_once(tmp_path: Path, key: str) -> None:
    """GAM-24: the answer, or the last grain of sand, that ends a game brings the closing message
    once, takes every control away, and frees the channel and everybody's seat.
    """
    endings = last_moments(key)
    assert len(endings) > 1
    house = await House(tmp_path, titles.load(key)).open()
    sessions = await lay(house, list(endings.values()))
    try:
        for (ending, moment), session in zip(endings.items(), sessions, strict=True):
            await session.snapshot()
            await house.run(2, step=0.5)
            last = _LAST[key, ending]
            user = session.persons().get(moment.seat, ANN)
            if moment.seat == CLOCK:
                await house.run(session.playing.timers[0].seconds + 5, step=5)
            else:
                question = last.question + session.playing.branch * QUESTIONS
                await session.answer(house.click(user), question, last.kind, last.value or ())
            await house.run(4, step=0.5)
            assert session.status is Status.FINISHED
            assert session.playing.outcome is not None
            assert session.playing.outcome.ending == ending
            told = [
                m for m in house.channel.of(ClosingFace) if m.place.channel_id == session.channel_id
            ]
            assert len(told) == 1
            assert controls(house, session) == []
            assert house.registry.in_channel(session.channel_id) is None
            assert session not in house.registry.of_user(user)
    finally:
        await house.die()
