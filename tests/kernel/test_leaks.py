"""The leak finder itself: it finds each leak that is planted, and nothing in a clean game."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from engines.kernel.playthrough import Playthrough
from tests.kernel.small import Small, header, start
from tests.leaks import Rigged, beyond_seats, canaries, differences, public_waiting, seen_by
from tests.toy import senate


@dataclass(frozen=True)
class Leaky(senate.Senate):
    """The toy with a view that is too generous."""

    leak: Callable[[senate.State, int | None, senate.SeatView], senate.SeatView] = (
        lambda _state, _seat, seen: seen
    )

    def view(self, state, seat):
        """What the toy shows, and more."""
        return self.leak(state, seat, senate.view(state, seat))


def two(leak):
    """Two games of a leaky toy that differ in the hands of seats 0 and 1."""

    def swap(g):
        g.hands[0], g.hands[1] = g.hands[1], g.hands[0]

    game = Leaky(leak=leak)
    return [
        Playthrough(Rigged(game, change), senate.CONTENT, senate.header())
        for change in (lambda _: None, swap)
    ]


def neighbours_hand(g, seat, seen):
    """Seat 2 sees what seat 1 holds."""
    return replace(seen, hand=(*seen.hand, *g.hands[1])) if seat == 2 else seen


def first_hand(g, seat, seen):
    """Spectators see what seat 0 holds."""
    return replace(seen, hand=tuple(g.hands[0])) if seat is None else seen


@pytest.mark.parametrize(
    ("leak", "who"), [(neighbours_hand, "seat 2"), (first_hand, "a spectator")]
)
def test_a_hand_in_a_view_is_found(leak, who):
    """Both the exchange of hidden cards and the search for ids name who sees too much."""
    left, right = two(leak)
    holders = {card: (seat,) for seat in range(4) for card in left.view(seat).hand if seat < 2}

    found = differences(left, right, (2, 3, None))
    assert found
    assert all(fault.startswith(f"{who} sees view.hand") for fault in found)
    assert [fault for fault in canaries(left, left.events, holders) if fault.startswith(who)]


def test_what_only_spectators_see_is_found():
    """A spectator's view holds nothing that a seat's view does not."""
    left, _ = two(first_hand)

    assert any(fault.startswith("spectators see hand") for fault in beyond_seats(left))
    assert beyond_seats(senate.start()) == []


async def careless(t, notes):
    """Tells a card to all, and asks about it in the open."""
    t.tell("drawn", cards=["ace_1"])
    await t.ask(0, "keep", lambda: ("ace_1", "ace_12"))


def test_an_id_in_an_event_or_an_open_prompt_is_found():
    """Ids are found as whole words in events and in what the channel shows of a question."""
    play = start(careless)

    assert canaries(play, play.events, {"ace_1": (0,)}) == [
        f"{who} gets to see 'ace_1', which is for (0,)"
        for who in ("seat 1", "seat 2", "a spectator")
    ]
    assert len(canaries(play, (), {"ace_1": (0,)})) == 3
    assert canaries(play, play.events, {"ace": (0,)}) == []


def test_the_channel_knows_who_is_out_but_no_secret_options():
    """Of a secret question only seat and kind are public; of an offer nothing is."""
    play = senate.start()
    (asked,) = public_waiting(play)

    assert asked == {"seat": 0, "kind": "propose"}
    assert play.offers
    assert seen_by(play, None, ())["offers"] == []


def test_rigging_changes_the_state_before_the_first_question():
    """The rules start on the changed state, and the old deal is told to nobody."""

    async def rules(t, notes):
        await t.ask(0, "look", lambda: (f"is_{notes.get('n', 1)}",))

    game = Small(rules)
    play = Playthrough(Rigged(game, lambda notes: notes.update(n=7)), None, header())

    assert play.asked[0].keys() == ("is_7",)
    assert Playthrough(Rigged(senate.SENATE, lambda _: None), senate.CONTENT, senate.header()).view(
        0
    ) == senate.start().view(0)
