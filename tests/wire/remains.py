"""What is left after a crash: the disk against what players were told, and the messages."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import difflib
import json
import re
import shutil
import sqlite3
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bot.offline.wire import Shown
from bot.offline.wire.limits import walk
from bot.sessions import letters
from bot.sessions.faces import TableFace
from bot.sessions.replaying import Play, replayed
from bot.sessions.showing import page_of, snapshot_of
from bot.store.opening import DATABASE_NAME
from bot.ui import faces
from engines.kernel.journal import effective, load_header, load_record
from tests.wire.evening import Evening, controls
from tests.wire.harness import Harness
from tests.wire.playing import (
    NAMES,
    QUIET,
    Night,
    disk,
    escape,
    in_words,
    lay_table,
)

_MARK = re.compile(r"^-# ([0-9A-Z]{6}·[0-9a-z]+)$", re.MULTILINE)
_GLASS = re.compile(r"<t:(\d+):R>")


class Disk:
    """A data folder, read while the bot runs or after it has died."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / DATABASE_NAME

    def rows(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """What a query finds."""
        with contextlib.closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as found:
            found.row_factory = sqlite3.Row
            return [dict(row) for row in found.execute(sql, values)]

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else can write meanwhile: what the bot wants to write waits."""
        database = sqlite3.connect(self.path, isolation_level=None)
        with contextlib.closing(database):
            database.execute("BEGIN IMMEDIATE")
            yield

    def session(self, session: int) -> dict[str, Any]:
        """A table's row."""
        (row,) = self.rows("SELECT * FROM session WHERE id = ?", session)
        return row

    def entries(self, session: int) -> list[dict[str, Any]]:
        """A journal, with each record opened."""
        rows = self.rows("SELECT * FROM entry WHERE session = ? ORDER BY ply", session)
        return [{**row, **json.loads(row["record"])} for row in rows]

    def messages(self, session: int) -> list[dict[str, Any]]:
        """A table's messages, in the order in which they became necessary."""
        return self.rows("SELECT * FROM message WHERE session = ? ORDER BY serial", session)

    def seats(self, session: int) -> list[dict[str, Any]]:
        """Who sits at a table."""
        return self.rows("SELECT * FROM seat WHERE session = ? ORDER BY seat", session)

    def was_counted(self, interaction: int) -> bool:
        """Whether a click has changed anything."""
        return bool(self.rows("SELECT id FROM interaction WHERE id = ?", interaction))

    def sand(self, session: int) -> float:
        """Seconds left in a table's glass."""
        (timer,) = json.loads(self.session(session)["timers"])
        return timer["left_ms"] / 1000

    def game(self, session: int) -> Play:
        """The game that the journal tells; every mark and trace is compared."""
        title = escape()
        both = "SELECT * FROM session LEFT JOIN entry ON entry.session = id WHERE id = ?"
        rows = self.rows(f"{both} ORDER BY entry.ply", session)  # one query: one moment
        header = load_header(rows[0]["header"])
        assert header.content == title.content.digest
        texts = [row["record"] for row in rows if row["record"] is not None]
        records = [load_record(text, place) for place, text in enumerate(texts, 1)]
        entries, branch = effective(records)
        game = replayed(title, title.content.rules, header, entries, branch)
        assert game.reinterpreted_from is None
        return game

    def owed(self, session: int) -> list[str]:
        """What is still to be sent, edited, closed or deleted; nothing when all is published."""
        row = self.session(session)
        told = [
            f"{one['want']} {one['purpose']} {one['serial']}"
            for one in self.messages(session)
            if one["want"] not in ("keep", "done")
        ]
        if row["ply"] != row["published_ply"]:
            told.append(f"{row['status']} at {row['ply']}, shown {row['published_ply']}")
        return told

    def is_published(self, session: int) -> bool:
        """Whether nothing is left to be sent, edited, closed or deleted."""
        return not self.owed(session)


class Births:
    """Every message that the bot ever sent, by the mark at its foot; begin before the bot does."""

    def __init__(self, world: Harness) -> None:
        self.by_mark: dict[str, set[str]] = collections.defaultdict(set)
        world.simulation.backend.subscribers.append(self._emitted)

    def _emitted(self, event: str, payload: Mapping[str, Any]) -> None:
        if event == "MESSAGE_CREATE" and not int(payload.get("flags") or 0) & 64:
            for mark in marks(payload.get("components") or []):
                self.by_mark[mark].add(str(payload["id"]))

    def check(self) -> None:
        """No message was ever sent twice."""
        twice = {mark: ids for mark, ids in self.by_mark.items() if len(ids) > 1}
        assert not twice, f"sent twice: {twice}"


def marks(components: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The marks in a message."""
    for one in walk(components):
        yield from _MARK.findall(str(one.get("content", "")))


def check_counted(evening: Evening, found: Disk, session: int) -> None:
    """Whatever players were told has counted is on the disk: once, and as they chose it.

    An answer that stood already was taken, too, and made no entry.
    """
    entries = found.entries(session)
    assert [one["ply"] for one in entries] == list(range(len(entries)))
    by_click = collections.Counter(one["interaction_id"] for one in entries)
    seats = {one["name"]: one for one in found.seats(session)}
    for told in evening.told:
        assert found.was_counted(told.interaction), told
        if told.verb in ("act", "cast"):
            seat = seats[told.name]["seat"]
            answers = [
                one for one in entries if (one["seat"], one["question"]) == (seat, told.question)
            ]
            made = [one for one in answers if one["interaction_id"] == told.interaction]
            assert len(made) == 1 or answers, told
            if told.verb == "act":
                assert list(told.keys) in [one["value"] for one in made or answers], told
    clicks = [click for click in by_click if click is not None]
    assert max((by_click[click] for click in clicks), default=1) == 1


async def published(world: Harness, found: Disk, *sessions: int) -> None:
    """Wait until the bot has published all that it owes, and is quiet."""
    await world.until(lambda: all(found.is_published(one) for one in sessions), 20.0)
    await world.settle()


def check_messages(evening: Evening, births: Births, found: Disk, session: int) -> None:
    """There is one live message, each message was sent once, and none is missing."""
    births.check()
    live = [one for one in evening.public() if controls(one, "howto", "menu", "again")]
    assert len(live) == 1, live
    code = found.session(session)["code"]
    for row in found.messages(session):
        mark = letters.mark_of(code, row["serial"])
        shown = _stored(evening, row)
        assert row["want"] in ("keep", "done"), row
        if row["want"] == "keep":
            assert shown is not None, f"{row['purpose']} {mark} is missing"
            assert mark in marks(shown.components)
            assert births.by_mark[mark] == {str(row["message_id"])}
        elif shown is not None:
            assert not shown.custom_ids, f"{row['purpose']} {mark} still has controls"


def check_ballots(evening: Evening, game: Play, names: Sequence[str] = NAMES) -> None:
    """Each voter has one open letter while the vote is open, and none before and afterwards."""
    asked = (*game.asked, *game.interrupted)
    voters = {decision.seat for decision in asked if letters.is_ballot(decision)}
    for seat, name in enumerate(names):
        assert len(evening.ballots(name)) == (seat in voters), (name, evening.letters(name))


async def check_table(evening: Evening, session: int, copy: Path) -> None:
    """The live table says what the journal tells, line by line; the bot must have ended.

    ``copy``: an empty place for a copy of its data, which this look leaves as it is.
    """
    await asyncio.to_thread(shutil.copytree, evening.world.data_dir, copy)
    async with disk(copy) as (_, registry):
        table = registry.session(session)
        await table.snapshot()
        row = letters.live(table)
        assert row is not None
        snapshot = replace(snapshot_of(table, page_of(table, row.serial)), glass=None)
        mark = letters.mark_of(table.code, row.serial)
        wanted = faces.table(escape(), TableFace(mark, snapshot, live=True), None).layout
    shown = evening.live()
    texts = [str(one["content"]) for one in walk(wanted.to_components()) if one.get("type") == 10]
    has = [line for line in shown.text.splitlines() if not _GLASS.search(line)]
    should = "\n".join(texts).splitlines()
    if shown.pictures:
        should = _without_board(should)
    assert has == should, "\n".join(difflib.ndiff(has, should))


def _without_board(lines: Sequence[str]) -> list[str]:
    """The heading, and what follows the words that stand in for the picture."""
    (hint,) = [n for n, line in enumerate(lines) if line.startswith("-# No picture this time.")]
    return [lines[0], *lines[hint + 1 :]]


def glass_ends(shown: Shown) -> int | None:
    """When the sand will have run out, in epoch seconds; None when it stands still."""
    found = _GLASS.search(shown.text)
    return int(found[1]) if found else None


def _stored(evening: Evening, row: Mapping[str, Any]) -> Shown | None:
    if row["message_id"] is None:
        return None
    simulation = evening.world.simulation
    message = simulation.backend.messages.get(row["channel_id"], {}).get(row["message_id"])
    return None if message is None else Shown(simulation, message)


@dataclass
class Scene:
    """One table, its players, and everything that can be looked at."""

    world: Harness
    evening: Evening
    births: Births
    disk: Disk
    folder: Path
    session: int = 0

    async def lay(self, found: Night, *, called: bool = False, sand: float | None = None) -> None:
        """Have this night on the disk (see ``lay_table``)."""
        self.session = await lay_table(self.world, found, called=called, sand=sand)

    async def all_is_well(self, *, last: bool = True) -> None:
        """What was acknowledged is there, nothing was sent twice, and nothing is missing.

        ``last``: the bot is not needed any more, so the table can be compared line by line.
        """
        await published(self.world, self.disk, self.session)
        check_counted(self.evening, self.disk, self.session)
        check_messages(self.evening, self.births, self.disk, self.session)
        check_ballots(self.evening, self.disk.game(self.session))
        if last:
            await self.world.kill_bot()
            await check_table(self.evening, self.session, self.folder / "copy")

    def row(self, purpose: str, seat: int = -1) -> dict[str, object]:
        """The newest message of a purpose, as the store has it."""
        rows = self.disk.messages(self.session)
        return [one for one in rows if (one["purpose"], one["seat"]) == (purpose, seat)][-1]


@contextlib.asynccontextmanager
async def staged(
    folder: Path, *, pictures: bool = False, env: Mapping[str, str] | None = None
) -> AsyncIterator[Scene]:
    """A server with an empty data folder in that folder; tables go in words unless ``pictures``."""
    data = folder / "data"
    data.mkdir()
    async with Harness(data, quiet=QUIET, env=env) as world:
        if not pictures:
            in_words(world)
        yield Scene(world, Evening(world), Births(world), Disk(data), folder)
