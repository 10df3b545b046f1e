"""[Game Set Up]."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from engines.escape_the_night.cards import Effect, Relic, SecretRoom
from engines.escape_the_night.game import GAME
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.games.escape_the_night.stage import BOARD, CONTENT, GUESTS, Stage, hold


def new(seats: int, seed: int = 0, **options: str):
    """A freshly laid table with real chance."""
    chosen = {option.key: option.default for option in GAME.options} | options
    key = f"{seed:04x}"
    return Playthrough(GAME, CONTENT, Header(GAME.key, GAME.rules_version, "", key, seats, chosen))


@pytest.mark.parametrize("seats", range(1, 12))
def test_all_guests_are_dealt_round_the_table(seats):
    """Everybody gets a character in turn until all eleven are out; nobody is two ahead."""
    view = new(seats).view(None)

    assert sorted(c for row in view.rows for c in row) == sorted(GUESTS)
    sizes = [len(row) for row in view.rows]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1
    assert all(
        c.owner == seat
        for seat, row in enumerate(view.rows)
        for c in view.characters
        if c.id in row
    )


def test_c_e19_four_players_are_dealt_three_three_three_two():
    """C-E19, RULE-E27: the last of four players has fewer characters and starts with a relic."""
    view = new(4).view(None)

    assert [len(row) for row in view.rows] == [3, 3, 3, 2]
    assert view.hand_counts == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("seats", "relics"),
    [(2, 1), (3, 1), (4, 1), (5, 4), (6, 1), (7, 3), (8, 5), (9, 7), (10, 9)],
)
def test_rule_e27_each_player_with_fewer_characters_gets_one_relic(seats, relics):
    """RULE-E27: one each for all who got fewer, whatever the difference."""
    view = new(seats).view(None)

    assert sum(view.hand_counts) == relics
    assert max(view.hand_counts) == 1
    fewest = len(view.rows[-1])
    assert [len(row) == fewest for row in view.rows] == [count == 1 for count in view.hand_counts]


@pytest.mark.parametrize("seats", [1, 11])
def test_c_e20_nobody_is_short_of_characters_at_one_or_eleven(seats):
    """C-E20: no starting relic when all have equally many characters, nor for a lone player."""
    assert sum(new(seats).view(None).hand_counts) == 0


def test_the_first_relic_is_seen_by_its_owner_alone():
    """RULE-E13: the table sees that a relic was drawn, only the hand's owner sees which."""
    play = new(4)

    (drawn,) = [e.event for e in play.events if e.event.kind == "relic_drawn"]
    (seen,) = [e.event for e in play.events if e.event.kind == "relic_seen"]
    assert drawn.data == {"seat": 3}
    assert seen.only == (3,)
    assert play.view(3).hand == (seen.data["relic"],)
    assert play.view(0).hand == ()


def test_rule_e8_everybody_waits_outside_the_front_door():
    """RULE-E8: the eleven start off the board."""
    view = new(3).view(None)

    assert [c.space for c in view.characters] == [None] * 11
    assert not any(c.exhausted or c.monster for c in view.characters)


def test_tiles_lie_face_down_on_the_circles_and_artifacts_on_the_triangles():
    """RULE-E15: every circle has a tile whose colour nobody sees, every triangle its artifact."""
    view = new(2).view(0)

    assert sorted(tile.space for tile in view.tiles) == sorted(BOARD.circles)
    assert [tile.colour for tile in view.tiles] == [None] * 4
    assert {a.id: a.space for a in view.artifacts} == {
        "amulet": "b2",
        "bell": "f2",
        "chalice": "i5",
    }
    assert view.mantle == ()


def test_tiles_are_shuffled_by_colour():
    """Where the monsters wait differs from game to game, how many there are does not."""
    lay_outs: Counter[tuple[str, ...]] = Counter()
    for seed in range(40):
        stage = new(2, seed)
        colours = [tile.colour for tile in stage._state.tiles.values()]
        assert sorted(colours) == ["clue", "clue", "monster", "monster"]
        lay_outs[tuple(colours)] += 1

    assert len(lay_outs) == 6


