"""What the store keeps: one frozen dataclass for each kind of row. No SQL and no Discord in here.

All times are epoch seconds that the caller passes in; the store has no clock of its own.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

Status: TypeAlias = Literal[
    "lobby", "running", "crashed", "paused", "orphaned", "finished", "cancelled", "abandoned"
]
SeatKind: TypeAlias = Literal["person", "computer"]
Want: TypeAlias = Literal["post", "keep", "close", "delete", "done"]
Pings: TypeAlias = Literal["here", "dm", "off"]
Pace: TypeAlias = Literal["none", "live", "relaxed", "days"]
MotionKind: TypeAlias = Literal["undo", "seat"]
MotionState: TypeAlias = Literal["open", "carried", "refused", "lapsed"]

# A session in one of these holds its channel: no second game may be opened there. A crashed or
# orphaned table does not, or it would block the channel for ever.
HOLDS_CHANNEL: tuple[Status, ...] = ("lobby", "running", "paused")
LIVE: tuple[Status, ...] = ("lobby", "running", "paused", "crashed", "orphaned")
ENDED: tuple[Status, ...] = ("finished", "cancelled", "abandoned")
OPEN_WANTS: tuple[Want, ...] = ("post", "close", "delete")
NO_SEAT = -1
PURPOSES = (
    "pledge", "lobby", "table", "ballot", "ping", "reminder", "motion", "notice", "closing",
)  # fmt: skip
# What an act was, of which that cannot be read any more.
GARBLED = "garbled"


@dataclass(frozen=True, slots=True)
class TimerRow:
    """What is left of a timer that the rules have started: `left_ms` milliseconds of sand."""

    question: int
    kind: str
    left_ms: int


@dataclass(frozen=True, slots=True)
class ClockRow:
    """What is left for an answer: of `seat`, or (NO_SEAT) of whoever answers first for several.

    `reminded`: whoever is waited for was told that the time is running out.
    """

    question: int
    seat: int
    kind: str
    left_ms: int
    reminded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One table, from its lobby to its end.

    - id: given by the store; 0 in a row that is not stored yet.
    - code: six characters of Crockford's base 32 (capital letters), chosen by the caller.
    - parent_id: the channel in which the game was called for, when the table has its own thread.
    - host_id: the user in charge, None when there is nobody.
    - wish: for how many seats the host has asked, None when they have not.
    - secret: 32 bytes of which the game's keys are made; shown to nobody, also not at the end.
    - header: the journal's header as the kernel's codec wrote it, None in the lobby.
    - content_digest: names the stored content that the game is played with.
    - ply: how many records the journal has; published_ply: how many of them players have seen.
    - wake_at: when a deadline or a computer player is due.
    - fingerprint: of the code and content under which the journal was last checked.
    - outcome, crash: strict JSON written by the session; crash is what broke, where, and its
      reference code, or the thread that a paused table waits for.
    - told_at: when the secret of the dice was given out.
    - pace: how long players have for an answer; clocks: what is left of it for those who are out.
    - touched_at: when something last happened at the table that everybody could tell; nothing that
      a moderator sees may move with secret answers.
    - expires_at: when a lobby closes, or a table at which nobody plays ends.
    """

    id: int = 0
    code: str
    game: str
    guild_id: int
    channel_id: int
    parent_id: int | None = None
    status: Status = "lobby"
    host_id: int | None = None
    wish: int | None = None
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    secret: bytes = field(repr=False)
    header: str | None = field(default=None, repr=False)
    content_digest: str | None = None
    ply: int = 0
    published_ply: int = 0
    timers: tuple[TimerRow, ...] = ()
    wake_at: float | None = None
    fingerprint: str | None = None
    outcome: Json = None
    crash: Json = None
    created_at: float
    started_at: float | None = None
    ended_at: float | None = None
    touched_at: float
    told_at: float | None = None
    pace: Pace = "none"
    clocks: tuple[ClockRow, ...] = ()
    expires_at: float | None = None


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sits where. Inside one session a seat number and a user occur once each.

    `user_id` is None for a computer player. `draft` is what the seat has marked but not cast yet.
    `misses` counts answers in a row that did not come in time; `away`: a computer player plays for
    the person until they come back.
    """

    session: int
    seat: int
    user_id: int | None
    name: str
    kind: SeatKind
    draft: Json = None
    acted_at: float | None = None
    misses: int = 0
    away: bool = False


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One record of a journal. The first of a session has ply 0, and there are no gaps.

    `record` is canonical JSON made by the kernel's codec; the store never looks inside.
    `sand` is the time left on each timer when the record was made.
    """

    session: int
    ply: int
    record: str = field(repr=False)
    interaction_id: int | None = None
    received_at: float | None = None
    sand: Json = None


