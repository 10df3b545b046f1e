"""Whole games of the toy: the kernel's promises hold at every ply, in every process."""

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.kernel.chance import Chance
from engines.kernel.journal import dump_header, dump_record, load_header, load_record
from engines.kernel.playthrough import Playthrough
from engines.kernel.table import Entry
from tests.driving import one_step, play_out
from tests.kernel.small import by_seat, say, seats_of
from tests.leaks import Rigged, beyond_seats, canaries, differences
from tests.playthrough_text import playthrough_text
from tests.toy.senate import (
    CONTENT,
    LAWS,
    SENATE,
    Play,
    SeatView,
    State,
    header,
    start,
)

ROOT = Path(__file__).parents[2]

SEATS = st.integers(3, 6)
KEYS = st.binary(min_size=32, max_size=32)
LENGTHS = st.sampled_from(("short", "long"))
CARDS = st.sampled_from(("one", "two"))
AGENTS = st.sampled_from(("random", "sensible"))
games = given(seats=SEATS, key=KEYS, length=LENGTHS, cards=CARDS, agent=AGENTS, choices=KEYS)
thorough = settings(max_examples=settings().max_examples // 4)


def opened(seats, key, length, cards) -> Play:
    """A game of the toy from drawn values."""
    return start(seats, key=key.hex(), length=length, cards=cards)


def same(left: Play, right: Play) -> None:
    """Assert that two games are the same, in everything that can be seen of them."""
    assert left.entries == right.entries
    assert left.events == right.events
    assert left.chance.ledger == right.chance.ledger
    assert (left.asked, left.offers) == (right.asked, right.offers)
    assert (left.interrupted, left.timers) == (right.interrupted, right.timers)
    assert left.outcome == right.outcome
    for seat in (*range(left.header.seats), None):
        assert left.view(seat) == right.view(seat)


@thorough
@games
def test_replay_equals_live_at_every_ply(seats, key, length, cards, agent, choices):
    """Each beginning of a journal, read back from JSON, is the game as it was then."""
    play = opened(seats, key, length, cards)
    shadow = Playthrough(SENATE, CONTENT, load_header(dump_header(play.header)))

    def follow(step):
        record = load_record(dump_record(step.entry), play.ply)
        assert isinstance(record, Entry)
        shadow.replay_one(record)
        same(shadow, play)

    play_out(play, SENATE.agents[agent], choices, each=follow)
    whole = Playthrough.replay(SENATE, CONTENT, play.header, play.entries)
    same(whole, play)
    assert whole.reinterpreted_from is None


@thorough
@games
def test_every_ply_keeps_the_rules_of_the_table(seats, key, length, cards, agent, choices):
    """Laws and cards are conserved, somebody can always answer, the end comes in time."""
    play = opened(seats, key, length, cards)
    dealt = sum(play.view(None).hand_counts)
    laws = 0

    def check(step):
        nonlocal laws
        laws += sum(e.event.kind == "proposed" for e in step.events)
        g: State = play._state
        played = sum(e.event.kind == "card_played" for e in play.events)
        assert sum(play.view(None).hand_counts) + played == dealt
        assert len(g.deck) + len(g.drawn) + laws == len(LAWS)
        assert all(d.options for d in (*play.asked, *play.offers))
        assert bool(play.asked) == (play.outcome is None)

    play_out(play, SENATE.agents[agent], choices, each=check, limit=600)
    assert play.outcome is not None
    assert play.outcome.ending in {"ruin", "golden_age", "dissolved"}


@thorough
@games
def test_views_and_options_are_pure(seats, key, length, cards, agent, choices):
    """Looking twice, from every seat, changes neither marks nor anything seen."""
    watched, alone = opened(seats, key, length, cards), opened(seats, key, length, cards)
    rngs = Chance(choices), Chance(choices)
    while watched.outcome is None:
        for seat in (*range(seats), None):
            assert watched.view(seat) == watched.view(seat)
        state: State = watched._state
        table = watched._table
        assert table.offers() == table.offers()
        before = repr(state)
        table.offers()
        watched.view(None)
        assert repr(state) == before
        for play, rng in zip((watched, alone), rngs, strict=True):
            one_step(play, SENATE.agents[agent], rng)
        assert watched.entries[-1] == alone.entries[-1]


@settings(max_examples=settings().max_examples // 6)
@given(key=KEYS, votes=st.lists(st.sampled_from(("aye", "nay", "abstain")), min_size=4, max_size=4))
def test_the_order_of_arrival_changes_nothing(key, votes):
    """All 24 orders of four secret votes lead to the same events, views and dice."""

    def after(order):
        play = opened(4, key, "short", "one")
        while play.asked[0].kind != "vote":
            say(play, play.asked[0].seat, play.asked[0].keys()[-1])
        for seat in order:
            say(play, seat, votes[seat], kind="vote")
        while play.outcome is None and play.asked[0].kind != "vote":
            asked = play.asked[0]
            keys = asked.keys()
            say(play, asked.seat, *(keys * 2)[: asked.shape.least], kind=asked.kind)
        views = [play.view(seat) for seat in (*range(4), None)]
        return play.events[-1].event, [e.event for e in play.events], views, play.chance.ledger

    first, *others = (after(order) for order in itertools.permutations(range(4)))

    assert all(other == first for other in others)


@thorough
@games
def test_two_tables_interleaved_equal_each_alone(seats, key, length, cards, agent, choices):
    """Tables share nothing: one step here and one step there give the two games alone."""
    keys = key, bytes(reversed(key))
    alone = [opened(seats, k, length, cards) for k in keys]
    for play in alone:
        play_out(play, SENATE.agents[agent], choices)
    both = [opened(seats, k, length, cards) for k in keys]
    rngs = [Chance(choices) for _ in keys]
    while any(play.outcome is None for play in both):
        for play, rng in zip(both, rngs, strict=True):
            if play.outcome is None:
                one_step(play, SENATE.agents[agent], rng)

    for left, right in zip(alone, both, strict=True):
        same(left, right)


# Secrets.


@thorough
@games
def test_nobody_sees_what_is_not_theirs(seats, key, length, cards, agent, choices):
    """No card in a hand and no drawn law is in any other seat's view, events or prompts."""
    play = opened(seats, key, length, cards)

    def check(step):
        g: State = play._state
        holders = {card: (seat,) for seat in g.seats() for card in g.hands[seat]}
        holders |= {law.key: (g.consul,) for law in g.drawn}
        assert canaries(play, step.events, holders) == []
        assert beyond_seats(play, ignore=("seat",)) == []

    play_out(play, SENATE.agents[agent], choices, each=check)


def test_swapped_hands_look_the_same_to_the_others():
    """Two seats exchange their cards: no third seat and no spectator sees a difference."""

    def swap(g: State) -> None:
        g.hands[0], g.hands[1] = g.hands[1], g.hands[0]

    def at_the_vote(change):
        play = Playthrough(Rigged(SENATE, change), CONTENT, header(4, cards="two"))
        while play.asked[0].kind != "vote":
            say(play, play.asked[0].seat, play.asked[0].keys()[0])
        say(play, 2, "aye", kind="vote")
        return play

    left, right = at_the_vote(lambda _: None), at_the_vote(swap)

    assert left.view(0).hand == right.view(1).hand
    assert differences(left, right, (2, 3, None)) == []
    assert differences(left, right, (0,)) != []


def test_a_secret_vote_looks_the_same_to_the_others():
    """Whether a seat voted aye or nay is seen by that seat alone until all votes are in."""

    def after(vote):
        play = start(4)
        while play.asked[0].kind != "vote":
            say(play, play.asked[0].seat, play.asked[0].keys()[0])
        say(play, 2, vote, kind="vote")
        return play

    aye, nay = after("aye"), after("nay")

    assert by_seat(aye, 2, "vote").current == ("aye",)
    assert seats_of(aye.waiting()) == [0, 1, 3]
    assert differences(aye, nay, (0, 1, 3, None)) == []
    assert differences(aye, nay, (2,)) == ["seat 2 sees asked.0.current: ['aye'] or ['nay']"]


# Golden games, one for each ending.

GOLDEN = {
    "golden_age": ("sensible", 3, "short", "two", "02"),
    "ruin": ("random", 3, "short", "two", "1f"),
    "dissolved": ("random", 3, "short", "two", "26"),
}


def golden_text(ending: str) -> str:
    """The text of the golden game with that ending."""
    agent, seats, length, cards, byte = GOLDEN[ending]
    play = opened(seats, bytes.fromhex(byte * 32), length, cards)
    play_out(play, SENATE.agents[agent], bytes.fromhex(byte * 32), fuss=6)
    assert play.outcome is not None
    assert play.outcome.ending == ending
    return playthrough_text(SENATE, CONTENT, play.header, play.entries)


@pytest.mark.parametrize("ending", GOLDEN)
def test_golden_games(ending, golden):
    """For each ending a game as a reviewer has read it: asked, answered, told, seen."""
    golden(f"kernel_senate_{ending}", golden_text(ending))


def test_every_process_plays_the_same_game():
    """Two processes with different hash seeds write the golden games letter by letter."""
    code = "from tests.kernel import test_senate as s; print(*map(s.golden_text, s.GOLDEN), sep='')"
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

    assert texts[0] == texts[1] == "".join(map(golden_text, GOLDEN)) + "\n"


def test_a_sensible_agent_does_not_see_hidden_cards():
    """Permuting what is hidden from a seat leaves its agent's choice as it was."""
    play = start(4, cards="two")
    agent = SENATE.agents["sensible"]
    seat = play.asked[0].seat
    view: SeatView = play.view(seat)
    chosen = agent(view, play.asked, (), Chance(b"x"))
    g: State = play._state
    g.deck.reverse()
    others = [s for s in g.seats() if s != seat]
    hands = [g.hands[s] for s in others]
    for s, hand in zip(others, reversed(hands), strict=True):
        g.hands[s] = hand

    assert agent(play.view(seat), play.asked, (), Chance(b"x")) == chosen
