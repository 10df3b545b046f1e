"""The sensible computer player, and the time that it takes."""

from __future__ import annotations

import pytest

from engines.escape_the_night.game import GAME
from engines.kernel.chance import Chance
from engines.kernel.game import Choice
from tests.driving import own, play_out
from tests.games.escape_the_night.nights import opened
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    face_up,
    hold,
    pin,
    ready,
    recovered,
    stand,
    tiles,
)


def chosen(stage: Stage, seat: int = 0) -> tuple[str, ...] | None:
    """What the sensible player in that seat does now: its answer, or the relic it plays."""
    asked, offers = own(stage.play.asked, seat), own(stage.play.offers, seat)
    choice: Choice | None = GAME.agents["sensible"](
        stage.play.view(seat), asked, offers, Chance(b"choice")
    )
    if choice is None:
        return None
    choice.decision.check(choice.value)
    return choice.value


def walking(arrange, *dice: int) -> Stage:
    """Kate has rolled for movement."""
    stage = Stage(arrange, dice={"move": dice})
    stage.answer("roll", "roll")
    return stage


def test_it_enters_a_tile_within_reach():
    """A task that can be reached now is taken."""
    stage = walking(
        lambda g: (tiles(g, a1="clue", f1="clue", i6="clue"), stand(g, kate="c2")), 2, 2
    )

    assert chosen(stage) == ("a1",)


def test_it_walks_towards_a_task_out_of_reach():
    """It ends where the rest of the way is shortest."""
    stage = walking(
        lambda g: (tiles(g, f1="clue", a1="clue"), alive(g, "kate", "ben"), stand(g, kate="c5")),
        1,
        1,
    )

    assert chosen(stage) == ("c3",)


def test_it_claims_and_goes_on():
    """An artifact is claimed in passing, and a tile behind it entered with the steps left."""
    stage = Stage(
        lambda g: (tiles(g, f1="clue", i6="clue"), stand(g, kate="c2")),
        dice={"move": [5, 5], "man": [5]},
    )
    stage.answer("roll", "roll")
    assert chosen(stage) == ("b2",)
    stage.answer("move", "b2")
    assert chosen(stage) == ("claim",)
    stage.answer("move", "claim")
    assert chosen(stage) == ("f1",)


def test_it_gathers_in_the_circle_when_the_artifacts_are_complete():
    """With nothing left to do it goes to the circle and stays there."""

    def scene(g):
        g.tiles.clear()
        recovered(g, *tuple(g.artifacts.values()))
        stand(g, kate="g4")

    stage = walking(scene, 1, 2)
    (key,) = chosen(stage) or ("",)
    assert key in stage.view.board.ritual
    stage.answer("move", key)

    stage = walking(lambda g: (scene(g), stand(g, kate="f4")), 1, 2)
    assert chosen(stage) == ("stay",)


def test_one_is_enough_for_the_last_artifact():
    """The nearest fetches it while the others gather."""

    def scene(g):
        g.tiles.clear()
        recovered(g, "amulet", "bell")
        alive(g, "kate", "ben")
        stand(g, kate="d3", ben="g5")

    stage = walking(scene, 2, 2)
    (key,) = chosen(stage) or ("",)

    assert key in stage.view.board.ritual


def test_it_tries_an_open_tile_again():
    """Standing on its task it does not walk off."""
    stage = Stage(lambda g: (tiles(g, a1="clue"), face_up(g, "a1"), stand(g, kate="a1")))

    assert chosen(stage) == ("retry",)


def test_it_votes_for_those_farthest_from_any_task():
    """Whoever is at work stays alive."""

    def scene(g):
        alive(g, "ada", "ben", "cleo", "dora")
        ready(g)
        tiles(g, a1="clue", c1="clue")
        stand(g, ada="a1", ben="c2")
        face_up(g, "a1")

    stage = Stage(scene)

    assert set(chosen(stage) or ()) == {"cleo", "dora"}


@pytest.mark.parametrize(
    ("relic", "dice", "plays"),
    [("plus_two", [2, 3], True), ("plus_one", [2, 3], False), ("plus_one", [2, 4], True)],
)
def test_it_plays_a_bonus_that_turns_the_failure(relic, dice, plays):
    """Only when it is enough."""

    def scene(g):
        tiles(g, a1="clue")
        stand(g, kate="b1")
        hold(g, 0, relic)

    stage = Stage(scene, dice={"attempt": dice})
    stage.roll_and("a1")
    assert chosen(stage) == ("roll",)
    stage.answer("attempt", "roll")

    assert chosen(stage) == ((relic,) if plays else ("accept",))


def test_it_hastens_when_that_brings_a_task_within_reach():
    """Two more steps are worth a card only if they lead somewhere."""

    def scene(g):
        tiles(g, c1="clue", f1="clue", i6="clue")
        stand(g, kate="c4")
        hold(g, 0, "haste")

    near, far = walking(scene, 2, 2), walking(scene, 1, 1)

    assert chosen(near) == ("haste",)
    assert chosen(far) != ("haste",)


def test_it_raises_the_dead():
    """Another character is worth more than the card."""
    stage = Stage(lambda g: (alive(g, "kate", "ben", "iris"), ready(g), hold(g, 0, "rebirth")))

    assert chosen(stage) == ("rebirth",)


def test_it_discards_what_helps_least():
    """A reroll is kept before a card that it would not play."""

    def scene(g):
        tiles(g, f1="clue", i6="monster")
        stand(g, kate="b2")
        hold(g, 0, "again", "accusation")

    stage = Stage(scene, dice={"man": [1]})
    stage.roll_and("claim")
    stage.answer("face_the_man", "face")

    assert chosen(stage) == ("accusation",)


def test_it_fights_when_it_must():
    """A single option is taken."""
    assert chosen(Stage(lambda g: pin(g, "kate", "monster_0"))) == ("roll",)


def test_it_does_nothing_when_nothing_is_asked():
    """Another seat's turn is not its affair."""
    assert chosen(Stage(), seat=1) is None


def test_it_beats_chance():
    """On the small house it wins most nights, and random players nearly none."""

    def wins(agent):
        won = 0
        for seed in range(12):
            play = opened(3, bytes([seed]) * 32, hourglass="untimed")
            play_out(play, GAME.agents[agent], bytes([seed]))
            won += play.outcome is not None and play.outcome.won
        return won

    assert wins("sensible") >= 10
    assert wins("random") <= 2
