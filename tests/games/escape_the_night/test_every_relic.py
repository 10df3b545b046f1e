"""Each relic as printed: what it does, for whom it may be played, and when it fits nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from engines.escape_the_night.cards import Colour, Effect
from engines.escape_the_night.effects import known
from engines.escape_the_night.state import State
from tests.games.escape_the_night.house import ACTING, FRIEND, HELD, HOUSE, PLAN, TIRED
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    discard,
    face_up,
    hold,
    pin,
    ready,
    stand,
    tiles,
    top,
)

RELICS = HOUSE.relics
DEAD = "madame_pell"
CHALLENGE = "pistols_in_the_fog"


@dataclass(frozen=True)
class Moment:
    """How to come to where such a relic fits, what it then does, and where it would do nothing.

    ``lead`` are answers from Prosper Pinch's turn on. ``pointless``, if any, takes away what the
    relic acts upon; the lead is the same.
    """

    lead: tuple[tuple[str, str], ...]
    does: Callable[[Stage, Effect], None]
    pointless: Callable[[State], object] | None = None


def helps(stage: Stage, effect: Effect) -> None:
    """The roll counts for more, and the clue of seven is solved with four dice and more help."""
    assert stage.told("roll_helped")[0]["amount"] == effect.amount
    assert stage.told("clue_solved") if effect.amount >= 2 else stage.kinds() == ["accept"]


def rolls_again(stage: Stage, effect: Effect) -> None:
    """The new dice count."""
    assert stage.told("rerolled")[0]["dice"] == (6, 6)
    assert stage.told("clue_solved")


def hastens(stage: Stage, effect: Effect) -> None:
    """So many steps more than the six of the dice."""
    assert stage.view.steps_left == 6 + effect.amount


def brings_back(stage: Stage, effect: Effect) -> None:
    """The only one who is dead."""
    assert stage.told("raised")[0]["character"] == DEAD
    assert stage.character(DEAD).alive


def accuses(stage: Stage, effect: Effect) -> None:
    """Votes that no token cast."""
    stage.answer("accuse", FRIEND)
    for seat in (0, 1, 2):
        tokens = stage.asked("vote", seat).shape.most
        stage.answer("vote", *([TIRED, HELD] * tokens)[:tokens], seat=seat)
    assert {"character": FRIEND, "votes": effect.amount} in stage.told("votes_fell")


def excuses(stage: Stage, effect: Effect) -> None:
    """One of the holder's own cannot be named any more."""
    assert FRIEND not in stage.choices("alibi", 0)
    stage.answer("alibi", ACTING)
    assert ACTING not in stage.choices("vote", 1)


def supports(stage: Stage, effect: Effect) -> None:
    """Whoever the holder likes."""
    stage.answer("support", FRIEND)
    assert stage.told("supported")[0]["amount"] == effect.amount
    stage.hold_challenge()
    assert stage.told("challenge_scored")[1]["bonus"] == effect.amount


def spares(stage: Stage, effect: Effect) -> None:
    """The holder's guest loses and lives."""
    stage.hold_challenge()
    assert stage.told("challenge_lost")[0]["character"] == ACTING
    assert stage.told("spared") == [{"character": ACTING}]
    assert stage.told("died") == []


def reveals(stage: Stage, effect: Effect) -> None:
    """Tiles of the holder's choice."""
    for _ in range(effect.amount):
        stage.answer("reveal", stage.choices("reveal", 0)[0])
    assert len(stage.told("tile_turned")) == effect.amount


def foresees(stage: Stage, effect: Effect) -> None:
    """The holder alone sees them, and may put one under the deck."""
    assert stage.told(f"foreseen_{effect.of}") == []
    assert len(stage.told(f"foreseen_{effect.of}", 0)[0][f"{effect.of}s"]) == effect.amount
    card = stage.choices("foresee", 0)[1]
    stage.answer("foresee", card)
    assert stage.play._state.piles[effect.of][0] == card


def trades(stage: Stage, effect: Effect) -> None:
    """With one whom no monster holds."""
    assert HELD not in stage.choices("trade_places", 0)
    stage.answer("trade_places", FRIEND)
    assert (stage.where(ACTING), stage.where(FRIEND)) == ("g8", "b1")


def goes_through(stage: Stage, effect: Effect) -> None:
    """Out of the observatory without its door, and on from there."""
    space = next(s for s in stage.choices("through_wall", 0) if PLAN.rooms[s] == "chapel")
    stage.answer("through_wall", space)
    assert stage.where(ACTING) == space
    assert stage.kinds() == ["move"]


def rouses(stage: Stage, effect: Effect) -> None:
    """The only one who is exhausted."""
    assert stage.told("refreshed") == [{"character": TIRED}]


def silences(stage: Stage, effect: Effect) -> None:
    """The three on the die does not throw the finder out."""
    assert stage.told("man_foiled") == [{"character": ACTING}]
    assert stage.where(ACTING) == "b2"


def rolls_for_the_man(stage: Stage, effect: Effect) -> None:
    """The five that comes instead counts."""
    stage.answer("face_the_man", "face")
    assert [e["die"] for e in stage.told("man_rolled")] == [3, 5]
    assert stage.told("man_acted")[0]["result"] == "monster_rises"


def banishes(stage: Stage, effect: Effect) -> None:
    """The monster goes, nobody is the better for it, and the tile stays."""
    assert stage.character(HELD).monster is None
    assert stage.told("released")[0]["character"] == HELD
    assert "k3" in [tile.space for tile in stage.view.tiles]
    assert stage.character(HELD).slain == 0


def salvages(stage: Stage, effect: Effect) -> None:
    """The only one in the discard, apart from the card itself."""
    (salvaged,) = stage.told("relic_salvaged")
    assert salvaged["relic"] in stage.play.view(0).hand


