"""`forget`: remove every trace of a user, for somebody who cannot ask the bot any more."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.counted import counted
from bot.store.archive import demand_database
from bot.store.db import open_store
from bot.store.protocol import StoreError
from bot.tools.errors import UsageError
from bot.ui.rulebook import ROOT
from content.words import load_folder


def run(data_dir: Path, user_id: int) -> int:
    """Forget a user while the bot is stopped, and print in how many tables they stood."""
    name = load_folder(ROOT / "common").say("privacy.nobody")
    try:
        demand_database(data_dir, "there is nobody to forget")
        count = asyncio.run(_forget(data_dir, user_id, name))
    except StoreError as error:
        raise UsageError(str(error)) from error
    print(f"forgotten; they stood in {counted(count, 'table')}. Backups keep them until replaced")
    return 0


async def _forget(data_dir: Path, user_id: int, name: str) -> int:
    async with await open_store(data_dir) as store:
        return len(await store.forget(user_id, name))
