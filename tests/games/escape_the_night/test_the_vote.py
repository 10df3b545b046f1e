"""[The Vote & Death Challenge]: the vote."""

from __future__ import annotations

import pytest

from engines.escape_the_night.rules.vote import candidates
from engines.kernel.errors import IllegalAnswer
from tests.games.escape_the_night.stage import (
    Stage,
    alive,
    hold,
    ready,
    stand,
    with_ability,
)

FIVE = ("ada", "ben", "cleo", "dora", "emil")


def voting(g):
    """Five are alive and all exhausted: seat 0 has three of them, seat 1 two."""
    alive(g, *FIVE)
    ready(g)


def test_the_vote_is_called_once_all_are_exhausted():
    """Every player with a living character is asked, at once and in secret."""
    stage = Stage(voting)

    assert stage.view.phase == "vote"
    assert stage.view.current_seat is None
    assert [(d.seat, d.kind, d.secret, d.revisable) for d in stage.play.asked] == [
        (0, "vote", True, True),
        (1, "vote", True, True),
    ]


def test_rule_e17_any_living_character_may_be_voted_for():
    """RULE-E17, C-E27: one's own too, the dead not; and one token for each living character."""
    stage = Stage(voting)

    for seat, tokens in ((0, 3), (1, 2)):
        assert stage.choices("vote", seat) == FIVE
        shape = stage.asked("vote", seat).shape
        assert (shape.least, shape.most, shape.repeats) == (tokens, tokens, True)


def test_c_e9_all_tokens_on_one_character_is_no_ballot():
    """C-E9: with more than one token there are at least two names."""
    stage = Stage(voting)

    with pytest.raises(IllegalAnswer, match="too_alike"):
        stage.answer("vote", "ada", "ada", "ada", seat=0)
    stage.answer("vote", "ada", "ada", "ben", seat=0)


def test_c_e10_one_token_needs_one_name():
    """C-E10: whoever has a single token left names a single character."""
    stage = Stage(lambda g: (alive(g, "ada", "cleo", "ben"), ready(g)))

    stage.answer("vote", "ada", seat=1)

    assert stage.asked("vote", 1).current == ("ada",)


def test_all_tokens_have_to_be_cast():
    """[The Vote & Death Challenge] a player casts all tokens held, no fewer and no more."""
    stage = Stage(voting)

    with pytest.raises(IllegalAnswer, match="too_few"):
        stage.answer("vote", "ada", "ben", seat=0)
    with pytest.raises(IllegalAnswer, match="too_many"):
        stage.answer("vote", "ada", "ben", "cleo", seat=1)


def test_a_ballot_may_be_changed_until_the_last_is_in():
    """Only what stands at the end is counted."""
    stage = Stage(voting)
    stage.cast(s0="ada ada ben")
    stage.cast(s0="cleo dora dora")
    stage.cast(s1="cleo dora")

    assert stage.told("votes_counted")[0]["totals"] == (
        {"character": "dora", "votes": 3},
        {"character": "cleo", "votes": 2},
        {"character": "ada", "votes": 0},
        {"character": "ben", "votes": 0},
        {"character": "emil", "votes": 0},
    )


def test_rule_e18_totals_are_published_and_authors_are_not():
    """RULE-E18: two tables whose ballots are swapped are told the same."""
    one, other = Stage(voting), Stage(voting)
    one.cast(s0="ada ada ben", s1="cleo ben")
    other.cast(s0="cleo ada ben", s1="ada ben")

    assert one.told("votes_counted") == other.told("votes_counted")
    assert one.told("chosen") == other.told("chosen")
    assert "ballot" not in str(one.told("votes_counted"))


def test_rule_e18_a_ballot_is_nobodys_to_see_while_it_stands():
    """RULE-E18: neither views nor events change when a ballot comes in."""
    one, other = Stage(voting), Stage(voting)
    assert one.answer("vote", "ada", "ada", "ben", seat=0) == []
    other.answer("vote", "cleo", "dora", "dora", seat=0)

    for seat in (1, None):
        assert one.play.view(seat) == other.play.view(seat)


def test_the_two_with_the_most_votes_go_in():
    """[The Vote & Death Challenge] no dice where the count is clear."""
    stage = Stage(lambda g: (voting(g), hold(g, 0, "plus_one")))
    stage.cast(s0="ada ada ben", s1="ada ben")

    assert stage.told("chosen") == [{"contestants": ("ada", "ben")}]
    assert stage.told("tie_rolled") == []
    assert stage.view.duel is not None
    assert stage.view.duel.contestants == ("ada", "ben")


