"""[Secrets] Information, the map and the door, which resolve when they are found."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fear_of_the_dark.stage import (
    BOTH,
    Stage,
    hand,
    location,
    maze,
    tiles,
)


def beside(*arrange, **options: Any) -> Stage:
    """The Lost between both, with two Explore cards in hand."""
    return Stage(maze(BOTH), hand("explore", "explore"), *arrange, **options)


def secret(kind: str, *arrange, drawing: str = BOTH) -> Stage:
    """In the Light such a secret has just been explored."""
    stage = Stage(
        maze(drawing), hand("explore", "move"), location("A", kind), location("1"), *arrange
    )
    stage.say("act play.explore")
    return stage


def test_rule_f30_information_shows_both_items_of_that_location():
    """RULE-F30: those of the item location with the secret's number, and they stay in order."""
    stage = Stage(
        maze(BOTH.replace(".A.", ".C.")),
        hand("explore", "move"),
        location("C", "information"),
        location("3", "key", "lever"),
        location("1"),
    )
    before = [list(pile) for pile in stage.state.items]
    stage.say("act play.explore")

    assert stage.told("information_found") == [{"location": 3, "items": ("lever", "key")}]
    assert [item.kind for item in stage.view.locations[2].known] == ["lever", "key"]
    assert stage.state.items == before
    assert stage.kept == []


def test_rule_f30_what_was_shown_and_taken_is_known_no_longer():
    """RULE-F30: after one of the two is found, the other is known still."""
    stage = beside(location("A", "information"), location("1", "key", "scrap"))
    stage.say("act play.explore", "explore a2", "act play.explore")

    assert stage.kept == ["key"]
    assert [item.kind for item in stage.view.locations[0].known] == ["scrap"]


def test_rule_f30_information_about_nothing():
    """RULE-F30: with no item left there it shows none."""
    stage = secret("information")

    assert stage.told("secret_without_effect") == [{"secret": "information", "reason": "no_items"}]
    assert stage.view.locations[0].known == ()


def test_what_a_secret_was_is_told():
    """[Secrets] All learn the kind, the field and what is left at the location."""
    (told,) = secret("information").told("secret_found")

    assert told.pop("tale") in [f"information_{n}" for n in range(1, 5)]
    assert told == {"secret": "information", "field": "A2", "location": 1, "left": 0}


def test_rule_f28_a_map_from_any_unused_door():
    """RULE-F28: however far away the door is, the room is placed there, and the Lost stays."""
    drawing = """
    +-D-+ +-D-+
    |.A.| |...|
    |.@.D D...D
    |...| |...|
    +---+ +---+
    """
    stage = secret("map", tiles("passage", "hall"), drawing=drawing)
    assert stage.choices("map") == ("a.n", "b.n", "b.e")
    assert stage.option("map", "b.e").about == {"room": "B", "tile": "laid_b", "side": "e"}
    stage.say("map b.e")

    assert stage.view.maze.rooms["C"].x == 2
    assert stage.view.lost == "A5"
    assert stage.told("tile_revealed")[0]["how"] == "map"


def test_rule_f28_a_mapped_room_may_be_turned():
    """RULE-F14, RULE-F28: it is placed like any other, its door meeting the one that was chosen."""
    stage = secret("map", tiles("corner", "hall"))
    stage.say("map a.n")

    assert stage.kind == "rotate"
    assert stage.asked("rotate").about["how"] == "map"


@pytest.mark.parametrize(
    ("arrange", "reason"),
    [((tiles(),), "no_tiles"), ((tiles("hall"),), "no_door")],
)
def test_rule_f28_a_map_to_nowhere(arrange, reason):
    """RULE-F28: with no tile left, or no unused door, it has no effect."""
    walls = BOTH.replace("-D-", "---").replace("D.@1D", "|.@1|")
    drawing = walls if reason == "no_door" else BOTH
    more = (location("B", "door"),) if reason == "no_door" else ()
    stage = Stage(
        maze(drawing.replace("|...|", "|..B|")),
        hand("explore", "move"),
        location("A", "map"),
        location("1"),
        *arrange,
        *more,
    )
    stage.say("act play.explore")

    assert stage.told("secret_without_effect") == [{"secret": "map", "reason": reason}]


