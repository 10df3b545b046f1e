"""Each guest as printed: with its ability, without it, and at an odd moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from engines.escape_the_night.cards import Guest
from engines.escape_the_night.effects import known
from engines.escape_the_night.state import State
from tests.games.escape_the_night.house import HOUSE
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    face_up,
    hold,
    ready,
    stand,
    tiles,
)

GUESTS = HOUSE.guests


def first_to_act(
    guest: str,
    arrange: Callable[[State], object] = lambda g: None,
    *,
    abilities: str = "on",
    printed: Guest | None = None,
    **rest: Any,
) -> Stage:
    """Two players; the guest is seat 0's rightmost and begins the night.

    ``printed``: something else is on its card than what the house has there.
    """
    others = {name: theirs for name, theirs in GUESTS.items() if name != guest}
    content = replace(HOUSE, guests={**others, guest: printed or GUESTS[guest]})
    return Stage(arrange, content=content, abilities=abilities, **rest)


# Guests: each scene says whether the ability did its part


def strides(guest: str, **rest: Any) -> bool:
    """One more than the dice."""
    stage = first_to_act(guest, dice={"move": [1, 2]}, **rest)
    stage.answer("roll", "roll")
    return stage.view.steps_left == 3 + GUESTS[guest].ability.amount


def walks_over_open_tiles(guest: str, **rest: Any) -> bool:
    """From the hall into a study whose door has an open tile behind it, and past that."""

    def arrange(g: State) -> None:
        tiles(g, b4="clue", n9="clue")
        face_up(g, "b4")
        stand(g, **{guest: "a4"})

    stage = first_to_act(guest, arrange, dice={"move": [1, 1]}, **rest)
    stage.answer("roll", "roll")
    assert "b4" in stage.choices("move")
    return "c4" in stage.choices("move")


def squeezes_in(guest: str, **rest: Any) -> bool:
    """Where another stands, though not onto a tile."""
    other = next(name for name in GUESTS if name != guest)

    def arrange(g: State) -> None:
        tiles(g, n9="clue", b5="clue")
        stand(g, **{guest: "b4", other: "c4"})

    stage = first_to_act(guest, arrange, dice={"move": [1, 1]}, **rest)
    stage.answer("roll", "roll")
    return "c4" in stage.choices("move")


def comes_by_the_side_door(guest: str, **rest: Any) -> bool:
    """From outside onto a space that is not the steps."""
    stage = first_to_act(guest, dice={"move": [1, 1]}, **rest)
    stage.answer("roll", "roll")
    assert HOUSE.board.steps in stage.choices("move")
    return GUESTS[guest].ability.of in stage.choices("move")


def takes_the_passage(guest: str, **rest: Any) -> bool:
    """From one end to the other in a single step, both ways."""
    found: list[bool] = []
    one, other = GUESTS[guest].ability.of.split("-")
    for start, end in ((one, other), (other, one)):
        stage = first_to_act(
            guest,
            lambda g, at=start: (tiles(g, n9="clue"), stand(g, **{guest: at})),
            dice={"move": [1, 1]},
            **rest,
        )
        stage.answer("roll", "roll")
        found.append(end in stage.choices("move"))
    assert found[0] == found[1]
    return found[0]


def sees_tiles(guest: str, **rest: Any) -> bool:
    """What lies beside the space on which its turn ends."""
    stage = first_to_act(
        guest, lambda g: (tiles(g, a1="clue", c1="monster"), stand(g, **{guest: "a2"})), **rest
    )
    stage.roll_and("stay")
    assert "c1" not in [e["space"] for e in stage.told("tile_turned")]
    return [e["space"] for e in stage.told("tile_turned")] == ["a1"]


def voting(guest: str) -> Callable[[State], object]:
    """Everybody has acted; the guest and four more are alive."""

    def arrange(g: State) -> None:
        alive(g, guest, *[name for name in g.characters if name != guest][:4])
        ready(g)

    return arrange


def brings_a_vote(guest: str, **rest: Any) -> bool:
    """On top of one for each living guest."""
    stage = first_to_act(guest, voting(guest), **rest)
    own = sum(c.alive and c.owner == 0 for c in stage.view.characters)
    return stage.asked("vote", 0).shape.most == own + GUESTS[guest].ability.amount


def all_on(stage: Stage, *candidates: str) -> None:
    """Both players spread their tokens over these, by turns."""
    for seat in (0, 1):
        tokens = stage.asked("vote", seat).shape.most
        stage.answer("vote", *(candidates * tokens)[:tokens], seat=seat)


def loses_votes(guest: str, **rest: Any) -> bool:
    """Of those cast against it so many do not count."""
    stage = first_to_act(guest, voting(guest), **rest)
    other = next(name for name in GUESTS if name != guest)
    cast = sum(-(-stage.asked("vote", seat).shape.most // 2) for seat in (0, 1))
    all_on(stage, guest, other)
    counted = {e["character"]: e["votes"] for e in stage.told("votes_fell")}
    return counted[guest] == cast - GUESTS[guest].ability.amount


def is_lucky(guest: str, **rest: Any) -> bool:
    """Level with two others, and its die counts for more."""
    stage = first_to_act(guest, voting(guest), dice={"tie": [1, 2, 2]}, **rest)
    others = [name for name in GUESTS if name != guest][:2]
    stage.answer("vote", guest, *others, seat=0)
    if "vote" in stage.kinds():
        stage.answer("vote", *others, seat=1)
    return any(e["bonus"] for e in stage.told("tie_die_fell") if e["character"] == guest)


def keeps_its_relics(guest: str, **rest: Any) -> bool:
    """When the man has everybody discard one."""

    def arrange(g: State) -> None:
        tiles(g, n9="clue")
        stand(g, **{guest: "b1"})
        hold(g, 0, "hip_flask")

    stage = first_to_act(guest, arrange, dice={"man": [1]}, **rest)
    stage.roll_and("b2", "claim")
    stage.answer("face_the_man", "face")
    return stage.told("relic_discarded") == []


def fights_better(guest: str, **rest: Any) -> bool:
    """A head start in the challenge."""

    def arrange(g: State) -> None:
        voting(guest)(g)
        g.piles["challenge"].remove("pistols_in_the_fog")
        g.piles["challenge"].append("pistols_in_the_fog")

    stage = first_to_act(guest, arrange, **rest)
    all_on(stage, guest, next(name for name in GUESTS if name != guest))
    scored = {e["character"]: e["bonus"] for e in stage.told("challenge_scored")}
    return scored[guest] == GUESTS[guest].ability.amount


ABILITIES: dict[str, Callable[..., bool]] = {
    "long_stride": strides,
    "light_feet": walks_over_open_tiles,
    "thin_as_a_rake": squeezes_in,
    "side_door": comes_by_the_side_door,
    "secret_passage": takes_the_passage,
    "keen_eye": sees_tiles,
    "many_friends": brings_a_vote,
    "well_liked": loses_votes,
    "lucky_devil": is_lucky,
    "locked_purse": keeps_its_relics,
    "duellist": fights_better,
}


def test_every_ability_has_a_scene():
    """Nobody is left out."""
    assert sorted(ABILITIES) == sorted(known.ABILITIES)


@pytest.mark.parametrize("guest", GUESTS)
def test_each_guest(guest):
    """RULE-E23: it can do what is printed, and nothing more when abilities are switched off."""
    scene = ABILITIES[GUESTS[guest].ability.do]

    assert scene(guest)
    assert not scene(guest, abilities="off")


@pytest.mark.parametrize("guest", GUESTS)
def test_each_guest_with_anothers_ability(guest):
    """It is what is printed that counts, not the name."""
    another = next(printed for name, printed in GUESTS.items() if name != guest)
    scene = ABILITIES[GUESTS[guest].ability.do]

    assert not scene(guest, printed=another)


def test_a_dead_friend_brings_no_vote():
    """Ottoline Vane's favours die with her: one vote for each living guest is left."""

    def arrange(g: State) -> None:
        alive(g, *[name for name in g.characters if name != "ottoline_vane"][:6])
        ready(g)

    stage = first_to_act("ottoline_vane", arrange)
    for seat in (0, 1):
        own = sum(c.alive and c.owner == seat for c in stage.view.characters)
        assert stage.asked("vote", seat).shape.most == own


