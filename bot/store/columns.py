"""Rows to columns and back. JSON columns hold strict JSON, so what comes out equals what went in.

A tuple, a number as a key or a NaN would come back as something else: they are refused.
"""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, cast

from bot.store.protocol import BadWrite, JournalDamaged
from bot.store.rows import (
    ActRow,
    EntryRow,
    Json,
    MessageRow,
    MotionRow,
    SeatRow,
    SessionRow,
    TimerRow,
)

SESSION_COLUMNS = (
    "code",
    "game",
    "guild_id",
    "channel_id",
    "parent_id",
    "status",
    "host_id",
    "wish",
    "options",
    "secret",
    "header",
    "content_digest",
    "ply",
    "published_ply",
    "timers",
    "wake_at",
    "fingerprint",
    "outcome",
    "crash",
    "created_at",
    "started_at",
    "ended_at",
    "touched_at",
    "told_at",
)
SEAT_COLUMNS = ("session", "seat", "user_id", "name", "kind", "draft", "acted_at")
ENTRY_COLUMNS = ("session", "ply", "record", "interaction_id", "received_at", "sand")
MESSAGE_COLUMNS = (
    "session",
    "purpose",
    "seat",
    "serial",
    "channel_id",
    "message_id",
    "want",
    "question",
    "made_at",
)
MOTION_COLUMNS = (
    "session",
    "number",
    "kind",
    "seat",
    "ply",
    "asked_by",
    "user_id",
    "name",
    "voices",
    "state",
    "made_at",
)


def to_json(value: object, where: str) -> str | None:
    """Canonical JSON text, or None for None. Raises BadWrite naming the place that is not JSON."""
    if value is None:
        return None
    _check(value, where)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def _check(value: object, where: str) -> None:
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return
    if isinstance(value, float) and kind is float:
        if not math.isfinite(value):
            raise BadWrite(f"{where}: {value} is no JSON number")
    elif isinstance(value, list) and kind is list:
        for number, item in enumerate(cast("list[object]", value)):
            _check(item, f"{where}[{number}]")
    elif isinstance(value, dict) and kind is dict:
        for key, item in cast("dict[object, object]", value).items():
            if type(key) is not str:
                raise BadWrite(f"{where}: the key {key!r} would come back as text")
            _check(item, f"{where}.{key}")
    else:
        raise BadWrite(f"{where}: a {kind.__name__} does not survive JSON")


def session_value(column: str, value: object) -> object:
    """What to store in a session's column for a value of SessionRow's field of that name."""
    if column == "options":
        options = dict(cast("Mapping[object, object]", value))
        if not all(type(text) is str for pair in options.items() for text in pair):
            raise BadWrite("options: texts by texts only")
        return to_json(options, column)
    if column == "timers":
        timers = cast("tuple[TimerRow, ...]", value)
        listed = [{"question": t.question, "kind": t.kind, "left_ms": t.left_ms} for t in timers]
        return to_json(listed, column)
    if column in ("outcome", "crash"):
        return to_json(value, column)
    return value


def session_values(row: SessionRow) -> tuple[object, ...]:
    """In the order of SESSION_COLUMNS."""
    return tuple(session_value(column, getattr(row, column)) for column in SESSION_COLUMNS)


def seat_values(row: SeatRow) -> tuple[object, ...]:
    """In the order of SEAT_COLUMNS."""
    draft = to_json(row.draft, "draft")
    return (row.session, row.seat, row.user_id, row.name, row.kind, draft, row.acted_at)


def entry_values(row: EntryRow) -> tuple[object, ...]:
    """In the order of ENTRY_COLUMNS."""
    sand = to_json(row.sand, "sand")
    return (row.session, row.ply, row.record, row.interaction_id, row.received_at, sand)


def message_values(row: MessageRow) -> tuple[object, ...]:
    """In the order of MESSAGE_COLUMNS."""
    return tuple(getattr(row, column) for column in MESSAGE_COLUMNS)


def motion_values(row: MotionRow) -> tuple[object, ...]:
    """In the order of MOTION_COLUMNS."""
    voices = to_json({str(seat): agrees for seat, agrees in row.voices.items()}, "voices")
    return tuple(
        voices if column == "voices" else getattr(row, column) for column in MOTION_COLUMNS
    )


def _from_json(text: str | None, session: int, where: str) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except ValueError as error:
        raise JournalDamaged(session, f"{where} is not JSON ({error})") from error


def read_session(row: sqlite3.Row) -> SessionRow:
    """A row of session, all columns by name. Raises JournalDamaged if its JSON is broken."""
    number: int = row["id"]
    plain = {
        column: row[column]
        for column in SESSION_COLUMNS
        if column not in ("options", "timers", "outcome", "crash")
    }
    try:
        timers = tuple(
            TimerRow(timer["question"], timer["kind"], timer["left_ms"])
            for timer in _from_json(row["timers"], number, "timers")
        )
        options: dict[str, str] = dict(_from_json(row["options"], number, "options"))
    except (TypeError, KeyError, ValueError) as error:
        raise JournalDamaged(number, f"timers or options have another shape ({error!r})") from error
    outcome: Json = _from_json(row["outcome"], number, "outcome")
    crash: Json = _from_json(row["crash"], number, "crash")
    return SessionRow(
        id=number, options=options, timers=timers, outcome=outcome, crash=crash, **plain
    )


def read_seat(row: sqlite3.Row) -> SeatRow:
    """A row of seat, in the order of SEAT_COLUMNS."""
    session, seat, user_id, name, kind, draft, acted_at = row
    where = f"draft of seat {seat}"
    return SeatRow(session, seat, user_id, name, kind, _from_json(draft, session, where), acted_at)


def read_entry(row: Sequence[Any]) -> EntryRow:
    """A row of entry, in the order of ENTRY_COLUMNS."""
    session, ply, record, interaction, received_at, sand = row
    where = f"sand at ply {ply}"
    return EntryRow(
        session, ply, record, interaction, received_at, _from_json(sand, session, where)
    )


def read_message(row: sqlite3.Row) -> MessageRow:
    """A row of message, in the order of MESSAGE_COLUMNS."""
    return MessageRow(*row)


def read_motion(row: sqlite3.Row) -> MotionRow:
    """A row of motion, all columns by name."""
    session: int = row["session"]
    voices = _from_json(row["voices"], session, f"voices of motion {row['number']}")
    plain = {column: row[column] for column in MOTION_COLUMNS if column != "voices"}
    try:
        spoken = {int(seat): bool(agrees) for seat, agrees in voices.items()}
    except (AttributeError, ValueError) as error:
        raise JournalDamaged(session, f"voices have another shape ({error!r})") from error
    return MotionRow(voices=spoken, **plain)


def read_act(row: sqlite3.Row) -> ActRow:
    """A row of act with the users in place of the persons, all columns by name."""
    return ActRow(
        id=row["id"],
        guild_id=row["guild_id"],
        session=row["session"],
        code=row["code"],
        at=row["at"],
        what=row["what"],
        by=row["by_user"],
        about=row["about_user"],
        facts=_from_json(row["facts"], row["session"], f"facts of act {row['id']}"),
    )
