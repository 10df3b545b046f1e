"""A table's pace, chosen in the lobby and changed during the game. Under the lock.

When it changes, whoever is asked has the new time in full, from when the table shows it: what was
left under the old pace says nothing about the new one, and nobody loses a move by the change.
"""

from __future__ import annotations

from bot.sessions import acts, letters, lobby, pace, play
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal


async def set_pace(session: Core, click: Click, value: str) -> None:
    """Host or moderators: choose how long everybody has for an answer.

    Refusals ``not_host``, ``unknown_option``, ``pace_is_so``, and by the state of the table.
    """
    if session.status is Status.LOBBY:
        await lobby.set_pace(session, click, value)
        return
    session.check_click(click)
    if session.status is not Status.PAUSED:
        session.check_running()
    session.check_host(click)
    if pace.pace_of(value) is None:
        raise Refusal("unknown_option", option="pace", options=pace.PACES)
    if value == session.row.pace:
        raise Refusal("pace_is_so")
    if session.status is Status.PAUSED:
        await session.load()
    else:
        await play.ready(session, click, needs_seat=False)
        session.check_running()
    change = Change(click)
    change.fields["pace"] = value
    letters.notice(session, change, "pace")
    acts.note(session, change, click.user_id, "pace", pace=value)
    await session.commit(change)
