"""[Example of Play] and [In the Dark], move by move."""

from __future__ import annotations

from tests.games.fear_of_the_dark.box import tile, with_tiles
from tests.games.fear_of_the_dark.stage import (
    Stage,
    dangers,
    hand,
    kinds,
    location,
    lost,
    matches,
    maze,
    tiles,
)


def test_first_move_playing_it_safe():
    """[Example of Play] Walk, scout past a harmless Knockout, and light the next match."""
    stage = Stage(tiles("lair", "stores", "hall"), dangers("knockout"))
    stage.say("act strike", "build move_1 scout_1 light_1")
    stage.say("act play.move", "walk a4", "act play.scout")
    stage.say(*([f"rotate {stage.choices('rotate')[0]}"] if stage.kind == "rotate" else []))
    assert stage.told("danger_drawn")[0]["triggered"] is False
    assert stage.view.tiles_left == 2
    stage.say("act play.light", "build move_1 explore_1 clear_1 move_2 light_1")

    assert (stage.view.matches, len(stage.view.hand)) == (4, 5)


def test_walk_clear_investigate_walk_light():
    """[Example of Play] Two Moves of five cards, an item on the way, a room unchecked."""
    drawing = """
    +-D-+ +---+
    |...| |1..|
    D..@D D#..D
    |...| |...|
    +-D-+ +---+
    """
    stage = Stage(
        maze(drawing),
        hand("move", "clear", "explore", "move", "light"),
        matches(4),
        tiles("hall", "hall"),
        location("1", "scrap"),
    )
    stage.say("act play.clear", "act play.move", "walk b4", "act play.explore")
    assert stage.kept == ["scrap"]
    stage.say("act play.move", "walk b.e", "go_on stop", "act play.light")
    assert stage.kind == "build"

    assert len(stage.view.maze.rooms) == 3


def test_in_the_dark():
    """[In the Dark] Clear and walk for a card each; echo with danger; the next one scouted."""
    drawing = """
    +---+
    |...|
    |@#.D
    |...|
    +---+
    """
    stage = Stage(maze(drawing), matches(0), tiles("dread", "hall"), dangers("knockout"))
    stage.say("act give.clear", "give_up scout_1", "act give.move")
    stage.say("walk a.e", "give_up clear_1")

    assert stage.view.lost == "A6"
    assert [told["how"] for told in stage.told("tile_revealed")] == ["walk", "echo"]
    assert stage.view.tiles_left == 1
    assert len(stage.view.gone) == 2


def test_one_more_card_to_leave():
    """[In the Dark] With the deck empty one more card is given up for four steps and the exit."""
    content = with_tiles(porch=tile("+-D-+ |...| D...| |...| +---+"))
    drawing = """
    +---+
    |...|
    |..@D
    |...|
    +---+
    """
    stage = Stage(maze(drawing), lost("A6"), matches(0), tiles("echo", "porch"), content=content)
    stage.say("act give.move", "walk a.e", "give_up move_1")
    assert stage.kind == "rotate"
    stage.say(f"rotate {stage.choices('rotate')[0]}")
    (door,) = stage.view.exits
    events = stage.say("act give.move", f"walk {door.lower()}", "give_up move_2")

    assert kinds(events)[-2:] == ["went_out", "ended"]
    assert stage.told("walked")[-1]["steps"] == 3
    assert stage.outcome.won
