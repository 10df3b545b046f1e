"""[The Vote & Death Challenge]: the death challenge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.escape_the_night.cards import Challenge, Effect
from tests.games.escape_the_night.stage import (
    CONTENT,
    Stage,
    alive,
    face_up,
    hold,
    pin,
    ready,
    stand,
    tiles,
    with_ability,
)

TIED = {"duel": [3, 4, 4, 3]}
"""Both roll seven."""


def going_in(g):
    """Five are alive; ada and ben are about to be voted in."""
    alive(g, "ada", "ben", "cleo", "dora", "emil")
    ready(g)


def challenge(arrange=going_in, tie="outsider", **rest):
    """The challenge between ada and ben begins."""
    content = rest.pop("content", CONTENT)
    cards = {name: replace(card, tie=tie) for name, card in content.challenges.items()}
    content = replace(content, challenges=cards)
    stage = Stage(arrange, content=content, **rest)
    if "vote" in stage.kinds():
        stage.cast(s0="ada ada ben", s1="ada ben")
    return stage


def test_a_card_is_drawn_and_told():
    """The top card, its contestants; then what the card asks of them."""
    stage = challenge(lambda g: (going_in(g), hold(g, 0, "plus_one")))

    assert stage.told("challenge_drawn") == [
        {"challenge": "challenge_3", "contestants": ("ada", "ben")}
    ]
    assert stage.view.phase == "challenge"
    assert dict(stage.view.pile_counts)["challenge"] == 3
    assert isinstance(CONTENT.challenges["challenge_3"], Challenge)


def test_the_loser_lies_in_the_graveyard():
    """Dead, off the board, and the survivor goes on."""
    stage = challenge(dice={"duel": [1, 2, 5, 6]})
    stage.hold_challenge()

    assert stage.told("died") == [{"character": "ada", "seat": 0, "start": None}]
    assert stage.view.graveyard[-1] == "ada"
    assert not stage.character("ada").alive
    assert stage.character("ben").alive
    assert stage.view.duel is None
    assert stage.play._state.discards["challenge"] == ["challenge_3"]


def test_c_e29_contestants_do_not_move():
    """C-E29: only their cards go to the steps; the survivor stands where it stood."""
    stage = challenge(
        lambda g: (going_in(g), stand(g, ada="a1", ben="i5")), dice={"duel": [1, 2, 5, 6]}
    )
    stage.hold_challenge()

    assert stage.where("ben") == "i5"
    assert stage.where("ada") is None


def test_a_tie_takes_an_outsider():
    """[The Vote & Death Challenge] unless the card speaks, a tie kills one who was not in it."""
    stage = challenge(dice=TIED, picks={"outsider": [1]})
    stage.hold_challenge()

    assert stage.told("challenge_tied") == [{"contestants": ("ada", "ben")}]
    assert stage.told("outsider_drawn") == [{"character": "dora"}]
    assert [e["character"] for e in stage.told("died")] == ["dora"]


def test_c_e13_the_cards_own_tie_is_followed():
    """C-E13: it may send both to the graveyard, or have them try again."""
    stage = challenge(tie="both", dice=TIED)
    stage.hold_challenge()
    assert [e["character"] for e in stage.told("died")] == ["ada", "ben"]

    stage = challenge(tie="again", dice={"duel": [3, 4, 4, 3, 6, 6, 1, 1]})
    stage.hold_challenge()
    assert stage.told("outsider_drawn") == []
    assert [e["character"] for e in stage.told("died")] == ["ben"]


def test_a_tie_is_fought_again_after_a_second_one():
    """The card's "again" holds for the tie after it too: the third fight has a loser."""
    stage = challenge(tie="again", dice={"duel": [3, 4, 4, 3] * 2 + [6, 6, 1, 1]})
    stage.hold_challenge()

    assert len(stage.told("challenge_tied")) == 2
    assert [e["character"] for e in stage.told("died")] == ["ben"]


def test_a_tie_is_not_fought_again_for_ever():
    """After as many rematches as content has it, it is a tie like any other: an outsider dies."""
    stage = challenge(tie="again", dice={"duel": [3, 4, 4, 3] * 3}, picks={"outsider": [2]})
    stage.hold_challenge()

    assert len(stage.told("challenge_tied")) == 1 + CONTENT.numbers.rematches
    assert stage.told("tie_rolled") == []
    assert [e["character"] for e in stage.told("died")] == ["emil"]


def test_rule_e19_a_tie_without_outsiders_is_fought_again():
    """RULE-E19: with only two alive there is nobody to draw; a second tie is left to one die."""

    def two(g):
        alive(g, "ada", "ben")
        ready(g)

    stage = challenge(two, dice={"duel": [3, 4, 4, 3, 5, 5, 6, 4], "tie": [2, 5]})
    stage.hold_challenge()

    assert len(stage.told("duel_rolled")) == 4
    assert [e["character"] for e in stage.told("died")] == ["ada"]


