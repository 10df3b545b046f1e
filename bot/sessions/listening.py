"""Whether a table can be shown: while it cannot, nothing is played behind the players' backs."""

from __future__ import annotations

from bot.sessions import ticking
from bot.sessions.publisher import Publisher
from bot.sessions.session import Session


def listen(session: Session, publisher: Publisher) -> None:
    """See whether the table's place can be written in, by the cache and by what was met there.

    What is played by time stands still while it cannot, and goes on once the table shows it.
    """
    desk, shown = session.desk, publisher.shown(session)
    was_forbidden = shown.forbidden
    shown.forbidden = not desk.may_write(session.guild_id, session.channel_id)
    if was_forbidden and not shown.forbidden:
        publisher.nudge(session, afresh=True)
    is_mute = shown.forbidden or shown.barred == "permission"
    if is_mute == session.is_mute:
        return
    session.is_mute = is_mute
    if is_mute:
        ticking.stop(session)
    else:
        session.heard_since = desk.time.epoch()
        session.wake_computers()
    session.version += 1
    publisher.nudge(session)
