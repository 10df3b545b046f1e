"""Relics: when a card in hand may be played, and what it does then.

[Resolving a Clue or Monster] a relic serves its holder on its own turn, and a card marked
``anyone`` whomever it fits, whoever's turn it is (RULE-E13). The vote and the challenge are
nobody's turn: every holder may play what fits them. RULE-E32.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engines.escape_the_night import deeds
from engines.escape_the_night.cards import Effect
from engines.escape_the_night.effects import choosing
from engines.escape_the_night.paths import room_at
from engines.escape_the_night.rules.vote import candidates
from engines.escape_the_night.state import Moment, State
from engines.escape_the_night.walks import walks
from engines.kernel.decision import Option, Seat
from engines.kernel.table import Table


@dataclass(frozen=True, slots=True)
class Use:
    """How a relic is used.

    ``moments`` are those that it fits, ``fits`` whether it would find something to act upon, and
    ``play`` is what it does.
    """

    moments: tuple[Moment, ...]
    fits: Callable[[State, Seat, Effect], bool]
    play: Callable[[State, Table, Seat, Effect], Coroutine[Any, Any, None]]


_EVERYBODYS: Final[tuple[Moment, ...]] = ("vote", "challenge")
_TURN: Final[tuple[Moment, ...]] = ("turn", "walking")


def playable(g: State, seat: Seat) -> list[str]:
    """The relics in that hand which fit the moment; pure."""
    return [relic for relic in g.hands[seat] if _is_playable(g, seat, relic)]


def _is_playable(g: State, seat: Seat, relic: str) -> bool:
    card = g.content.relics[relic]
    use = USES[card.effect.do]
    if g.moment not in use.moments or not use.fits(g, seat, card.effect):
        return False
    return card.anyone or g.moment in _EVERYBODYS or seat == g.current_seat


async def play(g: State, t: Table, seat: Seat, relic_id: str) -> None:
    """What the card does; it lies on the discard already, and ``g.resolving`` names it."""
    effect = g.content.relics[relic_id].effect
    await USES[effect.do].play(g, t, seat, effect)


# A better roll: RULE-E32, before the dice and again when they lie there


def _is_tried(g: State, seat: Seat, effect: Effect) -> bool:
    return g.attempt is not None


async def _bonus(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    attempt = g.attempt
    assert attempt is not None
    attempt.bonus += effect.amount
    t.tell(
        "roll_helped",
        seat=seat,
        character=attempt.character,
        amount=effect.amount,
        bonus=attempt.bonus,
    )


async def _reroll(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    attempt = g.attempt
    assert attempt is not None
    attempt.dice = t.chance.dice("attempt", 2)
    t.tell(
        "rerolled",
        seat=seat,
        character=attempt.character,
        dice=attempt.dice,
        bonus=attempt.bonus,
        total=attempt.total,
    )


# Walking


def _is_walking(g: State, seat: Seat, effect: Effect) -> bool:
    return g.walk is not None


async def _haste(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.walk is not None
    g.walk.left += effect.amount
    t.tell("hastened", seat=seat, character=g.acting, amount=effect.amount, left=g.walk.left)


def _has_partner(g: State, seat: Seat, effect: Effect) -> bool:
    return g.acting is not None and bool(choosing.partners(g, g.acting))


async def _trade_places(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.acting is not None
    await choosing.trade_places(g, t, g.acting, effect.of)


def _behind_walls(g: State) -> dict[str, tuple[str, ...]]:
    """Free spaces that a wall parts from a space on the way, with the shortest walk to that wall.

    Walls beside the acting character itself come first; they need no walk. RULE-E36.
    """
    if g.acting is None or g.walk is None:
        return {}
    who = g.characters[g.acting]
    here: dict[str, tuple[str, ...]] = {} if who.space is None else {who.space: ()}
    passed = walks(g, who, g.walk.left)
    near = here | {space: walk for space, walk in passed.items() if space not in g.tiles}
    found: dict[str, tuple[str, ...]] = {}
    for space, walk in sorted(near.items(), key=lambda pair: len(pair[1])):
        for other in g.plan.beside(space):
            if other not in g.plan.neighbours[space] and other != who.space:
                found.setdefault(other, walk)
    free = choosing.spaces_to_land_on(g, g.acting, tuple(found))
    return {space: found[space] for space in free}


def _has_wall(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(_behind_walls(g))


async def _through_wall(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    """The steps to the wall are walked, the one through it is free, and the walk goes on."""
    assert g.acting is not None
    space = next(iter(_behind_walls(g)))
    if len(_behind_walls(g)) > 1:
        space = await t.ask(
            seat,
            "through_wall",
            lambda: [
                Option(s, "space", {"space": s, "room": room_at(g, s), "steps": len(walk)})
                for s, walk in _behind_walls(g).items()
            ],
            about={"character": g.acting},
        )
    walk = _behind_walls(g)[space]
    if walk:
        deeds.walk_along(g, t, g.acting, walk)
    deeds.place(g, t, g.acting, space)


# Looking, and the rest of a turn


def _is_hidden(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(choosing.face_down(g))


async def _reveal_tiles(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    await choosing.reveal_tiles(g, t, seat, effect.amount)


def _has_deck(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(g.piles[effect.of])


async def _foresee(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    await choosing.foresee(g, t, seat, effect.of, effect.amount)


def _is_tired(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(choosing.tired(g))


async def _rouse(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    await choosing.rouse(g, t, seat)


def _is_salvageable(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(g.discards["relic"])


async def _salvage(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    await choosing.salvage(g, t, seat, effect.amount)


def _held(g: State) -> list[str]:
    return [c.id for c in g.living() if c.monster is not None]


def _is_held(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(_held(g))


async def _banish(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    """The monster goes, undefeated; a tile that it came from stays, and so ends its fight."""
    chosen = await choosing.character(t, seat, "free", lambda: _held(g))
    assert chosen is not None
    deeds.release(g, t, chosen)
    if g.attempt and g.attempt.character == chosen and g.attempt.colour == "monster":
        g.attempt.ended = True


# The Mysterious Man


def _is_man(g: State, seat: Seat, effect: Effect) -> bool:
    return g.man is not None and not g.man.cancelled


async def _silence_man(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.man is not None
    g.man.cancelled = True


async def _reroll_man(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.man is not None
    g.man.die = t.chance.die("man")
    t.tell("man_rolled", character=g.man.finder, die=g.man.die, side=g.man_side)


# The vote


def _is_vote(g: State, seat: Seat, effect: Effect) -> bool:
    return g.ballot is not None


async def _accuse(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    """Votes that no token cast."""
    assert g.ballot is not None
    chosen = await choosing.character(t, seat, "accuse", lambda: candidates(g))
    assert chosen is not None
    g.ballot.extra[chosen] = g.ballot.extra.get(chosen, 0) + effect.amount
    t.tell("accused", seat=seat, character=chosen, votes=effect.amount)


def _own_candidates(g: State, seat: Seat) -> list[str]:
    """Those of a seat's characters that could be taken out of the vote: two must stay in it."""
    found = candidates(g)
    return [c for c in found if choosing.owner_of(g, c) == seat] if len(found) > 2 else []


