"""Pictures drawn off the loop, each once: the same view and names give the same picture."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from typing import Any, Final

from bot.sessions.faces import Snapshot
from bot.titles import Title
from bot.ui.layout import Attached
from bot.ui.text import Voice

_log = logging.getLogger(__name__)

_TABLES: Final = 64
_VIEWS: Final = 4
_AT_ONCE: Final = 2

Key = tuple[str, str, tuple[str, ...]]


class Pictures:
    """Draws boards. A drawing that fails is logged, and the table goes on in words."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Key, deque[tuple[object, Attached]]] = OrderedDict()
        self._gate = asyncio.Semaphore(_AT_ONCE)
        self.rendered: Callable[[float], None] = lambda _: None
        """Told of the seconds that each drawing took."""

    async def board(self, title: Title, view: object, names: Sequence[str]) -> Attached | None:
        """The board as that view shows it; None if it could not be drawn."""
        words = Voice(title, names).plain
        return await self._made(
            (title.key, "board", (*names,)),
            view,
            lambda: title.renderer.draw(view, words, names),
        )

    async def closing(self, title: Title, snapshot: Snapshot) -> Attached | None:
        """The closing picture; None if it could not be drawn, or the game has not ended."""
        outcome = snapshot.outcome
        if outcome is None or snapshot.view is None:
            return None
        names = snapshot.seat_names
        words = Voice(title, names).plain
        return await self._made(
            (title.key, "closing", names),
            (snapshot.view, outcome),
            lambda: title.renderer.closing(snapshot.view, words, names, outcome),
        )

    async def _made(self, key: Key, view: object, draw: Callable[[], bytes]) -> Attached | None:
        found = self._find(key, view)
        if found is not None:
            return found
        async with self._gate:
            found = self._find(key, view)
            if found is not None:
                return found
            begun = time.perf_counter()
            try:
                data = await asyncio.to_thread(draw)
            except Exception:  # noqa: BLE001 - a fault in drawing must not stop a table
                _log.exception("a picture of %s could not be drawn", key[0])
                return None
            self.rendered(time.perf_counter() - begun)
        name = f"{key[1]}-{hashlib.sha256(data).hexdigest()[:10]}.png"
        made = Attached(name, data)
        self._keep(key, view, made)
        return made

    def _find(self, key: Key, view: Any) -> Attached | None:
        for known, made in self._kept.get(key, ()):
            if known is view or known == view:
                self._kept.move_to_end(key)
                return made
        return None

    def _keep(self, key: Key, view: object, made: Attached) -> None:
        self._kept.setdefault(key, deque(maxlen=_VIEWS)).append((view, made))
        self._kept.move_to_end(key)
        while len(self._kept) > _TABLES:
            self._kept.popitem(last=False)
