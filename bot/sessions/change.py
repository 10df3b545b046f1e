"""One atomic change to a session, while it is put together."""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.sessions.ports import Click
from bot.store.rows import ActRow, MessageRow, MotionRow, SeatRow, SittingRow
from engines.kernel.journal import Record


@dataclass(slots=True)
class Change:
    """What one transaction will write, and what memory takes over once it is durable.

    ``records`` are for the journal, in order. ``click`` is counted, so that the same click
    delivered twice changes nothing the second time. ``sittings`` go by user, ``motions`` by number.
    ``tells``: an answer among the records is a move, see moves.py.
    """

    click: Click | None = None
    fields: dict[str, object] = field(default_factory=dict[str, object])
    seats: dict[int, SeatRow] = field(default_factory=dict[int, SeatRow])
    dropped: list[int] = field(default_factory=list[int])
    tells: bool = False
    messages: dict[int, MessageRow] = field(default_factory=dict[int, MessageRow])
    records: list[Record] = field(default_factory=list[Record])
    acts: list[ActRow] = field(default_factory=list[ActRow])
    sittings: dict[int, SittingRow] = field(default_factory=dict[int, SittingRow])
    motions: dict[int, MotionRow] = field(default_factory=dict[int, MotionRow])

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to write."""
        game = self.fields or self.seats or self.dropped or self.messages or self.records
        return not (game or self.acts or self.sittings or self.motions)
