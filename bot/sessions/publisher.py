"""The publisher: it makes Discord show what the store says, one table at a time.

Every message has an intention row before it is sent. A pass over a table sends what is wanted and
not up yet, brings the live message up to date, then closes and deletes what has had its day. What
fails is tried again with back-off; edits are coalesced to about one a second a table.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.sessions import letters
from bot.sessions.change import Change
from bot.sessions.core import Core
from bot.sessions.desk import Desk
from bot.sessions.faces import (
    BallotFace,
    ClosingFace,
    Face,
    LobbyFace,
    NoticeFace,
    PingFace,
    Status,
    TableFace,
)
from bot.sessions.ports import (
    Address,
    ChannelError,
    DirectMessagesClosed,
    MessageGone,
    NotAllowed,
    PlaceGone,
    Refusal,
)
from bot.sessions.showing import look_of, page_of, snapshot_of
from bot.store.protocol import StoreError, Write
from bot.store.rows import NO_SEAT, MessageRow

log = logging.getLogger(__name__)

PACE: Final = 1.0
"""Seconds between two edits of one table."""

_BACK_OFF: Final = (1.0, 2.0, 5.0, 15.0, 60.0)
_QUIET: Final = 30.0
"""Seconds after a person's last click in which they are not called."""

_OLD: Final = 55 * 60.0
"""Discord limits edits of messages older than an hour: a table moves on before that."""

_SCROLLED: Final = 12
_LOOK_EVERY: Final = 20.0
_NONCE_KEPT: Final = 120.0
"""Seconds in which Discord surely still knows a nonce; after that a message is looked for."""


