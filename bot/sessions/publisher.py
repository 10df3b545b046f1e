"""The publisher: it makes Discord show what the store says, one table at a time.

Every message has an intention row before it is sent. A pass over a table sends what is wanted and
not up yet, brings the live message up to date, then closes and deletes what has had its day. What
fails is tried again with back-off; edits are coalesced to about one a second a table.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from bot.sessions import letters, ticking
from bot.sessions.core import Core
from bot.sessions.desk import Desk
from bot.sessions.faces import Status
from bot.sessions.jobs import Job, Shown, back_off, is_shut, plan_of
from bot.sessions.ports import (
    ChannelError,
    DirectMessagesClosed,
    EditLimit,
    MessageGone,
    NotAllowed,
    PlaceGone,
    Refusal,
    ThreadShut,
    Unreachable,
)
from bot.sessions.upkeep import (
    call_players,
    letters_refused,
    orphan,
    posted,
    replace_table,
    repost,
    settle,
    shut,
    turn_page,
)
from bot.store.protocol import StoreError, Write
from bot.store.rows import NO_SEAT, MessageRow

log = logging.getLogger(__name__)

PACE: Final = 1.0
"""Seconds between two edits of one table."""

_BEHIND: Final = 3
"""So many failures in a row, and players are told that their table is not up to date."""

_OLD: Final = 55 * 60.0
"""Discord limits edits of messages older than an hour: a table moves on before that."""

_SCROLLED: Final = 12
_LOOK_EVERY: Final = 20.0
_ASKED_EVERY: Final = 10.0
_LIMITED: Final = 120.0
"""Seconds until an old message is edited again that Discord lets nobody edit just now."""

_SHUT: Final = 3600.0
"""Seconds until a message in a shut thread that the table has left is tried again, if nobody is
heard to open it."""

_NONCE_KEPT: Final = 120.0
"""Seconds in which Discord surely still knows a nonce; after that a message is looked for."""


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

    def nudge(self, session: Core, *, urgent: bool = False, afresh: bool = False) -> None:
        """Something changed: publish at the next turn, or (a new message, a glass) at once.

        ``afresh``: also where it has failed so far.
        """
        shown = self.shown(session)
        shown.stand_in(session.channel_id)
        shown.dirty = True
        if afresh or (urgent and not shown.failures):
            shown.due = 0.0

    def replaced(self, session: Core, message_id: int) -> None:
        """Something else stands in a message than was sent last: it is edited in any case."""
        for serial, row in session.messages.items():
            if row.message_id == message_id:
                self.shown(session).versions.pop(serial, None)
                self.nudge(session)

    def look_again(self, session: Core) -> None:
        """Somebody looks for the table: make sure that its message is there and shows it.

        Nobody tells us of a deleted message; an edit finds out.
        """
        shown = self.shown(session)
        now = self.desk.time.monotonic()
        live = letters.live(session)
        if live is None or (shown.asked is not None and now - shown.asked < _ASKED_EVERY):
            return
        shown.asked = now
        shown.versions.pop(live.serial, None)
        shown.dirty = True

    def barred(self, session_id: int) -> str:
        """Why a table is not up to date: "permission", "thread", "behind", or nothing."""
        shown = self._shown.get(session_id)
        return "" if shown is None else shown.barred

    def opened(self, session: Core, channel_id: int) -> None:
        """A thread can be written in again, perhaps that of the table, or one that it has left."""
        shown = self.shown(session)
        if session.channel_id == channel_id:
            shown.opened = self.desk.time.monotonic()
        if shown.barred == "thread" and shown.shut_in == channel_id:
            shown.barred = ""
            self.nudge(session)
        for serial in list(shown.put_off):
            row = session.messages.get(serial)
            if row is not None and row.channel_id == channel_id:
                shown.put_off[serial] = 0.0

    def is_due(self, session: Core, now: float) -> bool:
        """Whether a table wants publishing now."""
        shown = self.shown(session)
        if shown.recheck is not None and now >= shown.recheck:
            shown.recheck = None
            shown.dirty = True
        for serial in [one for one, until in shown.put_off.items() if now >= until]:
            del shown.put_off[serial]
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
        began = self.desk.time.monotonic()
        try:
            await self._pass(session, shown)
            if shown.trouble:
                log.info("table %s is published again", session.code)
            shown.failures, shown.trouble = 0, ""
            if not is_shut(session, shown):
                shown.barred = ""
        except PlaceGone as gone:
            log.info("table %s: %s", session.code, gone)
            if not await orphan(session):
                self._stand_still(session, shown)
        except ThreadShut as error:
            if shown.opened >= began:  # somebody opened it before we had the answer
                shown.again(self.desk.time.monotonic())
                return
            # Nothing is tried again by itself: whoever opens the thread lets the table go on.
            shown.barred, shown.shut_in = "thread", session.channel_id
            if not await shut(session, str(error)):
                self._stand_still(session, shown)
        except Exception as error:  # noqa: BLE001 - a mistake of ours is told, and tried again too
            shown.again(self.desk.time.monotonic())
            if isinstance(error, NotAllowed):
                shown.barred = "permission"
            else:
                session.turn_glass()
                if shown.failures >= _BEHIND and shown.barred != "permission":
                    shown.barred = "behind"
            self._complain(session, shown, error)

    def _stand_still(self, session: Core, shown: Shown) -> None:
        """It could not be stored that the table rests: no sand falls until it can."""
        ticking.stop(session)
        shown.again(self.desk.time.monotonic())

    def _complain(self, session: Core, shown: Shown, error: Exception) -> None:
        """One line for one kind of trouble, however often it is met before it is over."""
        told = f"{type(error).__name__}: {error}"
        if isinstance(error, NotAllowed):
            told = f"a permission is missing ({error}); /session doctor there names it"
        is_new, shown.trouble = told != shown.trouble, told
        line = f"table {session.code} is not published, and tried again: {told}"
        if not isinstance(error, (ChannelError, StoreError, Refusal)):
            log.log(logging.ERROR if is_new else logging.DEBUG, line, exc_info=error)
        else:
            log.log(logging.WARNING if is_new else logging.DEBUG, line)

    async def _pass(self, session: Core, shown: Shown) -> None:
        ticking.hold(session)
        await self._move_down(session, shown)
        await session.locked(lambda: call_players(session, shown), "calls")
        version = session.version
        later: ChannelError | None = None
        barred: set[str] = set()
        plan = await session.locked(lambda: plan_of(session, shown), "plan")
        for job in plan.jobs:
            if not job.here:  # nothing that is done elsewhere holds up the table
                await self._do_elsewhere(session, shown, job)
                continue
            if job.waits(barred):
                continue
            try:
                await self._do(session, shown, job)
            except ThreadShut:
                raise
            except NotAllowed as error:  # posting only, perhaps
                barred.add(job.row.want)
                later = error
        if not barred and ticking.turn(session, plan.clocks):
            session.version += 1
            self.nudge(session)
        if later is not None:
            raise later
        if is_shut(session, shown):
            return
        ply = session.row.ply
        is_true = session.version == version and not shown.dirty
        if is_true and session.row.published_ply != ply:
            await self.desk.store.commit(Write(session=session.id, fields={"published_ply": ply}))
            session.row = replace(session.row, published_ply=ply)

    async def _do_elsewhere(self, session: Core, shown: Shown, job: Job) -> None:
        """Do a job that is not in the table's place; one that fails is owed, or let go."""
        row = job.row
        try:
            await self._do(session, shown, job)
        except ThreadShut:
            self._put_off(shown, row, _SHUT)
        except Unreachable as error:
            tried = shown.owed.get(row.serial, 0)
            line = "table %s owes a letter, or another message elsewhere, and tries it again: %s"
            log.log(logging.DEBUG if shown.owed else logging.WARNING, line, session.code, error)
            shown.owed[row.serial] = tried + 1
            self._put_off(shown, row, back_off(tried))
            return
        except (NotAllowed, PlaceGone, DirectMessagesClosed):
            if letters.is_untold(session, row) and job.address.channel_id is not None:
                shown.refused.add(job.address.channel_id)
                shown.dirty = True
            else:
                await self._settle(session, row)
        shown.owed.pop(row.serial, None)

    async def _do(self, session: Core, shown: Shown, job: Job) -> None:
        row = job.row
        if row.message_id is None or row.channel_id is None:
            if row.want == "post":
                await self._post(session, shown, job)
                return
            found = await self._left_over(session, shown, job)
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
                anew = row.serial not in shown.versions
                await self.desk.channel.edit(channel_id, message_id, job.face, anew=anew)
                shown.versions[row.serial] = job.token
                if row.want == "close":
                    await self._settle(session, row)
                else:
                    session.turn_glass(job.face)
        except MessageGone as gone:
            if isinstance(gone, EditLimit) and row.want == "close":
                self._put_off(shown, row, _LIMITED)
            else:
                await self._replace(session, row)
        except ThreadShut:
            raise  # its controls are taken away once somebody has opened it
        except (NotAllowed, PlaceGone, DirectMessagesClosed):
            if row.want == "keep" and row.seat == NO_SEAT:
                raise
            await self._settle(session, row)

    def _put_off(self, shown: Shown, row: MessageRow, seconds: float) -> None:
        """What cannot be done now is done later; nothing waits for that."""
        shown.put_off[row.serial] = self.desk.time.monotonic() + seconds

    def _is_fresh(self, shown: Shown, row: MessageRow) -> bool:
        """Whether a message was surely never sent: no earlier life, and no lost answer."""
        return row.made_at >= self.desk.started_at and row.serial not in shown.tried

    async def _left_over(self, session: Core, shown: Shown, job: Job) -> tuple[int, int] | None:
        """A message that may have been sent without its id being noted."""
        if self._is_fresh(shown, job.row):
            return None
        mark = letters.mark_of(session.code, job.row.serial)
        return await self.desk.channel.find(job.address, mark)

    async def _post(self, session: Core, shown: Shown, job: Job) -> None:
        row = job.row
        found: tuple[int, int] | None = None
        assert job.face is not None
        is_fresh = self._is_fresh(shown, row)
        try:
            if self.desk.time.epoch() - row.made_at > _NONCE_KEPT:
                found = await self._left_over(session, shown, job)
            if found is None:
                shown.tried.add(row.serial)
                nonce = letters.nonce_of(letters.mark_of(session.code, row.serial))
                found = await self.desk.channel.post(job.address, job.face, nonce)
        except DirectMessagesClosed:
            await session.locked(lambda: letters_refused(session, row), "refused letter")
            shown.tried.discard(row.serial)
            shown.dirty = True
            return
        channel_id, message_id = found
        await session.locked(
            lambda: posted(session, replace(row, channel_id=channel_id, message_id=message_id)),
            "posted",
        )
        shown.tried.discard(row.serial)
        self._tell_called(session, row)
        if is_fresh:
            shown.versions[row.serial] = job.token
            session.turn_glass(job.face)
        else:  # what stands there may be from an earlier attempt, with an older face: edit it now
            shown.dirty, shown.due = True, 0.0

    def _tell_called(self, session: Core, row: MessageRow) -> None:
        user_id = session.seats[row.seat].user_id if row.seat in session.seats else None
        if user_id is not None and row.purpose in ("ballot", *letters.CALLS):
            self.desk.called(session.guild_id, user_id)

    async def _settle(self, session: Core, row: MessageRow) -> None:
        """Nothing more is to be done about a message."""
        await session.locked(lambda: settle(session, row.serial), "settle")

    async def _replace(self, session: Core, row: MessageRow) -> None:
        """A message of ours was deleted: the live table is posted afresh, others are let go."""
        if row.purpose == "table" and row.want == "keep":
            await session.locked(lambda: replace_table(session, row.serial), "replace")
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
