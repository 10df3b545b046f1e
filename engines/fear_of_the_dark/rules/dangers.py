"""[Dangers] and [Resolving Dangers]: one card for a dangerous room, once, when it is revealed.

RULE-F2: a room that is entered again is safe. Three affect the Lost, three the rooms.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engines.fear_of_the_dark.asking import decide
from engines.fear_of_the_dark.cards import DangerKind
from engines.fear_of_the_dark.maze import Token
from engines.fear_of_the_dark.rules import light
from engines.fear_of_the_dark.rules.endings import Over, check_mind
from engines.fear_of_the_dark.rules.tales import tale
from engines.fear_of_the_dark.state import How, State
from engines.kernel.decision import Option
from engines.kernel.table import Table

BEHIND: Final = ("collapse", "locking")
"""What happens on the field just left; on a dark echo it is the end."""


@dataclass(frozen=True, slots=True)
class Threat:
    """A triggered danger: the revealed room, and the door field just left (RULE-F21).

    ``fading``: the room is a dark echo, so that the Lost will be back on that field (RULE-F18).
    """

    kind: DangerKind
    card: str
    room: str
    before: str
    fading: bool


async def draw(g: State, t: Table, room: str, before: str, how: How, *, echo: bool) -> str:
    """Draw and resolve a card; its kind if it triggered, else nothing.

    [Card Layout] the walk icon is a requirement: scouting leaves such a card without effect
    (RULE-F1; C-F8, C-F15, C-F21). RULE-F33: it is discarded then.
    """
    if not g.dangers:  # RULE-F32
        t.tell("dangers_ran_out")
        return ""
    card = g.dangers.pop()
    danger = g.content.dangers[card]
    triggered = how == "walk" or not danger.walked
    t.tell(
        "danger_drawn",
        danger=danger.kind,
        tale=tale(g, t, danger.kind),
        triggered=triggered,
        how=how,
    )
    if not triggered:
        g.spent_dangers.append(card)
        return ""
    await _EFFECTS[danger.kind](g, t, Threat(danger.kind, card, room, before, echo))
    if card not in g.terrors:
        g.spent_dangers.append(card)
    return danger.kind


async def _terror(g: State, t: Table, threat: Threat) -> None:
    """A mind card of one's choice, from hand or deck; the second Terror kills. RULE-F11, C-F20."""
    g.terrors.append(threat.card)
    t.tell("terror_kept", count=len(g.terrors))
    if len(g.terrors) >= g.content.numbers.terrors and g.difficulty.deadly:
        raise Over("terror")
    check_mind(g)  # the last one may have been given up for this very step; RULE-F42
    options = [
        Option(card, zone, {"action": g.action_of(card)})
        for zone, cards in (("hand", g.hand), ("deck", g.deck))
        for card in g.kinds(cards)
    ]
    card = options[0].key
    if len(options) > 1:
        about = {"count": len(g.terrors)}
        card = await decide(g, t, "lose_card", options, about)
    (g.hand if card in g.hand else g.deck).remove(card)
    g.gone.append(card)
    t.tell("card_lost", action=g.action_of(card), left=g.minds)
    check_mind(g)


async def _knockout(g: State, t: Table, threat: Threat) -> None:
    """One of the tiles set aside joins the maze deck, as its last; RULE-F19."""
    if g.aside:
        g.tiles.insert(0, g.aside.pop())
        t.tell("knocked_out", left=len(g.tiles))
    else:
        t.tell("danger_without_effect", danger=threat.kind, reason="no_tiles")


async def _propuh(g: State, t: Table, threat: Threat) -> None:
    """The wind takes the light: the hand goes back to the deck; RULE-F23, C-F26."""
    if g.is_light:
        light.douse(g, t, "propuh")
    else:
        t.tell("danger_without_effect", danger=threat.kind, reason="no_light")


async def _bar_the_way(g: State, t: Table, threat: Threat) -> None:
    """A token on the door field just left; C-F10.

    Not where the Lost stands or will be back in a moment: RULE-F15, RULE-F18.
    """
    if threat.fading or g.lost == threat.before:
        if not (threat.fading and g.difficulty.deadly):
            t.tell("danger_without_effect", danger=threat.kind, reason="standing_there")
        return
    token: Token = "obstruction" if threat.kind == "collapse" else "lock"
    if not place_token(g, t, threat.before, token):
        t.tell("danger_without_effect", danger=threat.kind, reason="no_tokens")


async def _leakage(g: State, t: Table, threat: Threat) -> None:
    """[Scenario 2] the token lies on the room; whoever is in it is in the dark. RULE-F22, C-F9."""
    if sum(room.leakage for room in g.maze.rooms.values()) >= g.content.numbers.leakages:
        t.tell("danger_without_effect", danger=threat.kind, reason="no_tokens")
        return
    room = g.maze.rooms[threat.room]
    g.maze = g.maze.with_room(replace(room, leakage=True))
    t.tell("leak_sprung", room=room.letter, tile=room.tile)
    if g.is_leaking:
        light.douse(g, t, "leak")


def place_token(g: State, t: Table, place: str, token: Token) -> bool:
    """Put an obstruction or lock on a field, if one is left beside the board; RULE-F20."""
    numbers = g.content.numbers
    supply = {"obstruction": numbers.obstructions, "lock": numbers.locks}[token]
    if list(g.maze.tokens.values()).count(token) >= supply:
        return False
    g.maze = g.maze.with_token(place, token)
    t.tell("token_placed", token=token, field=place)
    return True


_EFFECTS: Final[Mapping[DangerKind, Callable[[State, Table, Threat], Awaitable[None]]]] = {
    "terror": _terror,
    "knockout": _knockout,
    "propuh": _propuh,
    "collapse": _bar_the_way,
    "locking": _bar_the_way,
    "leakage": _leakage,
}
