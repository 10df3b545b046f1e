"""`backup` and `restore-backup`: a proven copy of the data, and the way back from one.

A copy proves itself by being opened and checked, and by every unfinished game in it being played
again on this code and content.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Final

from bot import titles
from bot.counted import counted
from bot.store.archive import demand_database, open_archive, write_backup
from bot.store.lock import look, remedy
from bot.store.opening import BACKUPS, DATABASE_NAME, newest_lost
from bot.store.protocol import StoreError
from bot.store.replacing import restore_backup
from bot.titles import Title
from bot.tools.errors import UsageError
from bot.tools.validate_journals import findings

_STAMP: Final = "%Y%m%dT%H%M%SZ"
_ELSEWHERE: Final = ", or name another place with --to"
_NAME: Final = re.compile(r"nightwatch-(\d{8}T\d{6}Z)(-\d+)?(-by-hand)?\.db")


@dataclass(frozen=True, slots=True)
class Proof:
    """What looking through a backup has shown.

    - games: all tables in it; unfinished: those whose journal was replayed.
    - broken: codes of unfinished games that stood still before; resting: of games unknown here.
    - faults: what is wrong, a line each.
    """

    games: int
    unfinished: int
    broken: tuple[str, ...]
    resting: tuple[str, ...]
    faults: tuple[str, ...]

    def __str__(self) -> str:
        """One clause for the operator."""
        told = [counted(self.games, "game"), f"{self.unfinished} of them unfinished and replayed"]
        for codes, what in ((self.broken, "broken before"), (self.resting, "of unknown games")):
            if codes:
                told.append(f"{len(codes)} {what} ({', '.join(codes)})")
        return ", ".join(told)


async def prove(backup: Path, known: Mapping[str, Title]) -> Proof:
    """Open a backup and look through it. Raises StoreError with a line if that cannot be done."""
    unfinished = 0
    broken: list[str] = []
    resting: list[str] = []
    faults: list[str] = []
    async with open_archive(backup) as archive:
        if orphans := await archive.orphans():
            faults.append(f"rows that refer to nothing in {', '.join(orphans)}")
        async for finding in findings(archive, known):
            unfinished += 1
            if finding.is_unknown:
                resting.append(finding.code)
            elif finding.was_broken:
                broken.append(finding.code)
            elif finding.problem is not None:
                faults.append(f"game {finding.code} does not fit this code: {finding.problem}")
        games = await archive.size()
    return Proof(games, unfinished, tuple(broken), tuple(resting), tuple(faults))


def run(data_dir: Path, to: Path | None, at: float) -> int:
    """Write a backup and prove it; 1 if something in it is wrong. `at`: the time now.

    Without `to` it goes into the data folder's own folder of backups, where the bot never deletes
    what was made by hand.
    """
    known = titles.load_all()
    try:
        demand_database(data_dir, "there is nothing to back up")
        target = to if to is not None else place_for(data_dir, at, by_hand=True)
        if target.is_dir():
            target /= name_of(at, by_hand=True)
        with _tidy_stop():
            lost = newest_lost(data_dir)
            write_backup(data_dir, target, instead="" if to else _ELSEWHERE)
            proof = asyncio.run(prove(target, known))
    except StoreError as error:
        raise UsageError(str(error)) from error
    size = target.stat().st_size / 1e6
    faults = (*proof.faults, *([lost] if lost else []))
    if faults:
        for fault in faults:
            print(f"backup: {fault}", file=sys.stderr)
        print(f"{target}: written, {size:.1f} MB, but NOT as it should be; {proof}")
        return 1
    print(f"{target}: written and checked, {size:.1f} MB; {proof}")
    return 0


def restore(data_dir: Path, backup: Path, at: float) -> int:
    """Put a backup in the database's place; 1 if a game in it cannot be played on by this code."""
    known = titles.load_all()
    try:
        with _tidy_stop():
            proof = asyncio.run(prove(backup, known))
            was_set_up = look(data_dir).was_set_up
            kept = restore_backup(data_dir, backup, at)
    except StoreError as error:
        raise UsageError(str(error)) from error
    for fault in proof.faults:
        print(f"restore-backup: {fault}", file=sys.stderr)
    print(f"{backup} is restored: {proof}; {_before(kept, was_set_up)}")
    return 1 if proof.faults else 0


def _before(kept: Path | None, was_set_up: bool) -> str:
    """What became of the database of before, in a clause."""
    if kept is None:
        return "the database of before was gone" if was_set_up else "there was no database before"
    if kept.suffix != ".db":
        left = f"{DATABASE_NAME}{kept.suffix.removeprefix('.db')}"
        return f"of the database of before only {left} was left, which is kept as {kept}"
    return f"the database of before is kept as {kept}"


@contextlib.contextmanager
def _tidy_stop() -> Iterator[None]:
    """SIGTERM as Ctrl-C: what was half written is cleared away."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, give_up)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def name_of(at: float, *, by_hand: bool = False) -> str:
    """A backup's name, which tells when it was made (UTC)."""
    made = datetime.fromtimestamp(at, UTC).strftime(_STAMP)
    return f"nightwatch-{made}{'-by-hand' if by_hand else ''}.db"


def place_for(data_dir: Path, at: float, *, by_hand: bool = False) -> Path:
    """A new file in the data folder's folder of backups, which is made if need be.

    StoreError with a line if that cannot be done.
    """
    folder = data_dir / BACKUPS
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        told = f"{folder} cannot be made ({error.strerror}): {remedy(data_dir, error)}"
        told += _ELSEWHERE if by_hand else ""
        raise StoreError(told) from error
    return folder / name_of(at, by_hand=by_hand)


def made_at(path: Path) -> float | None:
    """When a backup was made, by its name, in seconds since the epoch; None for another file."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    try:
        return datetime.strptime(match[1], _STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def backups_in(data_dir: Path, *, by_hand: bool = True) -> list[Path]:
    """The backups in the data folder's own folder, the newest first."""
    folder = data_dir / BACKUPS
    if not folder.is_dir():
        return []
    found = [(made_at(path), path) for path in folder.iterdir()]
    ours = [(made, path) for made, path in found if made is not None and path.is_file()]
    if not by_hand:
        ours = [(made, path) for made, path in ours if "by-hand" not in path.name]
    return [path for _, path in sorted(ours, reverse=True)]
