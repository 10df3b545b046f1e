"""What a position is worth: how far it is to the next unknown room, and what lies on the way.

Everything is counted in mind cards: a Move card is worth about one, two steps about a half. The
figures are those that won most often, not rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from engines.fear_of_the_dark.agents.ground import DARK_HOLE, FAR, STEP, Ground, Tolls
from engines.fear_of_the_dark.maze import ITEMS, SECRETS, Maze
from engines.fear_of_the_dark.view import SeatView

MOVE, PLAIN, TIPTOE = 4, 2, 2
"""Steps, as the player aid has them."""

STRUCK, LIT = 3, 5
"""Cards in a hand built by a match alone, and by the action."""

OUT: Final = 100.0
"""What the exit is worth."""

FRESH: Final = 0.6
"""How far it will be from the entrance of a room that nobody has seen to its next door."""

ONWARD: Final = 0.12
"""What a step left over behind a door is worth: half of the rooms are dangerous."""

RISK: Final = 1.5
"""What walking into an unknown room costs: Knockouts, Terrors, lost steps and a lost hand."""

DEADLY: Final = 0.5
"""What more it costs where a dark echo can be the end, or two Terrors."""

LAST_TERROR: Final = 2.5
"""What more it costs when one more Terror is the end."""

GIVEN: Final = 1.2
"""What a card is worth that is given up for good, beyond what it does in the hand."""

FULL: Final = 6
"""With fewer cards than that each hand to come will be smaller for each card that is gone."""

SMALLER: Final = 0.7
"""What such a card is worth to each match."""

LAST: Final = 50.0
"""The last card is not given up but for the exit."""

ITEM: Final[Mapping[str, float]] = {"match": 3.0, "scrap": 1.8, "key": 0.3, "lever": 0.3}
BOX: Final = ("match", "match", "match", "scrap", "scrap", "scrap", "key", "key", "lever")
"""What each item is worth, and how many of each are in the box."""

SECRET: Final = 0.8
"""What a secret is worth: a third of them are maps."""

EXPLORING: Final = 1.2
"""What it costs to explore: a card of the hand, and whatever that hand will not reach."""

WET: Final = 0.6
"""What each card of the hand is worth that is lost in the leaking room."""

FOOLISH: Final = 9.0
"""What keeps from an act that is possible and of no use now."""

FURTHER: Final = 0.001
"""So much nearer somewhere, and the Lost is further on."""

STRANDED: Final = 7.0
"""A way that costs so much cannot be gone as things stand."""


@dataclass(slots=True)
class Outlook:
    """The table, valued. ``hand`` are the actions of the cards that could still be played.

    ``home`` is the way from each field out of an unused door, ``extra`` what a find is worth less
    the detour to it, and ``beside`` what is found next to a field. None of them asks what is in the
    hand: whoever comes nearer with one hand has come nearer with every other.
    """

    view: SeatView
    hand: list[str]
    ground: Ground
    home: dict[str, float] = field(default_factory=dict[str, float])
    extra: dict[str, float] = field(default_factory=dict[str, float])
    beside: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def lit(self) -> bool:
        """Whether there is a hand to play from."""
        return bool(self.hand)

    # Cards

    @property
    def minds(self) -> int:
        """The cards that are not gone."""
        return len(self.view.hand) + len(self.view.deck)

    def gain(self) -> int:
        """How many cards more Light a match builds than a match alone."""
        return min(LIT, self.minds) - min(STRUCK, self.minds)

    def keep(self, action: str) -> float:
        """What a hand card of that kind is worth if it is not played for steps."""
        match action:
            case "move":
                return 0.95
            case "light":
                return 0.44 + (self.gain() if self.view.matches else 0)
            case "scout":
                return 0.9 if self.view.tiles_left else 0.42
            case "explore":
                return 0.5 if self.extra else 0.43
            case "tiptoe":
                return 0.46
            case _:
                return 0.45

    def given(self) -> float:
        """What it costs to give up a card for good."""
        if self.minds == 1:
            return LAST
        return GIVEN + (SMALLER * self.view.matches if self.minds < FULL else 0.0)

    def least(self, actions: list[str]) -> str:
        """The kind that will be missed least."""
        return min(actions, key=self.keep)

    def without(self, action: str) -> Outlook:
        """The same, with that card played."""
        hand = list(self.hand)
        hand.remove(action)
        return replace(self, hand=hand)

    # Dangers

    def risk(self) -> float:
        """What it costs to walk into a room that has not been looked into."""
        view = self.view
        risk = RISK + DEADLY * view.deadly
        if view.deadly and view.terrors + 1 >= view.most_terrors:
            risk += LAST_TERROR
        return risk

    def looking(self) -> float:
        """What the next room costs once its door has been reached."""
        walking = self.risk() + FRESH
        if "scout" in self.hand:
            return min(walking, self.keep("scout") + STEP + FRESH - 0.4)
        return walking

    # Places

    def on(self, place: str) -> float:
        """How far on the Lost is there, with a door or a find before it."""
        return self.extra.get(place, 0.0) - self.home.get(place, FAR)

    def at(self, place: str) -> float:
        """What it is worth to stand on that field."""
        return self.on(place) + (-self.looking() if self.view.tiles_left else OUT)

    def bonus(self, place: str) -> float:
        """What can be found by a detour from there, less the detour."""
        return self.extra.get(place, 0.0)

    def through(self, place: str, left: int) -> float:
        """What it is worth to walk out of the door at that field, with so many steps left."""
        if not self.view.tiles_left:
            return 2 * OUT
        behind = max(0.0, self.bonus(place) - 2 * STEP)
        return left * ONWARD + behind - self.risk() - FRESH


def outlook(view: SeatView, *, spent: str = "") -> Outlook:
    """The table as it is; ``spent`` is an action whose card is being paid."""
    hand = [] if view.leaking else [card.action for card in view.hand]
    if spent in hand:
        hand.remove(spent)
    found = Outlook(view, hand, Ground(view.maze, tolls(view)))
    found.home = found.ground.home()
    for worth, less, goals in _finds(found):
        for place in goals:
            found.beside[place] = max(worth, found.beside.get(place, 0.0))
        if worth <= less:
            continue
        here = found.home.get(view.lost, FAR)
        for place, far in found.ground.costs(goals, worth + here + STEP * MOVE).items():
            more = worth - less - far + found.home.get(place, FAR)
            if more > found.extra.get(place, 0.0):
                found.extra[place] = more
    return found


def has_light(view: SeatView) -> bool:
    """Whether there is a match, or one to come."""
    return bool(view.matches or any(item.kind == "match" for item in view.kept))


def tolls(view: SeatView) -> Tolls:
    """What is in the way, by what there is against it in the hands to come."""
    light = has_light(view)
    dry = light or (view.hand and not view.leaking)
    return Tolls(
        hole=0.6 if light else DARK_HOLE,
        obstruction=1.0 if light else 2.0,
        lock=0.3 if any(item.kind == "key" for item in view.kept) else 12.0,
        leak=1.5 if dry else 0.1,
    )


def way_home(view: SeatView, maze: Maze) -> float:
    """What it costs to get out of an unused door in another maze, with every lock shut."""
    ground = Ground(maze, replace(tolls(view), lock=12.0))
    return ground.home().get(view.lost, FAR)


def worth_of_item(view: SeatView, location: int, *, stranded: bool) -> float:
    """What the next item there is likely to be worth."""
    place = view.locations[location - 1]
    known = [item.kind for item in place.known]
    kinds = known[-1:] or BOX
    return sum(_worth(view, kind, stranded=stranded) for kind in kinds) / len(kinds)


def _worth(view: SeatView, kind: str, *, stranded: bool) -> float:
    kept = sum(item.kind == "match" for item in view.kept)
    if kind == "match":
        worth = ITEM["match"] if view.matches + kept < view.most_matches else 0.5
    elif kind == "scrap":
        worth = ITEM["scrap"] if has_light(view) or view.hand else 0.3
    else:
        worth = ITEM[kind]
    return worth * 3 if stranded else worth


def _finds(outlook: Outlook) -> Iterator[tuple[float, float, dict[str, float]]]:
    """For each item or secret: its worth, what it costs, and the fields beside it."""
    view, ground = outlook.view, outlook.ground
    stranded = outlook.home.get(view.lost, FAR) > STRANDED
    price = EXPLORING if outlook.lit or has_light(view) else outlook.given()
    for room in ground.maze.rooms.values():
        for number, mark in enumerate(room.fields, 1):
            place = f"{room.letter}{number}"
            if mark not in ITEMS + SECRETS or place in ground.maze.tokens:
                continue
            worth = worth_of(outlook, mark, stranded=stranded)
            if worth <= 0:
                continue
            goals = {
                other: outlook.home[other]
                for other in ground.beside[place]
                if other not in ground.maze.tokens and other in outlook.home
            }
            if goals:
                yield worth, price, goals


def worth_of(outlook: Outlook, mark: str, *, stranded: bool) -> float:
    """What exploring a field with that mark is likely to give; nothing if nothing is left."""
    view = outlook.view
    if mark in ITEMS:
        number = ITEMS.index(mark) + 1
        left = view.locations[number - 1].items
        return worth_of_item(view, number, stranded=stranded) if left else 0.0
    if mark not in SECRETS:
        return 0.0
    left = view.locations[SECRETS.index(mark)].secrets
    light = outlook.lit or has_light(view)
    return SECRET if left and light and view.tiles_left else 0.0