def test_c_e11_equals_for_the_second_place_roll_and_the_lowest_goes_in():
    """C-E11, RULE-E16: the first is in; the two behind it roll one die each."""
    stage = Stage(voting, dice={"tie": [5, 2]})
    stage.cast(s0="ada ada ben", s1="cleo ada")

    assert stage.told("tie_rolled")[0]["rolls"] == (
        {"character": "ben", "die": 5, "bonus": 0},
        {"character": "cleo", "die": 2, "bonus": 0},
    )
    assert stage.told("chosen") == [{"contestants": ("ada", "cleo")}]


def test_rule_e16_three_equal_firsts_send_the_two_lowest():
    """RULE-E16: with three or more tied for the first place the two lowest dice go in."""
    stage = Stage(
        lambda g: (alive(g, "ada", "cleo", "emil", "ben", "dora", "finn"), ready(g)),
        dice={"tie": [4, 1, 3]},
    )
    stage.cast(s0="ada ben cleo", s1="ada ben cleo")

    assert stage.told("chosen") == [{"contestants": ("ben", "cleo")}]


def test_rule_e16_equal_dice_roll_again_among_the_equals():
    """RULE-E16: the clearly lower die stays in, only the equals reroll."""
    stage = Stage(
        lambda g: (alive(g, "ada", "cleo", "emil", "ben", "dora", "finn"), ready(g)),
        dice={"tie": [2, 4, 4, 6, 3]},
    )
    stage.cast(s0="ada ben cleo", s1="ada ben cleo")

    second = stage.told("tie_rolled")[1]["rolls"]
    assert [roll["character"] for roll in second] == ["ben", "cleo"]
    assert stage.told("chosen") == [{"contestants": ("ada", "cleo")}]


def test_rule_e16_no_votes_is_in_question_only_when_one_has_all():
    """RULE-E16: with a single name on all ballots everybody else is tied at none."""
    stage = Stage(
        lambda g: (alive(g, "ada", "ben", "cleo"), ready(g)), seats=3, dice={"tie": [6, 2]}
    )
    stage.cast(s0="cleo", s1="cleo", s2="cleo")

    assert [roll["character"] for roll in stage.told("tie_rolled")[0]["rolls"]] == ["ada", "ben"]
    assert stage.told("chosen") == [{"contestants": ("cleo", "ben")}]


def test_rule_e19_two_living_need_no_ballot():
    """RULE-E19: both go in."""
    stage = Stage(lambda g: (alive(g, "ada", "ben"), ready(g)))

    assert stage.told("vote_called") == []
    assert stage.told("chosen") == [{"contestants": ("ada", "ben")}]


def test_rule_e19_an_alibi_that_leaves_two_ends_the_vote():
    """RULE-E19: with three alive and one excused there is nothing to vote about any more."""
    stage = Stage(
        lambda g: (alive(g, "ada", "ben", "cleo"), ready(g), hold(g, 0, "alibi", "plus_one")),
        seats=2,
    )
    stage.cast(s1="ben")
    stage.play_relic(0, "alibi")
    stage.answer("alibi", "ada", seat=0)

    assert stage.told("chosen") == [{"contestants": ("ben", "cleo")}]
    assert stage.told("votes_counted") == []
    assert stage.kinds()[0] == "brace"


def test_rule_e19_one_alone_is_spared_the_challenge():
    """RULE-E19: with one living there is neither vote nor challenge."""
    stage = Stage(lambda g: (alive(g, "ada"), ready(g)))

    assert stage.told("chosen") == []
    assert stage.view.round == 2
    assert stage.kinds() == ["roll"]


def test_c_e27_a_dead_character_has_no_token_and_is_no_target():
    """C-E27: after a death its owner has one token fewer."""
    stage = Stage(voting, dice={"duel": [1, 1, 6, 6]})
    stage.cast(s0="ada ada ben", s1="ada ben")
    stage.hold_challenge()
    assert stage.told("died")[0]["character"] == "ada"
    while stage.view.phase == "turns":
        stage.roll_and("stay")

    assert stage.asked("vote", 0).shape.most == 2
    assert "ada" not in stage.choices("vote", 0)


