"""A game in which any relic may be held, and the moments of a turn."""

from __future__ import annotations

from dataclasses import replace

from engines.escape_the_night.cards import Effect, Relic
from engines.escape_the_night.effects import known
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    discard,
    hold,
    pin,
    ready,
    stand,
    tiles,
)

AMOUNTS = {
    "foresee": Effect("foresee", 2, "monster"),
    "trade_places": Effect("trade_places", of="choice"),
    "salvage": Effect("salvage", 3),
    "reveal_tiles": Effect("reveal_tiles", 1),
}
OURS = {do: AMOUNTS.get(do, Effect(do, 2)) for do in known.RELICS}
"""One relic of each kind, under the name of its effect, and again as ``shared_...``."""

HOUSE = replace(
    CONTENT,
    relics={
        **{do: Relic(effect) for do, effect in OURS.items()},
        **{f"shared_{do}": Relic(effect, anyone=True) for do, effect in OURS.items()},
        "ballast": Relic(Effect("bonus", 1)),
    },
)
ALL = tuple(OURS)


def table(arrange, *, seats=2, **rest):
    """A game in which any relic may be held."""
    return Stage(arrange, seats=seats, content=rest.pop("content", HOUSE), **rest)


def holding(seat, *names):
    """An arrangement: these relics in that hand, and someone to act on for each of them."""

    def arrange(g):
        tiles(g, a1="clue", f1="monster", c1="clue")
        stand(g, kate="a2", ada="e4")
        alive(g, "kate", "ada", "ben", "cleo", "dora", "jack")
        ready(g, "kate", "ben", "cleo", "dora", "jack")
        pin(g, "ben", "monster_1")
        discard(g, "relic", "ballast")
        hold(g, seat, *names)

    return arrange


# Moments

MOMENTS = {
    "turn": ("rebirth", "reveal_tiles", "foresee", "trade_places", "rouse", "banish", "salvage"),
    "walking": (
        "haste",
        "rebirth",
        "reveal_tiles",
        "foresee",
        "trade_places",
        "through_wall",
        "rouse",
        "banish",
        "salvage",
    ),
    "attempt": ("bonus", "banish"),
    "rolled": ("bonus", "reroll", "banish"),
}
TO = {
    "turn": (),
    "walking": (("roll", "roll"),),
    "attempt": (("roll", "roll"), ("move", "a1")),
    "rolled": (("roll", "roll"), ("move", "a1"), ("attempt", "roll")),
}


def play_to(moment, arrange, **rest):
    """Kate's turn, as far as that moment; her roll falls short."""
    stage = table(arrange, dice={"attempt": [1, 1, 6, 6], "move": [3, 3]}, **rest)
    for kind, key in TO[moment]:
        stage.answer(kind, key)
    return stage


def voting(g):
    """Everybody has acted; five are alive."""
    alive(g, "ada", "ben", "cleo", "dora", "emil")
    ready(g)


def fighting(g):
    """Ada (seat 0) and Ben (seat 1) are voted in."""
    voting(g)


def duel(*held, seat=0, **rest):
    """The challenge between them has begun."""
    stage = table(lambda g: (fighting(g), hold(g, seat, *held)), **rest)
    stage.cast(s0="ada ada ben", s1="ada ben")
    return stage
