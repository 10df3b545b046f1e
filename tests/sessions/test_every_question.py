"""Every question of every game, standing when the bot dies: it comes back as it was, in words too.

The kinds are those that a game lists (``told.ASKED``), so a new question needs no line here.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot import titles
from bot.offline.wire.limits import walk
from bot.sessions.faces import TableFace
from bot.sessions.session import Session
from bot.titles import Title
from bot.ui import faces, panel
from bot.ui.layout import Shown
from bot.ui.text import Voice
from engines.kernel.agents import random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import OFFER, Decision
from engines.kernel.playthrough import Playthrough
from tests.driving import answer_again
from tests.sessions.house import House
from tests.sessions.moments import Moment, every_moment, lay

GAMES = tuple(titles.KEYS)

pytestmark = pytest.mark.timeout(300)


def played(title: Title, moment: Moment) -> Playthrough[Any, Any, Any]:
    """The game as it was played to that moment: by answers, not from a journal."""
    play = Playthrough(title.game, title.content.rules, moment.header)
    for entry in moment.entries:
        answer_again(play, entry)
    return play


def standing(play: Playthrough[Any, Any, Any], moment: Moment) -> Decision:
    """The question, or what may be played unasked."""
    return next(
        one
        for one in (*play.asked, *play.offers)
        if (one.seat, one.kind) == (moment.seat, moment.kind)
    )


def worded(voice: Voice, decision: Decision) -> list[object]:
    """Whatever is said of a question and its options, in messages and on labels."""
    return [
        voice.prompt(decision),
        voice.prompt(decision, plain=True),
        voice.meaning(decision),
        voice.short(decision.kind),
        [
            (option.key, plain, voice.choice(decision, option, plain=plain))
            for plain in (True, False)
            for option in decision.options
        ],
        [(option.key, voice.about(decision, option)) for option in decision.options],
    ]


def texts(shown: Shown) -> list[str]:
    """Texts and controls of a message, from top to bottom."""
    found: list[str] = []
    for part in walk(shown.layout.to_components()):
        found += [str(part[name]) for name in ("content", "label", "placeholder") if part.get(name)]
        for option in part.get("options", ()):
            found += [option["label"], option.get("description") or ""]
    return found


async def read_out(title: Title, session: Session, moment: Moment) -> list[list[str]]:
    """The table's message, that seat's panel, and its hand."""
    snapshot = await session.snapshot()
    look = await session.look(session.persons()[moment.seat])
    table = faces.table(title, TableFace("T·t", snapshot, live=True), None)
    return [texts(table), texts(panel.panel(title, look)), texts(panel.hand(title, look))]


def asked_kinds(key: str) -> set[str]:
    """What a game lists."""
    return set(import_module(f"engines.{key}.told").ASKED)


def said_somewhere(voice: Voice, decision: Decision, told: Sequence[Sequence[str]]) -> bool:
    """Whether the prompt stands where the seat can answer it."""
    prompt = voice.prompt(decision)
    place = told[2] if decision.question == OFFER else [*told[0], *told[1]]
    return any(prompt in line for line in place)


@pytest.mark.parametrize("key", GAMES)
async def test_every_question_survives_a_restart(tmp_path: Path, key: str, caplog: Any) -> None:
    """For each kind of question: restored from the store it has the same number, options and shape
    as in the game that was played on, and the same words. Table, panel and hand show it before and
    after one more restart alike, nothing on them is without words, and it can be answered.
    """
    title = titles.load(key)
    moments = every_moment(title)
    assert {moment.kind for moment in moments} == asked_kinds(key)
    house = await House(tmp_path, title).open()
    sessions = await lay(house, moments)
    before: list[list[list[str]]] = []
    try:
        for moment, session in zip(moments, sessions, strict=True):
            voice = Voice.of(title, await session.snapshot())
            live = played(title, moment)
            assert session.playing.asked == live.asked, moment.kind
            assert session.playing.offers == live.offers, moment.kind
            assert session.playing.interrupted == live.interrupted, moment.kind
            decision = standing(session.playing, moment)
            assert decision == standing(live, moment)
            assert worded(voice, decision) == worded(voice, standing(live, moment))
            told = await read_out(title, session, moment)
            assert said_somewhere(voice, decision, told), moment.kind
            before.append(told)
        await house.restart()
        for moment, session, told in zip(moments, sessions, before, strict=True):
            same = house.same(session)
            assert same is not session
            assert await read_out(title, same, moment) == told, moment.kind
            decision = standing(same.playing, moment)
            value = random_value(decision, Chance(b"any"))
            user = house.click(same.persons()[moment.seat])
            await same.answer(user, decision.question, decision.kind, value)
    finally:
        await house.die()
    wordless = ("words:", "no words")
    assert [r.getMessage() for r in caplog.records if r.getMessage().startswith(wordless)] == []
