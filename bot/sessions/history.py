"""Finding games that are over: by their code, or the newest of a channel."""

from __future__ import annotations

from bot.sessions.ports import Refusal
from bot.sessions.registry import Registry
from bot.sessions.session import Session


async def by_code(registry: Registry, guild_id: int, code: str) -> Session:
    """A table of that server, over or not.

    Refusal ``no_such_code``, with the ``code`` and whether it is a table's ``elsewhere``: the log
    says so, the player is told the same either way.
    """
    row = await registry.desk.store.session_by_code(code)
    if row is None or row.guild_id != guild_id:
        raise Refusal("no_such_code", code=code, elsewhere=row is not None)
    return await registry.recall(row.id)


async def newest_in(registry: Registry, channel_id: int) -> Session:
    """The game that ended last in a channel or in one of its threads.

    Refusal ``game_not_over`` if there is only one that goes on, ``nothing_to_verify`` if none.
    """
    rows = await registry.desk.store.sessions_of_channel(channel_id, live=False)
    ended = [row for row in rows if row.status in ("finished", "abandoned") and row.header]
    if not ended:
        goes_on = registry.in_channel(channel_id, stopped=True) is not None
        raise Refusal("game_not_over" if goes_on else "nothing_to_verify")
    return await registry.recall(max(ended, key=lambda row: (row.ended_at or 0.0, row.id)).id)
