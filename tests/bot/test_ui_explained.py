"""What choices mean, where they are buttons: a button has no second line, so the message has it."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest

from bot.offline.wire.limits import walk
from bot.sessions.faces import BallotFace, SeatCard, SeatLook, Snapshot, Status, TableFace, Waiting
from bot.titles import Title
from bot.ui import faces, panel
from bot.ui.layout import Shown
from engines.kernel.decision import Decision, Option
from tests.e2e.script import WORDS, script, words

ABOUT = """
decisions:
  pick:
    options: { tall: "The tall one for {of}", small: "Small {n}" }
    about: { tall: "Reaches the shelf of {of}", small: Fits through the gap }
"""


def title() -> Title:
    """The script with second lines for what is picked."""
    plain = script()
    return replace(plain, content=replace(plain.content, words=words(WORDS, ABOUT)))


def asked(*offered: Option, shared: bool = True) -> Decision:
    """A question with these options."""
    return Decision(7, 0, "pick", offered, shared=shared)


TALL = Option("tall", "tall", {"of": "A_n"})
SMALL = [Option(f"small_{n}", "small", {"n": n}) for n in range(1, 7)]
PLAIN = Option("thing_1", "", {"n": 1})


def snapshot(decision: Decision) -> Snapshot:
    """A table that is asked this."""
    return Snapshot(
        session=5, code="K7QF2M", game="script", status=Status.RUNNING, guild_id=1, channel_id=2,
        host_id=1, options={}, seats=(SeatCard(0, 1, "Ann"),), ply=3, view=None,
        public_asked=(decision,), waiting=(Waiting(0, 7, "pick", False, False),),
        chapter_events=(), last_events=(), glass=None, outcome=None, pledge="", secret=None,
        crash=None,
    )  # fmt: skip


def shown_as(place: str, decision: Decision) -> Shown:
    """The question in the channel, in a panel or in a letter."""
    seen = snapshot(decision)
    look = SeatLook(seen, 0, None, (decision,), (), (), (), ())
    if place == "table":
        return faces.table(title(), TableFace("K7QF2M·c", seen, live=True), None)
    if place == "panel":
        return panel.panel(title(), look)
    return panel.ballot(title(), BallotFace("K7QF2M·b", look, 7, open=True))


def lines(shown: Shown) -> list[str]:
    """Every line of text in a message."""
    texts = (i for i in shown.layout.walk_children() if isinstance(i, discord.ui.TextDisplay))
    return [line for text in texts for line in text.content.split("\n")]


@pytest.mark.parametrize("place", ["table", "panel", "letter"])
async def test_buttons_are_explained_below_the_question(place: str) -> None:
    """Each with its label, alike ones together, and names that players typed are escaped; a choice
    without a second line is not mentioned.
    """
    said = lines(shown_as(place, asked(TALL, *SMALL[:2], PLAIN)))
    begin = said.index("Any will do.")
    assert said[begin + 1 : begin + 3] == [
        "- **The tall one for A\\_n** – Reaches the shelf of A\\_n",
        "- **Small 1** and **Small 2** – Fits through the gap",
    ]
    assert "Thing 1" not in " ".join(said)


@pytest.mark.parametrize("place", ["table", "panel", "letter"])
async def test_a_menu_explains_its_choices_itself(place: str) -> None:
    """Six choices are a menu, where the second line stands under each, so the text has none."""
    shown = shown_as(place, asked(*SMALL))
    (menu,) = [one for one in walk(shown.layout.to_components()) if one.get("options")]
    assert {one["description"] for one in menu["options"]} == {"Fits through the gap"}
    assert not [line for line in lines(shown) if line.startswith("- ")]
