"""[Objective], and [A Quick Guide to the Maze] to win and to lose."""

from __future__ import annotations

import pytest

from engines.fear_of_the_dark.told import ENDINGS
from tests.games.fear_of_the_dark.box import tile, with_tiles
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    facts,
    hand,
    kinds,
    location,
    lost,
    matches,
    maze,
    minds,
    tiles,
    token,
)

SHUT_IN = token(a2="lock", a4="lock", a6="lock", a8="lock")

ROOM = """
+---+ +---+
|...| |...|
|..@D D...|
|...| |...|
+---+ +---+
"""
"""Two rooms without a way out."""


def test_c_f16_out_of_an_open_door_when_no_tile_is_left():
    """C-F16: with an empty deck a move that crosses a door with nothing behind it wins."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(), hand("move"))
    stage.say("act play.move")
    option = stage.option("walk", "a.n")
    assert (option.word, option.about) == (
        "exit",
        {"room": "A", "side": "n", "steps": 3, "leaks": False},
    )
    events = stage.say("walk a.n")

    assert kinds(events) == ["card_played", "walked", "went_out", "ended"]
    assert facts(events, "went_out") == {"room": "A", "side": "n"}
    assert (stage.outcome.ending, stage.outcome.won) == ("escaped", True)


def test_c_f16_two_steps_and_tiptoe_win_as_well():
    """C-F16: it matters that the step is made, not with which card."""
    plain = Stage(maze(ALONE), tiles(), hand("clear"))
    plain.say("act two_steps", "walk a.n")
    tiptoe = Stage(maze(ALONE.replace("|...|", "|.O.|", 1)), tiles(), hand("tiptoe"))
    tiptoe.say("act play.tiptoe", "walk a.n")

    assert plain.outcome.won
    assert tiptoe.outcome.won


def test_c_f16_out_of_reach_is_not_out():
    """C-F16: where the steps do not suffice for the door, the way out is not offered."""
    stage = Stage(maze(ALONE), lost("A1"), tiles(), hand("move"))
    stage.say("act two_steps")

    assert {key for key in stage.choices("walk") if "." in key} == {"a.n", "a.w"}


def test_c_f30_a_door_before_a_wall_is_no_exit():
    """C-F30: a door that faces a neighbour's wall does not count, also when the deck is empty."""
    drawing = ROOM.replace("D D", "D |").replace("+---+ ", "+-D-+ ", 1)
    stage = Stage(maze(drawing), tiles(), hand("move"))
    assert stage.view.exits == ("A.n",)
    stage.say("act play.move")

    assert "a.e" not in stage.choices("walk")


def test_rule_f10_the_last_card_may_be_the_one_that_wins():
    """RULE-F10: the action is resolved and the win tested first."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(), minds("scout"))
    stage.say("act give.move", "walk a.w", "give_up scout_1")

    assert (stage.outcome.ending, stage.outcome.facts["cards"]) == ("escaped", 0)


def test_rule_f10_with_the_last_card_gone_and_no_exit_it_is_lost():
    """RULE-F10: its action is still done; then the mind is lost, whatever matches are left."""
    stage = Stage(maze(ALONE), tiles("hall"), minds("scout"))
    events = stage.say("act give.move", "walk a1", "give_up scout_1")

    assert kinds(events) == ["card_given_up", "walked", "ended"]
    assert (stage.outcome.ending, stage.outcome.won) == ("mind_lost", False)
    facts_of = dict(stage.outcome.facts)
    assert facts_of.pop("tale") in [f"mind_lost_{n}" for n in range(1, 5)]
    assert facts_of == {
        "rooms": 1,
        "cards": 0,
        "matches": 6,
        "terrors": 0,
        "difficulty": "normal",
    }


def test_a_card_in_hand_keeps_the_game_going():
    """[Objective] Lost is who has no mind cards, in hand and deck together."""
    stage = Stage(maze(ALONE), hand("move", "scout"), minds())
    stage.say("act give.move", "walk a1", "give_up move_1")

    assert not stage.is_over
    assert (len(stage.view.hand), len(stage.view.deck)) == (1, 0)


def sealing() -> Stage:
    """The last tile has one door; scouted, it closes the maze."""
    content = with_tiles(dead_end=tile("+-D-+ |...| |...| |...| +---+"))
    drawing = ALONE.replace("-D-", "---").replace("D.@.D", "|..@D")
    return Stage(
        maze(drawing),
        lost("A6"),
        hand("scout", "explore"),
        tiles("dead_end", "hall"),
        content=content,
    )


def test_rule_f31_a_closed_maze_is_a_loss():
    """RULE-F31: no door leads on and no secret can be found: that is told, and the game over."""
    stage = sealing()
    events = stage.say("act play.scout")

    assert kinds(events)[-2:] == ["maze_closed", "ended"]
    assert (stage.outcome.ending, stage.outcome.won) == ("maze_closed", False)


def closed(*arrange, letter: str = "A") -> Stage:
    """The same, in a maze with a secret location above the Lost."""
    content = with_tiles(dead_end=tile("+-D-+ |...| |...| |...| +---+"))
    drawing = ALONE.replace("-D-", "---").replace("D.@.D", "|..@D").replace("...", f".{letter}.", 1)
    return Stage(
        maze(drawing),
        lost("A6"),
        hand("scout", "move", "explore", "explore"),
        tiles("dead_end", "hall"),
        *arrange,
        content=content,
    )


def test_rule_f31_a_secret_door_may_still_change_it():
    """RULE-F31: while one may lie at a location of the maze, the game goes on; and it is found."""
    stage = closed(location("A", "door"))
    stage.say("act play.scout")
    assert not stage.is_over
    stage.say("act play.move", "walk a5", "act play.explore", "secret_door a.w")

    assert stage.view.doors == ("A.w",)
    assert not stage.is_over


def test_rule_f31_the_last_hope_is_read():
    """RULE-F31: the last secret of the maze was none, so it is closed for good."""
    stage = closed(location("A", "information"), location("1"))
    stage.say("act play.scout", "act play.move", "walk a5")
    events = stage.say("act play.explore")

    assert kinds(events)[-2:] == ["maze_closed", "ended"]


def test_rule_f31_a_secret_that_no_room_of_the_maze_has_is_no_hope():
    """RULE-F31: cards at locations that no placed tile shows can never be read."""
    stage = closed(location("B", "door"), location("A"))
    stage.say("act play.scout")

    assert stage.outcome.ending == "maze_closed"


@pytest.mark.parametrize("without", ["tokens", "cards"])
def test_rule_f31_no_hope_without_token_or_card(without):
    """RULE-F31: with both door tokens used, or both secret doors seen, nothing can change it."""

    def arrange(g):
        if without == "tokens":
            g.secret_doors = 0
        else:
            g.told_secrets += ["door_1", "door_2"]

    stage = closed(location("A", "map"), arrange)
    stage.say("act play.scout")

    assert stage.outcome.ending == "maze_closed"


def test_rule_f31_what_is_hidden_does_not_decide():
    """RULE-F31: hope is for what all may know; that no door lies there is nobody's to know."""
    stage = closed(location("A", "map"))
    stage.say("act play.scout")

    assert not stage.is_over


