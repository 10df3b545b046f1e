"""Which messages a table needs: the intentions that stand in the store before anything is sent.

Purposes: ``pledge`` (posted once and never changed); ``lobby``; ``table`` (its ``question`` is the
ply after which its page begins); ``ballot``, ``ping`` and ``reminder`` (their ``question`` is the
kernel's);
``notice`` (its ``question`` indexes NOTICES, its ``seat`` is the one it speaks of); ``motion`` (its
``question`` is the motion's number); ``closing``. Serials count up through all of a
session's messages.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from bot.sessions.change import Change
from bot.sessions.faces import Status
from bot.sessions.memory import Memory
from bot.store.rows import NO_SEAT, MessageRow
from engines.kernel.decision import Decision

UP: Final = ("post", "keep")
CALLS: Final = ("ping", "reminder")
"""Messages that call somebody, and go when they have done so."""

NOTICES: Final = (
    "crashed",
    "restored",
    "abandoned",
    "paused",
    "resumed",
    "rewound",
    "undone",
    "seat_computer",
    "seat_person",
    "ended",
    "moved",
    "missed",
    "missed_all",
    "away",
    "resting",
    "quiet",
    "expired",
    "gone",
    "letters_closed",
    "imported",
    "thread_shut",
    "pace",
    "stopped",
    "expired_stopped",
    "returned",
    "lost_moves",
    "thread_gone",
    "replaced",
    "taken",
    "host",
    "channel_gone",
    "thread_open",
    "quiet_thread",
    "expired_thread",
    "unreadable",
    "quiet_unreadable",
    "expired_unreadable",
    "other_rules",
    "quiet_other_rules",
    "expired_other_rules",
    "restored_part",
    "moved_part",
    "removed",
)
"""Their places in this row are what is stored: new ones come last."""

_OUTSIDE: Final = (
    "thread_shut",
    "thread_gone",
    "channel_gone",
    "quiet_thread",
    "expired_thread",
    "removed",
)

_SITTING: Final = ("gone", "taken", "replaced", "seat_computer", "seat_person")
"""Who sits at a seat: only the newest is of interest."""

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def mark_of(code: str, serial: int) -> str:
    """What stands at the foot of a message: the table's code and the message's serial."""
    digits = ""
    while serial or not digits:
        serial, digit = divmod(serial, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return f"{code}·{digits}"


def nonce_of(mark: str) -> str:
    """At most 25 characters; the same for the same message, whatever happens between."""
    return mark.replace("·", "-")


def is_told_outside(row: MessageRow) -> bool:
    """Whether a message goes elsewhere, since the table's place cannot be written in: into the
    channel of its thread, or into another one in which games are played.
    """
    return row.purpose == "notice" and NOTICES[row.question] in _OUTSIDE


def is_untold(session: Memory, row: MessageRow) -> bool:
    """Whether nobody has been told yet that the table has lost its place, and it still stands."""
    if row.want != "post" or not is_told_outside(row):
        return False
    has_ended = NOTICES[row.question] == "expired_thread" and session.status is Status.ABANDONED
    return has_ended or session.status in (Status.ORPHANED, Status.PAUSED)


def is_ballot(decision: Decision) -> bool:
    """A secret answer that may be changed until all are in."""
    return decision.secret and decision.revisable


def current(session: Memory, change: Change) -> Iterator[MessageRow]:
    """The session's messages as they will be after the change."""
    yield from {**session.messages, **change.messages}.values()


def add(
    session: Memory, change: Change, purpose: str, *, seat: int = NO_SEAT, question: int = 0
) -> MessageRow:
    """Intend one more message."""
    serial = 1 + max((row.serial for row in current(session, change)), default=0)
    row = MessageRow(
        session=session.id,
        purpose=purpose,
        seat=seat,
        serial=serial,
        channel_id=None,
        message_id=None,
        want="post",
        question=question,
        made_at=session.desk.time.epoch(),
    )
    change.messages[serial] = row
    return row


def retire(session: Memory, change: Change, row: MessageRow) -> None:
    """A message that has had its day: calls go, everything else loses its controls."""
    want = "delete" if row.purpose in CALLS else "close"
    change.messages[row.serial] = replace(row, want=want)


def live(session: Memory, change: Change | None = None) -> MessageRow | None:
    """The message that carries the table (or the lobby) at present."""
    rows = session.messages.values() if change is None else current(session, change)
    newest: MessageRow | None = None
    for row in rows:
        if row.purpose in ("table", "lobby", "closing") and row.want in UP:
            newest = row
    return newest


def turn_page(session: Memory, change: Change, *, after_ply: int) -> None:
    """A fresh table message; whatever carried the table before loses its controls."""
    for row in list(current(session, change)):
        if row.purpose in ("table", "lobby") and row.want in UP:
            retire(session, change, row)
    add(session, change, "table", question=after_ply)


def close_all(session: Memory, change: Change) -> None:
    """The table has ended: nothing keeps its controls but what is added afterwards."""
    for row in list(current(session, change)):
        if row.want in UP and row.purpose not in ("pledge", "notice", "closing"):
            retire(session, change, row)


def notice(session: Memory, change: Change, word: str, seat: int = NO_SEAT) -> None:
    """A short message to the table about the table itself, or about one of its seats.

    It takes the place of an older one that it makes untrue, so nobody can fill a channel with them.
    """
    for row in list(current(session, change)):
        if row.purpose == "notice" and row.want in UP and _is_stale(row, word, seat):
            change.messages[row.serial] = replace(row, want="delete")
    add(session, change, "notice", seat=seat, question=NOTICES.index(word))


def _is_stale(row: MessageRow, word: str, seat: int) -> bool:
    """Whether a notice is of who sat there, or who was the host, before this one."""
    old = NOTICES[row.question]
    if word == "host":
        return old == "host"
    return word in _SITTING and old in _SITTING and row.seat == seat


async def follow_decisions(session: Memory, change: Change) -> None:
    """Ballots go out to the people newly asked for one; what is no longer asked is taken back."""
    game = session.playing
    persons = {
        seat: row.user_id
        for seat, row in session.seats_after(change).items()
        if row.user_id and not row.away
    }
    asked = {(d.seat, d.question): d for d in (*game.asked, *game.interrupted)}
    for row in list(current(session, change)):
        if row.want not in UP or row.seat == NO_SEAT:
            continue
        decision = asked.get((row.seat, row.question))
        gone = decision is None or persons.get(row.seat) is None
        if (row.purpose == "ballot" and gone) or (
            row.purpose in CALLS and (gone or (decision and decision.current is not None))
        ):
            retire(session, change, row)
    have = {(row.seat, row.question) for row in current(session, change) if row.purpose == "ballot"}
    for (seat, question), decision in asked.items():
        user_id = persons.get(seat)
        if user_id is None or not is_ballot(decision) or (seat, question) in have:
            continue
        if await session.desk.sends_ballots(user_id, session.guild_id):
            add(session, change, "ballot", seat=seat, question=question)
    running = {timer.question for timer in game.timers}
    shared = {question for (_, question), decision in asked.items() if decision.shared}
    for row in list(current(session, change)):
        if row.purpose not in CALLS or row.seat != NO_SEAT or row.want not in UP:
            continue
        if row.question not in (running if row.purpose == "ping" else shared):
            retire(session, change, row)
