"""Whole nights: the kernel's promises and the game's hold at every ply."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.escape_the_night import load
from engines.escape_the_night.cards import Content
from engines.escape_the_night.game import ENDINGS, GAME
from engines.escape_the_night.state import State
from engines.kernel.chance import Chance
from engines.kernel.journal import dump_header, dump_record, load_header, load_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import one_step, play_out
from tests.games.escape_the_night.nights import DEADLY, Night, check_board, header, opened
from tests.games.escape_the_night.stage import CONTENT
from tests.playthrough_text import playthrough_text

ROOT = Path(__file__).parents[3]

HOUSE = load().rules
"""The content that is shipped."""

CONTENTS = {"small": CONTENT, "deadly": DEADLY, "house": HOUSE}

KEYS = st.binary(min_size=32, max_size=32)
nights = given(
    seats=st.integers(1, 11),
    key=KEYS,
    agent=st.sampled_from(("random", "sensible")),
    content=st.sampled_from(tuple(CONTENTS)),
    options=st.fixed_dictionaries(
        {
            "hourglass": st.sampled_from(("5", "untimed")),
            "abilities": st.sampled_from(("on", "off")),
            "secret_room": st.sampled_from(("on", "off")),
        }
    ),
    choices=KEYS,
)
few = settings(max_examples=settings().max_examples // 8)


def same(left: Night, right: Night) -> None:
    """Assert that two nights are the same, in everything that can be seen of them."""
    assert left.entries == right.entries
    assert left.events == right.events
    assert left.chance.ledger == right.chance.ledger
    assert (left.asked, left.offers) == (right.asked, right.offers)
    assert (left.interrupted, left.timers) == (right.interrupted, right.timers)
    assert left.outcome == right.outcome
    for seat in (*range(left.header.seats), None):
        assert left.view(seat) == right.view(seat)


@settings(max_examples=settings().max_examples // 3)
@nights
def test_nothing_is_lost_and_the_night_ends(seats, key, agent, content, options, choices):
    """Cards and pieces are conserved, somebody can always answer, the end comes in time."""
    play = opened(seats, key, content=CONTENTS[content], **options)

    def check(step):
        g: State = play._state
        check_board(g)
        assert all(d.options for d in (*play.asked, *play.offers))
        assert bool(play.asked) == (play.outcome is None)
        # RULE-E35: nobody without a living character is ever waited for.
        assert all(g.living_of(d.seat) for d in play.asked if d.kind not in OF_THE_HOLDER)

    play_out(play, GAME.agents[agent], choices, each=check, limit=3000, fuss=40)
    assert play.outcome is not None
    assert play.outcome.ending in ENDINGS
    assert play.outcome.won == (play.outcome.ending == "escaped")


OF_THE_HOLDER = (
    "raise",
    "accuse",
    "support",
    "reveal",
    "foresee",
    "rouse",
    "free",
    "through_wall",
    "salvage",
)
"""What a relic asks of whoever played it, who may have nobody left alive (RULE-E13)."""


@few
@nights
def test_replay_equals_live_at_every_ply(seats, key, agent, content, options, choices):
    """Each beginning of a journal, read back from JSON, is the night as it was then."""
    play = opened(seats, key, content=CONTENTS[content], **options)
    shadow = Playthrough(GAME, CONTENTS[content], load_header(dump_header(play.header)))

    def follow(step):
        record = load_record(dump_record(step.entry), play.ply)
        assert isinstance(record, Entry)
        shadow.replay_one(record)
        assert (shadow.asked, shadow.offers) == (play.asked, play.offers)
        assert shadow.view(play.ply % seats) == play.view(play.ply % seats)

    play_out(play, GAME.agents[agent], choices, each=follow, fuss=40)
    same(shadow, play)
    assert shadow.reinterpreted_from is None


@few
@nights
def test_views_and_options_are_pure(seats, key, agent, content, options, choices):
    """Looking twice, from every seat, changes neither marks nor anything seen."""
    watched = opened(seats, key, content=CONTENTS[content], **options)
    alone = opened(seats, key, content=CONTENTS[content], **options)
    rngs = Chance(choices), Chance(choices)
    while watched.outcome is None:
        table = watched._table
        before = repr(table.offers()), repr(watched.view(None))
        for seat in range(seats):
            assert watched.view(seat) == watched.view(seat)
        assert (repr(table.offers()), repr(watched.view(None))) == before
        for play, rng in zip((watched, alone), rngs, strict=True):
            one_step(play, GAME.agents[agent], rng, fuss=40)
        assert watched.entries[-1] == alone.entries[-1]


@few
@nights
def test_two_tables_interleaved_equal_each_alone(seats, key, agent, content, options, choices):
    """Tables share nothing: one step here and one step there give the two nights alone."""
    keys = key, bytes(reversed(key))
    alone = [opened(seats, k, content=CONTENTS[content], **options) for k in keys]
    for play in alone:
        play_out(play, GAME.agents[agent], choices, fuss=40)
    both = [opened(seats, k, content=CONTENTS[content], **options) for k in keys]
    rngs = [Chance(choices) for _ in keys]
    while any(play.outcome is None for play in both):
        for play, rng in zip(both, rngs, strict=True):
            if play.outcome is None:
                one_step(play, GAME.agents[agent], rng, fuss=40)

    for left, right in zip(alone, both, strict=True):
        same(left, right)


@pytest.mark.parametrize("seats", range(1, 12))
def test_every_number_of_seats_plays_to_the_end(seats):
    """The shipped content, computer players at all seats, with and without sand."""
    for hourglass in ("untimed", "10"):
        play = opened(seats, bytes([seats]) * 32, content=HOUSE, hourglass=hourglass)
        play_out(play, GAME.agents["sensible"], fuss=200, limit=3000)

        assert play.outcome is not None
        assert play.view(None).phase == "over"


def test_the_order_of_ballots_changes_nothing():
    """All six orders in which three ballots may arrive lead to the same events and dice."""

    def after(order):
        play = opened(3, b"\7" * 32)
        rng = Chance(b"x")
        while play.asked[0].kind != "vote":
            one_step(play, GAME.agents["sensible"], rng)
        ballots = {d.seat: d.keys()[:2] * 6 for d in play.asked}
        sizes = {d.seat: d.shape.most for d in play.asked}
        for seat in order:
            question = play.asked[0].question
            play.answer(seat, question, "vote", ballots[seat][: sizes[seat]])
        return [n.event for n in play.events], play.chance.ledger, play.view(None)

    first, *others = (after(order) for order in itertools.permutations(range(3)))

    assert all(other == first for other in others)


# Golden nights, at least one for each ending.

GOLDEN: dict[str, tuple[str, int, Content, dict[str, Any], int]] = {
    "escaped": ("sensible", 2, CONTENT, {"hourglass": "untimed"}, 79),
    "daylight_lost": ("random", 3, CONTENT, {"secret_room": "on"}, 73),
    "budget_spent": ("random", 1, CONTENT, {"hourglass": "untimed", "abilities": "off"}, 128),
    "all_dead": ("random", 2, DEADLY, {"hourglass": "untimed"}, 128),
}


def golden_text(ending: str) -> str:
    """The text of the golden night with that ending."""
    agent, seats, content, options, byte = GOLDEN[ending]
    key = bytes([byte]) * 32
    play = opened(seats, key, content=content, **options)
    play_out(play, GAME.agents[agent], key, fuss=20)
    assert play.outcome is not None
    assert play.outcome.ending == ending
    return playthrough_text(GAME, content, header(seats, key, **options), play.entries)


@pytest.mark.parametrize("ending", ENDINGS)
def test_golden_nights(ending, golden):
    """For each ending a night as a reviewer has read it: asked, answered, told, seen."""
    golden(f"escape_the_night_{ending}", golden_text(ending))


def test_every_process_plays_the_same_night():
    """Two processes with different hash seeds write the golden nights letter by letter."""
    code = (
        "from tests.games.escape_the_night import test_whole_nights as n;"
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
    assert texts[0].startswith("escape_the_night: 2 seats")
