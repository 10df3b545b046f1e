"""The store as the rest of the bot sees it: one protocol, one value for a change, the errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bot.store.rows import (
    ActRow,
    Arrival,
    EntryRow,
    FormerRow,
    Json,
    MessageRow,
    MotionRow,
    PreferenceRow,
    SeatRow,
    ServerRow,
    SessionRow,
    SittingRow,
)

# The columns of a session that a Write may set. The ply is not among them: it only moves with
# entries. Code, game, server and secret stay as they were when the lobby opened.
SESSION_FIELDS = frozenset(
    {
        "channel_id",
        "parent_id",
        "status",
        "host_id",
        "wish",
        "options",
        "header",
        "content_digest",
        "published_ply",
        "timers",
        "wake_at",
        "fingerprint",
        "outcome",
        "crash",
        "started_at",
        "ended_at",
        "touched_at",
        "told_at",
        "pace",
        "clocks",
        "expires_at",
    }
)


class StoreError(Exception):
    """Anything the store refuses or cannot do. Nothing of the refused change was written."""


class WrongPly(StoreError):
    """The journal is not as long as the writer believes; `actual` is its length on the disk."""

    def __init__(self, session: int, expected: int, actual: int) -> None:
        super().__init__(f"session {session}: expected ply {expected}, but the disk has {actual}")
        self.session = session
        self.expected = expected
        self.actual = actual


class AlreadyCounted(StoreError):
    """The interaction has been counted before: Discord has delivered the same click twice."""

    def __init__(self, interaction: int) -> None:
        super().__init__(f"interaction {interaction} has been counted already")
        self.interaction = interaction


class ChannelTaken(StoreError):
    """Another session holds the channel."""

    def __init__(self, session_id: int) -> None:
        super().__init__(f"session {session_id} holds this channel")
        self.session_id = session_id


class CodeTaken(StoreError):
    """Another session has this code: make a new one and try again."""


class SeatTaken(StoreError):
    """The user sits at this table already, in seat `seat`."""

    def __init__(self, session: int, seat: int) -> None:
        super().__init__(f"session {session}: that user has seat {seat} already")
        self.session = session
        self.seat = seat


class UnknownSession(StoreError):
    """No session has this id."""


class JournalDamaged(StoreError):
    """One session's rows do not make sense. That session must stop; nothing has been deleted."""

    def __init__(self, session: int, reason: str) -> None:
        super().__init__(f"session {session}: {reason}")
        self.session = session
        self.reason = reason


class BadWrite(StoreError):
    """The change breaks a rule of the schema: a bug of the caller."""


class StoreBusy(StoreError):
    """Locked by somebody else, or the disk is full: nothing was written, try again later."""


class StoreClosed(StoreError):
    """The store has been closed; nothing was written."""


class StoreUnusable(StoreError):
    """The data cannot be opened. The text is one line for the operator: what, where, what to do."""


class StoreInUse(StoreUnusable):
    """Another process works with this data."""


class StoreDamaged(StoreUnusable):
    """The file is not a sound database of ours. It has not been changed."""


class StoreForeign(StoreDamaged):
    """The database of another program. It has not been changed."""


