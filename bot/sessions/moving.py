"""Games as sealed files: one out, one in. Who holds a file learns nothing by it.

A game that goes on comes in paused, with computer players at every seat; people are seated by a
step of its own, each only where they sat before. A branch record is added, so that no dice fall
that anybody could have seen in another copy.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from bot.sessions import acts, letters, play
from bot.sessions.change import Change
from bot.sessions.faces import Status
from bot.sessions.moderating import Place, check_moderator
from bot.sessions.ports import Click, Refusal
from bot.sessions.registry import Registry
from bot.sessions.replaying import Broken, replayed
from bot.sessions.sealing import Seals
from bot.sessions.session import Session
from bot.store.protocol import (
    AlreadyCounted,
    ChannelTaken,
    CodeTaken,
    StoreDamaged,
    StoreError,
)
from bot.store.rows import (
    LIVE,
    NO_SEAT,
    ActRow,
    Arrival,
    EntryRow,
    FormerRow,
    Json,
    MessageRow,
    SeatRow,
    SessionRow,
    SittingRow,
    TimerRow,
)
from content.loader import load_dump
from engines.kernel.errors import JournalError
from engines.kernel.journal import Branch, dump_record, effective, load_header, load_record

FORMAT: Final = 1
DAYS: Final = 90
"""Days after which a file is not taken any more: who was forgotten must not come back for ever."""

_DAY: Final = 86400.0
_MALFORMED: Final = (
    ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError,
)  # fmt: skip
_APART: Final = 1000
"""Between the serials of messages before and after: an older message must not be taken for ours."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A game out of a file: rows as they were, without numbers and places of this server."""

    made_at: float
    serial: int
    row: SessionRow
    content: str
    entries: tuple[EntryRow, ...]
    seats: tuple[SeatRow, ...]
    sittings: tuple[SittingRow, ...]
    formers: tuple[FormerRow, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self.row.status not in LIVE


# Out


async def export(session: Session, seals: Seals, click: Click) -> bytes:
    """A game with its whole journal, sealed. Refusal ``not_running`` if none was begun."""

    async def work() -> dict[str, Any]:
        session.check_click(click)
        check_moderator(click)
        if session.row.header is None:
            raise Refusal("not_running")
        contents = await _contents(session)
        change = Change(click)
        acts.note(session, change, click.user_id, "export")
        await session.commit(change)
        return contents

    contents = await session.locked(work, "export")
    text = await asyncio.to_thread(json.dumps, contents, separators=(",", ":"))
    return await seals.seal(text.encode())


async def _contents(session: Session) -> dict[str, Any]:
    row, store = session.row, session.desk.store
    digest = row.content_digest or ""
    try:
        entries = await store.entries(session.id)
        body = await store.get_content(digest)
    except (StoreError, StoreDamaged) as error:
        raise Refusal("not_read") from error
    return {
        "format": FORMAT,
        "made_at": session.desk.time.epoch(),
        "serial": max(session.messages, default=0),
        "code": row.code,
        "game": row.game,
        "status": row.status,
        "options": dict(row.options),
        "secret": row.secret.hex(),
        "header": row.header,
        "content_digest": digest,
        "content": body.decode() if body is not None else session.title.content.dump,
        "timers": [[one.question, one.kind, one.left_ms] for one in row.timers],
        "outcome": row.outcome,
        "created_at": row.created_at,
        "started_at": row.started_at,
        "ended_at": row.ended_at,
        "told_at": row.told_at,
        "pace": row.pace,
        "entries": [[one.record, one.received_at, one.sand] for one in entries],
        "seats": [[one.seat, one.name, one.kind] for one in session.seats.values()],
        "sittings": [[o.user_id, o.seat, o.barred] for o in session.sittings.values()],
        "formers": [[o.mark.hex(), o.seat, o.barred] for o in session.formers.values()],
    }


# In


async def read(seals: Seals, sealed: bytes, now: float) -> Moved:
    """What is in a file. Refusals of ``Seals.open``, ``file_damaged``, ``file_expired``."""
    contents = await seals.open(sealed)
    try:
        moved = await asyncio.to_thread(_moved, contents)
    except (
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        raise Refusal("file_damaged") from error
    if not -_DAY <= now - moved.made_at <= DAYS * _DAY:
        raise Refusal("file_expired", days=DAYS)
    return moved


def _moved(contents: bytes) -> Moved:
    told: Mapping[str, Any] = json.loads(contents)
    if told["format"] != FORMAT:
        raise ValueError(f"format {told['format']}")
    row = SessionRow(
        code=str(told["code"]),
        game=str(told["game"]),
        guild_id=0,
        channel_id=0,
        status=told["status"],
        options={str(key): str(value) for key, value in told["options"].items()},
        secret=bytes.fromhex(told["secret"]),
        header=str(told["header"]),
        content_digest=str(told["content_digest"]),
        ply=len(told["entries"]),
        timers=tuple(TimerRow(int(q), str(kind), int(left)) for q, kind, left in told["timers"]),
        outcome=told["outcome"],
        created_at=float(told["created_at"]),
        started_at=told["started_at"],
        ended_at=told["ended_at"],
        touched_at=0.0,
        told_at=told["told_at"],
        pace=told["pace"],
    )
    entries = tuple(
        EntryRow(0, ply, str(record), None, received, sand)
        for ply, (record, received, sand) in enumerate(told["entries"])
    )
    seats = tuple(SeatRow(0, int(n), None, str(name), kind) for n, name, kind in told["seats"])
    sittings = tuple(SittingRow(0, int(u), int(n), bool(b)) for u, n, b in told["sittings"])
    formers = tuple(
        FormerRow(0, bytes.fromhex(mark), int(n), bool(b)) for mark, n, b in told.get("formers", ())
    )
    made_at, serial = float(told["made_at"]), int(told["serial"])
    return Moved(made_at, serial, row, str(told["content"]), entries, seats, sittings, formers)


async def bring_in(
    registry: Registry,
    click: Click,
    moved: Moved,
    guild_id: int,
    place: Place,
    names: Sequence[str],
) -> Session:
    """Put a game into a server; ``names`` are for the computer players at its seats.

    Refusals ``import_alive``, ``import_known``, ``import_elsewhere``, ``import_gone``,
    ``no_such_game``, ``import_unplayable``, ``channel_taken``, ``not_saved``.
    """
    check_moderator(click)
    if registry.desk.closing:
        raise Refusal("shutting_down")
    await _check_new(registry, moved.row.code, guild_id)
    title = registry.titles.get(moved.row.game)
    if title is None:
        raise Refusal("no_such_game")
    try:
        branch = await _replay(registry, moved)
    except Broken as broken:
        raise Refusal("import_unplayable", reference=moved.row.code) from broken
    arrival = _arrival(registry, click, moved, guild_id, place, names, branch)
    store = registry.desk.store
    try:
        digest = moved.row.content_digest or ""
        await store.put_content(digest, title.key, moved.content.encode())
        number = await store.bring_in(arrival)
    except ChannelTaken as taken:
        raise registry.desk.taken(taken.session_id) from taken
    except CodeTaken as error:
        raise Refusal("import_known") from error
    except AlreadyCounted as error:
        raise Refusal("already_counted") from error
    except StoreError as error:
        raise Refusal("not_saved") from error
    session = await registry.recall(number)
    registry.desk.nudge(session.id, True)
    return session


async def _check_new(registry: Registry, code: str, guild_id: int) -> None:
    """A game is never here twice, and one that has ended here never begins again."""
    try:
        known = await registry.desk.store.session_by_code(code)
        gone = await registry.desk.store.is_gone(code)
    except StoreError as error:
        raise Refusal("not_read") from error
    if known is not None and known.guild_id != guild_id:
        raise Refusal("import_elsewhere")
    if known is not None:
        raise Refusal("import_alive" if known.status in LIVE else "import_known")
    if gone:
        raise Refusal("import_gone")


async def _replay(registry: Registry, moved: Moved) -> Branch:
    """Play the journal in a game of its own; the branch under which it would go on. Or Broken."""
    title = registry.titles[moved.row.game]
    try:
        header = load_header(moved.row.header or "")
        records = [load_record(row.record, n) for n, row in enumerate(moved.entries, 1)]
        entries, branch = effective(records)
        content: Any = title.content.rules
        if header.content != title.content.digest:
            content = await asyncio.to_thread(load_dump, type(content), moved.content)
    except (JournalError, ValueError) as error:
        raise Broken(-1, str(error)) from error
    if header.content != moved.row.content_digest or header.seats != len(moved.seats):
        raise Broken(-1, "header and rows do not fit together")
    game = await asyncio.to_thread(replayed, title, content, header, entries, branch)
    game.close()
    return Branch(branch + 1, len(entries), "moderator")


def _arrival(
    registry: Registry,
    click: Click,
    moved: Moved,
    guild_id: int,
    place: Place,
    names: Sequence[str],
    branch: Branch,
) -> Arrival:
    at = registry.desk.time.epoch()
    entries, messages = moved.entries, ()
    fields: dict[str, Any] = {"status": moved.row.status, "touched_at": at}
    seats = moved.seats
    if not moved.is_over:
        record = dump_record(branch)
        entries = (*entries, EntryRow(0, len(entries), record, None, at))
        fields["status"] = "paused"
        seats = tuple(
            replace(row, kind="computer", name=name if row.kind == "person" else row.name)
            for row, name in zip(seats, names, strict=False)
        )
        words = [("table", branch.keep), ("notice", letters.NOTICES.index("imported"))]
        messages = tuple(
            MessageRow(0, purpose, NO_SEAT, serial, None, None, "post", question, at)
            for serial, (purpose, question) in enumerate(words, moved.serial + _APART)
        )
    row = replace(
        moved.row,
        guild_id=guild_id,
        channel_id=place.channel_id,
        parent_id=place.parent_id,
        ply=len(entries),
        published_ply=len(entries),
        **fields,
    )
    act = ActRow(
        guild_id=guild_id, session=0, code=row.code, at=at, what="import", by=click.user_id
    )
    return Arrival(
        row=row,
        seats=seats,
        entries=entries,
        sittings=moved.sittings,
        formers=moved.formers,
        messages=cast("tuple[MessageRow, ...]", messages),
        act=act,
        interaction=click.interaction_id,
    )


# Seating people again


def sat_before(session: Session) -> dict[int, int]:
    """For each seat of a computer player the only person who ever sat there; users by seat."""
    found: dict[int, list[int]] = {}
    for row in session.sittings.values():
        if not row.barred and session.seat_of(row.user_id) is None:
            found.setdefault(row.seat, []).append(row.user_id)
    return {
        seat: users[0]
        for seat, users in sorted(found.items())
        if len(users) == 1 and seat in session.seats and session.seats[seat].user_id is None
    }


async def seat_again(session: Session, click: Click, names: Mapping[int, str]) -> int:
    """Put those of ``sat_before`` whose names are given (by user) back where they sat; how many.

    Nobody learns anything by it: each knows only the seat that was theirs.
    """

    async def work() -> int:
        session.check_click(click)
        check_moderator(click)
        if session.status is not Status.PAUSED:
            session.check_running()
        await session.load()
        change = Change(click)
        seated = [(seat, user) for seat, user in sat_before(session).items() if user in names]
        if not seated:
            raise Refusal("nobody_to_seat")
        for seat, user in seated:
            await play.change_hands(session, change, seat, user, names[user])
            letters.notice(session, change, "seat_person", seat)
        seats: list[Json] = [seat for seat, _ in seated]
        acts.note(session, change, click.user_id, "seat_again", count=len(seated), seats=seats)
        await session.commit(change)
        return len(seated)

    return await session.locked(work, "seat again")
