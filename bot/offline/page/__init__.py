"""The players' page: a small Discord client in the browser, served to this computer only."""

from __future__ import annotations

from bot.offline.page.site import BotState, PlayersPage, listen

__all__ = ["BotState", "PlayersPage", "listen"]
