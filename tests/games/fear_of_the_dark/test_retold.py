"""A game's outcome, found out from its events alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engines.fear_of_the_dark.retold import HIDDEN, outcome_of
from engines.kernel.event import Event
from engines.kernel.game import Setting
from tests.driving import play_out
from tests.games.fear_of_the_dark.mazes import CROWDED, Escape, bold, opened
from tests.games.fear_of_the_dark.stage import CONTENT

RULES = Path(__file__).parents[3] / "engines" / "fear_of_the_dark"

OPEN = ("setup.tiles", "setup.dangers", "tale")
"""Purposes whose results all get to see by the end of the game, or may."""


def events_of(play: Escape) -> list[Event]:
    """What all could see."""
    return [told.event for told in play.events]


def retold(play: Escape, events: list[Event], content=CONTENT):
    """The outcome that these events tell."""
    return outcome_of(content, Setting(play.header.seats, play.header.options), events)


def finished(byte: int = 3) -> Escape:
    """A game that was played to its end."""
    return play_out(opened(2, bytes([byte]) * 32), bold, bytes([byte]), limit=3000)


def test_the_outcome_is_found_out():
    """Of many games, won and lost: ending, rooms, cards, matches and terrors as the rules said."""
    endings = set()
    for byte in range(12):
        play = opened(1, bytes([byte]) * 32, content=CROWDED, difficulty=("easy", "hard")[byte % 2])
        play_out(play, bold, bytes([byte]), limit=3000)
        assert play.outcome is not None
        assert retold(play, events_of(play), CROWDED) == play.outcome
        endings.add(play.outcome.won)

    assert endings == {True, False}


def test_a_game_that_is_not_over_has_no_outcome():
    """Without its end a game tells of none."""
    play = opened(3, b"\1" * 32)

    assert retold(play, events_of(play)) is None


def test_an_ending_out_of_nothing_is_refused():
    """A game that has only begun cannot have ended, whatever is told."""
    play = opened(3, b"\1" * 32)
    ended = Event("ended", {"ending": "mind_lost", "won": False, "tale": "mind_lost_1"})

    with pytest.raises(ValueError, match="but tell of"):
        retold(play, [*events_of(play), ended])


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda e: replace(e, data={**e.data, "won": not e.data["won"]}), "is told as"),
        (lambda e: replace(e, data={**e.data, "ending": "dark_echo"}), "but tell of"),
        (lambda e: replace(e, data={**e.data, "ending": "trapped"}), "but tell of"),
        (lambda _: Event("nothing_happened", {}), "tell of no end"),
    ],
)
def test_an_ending_that_the_events_do_not_lead_to_is_refused(change, match):
    """What is told at the end is not believed but compared."""
    play = finished()
    events = [change(e) if e.kind == "ended" else e for e in events_of(play)]

    with pytest.raises(ValueError, match=match):
        retold(play, events)


def test_nothing_is_told_after_the_end():
    """An event after the ending is a contradiction."""
    play = finished()

    with pytest.raises(ValueError, match="after the end"):
        retold(play, [*events_of(play), Event("cleared", {"field": "A8"})])


def test_another_difficulty_than_the_one_chosen_is_refused():
    """The table agreed on it before the game."""
    play = finished()

    with pytest.raises(ValueError, match="was chosen"):
        outcome_of(CONTENT, Setting(2, {"difficulty": "easy"}), events_of(play))


def test_every_purpose_is_known_to_be_open_or_hidden():
    """A draw that somebody adds is told to nobody by accident: it has to be put on a list."""
    found: set[str] = set()
    for path in sorted(RULES.rglob("*.py")):
        if path.parent.name != "agents":
            text = path.read_text(encoding="utf-8")
            found |= set(
                re.findall(r"chance\.(?:die|dice|below|pick|shuffled)\(\s*[\"'](\S+?)[\"']", text)
            )

    assert found == {*OPEN, *HIDDEN}
    assert not {*OPEN} & {*HIDDEN}
