"""What is known of one table without asking anybody, and the refusals that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.sessions import clocks, sand
from bot.sessions.change import Change
from bot.sessions.desk import Desk
from bot.sessions.faces import Status
from bot.sessions.ports import Click, Refusal
from bot.sessions.replaying import FAULTS, Play
from bot.store.rows import (
    FormerRow,
    Json,
    MessageRow,
    MotionRow,
    SeatRow,
    SessionRow,
    SittingRow,
    mark_of,
)
from bot.titles import Title
from engines.kernel.decision import Decision


class Memory:
    """A table as this process knows it; what is in here is on the disk too."""

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
        self.desk = desk
        self.title = title
        self.row = row
        self.seats: dict[int, SeatRow] = {seat.seat: seat for seat in seats}
        self.messages: dict[int, MessageRow] = {
            m.serial: m for m in sorted(messages, key=lambda message: message.serial)
        }
        self.sittings: dict[int, SittingRow] = {row.user_id: row for row in sittings}
        self.formers: dict[bytes, FormerRow] = {row.mark: row for row in formers}
        self.motions: dict[int, MotionRow] = {row.number: row for row in motions}
        self.asked_of: dict[int, SeatRow] = {}
        """Who sat where the table was asked about, by motion, once that was settled."""
        self.lost: dict[int, str] = {}
        """Who has lost a seat to another person, by seat; what is not stored is not told."""
        self.names = {row.name for row in seats}
        """All that anybody at this table was called since the game began, or since the start."""
        self.game: Play | None = None
        self.sands: dict[int, sand.Sand] = sand.recalled(row.timers)
        self.clocks: dict[clocks.Key, clocks.Clock] = clocks.recalled(row.clocks)
        self.version = 0
        self.is_mute = False
        """Whether the bot may not write in the table's place just now."""
        self.heard_since = desk.started_at
        """Since when (epoch) it may, at the latest."""
        self.may_reopen = False
        """Whether its thread is open, and that it goes on could not be stored yet."""
        self.returns: tuple[int, bool] | None = None
        """Whether the last that happened is a rewind that can be taken back, by journal length."""

    # What is known without the lock

    @property
    def id(self) -> int:
        """The store's number; part of every button."""
        return self.row.id

    @property
    def code(self) -> str:
        """What people call the table by."""
        return self.row.code

    @property
    def status(self) -> Status:
        """Where it stands."""
        return Status(self.row.status)

    @property
    def guild_id(self) -> int:
        """The server."""
        return self.row.guild_id

    @property
    def channel_id(self) -> int:
        """The channel or thread in which it is played."""
        return self.row.channel_id

    @property
    def host_id(self) -> int | None:
        """Who is in charge."""
        return self.row.host_id

    @property
    def is_over(self) -> bool:
        """Whether nothing can happen here any more."""
        return self.status in (Status.FINISHED, Status.CANCELLED, Status.ABANDONED)

    @property
    def may_go_on(self) -> bool:
        """Whether anybody may ever play here (again), so that it matters who has sat where."""
        return not self.is_over or (self.status is Status.ABANDONED and self.row.told_at is None)

    @property
    def is_checked(self) -> bool:
        """Whether this very program has replayed the journal before; a lobby has none."""
        known = self.desk.fingerprint(self.row.game)
        return self.row.header is None or (known is not None and self.row.fingerprint == known)

    @property
    def playing(self) -> Play:
        """The game in memory."""
        assert self.game is not None
        return self.game

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a person at this table."""
        for row in self.seats.values():
            if row.user_id == user_id:
                return row.seat
        return None

    def persons(self) -> dict[int, int]:
        """User ids of the people, by seat."""
        return {seat: row.user_id for seat, row in sorted(self.seats.items()) if row.user_id}

    def plays_itself(self, seat: int) -> bool:
        """Whether a computer player plays at that seat, for an absent person or as its own."""
        row = self.seats[seat]
        return row.user_id is None or row.away

    @property
    def is_resting(self) -> bool:
        """Whether a game goes on here in which all people are away."""
        persons = self.persons()
        is_running = self.status is Status.RUNNING
        return is_running and bool(persons) and all(self.seats[seat].away for seat in persons)

    @property
    def is_shut_out(self) -> bool:
        """Whether the bot itself has paused the table, since it cannot write in its thread."""
        return self.status is Status.PAUSED and "thread" in self._trouble

    @property
    def fault(self) -> str:
        """The words for the fault that has stopped the table: "crashed" if none is known."""
        word = self._trouble.get("word")
        return str(word) if word in FAULTS else "crashed"

    @property
    def stands_still(self) -> bool:
        """Whether nothing is played by time: nobody could see it, or nobody is there."""
        may_move = self.status is Status.RUNNING and not self.is_resting
        return not may_move or self.is_mute or not self.desk.online

    def is_last(self, seat: int) -> bool:
        """Whether nobody but computer players sits at the other seats."""
        return not set(self.persons()) - {seat}

    def sitting_of(self, user_id: int) -> SittingRow | None:
        """Where a person has sat since the game began, also if they were forgotten since."""
        known = self.sittings.get(user_id)
        if known is not None or not self.formers:
            return known
        former = self.formers.get(mark_of(self.row.secret, user_id))
        return former and SittingRow(self.id, user_id, former.seat, former.barred)

    def is_party(self, user_id: int) -> bool:
        """Whether a person sits here, or has sat here since the game began."""
        return self.seat_of(user_id) is not None or self.sitting_of(user_id) is not None

    @property
    def motion(self) -> MotionRow | None:
        """What the table is asked to agree to at present."""
        return next((row for row in self.motions.values() if row.state == "open"), None)

    def is_left_to_people(self, decision: Decision) -> bool:
        """Whether a computer plays there and leaves a shared question to a person asked too."""
        if not decision.shared or not self.plays_itself(decision.seat):
            return False
        return any(
            other.question == decision.question and not self.plays_itself(other.seat)
            for other in (*self.playing.asked, *self.playing.interrupted)
        )

    # Refusals that many share

    def require_seat(self, user_id: int) -> int:
        """The person's seat, or a refusal."""
        seat = self.seat_of(user_id)
        if seat is None:
            sitting = self.sitting_of(user_id)
            is_barred = sitting is not None and sitting.barred and not self.is_over
            raise Refusal("sent_away" if is_barred else "not_seated")
        return seat

    def check_running(self) -> None:
        """Refuse what needs a game in progress."""
        status = self.status
        if status is Status.CRASHED or (status is Status.ORPHANED and self.fault != "crashed"):
            raise self.stopped()
        if status is Status.PAUSED:
            raise Refusal("shut_out" if self.is_shut_out else "paused", place=self.channel_id)
        if status is Status.ORPHANED:
            raise Refusal("orphaned")
        if self.is_over:
            raise Refusal("game_over")
        if status is not Status.RUNNING:
            raise Refusal("not_running")

    def check_host(self, click: Click) -> None:
        """Refuse what only the host or a moderator may do."""
        if click.user_id != self.host_id and not click.may_manage:
            names = [row.name for row in self.seats.values() if row.user_id == self.host_id]
            raise Refusal("not_host", host=names[0] if names else "")

    def stopped(self) -> Refusal:
        """What whoever would play at a table is told that a fault has stopped."""
        reference = self.crash_reference or ""
        return Refusal(self.fault, reference=reference, over=self.is_over)

    @property
    def crash_reference(self) -> str | None:
        """The code under which a crash stands in the log."""
        reference = self._trouble.get("reference")
        return None if reference is None else str(reference)

    @property
    def _trouble(self) -> Mapping[str, Json]:
        """What has stopped the table, as it is stored."""
        crash = self.row.crash
        return crash if isinstance(crash, dict) else {}

    def seats_after(self, change: Change) -> dict[int, SeatRow]:
        """The seats as they will be after a change."""
        seats = {**self.seats, **change.seats}
        return {seat: seats[seat] for seat in sorted(seats) if seat not in change.dropped}