@dataclass(slots=True)
class Shown:
    """What the publisher knows of one table's messages."""

    versions: dict[int, object] = field(default_factory=dict[int, object])
    due: float = 0.0
    failures: int = 0
    looked: float = 0.0
    dirty: bool = True
    recheck: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do: a message, its face, and a token for what it will then show."""

    row: MessageRow
    face: Face | None
    token: object
    address: Address


class Publisher:
    """Keeps the messages of all tables true."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self._shown: dict[int, Shown] = {}

    def shown(self, session: Core) -> Shown:
        """What is known of a table's messages."""
        return self._shown.setdefault(session.id, Shown())

    def forget(self, session_id: int) -> None:
        """A table that is no longer kept in memory."""
        self._shown.pop(session_id, None)

    def nudge(self, session: Core, *, urgent: bool = False) -> None:
        """Something changed: publish at the next turn, or (a new message, a glass) at once."""
        shown = self.shown(session)
        shown.dirty = True
        if urgent and not shown.failures:
            shown.due = 0.0

    def is_due(self, session: Core, now: float) -> bool:
        """Whether a table wants publishing now."""
        shown = self.shown(session)
        if shown.recheck is not None and now >= shown.recheck:
            shown.recheck = None
            shown.dirty = True
        return shown.dirty and now >= shown.due and not session.publishing.locked()

    async def publish(self, session: Core) -> None:
        """Bring a table's messages up to date; never raises for what Discord does.

        What has become urgent meanwhile is done in the same go.
        """
        async with session.publishing:
            shown = self.shown(session)
            while True:
                shown.dirty = False
                shown.due = self.desk.time.monotonic() + PACE
                await self._try(session, shown)
                if not shown.dirty or self.desk.time.monotonic() < shown.due:
                    return

    async def _try(self, session: Core, shown: Shown) -> None:
        try:
            await self._pass(session, shown)
            shown.failures = 0
        except PlaceGone:
            log.warning("table %s: its channel is gone", session.code)
            await orphan(session)
        except (ChannelError, StoreError, Refusal) as error:
            wait = _BACK_OFF[min(shown.failures, len(_BACK_OFF) - 1)]
            shown.failures += 1
            shown.dirty = True
            shown.due = self.desk.time.monotonic() + wait
            session.turn_glass()
            told = "permissions" if isinstance(error, NotAllowed) else type(error).__name__
            log.warning("table %s: publishing again in %.0f s (%s)", session.code, wait, told)

    async def _pass(self, session: Core, shown: Shown) -> None:
        await self._move_down(session, shown)
        await session.locked(lambda: call_players(session, shown), "calls")
        version = session.version
        for job in await session.locked(lambda: _jobs(session, shown), "plan"):
            await self._do(session, shown, job)
        if session.row.published_ply != session.row.ply and session.version == version:
            await self.desk.store.commit(
                Write(session=session.id, fields={"published_ply": session.row.ply})
            )
            session.row = replace(session.row, published_ply=session.row.ply)

    async def _do(self, session: Core, shown: Shown, job: Job) -> None:
        row = job.row
        if row.message_id is None or row.channel_id is None:
            if row.want == "post":
                await self._post(session, shown, job)
                return
            found = await self._left_over(session, job)
            if found is None:
                await self._settle(session, row)
                return
            row = replace(row, channel_id=found[0], message_id=found[1])
        channel_id, message_id = row.channel_id, row.message_id
        assert channel_id is not None
        assert message_id is not None
        try:
            if row.want == "delete":
                await self.desk.channel.delete(channel_id, message_id)
                await self._settle(session, row)
            elif job.face is not None:
                await self.desk.channel.edit(channel_id, message_id, job.face)
                shown.versions[row.serial] = job.token
                if row.want == "close":
                    await self._settle(session, row)
                else:
                    session.turn_glass(job.face)
        except MessageGone:
            await self._replace(session, row)
        except (NotAllowed, PlaceGone, DirectMessagesClosed):
            if row.want == "keep" and row.seat == NO_SEAT:
                raise
            await self._settle(session, row)

    async def _left_over(self, session: Core, job: Job) -> tuple[int, int] | None:
        """A message that an earlier life of this process may have sent without noting its id."""
        if job.row.made_at >= self.desk.started_at:
            return None
        mark = letters.mark_of(session.code, job.row.serial)
        return await self.desk.channel.find(job.address, mark)

    async def _post(self, session: Core, shown: Shown, job: Job) -> None:
        row = job.row
        found: tuple[int, int] | None = None
        assert job.face is not None
        try:
            if self.desk.time.epoch() - row.made_at > _NONCE_KEPT:
                found = await self._left_over(session, job)
            if found is None:
                nonce = nonce_of(letters.mark_of(session.code, row.serial))
                found = await self.desk.channel.post(job.address, job.face, nonce)
                shown.versions[row.serial] = job.token
        except DirectMessagesClosed:
            await self._settle(session, row)
            shown.dirty = True
            return
        channel_id, message_id = found
        await session.locked(
            lambda: posted(session, replace(row, channel_id=channel_id, message_id=message_id)),
            "posted",
        )
        session.turn_glass(job.face)

    async def _settle(self, session: Core, row: MessageRow) -> None:
        """Nothing more is to be done about a message."""
        await session.locked(lambda: settle(session, row.serial), "settle")

    async def _replace(self, session: Core, row: MessageRow) -> None:
        """A message of ours was deleted: the live table is posted afresh, others are let go."""
        if row.purpose == "table" and row.want == "keep":
            await session.locked(lambda: turn_page(session, row.serial), "replace")
            self.nudge(session)
        elif row.purpose == "lobby" and row.want == "keep":
            await session.locked(lambda: repost(session, row.serial), "repost")
            self.nudge(session)
        else:
            await self._settle(session, row)

    async def _move_down(self, session: Core, shown: Shown) -> None:
        """A table message that is old or has scrolled away is posted afresh lower down."""
        row = letters.live(session)
        clock = self.desk.time
        now = clock.monotonic()
        if (
            session.status is not Status.RUNNING
            or row is None
            or row.purpose != "table"
            or row.channel_id is None
            or row.message_id is None
            or now - shown.looked < _LOOK_EVERY
        ):
            return
        shown.looked = now
        is_old = clock.epoch() - row.made_at > _OLD
        if not is_old:
            try:
                depth = await self.desk.channel.depth(row.channel_id, row.message_id, _SCROLLED)
            except (MessageGone, NotAllowed):
                return
            is_old = depth >= _SCROLLED
        if is_old:
            await session.locked(lambda: turn_page(session, row.serial), "move down")


# What the publisher does to a session, under its lock


async def turn_page(session: Core, serial: int) -> None:
    """A fresh table message in place of that one, with the same page."""
    row = letters.live(session)
    if session.status is not Status.RUNNING or row is None or row.serial != serial:
        return
    change = Change()
    letters.turn_page(session, change, after_ply=row.question)
    await session.commit(change)


async def repost(session: Core, serial: int) -> None:
    """A fresh lobby message in place of one that was deleted."""
    change = Change()
    change.messages[serial] = replace(session.messages[serial], want="done")
    if session.status is Status.LOBBY:
        letters.add(session, change, "lobby")
    await session.commit(change)


async def orphan(session: Core) -> None:
    """The channel is gone: the table rests until a moderator restores it."""

    async def work() -> None:
        if not session.is_over and session.status is not Status.ORPHANED:
            change = Change()
            is_lobby = session.status is Status.LOBBY
            change.fields["status"] = "cancelled" if is_lobby else "orphaned"
            letters.close_all(session, change)
            await session.commit(change)
        for serial, row in list(session.messages.items()):
            if row.want != "done":
                await settle(session, serial)

    try:
        await session.locked(work, "orphan")
    except Refusal as refusal:
        log.warning("table %s could not be marked orphaned: %s", session.code, refusal)


async def posted(session: Core, row: MessageRow) -> None:
    """Store the id of a message that was sent."""
    await session.desk.store.commit(Write(session=session.id, posted=(row,)))
    known = session.messages[row.serial]
    session.messages[row.serial] = replace(
        known,
        channel_id=row.channel_id,
        message_id=row.message_id,
        want="keep" if known.want == "post" else known.want,
    )


