"""Lines for the log of acts: who did what to which table. Nothing secret ever goes in."""

from __future__ import annotations

from bot.sessions.change import Change
from bot.sessions.memory import Memory
from bot.sessions.ports import Click
from bot.store.rows import ActRow, Json


def note(
    session: Memory,
    change: Change,
    by: int | None,
    what: str,
    *,
    about: int | None = None,
    **facts: Json,
) -> None:
    """Write a line, in the same transaction as what it tells."""
    change.acts.append(
        ActRow(
            guild_id=session.guild_id,
            session=session.id,
            code=session.code,
            at=session.desk.time.epoch(),
            what=what,
            by=by,
            about=about,
            facts=facts,
        )
    )


def from_above(
    session: Memory,
    change: Change,
    click: Click,
    what: str,
    *,
    about: int | None = None,
    **facts: Json,
) -> bool:
    """Write a line if whoever does it is not the host and may only as a moderator."""
    if click.user_id == session.host_id or not click.may_manage:
        return False
    note(session, change, click.user_id, what, about=about, **facts)
    return True
