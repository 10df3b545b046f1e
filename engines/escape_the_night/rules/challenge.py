"""[The Vote & Death Challenge] second half: two go in, one does not come back."""

from __future__ import annotations

from engines.escape_the_night import deeds
from engines.escape_the_night.effects import abilities, challenges, contest
from engines.escape_the_night.state import Duel, State
from engines.kernel.table import Table


async def death_challenge(g: State, t: Table, contestants: tuple[str, str]) -> None:
    """Draw a challenge card and follow it. Only cards go to the front steps: C-E29."""
    before, g.phase = g.phase, "challenge"
    card = deeds.draw(g, t, "challenge")
    assert card is not None, "challenge cards are discarded, so there is always one"
    duel = Duel(card, contestants, {c: abilities.duel_bonus(g, c) for c in contestants})
    g.duel = duel
    t.tell("challenge_drawn", challenge=card, contestants=contestants)
    with deeds.during(g, "challenge"):
        losers = await _losers(g, t, duel)
    g.discards["challenge"].append(card)
    g.duel = None
    g.phase = before

    for loser in losers:
        if loser in duel.saved:
            t.tell("spared", character=loser)
    dying = [loser for loser in losers if loser not in duel.saved]
    if dying:
        deeds.kill(g, t, *dying)


async def _losers(g: State, t: Table, duel: Duel) -> tuple[str, ...]:
    """Who is to die. A tie takes a random outsider unless the card says otherwise; C-E13.

    It is fought again as often as content says if the card wants it, and once if there is nobody
    outside; RULE-E19.
    """
    rule = g.content.challenges[duel.card].tie
    fought = 0
    while True:
        loser = await challenges.hold(g, t, duel)
        if loser is not None:
            return (loser,)
        t.tell("challenge_tied", contestants=duel.contestants)
        if rule == "both":
            return duel.contestants
        fought += 1
        outsiders = contest.outsiders(g, duel)
        if fought > (g.content.numbers.rematches if rule == "again" else 0 if outsiders else 1):
            break

    if outsiders:
        drawn = t.chance.pick("outsider", outsiders)
        t.tell("outsider_drawn", character=drawn)
        return (drawn,)
    return deeds.lowest(g, t, duel.contestants, 1)
