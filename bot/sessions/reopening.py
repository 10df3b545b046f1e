"""Tables whose thread is shut: the bot pauses them itself, and they go on when it is opened.

Only the table's ``crash`` tells them from those that a moderator has paused: it names the thread.
"""

from __future__ import annotations

import logging

from bot.sessions import letters
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.ports import ChannelError, PlaceGone, Refusal, ThreadShut
from bot.store.rows import Json

log = logging.getLogger(__name__)


def waits_for_thread(session: Core) -> dict[str, Json]:
    """What is stored of a table that waits for its thread."""
    return {"thread": session.channel_id}


async def open_thread(session: Core) -> None:
    """Try once to open the thread of a paused table. Under the lock.

    Refusal ``still_shut`` if it cannot be: the table waits for it, whoever paused it before.
    PlaceGone if there is no such thread. What else fails is for the publisher to meet.
    """
    if session.row.parent_id is None:
        return
    try:
        await session.desk.channel.open(session.channel_id)
    except PlaceGone:
        raise
    except ThreadShut as error:
        if not session.is_shut_out:
            await session.commit(Change(fields={"crash": waits_for_thread(session)}))
        raise Refusal("still_shut", place=session.channel_id) from error
    except ChannelError as error:
        log.warning("table %s: whether its thread is open is not known: %s", session.code, error)


async def go_on(session: Core) -> None:
    """The thread was opened: a table that waits for it goes on."""

    async def work() -> None:
        if session.is_shut_out:
            change = Change(fields={"status": "running", "crash": None})
            letters.notice(session, change, "thread_open")
            await session.commit(change)
            log.info("table %s goes on: its thread is open", session.code)

    session.may_reopen = False
    try:
        await session.locked(work, "reopen")
    except Refusal as refusal:
        log.warning("table %s could not go on: %s", session.code, refusal)
        session.may_reopen = True
