"""Whole games: the kernel's promises and the game's hold at every ply."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.retold import outcome_of
from engines.fear_of_the_dark.told import ASKED, ENDINGS, EVENTS
from engines.kernel.agents import random_agent
from engines.kernel.chance import Chance
from engines.kernel.game import Setting
from engines.kernel.journal import dump_header, dump_record, load_header, load_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import one_step, play_out
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.listed import check_decision, check_event
from tests.games.fear_of_the_dark.mazes import (
    CROWDED,
    GOLDEN,
    NARROW,
    SHIPPED,
    Escape,
    bold,
    check_table,
    header,
    opened,
)
from tests.playthrough_text import playthrough_text

ROOT = Path(__file__).parents[3]

BOX = load().rules
"""The content that is shipped."""

CONTENTS = {"small": CONTENT, "crowded": CROWDED, "narrow": NARROW, "box": BOX}

KEYS = st.binary(min_size=32, max_size=32)
games = given(
    seats=st.sampled_from((1, 2, 5, 8)),
    key=KEYS,
    content=st.sampled_from(tuple(CONTENTS)),
    options=st.fixed_dictionaries(
        {
            "difficulty": st.sampled_from(("easy", "normal", "hard", "very_hard")),
            "lead": st.sampled_from(("anyone", "round")),
        }
    ),
    agent=st.sampled_from((random_agent, bold)),
    choices=KEYS,
)
few = settings(max_examples=settings().max_examples // 8)


def told_outcome(play: Escape, content):
    """What the events alone say of the end."""
    events = [numbered.event for numbered in play.events]
    return outcome_of(content, Setting(play.header.seats, play.header.options), events)


@settings(max_examples=settings().max_examples // 2)
@games
def test_nothing_is_lost_and_the_game_ends(seats, key, content, options, agent, choices):
    """Cards, tiles and tokens are conserved, somebody can answer, and the end is told."""
    play = opened(seats, key, content=CONTENTS[content], **options)
    check_table(play._state)
    for numbered in play.events:
        check_event(numbered.event)

    def check(step):
        check_table(play._state)
        for numbered in step.events:
            check_event(numbered.event)
        for decision in play.asked[:1]:
            check_decision(decision)
            assert all(other.options == decision.options for other in play.asked)
        assert bool(play.asked) == (play.outcome is None)
        asked = [decision.seat for decision in play.asked]
        lead = play.view(None).lead
        assert play.outcome or asked == (list(range(seats)) if lead is None else [lead])

    play_out(play, agent, choices, each=check, limit=3000)
    assert play.outcome is not None
    assert play.outcome.ending in ENDINGS
    assert play.outcome.won == (play.outcome.ending == "escaped")
    assert told_outcome(play, CONTENTS[content]) == play.outcome


@few
@games
def test_replay_equals_live_at_every_ply(seats, key, content, options, agent, choices):
    """Each beginning of a journal, read back from JSON, is the game as it was then."""
    play = opened(seats, key, content=CONTENTS[content], **options)
    shadow = Playthrough(GAME, CONTENTS[content], load_header(dump_header(play.header)))

    def follow(step):
        record = load_record(dump_record(step.entry), play.ply)
        assert isinstance(record, Entry)
        shadow.replay_one(record)
        assert shadow.asked == play.asked
        assert shadow.view(play.ply % seats) == play.view(play.ply % seats)

    play_out(play, agent, choices, each=follow)
    assert shadow.events == play.events
    assert shadow.chance.ledger == play.chance.ledger
    assert shadow.outcome == play.outcome
    assert shadow.reinterpreted_from is None


@few
@games
def test_views_and_options_are_pure(seats, key, content, options, agent, choices):
    """Looking twice, from every seat, changes neither marks nor anything seen."""
    watched = opened(seats, key, content=CONTENTS[content], **options)
    alone = opened(seats, key, content=CONTENTS[content], **options)
    rngs = Chance(choices), Chance(choices)
    while watched.outcome is None:
        before = repr(watched._state)
        for seat in range(seats):
            assert watched.view(seat) == watched.view(seat)
        assert repr(watched._state) == before
        for play, rng in zip((watched, alone), rngs, strict=True):
            one_step(play, agent, rng)
        assert watched.entries[-1] == alone.entries[-1]


DIRECTED: dict[object, str] = {
    "maze_closed": "test_rule_f31_a_closed_maze_is_a_loss",
    "secret_door_opened": "test_rule_f29_a_secret_door_in_any_empty_wall",
    "terror": "test_c_f20_the_second_terror_is_the_end",
    "trapped": "test_rule_f40_trapped_with_nothing_left_to_do",
    "dark_echo": "test_c_f12_an_echo_that_collapses_or_locks_is_the_end",
    "escaped": "test_c_f16_out_of_an_open_door_when_no_tile_is_left",
    "went_out": "test_c_f16_out_of_an_open_door_when_no_tile_is_left",
    "secret_without_effect": "test_rule_f28_a_map_to_nowhere",
    ("walk", "exit"): "test_c_f16_out_of_an_open_door_when_no_tile_is_left",
    ("clear", "back"): "test_clearing_may_be_taken_back",
    ("clear", "field"): "test_clearing_takes_one_obstruction_of_ones_choice",
    ("go_on", "reveal"): "test_c_f11_the_move_goes_on_in_a_room_without_danger",
    ("go_on", "use_key"): "test_rule_f38_a_key_in_the_middle_of_a_move",
    ("go_on", "use_match"): "test_free_acts_in_a_room_just_entered",
    ("go_on", "use_scrap"): "test_rule_f38_scrap_paper_on_the_way",
    ("go_on", "exit"): "test_the_exit_can_be_reached_in_the_same_move",
    ("secret_door", "wall"): "test_rule_f29_a_secret_door_in_any_empty_wall",
    ("unlock", "back"): "test_a_key_removes_a_lock_beside",
    ("unlock", "field"): "test_a_key_removes_a_lock_beside",
}
"""What hardly ever happens by itself has a test of its own."""


def test_what_is_rare_has_a_test_of_its_own():
    """Those tests exist."""
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))

    assert all(f"def {name}(" in tests for name in DIRECTED.values())


def test_every_event_and_question_occurs():
    """Each kind that told.py lists, with each of its options' words, comes up in some game."""
    words = [(kind, word) for kind, asked in ASKED.items() for word in asked.options]
    missing = {*EVENTS, *words, *ENDINGS} - set(DIRECTED)

    def look(play: Escape) -> None:
        for decision in play.asked[:1]:
            missing.difference_update((decision.kind, o.word or o.key) for o in decision.options)

    for byte in range(60):
        content = (CONTENT, CROWDED, NARROW)[byte % 3]
        difficulty = ("easy", "normal")[byte // 3 % 2]
        lead = ("round", "anyone")[byte // 6 % 2]
        play = opened(2, bytes([byte]) * 32, content=content, difficulty=difficulty, lead=lead)
        each = lambda _, play=play: look(play)  # noqa: E731
        play_out(play, bold, bytes([byte]), each=each, limit=3000)
        assert play.outcome is not None
        missing -= {*(numbered.event.kind for numbered in play.events), play.outcome.ending}

    assert sorted(map(str, missing)) == []


# Golden games, one for each ending.


def golden_text(ending: str) -> str:
    """The text of the golden game with that ending."""
    seats, content, options, byte = GOLDEN[ending]
    key = bytes([byte]) * 32
    play = opened(seats, key, content=content, **options)
    play_out(play, bold, key, limit=3000)
    assert play.outcome is not None
    assert play.outcome.ending == ending
    return playthrough_text(GAME, content, header(seats, key, **options), play.entries)


@pytest.mark.parametrize("ending", ENDINGS)
def test_golden_games(ending, golden):
    """For each ending a game as a reviewer has read it: asked, answered, told, seen."""
    golden(f"fear_of_the_dark_{ending}", golden_text(ending))


def shipped_text(ending: str) -> str:
    """The text of the golden game with that ending, played with the box that is shipped."""
    agent, seats, options, byte = SHIPPED[ending]
    key = bytes([byte]) * 32
    play = opened(seats, key, content=BOX, **options)
    play_out(play, bold if agent == "bold" else GAME.agents[agent], key, limit=3000)
    assert play.outcome is not None
    assert play.outcome.ending == ending
    return playthrough_text(GAME, BOX, header(seats, key, **options), play.entries)


@pytest.mark.parametrize("ending", SHIPPED)
def test_golden_games_of_the_shipped_box(ending, golden):
    """The same with the tiles and cards that players get: all endings that come up with them."""
    golden(f"fear_of_the_dark_shipped_{ending}", shipped_text(ending))


def test_every_process_plays_the_same_game():
    """Two processes with different hash seeds write the golden games letter by letter."""
    code = (
        "from tests.games.fear_of_the_dark import test_whole_games as n;"
        "print(*map(n.golden_text, n.GOLDEN), sep='')"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert texts[0] == texts[1]
    assert texts[0].startswith("fear_of_the_dark: 1 seats")


def test_no_tale_is_told_twice_while_there_is_another():
    """In every game: as many different texts for a kind of card as there are, then any again."""
    often = 0
    for number in range(6):
        play = opened(2, bytes([number]) * 32, content=BOX, difficulty="easy", lead="anyone")
        play_out(play, GAME.agents["sensible"], bytes([number + 40]) * 32, limit=3000)
        told: dict[str, list[str]] = {}
        for numbered in play.events:
            if "tale" in numbered.event.data and numbered.event.kind != "ended":
                tale = str(numbered.event.data["tale"])
                told.setdefault(tale.rpartition("_")[0], []).append(tale)
        for tales in told.values():
            first = tales[: BOX.numbers.tales]
            assert len(set(first)) == len(first), tales
            often += len(first) > 1

    assert often > 20
