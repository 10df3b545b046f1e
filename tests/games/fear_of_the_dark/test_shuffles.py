"""What was told of cards and tiles, held against the draws they came from."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engines.fear_of_the_dark.retold import check_shuffles
from engines.kernel.event import Event
from engines.kernel.game import Setting
from engines.kernel.redrawn import Redrawn
from tests.driving import play_out
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.mazes import CROWDED, NARROW, Escape, bold, opened

CARDS = ("tile", "danger", "item", "secret", "tale", "items")


def checked(play: Escape, content, events: list[Event]) -> int:
    """How many of these events the draws of that game bear out."""
    setting = Setting(play.header.seats, play.header.options)
    return check_shuffles(content, setting, events, Redrawn(play.chance.ledger))


def games(content, count: int):
    """So many games by bold players, over or broken off, and their events."""
    for byte in range(count):
        key = bytes([byte]) * 32
        play = opened(2, key, content=content, difficulty="easy")
        play_out(play, bold, key, limit=3000)
        yield play, [told.event for told in play.events]


@pytest.mark.parametrize("content", [CONTENT, CROWDED, NARROW])
def test_every_game_tells_what_was_drawn(content):
    """Whole games: each event with a card in it is borne out, as are maps and informations."""
    for play, events in games(content, 8):
        assert checked(play, content, events) == sum("tale" in event.data for event in events)


@pytest.mark.parametrize(
    ("content", "names"), [(CONTENT, {"tile", "danger", "tale"}), (CROWDED, {*CARDS})]
)
def test_no_card_can_be_swapped(content, names):
    """Each single card that is told of is refused if it is another one."""
    seen: set[str] = set()
    for play, events in games(content, 4):
        for place, event in enumerate(events):
            for name in set(CARDS) & set(event.data):
                if event.kind not in TELLING:
                    continue
                told: Any = event.data[name]
                other = [*told, "lever"] if name == "items" else f"{told}_other"
                forged = replace(event, data={**event.data, name: other})
                with pytest.raises((ValueError, KeyError)):
                    checked(play, content, [*events[:place], forged, *events[place + 1 :]])
                seen.add(name)

    assert seen >= names


TELLING = (
    "awoke", "tile_revealed", "danger_drawn", "item_found", "secret_found", "information_found",
    "ended",
)  # fmt: skip
"""The events that tell what chance turned up; others only speak of it once more."""


def test_a_tale_that_was_drawn_has_to_be_told():
    """A draw of which nothing is told gives away that an event was kept back."""
    ((play, events),) = games(CONTENT, 1)

    with pytest.raises(ValueError, match="is not told"):
        checked(play, CONTENT, events[:-1])


def test_a_game_that_is_not_over_can_be_checked():
    """As far as it came."""
    play = opened(2, b"\1" * 32)

    assert checked(play, CONTENT, [told.event for told in play.events]) == 1
