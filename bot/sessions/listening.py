"""Whether a table can be shown: while it cannot, nothing is played behind the players' backs."""

from __future__ import annotations

from typing import Final

from bot.sessions import ticking
from bot.sessions.publisher import Publisher
from bot.sessions.session import Session

ASKS_EVERY: Final = 2.0
"""Seconds for which what the cache says of a place is believed."""


def listen(session: Session, publisher: Publisher, *, afresh: bool = False) -> None:
    """See whether the table's place can be written in, by the cache and by what was met there.

    What is played by time stands still while it cannot, and goes on once the table shows it.
    ``afresh``: what the cache said before is not believed any more.
    """
    desk, shown = session.desk, publisher.shown(session)
    shown.stand_in(session.channel_id)
    was_forbidden, now = shown.forbidden, desk.time.monotonic()
    if afresh or now >= shown.asked_for + ASKS_EVERY:
        shown.asked_for = now
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
