"""What moderators may do to a table. They learn nothing by it that the channel does not know.

Every act goes into the log with the change itself, and the table is told. Who sits here, or has sat
here, knows a seat's secrets and therefore cannot put a person at a seat alone: see motions.py.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, replace

from bot.sessions import acts, letters, play, reopening, sand, stored
from bot.sessions.branching import before_branch, earlier, go_on_from
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.moves import mark_of, moves_of
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import Broken, OtherRules, replayed
from bot.sessions.reveals import drawn_since, shown_since, things_of
from bot.store.protocol import StoreError
from engines.kernel.journal import effective

RESTORABLE = (Status.CRASHED, Status.ORPHANED, Status.ABANDONED)


@dataclass(frozen=True, slots=True)
class Place:
    """Another channel or thread for a table; ``parent_id`` is a thread's channel."""

    channel_id: int
    parent_id: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """A journal played once more: so many moves (see moves.py) that replay, and rewinds.

    ``is_good``: all of it does; ``is_readable`` is False if the journal cannot be read, or the
    game not be set up. ``retold_from``: the first move whose consequences are told differently now.
    ``reference``: where the reason stands in the log, with the answer that fails.
    """

    moves: int
    branches: int
    is_good: bool = True
    is_readable: bool = True
    retold_from: int | None = None
    reference: str = ""


def check_moderator(click: Click) -> None:
    """Refuse what only moderators may do."""
    if not click.may_manage:
        raise Refusal("only_moderators")


async def note_look(session: Core, click: Click, what: str) -> None:
    """Write down that a moderator looked; the table need not hear of it."""
    session.check_click(click)
    check_moderator(click)
    change = Change(click)
    expires_at = session.row.expires_at
    is_at_table = session.status is Status.LOBBY or session.seat_of(click.user_id) is not None
    if expires_at is not None and not is_at_table:  # whoever only looks gives no more time
        change.fields["expires_at"] = expires_at
    acts.note(session, change, click.user_id, what)
    await session.commit(change)


async def check(session: Core) -> Checked:
    """Play the stored journal in a game of its own; needs no lock and touches nothing.

    Refusal ``not_running``: no game has begun, so there is no journal.
    """
    if session.row.header is None:
        raise Refusal("not_running")
    try:
        header, records = await stored.journal_of(session)
        content = await stored.content_of(session, header)
    except Broken as broken:
        reference = session.report(broken, "cannot be read")
        return Checked(0, 0, is_good=False, is_readable=False, reference=reference)
    entries, branch = effective(records)
    title = session.title
    try:
        game = await asyncio.to_thread(replayed, title, content, header, entries, branch)
    except Broken as broken:
        reference = session.report(broken, "does not replay")
        try:
            good = entries[: max(broken.good, 0)]
            game = await asyncio.to_thread(replayed, title, content, header, good, branch)
        except Broken:
            return Checked(0, branch, is_good=False, is_readable=False, reference=reference)
        game.close()
        return Checked(len(moves_of(game)), branch, is_good=False, reference=reference)
    game.close()
    moves = moves_of(game)
    retold = game.reinterpreted_from
    if retold is not None:
        retold = min(len([ply for ply in moves if ply < retold]) + 1, max(len(moves), 1))
    return Checked(len(moves), branch, retold_from=retold)


async def restore(session: Core, click: Click, place: Place | None = None) -> int | None:
    """Bring a table back that crashed, lost its channel or was ended, perhaps in another channel.

    It is replayed, without the answer that broke it if need be: then after how many moves it goes
    on is returned, else None. How much comes after them nobody can tell, since of what cannot be
    played it is not known whether the channel heard of it. Nothing is deleted: what is left out
    stays in the journal behind a branch record. A game whose dice were told stays ended.
    """
    session.check_click(click)
    check_moderator(click)
    if session.is_shut_out and place is None:
        await resume(session, click)
        return None
    is_stopped = session.status in RESTORABLE or session.is_shut_out
    if not is_stopped or session.row.header is None:
        raise Refusal(
            "nothing_to_restore",
            lobby=not session.is_over and session.row.header is None,
            paused=session.status is Status.PAUSED,
            over=session.is_over,
        )
    if session.row.told_at is not None:
        raise Refusal("dice_were_told")
    change = Change(click)
    try:
        is_torn = await _set_torn_aside(session)
        header, records = await stored.journal_of(session)
        content = await stored.content_of(session, header)
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
        await _note_fault(session, reference, broken)
        word = "other_rules" if isinstance(broken, OtherRules) else "not_restorable"
        raise Refusal(word, reference=reference, over=session.is_over) from broken
    change.fields |= {"status": "running", "crash": None, "ended_at": None}
    if place is not None:
        change.fields |= {"channel_id": place.channel_id, "parent_id": place.parent_id}
    left_out = is_torn or game.ply < len(entries)
    word = "restored" if place is None else "moved"
    letters.notice(session, change, f"{word}_part" if left_out else word)
    acts.note(session, change, click.user_id, "restore", left_out=left_out)
    session.let_go()
    session.sands = sands
    await session.take_up(change, game, after_ply=game.ply)
    return len(moves_of(game)) if left_out else None


