"""/undo: a player asks to take back the last public answer, and everybody at the table agrees.

It is possible for as long as nothing has come of the answer that anybody could profit from: no
chance was drawn, nothing hidden was shown, nobody has answered since.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.sessions import acts, letters, motions
from bot.sessions.branching import Earlier, earlier, go_on_from
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.play import ready
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import Broken
from bot.sessions.reveals import drawn_since, shown_since, things_of
from bot.store.rows import MotionRow
from engines.kernel.decision import CLOCK, OFFER, Seat
from engines.kernel.event import PUBLIC, Numbered
from engines.kernel.playthrough import QUESTIONS
from engines.kernel.table import Entry


@dataclass(frozen=True, slots=True)
class Undoable:
    """What would be taken back: what was told of the answer, and after how many records.

    ``alone``: nobody else has to agree.
    """

    told: tuple[Numbered, ...]
    length: int
    alone: bool


async def look(session: Core, click: Click) -> Undoable:
    """What this person could take back now.

    Refusal ``undo_nothing`` (they have not answered at all), ``undo_secret`` (their own answer was
    a secret one), ``undo_refused`` (the others do not want it) or ``undo_late``, which does not say
    what has happened since.
    """
    seat = await ready(session, click)
    if session.motion is not None:
        raise Refusal("motion_open")
    (await _before(session, seat)).game.close()
    game = session.playing
    told = tuple(e for e in game.events if e.ply == game.ply and e.event.only is PUBLIC)
    return Undoable(told, session.row.ply, session.is_last(seat))


async def ask(session: Core, click: Click, length: int) -> bool:
    """Ask the table, or take back at once if nobody else sits there; whether it was taken back.

    Refusals as for ``look``; ``stale`` if the journal has another length than it had then.
    """
    seat = await ready(session, click)
    if length != session.row.ply:
        raise Refusal("stale", kind="")
    if session.motion is not None:
        raise Refusal("motion_open")
    moment = await _before(session, seat)
    change = Change(click)
    if session.is_last(seat):
        _tell(session, change, click.user_id, alone=True)
        await go_on_from(session, change, moment)
        return True
    moment.game.close()
    owner = session.playing.entries[-1].seat
    motions.move(session, change, "undo", owner, asked_by=click.user_id, voices={seat: True})
    await session.commit(change)
    return False


async def carry(session: Core, change: Change, row: MotionRow) -> None:
    """Everybody agrees. Refusal ``motion_over`` if it cannot be taken back any more."""
    if row.ply != session.row.ply or row.asked_by is None:
        raise Refusal("motion_over")
    moment = await _before(session, row.seat)
    motions.settle(session, change, row, "carried")
    _tell(session, change, row.asked_by)
    await go_on_from(session, change, moment)


def _tell(session: Core, change: Change, asked_by: int, *, alone: bool = False) -> None:
    facts = {"alone": True} if alone else {}
    acts.note(session, change, asked_by, "undo", **facts)
    letters.notice(session, change, "undone")


async def _before(session: Core, seat: Seat) -> Earlier:
    """The moment before the last answer, if it may be taken back."""
    game = session.playing
    if not game.entries:
        raise Refusal("undo_nothing")
    has_answered = any(entry.seat == seat for entry in game.entries)
    late = "undo_late" if has_answered else "undo_nothing"
    if any(
        row.kind == "undo" and row.ply == session.row.ply and row.state in ("refused", "lapsed")
        for row in session.motions.values()
    ):
        raise Refusal("undo_refused")
    last = game.entries[-1]
    if last.seat == CLOCK or last.by != "player":
        raise Refusal(late)
    secret = Refusal("undo_secret" if last.seat == seat else late)
    if last.question == OFFER or last.value is None:
        raise secret
    try:
        moment = await earlier(session, game.ply - 1, "undo")
    except Broken as broken:
        reference = session.report(broken, "could not be taken back")
        raise Refusal("crashed", reference=reference) from broken
    before = moment.game
    try:
        if _was_secret(moment, last):
            raise secret
        things = things_of(session.title.content.words)
        if drawn_since(before, game) or shown_since(before, game, things):
            raise Refusal(late)
    except Refusal:
        before.close()
        raise
    return moment


def _was_secret(moment: Earlier, entry: Entry) -> bool:
    for decision in moment.game.asked:
        bare = decision.question % QUESTIONS
        if (decision.seat, bare, decision.kind) == (entry.seat, entry.question, entry.kind):
            return decision.secret
    return True