def test_a_dead_purse_is_open():
    """Prosper Pinch's player discards like everybody once he is gone."""

    def arrange(g: State) -> None:
        tiles(g, n9="clue")
        g.characters["prosper_pinch"].alive = False
        g.graveyard.append("prosper_pinch")
        stand(g, silas_mould="b1")
        hold(g, 0, "hip_flask")

    others = {name: GUESTS[name] for name in GUESTS if name not in ("prosper_pinch", "silas_mould")}
    last = {name: GUESTS[name] for name in ("silas_mould", "prosper_pinch")}
    content = replace(HOUSE, guests={**others, **last})
    stage = Stage(arrange, content=content, dice={"man": [1]}, seats=1)
    stage.roll_and("b2", "claim")
    stage.answer("face_the_man", "face")

    assert stage.told("relic_discarded") == [{"seat": 0, "relic": "hip_flask"}]


def test_no_vote_counts_for_less_than_nothing():
    """Birdie Malone with a single vote against her has none, and not one too few."""
    stage = first_to_act("birdie_malone", voting("birdie_malone"))
    others = [name for name in GUESTS if name != "birdie_malone"][:3]
    for seat in (0, 1):
        tokens = stage.asked("vote", seat).shape.most
        ballot = ["birdie_malone", *others] if seat == 0 else others
        stage.answer("vote", *(ballot * tokens)[:tokens], seat=seat)

    assert "birdie_malone" not in [e["character"] for e in stage.told("votes_fell")]
    assert "birdie_malone" not in stage.told("chosen")[0]["contestants"]


def test_the_thin_do_not_share_a_tile():
    """Silas Mould ends beside anybody, but a tile under somebody's feet is that guest's."""

    def arrange(g: State) -> None:
        tiles(g, b4="clue", n9="clue")
        stand(g, silas_mould="a4", hester_crumb="b4")

    stage = first_to_act("silas_mould", arrange, dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert "b4" not in stage.choices("move")


def test_light_feet_stop_at_what_nobody_has_turned():
    """Felix Marchetti does not step over a tile that lies face down."""

    def arrange(g: State) -> None:
        tiles(g, b4="clue", n9="clue")
        stand(g, felix_marchetti="a4")

    stage = first_to_act("felix_marchetti", arrange, dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert "b4" in stage.choices("move")
    assert "c4" not in stage.choices("move")


def test_nothing_is_to_be_seen_from_outside():
    """Madame Pell, still before the door, turns no tile."""
    stage = first_to_act("madame_pell")
    stage.roll_and("stay")

    assert stage.told("tile_turned") == []
