"""`validate-journals`: replay all unfinished games on this code, before it is deployed.

It works on a copy of the data, so the bot may go on running.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from bot import titles
from bot.store.copying import copy_database
from bot.store.db import open_store
from bot.store.opening import DATABASE_NAME
from bot.store.protocol import Store, StoreError
from bot.store.rows import SessionRow
from bot.titles import Title
from bot.tools.errors import UsageError
from bot.tools.replay import Unplayable, replayed
from content.loader import load_dump
from engines.kernel.errors import JournalError
from engines.kernel.journal import load_header, load_record


def run(data_dir: Path) -> int:
    """Print one line a game; 1 if one of them does not fit this code."""
    source = data_dir / DATABASE_NAME
    if not source.is_file():
        print(f"{source} does not exist: nothing to check")
        return 0
    with tempfile.TemporaryDirectory(prefix="nightwatch-") as folder:
        try:
            copy_database(source, Path(folder) / DATABASE_NAME)
        except Exception as error:
            raise UsageError(f"{source} cannot be copied: {error}") from error
        try:
            return asyncio.run(_validate(Path(folder)))
        except StoreError as error:
            raise UsageError(f"{source} cannot be read: {error}") from error


async def _validate(folder: Path) -> int:
    known = titles.load_all()
    bad = 0
    async with await open_store(folder) as store:
        rows = [row for row in await store.live_sessions() if row.header is not None]
        for row in rows:
            problem = await _problem(store, row, known)
            bad += problem is not None
            print(f"{row.code}: {problem or f'fits, {row.ply} records'}")
    print(f"{len(rows)} unfinished games, {bad} of which do not fit")
    return 1 if bad else 0


async def _problem(store: Store, row: SessionRow, known: Mapping[str, Title]) -> str | None:
    """What does not fit; None if the game can be played on as it was."""
    title = known.get(row.game)
    if title is None:
        return f"there is no game {row.game!r}"
    try:
        header = load_header(row.header or "")
        body = await store.get_content(header.content)
        if body is None:
            return f"its content {header.content[:16]} is not stored"
        content = load_dump(type(title.content.rules), body.decode())
        entries = await store.entries(row.id)
        records = [load_record(entry.record, n) for n, entry in enumerate(entries, 1)]
        play = replayed(title, content, header, records)
    except (JournalError, Unplayable, StoreError) as error:
        return str(error)
    except ValidationError:
        return "its content is of another version"
    if play.reinterpreted_from is not None:
        return f"re-interpreted from ply {play.reinterpreted_from}"
    return None
