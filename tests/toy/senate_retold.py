"""How a game of the senate ended, found out from what all could see."""

from __future__ import annotations

from collections.abc import Iterable

from engines.kernel.event import Event
from engines.kernel.game import Outcome, Setting
from engines.kernel.redrawn import Redrawn
from tests.toy.senate import FAILURES, HIDDEN, LENGTHS, PROJECTS, Content

__all__ = ["HIDDEN", "check_shuffles", "outcome_of"]


def outcome_of(content: Content, setting: Setting, events: Iterable[Event]) -> Outcome | None:
    """How the game ended that these public events tell; None if it did not."""
    goal, rounds = LENGTHS[setting.options["length"]]
    built: dict[str, int] = dict.fromkeys(PROJECTS, 0)
    round_ = failed = chairs = 0
    for event in events:
        match event.kind, event.data:
            case "round_opened", {"round": int(number)}:
                round_ = number
            case "law_failed", {"failed": int(count)}:
                failed = count
            case "spent", {"on": [*projects]}:
                for project in projects:
                    built[str(project)] += 1
            case "omen_rolled", {"burnt": str(project)} if project and built[project]:
                built[project] -= 1
            case "chair_taken", _:
                chairs += 1
            case _:
                pass
    if failed == FAILURES:
        return Outcome("ruin", False, {"round": round_})
    if min(built.values()) >= goal:
        return Outcome("golden_age", True, {"round": round_})
    return Outcome("dissolved", False, {"built": sum(built.values())}) if chairs == rounds else None


def check_shuffles(
    content: Content, setting: Setting, events: Iterable[Event], chance: Redrawn
) -> int:
    """Nothing: both its shuffles stay closed."""
    return 0
