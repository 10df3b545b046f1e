"""Rows to columns and back. JSON columns hold strict JSON, so what comes out equals what went in.

A tuple, a number as a key or a NaN would come back as something else: they are refused.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import logging
import math
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast, get_args

from bot.store.protocol import BadWrite, JournalDamaged
from bot.store.rows import (
    ENDED,
    GARBLED,
    LIVE,
    PURPOSES,
    ActRow,
    ClockRow,
    EntryRow,
    Json,
    MessageRow,
    MotionRow,
    Pace,
    SeatRow,
    SessionRow,
    TimerRow,
    Want,
)

_log = logging.getLogger(__name__)

T = TypeVar("T")

_JSON = ("options", "timers", "outcome", "crash", "clocks")
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
    "pace",
    "clocks",
    "expires_at",
)
SEAT_COLUMNS = (
    "session",
    "seat",
    "user_id",
    "name",
    "kind",
    "draft",
    "acted_at",
    "misses",
    "away",
)
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
    "bars",
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
    if column == "clocks":
        clocks = cast("tuple[ClockRow, ...]", value)
        listed = [
            {
                "question": c.question,
                "seat": c.seat,
                "kind": c.kind,
                "left_ms": c.left_ms,
                "reminded": c.reminded,
            }
            for c in clocks
        ]
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
    plain = (row.session, row.seat, row.user_id, row.name, row.kind, draft, row.acted_at)
    return (*plain, row.misses, int(row.away))


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
    kept = {"voices": voices, "bars": int(row.bars)}
    return tuple(kept.get(column, getattr(row, column)) for column in MOTION_COLUMNS)


_SUBSTITUTE = "nightwatch.substitute"
codecs.register_error(_SUBSTITUTE, lambda error: ("\x1a", cast("UnicodeDecodeError", error).end))


def readable(text: bytes) -> str:
    """A text of the database, also if it is garbled: a row that cannot be decoded fails no query.

    What is no UTF-8 becomes U+001A. JSON has no such character, neither in a string nor beside
    one, so a record or a JSON column with it does not pass as sound.
    """
    return text.decode("utf-8", _SUBSTITUTE)


def _from_json(text: str | None, session: int, where: str) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise JournalDamaged(session, f"{where} is not JSON ({error})") from error


def read_session(row: sqlite3.Row) -> SessionRow:
    """A row of session, all columns by name.

    What is garbled comes back empty, and a table that has not ended as crashed, with the damage as
    the reason: so it stops alone, and a moderator can end it or bring it back.
    """
    number: int = row["id"]
    plain = {column: row[column] for column in SESSION_COLUMNS if column not in _JSON}
    faults: list[str] = []

    def opened(column: str, shape: Callable[[Any], T], instead: T) -> T:
        try:
            return shape(_from_json(row[column], number, column))
        except JournalDamaged as error:
            faults.append(error.reason)
        except (TypeError, KeyError, ValueError) as error:
            faults.append(f"{column} has another shape ({error!r})")
        return instead

    options = opened("options", _options, {})
    timers = opened("timers", _timers, ())
    outcome: Json = opened("outcome", _as_it_is, None)
    crash: Json = opened("crash", _as_it_is, None)
    if plain["status"] not in (*LIVE, *ENDED):
        faults.append(f"it has no status {plain['status']!r}")
        plain["status"] = "crashed"
    if plain["pace"] not in get_args(Pace):
        _log.error("session %s has no pace %r; it goes on without one", number, plain["pace"])
        plain["pace"] = "none"
    if faults:
        told = "; ".join(faults)
        is_live = plain["status"] in LIVE
        told += "; it stands still until a moderator ends it or brings it back" if is_live else ""
        _log.error("the data of session %s (%s) cannot be read: %s", number, row["code"], told)
        if is_live:
            plain["status"] = "crashed"
            crash = {"reference": row["code"], "ply": row["ply"], "what": told[:200]}
    clocks = _clocks(row["clocks"], number)
    return SessionRow(
        id=number,
        options=options,
        timers=timers,
        outcome=outcome,
        crash=crash,
        clocks=clocks,
        **plain,
    )


def _timers(listed: Any) -> tuple[TimerRow, ...]:
    return tuple(
        TimerRow(_whole(timer["question"]), _text(timer["kind"]), _whole(timer["left_ms"]))
        for timer in listed
    )


def _clocks(text: str | None, session: int) -> tuple[ClockRow, ...]:
    """Whoever's clock is garbled has all their time again; no game stops for that."""
    listed: Any = _or_nothing(text, session, "clocks")
    try:
        return tuple(
            ClockRow(
                _whole(c["question"]),
                _whole(c["seat"]),
                _text(c["kind"]),
                _whole(c["left_ms"]),
                bool(c["reminded"]),
            )
            for c in listed or ()
        )
    except (TypeError, KeyError) as error:
        _log.error("session %d: its clocks have another shape (%r)", session, error)
        return ()


