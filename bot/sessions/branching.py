"""Going on from an earlier moment of a game: nothing is deleted, a branch record is added.

The messages follow: a fresh table message, ballots and calls taken back and sent anew, the sand as
it was when the last answer that still counts was given.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.sessions import motions, stored
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.moves import moves_of
from bot.sessions.ports import Refusal
from bot.sessions.replaying import Broken, Play, replayed
from bot.sessions.sand import Sand
from bot.store.rows import EntryRow
from engines.kernel.journal import RETURN, Branch, Record, effective, followed
from engines.kernel.playthrough import QUESTIONS


@dataclass(frozen=True, slots=True)
class Earlier:
    """The game at an earlier moment, ready to go on, and the record that leads there."""

    game: Play
    branch: Branch
    sands: dict[int, Sand]


async def earlier(session: Core, keep: int, by: str) -> Earlier:
    """The game after its first ``keep`` answers. Broken if they cannot be played again."""
    header, records = await stored.journal_of(session)
    rows = await session.desk.store.entries(session.id)
    content = await stored.content_of(session, header)
    entries, number = effective(records)
    branch = Branch(number + 1, keep, by)
    game = await asyncio.to_thread(
        replayed, session.title, content, header, entries[:keep], branch.number
    )
    return Earlier(game, branch, _sands(game, _row_of(rows, records, keep)))


async def before_branch(session: Core) -> Earlier | None:
    """The game as it stood before a moderator took it back; None if that is not what came last.

    Whatever was answered since would be lost without anybody being asked, so nothing may have been.
    Dice that fall afterwards come from a branch of their own: nobody knows them. Broken if it
    cannot be played any more.
    """
    header, records = await stored.journal_of(session)
    last = records[-1] if records else None
    if not isinstance(last, Branch) or last.by != "moderator":
        return None
    entries, number = effective(records[:-1])
    if len(entries) <= last.keep:
        return None
    rows = await session.desk.store.entries(session.id)
    content = await stored.content_of(session, header)
    branch = Branch(number + 2, len(entries), RETURN)
    game = await asyncio.to_thread(replayed, session.title, content, header, entries, branch.number)
    row = _row_of(rows[:-1], records[:-1], len(entries))
    return Earlier(game, branch, _sands(game, row))


async def told_branches(session: Core) -> Sequence[Branch]:
    """Every branch of the game, for all to read: ``keep`` counts moves in it, not answers.

    Broken if the journal cannot be read; of a line that cannot be played any more, the moves count
    that it has in common with the present one.
    """
    header, records = await stored.journal_of(session)
    game = session.playing
    content: object = None
    told: list[Branch] = []
    for place, record in enumerate(records, 1):
        if not isinstance(record, Branch):
            continue
        entries, number = effective(records[:place])
        moves = moves_of(game)
        if entries != tuple(game.entries[: len(entries)]):
            content = content or await stored.content_of(session, header)
            with contextlib.suppress(Broken):
                old = await asyncio.to_thread(
                    replayed, session.title, content, header, entries, number
                )
                old.close()
                moves = moves_of(old)
        count = sum(ply <= len(entries) for ply in moves)
        told.append(replace(record, keep=count))
    return told


def _row_of(rows: Sequence[EntryRow], records: Sequence[Record], keep: int) -> EntryRow | None:
    """The row of the last answer that is kept; None if none is."""
    places, _ = followed(records)
    return rows[places[keep - 1]] if keep else None


def _sands(game: Play, row: EntryRow | None) -> dict[int, Sand]:
    """The glasses as they stood after that answer; one that is not in its row was just turned."""
    left: dict[int, float] = {}
    if row is not None and isinstance(row.sand, dict):
        for question, ms in row.sand.items():
            if isinstance(ms, int):
                left[int(question) % QUESTIONS] = ms / 1000
    return {
        timer.question: Sand(
            timer.question,
            timer.kind,
            left.get(timer.question % QUESTIONS, float(timer.seconds)),
        )
        for timer in game.timers
    }


async def go_on_from(session: Core, change: Change, moment: Earlier) -> None:
    """Make the earlier moment the present one. A Refusal leaves the table where it was."""
    before, sands = session.game, session.sands
    change.records.append(moment.branch)
    motions.lapse(session, change, all_kinds=True)
    session.sands = moment.sands
    try:
        await session.take_up(change, moment.game, after_ply=_page_of(session, moment.game.ply))
    except Refusal:
        session.sands = sands
        await session.load()
        raise
    finally:
        if before is not None and before is not session.game:
            before.close()


def _page_of(session: Core, ply: int) -> int:
    """Where the page began on which that moment stood, so that it tells what led there."""
    begins = [
        row.question
        for row in session.messages.values()
        if row.purpose == "table" and row.question < ply
    ]
    return begins[-1] if begins else -1
