"""What to do with a hand: every order of playing its cards in the maze that is known.

A plan ends where the Lost stands further on than now, scouts, explores or goes through a door;
walks that lead to none of these are not weighed at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engines.fear_of_the_dark.agents.ground import FAR, STEP
from engines.fear_of_the_dark.agents.outlook import (
    FRESH,
    FURTHER,
    MOVE,
    PLAIN,
    TIPTOE,
    WET,
    Outlook,
    outlook,
)

Cards = tuple[str, ...]

MISSING: Final = 0.44
"""What it takes from a find that no card for it is in the hand."""


@dataclass(frozen=True, slots=True)
class First:
    """How a plan begins: the act, the field or door it goes to, and the card that pays."""

    act: str
    target: str
    spent: str


Places = dict[str, First | None]
"""Where the Lost can be with the same cards left, and how that begins; None: not begun yet."""


@dataclass(slots=True)
class Plan:
    """The best found so far."""

    now: Outlook
    only: str
    first: First | None = None
    value: float = -FAR
    _cleared: dict[str, Outlook] = field(default_factory=dict[str, Outlook])

    def search(self) -> None:
        """Play the hand in every order that makes a difference, one card after another."""
        reached: dict[tuple[Cards, str], Places] = {
            (tuple(self.now.hand), ""): {self.now.view.lost: None}
        }
        self._cleared[""] = self.now
        while reached:
            layer, reached = reached, {}
            for (hand, cleared), places in layer.items():
                look = replace(self._cleared[cleared], hand=list(hand))
                self._stop(look, places, self._price(hand))
                for card in dict.fromkeys(hand):
                    rest = list(hand)
                    rest.remove(card)
                    after = replace(look, hand=rest)
                    for name, others in self._play(after, places, card, cleared).items():
                        key = (tuple(rest), name)
                        reached[key] = others | reached.get(key, {})

    def _price(self, hand: Cards | list[str]) -> float:
        keep = self.now.keep
        return sum(keep(card) for card in self.now.hand) - sum(keep(card) for card in hand)

    def _note(self, value: float, first: First | None) -> None:
        if first is not None and value > self.value and (not self.only or first.act == self.only):
            self.value, self.first = value, first

    # Ends

    def _stop(self, look: Outlook, places: Places, price: float) -> None:
        """What it is worth to stop there, to scout or to explore."""
        view, hand = look.view, look.hand
        looking = look.looking() if view.tiles_left else 0.0
        here = self.now.on(self.now.view.lost) + FURTHER
        scouting = "scout" in hand and view.tiles_left > 0
        exploring = "explore" in hand
        for place, first in places.items():
            on, bonus = look.on(place), look.bonus(place)
            if on > here:
                missing = 0.0 if exploring else min(bonus, MISSING)
                self._note(look.at(place) - missing - price, first)
            if scouting and place in look.ground.doors:
                begun = first or First("play.scout", "", "scout")
                left = max(0.0, bonus - STEP)
                self._note(left - FRESH - STEP - look.keep("scout") - price, begun)
            if exploring and place in look.beside:
                begun = first or First("play.explore", "", "explore")
                found = look.beside[place] - bonus - looking
                self._note(on + found - look.keep("explore") - price, begun)

    # Cards

    def _play(
        self, after: Outlook, places: Places, card: str, cleared: str
    ) -> Mapping[str, Places]:
        """Where one can be when that card is played, by the tokens that are cleared then."""
        found: dict[str, Places] = {}
        if card == "move":
            found[cleared] = self._walk(after, places, First("play.move", "", card), MOVE)
        elif card != "light" or not self.now.view.matches or not self.now.view.tiles_left:
            found[cleared] = self._walk(after, places, First("two_steps", "", card), PLAIN)
        if card == "tiptoe":
            found[cleared] |= self._walk(after, places, First("play.tiptoe", "", card), TIPTOE)
        if card == "clear":
            found |= self._clear(after, places, cleared)
        return found

    def _walk(self, after: Outlook, places: Places, by: First, steps: int) -> Places:
        """The fields that are new; doors and water on the way are ends."""
        ground = after.ground
        price = self._price(after.hand)
        here = self.now.on(self.now.view.lost) + FURTHER
        tiptoe = by.act == "play.tiptoe"
        begins = None in places.values()
        found: Places = {}
        begun = dict(places)
        edge = list(places)
        for count in range(steps):
            reached: list[str] = []
            for place in edge:
                first = begun[place]
                if place in ground.doors and not ground.leaks(place):
                    out = replace(by, target=ground.doors[place][0]) if begins else first
                    self._note(after.through(place, steps - count - 1) - price, out)
                for other in ground.beside[place]:
                    if other in begun or not ground.can_enter(other, tiptoe=tiptoe):
                        continue
                    reached.append(other)
                    begun[other] = replace(by, target=other) if begins else first
                    if not ground.leaks(other):
                        found[other] = begun[other]
                    elif after.on(other) > here:
                        wet = WET * len(after.hand)
                        self._note(after.at(other) - wet - price, begun[other])
            edge = reached
        return found

    def _clear(self, after: Outlook, places: Places, cleared: str) -> dict[str, Places]:
        """Standing beside an obstruction, with it gone."""
        found: dict[str, Places] = {}
        for place, first in places.items():
            for token in after.ground.beside[place]:
                if after.view.maze.tokens.get(token) != "obstruction":
                    continue
                name = cleared + token
                begun = first or First("play.clear", token, "clear")
                found.setdefault(name, {})[place] = begun
                if name not in self._cleared:
                    maze = after.view.maze.without_token(token)
                    self._cleared[name] = outlook(replace(after.view, maze=maze))
        return found


def best_plan(now: Outlook, only: str = "") -> Plan:
    """The best way to play the hand; of those that begin with the act ``only``, if it is given."""
    plan = Plan(now, only)
    plan.search()
    return plan
