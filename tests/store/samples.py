"""Rows for the tests of the store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bot.store.db import SqliteStore
from bot.store.protocol import Write
from bot.store.rows import EntryRow, MessageRow, SeatRow, SessionRow, Status, Want

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ROOT = Path(__file__).parents[2]


def code(number: int) -> str:
    """A code of its own for each number."""
    digits = ""
    for _ in range(6):
        digits = _ALPHABET[number % 32] + digits
        number //= 32
    return digits


def table(channel: int, status: Status = "running", **more: object) -> SessionRow:
    """A session whose code follows from its channel."""
    fields: dict[str, object] = {
        "code": code(channel),
        "game": "senate",
        "guild_id": 7,
        "channel_id": channel,
        "status": status,
        "secret": bytes(range(32)),
        "created_at": 1000.0,
        "touched_at": 1000.0,
    }
    return SessionRow(**(fields | more))  # type: ignore[arg-type]


def seat(session: int, number: int, user: int | None) -> SeatRow:
    """A person's seat, or a computer player's if there is no user."""
    return SeatRow(session, number, user, f"Name {user}", "person" if user else "computer")


def message(session: int, serial: int = 0, want: Want = "post", **more: object) -> MessageRow:
    """An intention to post a table message."""
    fields: dict[str, object] = {
        "session": session,
        "purpose": "table",
        "seat": -1,
        "serial": serial,
        "channel_id": None,
        "message_id": None,
        "want": want,
        "question": 3,
        "made_at": 1000.0 + serial,
    }
    return MessageRow(**(fields | more))  # type: ignore[arg-type]


def step(session: int, ply: int, interaction: int | None = None) -> Write:
    """One more record, with the click that made it."""
    record = f'{{"session":{session},"ply":{ply}}}'
    at = None if interaction is None else 1001.0 + ply
    return Write(
        session=session,
        expected_ply=ply,
        entries=(EntryRow(session, ply, record, interaction, at),),
        at=1001.0 + ply,
    )


async def length(store: SqliteStore, session: int) -> int:
    """How long a journal is on the disk, after a check that all of it is there."""
    return len(await store.entries(session))


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    """A real process that runs `script` in this project."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *(str(argument) for argument in arguments)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
