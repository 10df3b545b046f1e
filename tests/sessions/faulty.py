"""Rules with a fault of their own, and a disk that is full, for tests."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from bot.store.protocol import StoreBusy
from tests.sessions.house import House
from tests.toy.senate import Senate


class Faulty(Senate):
    """A senate whose rules break when a law named by the test is proposed."""

    broken = True

    def setup(self, table: Any, content: Any, setting: Any) -> Any:
        state, rules = super().setup(table, content, setting)
        tell = table.tell

        def telling(kind: str, **data: Any) -> None:
            if kind == "proposed" and Faulty.broken:
                raise ZeroDivisionError("a fault in the rules")
            tell(kind, **data)

        table.tell = telling
        return state, rules


@contextlib.contextmanager
def full_disk(house: House) -> Iterator[None]:
    """No answer can be stored; what writes none still can."""
    real = house.store.commit

    async def full(write: Any) -> None:
        if write.entries:
            raise StoreBusy("the disk is full")
        await real(write)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(house.store, "commit", full)
        yield


@contextlib.contextmanager
def locked_up(house: House, *, reads: bool = True) -> Iterator[None]:
    """Somebody holds the database: nothing can be written, nor read if it locks ``reads`` out."""

    async def busy(*_: Any) -> None:
        raise StoreBusy("database is locked")

    with pytest.MonkeyPatch.context() as patch:
        for call in ("commit", "entries", "get_content")[: None if reads else 1]:
            patch.setattr(house.store, call, busy)
        yield
