"""People who are gone, and tables that end because nobody is there. All under the lock."""

from __future__ import annotations

from bot.sessions import letters, lobby, pace, play, presence
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status


async def gone(session: Core, user_id: int, name: str) -> bool:
    """A person is not on the server any more; whether they had a seat here.

    In a lobby the seat is free again; in a game a computer player of that name has it. Without
    anybody left the lobby closes, or the game ends without a result. A table that was stopped by a
    fault stays as it is.
    """
    seat = session.seat_of(user_id)
    if seat is None:
        return False
    if session.status is Status.LOBBY:
        await lobby.lose(session, seat)
        return True
    if session.status not in (Status.RUNNING, Status.PAUSED):
        return False
    await session.load()
    change = Change()
    if session.is_last(seat):
        play.abandon(session, change)
    else:
        await play.change_hands(session, change, seat, None, name)
        letters.notice(session, change, "gone", seat)
        if user_id == session.host_id:
            presence.pass_host_on(session, change)
    await session.commit(change)
    return True


def is_expired(session: Core) -> bool:
    """Whether the hour of a lobby, or of a table at which nobody plays, has come."""
    expires_at = session.row.expires_at
    if expires_at is None:
        return False
    if session.status is Status.RUNNING:
        expires_at = max(expires_at, session.desk.started_at + pace.GRACE)
    elif session.status is not Status.LOBBY:
        return False
    return session.desk.time.epoch() >= expires_at


def is_silent(session: Core) -> bool:
    """Whether no person has done anything for so long that the table announces its end."""
    if session.status is not Status.RUNNING or session.row.expires_at is not None:
        return False
    return session.desk.time.epoch() - presence.silent_since(session) > pace.SILENT


async def expire(session: Core) -> None:
    """Close a lobby that nobody has joined, or end a table at which nobody plays any more."""
    if not is_expired(session):
        return
    change = Change()
    if session.status is Status.LOBBY:
        change.fields["expires_at"] = session.row.expires_at
        lobby.close(session, change)
    else:
        play.abandon(session, change, "expired")
        session.let_go()
    await session.commit(change)


async def fall_quiet(session: Core) -> None:
    """Announce that the table will end if nobody does anything."""
    if not is_silent(session):
        return
    change = Change()
    change.fields["expires_at"] = session.desk.time.epoch() + pace.LAST_CALL
    letters.notice(session, change, "quiet")
    await session.commit(change)
