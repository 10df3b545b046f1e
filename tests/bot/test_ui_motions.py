"""What a table is asked to agree to, as its message words it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.sessions.faces import MotionFace, NoticeFace, Snapshot
from bot.store.rows import ActRow
from bot.ui import moderators
from bot.ui.text import said as words_said
from engines.kernel.event import Event, Numbered
from tests.bot.test_ui_shared import TITLE, said, snapshot

SEEN = snapshot(("Ann", "Dan"), ("Agatha",), ())


def motion(kind: str, state: str, seat: int, *, seen: Snapshot = SEEN) -> str:
    """The message of a motion."""
    face = MotionFace("K7QF2M·c", seen, 3, kind, state, seat, 0, "Dan", (), ())
    return said(moderators.motion(TITLE, face))


def test_an_answer_of_which_nothing_was_told_is_named() -> None:
    """By whose it is; one that was told is told once more."""
    assert "the last answer of Dan, of which nothing was told" in motion("undo", "open", 1)
    told = replace(SEEN, last_events=(Numbered(3, 0, Event("chosen", {"seat": 0, "count": 1}), 0),))
    told_of = motion("undo", "open", 0, seen=told)
    assert "This was it:" in told_of
    assert "nothing was told" not in told_of


@pytest.mark.parametrize("state", ["carried", "refused", "lapsed"])
def test_a_settled_question_keeps_the_name(state: str) -> None:
    """Of who sat there when it was asked; where that is not known any more, the seat's number."""
    then = replace(SEEN, asked_of={3: ("Ben", False)})
    assert "give the seat of Ben to Dan" in motion("seat", state, 1, seen=then)
    free = replace(SEEN, asked_of={3: ("Agatha", True)})
    assert "give the seat of Agatha, a computer player, to Dan" in motion(
        "seat", state, 1, seen=free
    )
    assert "give seat 2 to Dan" in motion("seat", state, 1)
    assert "give the seat of Dan to Dan" in motion("seat", "open", 1)


def test_a_computers_seat_is_taken_from_nobody() -> None:
    """The notice names who lost a seat only where somebody did."""
    face = NoticeFace("K7QF2M·c", SEEN, "seat_person", 1)
    assert "seat 2 at this table is yours now" in said(moderators.notice(TITLE, face))
    lost = NoticeFace("K7QF2M·c", replace(SEEN, lost={1: "*Ben*"}), "seat_person", 1)
    assert "seat 2 at this table, where \\*Ben\\* sat, is" in said(moderators.notice(TITLE, lost))


@pytest.mark.parametrize(("alone", "told"), [(True, "back."), (False, "back; the table agreed.")])
def test_who_is_alone_asks_nobody(alone: bool, told: str) -> None:
    """The log says that the table agreed only where it was asked."""
    facts = {"alone": True} if alone else {}
    row = ActRow(guild_id=1, session=5, code="K7", at=0.0, what="undo", by=1, facts=facts)

    def say(path: str, **facts: object) -> str:
        return words_said(TITLE.content.words, path, facts)

    (line,) = moderators.log_lines([row], say)
    assert line.endswith(f"took the last answer at K7 {told}")
