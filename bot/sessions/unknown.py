"""Tables of games that this version does not have: they rest, and can be ended.

Such a game comes back with the next version that has it, and its tables then go on by themselves.
If none comes they age like a table that a fault has stopped, counted from when the game was first
missed; a paused table does not, and a lobby closes at its hour.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from typing import Any, Final, cast

from bot.sessions import pace
from bot.sessions.desk import Desk
from bot.sessions.ports import Click, Refusal
from bot.store.protocol import StoreError, Write
from bot.store.rows import LIVE, ActRow, SessionRow

log = logging.getLogger(__name__)

_SINCE: Final = "unknown_since"


class Unknown:
    """The live tables that are not known as sessions, by number."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._rows: dict[int, SessionRow] = {}

    def note(self, row: SessionRow) -> None:
        """Such a table was found."""
        if row.id not in self._rows and row.status in LIVE:
            self._rows[row.id] = row
            log.warning("table %s is of an unknown game, %s; it rests", row.code, row.game)

    def get(self, session_id: int) -> SessionRow | None:
        """The table of that number, if it is one of these."""
        return self._rows.get(session_id)

    def in_guild(self, guild_id: int) -> tuple[SessionRow, ...]:
        """Those of a server."""
        return tuple(row for row in self._rows.values() if row.guild_id == guild_id)

    def drop(self, session_id: int) -> None:
        """A table whose rows are gone."""
        self._rows.pop(session_id, None)

    async def end(self, click: Click, session_id: int) -> None:
        """A moderator ends one without a result. Its rows stay, as with every table.

        Refusals ``no_such_table``, ``only_moderators``, ``not_saved``.
        """
        row = self._rows.get(session_id)
        if row is None:
            raise Refusal("no_such_table")
        if not click.may_manage:
            raise Refusal("only_moderators")
        act = ActRow(
            guild_id=row.guild_id, session=row.id, code=row.code,
            at=self._desk.time.epoch(), what="end", by=click.user_id,
        )  # fmt: skip
        try:
            await self._end(row, act)
        except StoreError as error:
            raise Refusal("not_saved") from error

    async def _end(self, row: SessionRow, *acts: ActRow) -> None:
        status = "cancelled" if row.status == "lobby" else "abandoned"
        fields = {"status": status, "ended_at": self._desk.time.epoch()}
        await self._desk.store.commit(Write(session=row.id, fields=fields, acts=acts))
        self.drop(row.id)

    async def age(self) -> None:
        """End those whose time is over. Raises StoreError."""
        store, now = self._desk.store, self._desk.time.epoch()
        stored = await store.setting(_SINCE)
        known, since = _moments(stored), dict[str, float]()
        for row in list(self._rows.values()):
            first = min(known.get(str(row.id), now), now)
            if _is_over(row, first, now):
                await self._end(row)
                log.info("table %s has ended: nobody has its game, %s", row.code, row.game)
            else:
                since[str(row.id)] = first
        if since or stored is not None:
            await store.set_setting(_SINCE, json.dumps(since) if since else None)


def _is_over(row: SessionRow, first: float, now: float) -> bool:
    if row.status == "paused":
        return False
    if row.status == "lobby":
        return row.expires_at is None or now >= row.expires_at
    return now - first >= pace.SILENT + pace.LAST_CALL


def _moments(stored: str | None) -> Mapping[str, float]:
    """When each game was first missed; nothing if that cannot be read."""
    try:
        found: Any = json.loads(stored or "{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    listed = cast("dict[str, Any]", found)
    return {key: at for key, at in listed.items() if type(at) in (int, float) and 0 < at < math.inf}