def test_the_starting_player_is_drawn():
    """Nobody's age is known, so anybody may start, and all see who does."""
    starts = {new(3, seed).view(None).starting_seat for seed in range(20)}

    assert starts == {0, 1, 2}
    play = new(3, 5)
    (began,) = [e.event for e in play.events if e.event.kind == "guests_arrived"]
    assert began.data == {"seat": play.view(None).starting_seat}


def test_rule_e33_without_the_premium_tiles_the_dining_room_is_a_dining_room():
    """RULE-E33: the secret room is a choice of the lobby."""
    assert new(2).view(None).dining == "dining_room"
    assert new(2, secret_room="on").view(None).dining in CONTENT.secret_rooms


def test_rule_e33_each_of_the_secret_rooms_can_be_drawn():
    """[Game Set Up] one of the three is laid over the dining room, and all see which."""
    rooms = {new(2, seed, secret_room="on").view(None).dining for seed in range(30)}

    assert rooms == set(CONTENT.secret_rooms)
    stage = Stage(secret_room="on")
    assert stage.told("secret_room_found") == [{"room": stage.view.dining}]


def test_rule_e33_whoever_ends_a_move_in_the_secret_room_feels_it():
    """RULE-E33: its effect is for a character that ends a move there."""
    content = replace(CONTENT, secret_rooms={"map_room": SecretRoom(Effect("draw_relics", 2))})
    stage = Stage(
        lambda g: setattr(g.characters["kate"], "space", "g3"),
        content=content,
        secret_room="on",
        dice={"move": [1, 1]},
    )
    before = stage.view.hand_counts[0]

    events = stage.roll_and("h3")

    assert "secret_room_entered" in [e.kind for e in events]
    assert stage.view.hand_counts[0] == before + 2


def test_rule_e33_passing_through_or_standing_still_there_does_nothing():
    """RULE-E33: nothing happens on the way, nor to a character that takes no step."""

    def in_the_room(g):
        g.characters["kate"].space = "h3"

    stage = Stage(in_the_room, secret_room="on", dice={"move": [1, 1]})
    stage.roll_and("stay")
    assert stage.told("secret_room_entered") == []

    stage = Stage(in_the_room, secret_room="on", dice={"move": [1, 1]})
    stage.roll_and("g4")
    assert stage.told("secret_room_entered") == []


def test_rule_e33_steps_inside_do_not_count_again():
    """RULE-E33: who was there when the turn began gains nothing from a step to the next space."""
    stage = Stage(
        lambda g: setattr(g.characters["kate"], "space", "h3"),
        secret_room="on",
        dice={"move": [1, 1]},
    )
    stage.roll_and("i3")

    assert stage.where("kate") == "i3"
    assert stage.told("secret_room_entered") == []


def test_rule_e33_who_comes_through_the_wall_has_come_in():
    """RULE-E33: also without another step after it."""
    through = {**CONTENT.relics, "panel": Relic(Effect("through_wall"))}

    def arrange(g):
        g.characters["kate"].space = "g4"
        hold(g, 0, "panel")

    stage = Stage(arrange, content=replace(CONTENT, relics=through), secret_room="on")
    stage.answer("roll", "roll")
    stage.play_relic(0, "panel")
    stage.answer("through_wall", "h4")
    stage.answer("move", "stay")

    assert stage.told("secret_room_entered") == [{"character": "kate", "room": stage.view.dining}]


def test_the_lobby_may_choose():
    """RULE-E3, RULE-E23: hourglass, abilities and secret room, with sound defaults."""
    assert {option.key: option.default for option in GAME.options} == {
        "hourglass": "5",
        "abilities": "on",
        "secret_room": "off",
    }
    assert GAME.seats == range(1, 12)
