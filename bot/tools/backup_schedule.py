"""Backups that the running bot makes by itself, and how many of them it keeps.

Whatever goes wrong with them is one line in the log and never reaches a table.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from bot.store.opening import BACKUPS, DATABASE_NAME
from bot.store.protocol import Store, StoreClosed, StoreError
from bot.titles import Title
from bot.tools.backup import backups_in, made_at, place_for, prove

_log = logging.getLogger(__name__)

LOOK: Final = 60.0
"""Seconds between two looks whether a backup is due; the first comes after as many."""

AGAIN: Final = 3600.0
"""Seconds after a backup that failed until the next try."""

_HOUR: Final = 3600.0
_SPARE: Final = 20_000_000
"""Bytes that a backup must leave on the disk, for the games."""

_STALE: Final = 86400.0
"""Seconds after which a half-written copy is surely of a process that was killed."""


class Schedule:
    """Makes a backup of a data folder every so many hours, and deletes the oldest of its own.

    - last: when the newest backup in the folder was made (seconds since the epoch), by whoever.
    - failure: why the latest try came to nothing, in a line; None if it went well.

    `hours` 0: only looks when the last one was made. `epoch` and `look` replace the clock, and
    LOOK, in tests.
    """

    def __init__(
        self,
        store: Store,
        data_dir: Path,
        games: Mapping[str, Title],
        hours: float,
        keep: int,
        *,
        epoch: Callable[[], float] = time.time,
        look: float = LOOK,
    ) -> None:
        self._store = store
        self._data_dir = data_dir
        self._games = games
        self._hours = hours
        self._keep = keep
        self._epoch = epoch
        self._look = look
        self._tried: float | None = None
        self._task: asyncio.Task[None] | None = None
        self.last: float | None = None
        self.failure: str | None = None

    def start(self) -> None:
        """Begin to look whether a backup is due."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="backups")

    async def stop(self) -> None:
        """Make no more; a copy that is being written is given up when the store closes."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        while True:
            try:
                await self.look()
            except Exception:  # noqa: BLE001 - a fault of backups must end neither them nor a game
                _log.exception("backups: looking for the next one has failed")
            await asyncio.sleep(self._look)

    async def look(self) -> None:
        """Make a backup if one is due."""
        found = await asyncio.to_thread(backups_in, self._data_dir)
        self.last = made_at(found[0]) if found else None
        now = self._epoch()
        if self._tried is None:
            self._tried = now  # not at once: the tables come back first
        elif self._hours > 0 and self._is_due(now):
            self._tried = now
            try:
                await self.make()
            except Exception:
                self.failure = "a fault of the bot itself, see its log"
                raise

    def _is_due(self, now: float) -> bool:
        if self.failure is not None and 0 <= now - (self._tried or 0.0) < AGAIN:
            return False
        # One from the future was made under a clock that was wrong: it says nothing.
        return self.last is None or not 0 <= now - self.last < self._hours * _HOUR

    async def make(self) -> Path | None:
        """Make, prove and log a backup, then delete old ones; None if nothing was written."""
        at = self._epoch()
        try:
            await asyncio.to_thread(self._demand_space)
            target = await asyncio.to_thread(place_for, self._data_dir, at)
            await self._store.backup(target)
            self.last = at
            proof = await prove(target, self._games)
        except StoreClosed:
            return None
        except (StoreError, OSError) as error:
            self.failure = str(error).replace("\n", " ")
            _log.warning("no backup was made: %s", self.failure)
            return None
        if proof.faults:
            # What is older may be the better one, so nothing is deleted.
            self.failure = f"{target} is not as it should be: {'; '.join(proof.faults)}"
            _log.warning("backup %s", self.failure)
            return target
        self.failure = None
        _log.info("backup %s written and checked: %s", target, proof)
        await asyncio.to_thread(self._delete_old)
        return target

    def _demand_space(self) -> None:
        """A full disk would stop the games. Raises StoreError."""
        size = sum(
            path.stat().st_size
            for path in (self._data_dir / DATABASE_NAME, self._data_dir / f"{DATABASE_NAME}-wal")
            if path.exists()
        )
        free = shutil.disk_usage(self._data_dir).free
        if free < size + _SPARE:
            told = f"it needs {(size + _SPARE) / 1e6:.0f} MB free"
            raise StoreError(f"{self._data_dir} has {free / 1e6:.0f} MB left, {told}")

    def _delete_old(self) -> None:
        old = backups_in(self._data_dir, by_hand=False)[self._keep :]
        stale = [
            part
            for part in (self._data_dir / BACKUPS).glob("*.part*")
            if self._epoch() - part.stat().st_mtime > _STALE
        ]
        for path in (*old, *stale):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                _log.warning("the old backup %s could not be deleted: %s", path, error.strerror)
