"""`replay`: play a saved journal again, comparing every mark and trace, and say what it holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bot import titles
from bot.counted import counted
from bot.titles import Title
from bot.tools import files
from bot.tools.errors import UsageError
from engines.kernel.errors import JournalError, ReplayDiverged, RulesBug
from engines.kernel.journal import Header, Record, effective
from engines.kernel.playthrough import Playthrough


class Unplayable(Exception):
    """A journal that these rules cannot play; the message says from where."""


def run(path: Path) -> int:
    """Print a summary of the journal; 1 if it is damaged or does not fit these rules."""
    try:
        journal = files.read_journal(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from error
    except JournalError as error:
        print(f"{path}:{error.place + 1}: {error.reason}", file=sys.stderr)
        return 1
    header = journal.header
    if header.game not in titles.KEYS:
        print(f"{path}:1: there is no game {header.game!r}", file=sys.stderr)
        return 1
    if journal.torn:
        print(f"{path}:{journal.torn}: the last line is torn and was set aside", file=sys.stderr)
    title = titles.load(header.game)
    try:
        content = files.content_for(title, header.content, path.parent)
        if content is None:
            told = f"its content {header.content[:16]} is not kept beside it; today's is used"
            print(f"{path}: {told}", file=sys.stderr)
            content = title.content.rules
        play = replayed(title, content, header, journal.records)
    except ValidationError:
        print(f"{path}: the content kept beside it is of another version", file=sys.stderr)
        return 1
    except Unplayable as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    for line in summary(play, journal.records):
        print(line)
    return 0


def replayed(
    title: Title, content: Any, header: Header, records: Sequence[Record]
) -> Playthrough[Any, Any, Any]:
    """The game that these records tell. Unplayable at the first thing that does not fit."""
    if header.rules != title.game.rules_version:
        told = f"rules version {header.rules}; these are version {title.game.rules_version}"
        raise Unplayable(told)
    if header.seats not in title.game.seats:
        raise Unplayable(f"{title.key} is not for {header.seats}")
    try:
        entries, branch = effective(records)
    except JournalError as error:
        raise Unplayable(f"record {error.place}: {error.reason}") from error
    play: Playthrough[Any, Any, Any] | None = None
    try:
        play = Playthrough(title.game, content, header)
        for entry in entries:
            play.replay_one(entry)
    except ReplayDiverged as error:
        raise Unplayable(f"diverged at {error}") from error
    except (Exception, RulesBug) as error:
        ply = play.ply if play else 0
        raise Unplayable(
            f"the rules broke after ply {ply}: {type(error).__name__}: {error}"
        ) from error
    play.branch = branch
    return play


def summary(play: Playthrough[Any, Any, Any], records: Sequence[Record]) -> list[str]:
    """What an operator wants to know about a game, line by line."""
    header = play.header
    options = ", ".join(f"{key} {value}" for key, value in header.options.items())
    lines = [
        f"game: {header.game}, rules {header.rules}, content {header.content[:16]}",
        f"table: {counted(header.seats, 'seat')}" + (f"; {options}" if options else ""),
        f"answers: {play.ply} of {counted(len(records), 'record')}, branch {play.branch}",
        f"chance: {counted(play.chance.calls, 'draw')}",
    ]
    if play.reinterpreted_from is not None:
        lines.append(f"re-interpreted from ply {play.reinterpreted_from}")
    if play.outcome:
        how = "won" if play.outcome.won else "lost"
        lines.append(f"ended: {play.outcome.ending} ({how})")
    else:
        waiting = sorted({(decision.seat, decision.kind) for decision in play.waiting()})
        lines.append("waits for: " + ", ".join(f"seat {seat} to {kind}" for seat, kind in waiting))
    return lines
