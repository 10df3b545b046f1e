"""`verify`: check a finished game's public record, one line a check.

Nothing is taken from a running bot: dice, their place in the game and its outcome are worked out
once more from the file, by the recipe in engines/kernel/chance.py.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from bot import titles
from bot.counted import counted
from bot.sessions.pledge import key_of
from bot.sessions.record import digest_of, outcome_fields
from bot.titles import Retold, Title
from bot.tools import files
from bot.tools.errors import UsageError
from bot.tools.public_records import Drawn, Head, Malformed, PublicRecord, plain, read
from engines.kernel.chance import Draw
from engines.kernel.event import Event
from engines.kernel.game import Setting
from engines.kernel.redrawn import Redrawn

T = TypeVar("T")

_SPAN: Final = 1 << 64
_EPOCH: Final = 1_420_070_400_000
"""Milliseconds from 1970 to the beginning of Discord's ids."""


class Fault(Exception):
    """A check that does not hold; the message says where."""


@dataclass(frozen=True, slots=True)
class Case:
    """A record under examination; ``folder`` is where older content may lie beside it."""

    record: PublicRecord
    raw: dict[str, Any]
    folder: Path
    pledge: str | None
    title: Title | None

    def retold(self) -> tuple[Title, Retold]:
        """The game, and what it is checked with. Fault if this release has none of it."""
        header, title = self.record.header, self.title
        if title is None:
            raise Fault(f"there is no game {header.game!r}")
        if header.rules != title.game.rules_version:
            ours = title.game.rules_version
            raise Fault(f"played under rules version {header.rules}; these are version {ours}")
        if title.retold is None:
            raise Fault(f"{title.key} cannot be retold")
        return title, title.retold


def run(path: Path, pledge: str | None = None) -> int:
    """Print one line for each check; 0 only if all hold.

    ``pledge`` is the hash as it stands in the channel, for comparison with the file's.
    """
    try:
        record, raw = read(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror})") from error
    except Malformed as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 1
    game = record.header.game
    title = titles.load(game) if game in titles.KEYS else None
    good = True
    for name, holds, told in checked(Case(record, raw, path.parent, pledge, title)):
        good = good and holds
        print(f"{'ok  ' if holds else 'FAIL'}  {name}: {told}")
    return 0 if good else 1


def checked(case: Case) -> Iterator[tuple[str, bool, str]]:
    """Each check with its name, whether it holds, and what there is to say."""
    for name, check in CHECKS.items():
        try:
            yield name, True, plain(check(case), 5000)
        except Fault as fault:
            yield name, False, plain(str(fault))


def _whole(case: Case) -> str:
    if case.record.digest != digest_of(case.raw):
        raise Fault("the file has been changed since it was made")
    return f"the file is as it was made, digest {case.record.digest}"


def _commitment(case: Case) -> str:
    header = case.record.header
    found = hashlib.sha256(bytes.fromhex(header.secret)).hexdigest()
    if found != header.pledge:
        raise Fault(f"the secret's hash is {found}, not {header.pledge}")
    if case.pledge is not None and case.pledge.strip().lower() != found:
        raise Fault(f"the secret's hash is {found}, not the one that you have given")
    compared = "the one you have given" if case.pledge else "compare it with the one in the channel"
    return f"the secret's hash is {found}, {compared}"


def _draws(case: Case) -> str:
    header = case.record.header
    known = case.retold()[1].HIDDEN
    key = key_of(bytes.fromhex(header.secret), header.start)
    counts: Counter[str] = Counter()
    branch = 0
    for number, draw in enumerate(case.record.ledger, 1):
        counts[draw.purpose] += 1
        place = f"draw {number} ({draw.purpose} {draw.k})"
        if draw.k != counts[draw.purpose]:
            raise Fault(f"{place} should be number {counts[draw.purpose]} of its purpose")
        if not branch <= draw.branch <= header.branches:
            raise Fault(f"{place} cannot be of branch {draw.branch}")
        branch = draw.branch
        if (draw.purpose in known) != bool(draw.hidden) or bool(draw.hidden) == (
            draw.result is not None
        ):
            raise Fault(f"{place} is {'hidden' if draw.hidden else 'open'}, and must not be")
        if not draw.hidden and draw.result != drawn(key, draw):
            raise Fault(f"{place} gave {drawn(key, draw)}, not {draw.result}")
    hidden = sum(bool(draw.hidden) for draw in case.record.ledger)
    again = f"; moves were taken back {header.branches} x" if header.branches else ""
    listed = [one.branch for one in case.record.taken_back]
    if listed and listed != list(range(1, header.branches + 1)):
        raise Fault(f"the branches {listed} are listed, but there should be {header.branches}")
    places = [f"{one.branch} after move {one.after} ({one.by})" for one in case.record.taken_back]
    again += f" (branch {', '.join(places)})" if places else ""
    return (
        f"{len(case.record.ledger) - hidden} worked out again from the secret and the click on"
        f" Start ({header.start}, {_moment(header.start)}); {hidden} stay closed{again}"
    )


