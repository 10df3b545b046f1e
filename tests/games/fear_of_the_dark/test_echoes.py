"""[Special rooms] The dark echo: danger first, then it goes, and the next tile takes its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.games.fear_of_the_dark.box import tile, with_tiles
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    hand,
    kinds,
    location,
    lost,
    maze,
    minds,
    tiles,
)


def walked(*names: str, cards: tuple[str, ...] = (), **options: Any) -> Stage:
    """In the Dark the Lost steps out of the west door, where these tiles come up."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(*names), dangers(*cards), **options)
    stage.say("act give.move", "walk a.w", "give_up move_1")
    return stage


def scouted(*names: str, cards: tuple[str, ...] = ()) -> Stage:
    """The same door, scouted."""
    stage = Stage(maze(ALONE), lost("A4"), hand("scout", "move"), tiles(*names), dangers(*cards))
    stage.say("act play.scout")
    return stage


def test_rule_f17_the_echo_goes_and_the_next_tile_comes():
    """RULE-F17: the Lost is back in front of the door, and the replacement lies behind it."""
    stage = walked("echo", "hall", "hall")
    view = stage.view

    assert view.lost == "A4"
    assert list(view.maze.rooms) == ["A", "C"]
    assert (view.maze.rooms["C"].x, view.maze.rooms["C"].y) == (-1, 0)
    assert stage.told("echo_faded") == [{"room": "B", "tile": "echo"}]
    assert stage.told("returned") == [{"field": "A4"}]


def test_rule_f17_the_move_is_over():
    """RULE-F17: with three steps left nobody is asked where to."""
    assert walked("echo", "hall", "hall").kind == "act"


def test_rule_f17_the_replacement_is_scouted():
    """RULE-F17: in the room that follows a walked echo, cards with the walk icon do nothing."""
    stage = walked("echo", "lair", "hall", cards=("terror",))

    (told,) = stage.told("danger_drawn")
    assert (told["how"], told["triggered"]) == ("echo", False)
    assert stage.view.lost == "A4"
    assert not stage.view.terrors


def test_rule_f17_leakage_takes_hold_of_the_replacement():
    """RULE-F17: what survives scouting works there as well; the hand is kept outside."""
    stage = scouted("echo", "lair", "hall", cards=("leakage",))

    assert stage.view.maze.rooms["C"].leakage
    assert stage.hand == ["move"]


def test_rule_f17_an_echo_behind_an_echo():
    """RULE-F17: the next tile may be an echo too, and goes as well."""
    stage = walked("echo", "echo_2", "hall", "hall")

    assert list(stage.view.maze.rooms) == ["A", "D"]
    assert [told["room"] for told in stage.told("echo_faded")] == ["B", "C"]
    assert len(stage.told("returned")) == 1
    assert stage.view.tiles_left == 1


def test_rule_f17_a_discarded_echo_counts_as_revealed():
    """RULE-F17: it is out of the deck, and letters go on after it."""
    stage = walked("echo", "hall", "hall")

    assert stage.view.tiles_left == 1
    assert stage.view.revealed == 2


def test_c_f18_the_last_echo_leaves_a_way_out():
    """C-F18, RULE-F17: with an empty deck nothing is placed, and through that door is the win."""
    stage = walked("echo")
    assert list(stage.view.maze.rooms) == ["A"]
    assert "A.w" in stage.view.exits
    stage.say("act give.move", "walk a.w", "give_up move_2")

    assert stage.outcome.ending == "escaped"


def test_rule_f36_an_echo_is_not_turned_about():
    """RULE-F36: it will not stay, so only the replacement's lie is asked about."""
    odd = tile("+-D-+ |1..| |...D |...| +---+", echo=True)
    stage = walked("odd", "corner", "hall", content=with_tiles(odd=odd))

    assert stage.kind == "rotate"
    assert stage.asked("rotate").about["tile"] == "corner"
    assert stage.asked("rotate").about["how"] == "echo"


def test_first_the_danger_then_the_echo():
    """[In the Dark] The card is resolved while the Lost is in the room that is to go."""
    stage = Stage(
        maze(ALONE), lost("A4"), hand("move", "scout"), tiles("dread", "hall"), dangers("propuh")
    )
    heard = kinds(stage.say("act play.move", "walk a.w"))

    assert heard[2:7] == ["tile_placed", "walked", "danger_drawn", "darkness_fell", "echo_faded"]
    assert stage.hand == []


@pytest.mark.parametrize("difficulty", ["normal", "hard", "very_hard"])
@pytest.mark.parametrize("kind", ["collapse", "locking"])
def test_c_f12_an_echo_that_collapses_or_locks_is_the_end(kind, difficulty):
    """C-F12: whoever walks into echo and danger, and it is one of these, is lost at once."""
    stage = walked("dread", "hall", cards=(kind,), difficulty=difficulty)

    assert stage.outcome.ending == "dark_echo"
    assert not stage.outcome.won
    assert stage.view.lost == "A4"
    assert "returned" not in stage.heard()
    assert "token_placed" not in stage.heard()


