"""[Taking a Turn]."""

from __future__ import annotations

from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    face_up,
    hold,
    kinds,
    pin,
    ready,
    recovered,
    stand,
    tiles,
)


def at_c4(g):
    """Kate, the first to act, in the foyer."""
    stand(g, kate="c4")


def test_rule_e9_the_character_farthest_to_the_right_acts():
    """RULE-E9: no free choice of character; the last one dealt is the first to act."""
    stage = Stage()

    assert stage.view.rows[0][-1] == "kate"
    assert stage.view.acting == "kate"
    assert stage.told("turn_began") == [{"seat": 0, "character": "kate"}]


def test_c_e23_the_next_to_the_left_acts_when_the_rightmost_is_exhausted():
    """C-E23: exhausted characters are skipped from the right."""
    stage = Stage(lambda g: setattr(g.characters["kate"], "exhausted", True))

    assert stage.view.acting == "iris"


def test_the_player_to_the_left_is_next_and_the_character_is_exhausted():
    """A turn ends with the card turned; then the next player's rightmost character acts."""
    stage = Stage(seats=3)
    assert stage.view.acting == "jack"

    events = stage.roll_and("stay")

    assert kinds(events)[-2:] == ["exhausted", "turn_began"]
    assert stage.character("jack").exhausted
    assert stage.view.current_seat == 1


def test_players_with_nobody_left_to_act_are_skipped():
    """Play goes on to the left, past a player whose characters are exhausted."""
    stage = Stage(lambda g: ready(g, "kate", "iris", "ada"), seats=3)
    owners = {c.id: c.owner for c in stage.view.characters}
    for _ in range(2):
        stage.roll_and("stay")

    order = [turn["character"] for turn in stage.told("turn_began")]
    assert order == ["ada", "kate", "iris"]
    assert [owners[c] for c in order] == [0, 1, 2]


def test_rule_e6_the_roll_comes_before_the_choice():
    """RULE-E6: nobody names a space before the dice lie on the table."""
    stage = Stage(at_c4, dice={"move": [3, 2]})
    assert stage.kinds() == ["roll"]

    events = stage.answer("roll", "roll")

    assert events[0].data == {"character": "kate", "dice": (3, 2), "extra": 0, "steps": 5}
    assert stage.asked("move").about == {"character": "kate", "steps": 5}
    assert stage.view.walk_dice == (3, 2)
    assert stage.view.steps_left == 5


def test_rule_e6_no_step_at_all_is_a_move():
    """RULE-E6: up to the total, so none is legal too."""
    stage = Stage(at_c4)

    stage.roll_and("stay")

    assert stage.where("kate") == "c4"
    assert stage.character("kate").exhausted


