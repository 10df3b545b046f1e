"""`validate-journals`: replay all unfinished games on this code, before it is deployed.

It works on a copy of the data, so the bot may go on running.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bot import titles
from bot.counted import counted
from bot.store.archive import Archive, demand_database, open_archive, remedied
from bot.store.opening import newest_lost
from bot.store.protocol import StoreError
from bot.store.rows import SessionRow
from bot.titles import Title
from bot.tools.errors import UsageError
from bot.tools.replay import Unplayable, replayed
from content.loader import load_dump
from engines.kernel.errors import JournalError, RulesBug
from engines.kernel.journal import load_header, load_record


@dataclass(frozen=True, slots=True)
class Finding:
    """One unfinished game: whether this code can play it on as it was (`problem` is None).

    `was_broken`: it stands still already, so the problem is no news. `is_unknown`: this code has
    no such game, and leaves it alone.
    """

    code: str
    records: int
    problem: str | None
    was_broken: bool
    is_unknown: bool


def run(data_dir: Path) -> int:
    """Print one line a game; 1 if one of them does not fit this code."""
    try:
        source = demand_database(data_dir, "there is nothing to check")
        if (lost := newest_lost(data_dir)) is not None:
            print(f"validate-journals: {lost}", file=sys.stderr)
        with remedied(source):
            return asyncio.run(_validate(source))
    except StoreError as error:
        raise UsageError(str(error)) from error


async def _validate(source: Path) -> int:
    known = titles.load_all()
    bad = broken = count = 0
    async with open_archive(source, moving=True) as archive:
        async for finding in findings(archive, known):
            count += 1
            if finding.problem is None:
                told = f"fits, {counted(finding.records, 'record')}"
            elif finding.was_broken:
                broken += 1
                told = f"stands still already: {finding.problem}"
            else:
                bad += 1
                told = finding.problem
            print(f"{finding.code}: {told}")
    before = f"; standing still before: {broken}" if broken else ""
    print(f"{counted(count, 'unfinished game')}; not fitting: {bad}{before}")
    return 1 if bad else 0


async def findings(archive: Archive, known: Mapping[str, Title]) -> AsyncIterator[Finding]:
    """Each unfinished game that has begun, replayed in a thread of its own."""
    for row in await archive.live_sessions():
        if row.header is not None:
            problem = await _problem(archive, row, known)
            was_broken = problem is not None and row.status == "crashed"
            yield Finding(row.code, row.ply, problem, was_broken, row.game not in known)


async def _problem(archive: Archive, row: SessionRow, known: Mapping[str, Title]) -> str | None:
    """What does not fit; None if the game can be played on as it was."""
    title = known.get(row.game)
    if title is None:
        return f"there is no game {row.game!r}"
    try:
        header = load_header(row.header or "")
        body = await archive.get_content(header.content)
        if body is None:
            return f"its content {header.content[:16]} is not stored"
        entries = await archive.entries(row.id)
        records = [entry.record for entry in entries]
        return await asyncio.to_thread(_played, title, body, row.header or "", records)
    except (JournalError, StoreError) as error:
        return str(error)


def _played(title: Title, body: bytes, header: str, records: list[str]) -> str | None:
    """Replay it, and look at it as each seat does."""
    try:
        content = load_dump(type(title.content.rules), body.decode())
    except ValueError:
        return "its content is of another version"
    try:
        read = [load_record(record, place) for place, record in enumerate(records, 1)]
        play = replayed(title, content, load_header(header), read)
    except (JournalError, Unplayable) as error:
        return str(error)
    try:
        for seat in (None, *range(play.header.seats)):
            play.view(seat)
    except (Exception, RulesBug) as error:  # noqa: BLE001 - told, whatever it is
        return f"it cannot be shown: {type(error).__name__}: {error}"
    finally:
        play.close()
    if play.reinterpreted_from is not None:
        return f"re-interpreted from ply {play.reinterpreted_from}"
    return None
