"""[Matches] and [Mind Hand]: striking a light, building a hand, and how it goes dark again."""

from __future__ import annotations

from engines.fear_of_the_dark.asking import BACK, choose, decide, pass_lead
from engines.fear_of_the_dark.state import State
from engines.kernel.decision import Option
from engines.kernel.table import Table


def can_strike(g: State) -> bool:
    """A match is left, and a mind to hold it, and the place is not leaking; RULE-F22, C-F25."""
    return g.matches > 0 and g.minds > 0 and not g.is_leaking


def found_matches(g: State) -> int:
    """The match items in the pockets."""
    return [g.content.items[card].kind for card in g.kept].count("match")


async def may_strike(g: State, t: Table, size: int, *, wasteful: bool) -> bool:
    """Whether it is meant: the last match is asked about, and one struck while lit.

    RULE-F6, RULE-F39. ``wasteful``: cards in hand go back to the deck unplayed.
    """
    last = g.matches == 1
    if not last and not wasteful:
        return True
    about: dict[str, object] = {"last": last, "lit": wasteful, "left": g.matches - 1, "hand": size}
    about["found"] = found_matches(g)
    return await decide(g, t, "confirm_match", ("yes", BACK), about) == "yes"


async def strike(g: State, t: Table, size: int) -> None:
    """One match burns and the hand is built with ``size`` cards; RULE-F3, RULE-F5."""
    g.matches -= 1
    g.burnt += 1
    t.tell("match_struck", left=g.matches)
    await build_hand(g, t, size)
    pass_lead(g, t)


async def build_hand(g: State, t: Table, size: int) -> None:
    """[Mind Hand] back into the deck, then any so many cards of one's choice; RULE-F5."""
    _return_hand(g)
    if len(g.deck) > size:
        cards = list(g.deck)
        options = [Option(card, "card", {"action": g.action_of(card)}) for card in cards]
        about = {"size": size, "cards": len(cards)}
        chosen = await choose(g, t, "build", options, size, about)
        g.hand = [card for card in cards if card in chosen]
        g.deck = [card for card in cards if card not in chosen]
    else:
        g.hand, g.deck = g.deck, []
    actions = [g.action_of(card) for card in g.hand]
    if actions:  # there are none when the last card of all was given up for the match
        t.tell("hand_built", actions=actions, count=len(actions), light=g.is_light)


def douse(g: State, t: Table, reason: str) -> None:
    """The whole hand goes back to the deck; nothing is lost. RULE-F23, C-F26.

    The card in play is back already; the light that it has left goes out as well (RULE-F7).
    """
    cards = len(g.hand)
    if cards or g.lit:
        _return_hand(g)
        g.lit = False
        t.tell("darkness_fell", reason=reason, cards=cards)


def _return_hand(g: State) -> None:
    held = (*g.deck, *g.hand)
    g.deck = [card for card in g.content.minds if card in held]
    g.hand = []
