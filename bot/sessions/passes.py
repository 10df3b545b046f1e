"""Passes: what lets the buttons of a moderator's private panel do what the command was allowed to.

Who may use a command is Discord's affair and each server's (Manage Server, unless its settings say
otherwise). A click on a button does not tell whether its member may use the command, so the panel
carries a pass: it holds for that member, that server and a quarter of an hour or two.
"""

from __future__ import annotations

import hmac
from typing import Final

from bot.sessions.keys import key_of
from bot.sessions.ports import Time
from bot.store.protocol import Store

_SETTING: Final = "pass_key"
_KEY: Final = 32
_SPAN: Final = 900
_LENGTH: Final = 12


class Passes:
    """Makes passes and knows its own again; their key is in the store, so they outlive restarts."""

    def __init__(self, store: Store, clock: Time) -> None:
        self._store = store
        self._clock = clock
        self._key = b""

    async def made(self, user_id: int, guild_id: int) -> str:
        """A pass for a member who was let through."""
        return await self._pass(user_id, guild_id, 0)

    async def holds(self, given: str, user_id: int, guild_id: int) -> bool:
        """Whether that pass was made for this member here, and not long ago."""
        spans = [await self._pass(user_id, guild_id, ago) for ago in (0, 1)]
        return any(hmac.compare_digest(given.encode(), one.encode()) for one in spans)

    async def _pass(self, user_id: int, guild_id: int, ago: int) -> str:
        if not self._key:
            self._key = await key_of(self._store, _SETTING, _KEY)
        span = int(self._clock.epoch()) // _SPAN - ago
        text = f"{user_id}/{guild_id}/{span}"
        return hmac.digest(self._key, text.encode(), "sha256").hex()[:_LENGTH]
