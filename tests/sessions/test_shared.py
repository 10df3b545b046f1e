"""Questions that any of several seats may answer: who sees them, who answers, who is called."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from bot.sessions.faces import PingFace, TableFace
from bot.sessions.ports import Refusal
from bot.sessions.session import Session
from bot.sessions.showing import public_asked
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Option, several
from engines.kernel.game import Agent, Choice
from engines.kernel.table import Table
from tests.e2e.script import Question, calm, script
from tests.kernel.small import Notes, start
from tests.sessions.house import ANN, BEA, CID, DOT, House

ALL = Question("step", 3, shared=True)


async def scripted(folder: Path, *questions: Question, agent: Agent[Any] = calm) -> House:
    """A bot whose game asks these questions."""
    return await House(folder / "data", script(*questions, agent=agent)).open()


def seats_of(asked: Sequence[Any]) -> list[int]:
    """Who is asked, or waited for."""
    return [one.seat for one in asked]


async def step(house: House, session: Session, user: int, *keys: str) -> None:
    """A person answers the open question, whoever is asked."""
    decision = session.playing.asked[0]
    await session.answer(house.click(user), decision.question, decision.kind, keys)


async def test_a_shared_question_is_shown_to_all_and_answered_by_any(tmp_path: Path) -> None:
    """All asked seats stand in the snapshot with their choices; the answer is the clicker's own."""
    house = await scripted(tmp_path, ALL, ALL)
    session = await house.game(ANN, BEA, CID)
    snapshot = await session.snapshot()
    assert seats_of(snapshot.public_asked) == [0, 1, 2]
    assert [(one.seat, one.shared) for one in snapshot.waiting] == [(n, True) for n in range(3)]
    assert seats_of((await session.look(CID)).asked) == [2]

    await step(house, session, CID, "thing_2")

    (entry,) = session.playing.entries
    assert (entry.seat, entry.value, entry.by) == (2, ("thing_2",), "player")
    assert session.playing.asked[0].question == entry.question + 1
    await house.die()


def test_which_questions_all_may_see() -> None:
    """One seat's own and a shared one that is the same for all; neither secrets nor what every seat
    answers for itself, be it asked of all alike.
    """
    same = ("left", "right")

    async def rules(t: Table, notes: Notes) -> None:
        everybody, facts = (lambda: (0, 1, 2)), {"what": ["a", {"b": 1}]}
        option = Option("left", about={"n": {"m": [1]}})
        await t.ask(1, "own", lambda: same)
        await t.ask(1, "own_secret", lambda: same, secret=True)
        await t.ask_any(everybody, "shared", lambda _: (option,), about=facts)
        await t.ask_any(everybody, "shared_labels", lambda n: (Option("left", about={"n": n}),))
        await t.ask_any(everybody, "shared_order", lambda n: same if n else same[::-1])
        await t.ask_each(everybody, "each", lambda _: same)
        await t.ask_each(everybody, "ballot", lambda _: same, secret=True, revisable=True)

    play = start(rules)
    public: dict[str, list[int]] = {}
    while play.asked:
        kind = play.asked[0].kind
        public.setdefault(kind, seats_of(public_asked(play)))
        one = next(d for d in play.asked if d.current is None)
        play.answer(one.seat, one.question, one.kind, ("left",))

    assert {kind: seats for kind, seats in public.items() if seats} == {
        "own": [1],
        "shared": [0, 1, 2],
    }
    assert len(public) == 7


async def test_who_is_not_asked_is_refused_kindly(tmp_path: Path) -> None:
    """A seated person hears who may answer, people only; a spectator that they have no seat."""
    house = await scripted(tmp_path, Question("step", 3, seats=(1, 2, 3), shared=True))
    session = await house.game(ANN, BEA, CID, computers=1)
    with pytest.raises(Refusal, match="not_your_move") as refused:
        await step(house, session, ANN, "thing_1")
    assert refused.value.facts["who"] == (1, 2)
    with pytest.raises(Refusal, match="not_seated"):
        await step(house, session, DOT, "thing_1")

    assert session.row.ply == 0
    await house.die()


async def test_of_two_answers_at_once_the_first_counts(tmp_path: Path) -> None:
    """The second is told that the table has moved on; the next question is not touched by it."""
    house = await scripted(tmp_path, ALL, ALL)
    session = await house.game(ANN, BEA)
    question = session.playing.asked[0].question
    results = await asyncio.gather(
        session.answer(house.click(ANN), question, "step", ("thing_1",)),
        session.answer(house.click(BEA), question, "step", ("thing_3",)),
        return_exceptions=True,
    )

    assert [r.problem for r in results if isinstance(r, Refusal)] == ["stale"]
    assert [(e.seat, e.value) for e in session.playing.entries] == [(0, ("thing_1",))]
    assert seats_of(session.playing.asked) == [0, 1]
    await house.die()


