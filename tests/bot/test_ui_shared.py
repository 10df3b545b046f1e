"""A question that any of several seats may answer, as the table message words and shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import discord
import pytest

from bot.offline.wire.limits import walk
from bot.sessions.faces import SeatCard, Snapshot, Status, TableFace, Waiting
from bot.ui import faces
from bot.ui.ids import read
from bot.ui.layout import Shown
from engines.kernel.decision import ONE, Decision, Shape, several
from tests.e2e.script import options, script

TITLE = script()


def asked(kind: str, *seats: int, count: int = 3, shape: Shape = ONE) -> tuple[Decision, ...]:
    """A shared question to these seats."""
    offered = tuple(options(count))
    return tuple(Decision(7, seat, kind, offered, shape, shared=True) for seat in seats)


def snapshot(
    people: Sequence[str], computers: Sequence[str], public: Sequence[Decision], *out: Waiting
) -> Snapshot:
    """A table of these people and computer players, in this order, that is asked this."""
    cards = [SeatCard(n, n + 1, name) for n, name in enumerate(people)]
    cards += [SeatCard(n, None, name) for n, name in enumerate(computers, len(people))]
    waiting = [Waiting(d.seat, 7, d.kind, False, False, True) for d in public]
    return Snapshot(
        session=5,
        code="K7QF2M",
        game="script",
        status=Status.RUNNING,
        guild_id=1,
        channel_id=2,
        host_id=1,
        options={},
        seats=tuple(cards),
        ply=3,
        view=None,
        public_asked=tuple(public),
        waiting=out or tuple(one for one in waiting if not cards[one.seat].is_computer),
        chapter_events=(),
        last_events=(),
        glass=None,
        outcome=None,
        pledge="",
        secret=None,
        crash=None,
    )


def said(shown: Shown) -> str:
    """Everything that can be read in a message."""
    texts = (i for i in shown.layout.walk_children() if isinstance(i, discord.ui.TextDisplay))
    return "\n".join(text.content for text in texts)


def verbs(shown: Shown) -> list[str]:
    """What the controls of a message mean, in order."""
    controls = (read(str(one.get("custom_id", ""))) for one in walk(shown.layout.to_components()))
    return [control.verb for control in controls if control]


def table(seen: Snapshot) -> Shown:
    """The table message."""
    return faces.table(TITLE, TableFace("K7QF2M·c", seen, live=True), None)


@pytest.mark.parametrize(
    ("people", "computers", "seats", "line"),
    [
        (("Ann", "Ben"), (), (0, 1), "Anybody at the table: **What now?**"),
        (("Ann", "Ben"), ("Agatha",), (0, 1, 2), "Anybody at the table: **What now?**"),
        (("Ann", "Ben"), ("Agatha",), (0, 1), "Anybody at the table: **What now?**"),
        (("A_n",), ("Agatha", "Barnaby"), (0, 1, 2), "A\\_n: **What now?**"),
        (("Ann", "Ben"), ("Agatha",), (1, 2), "Ben: **What now?**"),
        (("Ann", "Ben"), (), (1,), "Ben: **What now?**"),
        (("Ann", "Ben", "Cid"), (), (0, 2), "Ann and Cid, one of you: **What now?**"),
    ],
)
async def test_the_table_says_who_may_answer(
    people: Sequence[str], computers: Sequence[str], seats: Sequence[int], line: str
) -> None:
    """Everybody, some by their names, or the one person alone; never a computer player that leaves
    it to them. The choices stand there once, and nothing says that anybody is waited for besides.
    """
    shown = table(snapshot(people, computers, asked("step", *seats)))
    lines = said(shown).split("\n")
    assert line in lines
    assert "Any will do." in lines
    assert "Waiting for" not in said(shown)
    assert verbs(shown) == ["act", "act", "act", "hand", "menu"]


async def test_a_prompt_that_names_who_is_asked_names_all_of_them() -> None:
    """Then nobody is named twice."""
    shown = table(snapshot(("Ann", "Ben", "Cid"), (), asked("pick", 0, 1, 2)))
    assert "**Ann, Ben and Cid, pick one.**" in said(shown)
    assert "Anybody" not in said(shown)


async def test_several_of_nine_are_chosen_in_one_menu() -> None:
    """The menu on the table takes exactly three, and its answer goes where a button's would."""
    shown = table(snapshot(("Ann", "Ben"), (), asked("step", 0, 1, count=9, shape=several(3, 3))))
    (menu,) = [one for one in walk(shown.layout.to_components()) if one.get("options")]
    assert (menu["min_values"], menu["max_values"], len(menu["options"])) == (3, 3, 9)
    assert verbs(shown) == ["act", "hand", "menu"]


@pytest.mark.parametrize(
    ("out", "interrupted", "line"),
    [
        ((0, 1, 2), False, "Waiting for anybody at the table (a step)."),
        ((0, 1), False, "Waiting for one of Ann and Ben (a step)."),
        ((1,), False, "Waiting for Ben (a step)."),
        ((0, 1), True, "The card comes first; then it is up to Ann and Ben again (a step)."),
    ],
)
async def test_who_is_waited_for_when_choices_differ(
    out: Sequence[int], interrupted: bool, line: str
) -> None:
    """The table has a button to one's own panel instead, and says that one answer is enough."""
    waiting = [Waiting(seat, 7, "step", False, interrupted, True) for seat in out]
    seen = snapshot(("Ann", "Ben", "Cid"), ("Agatha",), (), *waiting)
    shown = table(seen)
    assert line in said(shown)
    assert verbs(shown) == ["panel", "hand", "menu"]
    assert line in said(faces.board(TITLE, seen, None, words=True))


async def test_who_looks_at_the_board_is_told_that_it_waits_for_them() -> None:
    """The reader is "you", other names stay; whoever sits nowhere reads names alone."""
    waiting = [Waiting(seat, 7, "step", False, False, True) for seat in (0, 1)]
    seen = snapshot(("Ann", "Ben", "Cid"), ("Agatha",), (), *waiting)
    assert "Waiting for one of you and Ben" in said(
        faces.board(TITLE, seen, None, words=True, seat=0)
    )
    assert "Waiting for one of Ann and Ben" in said(faces.board(TITLE, seen, None, words=True))


async def test_a_question_for_one_seat_reads_as_ever() -> None:
    """What is not shared is the prompt alone."""
    (one,) = asked("pick", 0)
    shown = table(snapshot(("Ann", "Ben"), (), (replace(one, shared=False),)))
    assert "**Ann, pick one.**" in said(shown).split("\n")