def test_steps_go_to_adjacent_spaces_within_the_total():
    """No diagonals, no walls, nothing farther than the dice."""
    stage = Stage(at_c4, dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert set(stage.choices("move")) == {
        "stay",
        "a4",
        "b4",
        "b5",
        "c3",
        "c5",
        "d4",
        "d5",
        "e4",
        "b3",
        "d3",
        "c6",
    }
    assert set(stage.view.reachable) == set(stage.choices("move")) - {"stay"}


def test_rule_e8_the_first_step_is_onto_the_front_steps():
    """RULE-E8: entering the steps from outside costs one."""
    stage = Stage(dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert set(stage.choices("move")) == {"stay", "c6", "c5"}

    events = stage.answer("move", "c5")

    assert events[0].data["path"] == ("c6", "c5")
    assert events[0].data["start"] is None
    assert stage.where("kate") == "c5"


def test_c_e1_a_tile_ends_the_movement():
    """C-E1, RULE-E4: nine rolled, a tile entered on step three: it flips, six steps are lost."""

    def scene(g):
        tiles(g, a1="clue")
        stand(g, kate="c2")

    stage = Stage(scene, dice={"move": [4, 5]})

    events = stage.roll_and("a1")

    assert events[1].data["steps"] == 3
    assert "tile_turned" in kinds(events)
    assert stage.kinds() == ["attempt"]
    assert stage.view.steps_left == 0
    stage.answer("attempt", "roll")
    assert stage.view.acting != "kate"


def test_rule_e4_tiles_cannot_be_walked_over():
    """RULE-E4: what lies behind a tile is out of reach, whether it lies face up or down."""

    def scene(g):
        tiles(g, g3="clue")
        stand(g, kate="f3")

    for turned in (False, True):
        stage = Stage(
            lambda g, turned=turned: (scene(g), face_up(g, "g3") if turned else None),
            dice={"move": [1, 2]},
        )
        stage.answer("roll", "roll")

        keys = stage.choices("move")
        assert "g3" in keys
        assert "g4" not in keys
        assert "h3" not in keys


def test_the_way_never_enters_a_tile_that_was_not_named():
    """RULE-E4: a walk goes round tiles if it can."""

    def scene(g):
        tiles(g, b2="clue")
        stand(g, kate="c2")

    stage = Stage(scene, dice={"move": [2, 2]})
    stage.answer("roll", "roll")
    events = stage.answer("move", "a2")

    assert events[0].data["path"] == ("c1", "b1", "a1", "a2")


def test_rule_e7_occupied_spaces_may_be_passed_but_not_ended_on():
    """RULE-E7: any other character is in the way, one's own as much as another player's."""
    for blocker in ("iris", "ben"):
        stage = Stage(lambda g, b=blocker: stand(g, kate="d3", **{b: "d2"}), dice={"move": [1, 1]})
        stage.answer("roll", "roll")

        keys = stage.choices("move")
        assert "d2" not in keys
        assert {"d1", "c2", "e2"} <= set(keys)


def test_rule_e7_a_tile_under_a_pinned_character_cannot_be_entered():
    """RULE-E7: one would have to stop there, so what lies behind it is shut off too."""

    def scene(g):
        tiles(g, h3="monster")
        face_up(g, "h3")
        stand(g, kate="g3", ben="h3")
        pin(g, "ben", "monster_0")

    stage = Stage(scene, dice={"move": [2, 2]})
    stage.answer("roll", "roll")

    assert not {"h3", "i3", "h4"} & set(stage.choices("move"))


def test_rule_e7_outside_there_is_room_for_all():
    """RULE-E7: the outside is no space; all eleven wait there together."""
    stage = Stage(dice={"move": [1, 1, 1, 1]})
    stage.roll_and("stay")
    stage.answer("roll", "roll")

    assert "stay" in stage.choices("move")
    assert [c.space for c in stage.view.characters] == [None] * 11


def test_rule_e26_the_circle_is_shared_in_the_tenth_round_only():
    """RULE-E26: before, each of its spaces holds one character."""

    def scene(g):
        alive(g, "kate", "ben")
        stand(g, kate="c5", ben="c4")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert "c4" not in stage.choices("move")

    stage = Stage(lambda g: (scene(g), setattr(g, "round", 10)), dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert "c4" in stage.choices("move")


def test_rule_e26_other_spaces_are_not_shared_in_the_tenth_round():
    """[Taking a Turn] the exception is the circle alone."""

    def scene(g):
        alive(g, "kate", "ben")
        stand(g, kate="d3", ben="d2")
        g.round = 10

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert "d2" not in stage.choices("move")


def test_rule_e5_on_an_unresolved_tile_one_may_try_again_or_roll():
    """RULE-E5: the turn begins with the choice; trying again takes no step."""

    def scene(g):
        tiles(g, a1="clue")
        face_up(g, "a1")
        stand(g, kate="a1")

    stage = Stage(scene)
    assert stage.choices("roll") == ("roll", "retry")
    stage.answer("roll", "retry")
    assert stage.kinds() == ["attempt"]
    assert stage.told("move_rolled") == []

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("b1")
    assert stage.where("kate") == "b1"
    assert [tile.space for tile in stage.view.tiles] == ["a1"]


def test_rule_e5_leaving_and_coming_back_activates_it_again():
    """RULE-E5: two steps, out and in, are a way to the tile one stands on."""

    def scene(g):
        tiles(g, a1="clue")
        face_up(g, "a1")
        stand(g, kate="a1")

    stage = Stage(scene, dice={"move": [1, 1]})
    events = stage.roll_and("a1")

    assert events[1].data["steps"] == 2
    assert stage.kinds() == ["attempt"]


def test_options_begin_with_what_matters():
    """Tiles and rooms come before the plain spaces, which follow in reading order."""

    def scene(g):
        tiles(g, a1="clue", f1="monster")
        stand(g, kate="d2")

    stage = Stage(scene, dice={"move": [2, 2]})
    stage.answer("roll", "roll")
    options = stage.asked("move").options
    words = [option.word for option in options]
    first_plain = next(n for n, o in enumerate(options) if o.word in ("space", "circle", "guarded"))

    assert words[:2] == ["tile", "tile"]
    assert set(words[2:first_plain]) == {"room", "stay"}
    assert {o.key for o in options if o.word == "room"} == {"c2", "e2"}
    plain = [option.key for option in options[first_plain:]]
    assert plain == sorted(plain, key=lambda space: (int(space[1:]), space[0]))
    assert len({option.key for option in options}) == len(options)
    assert all(o.about.get("steps", 0) in range(5) for o in options)


def test_the_circle_comes_first_when_gathering_is_what_remains():
    """With the artifacts complete its spaces are at the head of the list, and not before."""

    def scene(g):
        alive(g, "kate", "ben")
        stand(g, kate="c3")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert stage.asked("move").options[0].word != "circle"

    def complete(g):
        scene(g)
        g.tiles.clear()
        recovered(g, *tuple(g.artifacts.values()))

    stage = Stage(complete, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    assert [option.word for option in stage.asked("move").options][:4] == ["circle"] * 4


def test_an_option_tells_a_turned_tile_from_a_hidden_one():
    """A face-down tile's colour is in no label."""

    def scene(g):
        tiles(g, c1="monster", a1="clue")
        face_up(g, "a1")
        stand(g, kate="b1")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")
    decision = stage.asked("move")

    assert decision.option("c1").word == "tile"
    assert decision.option("a1").word == "clue"
    assert "colour" not in decision.option("c1").about


def test_an_artifact_is_labelled_by_whether_its_room_is_clear():
    """The label says whether there is something to claim."""

    def scene(g):
        tiles(g, a1="clue")
        stand(g, kate="d2")

    stage = Stage(scene, dice={"move": [2, 2]})
    stage.answer("roll", "roll")
    decision = stage.asked("move")

    assert decision.option("b2").word == "guarded"
    assert decision.option("f2").word == "artifact"
    assert decision.option("f2").about["artifact"] == "bell"


def test_an_occupied_triangle_is_not_entered():
    """RULE-E7: an artifact under another character's feet is that character's to claim."""

    def scene(g):
        tiles(g, a1="clue")
        stand(g, kate="f1", ben="f2")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.answer("roll", "roll")

    assert "f2" not in stage.choices("move")


def test_rule_e32_haste_serves_until_the_last_leg_is_named():
    """RULE-E32: steps may be added while the move goes on."""
    stage = Stage(lambda g: (at_c4(g), hold(g, 0, "haste")), dice={"move": [1, 1]})
    assert stage.offered(0) == ()
    stage.answer("roll", "roll")
    assert stage.offered(0) == ("haste",)
    assert "g4" not in stage.choices("move")
    question = stage.asked("move").question

    stage.play_relic(0, "haste")

    assert stage.view.steps_left == 4
    assert "g4" in stage.choices("move")
    assert stage.asked("move").question == question
    assert stage.told("relic_played") == [{"seat": 0, "relic": "haste"}]
    assert stage.view.hand_counts[0] == 0
