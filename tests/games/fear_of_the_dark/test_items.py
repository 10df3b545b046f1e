"""[Items] and exploring: what is found at the locations beside the Lost, and what it does."""

from __future__ import annotations

from typing import Any

import pytest

from engines.kernel.errors import IllegalAnswer
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    BOTH,
    Stage,
    facts,
    hand,
    keep,
    kinds,
    leak,
    location,
    lost,
    matches,
    maze,
    minds,
    tiles,
    token,
)

NEXT_ROOM = """
+---+ +---+
|...| |...|
|..@D D1..|
|...| |...|
+---+ +---+
"""


def beside(*arrange, **options: Any) -> Stage:
    """The Lost between both, with two Explore cards in hand."""
    return Stage(maze(BOTH), hand("explore", "explore"), *arrange, **options)


def test_rule_f24_one_step_away_and_never_from_the_field_itself():
    """RULE-F24: beside a location it is explored; on it, or aslant of it, it is not."""
    assert set(beside().choices("act")) >= {"play.explore"}
    for place in ("A2", "A6"):
        stage = Stage(maze(BOTH), lost(place), hand("explore"))
        assert "play.explore" not in stage.choices("act")
    aslant = Stage(maze(ALONE.replace("|...|", "|1.A|", 1)), hand("explore"))
    assert "play.explore" not in aslant.choices("act")


def test_rule_f24_through_an_open_door():
    """RULE-F24: the field behind an open door is beside; behind a shut one it is not."""
    open_door = Stage(maze(NEXT_ROOM), hand("explore"), location("1", "key"))
    open_door.say("act play.explore")
    assert open_door.kept == ["key"]

    shut = Stage(maze(NEXT_ROOM.replace("D D", "D |")), hand("explore"), location("1", "key"))
    assert "play.explore" not in shut.choices("act")


def test_rule_f24_the_number_gives_the_location():
    """RULE-F24: the card comes from the location of that number, on whichever tile it stands."""
    stage = Stage(
        maze(BOTH.replace("@1", "@3")),
        hand("explore"),
        location("3", "scrap"),
        location("1", "key"),
    )
    stage.say("act play.explore", "explore a6")

    assert stage.kept == ["scrap"]
    assert [place.items for place in stage.view.locations][2] == 0
    assert stage.view.locations[0].items == 1


def test_rule_f24_two_tiles_may_share_a_location():
    """RULE-F24: what was taken on one tile is gone on the other."""
    drawing = BOTH.replace("|...|", "|...|").replace("D.@1D", "D1@1D")
    stage = Stage(maze(drawing), hand("explore", "explore"), location("1", "key", "scrap"))
    stage.say("act play.explore", "explore a6", "act play.explore", "explore a4")

    assert stage.kept == ["key", "scrap"]


def test_rule_f24_the_cards_are_used_up_in_order():
    """RULE-F24: the top one first, then the one below it."""
    stage = beside(location("1", "match", "key"))
    stage.say("act play.explore", "explore a6", "act play.explore", "explore a6")

    assert stage.kept == ["match", "key"]


def test_rule_f24_secrets_are_used_up_in_order_too():
    """RULE-F24: the top one first, then the one below it."""
    stage = beside(location("A", "information", "map"), location("1"), tiles())
    stage.say("act play.explore", "act play.explore")

    assert [told["secret"] for told in stage.told("secret_found")] == ["information", "map"]


def test_c_f27_each_location_is_explored_twice():
    """C-F27, RULE-F25: after two cards nothing is there any more, and it is not offered."""
    stage = beside(location("1", "match", "key"), location("A"), hand("scout"))
    stage.say("act play.explore", "act play.explore")

    assert "give.explore" not in stage.choices("act")
    with pytest.raises(IllegalAnswer):
        stage.say("act give.explore")


def test_rule_f25_an_empty_location_is_not_offered():
    """RULE-F25: beside an empty and a full location only the full one can be meant."""
    stage = beside(location("1"), location("A", "information"), location("4"))
    events = stage.say("act play.explore")

    assert "secret_found" in kinds(events)


def test_rule_f37_a_token_hides_what_lies_under_it():
    """RULE-F37: a location under an obstruction or lock is explored only when that is gone."""
    stage = beside(token(a6="obstruction"), location("A"), hand("clear"), location("1", "key"))
    assert "play.explore" not in stage.choices("act")
    stage.say("act play.clear", "act play.explore")

    assert stage.kept == ["key"]


def test_c_f5_a_secret_is_explored_in_the_light_only():
    """C-F5: in the Dark the item beside is to be had for a card, the secret is not."""
    dark = Stage(maze(BOTH), location("1", "key"))
    dark.say("act give.explore", "give_up scout_1")
    assert dark.kept == ["key"]

    only_secret = Stage(maze(BOTH), location("1"))
    assert "give.explore" not in only_secret.choices("act")
    assert "give.explore" in Stage(maze(BOTH), location("1"), hand("move")).choices("act")


