"""What all death challenges share: who answers for whom, and what the house does.

A contestant's owner answers for it. Where one seat owns both, it answers for the first of the two
and the house plays the other by dice of its own: nobody is to choose freely whom to lose.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

from engines.escape_the_night import deeds
from engines.escape_the_night.state import Duel, State
from engines.kernel.decision import ONE, Option, Seat, Shape, Value
from engines.kernel.table import Table

OUT: Final = 20
"""A distance farther than any guess that counts, bonuses included."""


class ByScore(Enum):
    """The procedure counted; bonuses are still to be added."""

    HIGH = "high"
    """The higher score lives."""
    LOW = "low"
    """The lower score lives."""


Verdict = ByScore | str | None
"""How a procedure ended: by score, with this loser, or in a tie. The loser may be an outsider."""


def owner(g: State, contestant: str) -> Seat:
    """Who answers for it."""
    return g.characters[contestant].owner


def owners(g: State, duel: Duel) -> tuple[Seat, ...]:
    """The seats that answer in this challenge, one or two."""
    return tuple(sorted(dict.fromkeys(owner(g, c) for c in duel.contestants)))


def house_plays(g: State, duel: Duel) -> str | None:
    """The contestant whom nobody answers for, if one seat owns both."""
    one, other = duel.contestants
    return other if owner(g, one) == owner(g, other) else None


def played_by(g: State, duel: Duel, seat: Seat) -> str:
    """The contestant whom that seat answers for."""
    return next(c for c in duel.contestants if owner(g, c) == seat)


def opponent(duel: Duel, contestant: str) -> str:
    """The other one."""
    one, other = duel.contestants
    return other if contestant == one else one


def others(g: State, duel: Duel) -> list[Seat]:
    """The seats with a living character that have none in the challenge."""
    return [seat for seat in range(g.seats) if g.living_of(seat) and seat not in owners(g, duel)]


def outsiders(g: State, duel: Duel) -> list[str]:
    """The living characters that are not in it."""
    return [c.id for c in g.living() if c.id not in duel.contestants]


def by_bonus(duel: Duel) -> str | None:
    """Who loses an even bout because the other has the greater bonus; None if neither has."""
    one, other = duel.contestants
    mine, theirs = duel.bonus.get(one, 0), duel.bonus.get(other, 0)
    if mine == theirs:
        return None
    return one if mine < theirs else other


async def brace(g: State, t: Table, duel: Duel) -> None:
    """Both owners are ready: the last moment for help that counts before it begins.

    Nobody is asked when no hand at the table holds a relic, which all can see.
    """
    if not deeds.anyone_holds_relics(g):
        return
    await t.ask_each(
        lambda: owners(g, duel),
        "brace",
        lambda _: ("roll",),
        about={
            "challenge": duel.card,
            "contestants": duel.contestants,
            "procedure": g.content.challenges[duel.card].procedure.do,
        },
    )


async def choose(
    g: State,
    t: Table,
    duel: Duel,
    kind: str,
    options: Callable[[str], Sequence[Option | str]],
    *,
    house: Callable[[str], Value] | None = None,
    shape: Shape = ONE,
    asked: Callable[[Seat], bool] = lambda _: True,
) -> dict[str, Value]:
    """Both contestants choose in secret, all at once; what each chose, by contestant.

    ``house`` chooses for a contestant whom nobody answers for, by default one option by chance.
    A seat that is not ``asked``, because all can see that it has no choice, takes the first option.
    """
    chosen: dict[str, Value] = {}
    answers = await t.ask_each(
        lambda: [seat for seat in owners(g, duel) if asked(seat)],
        kind,
        lambda seat: options(played_by(g, duel, seat)),
        shape=lambda _: shape,
        secret=True,
        revisable=True,
        about={"challenge": duel.card, "contestants": duel.contestants},
    )
    for contestant in duel.contestants:
        keys = [o if isinstance(o, str) else o.key for o in options(contestant)]
        if contestant == house_plays(g, duel):
            chosen[contestant] = house(contestant) if house else (t.chance.pick("house", keys),)
        else:
            chosen[contestant] = answers.get(owner(g, contestant), (keys[0],))
    return chosen


async def one_choice(
    g: State,
    t: Table,
    duel: Duel,
    kind: str,
    contestant: str,
    options: Callable[[], Sequence[Option | str]],
    *,
    house: Callable[[], str] | None = None,
    secret: bool = False,
    **about: object,
) -> str:
    """One contestant chooses; by default the house chooses by chance."""
    if contestant == house_plays(g, duel):
        keys = [o if isinstance(o, str) else o.key for o in options()]
        return house() if house else t.chance.pick("house", keys)
    return await t.ask(
        owner(g, contestant),
        kind,
        options,
        secret=secret,
        about={"challenge": duel.card, "character": contestant, **about},
    )


def tell_scores(g: State, t: Table, duel: Duel, verdict: ByScore) -> None:
    """The standing, bonuses apart; ``void``: what was guessed is worth nothing, whatever helps."""
    procedure = g.content.challenges[duel.card].procedure.do
    for contestant in duel.contestants:
        score = duel.score.get(contestant, 0)
        t.tell(
            "challenge_scored",
            character=contestant,
            procedure=procedure,
            score=score,
            bonus=duel.bonus.get(contestant, 0),
            low=verdict is ByScore.LOW,
            void=procedure == "nearest" and score == OUT,
        )
