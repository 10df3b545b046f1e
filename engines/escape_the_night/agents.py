"""A computer player that plays for the table: it sees a view and the questions, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engines.escape_the_night.board import plan_of
from engines.escape_the_night.duelling import in_duel, number_of, turns_the_duel
from engines.escape_the_night.view import CharacterView, SeatView
from engines.kernel.agents import random_value
from engines.kernel.chance import Chance
from engines.kernel.decision import Decision, Option
from engines.kernel.game import Choice

FAR: Final = 99
"""The distance of what cannot be reached now."""

KEEP: Final = (
    "rebirth",
    "spare",
    "bonus",
    "reroll",
    "rouse",
    "haste",
    "banish",
    "silence_man",
    "through_wall",
    "duel_bonus",
    "salvage",
    "reveal_tiles",
)
"""Relics that help the table, the best first; others are the first to be discarded."""


def sensible(
    view: SeatView, asked: Sequence[Decision], offers: Sequence[Decision], rng: Chance
) -> Choice | None:
    """Clears the nearest rooms, claims, gathers in the circle, and sends the least useful to duels.

    It plays a relic when that turns a failure or brings a goal within reach. In a duel it plays to
    live, and where it only looks on it helps whoever is of more use.
    """
    for offer in offers:
        relic = _relic(view, offer, asked)
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
        case "exhaust" | "rouse":
            return (_by_distance(Lookout(view), keys, nearest=decision.kind == "rouse"),)
        case "through_wall":
            lookout = Lookout(view)
            away = lookout.tasks()
            ways = {
                option.key: number_of(option, "steps") + lookout.steps_from(option.key, away)
                for option in decision.options
            }
            return (min(ways, key=lambda space: ways[space]),)
        case "stroll" | "spirit_away":
            lookout = Lookout(view)
            return (_nearest(lookout, _ends(view, decision), lookout.tasks(), rng),)
        case "discard":
            worst = sorted(keys, key=lambda relic: _worth(view, relic))
            return tuple(worst[: decision.shape.least])
        case "foresee":  # which of the cards would be better is not printed on the options
            return ("keep",)
        case "trade_places":
            return ("stay",)
        case "gift":
            poorest = min(
                decision.options, key=lambda option: view.hand_counts[number_of(option, "seat")]
            )
            return (poorest.key,)
        case "free":
            tried = view.attempt.character if view.attempt else None
            return (tried,) if tried and tried in keys else (_own_first(view, keys),)
        case "raise" | "spare" | "support":
            return (_own_first(view, keys),)
        case "back" | "judge":
            return (_most_useful(Lookout(view), keys),)
        case "press" | "matches" | "glasses" | "bid" | "jaws" | "guess" | "spread":
            return in_duel(view, decision, rng)
        case _:
            return random_value(decision, rng)


def _own_first(view: SeatView, characters: Sequence[str]) -> str:
    own = [c.id for c in view.characters if c.owner == view.seat and c.id in characters]
    return (own or list(characters))[0]


class Lookout:
    """What a view says about where the tasks are and how far.

    ``goals`` are the spaces of tiles and of artifacts that can be claimed, with a rank: the lowest
    is the most welcome. Tiles under others are theirs.
    """

    def __init__(self, view: SeatView) -> None:
        self.view = view
        self.plan = plan_of(view.board)
        self.characters = {c.id: c for c in view.characters}
        self.tiles = {tile.space: tile.colour for tile in view.tiles}
        taken = dict.fromkeys(c.space for c in view.characters if c.id != view.acting)
        unclear = dict.fromkeys(self.plan.rooms[space] for space in self.tiles)
        self.goals = {
            space: _TASTE.index(colour) + 1
            for space, colour in self.tiles.items()
            if space not in taken
        }
        for artifact in view.artifacts:
            if self.plan.rooms[artifact.space] not in unclear:
                self.goals[artifact.space] = 0
        self.circle = tuple(
            space for space in view.board.ritual if view.round >= 10 or space not in taken
        )

    def distances(self, *goals: str) -> dict[str, int]:
        """Steps from each space to the nearest of the goals, around all other tiles."""
        return self.plan.distances(goals, lambda space: space in self.tiles)

    def tasks(self) -> dict[str, int]:
        """Steps from each space to the nearest task: a goal, or in the end the circle."""
        return self.distances(*(self.goals if self.view.artifacts else self.circle))

    def steps_from(self, space: str | None, away: dict[str, int]) -> int:
        """Steps from a space, which may be a tile's, or from outside."""
        if space is None:
            return away.get(self.view.board.steps, FAR) + 1
        if space in away:
            return away[space]
        return min(away.get(other, FAR) for other in self.plan.neighbours[space]) + 1

    def is_busy(self, character: CharacterView) -> bool:
        """Whether it stands on its task."""
        return bool(character.monster) or character.space in self.tiles

    def target(self) -> str | None:
        """The acting character's goal when each goal takes one of those nearest to it."""
        free = [c for c in self.view.characters if c.alive and not self.is_busy(c)]
        away = {goal: self.distances(goal) for goal in self.goals}
        pairs = sorted(
            (self.steps_from(c.space, away[goal]), c.id != self.view.acting, c.id, goal)
            for goal in self.goals
            for c in free
        )
        served: dict[str, str] = {}
        for _, _, character, goal in pairs:
            if character not in served and goal not in served.values():
                served[character] = goal
        return served.get(self.view.acting or "")


