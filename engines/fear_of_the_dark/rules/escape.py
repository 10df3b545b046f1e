"""[Game Flow] no turns: one act after another, in the Light or in the Darkness, to the end."""

from __future__ import annotations

from typing import Final, cast

from engines.fear_of_the_dark.asking import BACK, decide, one_of_or_back, pass_lead
from engines.fear_of_the_dark.cards import Action
from engines.fear_of_the_dark.maze import door_of
from engines.fear_of_the_dark.rules import finds, free, light, walking, ways
from engines.fear_of_the_dark.rules.endings import Over, check_mind, end
from engines.fear_of_the_dark.rules.reveal import reveal
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.game import Outcome
from engines.kernel.table import Table

ACTIONS: Final[tuple[Action, ...]] = ("move", "tiptoe", "scout", "explore", "clear", "light")
LIT: Final[tuple[Action, ...]] = ("tiptoe", "scout")
"""[Icon key] possible only in the Light; so are secrets, among what can be explored. RULE-F4."""

PLAIN: Final = "two_steps"


async def play(g: State, t: Table) -> Outcome:
    """Act upon act until somebody is out or nothing is left."""
    try:
        while True:
            await one_act(g, t)
            check_mind(g)  # the win comes first: it is told at the door itself; RULE-F10
    except Over as over:
        return end(g, t, over.ending)


async def one_act(g: State, t: Table) -> None:
    """[While you are in the Light] or in the Darkness: one of the things that can be done."""
    options = acts(g)
    if not options:
        raise Over("trapped")  # RULE-F40
    about = {
        "light": g.is_light,
        "matches": g.matches,
        "cards": g.minds,
        "hand": len(g.hand),
        "leaking": g.is_leaking,
    }
    key = await decide(g, t, "act", options, about)
    if free.is_free(key):
        await free.act(g, t, key)
        return
    way, _, name = key.partition(".")
    in_the_dark, cards, burnt = not g.is_light, g.minds, g.burnt
    await _do(g, t, way, cast("Action", name or "move"))
    if in_the_dark and cards > g.minds > 0 and burnt == g.burnt:  # a match passes it by itself
        pass_lead(g, t)


def acts(g: State) -> list[Option]:
    """What is possible now: printed actions, two steps, what is free, and wildcards.

    RULE-F8: wildcards come from the hand in the Light (C-F29) and from the deck in the Darkness.
    RULE-F9: the two steps need a hand card.
    """
    doable = [action for action in ACTIONS if is_possible(g, action)]
    held = [g.action_of(card) for card in g.hand]
    options = [Option(f"play.{a}", f"play_{a}", _left(g, 0)) for a in doable if a in held]
    if g.hand and ways.can_walk(g, tiptoe=False):
        options.append(Option(PLAIN, PLAIN))
    options += free.acts(g)
    options += [Option(f"give.{a}", f"give_{a}", _left(g, 1)) for a in doable]
    return options


def _left(g: State, cost: int) -> dict[str, object]:
    return {"left": g.minds - cost}


def is_possible(g: State, action: Action) -> bool:
    """Whether the action would do anything here; C-F5."""
    if action in LIT and not g.is_light:
        return False
    match action:
        case "move":
            return ways.can_walk(g, tiptoe=False)
        case "tiptoe":
            return ways.can_walk(g, tiptoe=True)
        case "scout":  # [Mind Cards] next to a door that no room lies behind yet
            return bool(g.tiles) and ways.door_before(g, g.lost) is not None
        case "explore":
            return bool(finds.explorable(g))
        case "clear":
            return bool(finds.beside(g, "obstruction"))
        case "light":
            return light.can_strike(g)


async def _do(g: State, t: Table, way: str, action: Action) -> None:
    """Choose the target, then the card that pays for it, then act. Until it is paid all is free."""
    steps = {"move": g.content.numbers.move, "tiptoe": g.content.numbers.tiptoe}.get(action, 0)
    g.action = action
    target = await _target(g, t, action, g.content.numbers.plain if way == PLAIN else steps)
    g.lit = g.is_light  # RULE-F7: what light there is now holds to the end
    if target is not None and await _pay(g, t, way, action, target):
        await _act(g, t, action, target)
    g.lit = False
    g.action, g.steps = None, 0


async def _target(g: State, t: Table, action: Action, steps: int) -> str | None:
    """What the action is turned to; None if it is taken back."""
    match action:
        case "move" | "tiptoe":
            return await walking.choose_way(g, t, steps)
        case "explore":
            return await one_of_or_back(g, t, action, finds.explorable(g))
        case "clear":
            return await one_of_or_back(g, t, action, finds.beside(g, "obstruction"))
        case "light":
            size = g.content.numbers.light_hand
            wasteful = len(g.hand) > 1  # besides the card that is played for it
            return action if await light.may_strike(g, t, size, wasteful=wasteful) else None
        case "scout":
            return ways.door_before(g, g.lost)


async def _pay(g: State, t: Table, way: str, action: Action, target: str) -> bool:
    """Play a hand card, which goes back to the deck, or give one up for good; False: think better.

    RULE-F7: the card is back in time to be chosen again by the light that it makes.
    """
    if way == "play":
        card = next(card for card in g.hand if g.action_of(card) == action)
        _back_to_deck(g, card)
        t.tell("card_played", action=action)
        return True
    if way == PLAIN:
        options = [_card(g, card) for card in g.kinds(g.hand)]
        chosen = options[0].key
        if len(options) > 1:
            about = {"steps": g.content.numbers.plain, **_where(target)}
            chosen = await decide(g, t, "plain_card", (*options, BACK), about)
        if chosen == BACK:
            return False
        _back_to_deck(g, chosen)
        t.tell("card_walked", action=g.action_of(chosen), steps=g.content.numbers.plain)
        return True
    zone = g.hand or g.deck
    about = {
        "purpose": action,
        "light": bool(g.hand),
        "cards": g.minds,
        "left": g.minds - 1,
        **_where(target),
    }
    options = [_card(g, card) for card in g.kinds(zone)]
    chosen = await decide(g, t, "give_up", (*options, BACK), about)
    if chosen == BACK:
        return False
    zone.remove(chosen)
    g.gone.append(chosen)
    t.tell(
        "card_given_up",
        action=g.action_of(chosen),
        purpose=action,
        left=g.minds,
        light=g.is_light,
    )
    return True


def _where(target: str) -> dict[str, object]:
    """What is paid for, so that whoever pays need not have chosen it."""
    if "." in target:
        room, side = door_of(target)
        return {"field": None, "room": room, "side": side}
    return {"field": target.upper() if len(target) == 2 else None, "room": None, "side": None}


def _card(g: State, card: str) -> Option:
    return Option(card, "card", {"action": g.action_of(card)})


def _back_to_deck(g: State, card: str) -> None:
    held = (*g.deck, card)
    g.hand.remove(card)
    g.deck = [other for other in g.content.minds if other in held]


async def _act(g: State, t: Table, action: Action, target: str) -> None:
    match action:
        case "move" | "tiptoe":
            await walking.walk(g, t, target)
        case "scout":
            await reveal(g, t, *door_of(target), "scout")
        case "explore":
            await finds.explore(g, t, target.upper())
        case "clear":
            g.maze = g.maze.without_token(target.upper())
            t.tell("cleared", field=target.upper())
        case "light":
            await light.strike(g, t, g.content.numbers.light_hand)
    if g.lit and not g.hand:
        t.tell("darkness_fell", reason="used_up", cards=0)
