"""A whole game as text: what was asked, answered, told and seen at each ply.

The text is written from a journal, so any way of choosing answers can make one. What a seat sees is
printed in full at ply 0 and afterwards as far as it changed, each line once for all who see it;
offers are printed whenever they have changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from engines.kernel.decision import CLOCK, Decision, Seat
from engines.kernel.event import PUBLIC, Numbered
from engines.kernel.game import Game
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.plain import leaves, line

GONE = object()


def playthrough_text(
    game: Game[Any, Any, Any], content: Any, header: Header, entries: Iterable[Entry]
) -> str:
    """The game that these entries tell, one block for each ply, ending with the outcome."""
    play = Playthrough(game, content, header)
    options = " ".join(f"{key}={value}" for key, value in header.options.items())
    lines = [f"{game.key}: {header.seats} seats, rules {header.rules}, {options}".rstrip(", ")]
    seats = (*range(header.seats), None)
    seen: list[dict[str, object]] = [{} for _ in seats]
    lines += block(play, play.events, seen)
    lines += decision_lines("offer", play.offers)
    for entry in entries:
        offers = play.offers
        lines += ["", answer_line(play.ply + 1, entry)]
        lines += block(play, play.replay_one(entry).events, seen)
        if play.offers != offers:
            lines += decision_lines("offer", play.offers) or ["  offer none"]
    lines += ["", f"outcome: {line(play.outcome)}", f"draws: {play.chance.calls}"]
    return "\n".join(lines) + "\n"


def answer_line(ply: int, entry: Entry) -> str:
    """Who answered what."""
    by = "" if entry.by == "player" else f" (by {entry.by})"
    branch = f" (branch {entry.branch})" if entry.branch else ""
    if entry.seat == CLOCK:
        return f"--- {ply}. the clock: {entry.kind} #{entry.question} ran out{branch}"
    said = "withdrawn" if entry.value is None else " ".join(entry.value) or "nothing"
    return f"--- {ply}. seat {entry.seat}: {entry.kind} #{entry.question} = {said}{by}{branch}"


def block(
    play: Playthrough[Any, Any, Any], events: Sequence[Numbered], seen: list[dict[str, object]]
) -> Iterator[str]:
    """The events, what changed in the views, and what is asked now; brings ``seen`` up to date."""
    for numbered in events:
        event = numbered.event
        only = "all" if event.only is PUBLIC else names(event.only)
        facts = " ".join(f"{name}={line(value)}" for name, value in event.data.items())
        yield f"  told  {only}: {event.kind} {facts}".rstrip()
    yield from sight_lines(play, seen)
    yield from decision_lines("asks ", play.asked)
    yield from decision_lines("waits", play.interrupted)
    for timer in play.timers:
        yield f"  sand  {timer.kind} #{timer.question}, {timer.seconds} s"


def sight_lines(play: Playthrough[Any, Any, Any], seen: list[dict[str, object]]) -> Iterator[str]:
    """One line for each changed fact, naming all who see it so; ``-`` is a spectator."""
    everybody = (*range(play.header.seats), None)
    changes: dict[tuple[str, str], list[int | None]] = {}
    for place, seat in enumerate(everybody):
        now = leaves(play.view(seat))
        for path in {**seen[place], **now}:
            before, after = seen[place].get(path, GONE), now.get(path, GONE)
            if before is GONE or after is GONE or line(before) != line(after):
                text = "(gone)" if after is GONE else line(after)
                changes.setdefault((path, text), []).append(seat)
        seen[place] = now
    for (path, text), seats in changes.items():
        who = "all" if len(seats) == len(everybody) else names(seats)
        yield f"  sees  {who}: {path} = {text}"


def decision_lines(verb: str, decisions: Iterable[Decision]) -> list[str]:
    """One line for each question, naming all seats that are asked it alike."""
    asked: dict[str, list[Seat]] = {}
    for decision in decisions:
        asked.setdefault(decision_text(decision), []).append(decision.seat)
    return [f"  {verb} {names(seats)}: {text}" for text, seats in asked.items()]


def decision_text(decision: Decision) -> str:
    """A decision on one line, without its seat."""
    shape = decision.shape
    amount = str(shape.least) if shape.least == shape.most else f"{shape.least}-{shape.most}"
    form = "" if (shape.least, shape.most) == (1, 1) else f" [{amount}]"
    form += f" [of {decision.distinct} kinds at least]" if shape.repeats else ""
    marks = "".join(
        f" {word}"
        for word, holds in (("secret", decision.secret), ("revisable", decision.revisable))
        if holds
    )
    now = "" if decision.current is None else f" (now: {' '.join(decision.current)})"
    number = f" #{decision.question}" if decision.question else ""
    about = f" {line(decision.about)}" if decision.about else ""
    options = " ".join(decision.keys())
    return f"{decision.kind}{number}{marks}{form}{about}: {options}{now}"


def names(seats: Sequence[int | None]) -> str:
    """Seats in a row."""
    return " ".join("-" if seat is None else str(seat) for seat in seats)