_TASTE: Final = ("clue", None, "monster")
"""Which tile to try first: a clue does not bind whoever fails."""


def _move(lookout: Lookout, options: Sequence[Option], rng: Chance) -> str:
    """The most useful end of this leg."""
    view = lookout.view
    assert view.acting is not None
    acting = lookout.characters[view.acting]
    spaces: dict[str, str | None] = {option.key: option.key for option in options}
    if "claim" in spaces:
        return "claim"
    end = next(option.key for option in options if option.word in ("stay", "stop"))
    spaces[end] = acting.space
    if view.artifacts:
        reached = [space for space in spaces if space in lookout.goals]
        if reached:
            return min(reached, key=lambda space: lookout.goals[space])
        target = lookout.target()
        if target is not None:
            return _nearest(lookout, spaces, lookout.distances(target), rng)
    if acting.space in view.board.ritual:
        return end
    return _nearest(lookout, spaces, lookout.distances(*lookout.circle), rng)


def _nearest(
    lookout: Lookout, spaces: dict[str, str | None], away: dict[str, int], rng: Chance
) -> str:
    """One of the ends from which it is not far any more; never a tile."""
    left = {
        key: lookout.steps_from(space, away)
        for key, space in spaces.items()
        if space not in lookout.tiles
    }
    least = min(left.values())
    return rng.pick("way", [key for key, steps in left.items() if steps == least])


def _by_idleness(lookout: Lookout, characters: Sequence[str]) -> list[str]:
    """Those farthest from any task and from the circle first, rather of players with others."""
    left = [c.owner for c in lookout.view.characters if c.alive]
    away, home = lookout.tasks(), lookout.distances(*lookout.circle)

    def idleness(key: str) -> int:
        character = lookout.characters[key]
        distance = 0 if lookout.is_busy(character) else lookout.steps_from(character.space, away)
        back = lookout.steps_from(character.space, home)
        return 2 * min(distance, 12) + back // 2 + 3 * left.count(character.owner)

    return sorted(characters, key=idleness, reverse=True)


def _most_useful(lookout: Lookout, characters: Sequence[str]) -> str:
    return _by_idleness(lookout, characters)[-1]


