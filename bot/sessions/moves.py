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

from bot.sessions.memory import Memory
from bot.sessions.replaying import Play
from engines.kernel.event import PUBLIC, Numbered


@dataclass(frozen=True, slots=True)
class Moments:
    """The public past of a game: its events, and the answers (by number) that were moves.

    ``branches``: how often it was taken back; ``mark``: the name of the present moment. ``open``:
    whether something was answered since the last move, as to a secret question; ``returns``:
    whether the last that happened is a rewind, which can be taken back itself.
    """

    moves: tuple[int, ...]
    branches: int
    events: tuple[Numbered, ...]
    mark: str
    open: bool
    returns: bool = False

    @property
    def points(self) -> int:
        """How many moves, counted from the beginning, can be the last that still stands."""
        return len(self.moves) if self.open else len(self.moves) - 1

    def keep(self, move: int) -> int:
        """How many answers still stand after so many moves."""
        return self.moves[move - 1] if move else 0


def moves_of(game: Play) -> tuple[int, ...]:
    """The answers that were moves, by their numbers, in order."""
    told = {e.ply for e in game.events if e.event.only is PUBLIC}
    return tuple(sorted(ply for ply in told if 0 < ply <= game.ply))


def moments_of(session: Memory, *, returns: bool = False) -> Moments:
    """The public past of the game in memory."""
    game = session.playing
    moves = moves_of(game)
    events = tuple(e for e in game.events if e.event.only is PUBLIC)
    since = game.ply > (moves[-1] if moves else 0)
    return Moments(moves, game.branch, events, mark_of(session), since, returns)


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