async def _note_fault(session: Core, reference: str, broken: Broken) -> None:
    """Nobody is told any more that a moderator can bring the table back as things are."""
    if session.is_over or session.is_shut_out:  # that one goes on waiting for its thread
        return
    crash = {"reference": reference, "ply": session.row.ply, "what": broken.reason[:200]}
    await session.commit(Change(fields={"crash": {**crash, "word": broken.word}}))


async def _set_torn_aside(session: Core) -> bool:
    """A last record that was cut off in writing is kept apart, so that the journal can go on.

    Whether there was one.

    A whole record of a form that this release does not know is none of these: it stays, and so
    does the table.
    """
    try:
        rows = await session.desk.store.entries(session.id)
    except StoreError as error:
        raise stored.verdict(session, error) from error
    if not rows or _is_whole(rows[-1].record) or not all(_is_whole(r.record) for r in rows[:-1]):
        return False
    ply = rows[-1].ply
    try:
        await session.desk.store.set_aside(session.id, ply, session.desk.time.epoch())
        session.returns = None
    except StoreError as error:
        raise Refusal("not_saved") from error
    published = min(session.row.published_ply, ply)
    session.row = replace(session.row, ply=ply, published_ply=published)
    return True


def _is_whole(record: str) -> bool:
    try:
        json.loads(record)
    except (ValueError, RecursionError):
        return False
    return True


async def pause(session: Core, click: Click) -> None:
    """Stop the table for a while: sand stands still, clicks are refused, computers wait.

    One whose thread is shut is a moderator's from then on: it does not go on by itself.
    """
    session.check_click(click)
    check_moderator(click)
    if not session.is_shut_out:
        session.check_running()
        await session.load()
        await play.run_out(session, click.arrived)
        session.check_running()
    change = Change(click)
    change.fields |= {"status": "paused", "crash": None, "expires_at": None}
    letters.notice(session, change, "paused")
    acts.note(session, change, click.user_id, "pause")
    await session.commit(change)


async def resume(session: Core, click: Click) -> None:
    """Let a paused table go on, once its thread is open; that is tried once.

    Refusal ``still_shut``: then the table waits for that and goes on by itself.
    """
    session.check_click(click)
    check_moderator(click)
    if session.status is not Status.PAUSED:
        session.check_running()
        raise Refusal("not_paused")
    await reopening.open_thread(session)
    change = Change(click)
    change.fields |= {"status": "running", "crash": None}
    letters.notice(session, change, "resumed")
    acts.note(session, change, click.user_id, "resume")
    await session.commit(change)


async def rewind(
    session: Core, click: Click, keep: int, mark: str, *, knowing: bool = False
) -> None:
    """Go on from after the first ``keep`` answers; ``mark`` is that of the moment until then.

    Refusal ``rewind_reveals`` if dice were rolled or something hidden was shown since, unless it
    is done ``knowing`` that. Who sits here always has to: the reason would tell them whether.
    """
    await ready(session, click)
    if mark != mark_of(session):
        raise Refusal("stale", kind="")
    game = session.playing
    if not 0 <= keep < game.ply:
        raise Refusal("stale", kind="")
    before = moves_of(game)
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
        left_out=len([ply for ply in before if ply > keep]),
    )
    await go_on_from(session, change, moment)


async def can_return(session: Core) -> bool:
    """Whether ``take_back_rewind`` has something to do; found out once for each state."""
    if session.returns is None or session.returns[0] != session.row.ply:
        try:
            moment = await before_branch(session)
        except Broken:
            return False
        if moment is not None:
            moment.game.close()
        session.returns = (session.row.ply, moment is not None)
    return session.returns[1]


async def take_back_rewind(session: Core, click: Click, mark: str) -> None:
    """Go on from where the table stood before a moderator took it back, if nobody has answered.

    ``mark`` is that of the moment until then. Refusal ``nothing_to_return``.
    """
    await ready(session, click)
    if mark != mark_of(session):
        raise Refusal("stale", kind="")
    try:
        moment = await before_branch(session)
    except Broken as broken:
        session.report(broken, "could not return")
        raise Refusal("nothing_to_return") from broken
    if moment is None:
        raise Refusal("nothing_to_return")
    change = Change(click)
    letters.notice(session, change, "returned")
    acts.note(session, change, click.user_id, "return", branch=moment.branch.number)
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