async def settle(session: Core, serial: int) -> None:
    """Store that nothing more is to be done about a message."""
    row = replace(session.messages[serial], want="done")
    await session.desk.store.commit(Write(session=session.id, messages=(row,)))
    session.messages[serial] = row


async def call_players(session: Core, shown: Shown) -> None:
    """Intend a call to each person who is to move and is not clicking anyway.

    While sand runs one call to everybody, at its start, takes the place of all others.
    """
    await session.load()
    if session.status is not Status.RUNNING or session.game is None:
        return
    game = session.playing
    change = Change()
    rows = list(session.messages.values())
    persons = session.persons()
    called = {(row.seat, row.question) for row in rows if row.purpose == "ping"}
    for timer in game.timers:
        if (NO_SEAT, timer.question) not in called and persons:
            letters.add(session, change, "ping", question=timer.question)
    by_dm = {
        (row.seat, row.question)
        for row in rows
        if row.purpose == "ballot" and row.want in letters.UP
    }
    now = session.desk.time.epoch()
    for decision in game.waiting():
        place = (decision.seat, decision.question)
        user_id = persons.get(decision.seat)
        if game.timers or user_id is None or place in called or place in by_dm:
            continue
        if decision in game.interrupted:
            continue
        acted = session.seats[decision.seat].acted_at
        rest = 0.0 if acted is None else acted + _QUIET - now
        if rest > 0:
            soon = session.desk.time.monotonic() + rest
            shown.recheck = min(soon, shown.recheck or soon)
            continue
        if (await session.desk.preference(user_id)).pings != "off":
            letters.add(session, change, "ping", seat=decision.seat, question=decision.question)
    if change.messages:
        await session.commit(change)


def nonce_of(mark: str) -> str:
    """At most 25 characters; the same for the same message, whatever happens between."""
    return mark.replace("·", "-")


async def _jobs(session: Core, shown: Shown) -> Sequence[Job]:
    """Everything that is to be sent, edited, closed and deleted now, in that order."""
    await session.load()
    live = letters.live(session)
    jobs: list[tuple[int, Job]] = []
    for row in session.messages.values():
        if row.want == "done" or (row.want == "keep" and not _may_change(row, live)):
            continue
        face, token = await _face(session, row, is_live=row is live)
        if row.want == "keep" and shown.versions.get(row.serial) == token:
            continue
        if row.want == "post" and face is None:
            continue
        order = {"post": 0, "keep": 1, "close": 2, "delete": 3}[row.want]
        jobs.append((order, Job(row, face, token, await _address(session, row))))
    return [job for _, job in sorted(jobs, key=lambda pair: (pair[0], pair[1].row.serial))]


def _may_change(row: MessageRow, live: MessageRow | None) -> bool:
    return row is live or row.purpose == "ballot"


async def _address(session: Core, row: MessageRow) -> Address:
    if row.seat != NO_SEAT:
        user_id = session.seats[row.seat].user_id
        if user_id is not None and row.purpose == "ballot":
            return Address(user_id=user_id)
        if user_id is not None and (await session.desk.preference(user_id)).pings == "dm":
            return Address(user_id=user_id)
    return Address(channel_id=session.channel_id)


async def _face(session: Core, row: MessageRow, *, is_live: bool) -> tuple[Face | None, object]:
    """What a message is to look like now, and a token that changes when that does."""
    mark = letters.mark_of(session.code, row.serial)
    match row.purpose:
        case "lobby":
            return LobbyFace(mark, snapshot_of(session)), session.version
        case "table":
            snapshot = snapshot_of(session, page_of(session, row.serial))
            return TableFace(mark, snapshot, live=is_live and not session.is_over), session.version
        case "closing":
            return ClosingFace(mark, snapshot_of(session)), "closing"
        case "notice":
            word = letters.NOTICES[row.question]
            return NoticeFace(mark, snapshot_of(session), word), word
        case "ping":
            seat = None if row.seat == NO_SEAT else row.seat
            kind = _kind_of(session, row)
            return PingFace(mark, snapshot_of(session), seat, kind), kind
        case _:
            return _ballot(session, row, mark)


def _kind_of(session: Core, row: MessageRow) -> str:
    if session.game is None:
        return ""
    for decision in (*session.game.asked, *session.game.timers):
        if decision.question == row.question:
            return decision.kind
    return ""


def _ballot(session: Core, row: MessageRow, mark: str) -> tuple[Face | None, object]:
    if session.game is None:
        return None, None
    look = look_of(session, row.seat)
    is_open = row.want in letters.UP
    current = [d.current for d in look.asked if d.question == row.question]
    return BallotFace(mark, look, row.question, is_open), (is_open, look.draft, current)
