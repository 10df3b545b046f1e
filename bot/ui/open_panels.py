"""Private panels that stand open: when their game ends, their controls are taken away.

Only the interaction that a panel was the answer to can edit it, for a quarter of an hour. So what
is remembered here is short-lived, and lost at a restart; whoever presses a control that is left is
told that the game is over, in the panel's place (House.refusal).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import aiohttp
import discord

from bot.ui import ids
from bot.ui.layout import Shown

_log = logging.getLogger(__name__)

ALIVE: Final = 870.0
"""Seconds for which an interaction can edit its answer, with a little left for the way."""

MOVES: Final = ("act", "draft", "cast", "more", "ballot")
"""Verbs of the controls by which somebody plays; what else a panel offers still makes sense."""

_KEPT: Final = 1000
"""Panels of all tables together; of more, the oldest keep their controls until they are pressed."""

Interaction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class _Panel:
    session: int
    interaction: Interaction
    at: float


class OpenPanels:
    """``clock`` is monotonic, in seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._panels: dict[int, _Panel] = {}

    def note(self, interaction: Interaction, shown: Shown) -> None:
        """Somebody was answered with this, in a message that the interaction alone can edit."""
        now = self._clock()
        message = interaction.extras.get("answered", 0) or interaction.id
        self._panels.pop(message, None)
        session = _table_of(shown)
        if session:
            self._panels[message] = _Panel(session, interaction, now)
        while self._panels:
            oldest = next(iter(self._panels))
            if now - self._panels[oldest].at < ALIVE and len(self._panels) <= _KEPT:
                break
            del self._panels[oldest]

    async def close(self, session: int, shown: Callable[[], Shown]) -> None:
        """The game has ended: every panel of it that can be edited says so instead."""
        mine = {n: one for n, one in self._panels.items() if one.session == session}
        for message, one in mine.items():
            del self._panels[message]
            if self._clock() - one.at < ALIVE:
                await _quietly(
                    one.interaction.edit_original_response(
                        view=shown().layout,
                        attachments=[],
                        allowed_mentions=discord.AllowedMentions.none(),
                    )
                )


def _table_of(shown: Shown) -> int:
    """The table that a panel lets somebody play at; 0 if it does not."""
    for item in shown.layout.walk_children():
        control = ids.read(str(getattr(item, "custom_id", "")))
        if control is not None and control.verb in MOVES and control.session:
            return control.session
    return 0


async def _quietly(edit: Awaitable[object]) -> None:
    try:
        await edit
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        # Whoever has closed the panel, or lost the line, sees nothing of it in any case.
        _log.info("a panel of a game that has ended stays: %s", error)
