"""From a stored journal back to a game, and where that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from bot.titles import Title
from engines.kernel.errors import ReplayDiverged, RulesBug
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry

Play = Playthrough[Any, Any, Any]


_TOLD: Final = 600
"""So many characters of a reason are told: it may quote what a damaged record holds."""


FAULTS: Final = ("crashed", "unreadable", "other_rules")
"""The words for what a fault means to a table."""


class Broken(Exception):
    """A journal that these rules cannot play on; ``good`` entries of it can be (-1: none)."""

    @property
    def word(self) -> str:
        """What it means to a table, out of FAULTS."""
        return "crashed" if self.good >= 0 else "unreadable"

    def __init__(self, good: int, reason: str) -> None:
        self.good = good
        self.reason = reason if len(reason) <= _TOLD else f"{reason[: _TOLD - 1]}…"
        super().__init__(f"after {good} entries: {self.reason}")


class OtherRules(Broken):
    """A journal that is as it should be, and of other rules than these."""

    @property
    def word(self) -> str:
        return "other_rules"


def replayed(
    title: Title, content: object, header: Header, entries: Sequence[Entry], branch: int
) -> Play:
    """Play a journal and look at the result from every side. Broken where that fails."""
    if header.rules != title.game.rules_version or header.game != title.key:
        theirs, ours = f"{header.game} {header.rules}", f"{title.key} {title.game.rules_version}"
        raise OtherRules(-1, f"played under the rules {theirs}, these are {ours}")
    if header.seats not in title.game.seats:  # before it is set up: a billion seats fill memory
        raise Broken(-1, f"{title.key} is not for {header.seats}")
    good = 0
    try:
        game: Play = Playthrough(title.game, content, header)
        for good, entry in enumerate(entries):  # noqa: B007 - read when an entry fails
            game.replay_one(entry)
        good = len(entries)
        for seat in (None, *range(header.seats)):
            game.view(seat)
    except (Exception, RulesBug) as error:
        kind = "" if isinstance(error, ReplayDiverged) else f"{type(error).__name__}: "
        raise Broken(good, f"{kind}{error}") from error
    game.branch = branch
    return game


def as_json(value: object) -> Any:
    """Tuples as lists, the way in which the store hands JSON back."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value)
        return {name: as_json(item) for name, item in pairs.items()}
    if isinstance(value, (tuple, list)):
        return [as_json(item) for item in cast("Sequence[object]", value)]
    return value
