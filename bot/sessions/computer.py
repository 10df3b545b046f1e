"""Computer players: they see what their seat sees and answer like anybody else.

What one answer decides for several seats they leave to the people among them.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from bot.sessions.change import Change
from engines.kernel.agents import random_agent, random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Seat, Value
from engines.kernel.game import Choice

if TYPE_CHECKING:
    from bot.sessions.core import Core

log = logging.getLogger(__name__)

AGENT: Final = "sensible"
HOLD: Final = 60.0
"""Seconds for which computer players wait while people talk about taking an answer back."""


async def act(session: Core) -> None:
    """Let the computer players move: one public move at a time, secret answers all at once."""
    session.computers_due = None
    if session.game is None or session.stands_still:
        return
    rest = _rest(session)
    if rest > 0:
        session.computers_due = session.desk.time.monotonic() + rest
        return
    change = Change()
    for seat in sorted(session.seats):
        if not session.plays_itself(seat):
            continue
        game = session.playing
        asked = tuple(
            d
            for d in game.asked
            if d.seat == seat and d.current is None and not session.is_left_to_people(d)
        )
        offers = tuple(d for d in game.offers if d.seat == seat)
        choice = _choose(session, seat, asked, offers) if asked or offers else None
        if choice is None:
            continue
        chapter = game.view(None).chapter
        decision = choice.decision
        value = choice.value
        step = await session.play(
            lambda game, d=decision, v=value: game.answer(d.seat, d.question, d.kind, v, by="agent")
        )
        await session.note(change, step, chapter)
        if game.outcome is not None or not decision.secret:
            break
    if change.records:
        await session.commit(change)


def _rest(session: Core) -> float:
    """For how many seconds they wait yet."""
    motion = session.motion
    if motion is None or motion.kind != "undo":
        return 0.0
    return motion.made_at + HOLD - session.desk.time.epoch()


def answer_for(session: Core, decision: Decision) -> Value:
    """What a computer player at that seat would answer to what it is asked; always something."""
    choice = _choose(session, decision.seat, (decision,), ())
    if choice is None or choice.decision != decision:
        return random_value(decision, Chance(secrets.token_bytes(16)))
    return choice.value


def _choose(
    session: Core, seat: Seat, asked: Sequence[Decision], offers: Sequence[Decision]
) -> Choice | None:
    view: Any = session.playing.view(seat)
    rng = Chance(secrets.token_bytes(16))
    agent = session.title.game.agents.get(AGENT, random_agent)
    try:
        return agent(view, asked, offers, rng)
    except Exception:
        log.exception("table %s: the computer player at seat %d stumbled", session.code, seat)
        return random_agent(view, asked, (), rng)
