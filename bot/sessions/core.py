"""One table's memory, its lock and its commits; session.py puts the players' doors on it.

Everything that changes a session goes one way: under the lock an answer is played in memory, then
written in one transaction, then it counts. If the transaction fails, the memory is rebuilt from the
journal, so that it never runs ahead of the disk. What players may do to a session stands in
lobby.py and play.py, what it shows in showing.py, what it posts in letters.py and publisher.py.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from bot.sessions import clocks, letters, motions, pace, presence, sand, stored, ticking
from bot.sessions.change import Change
from bot.sessions.desk import Desk
from bot.sessions.faces import Face, SeatLook, Status, TableFace
from bot.sessions.memory import Memory
from bot.sessions.moves import is_seen
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import Broken, Play, as_json, replayed
from bot.sessions.showing import look_of
from bot.sessions.waking import wake_at
from bot.store.protocol import AlreadyCounted, ChannelTaken, StoreError, Write
from bot.store.rows import (
    EntryRow,
    FormerRow,
    MessageRow,
    MotionRow,
    Pace,
    SeatRow,
    SessionRow,
    SittingRow,
)
from bot.titles import Title
from engines.kernel.errors import AnswerError, RulesBug, StaleAnswer
from engines.kernel.event import PUBLIC
from engines.kernel.journal import dump_record, effective
from engines.kernel.playthrough import Step

log = logging.getLogger(__name__)

T = TypeVar("T")

_COUNTED_KEPT: Final = 200

COMPUTER_DELAY: Final = 1.0
"""Seconds before a computer player acts, so that people can follow."""


class Core(Memory):
    """A table's memory with its lock. What says so takes the lock; the rest is called under it."""

    def __init__(
        self,
        desk: Desk,
        title: Title,
        row: SessionRow,
        seats: Sequence[SeatRow],
        messages: Sequence[MessageRow],
        sittings: Sequence[SittingRow] = (),
        motions: Sequence[MotionRow] = (),
        formers: Sequence[FormerRow] = (),
    ) -> None:
        super().__init__(desk, title, row, seats, messages, sittings, motions, formers)
        self.computers_due: float | None = None
        self.tended = 0.0
        """Not before then (monotonic) is begun what is due for the clocks."""
        self.saved = desk.time.monotonic()
        """When what is left of them was stored."""
        self.publishing = asyncio.Lock()
        self._lock = asyncio.Lock()
        self._is_lost = False
        self._counted: dict[int, None] = {}

    # The lock

    async def locked(self, work: Callable[[], Coroutine[Any, Any, T]], name: str) -> T:
        """Do work under the lock. Cancelling the caller does not cancel work that has begun."""

        async def under_lock() -> T:
            async with self._lock:
                return await work()

        return await asyncio.shield(self.desk.spawn(under_lock(), f"{name} {self.code}"))

    @property
    def live_message(self) -> tuple[int, int] | None:
        """Channel and id of the message that carries the table, for links."""
        row = letters.live(self)
        if row is None or row.message_id is None or row.channel_id is None:
            return None
        return row.channel_id, row.message_id

    def look_now(self, user_id: int) -> SeatLook:
        """The table as a person at it may see it. Refusal ``not_seated``."""
        return look_of(self, self.require_seat(user_id))

    # Playing and committing

    async def play(self, move: Callable[[Play], Step]) -> Step:
        """Play one answer in memory.

        A refused answer becomes a Refusal, an exception of the rules a crash of this session.
        """
        try:
            return move(self.playing)
        except AnswerError as error:
            facts = dict(error.facts)
            if isinstance(error, StaleAnswer) and error.problem == "not_asked":
                raise Refusal("stale", **facts) from error
            raise Refusal(error.problem, **facts) from error
        except (Exception, RulesBug) as error:
            await self.crash(error)
            raise self.stopped() from error

    async def note(self, change: Change, step: Step, chapter: int) -> None:
        """Put a step that was just played into a change, with the messages it makes necessary."""
        game = self.playing
        change.records.append(step.entry)
        change.tells = change.tells or any(e.event.only is PUBLIC for e in step.events)
        motions.lapse(self, change, all_kinds=game.outcome is not None)
        if game.outcome is not None:
            outcome = game.outcome
            change.fields |= {
                "status": "finished",
                "ended_at": self.desk.time.epoch(),
                "outcome": {
                    "ending": outcome.ending,
                    "won": outcome.won,
                    "facts": as_json(outcome.facts),
                },
            }
            letters.close_all(self, change)
            letters.add(self, change, "closing")
            return
        if game.view(None).chapter != chapter:
            letters.turn_page(self, change, after_ply=game.ply)
        await letters.follow_decisions(self, change)

    async def take_up(self, change: Change, game: Play, *, after_ply: int) -> None:
        """Commit a change with a game that goes on from here, on a fresh page.

        A Refusal lets the game go again.
        """
        self.game = game
        letters.turn_page(self, change, after_ply=after_ply)
        await letters.follow_decisions(self, change)
        try:
            await self.commit(change)
        except Refusal:
            game.close()
            self.game = None
            raise

    async def commit(self, change: Change) -> None:
        """Make a change durable, then take it over into memory.

        Refusal ``not_saved`` or ``already_counted``: nothing changed, memory included.
        """
        clock = self.desk.time
        now = clock.monotonic()
        presence.follow(self, change)
        click = change.click
        at = clock.epoch()
        sands = self.sands if self.game is None else sand.follow(self.sands, self.game.timers)
        rows = sand.stored(sands, now)
        waits = self._clocks_after(change)
        fields = {**change.fields, "timers": rows, "clocks": clocks.stored(waits, now)}
        fields["touched_at"] = at if is_seen(self, change) else self.row.touched_at
        if self.game is not None:
            status = fields.get("status", self.row.status)
            running = (*sands.values(), *waits.values())
            fields["wake_at"] = wake_at(self, status, self.seats_after(change), running)
            fields["fingerprint"] = self.desk.fingerprint(self.row.game)
        entries = tuple(
            EntryRow(
                session=self.id,
                ply=self.row.ply + n,
                record=dump_record(record),
                interaction_id=click.interaction_id if click and n == 0 else None,
                received_at=at - (now - click.arrived) if click else at,
                sand={str(timer.question): timer.left_ms for timer in rows} or None,
            )
            for n, record in enumerate(change.records)
        )
        write = Write(
            session=self.id,
            expected_ply=self.row.ply if entries else None,
            entries=entries,
            fields=fields,
            seats=tuple(change.seats.values()),
            drop_seats=tuple(change.dropped),
            messages=tuple(change.messages.values()),
            acts=tuple(change.acts),
            sittings=tuple(change.sittings.values()),
            motions=tuple(change.motions.values()),
            interaction=click.interaction_id if click and not entries else None,
            at=at,
        )
        try:
            await self.desk.store.commit(write)
        except StoreError as error:
            if change.records:
                await self._fall_back()
            if isinstance(error, AlreadyCounted):
                raise Refusal("already_counted") from error
            if isinstance(error, ChannelTaken):
                raise self.desk.taken(error.session_id) from error
            log.warning("table %s: a change was not saved: %s", self.code, error)
            raise Refusal("not_saved") from error
        self.clocks = waits
        self._take_over(change, fields, len(entries), at, sands)

    def _clocks_after(self, change: Change) -> dict[clocks.Key, clocks.Clock]:
        if change.fields.get("status", self.row.status) in ("finished", "abandoned"):
            return {}
        if self.game is None:
            return self.clocks
        wanted = clocks.awaited(self.game, self.seats_after(change))
        known = {} if "pace" in change.fields else self.clocks
        chosen = cast("Pace", change.fields.get("pace", self.row.pace))
        return clocks.follow(known, pace.SECONDS.get(chosen), wanted)

    def _take_over(
        self,
        change: Change,
        fields: Mapping[str, object],
        entries: int,
        at: float,
        sands: dict[int, sand.Sand],
    ) -> None:
        was_over = self.is_over
        taken = {**fields, "ply": self.row.ply + entries}
        self.row = replace(self.row, **cast("dict[str, Any]", taken))
        self.seats = self.seats_after(change)
        names = {row.name for row in self.seats.values()}
        self.names = names if self.status is Status.LOBBY else self.names | names
        self.messages |= change.messages
        self.sittings |= change.sittings
        self.motions |= change.motions
        if not self.may_go_on:
            self.formers.clear()
        self.sands = {} if self.is_over else sands
        if self.status is not Status.RUNNING or self.is_resting:
            sand.hold(self.sands, self.desk.time.monotonic())
        ticking.hold(self, besides=ticking.may_run(self))
        if change.click is not None:
            self._counted[change.click.interaction_id] = None
            if len(self._counted) > _COUNTED_KEPT:
                del self._counted[next(iter(self._counted))]
        if self.is_over and not was_over:
            self.desk.ended(self.id)
        self.version += 1
        self.wake_computers()
        is_new = any(row.want == "post" for row in change.messages.values())
        is_turning = any(glass.since is None for glass in self.sands.values())
        self.desk.nudge(self.id, is_new or is_turning)

    def check_click(self, click: Click) -> None:
        """Refuse a click that was counted before, or that comes while the bot is stopping."""
        if self.desk.closing:
            raise Refusal("shutting_down")
        if click.interaction_id in self._counted:
            raise Refusal("already_counted")

    def wake_computers(self) -> None:
        """Let the computer players look at the table shortly."""
        running = self.status is Status.RUNNING and self.game is not None
        computers = any(self.plays_itself(seat) for seat in self.seats)
        if running and computers and not self.is_resting:
            self.computers_due = self.desk.time.monotonic() + COMPUTER_DELAY
        else:
            self.computers_due = None

    def turn_glass(self, face: Face | None = None) -> None:
        """Let the sand run, once players see the glass (or, without a face, whatever they see)."""
        shows_it = face is None or (isinstance(face, TableFace) and face.snapshot.glass)
        if shows_it and not self.stands_still:
            for glass in self.sands.values():
                glass.turn(self.desk.time.monotonic())

    # The journal

    async def load(self) -> None:
        """Have the game in memory, if there is one.

        Refusal ``crashed``, or another for the same, if it cannot be had, ``not_read`` for now.
        A table that has ended stays ended, also if its game cannot be had any more.
        """
        if self.game is not None or self.row.header is None:
            return
        if self.status is Status.CRASHED or self._is_lost:
            return
        try:
            self.game = await self._replayed()
        except Broken as broken:
            if self.is_over:
                self._is_lost = True
                log.warning("table %s has ended and cannot be replayed: %s", self.code, broken)
                return
            await self.crash(broken)
            raise self.stopped() from broken
        if self.game.reinterpreted_from is not None:
            ply = self.game.reinterpreted_from
            log.warning("table %s is re-interpreted from answer %d on", self.code, ply)
        self.sands = sand.follow(self.sands, self.game.timers)
        self.clocks = self._clocks_after(Change())
        self.wake_computers()

    async def note_checked(self) -> None:
        """The game is in memory: store under what it was replayed, and when the table wakes."""
        if self.game is None:
            return
        running = (*self.sands.values(), *self.clocks.values())
        fields: dict[str, object] = {
            "wake_at": wake_at(self, self.row.status, self.seats, running),
            "fingerprint": self.desk.fingerprint(self.row.game),
        }
        if all(getattr(self.row, name) == value for name, value in fields.items()):
            return
        await self.desk.store.commit(Write(session=self.id, fields=fields))
        self.row = replace(self.row, **cast("dict[str, Any]", fields))

    def let_go(self) -> None:
        """Drop the game in memory, however broken it is."""
        game, self.game = self.game, None
        if game is None:
            return
        try:
            game.close()
        except (Exception, RulesBug) as error:  # noqa: BLE001 - what is dropped may be broken
            self.report(error, "did not let go")

    async def _fall_back(self) -> None:
        """What was played and not saved is given up; of a busy disk the rest is read later."""
        try:
            await self.rebuild()
        except Refusal as refusal:
            if refusal.problem != "not_read":
                raise
            self.desk.nudge(self.id, False)

    async def rebuild(self) -> None:
        """Drop the game in memory and play its journal again."""
        self.let_go()
        await self.load()

    async def _replayed(self) -> Play:
        header, records = await stored.journal_of(self)
        content = await stored.content_of(self, header)
        entries, branch = effective(records)
        return await asyncio.to_thread(replayed, self.title, content, header, entries, branch)

    def report(self, error: BaseException, what: str) -> str:
        """Log a fault of ours; the reference under which it stands in the log."""
        reference = secrets.token_hex(4)
        place = f"table {self.code} {what} at record {self.row.ply}"
        log.error("%s, reference %s", place, reference, exc_info=error)
        return reference

    async def crash(self, error: BaseException) -> None:
        """Mark this session crashed and tell the table; every row stays, other sessions go on."""
        reference = self.report(error, "crashed")
        self.let_go()
        change = Change()
        what = type(error).__name__ if not isinstance(error, Broken) else error.reason
        word = error.word if isinstance(error, Broken) else "crashed"
        crash = {"reference": reference, "ply": self.row.ply, "what": what[:200], "word": word}
        change.fields |= {"status": "crashed", "crash": crash}
        motions.lapse(self, change, all_kinds=True)
        letters.notice(self, change, word)
        try:
            await self.commit(change)
        except Refusal:
            self.row = replace(self.row, status="crashed")
