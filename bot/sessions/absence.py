"""People who are gone, and tables that end because nobody is there. All under the lock."""

from __future__ import annotations

from bot.sessions import letters, lobby, pace, play, presence
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.faces import Status

STOPPED = (Status.CRASHED, Status.ORPHANED)
"""Nobody can play there until a moderator brings the table back."""


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
    await session.commit(change)
    return True


def is_expired(session: Core) -> bool:
    """Whether the hour of a lobby, or of a table at which nobody plays or can, has come.

    It waits while the bot may not write there, where nobody would read of it; but not for ever.
    """
    expires_at = session.row.expires_at
    if expires_at is None:
        return False
    is_stopped = _is_stopped(session)
    if session.status is Status.RUNNING or is_stopped:
        expires_at = max(expires_at, session.heard_since + pace.GRACE)
    elif session.status is not Status.LOBBY:
        return False
    if session.is_mute and not is_stopped:
        expires_at += pace.LAST_CALL
    return session.desk.time.epoch() >= expires_at


def is_silent(session: Core) -> bool:
    """Whether no person has done anything for so long that the table announces its end.

    Where nobody can, it counts from when it was stopped.
    """
    is_stopped = _is_stopped(session)
    may_end = session.status is Status.RUNNING or is_stopped
    if not may_end or session.row.expires_at is not None:
        return False
    since = presence.silent_since(session)
    if is_stopped:
        since = max(since, session.row.touched_at)
    return session.desk.time.epoch() - since > pace.SILENT


async def expire(session: Core) -> None:
    """Close a lobby that nobody has joined, or end a table at which nobody plays any more."""
    if not is_expired(session):
        return
    change = Change()
    if session.status is Status.LOBBY:
        change.fields["expires_at"] = session.row.expires_at
        lobby.close(session, change)
    elif _is_stopped(session):
        play.abandon(session, change, _word(session, "expired"))
        session.let_go()
    else:
        play.abandon(session, change, "expired")
        session.let_go()
    await session.commit(change)


async def fall_quiet(session: Core) -> None:
    """Announce that the table will end if nobody does anything, or brings it back."""
    if not is_silent(session):
        return
    change = Change()
    change.fields["expires_at"] = session.desk.time.epoch() + pace.LAST_CALL
    word = _word(session, "quiet") if _is_stopped(session) else "quiet"
    if word is not None:
        letters.notice(session, change, word)
    await session.commit(change)


def _is_stopped(session: Core) -> bool:
    """Whether it stands still, and not by a moderator's wish."""
    return session.status in STOPPED or session.is_shut_out


def _word(session: Core, what: str) -> str | None:
    """The notice for ``what`` of a table that was stopped, in its place or the one nearest to it.

    None: it has lost its channel and has no place to say so.
    """
    if session.is_shut_out:
        return f"{what}_thread"
    if session.status is not Status.CRASHED:
        return None
    if session.fault != "crashed":
        return f"{what}_{session.fault}"
    return {"quiet": "stopped", "expired": "expired_stopped"}[what]
