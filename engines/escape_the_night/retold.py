"""How a night ended, found out from what all could see: for whoever checks a finished game.

The rules are not asked. Only public events are read, so that their tale and the outcome that the
rules gave can be held against each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engines.escape_the_night.cards import Content
from engines.escape_the_night.reckoning import Reckoning
from engines.escape_the_night.rules.set_up import HIDDEN
from engines.escape_the_night.rules.titles import honours
from engines.escape_the_night.shuffles import check_shuffles
from engines.kernel.event import Event
from engines.kernel.game import Outcome, Setting

__all__ = ["HIDDEN", "check_shuffles", "outcome_of"]


@dataclass(slots=True)
class _Guest:
    owner: int
    order: int
    space: str | None = None
    alive: bool = True
    slain: int = 0
    solved: int = 0


@dataclass(slots=True)
class _Tale:
    """What has been told so far. ``sand``: the hourglass stands on the table.

    ``closed``: it was told that the night ended. When the sand ran out, or the last turn that was
    left was over, only that tells.
    """

    seats: int
    guests: dict[str, _Guest] = field(default_factory=dict[str, _Guest])
    round: int = 0
    mantle: int = 0
    actions_left: int | None = None
    sand: bool = False
    closed: bool = False

    def hear(self, kind: str, told: Mapping[str, Any]) -> None:
        """One more event."""
        guest = self.guests.get(str(told.get("character")))
        match kind:
            case "dealt":
                for place, name in enumerate(told["characters"]):
                    order = place * self.seats + told["seat"]
                    self.guests[name] = _Guest(told["seat"], order)
            case "round_began":
                self.round = told["round"]
            case "artifact_recovered":
                self.mantle += 1
            case "budget_set":
                self.actions_left = told["actions"]
            case "action_spent":
                self.actions_left = told["left"]
            case "hourglass_turned":
                self.sand = True
            case "night_ended":
                self.closed = True
            case _ if guest is not None:
                self._follow(kind, guest, told)
            case _:
                pass

    def _follow(self, kind: str, guest: _Guest, told: Mapping[str, Any]) -> None:
        match kind:
            case "walked" | "placed":
                guest.space = told["space"]
            case "sent_outside":
                guest.space = None
            case "traded_places":
                other = self.guests[told["other_character"]]
                guest.space, other.space = other.space, guest.space
            case "died":
                guest.alive, guest.space = False, None
            case "raised":
                guest.alive = True
            case "monster_defeated":
                guest.slain += 1
            case "clue_solved":
                guest.solved += 1
            case _:
                pass


_HONOUR: Final = "title_awarded"


def outcome_of(content: Content, setting: Setting, events: Iterable[Event]) -> Outcome | None:
    """How the night ended that these public events tell; None if it is not over.

    ValueError if they contradict each other, KeyError or TypeError if they are no such events.
    """
    tale, sums = _Tale(setting.seats), Reckoning(content, setting)
    said: list[tuple[str, bool, int]] = []
    awarded: dict[str, list[int]] = {}
    for event in events:
        told: Mapping[str, Any] = event.data
        sums.hear(event.kind, told)
        tale.hear(event.kind, told)
        if event.kind == "night_ended":
            said.append((told["ending"], told["won"], told["round"]))
        elif event.kind == _HONOUR:
            awarded[told["title"]] = list(told["seats"])
    outcome = _ending(content, tale)
    if outcome is None:
        if said:
            raise ValueError(f"the events lead to no end, but tell of {said}")
        return None
    if said != [(outcome.ending, outcome.won, tale.round)]:
        raise ValueError(f"the events lead to {outcome.ending}, but tell of {said}")
    if awarded != outcome.facts["titles"]:
        raise ValueError(f"the titles {outcome.facts['titles']} are due, but told are {awarded}")
    return outcome


def _ending(content: Content, tale: _Tale) -> Outcome | None:
    guests = dict(sorted(tale.guests.items(), key=lambda pair: pair[1].order))
    living = [name for name, guest in guests.items() if guest.alive]
    home = [name for name in living if guests[name].space in content.board.ritual]
    titles: dict[str, list[int]] = {}
    won = False
    if not living:
        ending = "all_dead"
    elif tale.mantle == len(content.artifacts) and home == living:
        ending, won = "escaped", True
        titles = honours(
            {name: guest.slain for name, guest in guests.items()},
            {name: guest.solved for name, guest in guests.items()},
            {name: guest.owner for name, guest in guests.items()},
        )
    elif not tale.closed:
        return None
    elif tale.actions_left == 0:
        ending = "budget_spent"
    elif tale.sand:
        ending = "daylight_lost"
    else:
        return None
    facts = {"round": tale.round, "artifacts": tale.mantle, "survivors": living, "titles": titles}
    return Outcome(ending, won, facts)