def open_tiles(g: State) -> None:
    """Nothing lies face down."""
    face_up(g, *g.tiles)


def all_alive(g: State) -> None:
    """The graveyard is empty."""
    g.graveyard.clear()
    g.characters[DEAD].alive = True


def all_held(g: State) -> None:
    """There is nobody to trade places with."""
    alive(g, ACTING, HELD)


WALK = (("roll", "roll"),)
TRY = (*WALK, ("move", "a1"), ("attempt", "roll"))
CLAIM = (*WALK, ("move", "b2"), ("move", "claim"))
DOES: dict[str, Moment] = {
    "bonus": Moment(TRY, helps),
    "reroll": Moment(TRY, rolls_again),
    "haste": Moment(WALK, hastens),
    "rebirth": Moment((), brings_back, all_alive),
    "accuse": Moment((), accuses),
    "alibi": Moment((), excuses, lambda g: alive(g, FRIEND, HELD, "ottoline_vane")),
    "duel_bonus": Moment((), supports),
    "spare": Moment((), spares),
    "reveal_tiles": Moment((), reveals, open_tiles),
    "foresee": Moment((), foresees, lambda g: [pile.clear() for pile in g.piles.values()]),
    "trade_places": Moment((), trades, all_held),
    "through_wall": Moment(WALK, goes_through),
    "rouse": Moment((), rouses, lambda g: ready(g, *g.characters)),
    "silence_man": Moment(CLAIM, silences),
    "reroll_man": Moment(CLAIM, rolls_for_the_man),
    "banish": Moment((), banishes, lambda g: g.characters[HELD].__setattr__("monster", None)),
    "salvage": Moment((), salvages, lambda g: g.discards["relic"].clear()),
}
VOTE, DUEL = ("accuse", "alibi"), ("duel_bonus", "spare")
"""The kinds that fit a vote, and those that fit a challenge."""


def test_every_kind_has_a_moment():
    """No relic is left out."""
    assert sorted(DOES) == sorted(known.RELICS)


def scene(
    relic: str, holder: int = 0, arrange: Callable[[State], object] = lambda g: None
) -> Stage:
    """The relic is in that seat's hand, and its moment has come in Prosper Pinch's turn."""
    do = RELICS[relic].effect.do
    moment = DOES[do]

    def position(g: State) -> None:
        clear = do in ("silence_man", "reroll_man")
        lying: dict[str, Colour] = {"n9": "clue", "l1": "clue", "k3": "monster"}
        if not clear:
            lying["a1"] = "clue"
        tiles(g, **lying)
        face_up(g, "k3")
        stand(g, **{ACTING: "b1", FRIEND: "g8", HELD: "k3"})
        pin(g, HELD, "wax_aunt")
        g.characters[DEAD].alive = False
        g.graveyard.append(DEAD)
        ready(g, *(c for c in g.characters if c != TIRED))
        top(g, "clue", "servants_bells")
        others = [r for r in g.content.relics if r != relic]
        discard(g, "relic", others[0])
        discard(g, "monster", "first_owner")
        hold(g, holder, relic)
        if do in (*VOTE, *DUEL):
            ready(g)
            top(g, "challenge", CHALLENGE)
        arrange(g)

    dice: dict[str, Any] = {"attempt": [2, 3, 6, 6], "move": [3, 3], "man": [3, 5]}
    dice["duel"] = [1, 1, 6, 6]
    stage = Stage(position, seats=3, content=HOUSE, dice=dice, abilities="off")
    if do in DUEL:
        for seat in (0, 1, 2):
            tokens = stage.asked("vote", seat).shape.most
            stage.answer("vote", *([ACTING, FRIEND] * tokens)[:tokens], seat=seat)
        assert {*stage.told("chosen")[0]["contestants"]} == {ACTING, FRIEND}
    for kind, key in moment.lead:
        stage.answer(kind, key)
    return stage


@pytest.mark.parametrize("relic", RELICS)
def test_each_relic_does_what_it_says(relic):
    """Played in its moment it is offered, told, and gone to the discard; and it has its effect."""
    stage = scene(relic)
    assert stage.offered(0) == (relic,)
    stage.play_relic(0, relic)

    assert stage.told("relic_played") == [{"seat": 0, "relic": relic}]
    assert relic not in stage.play.view(0).hand
    DOES[RELICS[relic].effect.do].does(stage, RELICS[relic].effect)


@pytest.mark.parametrize("relic", RELICS)
def test_each_relic_in_another_players_hand(relic):
    """RULE-E13: in somebody else's turn it fits if it says so; a vote is nobody's turn."""
    stage = scene(relic, holder=1)
    shared = RELICS[relic].anyone or RELICS[relic].effect.do in (*VOTE, *DUEL)

    assert stage.offered(1) == ((relic,) if shared else ())


@pytest.mark.parametrize("relic", RELICS)
def test_each_relic_when_it_fits_nothing(relic):
    """With nothing to act upon, or in another moment, it stays in the hand unoffered."""
    do = RELICS[relic].effect.do
    pointless = DOES[do].pointless
    if pointless is not None:
        assert scene(relic, 0, pointless).offered(0) == ()
    else:
        # A vote for what helps in turns, a turn for what helps in votes and challenges.
        stage = Stage(
            lambda g: (
                hold(g, 0, relic),
                ready(g, *([] if do not in (*VOTE, *DUEL) else g.characters)),
            ),
            seats=3,
            content=HOUSE,
            abilities="off",
        )
        assert stage.kinds()[0] == ("roll" if do in (*VOTE, *DUEL) else "vote")
        assert stage.offered(0) == ()
