"""How a game ended, found out from what all could see: for whoever checks a finished game.

The rules are not asked. Only public events are read, so that their tale and the outcome that the
rules gave can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engines.fear_of_the_dark.cards import Content
from engines.fear_of_the_dark.rules.set_up import HIDDEN
from engines.fear_of_the_dark.shuffles import check_shuffles
from engines.kernel.event import Event
from engines.kernel.game import Outcome, Setting

__all__ = ["HIDDEN", "check_shuffles", "outcome_of"]

_NOTHING: Final[Mapping[str, Any]] = {}


@dataclass(slots=True)
class _Tale:
    """What has been told so far. ``behind`` is the last danger, if it barred the way back."""

    deadly: bool = False
    difficulty: str = ""
    cards: int = 0
    matches: int = 0
    terrors: int = 0
    tiles: int = 0
    rooms: list[str] = field(default_factory=list[str])
    behind: str = ""
    endings: list[str] = field(default_factory=list[str])

    def hear(self, content: Content, kind: str, told: Mapping[str, Any]) -> None:
        """One more event."""
        match kind:
            case "awoke":
                self.difficulty, self.matches = told["difficulty"], told["matches"]
                self.deadly, self.tiles = told["deadly"], told["tiles"]
                self.cards = len(content.minds)
                self.rooms = ["A"]
            case "match_struck":
                self.matches -= 1
            case "match_gained":
                self.matches += 1
            case "card_given_up" | "card_lost":
                self.cards -= 1
            case "terror_kept":
                self.terrors += 1
                if self.deadly and self.terrors >= content.numbers.terrors:
                    self.endings.append("terror")
            case "tile_revealed":
                self.tiles -= 1
                self.behind = ""
            case "knocked_out":
                self.tiles += 1
            case "tile_placed":
                self.rooms.append(told["room"])
            case "danger_drawn":
                is_behind = told["triggered"] and told["danger"] in ("collapse", "locking")
                self.behind = told["danger"] if is_behind else ""
            case "echo_faded":
                self.rooms.remove(told["room"])
                if self.behind and self.deadly:
                    self.endings.append("dark_echo")
            case "went_out":
                if self.tiles == 0:
                    self.endings.append("escaped")
            case "maze_closed":
                self.endings.append("maze_closed")
            case _:
                pass


def outcome_of(content: Content, setting: Setting, events: Iterable[Event]) -> Outcome | None:
    """How the game ended that these public events tell; None if it is not over.

    ValueError if they contradict each other, KeyError or TypeError if they are no such events. That
    nothing was left to do (``trapped``) is told by the ending alone.
    """
    tale = _Tale()
    said: Mapping[str, Any] = _NOTHING
    for event in events:
        if said:
            raise ValueError(f"{event.kind} is told after the end")
        tale.hear(content, event.kind, event.data)
        if event.kind == "ended":
            said = event.data
    found = tale.endings or (["mind_lost"] if tale.cards == 0 else [])
    if not said:
        if found:
            raise ValueError(f"the events lead to {found[0]}, but tell of no end")
        return None
    if found not in ([said["ending"]], [] if said["ending"] == "trapped" else None):
        raise ValueError(f"the events lead to {found}, but tell of {said['ending']}")
    won = said["ending"] == "escaped"
    if said["won"] is not won:
        raise ValueError(f"{said['ending']} is told as {said['won']}")
    if tale.difficulty != setting.options["difficulty"]:
        raise ValueError(f"{tale.difficulty} is told, {setting.options['difficulty']} was chosen")
    facts = {
        "rooms": len(tale.rooms),
        "cards": tale.cards,
        "matches": tale.matches,
        "terrors": tale.terrors,
        "difficulty": tale.difficulty,
        "tale": said["tale"],
    }
    return Outcome(said["ending"], won, facts)
