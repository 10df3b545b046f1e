"""Death challenges in which those who look on have a say."""

from __future__ import annotations

from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import contest
from engines.escape_the_night.effects.contest import ByScore, Verdict
from engines.escape_the_night.state import Duel, State
from engines.kernel.decision import Option, Seat
from engines.kernel.table import Table

_HONEST: int = 3
_VOICE: int = 2


async def _side(g: State, t: Table, duel: Duel, kind: str) -> dict[Seat, str]:
    """Every other seat with somebody alive takes a contestant's side, unseen until all have."""
    answers = await t.ask_each(
        lambda: contest.others(g, duel),
        kind,
        lambda _: [Option(c, "character", {"character": c}) for c in duel.contestants],
        secret=True,
        revisable=True,
        about={"challenge": duel.card, "contestants": duel.contestants},
    )
    return {seat: chosen for seat, (chosen,) in answers.items()}


async def allies(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Some dice each, and one more for every player who takes one's side; the higher sum lives."""
    sides = await _side(g, t, duel, "back")
    await contest.brace(g, t, duel)
    for contestant in duel.contestants:
        friends = [seat for seat, chosen in sides.items() if chosen == contestant]
        dice = t.chance.dice("duel", effect.amount)
        total = sum(dice) + len(friends)
        t.tell("backed", character=contestant, seats=friends, dice=dice, total=total)
        duel.score[contestant] = total
    return ByScore.HIGH


async def jury(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """An honest plea is worth three, a brazen one a die; each juror's voice two. The higher lives.

    The jury hears the pleas before it decides.
    """
    pleas = await contest.choose(g, t, duel, "plead", lambda _: ("honest", "brazen"))
    for contestant, (plea,) in pleas.items():
        worth = _HONEST if plea == "honest" else t.chance.die("plea")
        t.tell("pleaded", character=contestant, plea=plea, worth=worth)
        duel.score[contestant] = worth
    voices = await _side(g, t, duel, "judge")
    for contestant in duel.contestants:
        count = sum(chosen == contestant for chosen in voices.values())
        duel.score[contestant] += _VOICE * count
        t.tell("voices_counted", character=contestant, count=count)
    return ByScore.HIGH
