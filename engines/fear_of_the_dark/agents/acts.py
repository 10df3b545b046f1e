"""What to do now: the beginning of the best plan, or a match, or a card that is given up."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engines.fear_of_the_dark.agents.ground import FAR, STEP
from engines.fear_of_the_dark.agents.outlook import (
    FRESH,
    FURTHER,
    MOVE,
    STRANDED,
    TIPTOE,
    WET,
    Outlook,
    outlook,
    way_home,
    worth_of,
)
from engines.fear_of_the_dark.agents.plan import best_plan
from engines.fear_of_the_dark.maze import SECRETS
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.decision import Decision


def act(view: SeatView, decision: Decision) -> str:
    """The act by which the Lost comes on best; if nothing leads on, whatever costs least."""
    keys = decision.keys()
    free = free_act(view, keys)
    if free:
        return free
    now = outlook(view)
    plan = best_plan(now)
    worth = {key: worth_of_act(now, key) for key in keys if _is_single(now, key)}
    if plan.first is not None and plan.first.act in keys:
        worth[plan.first.act] = plan.value
    best = max(worth, key=lambda key: worth[key], default="")
    if best and worth[best] > HOPELESS:
        return best
    return min(keys, key=IDLE.index)


IDLE: Final = (
    "use.scrap", "two_steps", "play.clear", "play.explore", "play.tiptoe", "play.scout",
    "play.move", "give.clear", "give.explore", "give.light", "give.scout", "give.tiptoe",
    "give.move", "play.light", "strike", "use.key", "use.match",
)  # fmt: skip
"""What is done when nothing leads on any more, first what is missed least."""

HOPELESS: Final = -FAR / 2


def _is_single(now: Outlook, key: str) -> bool:
    """Whether an act is weighed by itself; the others are the beginnings of plans."""
    way, _, action = key.partition(".")
    if way == "give":
        return action not in now.hand
    return key in ("play.light", "strike")


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
        locked = way_home(view, view.maze)
        if any(way_home(view, without(place)) + STEP < locked for place in locks):
            return "use.key"
    return ""


def worth_of_act(now: Outlook, key: str) -> float:
    """What the table is worth after a match, or after a card that is given up for good."""
    here = now.view.lost
    way, _, action = key.partition(".")
    if key == "strike":
        return now.at(here) + (-DROPPED - sum(map(now.keep, now.hand)) if now.lit else 1.0)
    if now.lit and way == "give":
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


DROPPED: Final = 0.3
"""What it costs to build a smaller hand than Light a match would."""


def best_walk(now: Outlook, steps: int, *, tiptoe: bool) -> float:
    """What the best end of a walk is worth that leads on."""
    view, ground = now.view, now.ground
    here = now.on(view.lost) + FURTHER
    dry = ground.within(view.lost, steps, tiptoe=tiptoe, wet=not now.lit)
    worth = [now.at(place) for place in dry if now.on(place) > here]
    worth += [
        now.through(place, steps - count - 1)
        for place, count in dry.items()
        if count < steps and place in ground.doors
    ]
    if now.lit:
        wet = ground.within(view.lost, steps, tiptoe=tiptoe, wet=True)
        lost = WET * len(now.hand)
        worth += [
            now.at(place) - lost for place in wet if place not in dry and now.on(place) > here
        ]
    return max(worth, default=-FAR)


def best_find(now: Outlook) -> float:
    """What exploring here is likely to give."""
    maze = now.view.maze
    stranded = now.home.get(now.view.lost, FAR) > STRANDED
    return max(
        (
            worth_of(now, maze.mark(place), stranded=stranded)
            for place in now.ground.beside[now.view.lost]
            if place not in maze.tokens and (now.lit or maze.mark(place) not in SECRETS)
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
    """What the table is worth without the token on that field, if that leads on."""
    view = now.view
    after = outlook(replace(view, maze=view.maze.without_token(place)))
    after.hand = now.hand
    on = after.on(view.lost) > now.on(view.lost) + FURTHER
    return after.at(view.lost) if on else -FAR
