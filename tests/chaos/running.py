"""One run: a town, its people, its troubles, and what was found in the end."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.chaos import checks
from tests.chaos.crowd import Crowd
from tests.chaos.faults import Trouble
from tests.chaos.town import Town

PLACES = 20


@dataclass
class Report:
    """What happened; ``wrong`` is empty if all went as it should."""

    seed: int
    tables: int = 0
    statuses: dict[str, int] = field(default_factory=dict[str, int])
    answers: int = 0
    clicks: int = 0
    faults: Mapping[str, int] = field(default_factory=dict[str, int])
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list[str])

    def line(self) -> str:
        """The report as one line of JSON."""
        return json.dumps(vars(self), ensure_ascii=False, default=str)


class Errors(logging.Handler):
    """Keeps what was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line of it, and where it came from."""
        error = record.exc_info[1] if record.exc_info else None
        self.lines.append(f"{record.name}: {record.getMessage()} ({error!r})")


async def run(
    folder: Path, seed: int, *, seconds: float, steps: int = 10**9, all_kinds: bool = True
) -> Report:
    """Let twenty tables be played for so long (or so many steps), then look at each.

    ``all_kinds``: every fault comes at least once, however short the run is.
    """
    rng = random.Random(seed)
    report = Report(seed)
    errors = Errors()
    logging.getLogger().addHandler(errors)
    began = time.monotonic()
    town = Town(folder, PLACES, rng)
    try:
        async with town:
            crowd, trouble = Crowd(town, rng), Trouble(town, rng)
            owed = list(trouble.KINDS) if all_kinds else []
            while owed or (time.monotonic() - began < seconds and crowd.steps < steps):
                await crowd.step()
                await trouble.next()
                if owed and crowd.steps % 16 == 0:
                    await trouble.begin(owed.pop())
            await trouble.calm()
            tables = await checks.sessions(town)
            report.wrong += await checks.unlike_journals(tables)
            report.wrong += checks.untrue_messages(town, tables)
            report.wrong += checks.leaks(town, tables)
            _count(report, town, tables, trouble)
    finally:
        logging.getLogger().removeHandler(errors)
    report.wrong += errors.lines
    report.seconds = round(time.monotonic() - began, 1)
    return report


def _count(report: Report, town: Town, tables: list[Any], trouble: Trouble) -> None:
    report.tables = len(tables)
    for session in tables:
        name = session.status.value
        report.statuses[name] = report.statuses.get(name, 0) + 1
        report.answers += session.row.ply
        if name == "crashed":
            report.wrong.append(f"{session.code} crashed: {session.row.crash}")
    report.clicks = town.answered
    report.faults = dict(trouble.seen)
    report.wrong += [f"unanswered: {what}" for what in town.unanswered]
