"""What is shown where, as plain frozen data: the seam between the sessions and the Discord side.

A ``Snapshot`` is the table as the whole channel may see it, a ``SeatLook`` adds what one seat may
see. Both are taken under the session's lock, so nothing in them is newer than the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engines.kernel.decision import Decision
from engines.kernel.event import Numbered
from engines.kernel.game import Outcome


class Status(StrEnum):
    """Where a session stands; the value is what the store keeps."""

    LOBBY = "lobby"
    RUNNING = "running"
    PAUSED = "paused"
    CRASHED = "crashed"
    ORPHANED = "orphaned"
    FINISHED = "finished"
    CANCELLED = "cancelled"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class SeatCard:
    """Who sits at a seat. ``user_id`` None: a computer player.

    ``away``: a computer player plays for that person for now.
    """

    seat: int
    user_id: int | None
    name: str
    away: bool = False

    @property
    def is_computer(self) -> bool:
        """Whether the seat plays by itself."""
        return self.user_id is None


@dataclass(frozen=True, slots=True)
class Waiting:
    """A seat that is still out. What it may choose is not in here.

    ``shared``: one answer is waited for, of whichever seat is out with the same question.
    """

    seat: int
    question: int
    kind: str
    secret: bool
    interrupted: bool
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Glass:
    """A timer of the rules. ``ends_at`` (epoch seconds) is None while the sand stands still."""

    question: int
    kind: str
    left: float
    ends_at: float | None


@dataclass(frozen=True, slots=True)
class Deadline:
    """When (epoch seconds) the next answer is given by a computer player, if nobody gives it.

    ``seat`` is the seat that is waited for; NO_SEAT where the first answer decides for several.
    """

    question: int
    seat: int
    ends_at: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table as anybody may see it.

    ``public_asked`` are the open decisions whose options may be shown to all: not secret, and asked
    of a single seat, or alike of several of which one decides for all (one decision a seat).
    ``chapter_events`` are the public events since the live table message was posted, oldest first;
    ``last_events`` those of the newest entry. ``pledge`` is the hash of the dice secret, ``secret``
    the secret itself, only once the game is over (both in hex). ``expires_at`` (epoch seconds) is
    when the lobby closes, or a table at which nobody plays ends; a closed lobby has it if it did.
    ``lost``: seats, each with the name of the person whom the one who sits there has replaced;
    ``asked_of``: settled motions, each with the name of who sat there, and if that was a computer.
    """

    session: int
    code: str
    game: str
    status: Status
    guild_id: int
    channel_id: int
    host_id: int | None
    options: Mapping[str, str]
    seats: tuple[SeatCard, ...]
    ply: int
    view: object | None
    public_asked: tuple[Decision, ...]
    waiting: tuple[Waiting, ...]
    chapter_events: tuple[Numbered, ...]
    last_events: tuple[Numbered, ...]
    glass: Glass | None
    outcome: Outcome | None
    pledge: str
    secret: str | None
    crash: str | None
    pace: str = "none"
    deadline: Deadline | None = None
    expires_at: float | None = None
    lost: Mapping[int, str] = field(default_factory=dict[int, str])
    asked_of: Mapping[int, tuple[str, bool]] = field(default_factory=dict[int, tuple[str, bool]])

    @property
    def is_resting(self) -> bool:
        """Whether the game waits for anybody to come back."""
        persons = [card for card in self.seats if not card.is_computer]
        is_running = self.status is Status.RUNNING
        return is_running and bool(persons) and all(card.away for card in persons)

    @property
    def seat_names(self) -> tuple[str, ...]:
        """Display names in seat order."""
        return tuple(card.name for card in self.seats)

    def seat_of(self, user_id: int) -> int | None:
        """The seat of a person at this table."""
        for card in self.seats:
            if card.user_id == user_id:
                return card.seat
        return None


@dataclass(frozen=True, slots=True)
class SeatLook:
    """What one seat may see and do now.

    ``draft`` is the unfinished ballot for the open allotment: one option key a token, "" where
    none was chosen yet. ``news`` are the newest private events of this seat, oldest first.
    ``deadline`` is the next of those that this seat has.
    """

    snapshot: Snapshot
    seat: int
    view: object
    asked: tuple[Decision, ...]
    interrupted: tuple[Decision, ...]
    offers: tuple[Decision, ...]
    draft: tuple[str, ...]
    news: tuple[Numbered, ...]
    deadline: Deadline | None = None


# Faces: what a message is to look like. ``mark`` ("K7QF2M·c") stands small at its foot; it names
# the session and the message, and lets a message be found again whose id was not stored in time.


@dataclass(frozen=True, slots=True)
class PledgeFace:
    """The hash of the dice secret, posted before the lobby and never edited."""

    mark: str
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class LobbyFace:
    """The lobby message while the lobby is open, and what became of it afterwards.

    ``kept``: seats of people who have not pressed anything here but sat in the game before;
    ``called``: those of them who are told in the channel.
    """

    mark: str
    snapshot: Snapshot
    kept: tuple[int, ...] = ()
    called: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFace:
    """The table message. ``live`` False: superseded, so without controls."""

    mark: str
    snapshot: Snapshot
    live: bool


@dataclass(frozen=True, slots=True)
class PingFace:
    """The call to move, to one seat, or (seat None) to every person at the table."""

    mark: str
    snapshot: Snapshot
    seat: int | None
    kind: str


@dataclass(frozen=True, slots=True)
class ReminderFace:
    """To those at these seats: their time runs out at ``ends_at`` (epoch seconds).

    ``shared``: one answer, of any of several, would do.
    """

    mark: str
    snapshot: Snapshot
    seats: tuple[int, ...]
    kind: str
    ends_at: float
    shared: bool


@dataclass(frozen=True, slots=True)
class BallotFace:
    """A ballot by direct message. ``open`` False: the vote is closed."""

    mark: str
    look: SeatLook
    question: int
    open: bool


@dataclass(frozen=True, slots=True)
class NoticeFace:
    """A short message to the table about the table itself (crashed, restored, ...).

    ``seat``: the one it speaks of, if it is about one.
    """

    mark: str
    snapshot: Snapshot
    word: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class MotionFace:
    """What the table is asked to agree to.

    ``kind``: "undo" (of an answer of ``seat``) or "seat" (``seat`` goes to ``name``); ``asked`` is
    the seat of who asks, if they have one. ``state``: "open", "carried", "refused" or "lapsed".
    ``agreed`` and ``awaited`` are seats.
    """

    mark: str
    snapshot: Snapshot
    number: int
    kind: str
    state: str
    seat: int
    asked: int | None
    name: str
    agreed: tuple[int, ...]
    awaited: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClosingFace:
    """The end: closing picture, why, titles, the secret, Play again and Story."""

    mark: str
    snapshot: Snapshot


Face = (
    PledgeFace
    | LobbyFace
    | TableFace
    | PingFace
    | ReminderFace
    | BallotFace
    | NoticeFace
    | MotionFace
    | ClosingFace
)
