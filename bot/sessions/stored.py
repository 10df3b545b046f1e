"""What is stored of a table: its journal, and the content that it was begun with."""

from __future__ import annotations

import logging

from bot.sessions.memory import Memory
from bot.sessions.ports import Refusal
from bot.sessions.replaying import Broken
from bot.store.protocol import StoreBusy, StoreClosed, StoreError
from content.loader import load_dump
from engines.kernel.errors import JournalError
from engines.kernel.journal import Header, Record, load_header, load_record

log = logging.getLogger(__name__)


async def journal_of(session: Memory) -> tuple[Header, tuple[Record, ...]]:
    """The journal. Broken if it makes no sense, Refusal ``not_read`` if the disk is busy."""
    assert session.row.header is not None
    try:
        rows = await session.desk.store.entries(session.id)
        header = load_header(session.row.header)
        return header, tuple(load_record(row.record, n) for n, row in enumerate(rows, 1))
    except (JournalError, StoreError) as error:
        raise verdict(session, error) from error


async def content_of(session: Memory, header: Header) -> object:
    """The content. Broken if it is not to be had, Refusal ``not_read`` if the disk is busy."""
    digest, shipped = header.content, session.title.content
    if digest == shipped.digest:
        return shipped.rules
    try:
        body = await session.desk.store.get_content(digest)
    except StoreError as error:
        raise verdict(session, error) from error
    if body is None:
        raise Broken(-1, f"the content {digest[:12]} it was begun with is not stored")
    try:
        return load_dump(type(shipped.rules), body.decode())
    except ValueError as error:
        raise Broken(-1, f"the content {digest[:12]} no longer fits the rules") from error


def verdict(session: Memory, error: JournalError | StoreError) -> Broken | Refusal:
    """What it means to a table. If the disk is only busy, whatever comes next reads it again."""
    if not isinstance(error, (StoreBusy, StoreClosed)):
        return Broken(-1, str(error))
    log.warning("table %s: it could not be read: %s", session.code, error)
    return Refusal("not_read")
