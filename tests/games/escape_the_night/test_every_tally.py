"""Every tally of the vote against a written table, and whose turn it is whoever has died."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from bot.ui.rulebook import ROOT
from engines.escape_the_night.cards import Content
from engines.escape_the_night.deeds import next_seat_with_living
from engines.escape_the_night.game import GAME
from engines.escape_the_night.rules.vote import top_two
from engines.kernel.errors import IllegalAnswer
from engines.kernel.playthrough import Step
from tests.driving import play_out
from tests.games.escape_the_night.nights import DEADLY, Night, opened
from tests.games.escape_the_night.stage import (
    CONTENT,
    GUESTS,
    LoadedChance,
    Stage,
    alive,
    hold,
    ready,
)


class Told:
    """A table that only notes what it is told, with loaded dice."""

    def __init__(self, *dice: int) -> None:
        self.chance = LoadedChance({"tie": dice}, {}, 0)
        self.rolls: list[list[str]] = []

    def tell(self, kind: str, **facts: Any) -> None:
        """Note who rolled."""
        if kind == "tie_rolled":
            self.rolls.append([roll["character"] for roll in facts["rolls"]])


def decided(totals: dict[str, int], *dice: int) -> tuple[set[str], list[list[str]]]:
    """Who goes in, and who rolled for it, round by round."""
    g: Any = Stage(lambda g: (alive(g, *GUESTS), ready(g))).play._state
    table: Any = Told(*dice)
    return set(top_two(g, table, totals)), table.rolls


def expected(totals: dict[str, int]) -> tuple[set[str], set[str]]:
    """RULE-E16 in so many words: who is in without a die, and who rolls for what is left.

    A count alone at the top is in; behind it, a count alone in the second place. Where more stand
    level than places are left, these roll.
    """
    first = max(totals.values())
    at_top = {c for c, votes in totals.items() if votes == first}
    if len(at_top) > 2:
        return set(), at_top
    if len(at_top) == 2:
        return at_top, set()
    rest = {c: votes for c, votes in totals.items() if c not in at_top}
    second = max(rest.values())
    at_second = {c for c, votes in rest.items() if votes == second}
    if len(at_second) == 1:
        return at_top | at_second, set()
    return at_top, at_second


def tallies(candidates: int, votes: int) -> Iterator[tuple[int, ...]]:
    """All ways in which so many votes fall on so many candidates."""
    for bars in combinations(range(votes + candidates - 1), candidates - 1):
        edges = (-1, *bars, votes + candidates - 1)
        yield tuple(right - left - 1 for left, right in pairwise(edges))


def check(counts: Sequence[int]) -> None:
    """One tally, with dice that are all different: the lowest of those who roll go in."""
    totals: dict[str, int] = dict(zip(GUESTS, counts, strict=False))
    sure, rolling = expected(totals)
    g = _STATE
    table: Any = Told(*range(1, 7))
    pair = set(top_two(g, table, dict(totals)))
    assert len(pair) == 2
    assert sure <= pair
    assert pair - sure <= rolling
    assert {c for roll in table.rolls[:1] for c in roll} == rolling, counts
    if rolling and len(rolling) <= 6:
        order = [c for c in GUESTS if c in rolling]
        assert pair == sure | set(order[: 2 - len(sure)])


_STATE: Any = Stage(lambda g: (alive(g, *GUESTS), ready(g))).play._state


@pytest.mark.parametrize("votes", range(13))
def test_every_tally_of_up_to_five(votes: int) -> None:
    """GAM-16, GAM-29: nought to twelve votes on two to five guests, every way in which they can
    fall: whoever has clearly more goes in without a die, and only those who stand level for what is
    left of the two places roll.
    """
    for candidates in range(3, 6):
        for counts in tallies(candidates, votes):
            check(counts)


def shapes(votes: int, most: int) -> Iterator[tuple[int, ...]]:
    """All ways to split so many votes, without regard to whose they are."""
    if votes == 0:
        yield ()
        return
    for first in range(min(votes, most), 0, -1):
        for rest in shapes(votes - first, first):
            yield (first, *rest)


@pytest.mark.parametrize("voters", range(2, 11))
def test_every_shape_of_a_tie(voters: int) -> None:
    """GAM-16: two to ten votes in every shape, one each and none at all among them, on as many
    guests and on two more who have none.
    """
    for shape in shapes(voters, voters):
        for more in range(max(0, 3 - len(shape)), min(3, len(GUESTS) - len(shape)) + 1):
            check((*shape, *(0,) * more))
    check((0,) * max(3, voters))


def test_a_tie_among_those_who_rolled() -> None:
    """GAM-17: level, level again, then decided: each roll is told once, with those who were level
    in it, and nobody who was in or out already rolls again.
    """
    totals: dict[str, int] = dict.fromkeys(GUESTS[:4], 2)
    pair, rolls = decided(totals, 3, 3, 5, 3, 4, 4, 2, 6, 1)

    assert rolls == [["ada", "ben", "cleo", "dora"], ["ada", "ben", "dora"], ["ada", "ben"]]
    assert pair == {"dora", "ben"}


def test_dice_that_stay_level_for_long() -> None:
    """GAM-17: nothing is carried over however often the same dice fall; the vote then ends."""
    totals: dict[str, int] = dict.fromkeys(GUESTS[:3], 1)
    pair, rolls = decided(totals, *(4, 4, 4) * 40, 1, 2, 3)

    assert len(rolls) == 41
    assert pair == {"ada", "ben"}


def test_a_vote_for_whoever_was_taken_out_is_refused_on_receipt() -> None:
    """GAM-18: the ballot is open and a card takes a guest out: a menu of before still has the name,
    but a ballot with it is refused, and one that was cast with it is void.
    """
    stage = Stage(lambda g: (alive(g, *GUESTS[:5]), ready(g), hold(g, 1, "alibi")))
    stage.cast(s0="ben ben dora")
    before = stage.choices("vote", 1)
    stage.play_relic(1, "alibi")
    stage.answer("alibi", "ben", seat=1)

    assert "ben" in before
    assert stage.asked("vote", 0).current is None
    for seat, ballot in ((0, ("ben", "ben", "dora")), (1, ("dora", "ben"))):
        with pytest.raises(IllegalAnswer, match="not_an_option"):
            stage.answer("vote", *ballot, seat=seat)
    assert "ben" not in str(stage.told("votes_counted"))


def test_the_help_says_the_same() -> None:
    """GAM-16: what players can read of ties is what happens: dice among equals, the lowest."""
    pages = yaml.safe_load((ROOT / "escape_the_night" / "rules_help.yaml").read_text("utf-8"))
    told = " ".join(pages["topics"]["voting"]["text"].split())

    assert "The two with the most votes go in; equals roll a die each, and the lowest" in told


@pytest.mark.parametrize("seats", range(2, 6))
def test_the_next_is_the_next_who_lives(seats: int) -> None:
    """GAM-19: whoever is out, before, at and after whoever is to move: the next turn is that of the
    next seat clockwise with anybody alive, nobody is skipped and nobody comes twice.
    """
    for lives in product((False, True), repeat=seats):
        if not any(lives):
            continue
        g: Any = SimpleNamespace(seats=seats, living_of=lambda seat, lives=lives: lives[seat])
        for seat in range(seats):
            around = [(seat + step) % seats for step in range(1, seats + 1)]
            assert next_seat_with_living(g, seat) == next(one for one in around if lives[one])
            order = [seat]
            for _ in range(sum(lives)):
                order.append(next_seat_with_living(g, order[-1]))
            assert sorted(order[1:]) == [one for one in range(seats) if lives[one]]


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("content", [CONTENT, DEADLY], ids=["small", "deadly"])
def test_nobody_is_skipped_in_whole_nights(seats: int, content: Content) -> None:
    """GAM-19: through every death, every guest who is raised and every lost turn: nobody who could
    still act sits between those who act one after the other in a round.
    """
    passed: list[int] = []
    for number in range(6):
        play = opened(seats, bytes([number, seats]), content=content)
        turns: list[int] = []

        def look(step: Step, play: Night = play, turns: list[int] = turns) -> None:
            for numbered in step.events:
                event = numbered.event
                if event.kind == "round_began":
                    turns.clear()
                elif event.kind == "turn_began" and play.view(None).round < 10:
                    seat = int(str(event.data["seat"]))
                    if turns:
                        check_between(play, turns[-1], seat)
                        passed.append((seat - turns[-1]) % seats)
                    turns.append(seat)

        play_out(play, GAME.agents["random"], bytes([number]), each=look)
    assert 1 in passed
    assert max(passed) > 1 or seats == 2


def check_between(play: Night, before: int, now: int) -> None:
    """Of the seats between two turns none has anybody alive who is ready."""
    view = play.view(None)
    seats = play.header.seats
    skipped = {(before + step) % seats for step in range(1, (now - before - 1) % seats + 1)}
    assert not [
        one for one in view.characters if one.owner in skipped and one.alive and not one.exhausted
    ]
