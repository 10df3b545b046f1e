"""Each artifact, secret room and line of the Mysterious Man as printed."""

from __future__ import annotations

from typing import Any

import pytest

from engines.escape_the_night.cards import Colour
from engines.escape_the_night.state import State
from tests.games.escape_the_night.house import HOUSE, PLAN
from tests.games.escape_the_night.stage import Stage, face_up, ready, stand, tiles

ROOMS, ARTIFACTS = HOUSE.secret_rooms, HOUSE.artifacts

# Artifacts


def beside(space: str) -> str:
    """A space of the same room next to it, without a circle."""
    return next(s for s in PLAN.neighbours[space] if s not in HOUSE.board.circles)


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_each_artifact_is_claimed_in_passing(artifact):
    """In its clear room it goes to the mantle, and its finder walks on. RULE-E34."""
    space = HOUSE.board.triangles[ARTIFACTS[artifact].room]
    stage = Stage(
        lambda g: (tiles(g), stand(g, avis_swift=beside(space)), ready(g, "avis_swift")),
        content=HOUSE,
        seats=1,
        dice={"man": [6], "move": [3, 3]},
        abilities="off",
    )
    stage.roll_and(space, "claim")

    assert stage.view.mantle == (artifact,)
    assert stage.told("artifact_recovered")[0]["space"] == space
    assert stage.told("man_rolled")[0]["die"] == 6
    assert stage.kinds() == ["exhaust"] or "stop" in stage.choices("move")


@pytest.mark.parametrize("artifact", ARTIFACTS)
def test_each_artifact_stays_while_a_tile_is_left(artifact):
    """C-E3: each circle of its room guards it alone, and those of the other rooms do not."""
    room = ARTIFACTS[artifact].room
    space = HOUSE.board.triangles[room]
    for circle in (s for s in HOUSE.board.circles if PLAN.rooms[s] == room):
        guard: dict[str, Colour] = {circle: "clue"}
        stage = Stage(
            lambda g, lying=guard: (
                tiles(g, **lying),
                stand(g, avis_swift=space),
                ready(g, "avis_swift"),
            ),
            content=HOUSE,
            seats=1,
            abilities="off",
        )
        stage.answer("roll", "roll")
        assert "claim" not in stage.choices("move")

    elsewhere: dict[str, Colour] = {s: "clue" for s in HOUSE.board.circles if PLAN.rooms[s] != room}
    stage = Stage(
        lambda g: (tiles(g, **elsewhere), stand(g, avis_swift=space), ready(g, "avis_swift")),
        content=HOUSE,
        seats=1,
        abilities="off",
    )
    stage.answer("roll", "roll")
    assert stage.choices("move")[0] == "claim"


# Secret rooms


def at_the_door(room: str, start: str = "h4", **rest: Any) -> Stage:
    """The room lies over the dining room, and Avis Swift is about to walk."""

    def arrange(g: State) -> None:
        tiles(g, a1="clue", n9="clue")
        stand(g, avis_swift=start)
        ready(g, "avis_swift")
        rest.get("arrange", lambda g: None)(g)

    stage = Stage(
        arrange,
        content=HOUSE,
        seats=1,
        dice={"move": [3, 3]},
        picks={"setup.secret_room": [list(ROOMS).index(room)]},
        secret_room="on",
        abilities="off",
    )
    assert stage.view.dining == room
    stage.answer("roll", "roll")
    return stage


@pytest.mark.parametrize("room", ROOMS)
def test_each_secret_room_has_its_effect(room):
    """RULE-E33: on whoever comes in and ends the move there."""
    stage = at_the_door(room)
    stage.answer("move", "h5")

    assert stage.told("secret_room_entered") == [{"character": "avis_swift", "room": room}]
    match ROOMS[room].effect.do:
        case "foresee":
            assert len(stage.choices("foresee")) == 1 + ROOMS[room].effect.amount
            stage.answer("foresee", "keep")
        case "reveal_tiles":
            stage.answer("reveal", "n9")
            assert stage.told("tile_turned")[0]["space"] == "n9"
        case do:
            assert do == "spirit_away"
            stage.answer("spirit_away", "a4")
            assert stage.where("avis_swift") == "a4"


@pytest.mark.parametrize("room", ROOMS)
def test_each_secret_room_leaves_alone_who_passes_or_stays(room):
    """RULE-E33: not on the way through, nor for steps inside."""
    through, inside = at_the_door(room), at_the_door(room, "h5")
    through.answer("move", "h8")
    inside.answer("move", "g5")

    assert through.told("secret_room_entered") == inside.told("secret_room_entered") == []


@pytest.mark.parametrize("room", ROOMS)
def test_each_secret_room_when_there_is_nothing_to_do(room):
    """No card, no tile, no wish to go: the turn is over all the same."""
    stage = at_the_door(room, arrange=lambda g: (face_up(g, *g.tiles), g.piles["relic"].clear()))
    stage.answer("move", "h5")
    if ROOMS[room].effect.do == "spirit_away":
        stage.answer("spirit_away", "stay")
        assert stage.where("avis_swift") == "h5"
    else:
        assert len(stage.told("nothing_came_of_it")) == 1
    assert stage.character("avis_swift").exhausted or stage.view.round == 2


# The Mysterious Man


@pytest.mark.parametrize("side", ["first", "second"])
@pytest.mark.parametrize("die", range(1, 7))
def test_each_face_of_the_man(side, die):
    """RULE-E1, C-E26: each face brings the line that is printed for it, and the night goes on."""

    def arrange(g: State) -> None:
        tiles(g, n9="clue")
        stand(g, avis_swift="b1", birdie_malone="g8", felix_marchetti="h8")
        g.round = 10 if side == "second" else 1

    stage = Stage(
        arrange,
        content=HOUSE,
        seats=3,
        dice={"man": [die], "man_again": [2]},
        abilities="off",
        hourglass="untimed",
    )
    while stage.view.acting != "avis_swift":
        stage.roll_and("stay")
    stage.roll_and("b2", "claim")

    (line,) = [r for r in HOUSE.mysterious[side] if die in r.faces]
    (acted,) = stage.told("man_acted")
    assert (acted["die"], acted["side"], acted["result"]) == (die, side, line.effect.do)
    assert stage.play.asked
