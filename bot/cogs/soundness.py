"""What a moderator has to know of a table before it is in order: why it rests, until when."""

from __future__ import annotations

import discord

from bot.sessions.faces import Status
from bot.sessions.session import Session
from bot.ui.house import House

_STANDING = (Status.LOBBY, Status.RUNNING, Status.PAUSED)


def health_of(house: House, session: Session, guild: discord.Guild | None) -> str:
    """All that is wrong at a table, in words, or that nothing is."""
    return ", ".join(troubles_of(house, session, guild)) or house.say("session.health_well")


def troubles_of(house: House, session: Session, guild: discord.Guild | None) -> list[str]:
    """All that is wrong at a table, the cause before its consequences."""
    say = house.say
    found: list[str] = []
    if session.crash_reference is not None:
        found.append(say("session.health_stopped", reference=session.crash_reference))
    if session.status is Status.ORPHANED:
        found.append(say("session.health_lost"))
    if session.status in _STANDING:
        found += _silence(house, session, guild)
    expires_at = session.row.expires_at
    when = "" if expires_at is None else f"<t:{round(expires_at)}:R>"
    if session.is_resting:
        found.append(say("session.health_resting", when=when))
    elif when and not session.is_over and session.status is not Status.LOBBY:
        found.append(say("session.health_ending", when=when))
    if session.motion is not None:
        found.append(say("session.health_asked"))
    return found


def _silence(house: House, session: Session, guild: discord.Guild | None) -> list[str]:
    """Why nothing can be written at a table, if so."""
    if session.is_shut_out or _is_closed(session, guild):
        return [house.say("session.health_shut")]
    match house.silence.told(session):
        case "":
            is_behind = bool(house.registry.publisher.shown(session).failures)
            return [house.say("session.health_behind")] if is_behind else []
        case "silence.thread":
            return [house.say("session.health_shut")]
        case "silence.timed_out":
            return [house.say("session.health_timed_out")]
        case "silence.permission":
            facts = house.silence.facts(session, house.say)
            return [house.say("session.health_permission", **facts)]
        case _:
            return [house.say("session.health_behind")]


def _is_closed(session: Session, guild: discord.Guild | None) -> bool:
    """Whether a paused table's thread is closed; one that is played opens it by itself."""
    if session.status is not Status.PAUSED or session.row.parent_id is None or guild is None:
        return False
    thread = guild.get_thread(session.channel_id)
    return thread is None or thread.archived or thread.locked
