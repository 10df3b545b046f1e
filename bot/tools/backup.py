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
from bot.store.archive import (
    demand_database,
    demand_place,
    open_archive,
    told_in_one_line,
    write_backup,
)
from bot.store.copying import sync_folder
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

    - games: all tables in it; unfinished: those that have begun and not ended.
    - unfit: codes of those that this code cannot play on; broken: of those that stood still
      before; resting: of games unknown here. All others were replayed to their end.
    - faults: what is wrong, a line each.
    """

    games: int
    unfinished: int
    unfit: tuple[str, ...]
    broken: tuple[str, ...]
    resting: tuple[str, ...]
    faults: tuple[str, ...]

    def __str__(self) -> str:
        """One clause for the operator."""
        others = (
            (self.unfit, "not fitting"),
            (self.broken, "broken before"),
            (self.resting, "of unknown games"),
        )
        replayed = self.unfinished - sum(len(codes) for codes, _ in others)
        told = f"{counted(self.games, 'game')}, {self.unfinished} of them unfinished"
        if replayed == self.unfinished:
            return f"{told} and replayed"
        rest = [f"{len(codes)} {what} ({', '.join(codes)})" for codes, what in others if codes]
        return f"{told}: {', '.join([f'{replayed} replayed', *rest])}"


async def prove(backup: Path, known: Mapping[str, Title]) -> Proof:
    """Open a backup and look through it. Raises StoreError with a line if that cannot be done."""
    unfinished = 0
    unfit: list[str] = []
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
                unfit.append(finding.code)
                faults.append(f"game {finding.code} does not fit this code: {finding.problem}")
        games = await archive.size()
    codes = (tuple(unfit), tuple(broken), tuple(resting))
    return Proof(games, unfinished, *codes, tuple(faults))


def run(data_dir: Path, to: Path | None, at: float) -> int:
    """Write a backup and prove it; 1 if something in it is wrong. `at`: the time now.

    Without `to` it goes into the data folder's own folder of backups, where the bot never deletes
    what was made by hand. A backup that is there already gives way only to one that is as it should
    be; any other stands beside it.
    """
    known = titles.load_all()
    try:
        demand_database(data_dir, "there is nothing to back up")
        target = to if to is not None else place_for(data_dir, at, by_hand=True)
        if target.is_dir():
            target /= name_of(at, by_hand=True)
        demand_place(data_dir, target)
        is_there = target.exists()
        made = target.with_name(f"{target.stem}-new{target.suffix}") if is_there else target
        with _tidy_stop():
            lost = newest_lost(data_dir)
            write_backup(data_dir, made, instead="" if to else _ELSEWHERE)
            with _kept_if_proven(made, is_there):
                proof = asyncio.run(prove(made, known))
            faults = (*proof.faults, *([lost] if lost else []))
            if is_there and not faults:
                with told_in_one_line(target, f"{made} cannot take the place of {target}"):
                    made.replace(target)
                    sync_folder(target.parent)
    except StoreError as error:
        raise UsageError(str(error)) from error
    if faults:
        for fault in faults:
            print(f"backup: {fault}", file=sys.stderr)
        left = f"; {target}, from before, is left as it was" if is_there else ""
        print(f"{made}: written, {_size(made)}, but NOT as it should be; {proof}{left}")
        return 1
    instead = ", in place of the one from before" if is_there else ""
    print(f"{target}: written and checked{instead}, {_size(target)}; {proof}")
    return 0


def _size(path: Path) -> str:
    return f"{path.stat().st_size / 1e6:.1f} MB"


@contextlib.contextmanager
def _kept_if_proven(made: Path, is_there: bool) -> Iterator[None]:
    """A copy that cannot be looked through is taken away where there is one from before."""
    try:
        yield
    except BaseException:
        if is_there:
            made.unlink(missing_ok=True)
        raise


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