@dataclass(frozen=True, slots=True)
class MessageRow:
    """An intention: a message that should be on Discord, written before it is sent.

    The key is (session, purpose, seat, serial); `seat` is NO_SEAT for a message to the table.
    `want` says what is still to be done: post it, keep it (it is up and live), close it (take its
    controls away), delete it, or nothing more (done). The ids are None until it has been sent.
    """

    session: int
    purpose: str
    seat: int
    serial: int
    channel_id: int | None
    message_id: int | None
    want: Want
    question: int
    made_at: float


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """What a user has chosen: where to be called to their move, and whether ballots come by DM.

    Without `own_ballots` they have not chosen the latter, and their server's default holds.
    """

    user_id: int
    pings: Pings = "here"
    ballots: bool = True
    own_ballots: bool = False


@dataclass(frozen=True, slots=True)
class ServerRow:
    """What a server has chosen, by name, and when the bot was removed from it.

    `is_garbled`: what it had chosen cannot be read any more, so it has chosen nothing.
    """

    guild_id: int
    settings: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    left_at: float | None = None
    is_garbled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActRow:
    """Something that was done to a table from above. It is written once and stays as it is.

    - id: given by the store, in the order of writing; 0 in a row that is not stored yet.
    - what: a word for it; facts: what belongs to it, without anything secret.
    - by: the user who did it, about: the user whom it concerned; None also if forgotten since.
    """

    id: int = 0
    guild_id: int
    session: int
    code: str
    at: float
    what: str
    by: int | None
    about: int | None = None
    facts: Mapping[str, Json] = field(default_factory=dict[str, "Json"])


@dataclass(frozen=True, slots=True)
class SittingRow:
    """That a user has sat at this seat of a game; `barred` if a moderator has sent them away."""

    session: int
    user_id: int
    seat: int
    barred: bool = False


@dataclass(frozen=True, slots=True)
class FormerRow:
    """That somebody who was forgotten has sat at this seat of a game: a SittingRow without a user.

    `mark` is mark_of the user. Whoever comes may be compared with it.
    """

    session: int
    mark: bytes = field(repr=False)
    seat: int
    barred: bool = False


def mark_of(secret: bytes, user_id: int) -> bytes:
    """What is kept at one table, whose secret that is, of a user who was forgotten.

    Without the secret it says nothing, and no two tables have the same.
    """
    return hmac.digest(secret, f"sat/{user_id}".encode(), "sha256")


@dataclass(frozen=True, slots=True, kw_only=True)
class MotionRow:
    """What the people at a table are asked to agree to. Inside a session numbers count up from 1.

    - seat: whose answer is to be taken back, or which seat is to be given away.
    - ply: how many records the journal had when it was asked.
    - asked_by: the user who asks; user_id, name: who is to have the seat.
    - bars: whoever gives up the seat shall not come back by themselves.
    - voices: for each seat that has spoken, whether it agrees.
    """

    session: int
    number: int
    kind: MotionKind
    seat: int
    ply: int
    asked_by: int | None
    user_id: int | None = None
    name: str = ""
    bars: bool = False
    voices: Mapping[int, bool] = field(default_factory=dict[int, bool])
    state: MotionState = "open"
    made_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """A game with all that belongs to it; whatever session its rows name is replaced."""

    row: SessionRow
    seats: tuple[SeatRow, ...]
    entries: tuple[EntryRow, ...]
    sittings: tuple[SittingRow, ...]
    formers: tuple[FormerRow, ...]
    messages: tuple[MessageRow, ...]
    act: ActRow
    interaction: int
