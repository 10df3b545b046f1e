"""Does anybody see what is hidden from them? Works on every game that the kernel plays.

Each function returns a list of what it found, a line each; a test asserts that it is empty.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any

from engines.kernel.decision import Decision, Seat
from engines.kernel.event import Numbered
from engines.kernel.game import Agent, Game, GameOption, Outcome, Setting
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Table
from tests.plain import leaves, line, plain

Play = Playthrough[Any, Any, Any]

UNKNOWN = (None, "", "?", "unknown", [], {})
"""Values by which a view says that something is not for this seat to know."""


class Rigged:
    """A game whose state is changed after the deal and before the first question."""

    def __init__(self, game: Game[Any, Any, Any], change: Callable[[Any], None]) -> None:
        self.game = game
        self.change = change
        self.key: str = game.key
        self.rules_version: int = game.rules_version
        self.seats: range = game.seats
        self.options: tuple[GameOption, ...] = game.options
        self.agents: Mapping[str, Agent[Any]] = game.agents

    def setup(
        self, table: Table, content: Any, setting: Setting
    ) -> tuple[Any, Coroutine[Any, Any, Outcome]]:
        """The game's own set-up, then the change. Events of the set-up tell of the old deal."""
        state, rules = self.game.setup(table, content, setting)
        table.collect()
        self.change(state)
        return state, rules

    def view(self, state: Any, seat: Seat | None) -> Any:
        """The game's own view."""
        return self.game.view(state, seat)


def public_waiting(play: Play) -> list[object]:
    """What the channel may know about who is asked what."""
    known: list[object] = []
    for decision in play.waiting():
        asked: dict[str, object] = {"seat": decision.seat, "kind": decision.kind}
        if not decision.secret:
            asked |= {"options": plain(decision.options), "about": plain(decision.about)}
        known.append(asked)
    return known


def seen_by(play: Play, seat: Seat | None, events: Iterable[Numbered]) -> dict[str, object]:
    """All that reaches a seat (None: a spectator): view, events, prompts, the channel's news."""
    return {
        "view": plain(play.view(seat)),
        "events": [{e.event.kind: plain(e.event.data)} for e in events if e.event.is_for(seat)],
        "asked": plain(own_decisions(play.asked, seat)),
        "offers": plain(own_decisions(play.offers, seat)),
        "interrupted": plain(own_decisions(play.interrupted, seat)),
        "waiting": public_waiting(play),
        "timers": plain(play.timers),
    }


def differences(
    left: Play,
    right: Play,
    observers: Sequence[Seat | None],
    events: tuple[Iterable[Numbered], Iterable[Numbered]] | None = None,
) -> list[str]:
    """What observers see differently in two games that differ only in what is hidden from them.

    ``events`` limits the comparison to these of each game; otherwise all events count.
    """
    ours, theirs = events or (left.events, right.events)
    ours, theirs = tuple(ours), tuple(theirs)
    found: list[str] = []
    for seat in observers:
        a, b = leaves(seen_by(left, seat, ours)), leaves(seen_by(right, seat, theirs))
        found += [
            f"{who(seat)} sees {path}: {a.get(path)!r} or {b.get(path)!r}"
            for path in {**a, **b}
            if line(a.get(path, "(none)")) != line(b.get(path, "(none)"))
        ]
    return found


def canaries(
    play: Play, events: Iterable[Numbered], holders: Mapping[str, Sequence[Seat]]
) -> list[str]:
    """Hidden ids that reach someone else.

    ``holders`` names, for each hidden id, the seats that may know it now; ``events`` are those of
    the last step, since an id may have been open before.
    """
    events = tuple(events)
    found: list[str] = []
    for seat in (*range(play.header.seats), None):
        seen = line(seen_by(play, seat, events))
        for name, knowing in holders.items():
            whole = rf"(?<![a-z0-9_]){re.escape(name)}(?![a-z0-9_])"
            if seat not in knowing and re.search(whole, seen):
                found.append(f"{who(seat)} gets to see {name!r}, which is for {tuple(knowing)}")
    return found


def beyond_seats(
    play: Play, *, ignore: Sequence[str] = ("seat",), unknown: Sequence[object] = UNKNOWN
) -> list[str]:
    """What a spectator sees and some seat does not.

    ``ignore`` are paths that say whose view it is.
    """
    public = plain(play.view(None))
    return [
        f"spectators see {fault}, unlike {who(seat)}"
        for seat in range(play.header.seats)
        for fault in _beyond(public, plain(play.view(seat)), "", ignore, unknown)
    ]


def _beyond(
    public: object, own: object, path: str, ignore: Sequence[str], unknown: Sequence[object]
) -> list[str]:
    if path in ignore or public in unknown or public == own:
        return []
    if isinstance(public, dict) and isinstance(own, dict):
        pairs = [(str(name), item, own.get(name)) for name, item in public.items()]
    elif isinstance(public, list) and isinstance(own, list) and len(public) == len(own):
        pairs = [(str(n), a, b) for n, (a, b) in enumerate(zip(public, own, strict=True))]
    else:
        return [f"{path} = {public!r}"]
    return [
        fault
        for name, a, b in pairs
        for fault in _beyond(a, b, f"{path}.{name}" if path else name, ignore, unknown)
    ]


def own_decisions(decisions: Iterable[Decision], seat: Seat | None) -> list[Decision]:
    """Those of one seat."""
    return [decision for decision in decisions if decision.seat == seat]


def who(seat: Seat | None) -> str:
    """A seat in words."""
    return "a spectator" if seat is None else f"seat {seat}"
