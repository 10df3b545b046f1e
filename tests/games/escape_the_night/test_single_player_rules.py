"""[Single Player Rules]."""

from __future__ import annotations

from tests.games.escape_the_night.stage import GUESTS, Stage, alive, ready


def test_all_eleven_are_one_players_and_there_is_no_first_relic():
    """C-E20: a lone player has them all."""
    stage = Stage(seats=1)

    assert set(stage.view.rows[0]) == set(GUESTS)
    assert stage.view.hand_counts == (0,)


def test_c_e21_two_of_the_living_are_drawn_without_a_ballot():
    """C-E21: the top two of the shuffled cards go in."""

    def scene(g):
        alive(g, "ada", "ben", "cleo", "dora")
        ready(g)

    stage = Stage(scene, seats=1, picks={"solo_vote": [0, 0, 0]})

    assert stage.told("vote_called") == []
    assert stage.told("chosen") == [{"contestants": ("ben", "cleo")}]
    assert "vote" not in stage.kinds()


def test_a_tie_draws_from_the_others():
    """[Single Player Rules] as with more players, one outside the challenge dies."""

    def scene(g):
        alive(g, "ada", "ben", "cleo", "dora")
        ready(g)

    stage = Stage(
        scene,
        seats=1,
        dice={"duel": [3, 4, 4, 3]},
        picks={"solo_vote": [0, 0, 0], "outsider": [1]},
    )
    stage.hold_challenge()

    assert stage.told("died")[0]["character"] == "dora"


def test_there_is_no_starting_token():
    """[Single Player Rules] nothing is handed on."""

    def scene(g):
        alive(g, "ada")
        ready(g)

    stage = Stage(scene, seats=1)

    assert stage.view.round == 2
    assert stage.view.starting_seat == 0
