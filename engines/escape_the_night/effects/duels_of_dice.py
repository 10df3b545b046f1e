"""Death challenges in which dice have the last word."""

from __future__ import annotations

from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import contest
from engines.escape_the_night.effects.contest import OUT, ByScore, Verdict
from engines.escape_the_night.state import Duel, State
from engines.kernel.decision import Option
from engines.kernel.table import Table


def _roll(t: Table, contestant: str, count: int) -> tuple[int, ...]:
    dice = t.chance.dice("duel", count)
    t.tell("duel_rolled", character=contestant, dice=dice, total=sum(dice))
    return dice


async def dice_duel(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """One roll of some dice each; the higher total lives, or the lower one."""
    await contest.brace(g, t, duel)
    for contestant in duel.contestants:
        duel.score[contestant] = sum(_roll(t, contestant, effect.amount))
    return ByScore.LOW if effect.of == "low" else ByScore.HIGH


async def best_of(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Some bouts with a die each; equal dice are nobody's, and most bouts live."""
    one, other = duel.contestants
    duel.score.update({one: 0, other: 0})
    for bout in range(1, effect.amount + 1):
        await contest.brace(g, t, duel)
        mine, theirs = _roll(t, one, 1)[0], _roll(t, other, 1)[0]
        if mine != theirs:
            duel.score[one if mine > theirs else other] += 1
        t.tell(
            "bout_ended",
            bout=bout,
            winners=[] if mine == theirs else [one if mine > theirs else other],
        )
        if max(duel.score.values()) > effect.amount // 2:
            break
    return ByScore.HIGH


async def press(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """By turns: roll on and add up, or stop; a one loses all. The higher sum lives."""
    for contestant in t.chance.shuffled("order", duel.contestants):
        duel.score[contestant] = 0
        while duel.score[contestant] < effect.amount:
            choice = await contest.one_choice(
                g,
                t,
                duel,
                "press",
                contestant,
                # Everybody takes a first step.
                lambda c=contestant: ("roll", "stop") if duel.score[c] else ("roll",),
                house=lambda c=contestant: _house_presses(duel, c, effect.amount),
                score=duel.score[contestant],
                limit=effect.amount,
            )
            if choice == "stop":
                break
            (die,) = _roll(t, contestant, 1)
            duel.score[contestant] = 0 if die == 1 else duel.score[contestant] + die
            if die == 1:
                t.tell("pressed_too_far", character=contestant)
                break
        t.tell("pressed", character=contestant, score=duel.score[contestant])
    return ByScore.HIGH


def _house_presses(duel: Duel, contestant: str, limit: int) -> str:
    """The house stops at two thirds, and goes on while it is behind somebody who has stopped."""
    score = duel.score[contestant]
    ahead = duel.score.get(contest.opponent(duel, contestant))
    enough = 2 * limit // 3 if ahead is None else ahead + 1
    return "stop" if score and score >= enough else "roll"


async def jaws(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Each says in secret how long it stays; whoever outstays the die has stayed for nothing."""
    counts = [Option(f"count_{n}", "count", {"count": n}) for n in range(1, effect.amount + 1)]
    chosen = await contest.choose(g, t, duel, "jaws", lambda _: counts)
    stays = {c: int(key.removeprefix("count_")) for c, (key,) in chosen.items()}
    die = t.chance.die("jaws", effect.amount)
    t.tell("jaws_closed", die=die)
    for contestant, count in stays.items():
        duel.score[contestant] = 0 if count > die else count
        t.tell("jaws_left", character=contestant, count=count, bitten=count > die)
    return ByScore.HIGH


async def call(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Both call odd or even in secret, until just one of them is right.

    A bonus decides a bout in which both are right, or both are wrong.
    """
    for bout in range(1, effect.amount + 1):
        chosen = await contest.choose(g, t, duel, "call", lambda _: ("odd", "even"))
        die = t.chance.die("call")
        told = "odd" if die % 2 else "even"
        wrong = [c for c, (key,) in chosen.items() if key != told]
        for contestant, (key,) in chosen.items():
            t.tell("called", character=contestant, call=key)
        t.tell("call_rolled", bout=bout, die=die, call=told)
        if len(wrong) == 1:
            return wrong[0]
        loser = contest.by_bonus(duel)
        if loser is not None:
            return loser
    return None


async def nearest(g: State, t: Table, duel: Duel, effect: Effect) -> Verdict:
    """Both guess a roll of two dice in secret; the nearer one lives.

    With ``under`` a guess above the roll is worth nothing.
    """
    guesses = [Option(f"guess_{n}", "guess", {"guess": n}) for n in range(2, 13)]
    chosen = await contest.choose(g, t, duel, "guess", lambda _: guesses)
    dice = t.chance.dice("nearest", 2)
    t.tell("guess_rolled", dice=dice, total=sum(dice))
    for contestant, (key,) in chosen.items():
        guess = int(key.removeprefix("guess_"))
        over = effect.of == "under" and guess > sum(dice)
        duel.score[contestant] = OUT if over else abs(guess - sum(dice))
        t.tell("guessed", character=contestant, guess=guess, over=over)
    return ByScore.LOW