def _moment(start: str) -> str:
    """When a click was made, which its id tells."""
    seconds = ((int(start) >> 22) + _EPOCH) / 1000
    return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%Y-%m-%d %H:%M:%S} UTC"


def drawn(key: bytes, draw: Drawn) -> int:
    """What that draw gives under the game's key, by the recipe in engines/kernel/chance.py."""
    if draw.branch:
        key = hmac.digest(key, f"branch/{draw.branch}".encode(), "sha256")
    attempt = 0
    while True:
        text = f"{draw.purpose}/{draw.k}/{attempt}".encode()
        x = int.from_bytes(hmac.digest(key, text, "sha256")[:8], "big")
        if x < _SPAN - _SPAN % draw.n:
            return x % draw.n
        attempt += 1


def _order(case: Case) -> str:
    before = 0
    for place, event in enumerate(case.record.events):
        if event.n != place:
            raise Fault(f"event {place} is numbered {event.n}")
        if event.draws < before:
            raise Fault(f"event {place} ({event.kind}) comes too late")
        before = event.draws
    if before > len(case.record.ledger):
        raise Fault(f"draws made: {before}, draws listed: {len(case.record.ledger)}")
    return f"{counted(len(case.record.events), 'event')} in order"


def _dice(case: Case) -> str:
    """A die is told right after it was rolled, or once more before the next one is."""
    ledger = case.record.ledger
    told, latest, count = 0, Counter[object](), 0
    for event in case.record.events:
        dice = list(dice_in(event.data))
        if not dice:
            continue
        if not all(die is None or type(die) is int for die in dice):
            raise Fault(f"event {event.n} ({event.kind}) tells dice that are none")
        first = event.draws - len(dice)
        last = ledger[max(first, 0) : event.draws]
        since = [draw for draw in ledger[told : event.draws] if not draw.hidden]
        shown = [None if draw.result is None else draw.result + 1 for draw in last]
        if first >= told and shown == dice and len({draw.purpose for draw in last}) == 1:
            told, latest, count = event.draws, Counter(dice), count + len(dice)
        elif since or Counter(dice) - latest:
            rolled = ", ".join(map(str, shown)) or "nothing"
            shows = ", ".join(map(str, dice))
            raise Fault(f"event {event.n} ({event.kind}) tells {shows}; rolled was {rolled}")
    return f"{counted(count, 'die', 'dice')} told as rolled"


def dice_in(data: object) -> Iterator[object]:
    """Every value under ``die`` or ``dice``, however deep, in the order told."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name == "die":
                yield value
            elif name == "dice" and isinstance(value, list):
                yield from value
            else:
                yield from dice_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from dice_in(value)


def _shuffles(case: Case) -> str:
    """Cards, tiles and lots that were told are those that the ledger has."""
    draws = [
        Draw(one.purpose, one.k, one.n, one.result, one.branch)
        for one in case.record.ledger
        if one.result is not None
    ]
    chance = Redrawn(draws)
    count = _asked(
        case, lambda retold, *told: retold.check_shuffles(told[0], told[1], told[2], chance)
    )
    return f"what was shuffled and drawn for them, as told by {counted(count, 'event')}"


def _asked(case: Case, ask: Callable[[Retold, Any, Setting, list[Event]], T]) -> T:
    """What the game's own module finds in the events. Fault if it finds fault."""
    header = case.record.header
    title, retold = case.retold()
    content = _content(title, header, case.folder)
    events = [Event(event.kind, event.data) for event in case.record.events]
    try:
        return ask(retold, content, Setting(header.seats, header.options), events)
    except ValueError as error:
        raise Fault(str(error)) from error
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise Fault(f"the events are not those of a game ({type(error).__name__})") from error


def _outcome(case: Case) -> str:
    told = case.record.outcome
    found = _asked(case, lambda retold, *told: retold.outcome_of(*told))
    if outcome_fields(found) != (told and told.model_dump()):
        ends = "no end" if found is None else found.ending
        raise Fault(f"the events lead to {ends}, not to {told.ending if told else 'no end'}")
    if found is None:
        return "the game was ended without a result"
    return f"{found.ending} ({'won' if found.won else 'lost'}), as the events tell"


def _content(title: Title, header: Head, folder: Path) -> Any:
    try:
        content = files.content_for(title, header.content, folder)
    except ValidationError as error:
        raise Fault("the content kept beside the file is of another version") from error
    if content is None:
        raise Fault(
            f"its content {header.content[:16]} is neither today's nor kept beside the file"
        )
    return content


CHECKS: Final[dict[str, Callable[[Case], str]]] = {
    "file": _whole,
    "commitment": _commitment,
    "draws": _draws,
    "events": _order,
    "dice": _dice,
    "shuffles": _shuffles,
    "outcome": _outcome,
}
"""By name, in the order in which they are told."""