def _ballot(lookout: Lookout, decision: Decision) -> tuple[str, ...]:
    """Two whom the table can spare."""
    first, second = _by_idleness(lookout, decision.keys())[:2]
    tokens = decision.shape.most
    return (first,) * (tokens - tokens // 2) + (second,) * (tokens // 2)


def _by_distance(lookout: Lookout, characters: Sequence[str], *, nearest: bool) -> str:
    """The character with the shortest, or the longest, way to a task."""
    away = lookout.tasks()
    return (min if nearest else max)(
        characters, key=lambda c: lookout.steps_from(lookout.characters[c].space, away)
    )


def _ends(view: SeatView, decision: Decision) -> dict[str, str | None]:
    """Where a character may be put: its own space by the key ``stay``."""
    who = decision.about.get("character")
    here = next((c.space for c in view.characters if c.id == who), None)
    keys = (option.key for option in decision.options)
    return {key: here if key == "stay" else key for key in keys}


def _worth(view: SeatView, relic: str) -> int:
    does = dict(zip(view.hand, view.hand_effects, strict=True))[relic].do
    return -KEEP.index(does) if does in KEEP else -FAR


def _relic(view: SeatView, offer: Decision, asked: Sequence[Decision]) -> str | None:
    """A relic worth playing at this moment."""
    effects = dict(zip(view.hand, view.hand_effects, strict=True))
    playable = [option.key for option in offer.options]
    attempt = view.attempt
    failing = attempt is not None and view.moment == "rolled"
    short = attempt.difficulty - sum(attempt.dice) - attempt.bonus if attempt else 0
    helping = sorted(effects[key].amount for key in playable if effects[key].do == "bonus")
    # The least card that is enough alone, else the greatest.
    fitting = next((n for n in helping if n >= short), max(helping, default=0))
    for key in sorted(playable, key=lambda key: -_worth(view, key)):
        effect = effects[key]
        match effect.do:
            case "bonus":
                if failing and sum(helping) >= short and effect.amount == fitting:
                    return key
            case "reroll":
                if failing and attempt and attempt.difficulty <= 10 and sum(helping) < short:
                    return key
            case "banish":
                if failing and attempt and attempt.colour == "monster" and attempt.difficulty >= 10:
                    return key
            case "haste":
                if _brings_within_reach(view, effect.amount):
                    return key
            case "through_wall":
                if _is_behind_the_wall(view):
                    return key
            case "spare" | "duel_bonus":
                if turns_the_duel(view, asked, effect.do, effect.amount):
                    return key
            case "rouse":
                if view.round < 10 and _is_last_to_act(view):
                    return key
            case "rebirth":
                if view.round < 10:
                    return key
            case "reveal_tiles" | "silence_man" | "salvage":
                return key
            case _:
                pass
    return None


def _is_last_to_act(view: SeatView) -> bool:
    """Whether nobody else has a turn left in this hour: all can be roused who ever could."""
    return all(c.exhausted or not c.alive or c.id == view.acting for c in view.characters)


def _brings_within_reach(view: SeatView, steps: int) -> bool:
    if view.acting is None or view.moment != "walking":
        return False
    lookout = Lookout(view)
    acting = lookout.characters[view.acting]
    distance = lookout.steps_from(acting.space, lookout.tasks())
    return view.steps_left < distance <= view.steps_left + steps


def _is_behind_the_wall(view: SeatView) -> bool:
    """Whether a task is out of reach on this side of a wall and within reach on the other."""
    if view.acting is None or view.moment != "walking":
        return False
    lookout = Lookout(view)
    here, away = lookout.characters[view.acting].space, lookout.tasks()
    taken = (*(c.space for c in view.characters), *(a.space for a in view.artifacts))
    outside = 1 if here is None else 0
    least = min(
        (
            outside + steps + lookout.steps_from(other, away)
            for space, steps in lookout.distances(here or view.board.steps).items()
            for other in lookout.plan.beside(space)
            if other not in lookout.plan.neighbours[space]
            and other not in lookout.tiles
            and other not in taken
        ),
        default=FAR,
    )
    return least <= view.steps_left < lookout.steps_from(here, away)