def test_rule_e35_a_player_without_living_characters_is_not_asked():
    """RULE-E35: nobody waits for whoever has lost all characters."""
    stage = Stage(lambda g: (alive(g, "ada", "cleo", "emil"), ready(g)))

    assert [d.seat for d in stage.play.asked] == [0]


def test_rule_e32_the_vote_has_its_relics():
    """RULE-E32: they are played while ballots are cast; a ballot that no longer fits comes back."""
    stage = Stage(lambda g: (voting(g), hold(g, 1, "alibi", "accusation")))
    stage.cast(s0="ben ben dora")
    stage.play_relic(1, "alibi")
    stage.answer("alibi", "ben", seat=1)

    assert "ben" not in stage.choices("vote", 0)
    assert stage.asked("vote", 0).current is None
    stage.play_relic(1, "accusation")
    stage.answer("accuse", "cleo", seat=1)
    stage.cast(s0="ada ada dora", s1="dora ada")

    assert stage.told("votes_counted")[0]["totals"][:3] == (
        {"character": "ada", "votes": 3},
        {"character": "cleo", "votes": 2},
        {"character": "dora", "votes": 2},
    )


def test_rule_e13_rebirth_in_the_vote():
    """RULE-E13: also of a player without characters; who comes back has a token and a name."""
    stage = Stage(
        lambda g: (alive(g, "ada", "cleo", "emil"), ready(g), hold(g, 1, "rebirth")),
    )
    assert stage.offered(1) == ("rebirth",)
    stage.play_relic(1, "rebirth")
    stage.answer("raise", "ben", seat=1)

    assert stage.told("raised") == [{"character": "ben", "seat": 1}]
    assert stage.where("ben") is None
    assert "ben" in stage.choices("vote", 0)
    assert stage.asked("vote", 1).shape.most == 1


def test_rule_e23_friends_and_favourites():
    """RULE-E23: an extra token, a vote that does not count, a kinder die."""
    stage = Stage(voting, content=with_ability("ada", "many_friends", 1))
    assert stage.asked("vote", 0).shape.most == 4

    stage = Stage(voting, content=with_ability("ada", "well_liked", 1))
    stage.cast(s0="ada ada ben", s1="ada ben")
    assert stage.told("votes_counted")[0]["totals"][0] == {"character": "ada", "votes": 2}

    stage = Stage(voting, content=with_ability("ada", "well_liked", 3))
    stage.cast(s0="ben ben cleo", s1="ada ben")
    assert {"character": "ada", "votes": 0} in stage.told("votes_counted")[0]["totals"]

    stage = Stage(voting, content=with_ability("cleo", "lucky_devil", 4), dice={"tie": [5, 2]})
    stage.cast(s0="ada ada ben", s1="cleo ada")
    assert stage.told("chosen") == [{"contestants": ("ada", "ben")}]


def test_a_shielded_guest_is_not_in_the_totals():
    """Whoever is excused is not counted at all, not even at none."""
    stage = Stage(lambda g: (voting(g), hold(g, 0, "alibi")))
    stage.play_relic(0, "alibi")
    stage.answer("alibi", "ada", seat=0)
    stage.cast(s0="ben ben cleo", s1="cleo ben")

    totals = stage.told("votes_counted")[0]["totals"]
    assert [entry["character"] for entry in totals] == ["ben", "cleo", "dora", "emil"]


def test_there_are_always_two_to_vote_for():
    """Where shields would leave fewer, they do not count."""
    state = Stage(lambda g: (alive(g, "ada", "ben", "cleo"), ready(g))).play._state
    assert state.ballot is not None
    state.ballot.shielded += ["ada", "ben"]

    assert candidates(state) == ["ada", "ben", "cleo"]


def test_the_order_of_ballots_makes_no_difference():
    """Whoever votes first, the table is told the same."""
    one, other = Stage(voting), Stage(voting)
    one.cast(s0="ada ada ben", s1="cleo ben")
    other.cast(s1="cleo ben", s0="ada ada ben")

    assert [n.event for n in one.play.events] == [n.event for n in other.play.events]


def test_where_they_stand_makes_no_difference_to_the_vote():
    """In the house or outside: the same names, and the same tokens."""
    outside = Stage(voting)
    inside = Stage(lambda g: (voting(g), stand(g, ada="a1", ben="d4", cleo="c6")))

    for seat in (0, 1):
        assert inside.choices("vote", seat) == outside.choices("vote", seat) == FIVE
        assert inside.asked("vote", seat).shape == outside.asked("vote", seat).shape