def test_rule_f29_a_secret_door_in_any_empty_wall():
    """RULE-F29: every side without a door, of every room, is offered; then it is a door."""
    drawing = """
    +---+ +---+
    |.A.| |...|
    |.@.D D...|
    |...| |...|
    +---+ +---+
    """
    stage = secret("door", tiles("hall"), drawing=drawing)
    assert stage.choices("secret_door") == ("a.n", "a.s", "a.w", "b.n", "b.e", "b.s")
    assert stage.option("secret_door", "b.e").about == {
        "room": "B",
        "tile": "laid_b",
        "side": "e",
        "new": True,
    }
    stage.say("secret_door b.e")

    assert stage.view.doors == ("B.e",)
    assert stage.view.maze.rooms["B"].secret_doors == ("e",)
    assert stage.view.secret_doors_left == 1
    assert stage.told("secret_door_opened") == [{"room": "B", "side": "e"}]


def test_rule_f29_a_neighbours_wall_opens_too():
    """RULE-F29: between two rooms one token makes a way, whichever wall is named."""
    drawing = """
    +-D-+ +---+
    |.A.| |...|
    |.@.| |...|
    |...| |...|
    +---+ +---+
    """
    for wall in ("a.e", "b.w"):
        stage = secret("door", tiles("hall"), drawing=drawing)
        assert stage.option("secret_door", wall).about["new"] is False
        stage.say(f"secret_door {wall}")
        view = stage.view

        assert view.maze.door("A", "e") == view.maze.door("B", "w") == "open"
        assert "B4" in view.maze.near("A6")
        assert view.secret_doors_left == 1


def test_rule_f29_a_door_that_met_a_wall_is_opened():
    """RULE-F29: where a neighbour has a door already, the wall that shut it becomes one."""
    drawing = """
    +-D-+ +---+
    |.A.| |...|
    |.@.| D...|
    |...| |...|
    +---+ +---+
    """
    stage = secret("door", tiles("hall"), drawing=drawing)
    assert stage.view.maze.door("B", "w") == "shut"
    stage.say("secret_door a.e")

    assert stage.view.maze.door("B", "w") == "open"
    assert stage.view.maze.rooms["B"].secret_doors == ()


def test_rule_f29_a_secret_door_may_be_the_exit():
    """RULE-F29: with no tile left, out through it is the win."""
    drawing = BOTH.replace("-D-", "---").replace("D.@1D", "|.@1|")
    stage = secret("door", tiles(), drawing=drawing)
    stage.say("secret_door a.w", "act play.move", "walk a.w")

    assert stage.outcome.ending == "escaped"


def test_rule_f29_a_room_can_be_revealed_through_it():
    """RULE-F29: it is a door like any other from then on."""
    drawing = BOTH.replace("-D-", "---").replace("D.@1D", "|.@1|")
    stage = secret("door", tiles("hall", "hall"), drawing=drawing)
    stage.say("secret_door a.w", "act play.move", "walk a.w")

    assert stage.view.maze.door("A", "w") == "open"


@pytest.mark.parametrize(("left", "reason"), [(0, "no_tokens"), (2, "no_wall")])
def test_rule_f29_without_token_or_wall(left, reason):
    """RULE-F29: both tokens used, or no wall left: no effect."""
    drawing = BOTH if reason == "no_wall" else BOTH.replace("D.@1D", "|.@1D")
    stage = secret("door", lambda g: setattr(g, "secret_doors", left), drawing=drawing)

    assert stage.told("secret_without_effect") == [{"secret": "door", "reason": reason}]
    assert stage.kind == "act"


def test_secrets_are_gone_when_they_are_resolved():
    """[Card Layout] They resolve at once; none is kept."""
    stage = secret("information")

    assert stage.kept == []
    assert stage.state.told_secrets == ["information_1"]
