"""Death challenges: each card names a procedure, which ends with one loser or in a tie."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from typing import Any, Final

from engines.escape_the_night import deeds
from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import contest, duels_of_company, duels_of_dice, duels_of_wits
from engines.escape_the_night.effects.contest import ByScore, Verdict
from engines.escape_the_night.state import Duel, State
from engines.kernel.table import Table

Procedure = Callable[[State, Table, Duel, Effect], Coroutine[Any, Any, Verdict]]

PROCEDURES: Final[Mapping[str, Procedure]] = {
    "dice_duel": duels_of_dice.dice_duel,
    "best_of": duels_of_dice.best_of,
    "press": duels_of_dice.press,
    "jaws": duels_of_dice.jaws,
    "call": duels_of_dice.call,
    "nearest": duels_of_dice.nearest,
    "cunning": duels_of_wits.cunning,
    "bid": duels_of_wits.bid,
    "spread": duels_of_wits.spread,
    "matches": duels_of_wits.matches,
    "hide": duels_of_wits.hide,
    "glasses": duels_of_wits.glasses,
    "allies": duels_of_company.allies,
    "jury": duels_of_company.jury,
}
"""By the names that cards use."""


async def hold(g: State, t: Table, duel: Duel) -> str | None:
    """[The Vote & Death Challenge] follow the card; the loser's id, or None for a tie.

    Relics may still change a score after it is known, before it counts: RULE-E32. A card may have
    an outsider die, for whom no relic can do anything.
    """
    effect = g.content.challenges[duel.card].procedure
    duel.score.clear()
    duel.settled = False
    absent = contest.house_plays(g, duel)
    if absent is not None:
        t.tell("house_plays", character=absent)
    verdict = await PROCEDURES[effect.do](g, t, duel, effect)
    if isinstance(verdict, ByScore):
        contest.tell_scores(g, t, duel, verdict)
    if isinstance(verdict, str) and verdict not in duel.contestants:
        return verdict
    duel.settled = isinstance(verdict, str)
    loser = await _accepted(g, t, duel, verdict)
    if loser is not None:
        t.tell("challenge_lost", character=loser, other_character=contest.opponent(duel, loser))
    return loser


async def _accepted(g: State, t: Table, duel: Duel, verdict: Verdict) -> str | None:
    """The loser once both sides accept it; asked anew whenever a relic turns the tables."""
    while True:
        loser = _loser(duel, verdict)
        if not deeds.anyone_holds_relics(g):
            return loser
        await t.ask_each(
            lambda expected=loser: (
                contest.owners(g, duel) if _loser(duel, verdict) == expected else ()
            ),
            "verdict",
            lambda _: ("accept",),
            about={
                "challenge": duel.card,
                "contestants": duel.contestants,
                "losers": () if loser is None else (loser,),
                "settled": duel.settled,
            },
        )
        if _loser(duel, verdict) == loser:
            return loser


def _loser(duel: Duel, verdict: Verdict) -> str | None:
    """By score it is whoever falls behind, bonuses included; the greater bonus parts equals."""
    if verdict is None:
        return contest.by_bonus(duel)
    if isinstance(verdict, str):
        return verdict
    one, other = duel.contestants
    sign = 1 if verdict is ByScore.HIGH else -1
    mine, theirs = (sign * duel.score.get(c, 0) + duel.bonus.get(c, 0) for c in (one, other))
    if mine == theirs:
        return None
    return one if mine < theirs else other
