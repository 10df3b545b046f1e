"""What moderators may do to a table. They learn nothing by it that the channel does not know.

Every act goes into the log with the change itself, and the table is told. Who sits here, or has sat
here, knows a seat's secrets and therefore cannot put a person at a seat alone: see motions.py.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace

from bot.sessions import acts, letters, play, sand
from bot.sessions.branching import earlier, go_on_from
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import Broken, Play, replayed
from bot.sessions.reveals import drawn_since, shown_since, things_of
from bot.store.protocol import StoreError
from engines.kernel.decision import OFFER
from engines.kernel.event import Numbered
from engines.kernel.journal import effective

RESTORABLE = (Status.CRASHED, Status.ORPHANED, Status.ABANDONED)


@dataclass(frozen=True, slots=True)
class Place:
    """Another channel or thread for a table; ``parent_id`` is a thread's channel."""

    channel_id: int
    parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A journal played once more: so many records, answers that count, and rewinds.

    ``fails_at``: the first answer that cannot be played (0: the journal cannot be read or the game
    not be set up); ``retold_from``: the first whose consequences are told differently now.
    ``reference``: where the reason stands in the log.
    """

    records: int
    answers: int
    branches: int
    fails_at: int | None = None
    retold_from: int | None = None
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Moments:
    """The public past of a game, with how many records, answers that count and rewinds it has.

    ``unsettled`` of them belong to a secret question that is still open.
    """

    records: int
    answers: int
    branches: int
    events: tuple[Numbered, ...]
    unsettled: int


def unsettled(game: Play) -> int:
    """How many answers were given since a secret question was put that is still open.

    A count that grew with each changed ballot would tell a moderator that somebody wavers.
    """
    kinds = [decision.kind for decision in game.asked if decision.secret]
    count = 0
    for entry in reversed(game.entries if kinds else ()):
        if entry.kind not in kinds and entry.question != OFFER:
            break
        count += 1
    return count


def check_moderator(click: Click) -> None:
    """Refuse what only moderators may do."""
    if not click.may_manage:
        raise Refusal("only_moderators")


async def note_look(session: Core, click: Click, what: str) -> None:
    """Write down that a moderator looked; the table need not hear of it."""
    session.check_click(click)
    check_moderator(click)
    # A look is nothing that happened at the table.
    change = Change(click, fields={"touched_at": session.row.touched_at})
    acts.note(session, change, click.user_id, what)
    await session.commit(change)


async def check(session: Core) -> Checked:
    """Play the stored journal in a game of its own; needs no lock and touches nothing.

    Refusal ``not_running``: no game has begun, so there is no journal.
    """
    if session.row.header is None:
        raise Refusal("not_running")
    try:
        header, records = await session.read_journal()
        content = await session.content_of(header)
    except Broken as broken:
        reference = session.report(broken, "cannot be read")
        return Checked(session.row.ply, 0, 0, 0, reference=reference)
    entries, branch = effective(records)
    count = len(entries)
    try:
        game = await asyncio.to_thread(replayed, session.title, content, header, entries, branch)
    except Broken as broken:
        reference = session.report(broken, "does not replay")
        fails_at = 0 if broken.good < 0 else broken.good + 1
        return Checked(len(records), count, branch, fails_at, reference=reference)
    retold = game.reinterpreted_from
    game.close()
    return Checked(len(records), count, branch, retold_from=retold)


async def restore(session: Core, click: Click, place: Place | None = None) -> None:
    """Bring a table back that crashed, lost its channel or was ended, perhaps in another channel.

    It is replayed, without the answer that broke it if need be. Nothing is deleted: what is left
    out stays in the journal behind a branch record. A game whose dice were told stays ended.
    """
    session.check_click(click)
    check_moderator(click)
    if session.status not in RESTORABLE or session.row.header is None:
        raise Refusal("nothing_to_restore")
    if session.row.told_at is not None:
        raise Refusal("dice_were_told")
    change = Change(click)
    try:
        await _set_torn_aside(session)
        header, records = await session.read_journal()
        content = await session.content_of(header)
        entries, branch = effective(records)
        sands = sand.recalled(session.row.timers)
        try:
            game = await asyncio.to_thread(
                replayed, session.title, content, header, entries, branch
            )
        except Broken as broken:
            if broken.good < 0:
                raise
            moment = await earlier(session, broken.good, "moderator")
            change.records.append(moment.branch)
            game, sands = moment.game, moment.sands
    except Broken as broken:
        reference = session.report(broken, "could not be restored")
        raise Refusal("not_restorable", reference=reference) from broken
    change.fields |= {"status": "running", "crash": None, "ended_at": None}
    if place is not None:
        change.fields |= {"channel_id": place.channel_id, "parent_id": place.parent_id}
    letters.notice(session, change, "restored" if place is None else "moved")
    left_out = len(entries) - game.ply
    acts.note(session, change, click.user_id, "restore", ply=game.ply, left_out=left_out)
    session.let_go()
    session.sands = sands
    await session.take_up(change, game, after_ply=game.ply)


async def _set_torn_aside(session: Core) -> None:
    """A last record that was cut off in writing is kept apart, so that the journal can go on.

    A whole record of a form that this release does not know is none of these: it stays, and so
    does the table.
    """
    try:
        rows = await session.desk.store.entries(session.id)
    except StoreError as error:
        raise Broken(-1, str(error)) from error
    if not rows or _is_whole(rows[-1].record) or not all(_is_whole(r.record) for r in rows[:-1]):
        return
    ply = rows[-1].ply
    try:
        await session.desk.store.set_aside(session.id, ply, session.desk.time.epoch())
    except StoreError as error:
        raise Refusal("not_saved") from error
    published = min(session.row.published_ply, ply)
    session.row = replace(session.row, ply=ply, published_ply=published)


def _is_whole(record: str) -> bool:
    try:
        json.loads(record)
    except ValueError:
        return False
    return True


async def pause(session: Core, click: Click) -> None:
    """Stop the table for a while: sand stands still, clicks are refused, computers wait."""
    session.check_click(click)
    check_moderator(click)
    if session.status is Status.PAUSED:
        raise Refusal("paused")
    session.check_running()
    await session.load()
    await play.run_out(session, click.arrived)
    session.check_running()
    change = Change(click)
    change.fields["status"] = "paused"
    letters.notice(session, change, "paused")
    acts.note(session, change, click.user_id, "pause")
    await session.commit(change)


async def resume(session: Core, click: Click) -> None:
    """Let a paused table go on."""
    session.check_click(click)
    check_moderator(click)
    if session.status is not Status.PAUSED:
        raise Refusal("not_paused")
    change = Change(click)
    change.fields["status"] = "running"
    letters.notice(session, change, "resumed")
    acts.note(session, change, click.user_id, "resume")
    await session.commit(change)


async def rewind(
    session: Core, click: Click, keep: int, length: int, *, knowing: bool = False
) -> None:
    """Go on from after the first ``keep`` answers; ``length`` is how long the journal was then.

    Refusal ``rewind_reveals`` if dice were rolled or something hidden was shown since, unless it
    is done ``knowing`` that. Who sits here always has to: the reason would tell them whether.
    """
    await ready(session, click)
    if length != session.row.ply:
        raise Refusal("stale", kind="")
    game = session.playing
    if not 0 <= keep < game.ply:
        raise Refusal("stale", kind="")
    before = game.ply
    try:
        moment = await earlier(session, keep, "moderator")
    except Broken as broken:
        reference = session.report(broken, "could not be taken back")
        raise Refusal("crashed", reference=reference) from broken
    if not knowing:
        things = things_of(session.title.content.words)
        reveals = (
            session.is_party(click.user_id)
            or drawn_since(moment.game, game)
            or shown_since(moment.game, game, things)
        )
        if reveals:
            moment.game.close()
            raise Refusal("rewind_reveals")
    change = Change(click)
    letters.notice(session, change, "rewound")
    acts.note(
        session,
        change,
        click.user_id,
        "rewind",
        branch=moment.branch.number,
        ply=keep,
        left_out=before - keep,
    )
    await go_on_from(session, change, moment)


async def ready(session: Core, click: Click) -> None:
    """The game in memory and its clock right, at a table that is played or paused."""
    session.check_click(click)
    check_moderator(click)
    if session.status is not Status.PAUSED:
        session.check_running()
    await session.load()
    if session.status is Status.RUNNING:
        await play.run_out(session, click.arrived)
        session.check_running()