class StoreTooNew(StoreUnusable):
    """The database was written by a newer program. It has not been changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """One atomic change to one session.

    - expected_ply: how long the journal is before this change; needed if there are entries, which
      must go on from there without a gap. Afterwards it is expected_ply + len(entries).
    - fields: session columns to set (SESSION_FIELDS), with the types they have in SessionRow.
    - seats: rows to put in place of the ones with these numbers (people may swap seats in one
      change); drop_seats: seats to empty.
    - messages: intentions to write, whole rows.
    - posted: messages that have been sent. Only their ids are stored, and `post` becomes `keep`;
      anything else that has come to be wanted meanwhile (close, delete) stays wanted.
    - acts: to be added to the log of acts; sittings: to be noted, in place of what was noted of the
      same people; motions: whole rows, in place of the ones with the same numbers.
    - interaction: the click that made the change, which is then counted; an entry's own
      interaction_id is counted too.
    - at: when; becomes touched_at unless fields has one. Needed with an interaction.

    Raises ValueError at once if the parts do not fit together.
    """

    session: int
    expected_ply: int | None = None
    entries: tuple[EntryRow, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict[str, object])
    seats: tuple[SeatRow, ...] = ()
    drop_seats: tuple[int, ...] = ()
    messages: tuple[MessageRow, ...] = ()
    posted: tuple[MessageRow, ...] = ()
    acts: tuple[ActRow, ...] = ()
    sittings: tuple[SittingRow, ...] = ()
    motions: tuple[MotionRow, ...] = ()
    interaction: int | None = None
    at: float | None = None

    def __post_init__(self) -> None:
        unknown = sorted(set(self.fields) - SESSION_FIELDS)
        if unknown:
            raise ValueError(f"a write may not set {', '.join(unknown)}")
        if self.entries:
            if self.expected_ply is None:
                raise ValueError("entries need an expected ply")
            plies = [entry.ply for entry in self.entries]
            if plies != list(range(self.expected_ply, self.expected_ply + len(plies))):
                raise ValueError(f"plies {plies} do not go on from {self.expected_ply}")
        moderated = (*self.acts, *self.sittings, *self.motions)
        rows = (*self.entries, *self.seats, *self.messages, *self.posted, *moderated)
        if any(row.session != self.session for row in rows):
            raise ValueError(f"a row of another session in a write to session {self.session}")
        numbers = [row.seat for row in self.seats]
        if len(set(numbers)) != len(numbers) or set(numbers) & set(self.drop_seats):
            raise ValueError("a seat occurs twice")
        if any(row.message_id is None or row.channel_id is None for row in self.posted):
            raise ValueError("a posted message needs its ids")
        if self.interaction is not None and self.at is None:
            raise ValueError("an interaction needs its time")
        if any(e.interaction_id is not None and e.received_at is None for e in self.entries):
            raise ValueError("an entry with an interaction needs its time")


class Store(Protocol):
    """Everything that must outlive the process.

    A method that writes returns when the change is durable, or raises a StoreError and has changed
    nothing. A caller that is cancelled while waiting does not take the change back.
    """

    @property
    def newest_lost(self) -> bool:
        """Whether the last run was cut off and its newest changes may be gone."""
        ...

    async def commit(self, write: Write) -> None:
        """Make one change. Raises WrongPly, AlreadyCounted, ChannelTaken, SeatTaken, StoreBusy."""
        ...

    async def open_session(
        self,
        row: SessionRow,
        seats: tuple[SeatRow, ...] = (),
        messages: tuple[MessageRow, ...] = (),
        interaction: int | None = None,
    ) -> int:
        """Store a new session and return its id, which replaces whatever session its rows name.

        Raises ChannelTaken, CodeTaken, AlreadyCounted, StoreBusy.
        """
        ...

    async def session(self, session_id: int) -> SessionRow | None: ...

    async def session_by_code(self, code: str) -> SessionRow | None:
        """The session with this code, in whatever case and with O, I, L read as digits."""
        ...

    async def live_sessions(self) -> tuple[SessionRow, ...]:
        """All that have not ended, the next to wake first. A garbled one comes as crashed."""
        ...

    async def sessions_of_channel(
        self, channel_id: int, *, live: bool = True
    ) -> tuple[SessionRow, ...]:
        """Sessions in this channel or called for in it, newest first."""
        ...

    async def sessions_of_user(self, user_id: int, *, live: bool = True) -> tuple[SessionRow, ...]:
        """Sessions in which the user sits or which they host, newest first."""
        ...

    async def finished(
        self, guild_id: int, limit: int = 25, offset: int = 0
    ) -> tuple[SessionRow, ...]:
        """Games that were played in a server and are over (also abandoned ones), latest first."""
        ...

    async def seats(self, session_id: int) -> tuple[SeatRow, ...]:
        """In seat order."""
        ...

    async def entries(self, session_id: int) -> tuple[EntryRow, ...]:
        """The journal in order. Raises JournalDamaged when records are missing."""
        ...

    async def set_aside(self, session_id: int, ply: int, at: float) -> int:
        """Take the records from `ply` on out of a journal; how many there were. `at`: the time now.

        For a journal whose end cannot be read, or is missing: it goes on at `ply`, and what was
        taken out is kept apart from it. Raises UnknownSession; BadWrite if `ply` is beyond its end
        or a record before it is missing.
        """
        ...

    async def messages(self, session_id: int) -> tuple[MessageRow, ...]:
        """All intentions of a session, the oldest first."""
        ...

    async def open_messages(self) -> tuple[MessageRow, ...]:
        """Intentions of all sessions that still need doing (post, close, delete), oldest first."""
        ...

    async def acts(
        self, guild_id: int, session_id: int | None = None, limit: int = 25, offset: int = 0
    ) -> tuple[ActRow, ...]:
        """What was done to a server's tables, or to one of them, the newest first."""
        ...

    async def sittings(self, session_id: int) -> tuple[SittingRow, ...]:
        """Everybody who has sat at a table since its game began."""
        ...

    async def formers(self, session_id: int) -> tuple[FormerRow, ...]:
        """The marks of those who have sat at a table and were forgotten since."""
        ...

    async def motions(self, session_id: int) -> tuple[MotionRow, ...]:
        """All that a table was asked to agree to, the oldest first."""
        ...

    async def was_counted(self, interaction: int) -> bool: ...

    async def purge_interactions(self, before: float) -> int:
        """Forget interaction ids counted before that moment; how many there were."""
        ...

    async def put_content(self, digest: str, game: str, body: bytes) -> None:
        """Keep the content that games are played with; the same digest twice is no error."""
        ...

    async def get_content(self, digest: str) -> bytes | None: ...

    async def preference(self, user_id: int) -> PreferenceRow:
        """What the user has chosen, or the defaults."""
        ...

    async def set_preference(self, row: PreferenceRow) -> None: ...

    async def setting(self, key: str) -> str | None: ...

    async def set_setting(self, key: str, value: str | None) -> None:
        """None removes the setting."""
        ...

    async def server(self, guild_id: int) -> ServerRow:
        """What a server has chosen; nothing if it is new."""
        ...

    async def set_server(self, guild_id: int, settings: Mapping[str, Json], act: ActRow) -> None:
        """Replace what a server has chosen, and add to the log of acts who did it."""
        ...

    async def note_act(self, act: ActRow) -> None:
        """Add to the log of acts what changes no table."""
        ...

    async def known_servers(self) -> Mapping[int, float | None]:
        """Every server with data, and since when the bot is not there any more."""
        ...

    async def mark_servers(self, left: tuple[int, ...], back: tuple[int, ...], at: float) -> None:
        """Note that the bot was removed from servers, or is back; an earlier removal stays."""
        ...

    async def erase_server(self, guild_id: int, before: float) -> tuple[int, ...]:
        """Remove all of a server that the bot has left before that moment; the sessions in it."""
        ...

    async def purge_games(self, before: float, at: float, limit: int) -> tuple[int, ...]:
        """Remove up to `limit` games that ended before that moment; which they were."""
        ...

    async def newest(self) -> float:
        """When anything was last written down; 0 in an empty store."""
        ...

    async def is_gone(self, code: str) -> bool:
        """Whether a game of that code has ended here and was removed."""
        ...

    async def about(self, user_id: int) -> dict[str, Json]:
        """All that is stored about a user, by kind, as strict JSON."""
        ...

    async def bring_in(self, arrival: Arrival) -> int:
        """Store a whole game at once; its number. Raises what open_session raises."""
        ...

    async def forget(self, user_id: int, name: str) -> tuple[int, ...]:
        """Remove every trace of a user; their seats go to computer players called `name`.

        Only a mark stays at each table that may go on, see rows.mark_of.

        Returns the sessions in which they sat or which they hosted, for those in memory to follow.
        """
        ...

    async def backup(self, path: Path) -> None:
        """Write a sound copy of the data to `path`, while the game goes on.

        Everything acknowledged before the call is in it. Raises StoreBusy, leaving no half copy.
        """
        ...

    async def close(self) -> None:
        """Finish what has been begun, refuse what comes after. May be called twice."""
        ...
