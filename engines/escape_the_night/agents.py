"""A computer player that plays for the table: it sees a view and the questions, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engines.escape_the_night.board import plan_of
from engines.escape_the_night.view import CharacterView, SeatView
from engines.kernel.agents import random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Option
from engines.kernel.game import Choice

FAR: Final = 99
"""The distance of what cannot be reached now."""

KEEP: Final = (
    "rebirth",
    "rouse",
    "bonus",
    "reroll",
    "haste",
    "spare",
    "banish",
    "other_clue",
    "silence_man",
    "salvage",
)
"""Relics that help the table, the best first; others are the first to be discarded."""


def sensible(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Clears the nearest rooms, claims, gathers in the circle, and sends the least useful to duels.

    It plays a relic when that turns a failure or brings a goal within reach.
    """
    for offer in offers:
        relic = _relic(view, offer)
        if relic is not None:
            return Choice(offer, (relic,))
    for decision in asked:
        if decision.current is None:
            return Choice(decision, _answer(view, decision, rng))
    return None


def _answer(view: SeatView, decision: Decision, rng: Chance) -> tuple[str, ...]:
    keys = decision.keys()
    if len(keys) == 1 and decision.shape.most == 1:
        return keys
    match decision.kind:
        case "roll":
            return ("retry",)
        case "move":
            return (_move(Lookout(view), decision.options, rng),)
        case "vote":
            return _ballot(Lookout(view), decision)
        case "exhaust":
            lookout = Lookout(view)
            return (max(keys, key=lambda c: lookout.distance(lookout.characters[c])),)
        case "discard":
            return (min(keys, key=lambda relic: _worth(view, relic)),)
        case _:
            return random_value(decision, rng)


@dataclass(frozen=True, slots=True)
class Goal:
    """A space worth going to."""

    space: str
    room_tiles: int


class Lookout:
    """What a view says about where the goals are and how far."""

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.plan = plan_of(view.board)
        self.characters = {c.id: c for c in view.characters}
        self.tiles = dict.fromkeys(tile.space for tile in view.tiles)
        taken = dict.fromkeys(c.space for c in view.characters if c.id != view.acting)
        self.per_room: dict[str, int] = {}
        for space in self.tiles:
            room = self.plan.rooms[space]
            self.per_room[room] = self.per_room.get(room, 0) + 1
        self.goals = {
            space: Goal(space, self.per_room[self.plan.rooms[space]])
            for space in self.tiles
            if space not in taken
        }
        for artifact in view.artifacts:
            if self.plan.rooms[artifact.space] not in self.per_room:
                self.goals[artifact.space] = Goal(artifact.space, 0)
        self.circle = tuple(
            space for space in view.board.ritual if view.round >= 10 or space not in taken
        )
        self.gathering = not view.artifacts
        self._away = self.distances(self.circle if self.gathering else tuple(self.goals))

    def distances(self, goals: tuple[str, ...]) -> dict[str, int]:
        """Steps from each space to the nearest of the goals, around all other tiles."""
        return self.plan.distances(goals, lambda space: space in self.tiles)

    def distance(self, character: CharacterView) -> int:
        """Steps from a character to the nearest goal; none for whoever stands on its task."""
        if character.space in self.tiles or character.monster:
            return 0
        return self.steps_from(character.space, self._away)

    def steps_from(self, space: str | None, away: dict[str, int]) -> int:
        """Steps from a space, or from outside."""
        if space is None:
            return away.get(self.view.board.steps, FAR) + 1
        return away.get(space, FAR)

    def is_needed(self, acting: CharacterView) -> bool:
        """Whether a task is left for it, when each goal takes the nearest character."""
        free = [c for c in self.view.characters if c.alive and not c.monster]
        for space in self.goals:
            away = self.distances((space,))
            if not free:
                return False
            nearest = min(free, key=lambda c: self.steps_from(c.space, away))
            if nearest.id == acting.id:
                return True
            free.remove(nearest)
        return False


def _move(lookout: Lookout, options: Sequence[Option], rng: Chance) -> str:
    """The most useful end of this leg."""
    view = lookout.view
    assert view.acting is not None
    acting = lookout.characters[view.acting]
    by_key = {option.key: option for option in options}
    if "claim" in by_key:
        return "claim"
    end = next(option.key for option in options if option.word in ("stay", "stop"))
    spaces = {key: key for key in by_key if key != end} | {end: acting.space or ""}
    gathering = lookout.gathering
    if not gathering and len(view.artifacts) == 1 and not lookout.is_needed(acting):
        gathering = True
    if gathering:
        if acting.space in view.board.ritual:
            return end
        away = lookout.distances(lookout.circle)
    else:
        reached = [lookout.goals[option.key] for option in options if option.key in lookout.goals]
        if reached:
            return min(reached, key=lambda goal: goal.room_tiles).space
        away = lookout.distances(tuple(lookout.goals))
    harmless = [key for key, space in spaces.items() if space not in lookout.tiles]
    nearest = min(lookout.steps_from(spaces[key] or None, away) for key in harmless)
    return rng.pick(
        "way",
        [key for key in harmless if lookout.steps_from(spaces[key] or None, away) == nearest],
    )


def _ballot(lookout: Lookout, decision: Decision) -> tuple[str, ...]:
    """Those farthest from any task, rather of players who have others left."""
    left = [c.owner for c in lookout.view.characters if c.alive]

    def use(key: str) -> int:
        character = lookout.characters[key]
        return 2 * lookout.distance(character) + 3 * left.count(character.owner)

    first, second = sorted(decision.keys(), key=use, reverse=True)[:2]
    tokens = decision.shape.most
    return (first,) * (tokens - tokens // 2) + (second,) * (tokens // 2)


def _worth(view: SeatView, relic: str) -> int:
    does = dict(zip(view.hand, view.hand_effects, strict=True))[relic].do
    return -KEEP.index(does) if does in KEEP else -FAR


def _relic(view: SeatView, offer: Decision) -> str | None:
    """A relic worth playing at this moment."""
    effects = dict(zip(view.hand, view.hand_effects, strict=True))
    playable = [option.key for option in offer.options]
    attempt = view.attempt
    failing = attempt is not None and view.moment == "rolled"
    short = attempt.difficulty - sum(attempt.dice) - attempt.bonus if attempt else 0
    helping = [effects[key].amount for key in playable if effects[key].do == "bonus"]
    for key in sorted(playable, key=lambda key: -_worth(view, key)):
        effect = effects[key]
        match effect.do:
            case "bonus":
                if failing and sum(helping) >= short:
                    return key
            case "reroll":
                if failing and attempt and attempt.difficulty <= 10 and sum(helping) < short:
                    return key
            case "haste":
                if _brings_within_reach(view, effect.amount):
                    return key
            case "banish" | "other_clue":
                if attempt and not attempt.dice and attempt.difficulty >= 10:
                    return key
            case "rebirth" | "rouse" | "spare" | "silence_man" | "salvage":
                return key
            case _:
                pass
    return None


def _brings_within_reach(view: SeatView, steps: int) -> bool:
    if view.acting is None or view.moment != "walking":
        return False
    lookout = Lookout(view)
    acting = lookout.characters[view.acting]
    distance = lookout.steps_from(acting.space, lookout.distances(tuple(lookout.goals)))
    return view.steps_left < distance <= view.steps_left + steps
