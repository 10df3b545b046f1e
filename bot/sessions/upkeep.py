"""What the publisher does to a session, under its lock: pages, calls, ids of sent messages."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Final

from bot.sessions import letters, motions
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.jobs import Shown
from bot.sessions.ports import Refusal
from bot.sessions.reopening import waits_for_thread
from bot.sessions.waking import QUIET
from bot.store.protocol import StoreError, Write
from bot.store.rows import NO_SEAT, MessageRow

_APART: Final = 1000
"""Serials by which a table that lost moves goes on later: as many messages as may have been sent
and then forgotten with them. Their marks and nonces are never used again."""

_REMOVED: Final = "removed"
"""Stored with what has stopped a table, until the bot is on its server again."""

log = logging.getLogger(__name__)


async def turn_page(session: Core, serial: int) -> None:
    """A fresh table message in place of that one, with the same page."""
    row = letters.live(session)
    if not _may_turn(session) or row is None or row.serial != serial:
        return
    change = Change()
    letters.turn_page(session, change, after_ply=row.question)
    await session.commit(change)


def _may_turn(session: Core) -> bool:
    return session.status in (Status.RUNNING, Status.PAUSED)


async def replace_table(session: Core, serial: int) -> None:
    """The table message was deleted: a fresh one, or none if nobody plays there just now."""
    if _may_turn(session):
        await turn_page(session, serial)
    else:
        await settle(session, serial)


async def repost(session: Core, serial: int) -> None:
    """A fresh lobby message in place of one that was deleted, or that cannot be edited now."""
    change = Change()
    change.messages[serial] = replace(session.messages[serial], want="close")
    if session.status is Status.LOBBY:
        letters.add(session, change, "lobby")
    await session.commit(change)


async def _is_stored(
    session: Core, work: Callable[[], Coroutine[Any, Any, None]], name: str, failed: str
) -> bool:
    """Do work under the lock; False, with a line for the operator, if it could not be stored."""
    try:
        await session.locked(work, name)
    except (Refusal, StoreError) as error:
        log.warning("table %s could not be %s: %s", session.code, failed, error)
        return False
    return True


async def orphan(session: Core, *, removed: bool = False) -> bool:
    """The channel is gone: the table rests until a moderator restores it. False: not stored.

    Of a lost thread its channel is told, of a lost channel another one where games are played, or
    else the next moderator. ``removed``: the bot was taken off the server, where it can tell
    nobody before it is invited again.
    """

    async def work() -> None:
        if not session.is_over and session.status is not Status.ORPHANED:
            change = Change()
            is_lobby = session.status is Status.LOBBY
            change.fields["status"] = "cancelled" if is_lobby else "orphaned"
            motions.lapse(session, change, all_kinds=True)
            letters.close_all(session, change)
            if removed and not is_lobby:
                crash = session.row.crash
                before = crash if isinstance(crash, dict) else {}
                change.fields["crash"] = {**before, _REMOVED: True}
            elif not is_lobby:
                in_thread = session.row.parent_id is not None
                letters.notice(session, change, "thread_gone" if in_thread else "channel_gone")
            await session.commit(change)
            if removed:
                log.warning("table %s rests: I was removed from its server", session.code)
            else:
                log.warning("table %s rests: its channel is gone or hidden from me", session.code)
        for serial, row in list(session.messages.items()):
            if row.want != "done" and not letters.is_untold(session, row):
                await settle(session, serial)

    return await _is_stored(session, work, "orphan", "marked orphaned")


async def tell_of_return(session: Core) -> None:
    """The bot is on the table's server again after it was removed: what can be done is told once,
    in the table's place if that is there, else as of other lost places.
    """

    async def work() -> None:
        crash = session.row.crash
        if not isinstance(crash, dict) or _REMOVED not in crash:
            return
        left = {key: value for key, value in crash.items() if key != _REMOVED}
        change = Change(fields={"crash": left or None})
        if session.status is Status.ORPHANED:
            letters.notice(session, change, "removed")
        await session.commit(change)

    await _is_stored(session, work, "return", "told of the return")


async def tell_of_loss(session: Core) -> None:
    """The newest moves may be gone from the disk: the table is told where to look.

    Serials go on far behind: nothing that was sent and forgotten is taken for what comes now.
    """

    async def work() -> None:
        if not _may_turn(session):
            return
        change = Change()
        letters.notice(session, change, "lost_moves")
        ((serial, row),) = change.messages.items()
        change.messages = {serial + _APART: replace(row, serial=serial + _APART)}
        await session.commit(change)

    await _is_stored(session, work, "loss", "told of the loss")


async def shut(session: Core, why: str) -> bool:
    """The table's thread cannot be written in: it stands still, which its channel is told.

    False if that could not be stored: the table is as it was.
    """

    async def work() -> None:
        if session.status not in (Status.RUNNING, Status.LOBBY):
            return
        if session.status is Status.RUNNING:  # a lobby closes by itself
            change = Change(fields={"status": "paused", "crash": waits_for_thread(session)})
            if session.row.parent_id is not None:
                letters.notice(session, change, "thread_shut")
            await session.commit(change)
        log.warning("table %s cannot be shown: %s", session.code, why)

    return await _is_stored(session, work, "shut", "paused")


async def posted(session: Core, row: MessageRow) -> None:
    """Store the id of a message that was sent."""
    await session.desk.store.commit(Write(session=session.id, posted=(row,)))
    known = session.messages[row.serial]
    session.messages[row.serial] = replace(
        known,
        channel_id=row.channel_id,
        message_id=row.message_id,
        want="keep" if known.want == "post" else known.want,
    )


async def settle(session: Core, serial: int) -> None:
    """Store that nothing more is to be done about a message."""
    row = replace(session.messages[serial], want="done")
    await session.desk.store.commit(Write(session=session.id, messages=(row,)))
    session.messages[serial] = row


async def letters_refused(session: Core, row: MessageRow) -> None:
    """A person takes no letters: a call goes to the channel instead, a ballot is for the panel.

    The table is told once of each such seat.
    """
    user_id = session.seats[row.seat].user_id if row.seat in session.seats else None
    change = Change()
    if user_id is None or row.purpose == "ballot":
        change.messages[row.serial] = replace(session.messages[row.serial], want="done")
    if user_id is not None:
        session.desk.letters_refused(user_id)
        notice = letters.NOTICES.index("letters_closed")
        told = [r for r in session.messages.values() if r.purpose == "notice"]
        if not any((r.question, r.seat) == (notice, row.seat) for r in told):
            letters.notice(session, change, "letters_closed", row.seat)
    if change.messages:
        await session.commit(change)


async def call_players(session: Core, shown: Shown) -> None:
    """Intend a call to each person who is to move and is not clicking anyway.

    While sand runs one call to everybody, at its start, takes the place of all others. Nobody is
    called to a question that any of several people may answer: whoever is there will.
    """
    await session.load()
    if session.status is not Status.RUNNING or session.game is None:
        return
    game = session.playing
    change = Change()
    rows = list(session.messages.values())
    persons = {s: user for s, user in session.persons().items() if not session.seats[s].away}
    called = {(row.seat, row.question) for row in rows if row.purpose == "ping"}
    for timer in game.timers:
        if (NO_SEAT, timer.question) not in called and persons:
            letters.add(session, change, "ping", question=timer.question)
    by_dm = {
        (row.seat, row.question)
        for row in rows
        if row.purpose == "ballot" and row.want in letters.UP
    }
    people = Counter(d.question for d in game.waiting() if d.seat in persons)
    now = session.desk.time.epoch()
    for decision in game.waiting():
        place = (decision.seat, decision.question)
        user_id = persons.get(decision.seat)
        if game.timers or user_id is None or place in called or place in by_dm:
            continue
        if decision in game.interrupted or (decision.shared and people[decision.question] > 1):
            continue
        acted = session.seats[decision.seat].acted_at
        rest = 0.0 if acted is None else acted + QUIET - now
        if rest > 0:
            soon = session.desk.time.monotonic() + rest
            shown.recheck = min(soon, shown.recheck or soon)
            continue
        if (await session.desk.preference(user_id)).pings != "off":
            letters.add(session, change, "ping", seat=decision.seat, question=decision.question)
    if change.messages:
        await session.commit(change)