@pytest.mark.parametrize("kind", ["collapse", "locking"])
def test_c_f13_on_easy_play_goes_on(kind):
    """C-F13, RULE-F18: no death on Easy; no token either, for there the Lost stands again."""
    stage = walked("dread", "hall", "hall", cards=(kind,), difficulty="easy")

    assert not stage.is_over
    assert stage.view.lost == "A4"
    assert stage.view.maze.tokens == {}
    assert stage.told("danger_without_effect") == [{"danger": kind, "reason": "standing_there"}]
    assert "C" in stage.view.maze.rooms


@pytest.mark.parametrize("kind", ["collapse", "locking"])
def test_c_f15_no_instant_death_for_who_scouts(kind):
    """C-F15: of a scouted echo with a danger icon the walk-only cards fail."""
    stage = scouted("dread", "hall", "hall", cards=(kind,))

    assert not stage.is_over
    assert stage.told("danger_drawn")[0]["triggered"] is False
    assert stage.view.maze.tokens == {}


@pytest.mark.parametrize("kind", ["collapse", "locking"])
def test_rule_f15_a_blocked_echo_kills_too(kind):
    """RULE-F15, C-F12: the Lost stayed at the door, but the card triggered all the same."""
    stage = walked("dead_dread", "hall", cards=(kind,))

    assert "blocked" in stage.heard()
    assert stage.outcome.ending == "dark_echo"


def test_rule_f17_who_never_entered_does_not_return():
    """RULE-F15, RULE-F17: of a blocked or scouted echo nobody comes back, and none is told to."""
    blocked = walked("dead_dread", "hall", "hall", cards=("knockout",))

    assert "returned" not in blocked.heard()
    assert "returned" not in scouted("echo", "hall").heard()


def test_rule_f17_the_leakage_token_comes_back():
    """RULE-F17: an echo under water takes the hand and then goes with its token."""
    stage = Stage(
        maze(ALONE), lost("A4"), hand("move", "scout"), tiles("dread", "hall"), dangers("leakage")
    )
    stage.say("act play.move", "walk a.w")

    assert stage.hand == []
    assert not stage.view.leaking
    assert not any(room.leakage for room in stage.view.maze.rooms.values())


def test_rule_f17_tokens_of_an_echo_are_not_placed():
    """RULE-F17: it goes before tokens are laid, so none is missing afterwards."""
    stage = walked("dead_dread", "hall", "hall", cards=("knockout",))

    assert stage.view.maze.tokens == {}
    assert stage.view.obstructions_left == 10


def test_a_knockout_on_the_last_echo_brings_another_tile():
    """RULE-F17, RULE-F19: the danger comes first, so the deck is not empty any more."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        tiles("dread"),
        lambda g: setattr(g, "aside", ["hall"]),
        dangers("knockout"),
    )
    stage.say("act give.move", "walk a.w", "give_up move_1")

    assert "A.w" not in stage.view.doors
    assert stage.view.tiles_left == 0


def test_a_terror_on_an_echo_takes_its_card_first():
    """[Special rooms] The card is chosen before the room goes."""
    stage = walked("dread", "hall", "hall", cards=("terror",))
    assert stage.kind == "lose_card"
    assert stage.view.lost == "B6"
    stage.say("lose_card scout_1")

    assert stage.view.lost == "A4"


def test_rule_f28_a_map_to_an_echo():
    """RULE-F28: it is discarded, and the next tile at that door is the map's: no dangers either."""
    stage = Stage(
        maze(ALONE.replace("|...|", "|.A.|", 1)),
        hand("explore"),
        tiles("dread", "lair", "hall"),
        dangers("leakage"),
        location("A", "map"),
    )
    stage.say("act play.explore", "map a.w")

    assert list(stage.view.maze.rooms) == ["A", "C"]
    assert stage.view.lost == "A5"
    assert "danger_drawn" not in stage.heard()
    assert [told["how"] for told in stage.told("tile_revealed")] == ["map", "map"]


def test_an_echo_without_danger_icon_draws_no_card():
    """RULE-F17: an echo alone is no danger."""
    stage = walked("echo", "hall", "hall", cards=("terror",))

    assert "danger_drawn" not in stage.heard()


def test_rule_f17_a_room_goes_with_all_that_lies_on_it():
    """RULE-F17: whatever token may lie on a room that goes is beside the board again."""
    stage = Stage(maze(ALONE))
    whole = stage.view.maze.with_token("A1", "lock")
    other = replace(whole.rooms["A"], letter="B", x=1)
    both = whole.with_room(other).with_token("B1", "obstruction")

    assert both.without_room("B") == whole


def test_rule_f11_the_last_mind_card_goes_before_the_echo_does():
    """RULE-F11: lost is lost at once; the room does not go any more, and none follows it."""
    stage = Stage(
        maze(ALONE),
        lost("A4"),
        minds("move", "scout"),
        tiles("dread", "hall"),
        dangers("terror"),
    )
    events = stage.say("act give.move", "walk a.w", "give_up move_1")

    assert kinds(events)[-3:] == ["terror_kept", "card_lost", "ended"]
    assert stage.outcome.ending == "mind_lost"
