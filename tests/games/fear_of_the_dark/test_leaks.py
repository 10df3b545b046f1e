"""What nobody sees changes nothing that anybody sees, before it is revealed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.cards import Content
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.view import SeatView
from engines.kernel.chance import Chance
from engines.kernel.playthrough import Playthrough
from tests.driving import one_step
from tests.games.fear_of_the_dark.mazes import CROWDED, Escape, bold, header
from tests.leaks import Rigged, beyond_seats, canaries, differences

BOX = load().rules

OBSERVERS = (0, 1, None)


def swap(*piles: list[str]) -> None:
    """The cards of these piles in another order, sizes unchanged."""
    cards = [card for pile in piles for card in pile]
    cards = cards[1:] + cards[:1]
    for pile in piles:
        pile[:] = cards[: len(pile)]
        del cards[: len(pile)]


def box_item(g: State) -> None:
    """Another item is back in the box."""
    g.boxed[0], g.items[0][0] = g.items[0][0], g.boxed[0]


def box_secret(g: State) -> None:
    """Another secret is back in the box."""
    g.boxed[1], g.secrets[0][0] = g.secrets[0][0], g.boxed[1]


HIDDEN: dict[str, tuple[Callable[[State], None], tuple[str, ...]]] = {
    "tiles": (lambda g: swap(g.tiles, g.aside), ("tile_revealed", "knocked_out")),
    "dangers": (lambda g: swap(g.dangers), ("danger_drawn",)),
    "items": (lambda g: swap(*g.items), ("item_found", "information_found")),
    "secrets": (lambda g: swap(*g.secrets), ("secret_found",)),
    "boxed_item": (box_item, ("item_found", "information_found")),
    "boxed_secret": (box_secret, ("secret_found",)),
}
"""What is hidden, and the events by which it comes to light."""


@pytest.mark.parametrize("name", HIDDEN)
def test_hidden_cards_change_nothing_that_is_seen(name):
    """Games that differ in one hidden thing look the same until it is revealed, to everybody."""
    change, revealing = HIDDEN[name]
    steps = 0
    for byte, content in enumerate((BOX, CROWDED) * 3):
        head = header(2, bytes([byte]) * 32)
        plays = [
            Playthrough[Content, State, SeatView](game, content, head)
            for game in (Rigged(GAME, lambda g: None), Rigged(GAME, change))
        ]
        assert plays[0]._state != plays[1]._state
        rng = Chance(bytes([byte]))
        while plays[0].outcome is None and plays[0].ply < 60:
            step = one_step(plays[0], bold, rng)
            answer = step.entry
            assert answer.value is not None
            other = plays[1].answer(answer.seat, answer.question, answer.kind, answer.value)
            if any(n.event.kind in revealing for n in (*step.events, *other.events)):
                break
            assert step.events == other.events
            assert plays[0].asked == plays[1].asked
            assert all(plays[0].view(seat) == plays[1].view(seat) for seat in OBSERVERS)
            if plays[0].ply % 10 == 1:
                told = step.events, other.events
                assert differences(plays[0], plays[1], OBSERVERS, told) == []
            steps += 1

    assert steps > 8


MARKED = replace(
    BOX,
    items={f"{card}_item": item for card, item in BOX.items.items()},
    secrets={f"{card}_secret": secret for card, secret in BOX.secrets.items()},
    dangers={f"{card}_danger": danger for card, danger in BOX.dangers.items()},
)
"""The box with ids that are no tale's as well."""


def hidden_cards(g: State) -> dict[str, tuple[int, ...]]:
    """Ids that nobody may know now."""
    known = {card for cards in g.known.values() for card in cards}
    piles = (*g.items, *g.secrets, g.dangers, g.tiles, g.aside, g.boxed)
    rooms = {room.tile for room in g.maze.rooms.values()}
    cards = [card for pile in piles for card in pile if card not in known | rooms]
    return dict.fromkeys(cards, ())


def test_no_id_of_a_hidden_card_reaches_anybody():
    """At every ply of several games: no card or tile that lies face down is named to anyone."""
    for byte in range(2):
        play: Escape = Playthrough(GAME, MARKED, header(2, bytes([byte]) * 32))
        rng = Chance(bytes([byte]))
        assert canaries(play, play.events, hidden_cards(play._state)) == []
        while play.outcome is None and play.ply < 40:
            step = one_step(play, bold, rng)
            assert canaries(play, step.events, hidden_cards(play._state)) == []


def test_spectators_see_what_seats_see():
    """Nobody at the table knows less than those who watch, nor more."""
    play: Escape = Playthrough(GAME, BOX, header(3, b"\3" * 32))
    rng = Chance(b"watch")
    for _ in range(30):
        if play.outcome is None:
            one_step(play, bold, rng)
        assert beyond_seats(play) == []