async def test_several_values_are_one_answer(tmp_path: Path) -> None:
    """Three of nine, by whoever answers; too few are refused and leave the question to all."""
    three = Question("step", 9, several(3, 3), shared=True)
    house = await scripted(tmp_path, three, ALL)
    session = await house.game(ANN, BEA)
    with pytest.raises(Refusal, match="too_few"):
        await step(house, session, ANN, "thing_1", "thing_2")

    await step(house, session, BEA, "thing_9", "thing_1", "thing_5")

    (entry,) = session.playing.entries
    assert (entry.seat, entry.value) == (1, ("thing_9", "thing_1", "thing_5"))
    await house.die()


async def test_a_restart_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    """The question is still everybody's, and somebody else can answer it in the next life."""
    house = await scripted(tmp_path, ALL, ALL, ALL)
    session = await house.game(ANN, BEA, computers=1)
    await step(house, session, ANN, "thing_1")
    await house.run(3)
    await house.restart()
    session = house.same(session)
    await house.run(3)
    snapshot = await session.snapshot()
    assert seats_of(snapshot.public_asked) == [0, 1, 2]
    assert seats_of(snapshot.waiting) == [0, 1]

    await step(house, session, BEA, "thing_2")

    assert [entry.seat for entry in session.playing.entries] == [0, 1]
    await house.die()


async def test_computers_leave_a_shared_question_to_people(tmp_path: Path) -> None:
    """However long a person thinks, nothing is snatched; a person alone plays alone."""
    house = await scripted(tmp_path, ALL, ALL)
    session = await house.game(ANN, computers=3)
    await house.run(120)
    assert session.row.ply == 0
    assert seats_of((await session.snapshot()).waiting) == [0]

    await step(house, session, ANN, "thing_3")
    await house.run(30)

    assert [(e.seat, e.by) for e in session.playing.entries] == [(0, "player")]
    await house.die()


async def test_one_computer_answers_when_no_person_is_asked(tmp_path: Path) -> None:
    """So it is when the last person among the asked gives up the seat; only one of them does."""
    two = Question("step", 3, seats=(1, 2), shared=True)
    house = await scripted(tmp_path, two, two, Question("step", 3, seats=(0,), shared=True))
    session = await house.game(ANN, BEA, computers=1)
    await house.run(10)
    assert session.row.ply == 0
    await session.hand_over(house.click(BEA), name="Computer 2")
    await house.run(10)

    assert [(e.question, e.by) for e in session.playing.entries] == [(1, "agent"), (2, "agent")]
    assert seats_of(session.playing.asked) == [0]
    await house.die()


async def test_a_computer_that_leaves_a_question_may_still_play_a_card(tmp_path: Path) -> None:
    """It is shown what it may play, and not the question that people answer."""
    shown: list[tuple[str, ...]] = []

    def card_player(
        view: object, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
    ) -> Choice | None:
        shown.append(tuple(d.kind for d in asked))
        cards = [d for d in offers if "card_1" in d.keys()]  # noqa: SIM118 - no dict
        return Choice(cards[0], ("card_1",)) if cards else None

    house = await scripted(tmp_path, ALL, agent=card_player)
    session = await house.game(ANN, computers=1)
    await house.run(10)

    assert [(e.seat, e.value) for e in session.playing.entries] == [(1, ("card_1",))]
    assert shown
    assert set(shown) == {()}
    assert seats_of((await session.snapshot()).public_asked) == [0, 1]
    await house.die()


async def test_nobody_is_called_to_what_any_of_several_people_may_answer(tmp_path: Path) -> None:
    """One person who alone may answer is called after a while, as to any other question."""
    house = await scripted(tmp_path, ALL, Question("step", 3, seats=(1, 2), shared=True))
    session = await house.game(ANN, BEA, computers=1)
    await house.run(90)
    assert house.channel.of(PingFace, deleted=True) == []
    await step(house, session, BEA, "thing_1")
    await house.run(90)

    calls = [m.face for m in house.channel.of(PingFace) if isinstance(m.face, PingFace)]
    assert [(call.seat, call.kind) for call in calls] == [(1, "step")]
    await house.die()


async def test_choices_that_differ_by_seat_stay_in_panels(house: House) -> None:
    """The senate's chair is anybody's, but each seat has choices of its own: none are shown to all,
    people alone are waited for, and the computer senators do not grab it.
    """
    session = await house.game(ANN, BEA, computers=2)
    for _ in range(60):
        await house.run(1.25)
        await house.answer_all_people(session)
        if session.playing.asked[0].kind == "take_chair":
            break
    await house.run(30)
    assert {d.kind for d in session.playing.asked} == {"take_chair"}
    snapshot = await session.snapshot()
    assert snapshot.public_asked == ()
    assert seats_of(snapshot.waiting) == [0, 1]
    (table,) = [m.face for m in house.channel.of(TableFace) if isinstance(m.face, TableFace)]
    assert table.snapshot.waiting == snapshot.waiting

    look = await session.look(BEA)
    await step(house, session, BEA, look.asked[0].keys()[0])

    assert session.playing.entries[-1].seat == 1
