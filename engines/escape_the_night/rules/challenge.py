"""[The Vote & Death Challenge] second half: two go in, one does not come back."""

from __future__ import annotations

from engines.escape_the_night import deeds
from engines.escape_the_night.effects import abilities, challenges
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
    """Who is to die. A tie takes a random outsider unless the card says otherwise; C-E13."""
    loser = await challenges.hold(g, t, duel)
    if loser is not None:
        return (loser,)
    t.tell("challenge_tied", contestants=duel.contestants)
    rule = g.content.challenges[duel.card].tie
    if rule == "both":
        return duel.contestants
    outsiders = [c.id for c in g.living() if c.id not in duel.contestants]
    if rule == "outsider" and outsiders:
        drawn = t.chance.pick("outsider", outsiders)
        t.tell("outsider_drawn", character=drawn)
        return (drawn,)

    # Without outsiders they go at it once more, and a second tie is left to the dice; RULE-E19.
    duel.score.clear()
    loser = await challenges.hold(g, t, duel)
    return deeds.lowest(g, t, duel.contestants, 1) if loser is None else (loser,)