def test_rule_f31_a_barred_maze_is_not_closed():
    """RULE-F31: with its doors behind locks the game goes on, since keys and levers may turn up."""
    drawing = ALONE.replace("D.@.D", "DX@.|").replace("-D-", "---")
    stage = Stage(maze(drawing), tiles("hall"), hand("explore", "move"))
    stage.say("act play.move", "walk a6")

    assert not stage.is_over


def test_rule_f40_trapped_with_nothing_left_to_do():
    """RULE-F40: shut in, in the Dark, without a match or anything to use: that is the end."""
    stage = Stage(maze(ALONE), SHUT_IN, tiles("hall"), matches(0))

    assert (stage.outcome.ending, stage.outcome.won) == ("trapped", False)


@pytest.mark.parametrize(
    "arrange",
    [
        matches(1),
        lambda g: (g.kept.append("key_1"), setattr(g, "matches", 0)),
        lambda g: (g.kept.append("match_1"), setattr(g, "matches", 0)),
        lambda g: (matches(0)(g), token(a2="obstruction")(g)),
    ],
)
def test_rule_f40_not_while_anything_can_be_done(arrange):
    """RULE-F40: a match, a key beside a lock, a Match item or an obstruction is something to do."""
    stage = Stage(maze(ALONE), SHUT_IN, tiles("hall"), arrange)

    assert not stage.is_over


def test_rule_f40_trapped_in_the_light():
    """RULE-F40: cards in hand are of no use where none of them can be played."""
    stage = Stage(maze(ALONE), SHUT_IN, tiles("hall"), hand("move", "clear"), matches(0))

    assert stage.outcome.ending == "trapped"


def test_holes_all_around_in_the_dark_are_a_trap():
    """RULE-F40: what could be crossed on tiptoe in the Light cannot in the Dark."""
    drawing = ALONE.replace("|...|", "|.O.|").replace("D.@.D", "DO@OD")
    dark = Stage(maze(drawing), tiles("hall"), matches(0))
    lit = Stage(maze(drawing), tiles("hall"), matches(0), hand("move"))

    assert dark.outcome.ending == "trapped"
    assert "give.tiptoe" in lit.choices("act")


def test_the_ending_is_told_with_one_of_its_texts():
    """Ending, victory, and the tale that chance chose for it."""
    stage = Stage(maze(ALONE), tiles(), hand("clear"))
    events = stage.say("act two_steps", "walk a.n")

    told = facts(events, "ended")
    assert told["tale"] in [f"escaped_{n}" for n in range(1, 5)]
    assert (told["ending"], told["won"]) == ("escaped", True)
    assert ENDINGS[0] == "escaped"


def test_after_the_end_the_table_shows_it():
    """The view says that it is over, and no move is under way any more."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("dread"), dangers("collapse"))
    stage.say("act give.move", "walk a.w", "give_up move_1")
    view = stage.view

    assert view.over
    assert (view.action, view.steps, view.reveal, view.light) == (None, 0, None, False)
    assert stage.kind == ""


def test_no_light_is_left_after_the_last_card():
    """Out with the last hand card, the table shows an empty hand and no light."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(), hand("move"))
    stage.say("act play.move", "walk a.w")

    assert stage.outcome.won
    assert (stage.view.hand, stage.view.light) == ((), False)


def test_instant_death_comes_before_everything_else():
    """[Special rooms] With further tiles in the deck nothing is revealed after it."""
    stage = Stage(maze(ALONE), lost("A4"), tiles("dread", "hall"), dangers("locking"))
    events = stage.say("act give.move", "walk a.w", "give_up move_1")

    assert kinds(events)[-3:] == ["danger_drawn", "echo_faded", "ended"]
    assert stage.view.tiles_left == 1