def _options(listed: Any) -> dict[str, str]:
    return {_text(key): _text(value) for key, value in dict(listed).items()}


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no whole number")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"{value!r} is no text")
    return value


def _as_it_is(value: Json) -> Json:
    return value


def read_seat(row: sqlite3.Row) -> SeatRow:
    """A row of seat, in the order of SEAT_COLUMNS. A draft that is garbled has not been made."""
    session, seat, user_id, name, kind, draft, acted_at, misses, away = row
    marked = _or_nothing(draft, session, f"draft of seat {seat}")
    return SeatRow(session, seat, user_id, name, kind, marked, acted_at, misses, bool(away))


def read_entry(row: Sequence[Any]) -> EntryRow:
    """A row of entry, in the order of ENTRY_COLUMNS. No game is made of its sand."""
    session, ply, record, interaction, received_at, sand = row
    left = _or_nothing(sand, session, f"sand at ply {ply}")
    return EntryRow(session, ply, record, interaction, received_at, left)


def _or_nothing(text: str | None, session: int, where: str) -> Json:
    """For what a game can do without."""
    try:
        return _from_json(text, session, where)
    except JournalDamaged as error:
        _log.error("%s; it is left out", error)
        return None


def read_message(row: sqlite3.Row) -> MessageRow:
    """A row of message, in the order of MESSAGE_COLUMNS. One that is garbled is left alone."""
    found = MessageRow(*row)
    if found.purpose in PURPOSES and found.want in get_args(Want):
        return found
    told = "session %d: garbled message %d (purpose %r, %r); it is left as it is on Discord"
    _log.error(told, found.session, found.serial, found.purpose, found.want)
    return replace(found, want="done")


def read_motion(row: sqlite3.Row) -> MotionRow:
    """A row of motion, all columns by name.

    If its voices are garbled, nobody has spoken; and if it is open, it is too old to be settled, so
    that it lapses.
    """
    session: int = row["session"]
    where = f"voices of motion {row['number']}"
    voices: Any = _or_nothing(row["voices"], session, where)
    plain = {column: row[column] for column in MOTION_COLUMNS if column != "voices"}
    plain["bars"] = bool(plain["bars"])
    spoken: dict[int, bool] = {}
    try:
        spoken = {int(seat): bool(agrees) for seat, agrees in voices.items()}
    except (AttributeError, ValueError) as error:
        if voices is not None:
            _log.error("session %d: the %s have another shape (%r)", session, where, error)
        plain["made_at"] = 0.0
    return MotionRow(voices=spoken, **plain)


def read_act(row: sqlite3.Row) -> ActRow:
    """A row of act with the users in place of the persons, all columns by name.

    If its facts are garbled, what was done is GARBLED; the log goes on.
    """
    what, facts = row["what"], None
    with contextlib.suppress(JournalDamaged):
        facts = _from_json(row["facts"], row["session"], "facts")
    if not isinstance(facts, dict):
        told = "act %d of server %d (table %s, %r) cannot be read: its facts are %r; /session log"
        told += " shows a line without them, and nothing else hangs on it"
        _log.error(told, row["id"], row["guild_id"], row["code"], what, row["facts"][:80])
        what, facts = GARBLED, {}
    return ActRow(
        id=row["id"],
        guild_id=row["guild_id"],
        session=row["session"],
        code=row["code"],
        at=row["at"],
        what=what,
        by=row["by_user"],
        about=row["about_user"],
        facts=cast("dict[str, Json]", facts),
    )
