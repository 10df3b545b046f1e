"""The sensible computer player: what it does in one situation after another."""

from __future__ import annotations

from tests.games.fear_of_the_dark.sensible import acted
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    hand,
    keep,
    leak,
    location,
    lost,
    matches,
    maze,
    minds,
    tiles,
)

HALL = """
+-D-+
|...|
D.@.|
|...|
+---+
"""
CORRIDOR = """
+---+ +---+ +---+
|@..| |...| |...|
|...D D...D D...D
|...| |...| |...|
+---+ +---+ +---+
"""


def test_it_looks_before_it_walks():
    """With a Scout card in hand and an unknown door before it, it scouts."""
    stage = Stage(maze(ALONE), lost("A2"), hand("scout", "move", "light"), tiles("lair", "hall"))

    assert acted(stage)[0] == "act play.scout"


def test_it_goes_to_a_door_before_it_scouts():
    """It stops in front of the door with the least useful card, and keeps Scout and Move."""
    stage = Stage(
        maze(HALL), lost("A8"), hand("scout", "move", "clear", "light"), tiles("lair", "hall")
    )

    first, _, last = acted(stage, 3)
    assert (first, last) == ("act two_steps", "plain_card clear_1")
    assert stage.view.lost in {"A2", "A4"}
    assert set(stage.hand) == {"scout", "move", "light"}


def test_a_light_for_the_next_hand_is_the_last_card():
    """Light a match builds five for one match, so it is kept to the end and then played."""
    stage = Stage(maze(ALONE), hand("move", "light"), matches(3), tiles("passage", "hall", "pit"))

    assert acted(stage)[0] == "act play.move"
    while stage.hand != ["light"]:
        acted(stage)
    while stage.kind != "act":
        acted(stage)
    assert acted(stage)[0] == "act play.light"


def test_a_hand_holds_a_light_a_look_and_steps():
    """On open ground it takes Light, Scout and Moves."""
    stage = Stage(maze(ALONE), matches(3), tiles("hall", "passage"))
    stage.say("act strike")

    kind, *cards = acted(stage)[0].split()
    assert kind == "build"
    assert set(stage.hand) == {"light", "scout", "move"}
    assert len(cards) == 3


def test_the_last_hand_has_no_light():
    """Without a match left, Light a match is of no use, and it takes what walks."""
    stage = Stage(maze(ALONE), matches(1), tiles("hall", "passage"))
    stage.say("act strike", "confirm_match yes")
    acted(stage)

    assert "light" not in stage.hand
    assert "move" in stage.hand


def test_a_hand_fits_what_bars_the_way():
    """A hole before the only door wants a Tiptoe, an obstruction a Clear."""
    for mark, action in (("O", "tiptoe"), ("#", "clear")):
        stage = Stage(
            maze(f"+---+\n|@..|\n|..{mark}D\n|...|\n+---+"),
            matches(3),
            hand("light"),
            tiles("hall", "passage"),
        )
        stage.say("act play.light")
        acted(stage)
        assert action in stage.hand


def test_it_clears_what_bars_the_only_way():
    """It goes beside the obstruction and clears it."""
    stage = Stage(
        maze("+---+\n|..@|\n|..#D\n|...|\n+---+"), hand("clear", "move", "light"), tiles("hall")
    )

    assert acted(stage)[0] == "act play.clear"
    assert not stage.view.maze.tokens


def test_it_explores_what_lies_beside_it():
    """An item at arm's length is taken by an Explore card."""
    stage = Stage(
        maze("+---+\n|.1.|\n|.@.D\n|...|\n+---+"),
        hand("explore", "move", "light"),
        location("1", "match", "scrap"),
        tiles("hall"),
    )

    assert acted(stage)[0] == "act play.explore"
    assert stage.kept == ["match"]


def test_a_match_is_used_at_once_and_paper_with_the_last_card():
    """A match gains from nothing, paper from an empty hand."""
    stage = Stage(maze(ALONE), keep("match", "scrap"), hand("move", "light"), matches(3),
                  tiles("hall"))  # fmt: skip
    assert acted(stage)[0] == "act use.match"
    assert acted(stage)[0] != "act use.scrap"

    stage = Stage(maze(ALONE), keep("scrap"), hand("light"), matches(3), tiles("hall"))
    assert acted(stage)[0] == "act use.scrap"


def test_a_key_opens_the_way():
    """Beside a lock on the only way to a door it uses its key."""
    bars = "+---+\n|..@|\n|..XD\n|...|\n+---+"
    stage = Stage(maze(bars), keep("key"), hand("move", "light"), tiles("hall"))

    assert acted(stage)[0] == "act use.key"


