"""[Round Sequence], [Win Condition]."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.escape_the_night.cards import Effect, Relic
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    hold,
    kinds,
    pin,
    ready,
    recovered,
    stand,
    tiles,
)


def complete(g):
    """All artifacts are on the mantle, no tile is left."""
    g.tiles.clear()
    recovered(g, *tuple(g.artifacts.values()))


def test_rule_e30_the_end_of_a_round():
    """RULE-E30: vote, challenge, clock, restored characters, starting player to the left."""

    def scene(g):
        alive(g, "ada", "ben", "cleo", "dora", "emil")
        ready(g, "ada")

    stage = Stage(scene, dice={"duel": [1, 2, 5, 6]})
    stage.roll_and("stay")
    stage.cast(s0="ada ada ben", s1="ada ben")
    stage.hold_challenge()

    order = ("vote_called", "votes_counted", "challenge_drawn", "died", "restored", "round_began")
    heard = [kind for kind in stage.heard() if kind in order]
    assert heard == ["round_began", *order]
    assert stage.view.round == 2
    assert stage.view.chapter == 2
    assert stage.told("round_began") == [{"round": 1, "seat": 0}, {"round": 2, "seat": 1}]
    assert stage.told("restored") == [{"late": ()}]
    assert stage.view.starting_seat == 1
    assert stage.view.current_seat == 1
    assert not any(c.exhausted for c in stage.view.characters if c.alive)


def test_the_starting_token_passes_over_players_without_characters():
    """RULE-E35: it goes to the next player on the left who can use it."""

    def scene(g):
        alive(g, "ada", "cleo", "dora")
        ready(g)

    stage = Stage(scene, seats=3, dice={"duel": [1, 2, 5, 6]})
    owners = {c.id: c.owner for c in stage.view.characters}
    assert (owners["ada"], owners["cleo"], owners["dora"]) == (0, 2, 0)
    stage.cast(s0="ada dora", s2="ada")
    stage.hold_challenge()

    assert stage.view.starting_seat == 2


def test_rule_e22_whoever_is_late_starts_exhausted_once():
    """RULE-E22: skipped in the next round, ready in the one after."""

    def scene(g):
        alive(g, "kate", "ben")
        ready(g)
        g.late.append("ben")

    stage = Stage(scene, dice={"duel": [5, 6, 1, 2]})
    stage.hold_challenge()

    assert [c.id for c in stage.view.characters if c.alive] == ["ben"]
    assert stage.told("restored") == [{"late": ("ben",)}, {"late": ()}]
    assert stage.view.round == 3
    assert stage.view.acting == "ben"


def test_c_e16_an_early_win():
    """C-E16: in round four the last claim decides, since all the living stand in the circle."""

    def scene(g):
        complete(g)
        alive(g, "kate", "ben")
        stand(g, kate="c3", ben="a4")
        g.round = 4

    stage = Stage(scene, dice={"move": [1, 1]})
    events = stage.roll_and("c4")

    assert kinds(events) == ["move_rolled", "walked", "night_ended"]
    assert stage.outcome.ending == "escaped"
    assert stage.outcome.won
    assert stage.outcome.facts["round"] == 4


def test_c_e16_the_claim_itself_may_be_the_last_thing_needed():
    """C-E16: the moment the last artifact is on the mantle; no die is rolled for the man."""

    def scene(g):
        g.tiles.clear()
        recovered(g, "bell", "chalice")
        alive(g, "kate")
        g.artifacts = {"a4": g.artifacts.pop("b2")}
        stand(g, kate="a4")

    stage = Stage(scene)
    stage.roll_and("claim")

    assert stage.outcome.ending == "escaped"
    assert stage.told("man_rolled") == []


@pytest.mark.parametrize("missing", ["artifact", "stray"])
def test_neither_half_of_the_condition_is_enough(missing):
    """[Win Condition] all artifacts and all living characters, not one without the other."""

    def scene(g):
        alive(g, "kate", "ben")
        stand(g, kate="c3", ben="a4" if missing == "artifact" else "a1")
        if missing == "stray":
            complete(g)
        else:
            g.tiles.clear()

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("c4")

    assert stage.play.outcome is None


def test_a_pinned_character_in_the_circle_stands_in_the_circle():
    """RULE-E25: the condition speaks of standing, not of being free."""

    def scene(g):
        complete(g)
        alive(g, "kate", "ben")
        stand(g, kate="c3", ben="a4")
        pin(g, "ben", "monster_0")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("c4")

    assert stage.outcome.won


def test_being_put_into_the_circle_wins():
    """RULE-E25: whoever is placed there by a card stands there, at once."""

    def scene(g):
        complete(g)
        alive(g, "kate", "ben")
        stand(g, kate="b3", ben="a4")
        hold(g, 0, "panel")

    panel = {**CONTENT.relics, "panel": Relic(Effect("through_wall"))}
    stage = Stage(scene, content=replace(CONTENT, relics=panel))
    stage.answer("roll", "roll")
    stage.play_relic(0, "panel")
    events = stage.answer("through_wall", "b4")

    assert kinds(events) == ["placed", "night_ended"]
    assert stage.outcome.ending == "escaped"


def test_the_dead_need_not_stand_anywhere():
    """[Win Condition] it is the living who have to be in the circle."""

    def scene(g):
        complete(g)
        alive(g, "kate")
        stand(g, kate="c3")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("c4")

    assert stage.outcome.won
    assert stage.outcome.facts["survivors"] == ["kate"]


def test_rule_e25_nobody_left_is_a_loss():
    """RULE-E25: without a living character the night is lost at once, artifacts or not."""

    def scene(g):
        complete(g)
        alive(g, "kate", "ben")
        ready(g)

    cards = {name: replace(card, tie="both") for name, card in CONTENT.challenges.items()}
    content = replace(CONTENT, challenges=cards)
    stage = Stage(scene, content=content, dice={"duel": [3, 4, 4, 3]})

    assert stage.outcome.ending == "all_dead"
    assert not stage.outcome.won
    assert "restored" not in stage.heard()


def win(**counts):
    """Kate and ben win with these counts, as ``kate="2 1"`` for monsters and clues."""

    def scene(g):
        complete(g)
        alive(g, "kate", "ben")
        stand(g, kate="c3", ben="a4")
        for character, numbers in counts.items():
            slain, solved = numbers.split()
            g.characters[character].slain = int(slain)
            g.characters[character].solved = int(solved)

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("c4")
    return stage.outcome.facts["titles"]


def test_rule_e24_titles_go_to_the_owners_of_the_best_characters():
    """RULE-E24: counted per character, alive or dead, and awarded to its owner."""
    assert win(ada="2 0", ben="1 3") == {"monster_slayer": [0], "clue_master": [1]}
    # Two characters of one player do not add up.
    assert win(ada="2 0", cleo="2 0", ben="3 0") == {"monster_slayer": [1]}


def test_rule_e24_titles_are_shared_by_equals_and_not_given_for_nothing():
    """RULE-E24: two with as many share it; with none at all there is no title."""
    assert win(ada="2 0", ben="2 0") == {"monster_slayer": [0, 1]}
    assert win() == {}


def test_rule_e24_the_master_of_the_house_leads_both():
    """RULE-E24: one player at the head of both counts; an equal in one of them keeps that title."""
    assert win(ada="2 0", cleo="0 3") == {"master_of_the_house": [0]}
    assert win(ada="2 2", ben="2 0") == {"master_of_the_house": [0], "monster_slayer": [1]}
    assert win(ada="2 2", ben="0 2") == {"master_of_the_house": [0], "clue_master": [1]}
    assert win(ada="2 2", ben="2 2") == {"monster_slayer": [0, 1], "clue_master": [0, 1]}


def test_rule_e24_no_titles_after_a_loss():
    """RULE-E24: they are additional victories."""

    def scene(g):
        alive(g, "kate")
        g.characters["kate"].slain = 3
        g.round = 10
        g.tiles.clear()

    stage = Stage(scene, hourglass="untimed")
    while stage.play.outcome is None:
        stage.roll_and("stay")

    assert stage.outcome.facts["titles"] == {}
    assert "title_awarded" not in stage.heard()


def test_tiles_are_not_part_of_the_condition():
    """[Win Condition] what lies in rooms whose artifact is gone does not matter."""

    def scene(g):
        recovered(g, *tuple(g.artifacts.values()))
        tiles(g, a1="clue")
        alive(g, "kate")
        stand(g, kate="c3")

    stage = Stage(scene, dice={"move": [1, 1]})
    stage.roll_and("c4")

    assert stage.outcome.won
