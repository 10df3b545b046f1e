"""[Round Sequence] nine hours of turns, vote and death challenge; then [The Last Round]."""

from __future__ import annotations

from engines.escape_the_night import deeds
from engines.escape_the_night.effects import relics
from engines.escape_the_night.rules.challenge import death_challenge
from engines.escape_the_night.rules.titles import titles
from engines.escape_the_night.rules.turn import available, take_turn
from engines.escape_the_night.rules.vote import vote
from engines.escape_the_night.state import State
from engines.kernel.decision import Offer, Seat, TimeUp
from engines.kernel.game import Outcome
from engines.kernel.table import Table


async def play(g: State, t: Table) -> Outcome:
    """[Win Condition] the night, until it is won or lost; a win counts the moment it is there."""
    t.offers = lambda: offers(g)
    t.play = lambda seat, kind, key: play_relic(g, t, seat, key)
    try:
        while g.round < 10:
            await one_round(g, t)
        await last_round(g, t)
        ending = "budget_spent"
    except deeds.Won:
        ending = "escaped"
    except deeds.AllDead:
        ending = "all_dead"
    except TimeUp:
        ending = "daylight_lost"
    return end(g, t, ending)


async def one_round(g: State, t: Table) -> None:
    """Turns until all are exhausted, the vote, the challenge, and the clock moves on; RULE-E30."""
    g.phase = "turns"
    t.tell("round_began", round=g.round, seat=g.starting_seat)
    seat = _first_ready(g)
    while seat is not None:
        await take_turn(g, t, seat)
        seat = deeds.next_seat(g, seat, lambda other: available(g, other) is not None)
    g.current_seat = None

    contestants = await vote(g, t)
    if contestants:
        await death_challenge(g, t, contestants)

    g.round += 1
    restore(g, t)
    if g.seats > 1:  # [Single Player Rules] alone there is no starting token
        g.starting_seat = deeds.next_seat_with_living(g, g.starting_seat)


def restore(g: State, t: Table) -> None:
    """Turn all living characters back, except those that have to start late (RULE-E22)."""
    for character in g.living():
        character.exhausted = character.id in g.late
    t.tell("restored", late=[c.id for c in g.living() if c.exhausted])
    g.late.clear()


async def last_round(g: State, t: Table) -> None:
    """[The Last Round] the man is unmasked and the hourglass turned: no vote, no challenge; C-E14.

    Returns when the budget of an untimed table is spent. With the hourglass only a win, a death or
    the sand (RULE-E3) ends it.
    """
    g.phase = "last_round"
    t.tell("round_began", round=g.round, seat=g.starting_seat)
    t.tell("man_unmasked")
    length = g.options["hourglass"]
    if length == "untimed":
        budget = g.content.numbers.untimed_actions
        g.actions_left = budget.get(str(g.seats), budget.get("any", 0))
        t.tell("budget_set", actions=g.actions_left)
        await _last_turns(g, t)
    else:
        g.hourglass = int(length)
        with t.timer("hourglass", 60 * g.hourglass):
            t.tell("hourglass_turned", minutes=g.hourglass)
            await _last_turns(g, t)


async def _last_turns(g: State, t: Table) -> None:
    """Turns as ever, one character at a time; whenever all are exhausted all are restored.

    RULE-E28: from the starting player on, and a monster is still in the way.
    """
    seat: Seat | None = None
    while g.actions_left != 0:
        ready = _first_ready(g) if seat is None else _next_ready(g, seat)
        if ready is None:
            restore(g, t)
            continue
        seat = ready
        await take_turn(g, t, seat)
        if g.actions_left is not None:
            g.actions_left = max(0, g.actions_left - 1)  # the man may have taken the last one
            t.tell("action_spent", left=g.actions_left)


def _first_ready(g: State) -> Seat | None:
    """The starting player, or the next to the left with a character to act."""
    if available(g, g.starting_seat):
        return g.starting_seat
    return _next_ready(g, g.starting_seat)


def _next_ready(g: State, seat: Seat) -> Seat | None:
    return deeds.next_seat(g, seat, lambda other: available(g, other) is not None)


def end(g: State, t: Table, ending: str) -> Outcome:
    """Tell the ending; RULE-E35: all win or lose together, RULE-E24: titles only on a win."""
    g.phase = "over"
    won = ending == "escaped"
    honours = titles(g) if won else {}
    t.tell("night_ended", ending=ending, won=won, round=g.round)
    for title, seats in honours.items():
        t.tell("title_awarded", title=title, seats=seats)
    return Outcome(
        ending,
        won,
        {
            "round": g.round,
            "artifacts": len(g.mantle),
            "survivors": [c.id for c in g.living()],
            "titles": honours,
        },
    )


def offers(g: State) -> list[Offer]:
    """RULE-E32: relics that fit this moment, of whoever holds them; none while one takes effect."""
    if g.resolving:
        return []
    fitting = [(seat, relics.playable(g, seat)) for seat in range(g.seats) if g.hands[seat]]
    return [Offer(seat, "play_relic", playable) for seat, playable in fitting if playable]


async def play_relic(g: State, t: Table, seat: Seat, relic: str) -> None:
    """The card is discarded for all to see and does what it says."""
    g.resolving = relic
    g.hands[seat].remove(relic)
    g.discards["relic"].append(relic)
    t.tell("relic_played", seat=seat, relic=relic)
    await relics.play(g, t, seat, relic)
    g.resolving = None
