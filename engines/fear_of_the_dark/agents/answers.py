"""An answer to every question: of what is possible, what is worth most."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engines.fear_of_the_dark.agents.ground import FAR, STEP, Ground
from engines.fear_of_the_dark.agents.outlook import (
    FOOLISH,
    FRESH,
    GIVEN,
    MOVE,
    PLAIN,
    STRANDED,
    TIPTOE,
    WET,
    Outlook,
    outlook,
    tolls,
    worth_of,
)
from engines.fear_of_the_dark.maze import (
    FACING,
    HOLE,
    PRINTED,
    Lie,
    Maze,
    Room,
    door_field,
    door_of,
)
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.decision import Decision, Option

BACK: Final = "back"


def answer(view: SeatView, decision: Decision) -> tuple[str, ...]:
    """The keys chosen. ``back`` is never among them: what is begun is carried through."""
    options = tuple(option for option in decision.options if option.key != BACK)
    decision = replace(decision, options=options)
    match decision.kind:
        case "act":
            return (act(view, decision),)
        case "walk" | "go_on":
            return (walk(view, decision),)
        case "build":
            return build(view, decision)
        case "rotate":
            return (rotate(view, decision),)
        case "plain_card" | "give_up" | "lose_card":
            return (card(view, decision),)
        case "confirm_match":
            return ("yes",)
        case "explore":
            return (explore(view, decision),)
        case "clear" | "unlock" | "lever":
            return (free_way(view, decision),)
        case "secret_door":
            return (secret_door(view, decision),)
        case "map":
            return (follow_map(view, decision),)
        case _:
            return decision.keys()[: max(decision.shape.least, decision.distinct)]


# What now


def act(view: SeatView, decision: Decision) -> str:
    """The act after which the Lost stands best, less what it costs."""
    keys = decision.keys()
    free = free_act(view, keys)
    if free:
        return free
    now = outlook(view)
    return max(keys, key=lambda key: worth_of_act(now, key))


def free_act(view: SeatView, keys: tuple[str, ...]) -> str:
    """A kept item whose time has come: a match at once, paper with the last card, a useful key."""
    if "use.match" in keys:
        return "use.match"
    if "use.scrap" in keys and len(view.hand) == 1:
        return "use.scrap"
    if "use.key" in keys:
        now = outlook(view)
        locks = [p for p in now.ground.beside[view.lost] if view.maze.tokens.get(p) == "lock"]
        without = view.maze.without_token
        if any(_home(view, without(place)) + STEP < _locked_home(view) for place in locks):
            return "use.key"
    return ""


def _home(view: SeatView, maze: Maze) -> float:
    ground = Ground(maze, replace(tolls(view), lock=12.0))
    return ground.home().get(view.lost, FAR)


def _locked_home(view: SeatView) -> float:
    return _home(view, view.maze)


def worth_of_act(now: Outlook, key: str) -> float:
    """What the table is worth after it."""
    view = now.view
    here = view.lost
    way, _, action = key.partition(".")
    match key:
        case "strike":
            return now.at(here) + (1.0 if not now.lit else -FOOLISH)
        case "use.key" | "use.scrap" | "use.match":
            return now.at(here) - FOOLISH
        case "two_steps":
            spent = now.least(now.hand)
            return best_walk(now.without(spent), PLAIN, tiptoe=False) - now.keep(spent)
        case _:
            pass
    if way == "play":
        after, price = now.without(action), now.keep(action) if action != "move" else 1.0
    elif now.lit:
        spent = now.least(now.hand)
        after, price = now.without(spent), now.keep(spent) + now.given()
    else:
        after, price = now, now.given()
    match action:
        case "move":
            return best_walk(after, MOVE, tiptoe=False) - price
        case "tiptoe":
            return best_walk(after, TIPTOE, tiptoe=True) - price
        case "scout":
            return -FRESH - STEP - price if here in now.ground.doors else -FAR
        case "explore":
            found = best_find(now) - price
            return now.at(here) - now.bonus(here) + found if now.lit or found > 0 else -FAR
        case "clear":
            return best_clearing(after) - price
        case _:  # light
            if not now.lit:
                return now.at(here) + 0.75 + now.gain() - price
            lost = now.given() if way == "give" else 0.0
            wasted = 0.0 if now.gain() else 1.5
            return now.at(here) - 0.4 * (len(now.hand) - 1) - lost - wasted


def best_walk(now: Outlook, steps: int, *, tiptoe: bool) -> float:
    """What the best end of a walk is worth."""
    view, ground = now.view, now.ground
    dry = ground.within(view.lost, steps, tiptoe=tiptoe, wet=not now.lit)
    worth = [now.at(place) for place in dry if place != view.lost]
    worth += [
        now.through(place, steps - count - 1)
        for place, count in dry.items()
        if count < steps and place in ground.doors
    ]
    if now.lit:
        wet = ground.within(view.lost, steps, tiptoe=tiptoe, wet=True)
        worth += [now.at(place) - WET * len(now.hand) for place in wet if place not in dry]
    return max(worth, default=-FAR)


def best_find(now: Outlook) -> float:
    """What exploring here is likely to give."""
    maze = now.view.maze
    stranded = now.home.get(now.view.lost, FAR) > STRANDED
    return max(
        (
            worth_of(now, maze.mark(place), stranded=stranded)
            for place in now.ground.beside[now.view.lost]
            if place not in maze.tokens
        ),
        default=-FAR,
    )


def best_clearing(now: Outlook) -> float:
    """What it is worth to clear a field next to the Lost."""
    view = now.view
    return max(
        (
            cleared(now, place)
            for place in now.ground.beside[view.lost]
            if view.maze.tokens.get(place) == "obstruction"
        ),
        default=-FAR,
    )


def cleared(now: Outlook, place: str) -> float:
    """What the table is worth without the token on that field."""
    maze = now.view.maze.without_token(place)
    ground = Ground(maze, now.ground.tolls)
    after = replace(now, ground=ground, home=ground.home(), finds=[])
    return after.at(now.view.lost) + min(now.bonus(now.view.lost), 0.5)


# Walking


def walk(view: SeatView, decision: Decision) -> str:
    """Where to, or whether to stop."""
    keys = decision.keys()
    if "use.match" in keys:
        return "use.match"
    steps = int(str(decision.about["steps"]))
    spent = ""
    if decision.kind == "walk" and view.hand and not view.leaking:
        held = [card.action for card in view.hand]
        if view.action in held and (view.action != "move" or steps > PLAIN):
            spent = view.action or ""
        else:
            spent = outlook(view).least(held)
    now = outlook(view, spent=spent)
    return max(decision.options, key=lambda o: _worth_of_leg(now, o, steps)).key


def _worth_of_leg(now: Outlook, option: Option, steps: int) -> float:
    match option.word:
        case "exit" | "reveal":
            letter, side = door_of(option.key)
            return now.through(door_field(letter, side), steps - _number(option, "steps"))
        case "field" | "near":
            wet = option.about["leaks"] and not now.view.leaking
            return now.at(str(option.about["field"])) - (WET * len(now.hand) if wet else 0.0)
        case "stop":
            return now.at(now.view.lost) + 0.01
        case "use_key":
            return now.at(now.view.lost) + (1.0 if free_act(now.view, (option.key,)) else -FOOLISH)
        case _:
            return -FAR


def _number(option: Option, fact: str) -> int:
    return int(str(option.about[fact]))


# Cards


def build(view: SeatView, decision: Decision) -> tuple[str, ...]:
    """A hand for the way ahead, with the light for the next one."""
    size = decision.shape.least
    held = replace(view, deck=(), hand=(*view.deck, *view.hand), leaking=False)
    now = outlook(held)
    needs = ["light"] if view.matches else []
    needs += obstacles(now)
    if view.tiles_left:
        needs += ["move", "scout"]
    if now.bonus(view.lost) > 0:
        needs.append("explore")
    needs += ["move", "move", "move", "scout", "explore", "tiptoe", "clear", "explore", "light"]
    cards = {o.key: str(o.about["action"]) for o in decision.options}
    chosen: list[str] = []
    for action in needs:
        key = next((k for k, a in cards.items() if a == action and k not in chosen), None)
        if key is not None and len(chosen) < size:
            chosen.append(key)
    chosen += [key for key in cards if key not in chosen][: size - len(chosen)]
    return tuple(chosen)


def obstacles(now: Outlook) -> list[str]:
    """The actions that the cheapest way to a door needs, in their order."""
    ground, place = now.ground, now.view.lost
    needs: list[str] = []
    seen = [place]
    while True:
        far = now.home.get(place, FAR)
        ways = [p for p in ground.beside[place] if now.home.get(p, FAR) < far and p not in seen]
        if not ways:
            return needs
        place = min(ways, key=lambda p: now.home[p] + ground.toll(p))
        seen.append(place)
        if now.view.maze.tokens.get(place) == "obstruction":
            needs.append("clear")
        elif now.view.maze.mark(place) == HOLE:
            needs.append("tiptoe")


def card(view: SeatView, decision: Decision) -> str:
    """The card that will be missed least."""
    now = outlook(view)
    hand = [c.action for c in view.hand]
    copies = [c.action for c in (*view.hand, *view.deck)]

    def missed(option: Option) -> float:
        action = str(option.about["action"])
        if option.word == "hand":
            return GIVEN + now.keep(action)
        if decision.kind == "plain_card":
            return now.keep(action)
        if decision.kind == "give_up" and hand:
            return now.keep(action)
        return FOR_GOOD[action] / copies.count(action)

    return min(decision.options, key=missed).key


FOR_GOOD: Final = {
    "light": 9.0, "move": 8.0, "scout": 3.5, "tiptoe": 3.0, "clear": 2.0, "explore": 1.5,
}  # fmt: skip
"""How much the last card of a kind will be missed for the rest of the game."""


# Targets


def explore(view: SeatView, decision: Decision) -> str:
    """The more promising location."""
    now = outlook(view)
    stranded = now.home.get(view.lost, FAR) > STRANDED

    def worth(option: Option) -> float:
        return worth_of(now, view.maze.mark(str(option.about["field"])), stranded=stranded)

    return max(decision.options, key=worth).key


def free_way(view: SeatView, decision: Decision) -> str:
    """The token without which the way is shortest."""

    def far(option: Option) -> float:
        return _home(view, view.maze.without_token(str(option.about["field"])))

    return min(decision.options, key=far).key


def secret_door(view: SeatView, decision: Decision) -> str:
    """The wall that brings the unknown nearest."""

    def far(option: Option) -> float:
        return _home(view, view.maze.with_secret_door(*door_of(option.key)))

    return min(decision.options, key=far).key


def follow_map(view: SeatView, decision: Decision) -> str:
    """The nearest door."""
    now = outlook(view)
    return min(decision.keys(), key=lambda key: now.ground.far(view.lost, key))


def rotate(view: SeatView, decision: Decision) -> str:
    """The lie from whose entrance most doors are near."""
    found = view.reveal
    assert found is not None
    worth = {
        option.key: worth_of_lie(view, lie)
        for option, lie in zip(decision.options, found.lies, strict=True)
    }
    return max(worth, key=lambda key: worth[key])


def worth_of_lie(view: SeatView, lie: Lie) -> float:
    """How well the maze can be walked on with the tile like that."""
    found = view.reveal
    assert found is not None
    letter, side = door_of(found.door)
    room = Room(found.letter, found.tile, found.x, found.y, lie.fields, lie.doors)
    maze = view.maze.with_room(room)
    for number, mark in enumerate(lie.fields, 1):
        if mark in PRINTED:
            maze = maze.with_token(f"{found.letter}{number}", PRINTED[mark])
    ground = Ground(maze, tolls(view))
    before = door_field(letter, side)
    here = door_field(found.letter, FACING[side]) if found.how == "walk" else before
    doors = [key for keys in ground.doors.values() for key in keys]
    ways = sorted([min(ground.far(here, key), 9.0) for key in doors] + [9.0] * 3)
    entry = lie.fields[int(here[1]) - 1] if found.how == "walk" else "."
    return -(ways[0] + 0.3 * ways[1] + 0.1 * ways[2]) - (1.0 if entry in PRINTED else 0.0)
