"""How far a game has come, as everybody can tell: nothing in here depends on a secret answer.

A *move* is an answer of which the channel was told something. A ballot that is cast, changed and
cast anew is none, however often; the one that closes the vote is the move that its result belongs
to. Journals count answers instead, and whoever saw that number could tell who wavers.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import dataclass
from typing import Final

from bot.sessions.change import Change
from bot.sessions.memory import Memory
from bot.sessions.replaying import Play
from bot.store.rows import SeatRow
from engines.kernel.event import PUBLIC, Numbered
from engines.kernel.table import Entry

_SEEN: Final = {"status", "options", "pace", "host_id", "channel_id"}
"""What of a table everybody sees, besides seats and moves."""


@dataclass(frozen=True, slots=True)
class Moments:
    """The public past of a game: its events, and the answers (by number) that were moves.

    ``branches``: how often it was taken back; ``mark``: the name of the present moment;
    ``is_open``: whether something was answered since the last move, as to a secret question.
    """

    moves: tuple[int, ...]
    branches: int
    events: tuple[Numbered, ...]
    mark: str
    is_open: bool

    @property
    def points(self) -> int:
        """How many moves, counted from the beginning, can be the last that still stands."""
        return len(self.moves) if self.is_open else len(self.moves) - 1

    def keep(self, move: int) -> int:
        """How many answers still stand after so many moves."""
        return self.moves[move - 1] if move else 0


def moves_of(game: Play) -> tuple[int, ...]:
    """The answers that were moves, by their numbers, in order."""
    told = {e.ply for e in game.events if e.event.only is PUBLIC}
    return tuple(sorted(ply for ply in told if 0 < ply <= game.ply))


def moments_of(session: Memory) -> Moments:
    """The public past of the game in memory."""
    game = session.playing
    moves = moves_of(game)
    events = tuple(e for e in game.events if e.event.only is PUBLIC)
    since = game.ply > (moves[-1] if moves else 0)
    return Moments(moves, game.branch, events, mark_of(session), since)


def is_seen(session: Memory, change: Change) -> bool:
    """Whether everybody can tell that this change happened, when it did, and that it did."""
    return bool(
        change.tells
        or change.dropped
        or change.motions
        or change.fields.keys() & _SEEN
        or any(not isinstance(record, Entry) for record in change.records)
        or any(_card(row) != _card(session.seats.get(n)) for n, row in change.seats.items())
    )


def _card(row: SeatRow | None) -> object:
    """What everybody sees of a seat."""
    return row and (row.user_id, row.name, row.kind, row.away)


def mark_of(session: Memory) -> str:
    """A name for this moment of the game, the same only if all that was told is the same.

    It is made under the table's secret, so nobody can try out what would give it.
    """
    if session.game is None:
        return ""
    told = [[e.event.kind, e.event.data] for e in session.game.events if e.event.only is PUBLIC]
    text = json.dumps(told, separators=(",", ":"), sort_keys=True)
    moment = b"moment/" + hashlib.sha256(text.encode()).digest()
    return hmac.digest(session.row.secret, moment, "sha256").hex()[:12]