def test_rule_e12_a_dead_fighters_monster_leaves_its_tile_behind():
    """RULE-E12: the card is discarded, the tile stays open, so the room is not clear."""

    def scene(g):
        going_in(g)
        tiles(g, f1="monster")
        face_up(g, "f1")
        stand(g, ada="f1")
        pin(g, "ada", "monster_0")

    stage = challenge(scene, dice={"duel": [1, 2, 5, 6]})
    stage.hold_challenge()

    assert stage.told("released") == [{"character": "ada", "monster": "monster_0"}]
    assert stage.play._state.discards["monster"] == ["monster_0"]
    assert [(t.space, t.colour) for t in stage.view.tiles] == [("f1", "monster")]
    assert stage.character("ada").monster is None


def test_a_saved_loser_lives_and_nobody_dies():
    """C-E30: a relic against the rule that one must die."""
    stage = challenge(lambda g: (going_in(g), hold(g, 0, "coffin")), dice={"duel": [1, 2, 5, 6]})
    stage.play_relic(0, "coffin")
    stage.hold_challenge()

    assert stage.told("spared") == [{"character": "ada"}]
    assert stage.told("died") == []
    assert stage.view.round == 2


def test_rule_e23_a_duellist_has_a_head_start():
    """RULE-E23: one point makes a tie a win."""
    stage = challenge(content=with_ability("ada", "duellist", 1), dice=TIED)
    stage.hold_challenge()

    assert [e["character"] for e in stage.told("died")] == ["ben"]


def test_a_win_may_come_from_a_death():
    """RULE-E25: with the artifacts complete, the last stray's death ends the night in time."""

    def scene(g):
        going_in(g)
        g.tiles.clear()
        g.mantle += g.artifacts.values()
        g.artifacts.clear()
        stand(g, ben="a4", cleo="b4", dora="c4", emil="d4", ada="a1")

    stage = challenge(scene, dice={"duel": [1, 2, 5, 6]})
    stage.hold_challenge()

    assert stage.outcome.ending == "escaped"
    assert "restored" not in stage.heard()


def test_both_dying_is_one_stroke():
    """RULE-E25: no win lies between two deaths of one challenge."""

    def scene(g):
        alive(g, "ada", "ben")
        ready(g)
        g.tiles.clear()
        g.mantle += g.artifacts.values()
        g.artifacts.clear()
        stand(g, ben="a4", ada="a1")

    stage = challenge(scene, tie="both", dice=TIED)
    stage.hold_challenge()

    assert stage.outcome.ending == "all_dead"


@pytest.mark.parametrize("seats", [2, 3])
def test_rule_e35_the_dead_players_are_not_awaited(seats):
    """RULE-E35: a player who lost the last character is skipped from then on."""

    def scene(g):
        alive(g, "ada", "ben")
        ready(g)

    stage = challenge(scene, seats=seats, dice={"duel": [6, 6, 1, 1]})
    stage.hold_challenge()

    assert stage.view.characters[1].alive is False
    assert stage.kinds() == ["roll"]
    for _ in range(4):
        assert [d.seat for d in stage.play.asked] == [0]
        stage.roll_and("stay")


def test_the_procedures_effect_is_named_by_the_card():
    """Each card says how it is held: here three dice each, and the lower total lives."""
    low = Challenge(Effect("dice_duel", 3, "low"))
    content = replace(CONTENT, challenges=dict.fromkeys(CONTENT.challenges, low))
    stage = challenge(content=content, dice={"duel": [1, 1, 1, 1, 1, 2]})
    stage.hold_challenge()

    assert [e["dice"] for e in stage.told("duel_rolled")] == [(1, 1, 1), (1, 1, 2)]
    assert [e["character"] for e in stage.told("died")] == ["ben"]


def test_a_bonus_counts_for_the_lower_total_too():
    """In a duel of the lower dice help brings its side down, not up."""
    low = Challenge(Effect("dice_duel", 1, "low"))
    content = with_ability("ada", "duellist", 1)
    content = replace(content, challenges=dict.fromkeys(CONTENT.challenges, low))
    stage = challenge(content=content, dice={"duel": [4, 4]})
    stage.hold_challenge()

    assert [e["character"] for e in stage.told("died")] == ["ben"]


def test_a_tie_that_kills_both_spares_whom_a_relic_saves():
    """C-E13, C-E30: the one lives, the other does not."""
    stage = challenge(lambda g: (going_in(g), hold(g, 0, "coffin")), tie="both", dice=TIED)
    stage.play_relic(0, "coffin")
    stage.hold_challenge()

    assert stage.told("spared") == [{"character": "ada"}]
    assert [e["character"] for e in stage.told("died")] == ["ben"]
