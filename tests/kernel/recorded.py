"""Recorded games of every title, and what each moment of them was, down to the order of a dict.

``python -m tests.kernel.recorded FILE`` replays the recordings in a file; it ends with 1 and one
line for each game that went another way. A process of another hash seed, or of another Python, has
to end with 0.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any

from bot import titles
from bot.titles import Title
from engines.kernel.chance import Chance
from engines.kernel.journal import Header, dump_header, dump_record, load_header, load_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry, Table
from tests.driving import one_step

Play = Playthrough[Any, Any, Any]

CONSTANT = ("content", "plan")
"""The fields of a state that do not change in a game; they are the same object for all games."""


@cache
def title(key: str) -> Title:
    """The game with its own content."""
    return titles.load(key)


def of_state(state: Any) -> str:
    """A state, with everything in the order in which it is met."""
    return "|".join(
        f"{one.name}={getattr(state, one.name)!r}"
        for one in fields(state)
        if one.name not in CONSTANT
    )


class Watched(Playthrough[Any, Any, Any]):
    """A playthrough that hashes the whole state after each event and what is asked at each ply."""

    def __init__(self, of: Title, header: Header) -> None:
        self.moments: list[str] = []
        self._chain = ""
        super().__init__(of.game, of.content.rules, header)
        self.note()

    def watch(self) -> None:
        """From now on."""
        table: Table = self._table
        tell = table.tell

        def told(kind: str, /, **data: Any) -> None:
            tell(kind, **data)
            self._add(f"{kind} {of_state(self._state)}")

        table.tell = told

    def note(self) -> None:
        """The end of a ply."""
        seats = (None, *range(self.header.seats))
        shown = [self.view(seat) for seat in seats] if self.ply % 10 == 0 or self.outcome else []
        self._add(
            f"{of_state(self._state)} {self.asked!r} {self.offers!r} {self.timers!r}"
            f" {self.interrupted!r} {self.outcome!r} {self.events[-1:]!r} {self.chance.calls}"
            f" {shown!r}"
        )
        self.moments.append(self._chain)

    def _add(self, text: str) -> None:
        self._chain = hashlib.sha256(f"{self._chain}{text}".encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Recording:
    """A journal, and a hash of each moment: the set-up, then after each entry."""

    header: str
    records: tuple[str, ...]
    moments: tuple[str, ...]


def record(key: str, number: int, kind: type[Watched] = Watched, *, plies: int = 3000) -> Recording:
    """The game of that number: by number, other seats, options, computer players and dice.

    ``kind`` is what looks at its moments; it ends after ``plies`` if it has not ended before.
    """
    game = title(key).game
    rng = Chance(hashlib.sha256(f"{key}/{number}".encode()).digest())
    options = {one.key: rng.pick("option", one.values) for one in game.options}
    seats = rng.pick("seats", game.seats)
    dice = f"{rng.below('key', 2**63):064x}"
    header = Header(
        key, game.rules_version, title(key).content.digest, dice, seats, options, str(number)
    )
    agent = game.agents[("sensible", "random")[number % 2]]
    play = kind(title(key), load_header(dump_header(header)))
    play.watch()
    while play.outcome is None and play.ply < plies:
        one_step(play, agent, rng)
        play.note()
    return Recording(
        dump_header(header), tuple(map(dump_record, play.entries)), tuple(play.moments)
    )


def replayed(recording: Recording) -> tuple[str, ...]:
    """The moments of the game that the recording's journal tells."""
    header = load_header(recording.header)
    play = Watched(title(header.game), header)
    play.watch()
    for place, text in enumerate(recording.records, 1):
        entry = load_record(text, place)
        assert isinstance(entry, Entry)
        play.replay_one(entry)
        play.note()
    return tuple(play.moments)


def other_ways(recordings: Sequence[Recording]) -> Iterator[str]:
    """A line for each recording that is not replayed moment for moment."""
    for number, recording in enumerate(recordings):
        found = replayed(recording)
        if found != recording.moments:
            pairs = zip(found, recording.moments, strict=True)
            ply = next(place for place, (one, other) in enumerate(pairs) if one != other)
            yield f"game {number} ({recording.header[:60]}) goes another way at ply {ply}"


def write(path: Path, recordings: Sequence[Recording]) -> None:
    """Keep recordings in a file."""
    told = [[one.header, one.records, one.moments] for one in recordings]
    path.write_text(json.dumps(told), encoding="utf-8")


def read(path: Path) -> list[Recording]:
    """The recordings of a file."""
    told = json.loads(path.read_text(encoding="utf-8"))
    return [Recording(header, tuple(records), tuple(moments)) for header, records, moments in told]


if __name__ == "__main__":
    wrong = list(other_ways(read(Path(sys.argv[1]))))
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))