def _has_candidate(g: State, seat: Seat, effect: Effect) -> bool:
    return g.ballot is not None and bool(_own_candidates(g, seat))


async def _alibi(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.ballot is not None
    chosen = await choosing.character(t, seat, "alibi", lambda: _own_candidates(g, seat))
    assert chosen is not None
    g.ballot.shielded.append(chosen)
    t.tell("excused", seat=seat, character=chosen)


# The death challenge


def _is_undecided(g: State, seat: Seat, effect: Effect) -> bool:
    return g.duel is not None and not g.duel.settled


async def _duel_bonus(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    duel = g.duel
    assert duel is not None
    chosen = await choosing.character(t, seat, "support", lambda: duel.contestants)
    assert chosen is not None
    duel.bonus[chosen] = duel.bonus.get(chosen, 0) + effect.amount
    t.tell("supported", seat=seat, character=chosen, amount=effect.amount)


def _own_contestants(g: State, seat: Seat) -> list[str]:
    """A seat's contestants whom nothing saves yet."""
    if g.duel is None:
        return []
    found = [c for c in g.duel.contestants if c not in g.duel.saved]
    return [c for c in found if choosing.owner_of(g, c) == seat]


def _has_contestant(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(_own_contestants(g, seat))


async def _spare(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    assert g.duel is not None
    chosen = await choosing.character(t, seat, "spare", lambda: _own_contestants(g, seat))
    assert chosen is not None
    g.duel.saved.append(chosen)
    t.tell("protected", seat=seat, character=chosen)


# The graveyard


def _is_dead(g: State, seat: Seat, effect: Effect) -> bool:
    return bool(g.graveyard)


async def _rebirth(g: State, t: Table, seat: Seat, effect: Effect) -> None:
    chosen = await choosing.character(t, seat, "raise", lambda: g.graveyard)
    assert chosen is not None
    deeds.raise_dead(g, t, chosen)


USES: Final[Mapping[str, Use]] = {
    "bonus": Use(("attempt", "rolled"), _is_tried, _bonus),
    "reroll": Use(("rolled",), _is_tried, _reroll),
    "haste": Use(("walking",), _is_walking, _haste),
    "rebirth": Use((*_TURN, *_EVERYBODYS), _is_dead, _rebirth),
    "accuse": Use(("vote",), _is_vote, _accuse),
    "alibi": Use(("vote",), _has_candidate, _alibi),
    "duel_bonus": Use(("challenge",), _is_undecided, _duel_bonus),
    "spare": Use(("challenge",), _has_contestant, _spare),
    "reveal_tiles": Use(_TURN, _is_hidden, _reveal_tiles),
    "foresee": Use(_TURN, _has_deck, _foresee),
    "trade_places": Use(_TURN, _has_partner, _trade_places),
    "through_wall": Use(("walking",), _has_wall, _through_wall),
    "rouse": Use(_TURN, _is_tired, _rouse),
    "silence_man": Use(("man",), _is_man, _silence_man),
    "reroll_man": Use(("man",), _is_man, _reroll_man),
    "banish": Use((*_TURN, "attempt", "rolled"), _is_held, _banish),
    "salvage": Use(_TURN, _is_salvageable, _salvage),
}
"""By the names that cards use."""