def test_rule_f7_the_last_card_may_open_a_secret():
    """RULE-F7: what counts is the light in which it was begun."""
    stage = Stage(maze(BOTH), hand("explore"), location("A", "information"))
    events = stage.say("act play.explore", "explore a2")

    assert "secret_found" in kinds(events)
    assert kinds(events)[-1] == "darkness_fell"


def test_the_location_to_explore_is_chosen_and_may_be_taken_back():
    """Between a secret and an item one chooses; until the card is played nothing is spent."""
    stage = beside()
    stage.say("act play.explore")
    words = {o.key: (o.word, o.about.get("location")) for o in stage.asked("explore").options}
    assert words == {"a2": ("secret", 1), "a6": ("item", 1), "back": ("", None)}
    stage.say("explore back")

    assert stage.hand == ["explore", "explore"]


def test_rule_f26_items_are_kept_and_cost_no_card():
    """RULE-F26: without the instant icon they stay with the player, as many as there are."""
    stage = Stage(maze(ALONE), keep("match", "match", "match", "scrap"), matches(0))
    stage.say("act use.match", "act use.match")

    assert stage.kept == ["match", "scrap"]
    assert (stage.view.matches, len(stage.view.deck)) == (2, 9)


def test_rule_f26_what_is_found_is_told():
    """RULE-F26: all learn what it is, where it lay and what is left there."""
    stage = beside(location("1", "match", "key"))
    events = stage.say("act play.explore", "explore a6")

    told = facts(events, "item_found")
    assert told.pop("tale") in [f"match_{n}" for n in range(1, 5)]
    assert told == {"item": "match", "field": "A6", "location": 1, "left": 1}


def test_rule_f27_no_more_than_six_matches():
    """RULE-F27: with six tokens the Match is kept until there is room for it."""
    stage = Stage(maze(ALONE), keep("match"))
    assert stage.view.matches == 6
    assert "use.match" not in stage.choices("act")
    stage.say("act strike", "build move_1 move_2 move_3")
    assert "use.match" in stage.choices("act")
    stage.say("act use.match")

    assert stage.view.matches == 6
    assert stage.told("match_gained") == [{"matches": 6}]


def test_c_f24_scrap_paper_needs_light():
    """C-F24: in the Dark it is refused; with 1 hand card the hand becomes 3."""
    dark = Stage(maze(ALONE), keep("scrap"))
    assert "use.scrap" not in dark.choices("act")
    with pytest.raises(IllegalAnswer):
        dark.say("act use.scrap")

    lit = Stage(maze(ALONE), keep("scrap"), hand("move"))
    lit.say("act use.scrap", "build scout_1 clear_1 light_1")
    assert sorted(lit.hand) == ["clear", "light", "scout"]
    assert lit.kept == []
    assert lit.view.matches == 6


def test_a_key_removes_a_lock_beside():
    """[Items] From a field next to the Lost, one of one's choice; not aslant, not obstructions."""
    stage = Stage(
        maze(ALONE), token(a2="lock", a4="lock", a1="lock", a6="obstruction"), keep("key")
    )
    stage.say("act use.key")
    assert stage.choices("unlock") == ("a2", "a4", "back")
    stage.say("unlock back")
    assert stage.kept == ["key"]
    stage.say("act use.key", "unlock a4")

    assert stage.view.maze.tokens == {"A2": "lock", "A1": "lock", "A6": "obstruction"}
    assert stage.kept == []
    assert stage.told("unlocked") == [{"field": "A4"}]


def test_a_key_is_of_no_use_elsewhere():
    """[Items] Without a lock beside, the key is not offered."""
    stage = Stage(maze(ALONE), token(a1="lock", a6="obstruction"), keep("key"))

    assert "use.key" not in stage.choices("act")


def test_a_lever_removes_one_lock_from_anywhere():
    """[Items] Immediately, whichever lock of the maze is chosen; then it is discarded."""
    stage = beside(location("1", "lever"), token(a7="lock", a9="lock"))
    stage.say("act play.explore", "explore a6")
    assert stage.choices("lever") == ("a7", "a9")
    stage.say("lever a9")

    assert stage.view.maze.tokens == {"A7": "lock"}
    assert stage.kept == []
    assert stage.told("lever_pulled") == [{"field": "A9"}]


def test_a_lever_with_one_lock_asks_nothing():
    """[Items] The only lock goes, however far away it is."""
    stage = beside(location("1", "lever"), token(a7="lock", a9="obstruction"))
    stage.say("act play.explore", "explore a6")

    assert stage.view.maze.tokens == {"A9": "obstruction"}


def test_c_f23_a_lever_without_locks_is_discarded():
    """C-F23: it is not kept for later."""
    stage = beside(location("1", "lever"), token(a9="obstruction"))
    stage.say("act play.explore", "explore a6")

    assert stage.told("lever_pulled") == [{"field": None}]
    assert stage.kept == []
    assert stage.kind == "act"


def test_items_are_explored_in_the_leaking_room_for_a_discard():
    """RULE-F22: the water bars light, not hands."""
    stage = Stage(maze(BOTH), leak("A"), location("1", "key"), minds("move", "scout"))
    stage.say("act give.explore", "give_up scout_1")

    assert stage.kept == ["key"]