def test_it_chooses_between_two_locks_or_obstructions():
    """It turns to the one on the way, not to the other."""
    bars = "+---+\n|.X.|\n|.@XD\n|..X|\n+---+"
    stage = Stage(maze(bars), keep("key"), hand("move"), tiles("hall"))
    stage.say("act use.key")
    assert acted(stage)[0] == "unlock a6"

    stage = Stage(maze(bars.replace("X", "#")), hand("move", "clear"), tiles("hall"))
    stage.say("act play.clear")
    assert acted(stage)[0] == "clear a6"


def test_a_lever_opens_the_way():
    """Of two locks it removes the one that bars a door, not the one in a corner."""
    bars = "+---+\n|X1.|\n|.@XD\n|..X|\n+---+"
    stage = Stage(
        maze(bars), hand("explore", "move"), location("1", "lever"), tiles("hall", "passage")
    )

    assert acted(stage, 2) == ["act play.explore", "lever a6"]


def test_it_goes_around_the_leak():
    """Where a way in the dry is as good, it does not lose its hand."""
    pools = """
    +---+ +---+ +---+
    |...| |...| |...|
    D...D D.@.D D...D
    |...| |...| |...|
    +---+ +---+ +---+
    """
    stage = Stage(
        maze(pools), leak("A"), hand("move", "move", "light"), matches(2), tiles("hall", "pit")
    )
    acted(stage, 2)

    assert stage.view.lost[0] in "CD"
    assert stage.hand


def test_it_leaves_as_soon_as_it_can():
    """With no tile left and a door within a Move, it walks out, be it dark or light."""
    for held in ((), ("move", "scout"), ("clear", "tiptoe")):
        stage = Stage(maze(ALONE), hand(*held), tiles(), matches(2))
        acted(stage, 3)
        assert stage.outcome.won


def test_it_runs_for_the_exit_in_the_dark():
    """Without matches the exit is worth any card, until none is left."""
    stage = Stage(maze(CORRIDOR), tiles(), matches(0), minds("clear", "explore", "light"))
    acted(stage, 20)

    assert stage.outcome.won


def test_it_gives_up_what_it_will_miss_least():
    """In the dark an Explore goes first; Light and Move stay."""
    stage = Stage(maze(ALONE), matches(0), tiles("hall", "pit"))
    answers = acted(stage, 3)

    assert "give_up explore_1" in answers


def test_a_lie_with_a_way_on_is_chosen():
    """Of two lies it takes the one whose second door is not behind a hole."""
    stage = Stage(
        maze("+-D-+\n|.@.|\n|...|\n|...|\n+---+"), hand("scout", "move", "light"), tiles("pit")
    )
    stage.say("act play.scout")
    if stage.kind == "rotate":
        acted(stage)

    room = stage.view.maze.rooms["B"]
    assert room.fields[7] == "."


def test_a_map_and_a_secret_door_are_followed():
    """Both are turned to the way ahead: a wall with nothing behind it, and the nearest door."""
    nook = "+---+\n|.A.|\n|.@.|\n|...|\n+-D-+"
    stage = Stage(
        maze(nook), hand("explore", "move"), location("A", "door", "map"), tiles("hall", "passage")
    )
    acted(stage, 2)
    side = stage.told("secret_door_opened")[0]["side"]
    assert stage.view.maze.door("A", side) == "dark"

    shop = "+-D-+\n|...|\nD...D\n|A@.|\n+-D-+"
    stage = Stage(
        maze(shop),
        hand("explore", "move"),
        location("A", "map"),
        tiles("hall", "passage"),
        difficulty="easy",
    )
    assert acted(stage, 2) == ["act play.explore", "map a.s"]


# No pacing to and fro

BEHIND_RUBBLE = """
+---+ +-D-+
|2.O| |.O.|
D.#.D D.@XD
|O..| |.#.|
+---+ +-D-+
"""


def test_it_does_not_pace_between_a_hole_and_rubble():
    """Each way on is a card or two away, and the first match or the next leads to a new room."""
    held = ("explore", "light", "move", "scout", "tiptoe")
    stage = Stage(
        maze(BEHIND_RUBBLE), hand(*held), matches(4), location("2", "key", "match"),
        tiles("hall", "passage", "pit"),
    )  # fmt: skip
    while stage.view.matches >= 3 and not stage.told("tile_revealed"):
        acted(stage)

    assert stage.told("tile_revealed")
