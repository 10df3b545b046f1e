"""What there is to send, edit, close and delete for one table, and what each message looks like."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from bot.sessions import clocks, deadlines, letters, motions, ticking
from bot.sessions.core import Core
from bot.sessions.faces import (
    BallotFace,
    ClosingFace,
    Face,
    LobbyFace,
    MotionFace,
    NoticeFace,
    PingFace,
    PledgeFace,
    ReminderFace,
    SeatLook,
    Status,
    TableFace,
)
from bot.sessions.ports import Address
from bot.sessions.showing import look_of, page_of, snapshot_of
from bot.store.rows import NO_SEAT, MessageRow

_NEWER = 10.0
"""Seconds by which a letter's deadline has moved when the letter is brought up to date."""


_BACK_OFF: Final = (1.0, 2.0, 5.0, 15.0, 60.0)


def back_off(failures: int) -> float:
    """Seconds until what has failed so often before is tried again."""
    return _BACK_OFF[min(failures, len(_BACK_OFF) - 1)]


@dataclass(slots=True)
class Shown:
    """What the publisher knows of one table's messages.

    ``versions``: what each shows, by serial. ``tried``: serials of which a sending was begun whose
    end is not known. ``looked``: when it was seen how far the table has scrolled away, ``asked``:
    when somebody last looked for it. ``put_off``: until when (monotonic) a message is left alone.
    ``owed``: how often in a row a message failed that is not in the table's place.
    ``refused``: channels that do not take what is told outside.
    ``barred``: why nothing can be written in its place just now, "permission" or "thread"; or
    "behind" if it has failed for a while, for whatever reason. ``shut_in``: the thread
    that is shut, ``opened``: when a thread of the table was opened. ``forbidden``: it was known
    beforehand that nothing can be written, when that was ``asked_for``. ``place``: the channel or
    thread of which all this is known.
    """

    versions: dict[int, object] = field(default_factory=dict[int, object])
    tried: set[int] = field(default_factory=set[int])
    put_off: dict[int, float] = field(default_factory=dict[int, float])
    owed: dict[int, int] = field(default_factory=dict[int, int])
    refused: set[int] = field(default_factory=set[int])
    due: float = 0.0
    failures: int = 0
    trouble: str = ""
    barred: str = ""
    forbidden: bool = False
    shut_in: int = 0
    looked: float = 0.0
    asked: float | None = None
    asked_for: float = -math.inf
    opened: float = -math.inf
    place: int = 0
    dirty: bool = False
    recheck: float | None = None

    def again(self, now: float) -> None:
        """It failed: try again, ever later."""
        self.due = now + back_off(self.failures)
        self.failures += 1
        self.dirty = True

    def stand_in(self, place: int) -> None:
        """Where the table stands now: what failed in another place says nothing of this one."""
        if place == self.place:
            return
        self.place, self.failures, self.due = place, 0, 0.0
        self.barred, self.forbidden, self.asked_for = "", False, -math.inf


