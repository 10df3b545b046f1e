"""Who is there: what every change means for absent players, and for when a table ends by itself.

Called for each change before it is written. Any click of theirs that counts brings a player back;
a table at which all people are away rests, and a table that rests, or a lobby, has its hour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from bot.sessions import letters, pace
from bot.sessions.change import Change
from bot.sessions.memory import Memory
from bot.store.rows import Pace, SeatRow


def follow(session: Memory, change: Change) -> None:
    """Put into a change what it means for those who are away, and for the table's hour."""
    status = change.fields.get("status", session.row.status)
    if status in ("running", "paused"):
        _keep_host(session, change)
    if status == "running":
        _welcome(session, change)
        _follow_rest(session, change)
    elif status == "lobby":
        if change.click is not None and (change.seats or change.dropped or change.fields):
            change.fields["expires_at"] = session.desk.time.epoch() + pace.LOBBY
    elif session.row.expires_at is not None and status != session.row.status:
        change.fields.setdefault("expires_at", None)


def _keep_host(session: Memory, change: Change) -> None:
    """Somebody who sits there is the host, and the table hears of a new one."""
    seats = session.seats_after(change)
    persons = {row.user_id for row in seats.values()} - {None}
    if persons and change.fields.get("host_id", session.host_id) not in persons:
        _pass_host_on(session, change)
    host = change.fields.get("host_id", session.host_id)
    if host is None or host == session.host_id:
        return
    for seat, row in seats.items():
        if row.user_id == host:
            letters.notice(session, change, "host", seat)


def _welcome(session: Memory, change: Change) -> None:
    if change.click is None:
        return
    for seat, row in session.seats_after(change).items():
        if row.user_id == change.click.user_id and (row.misses or row.away):
            change.seats[seat] = replace(row, misses=0, away=False)


def _follow_rest(session: Memory, change: Change) -> None:
    if "expires_at" in change.fields:
        return
    if not rests(session.seats_after(change)):
        goes_on = session.is_resting or session.row.status != "running"
        if session.row.expires_at is not None and (change.click or goes_on):
            change.fields["expires_at"] = None
    elif not session.is_resting or session.row.expires_at is None or "pace" in change.fields:
        chosen = cast("Pace", change.fields.get("pace", session.row.pace))
        last = pace.RESTS.get(chosen, pace.LAST_CALL)
        change.fields["expires_at"] = session.desk.time.epoch() + last
        letters.notice(session, change, "resting")


def rests(seats: Mapping[int, SeatRow]) -> bool:
    """Whether people sit there and all of them are away."""
    persons = [row for row in seats.values() if row.user_id is not None]
    return bool(persons) and all(row.away for row in persons)


def miss(session: Memory, change: Change, seat: int) -> bool:
    """A seat has let its time run out; whether that makes a computer player play for it."""
    row = session.seats_after(change)[seat]
    away = row.misses + 1 >= pace.MISSES
    change.seats[seat] = replace(row, misses=row.misses + 1, away=away)
    if away and row.user_id == change.fields.get("host_id", session.host_id):
        _pass_host_on(session, change)
    return away


def _pass_host_on(session: Memory, change: Change) -> None:
    """Somebody who still sits there is in charge from now on: one who is there, if anybody is.

    With nobody there a host who only is away keeps the role.
    """
    seats = session.seats_after(change)
    persons = [row for row in seats.values() if row.user_id is not None]
    old = [row for row in persons if row.user_id == session.host_id]
    heirs = [row for row in persons if not row.away] or old or persons
    change.fields["host_id"] = heirs[0].user_id if heirs else None


def silent_since(session: Memory) -> float:
    """When a person last did something here, in epoch seconds."""
    row = session.row
    acted = [one.acted_at for one in session.seats.values() if one.user_id and one.acted_at]
    return max([*acted, row.started_at or row.created_at])
