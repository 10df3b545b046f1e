"""An answer to every question: of what is possible, what is worth most."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engines.fear_of_the_dark.agents.acts import act, free_act
from engines.fear_of_the_dark.agents.ground import FAR, Ground
from engines.fear_of_the_dark.agents.outlook import (
    FOOLISH,
    FURTHER,
    GIVEN,
    PLAIN,
    STRANDED,
    WET,
    Outlook,
    outlook,
    tolls,
    way_home,
    worth_of,
)
from engines.fear_of_the_dark.agents.plan import best_plan
from engines.fear_of_the_dark.maze import (
    FACING,
    HOLE,
    PRINTED,
    Lie,
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


# Walking


def walk(view: SeatView, decision: Decision) -> str:
    """Where to, or whether to stop."""
    keys = decision.keys()
    if "use.match" in keys:
        return "use.match"
    steps = int(str(decision.about["steps"]))
    now = outlook(view)
    if decision.kind == "walk":
        begun = _act_under_way(now, steps)
        first = best_plan(now, begun).first if begun else None
        if first is not None and first.target.lower() in keys:
            return first.target.lower()
        if now.lit:
            now = now.without(now.least(now.hand))
    best = max(decision.options, key=lambda o: _worth_of_leg(now, o, steps))
    on = "." in best.key or best.word == "stop" or now.on(best.key.upper()) > now.on(view.lost)
    return best.key if on else _wandering(view, decision.options)


def _act_under_way(now: Outlook, steps: int) -> str:
    """The act whose target is being chosen, or nothing for a card that is given up."""
    action = str(now.view.action)
    if action == "move" and steps == PLAIN and now.lit:
        return "two_steps"
    return f"play.{action}" if action in now.hand else ""


def _wandering(view: SeatView, options: tuple[Option, ...]) -> str:
    """With nowhere to go: from field to field in turn, and not to and fro."""
    places = sorted(option.key for option in options)
    here = view.lost.lower()
    return next((place for place in places if place > here), places[0])


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
    """The actions that the best way on needs, in their order."""
    ground, place = now.ground, now.view.lost
    needs: list[str] = []
    while True:
        ways = [p for p in ground.beside[place] if now.on(p) > now.on(place) + FURTHER]
        if not ways:
            return needs
        place = max(ways, key=lambda p: now.on(p) - ground.toll(p))
        if now.view.maze.tokens.get(place) == "obstruction":
            needs.append("clear")
        elif now.view.maze.mark(place) == HOLE:
            needs.append("tiptoe")


def card(view: SeatView, decision: Decision) -> str:
    """The card that the plan has for it, or that will be missed least."""
    now = outlook(view)
    if decision.kind == "plain_card":
        first = best_plan(now, "two_steps").first
        for option in decision.options:
            if first is not None and option.about["action"] == first.spent:
                return option.key
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
        return way_home(view, view.maze.without_token(str(option.about["field"])))

    return min(decision.options, key=far).key


def secret_door(view: SeatView, decision: Decision) -> str:
    """The wall that brings the unknown nearest."""

    def far(option: Option) -> float:
        return way_home(view, view.maze.with_secret_door(*door_of(option.key)))

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