@dataclass(frozen=True, slots=True)
class Job:
    """One thing to do: a message, its face, and a token for what it will then show.

    ``here``: in the table's present place. A letter, a notice told outside and what was left
    behind in another channel are not.
    """

    row: MessageRow
    face: Face | None
    token: object
    address: Address
    here: bool

    def waits(self, barred: Collection[str]) -> bool:
        """Whether it waits until what is barred ("post", "keep", ...) is possible again.

        While nothing new can be posted nothing is closed, or players would have nothing to click.
        """
        return bool(barred) and (self.row.want in barred or self.row.want not in letters.UP)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done now; when it is done, players see what these clocks are for."""

    jobs: Sequence[Job]
    clocks: frozenset[clocks.Key]


async def plan_of(session: Core, shown: Shown) -> Plan:
    """The jobs of this moment, and the clocks that go with them."""
    jobs = await jobs_of(session, shown)
    if any(isinstance(job.face, TableFace) and job.face.live for job in jobs):
        ticking.note_shown(session)
    return Plan(jobs, frozenset(session.clocks))


async def jobs_of(session: Core, shown: Shown) -> Sequence[Job]:
    """Everything that is to be sent, edited, closed and deleted now, in that order."""
    await session.load()
    live = letters.live(session)
    jobs: list[tuple[int, Job]] = []
    for row in session.messages.values():
        if row.want == "done" or (row.want == "keep" and not _may_change(row, live)):
            continue
        if letters.is_told_outside(row) and row.want == "post":
            job = await _told_outside(session, shown, row)
            jobs.extend([(0, job)] if job else [])
            continue
        address = await _address(session, row)
        here = (row.channel_id or address.channel_id) == session.channel_id
        if row.serial in shown.put_off or (here and is_shut(session, shown)):
            continue
        face, token = await _face(session, row, is_live=row is live)
        if row.want == "keep" and shown.versions.get(row.serial) == token:
            continue
        if row.want == "post" and face is None:
            continue
        order = {"post": 0, "keep": 1, "close": 2, "delete": 3}[row.want]
        jobs.append((order, Job(row, face, token, address, here)))
    return [job for _, job in sorted(jobs, key=lambda pair: (pair[0], pair[1].row.serial))]


async def _told_outside(session: Core, shown: Shown, row: MessageRow) -> Job | None:
    """What is to be done about such a notice: it is dropped when nothing of it is true any more.

    None while there is no place for it: then it waits for a moderator (bot/sessions/losses.py).
    """
    dropped = Job(
        replace(row, want="delete"), None, "", Address(channel_id=session.channel_id), here=False
    )
    if not letters.is_untold(session, row):
        return dropped
    games = await session.desk.servers.value(session.guild_id, "channels")
    word = letters.NOTICES[row.question]
    is_gone = word in ("thread_gone", "channel_gone", "removed")
    own = session.channel_id
    places = [session.row.parent_id, *(games if is_gone and isinstance(games, list) else [])]
    places = [place for place in places if place != own]
    for place in (own, *places) if word == "removed" else places:
        if not isinstance(place, int) or place in shown.refused:
            continue
        if row.serial in shown.put_off:
            break
        face, token = await _face(session, row, is_live=False)
        return Job(row, face, token, Address(channel_id=place), here=False)
    return dropped if session.is_over and row.serial not in shown.put_off else None


def _may_change(row: MessageRow, live: MessageRow | None) -> bool:
    return row is live or row.purpose in ("ballot", "motion")


def is_shut(session: Core, shown: Shown) -> bool:
    """Whether the table waits in a thread that is shut; one that goes on tries it anew."""
    is_there = shown.barred == "thread" and shown.shut_in == session.channel_id
    return is_there and session.status is not Status.RUNNING


async def _address(session: Core, row: MessageRow) -> Address:
    if row.seat != NO_SEAT and row.purpose in ("ballot", *letters.CALLS):
        user_id = session.seats[row.seat].user_id
        if user_id is not None and row.purpose == "ballot":
            return Address(user_id=user_id)
        if user_id is not None and await session.desk.calls_to(user_id) == "dm":
            return Address(user_id=user_id)
    return Address(channel_id=session.channel_id)


async def _face(session: Core, row: MessageRow, *, is_live: bool) -> tuple[Face | None, object]:
    """What a message is to look like now, and a token that changes when that does."""
    mark = letters.mark_of(session.code, row.serial)
    match row.purpose:
        case "pledge":
            return PledgeFace(mark, snapshot_of(session)), "pledge"
        case "lobby":
            return await _lobby(session, mark), session.version
        case "table":
            snapshot = snapshot_of(session, page_of(session, row.serial))
            return TableFace(mark, snapshot, live=is_live and not session.is_over), session.version
        case "closing":
            return ClosingFace(mark, snapshot_of(session)), "closing"
        case "notice":
            word = letters.NOTICES[row.question]
            seat = None if row.seat == NO_SEAT else row.seat
            return NoticeFace(mark, snapshot_of(session), word, seat), word
        case "motion":
            return _motion(session, row, mark)
        case "ping":
            seat = None if row.seat == NO_SEAT else row.seat
            kind = _kind_of(session, row)
            return PingFace(mark, snapshot_of(session), seat, kind), kind
        case "reminder":
            return await _reminder(session, row, mark), "reminder"
        case _:
            return _ballot(session, row, mark)


async def _lobby(session: Core, mark: str) -> LobbyFace:
    persons = session.persons() if session.status is Status.LOBBY else {}
    kept = tuple(seat for seat in persons if session.seats[seat].acted_at is None)
    called = [seat for seat in kept if await session.desk.calls_to(persons[seat]) == "here"]
    return LobbyFace(mark, snapshot_of(session), kept, tuple(called))


def _motion(session: Core, row: MessageRow, mark: str) -> tuple[Face | None, object]:
    motion = session.motions.get(row.question)
    if motion is None:
        return None, None
    out = motions.awaited(session, motion) if motion.state == "open" else ()
    asked = None if motion.asked_by is None else session.seat_of(motion.asked_by)
    face = MotionFace(
        mark,
        snapshot_of(session),
        motion.number,
        motion.kind,
        motion.state,
        motion.seat,
        asked,
        motion.name,
        tuple(seat for seat, agrees in sorted(motion.voices.items()) if agrees),
        out,
    )
    return face, (motion.state, tuple(motion.voices.items()), out)


async def _reminder(session: Core, row: MessageRow, mark: str) -> Face | None:
    own = session.clocks.get((row.question, row.seat))
    clock = own or session.clocks.get((row.question, NO_SEAT))
    if clock is None:
        return None
    seats = deadlines.people_of(session, clock)
    if row.seat == NO_SEAT:
        persons = session.persons()
        seats = [s for s in seats if await session.desk.calls_to(persons[s]) == "here"]
    else:
        seats = [row.seat]
    if not seats:
        return None
    time = session.desk.time
    ends_at = time.epoch() + clock.left_at(time.monotonic())
    shared = clock.seat == NO_SEAT
    return ReminderFace(mark, snapshot_of(session), tuple(seats), clock.kind, ends_at, shared)


def _kind_of(session: Core, row: MessageRow) -> str:
    if session.game is None:
        return ""
    for decision in (*session.game.asked, *session.game.timers):
        if decision.question == row.question:
            return decision.kind
    return ""


def _ballot(session: Core, row: MessageRow, mark: str) -> tuple[Face | None, object]:
    is_open = row.want in letters.UP
    if session.game is None:
        if is_open:
            return None, None
        # Without a game there is nothing in it; the letter still loses its controls.
        empty = SeatLook(snapshot_of(session), row.seat, None, (), (), (), (), ())
        return BallotFace(mark, empty, row.question, open=False), None
    look = look_of(session, row.seat)
    current = [d.current for d in look.asked if d.question == row.question]
    until = None if look.deadline is None else int(look.deadline.ends_at // _NEWER)
    return BallotFace(mark, look, row.question, is_open), (is_open, look.draft, current, until)
