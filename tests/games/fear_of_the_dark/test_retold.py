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
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.mazes import GOLDEN, Escape, bold, opened
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    dangers,
    lost,
    maze,
    tiles,
)

RULES = Path(__file__).parents[3] / "engines" / "fear_of_the_dark"

OPEN = ("setup.tiles", "setup.dangers", "setup.items", "setup.secrets", "tale")
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


@pytest.mark.parametrize("ending", GOLDEN)
def test_the_outcome_is_found_out(ending):
    """For each ending: rooms, cards, matches and terrors as the rules said."""
    seats, content, options, byte = GOLDEN[ending]
    key = bytes([byte]) * 32
    play = play_out(opened(seats, key, content=content, **options), bold, key, limit=3000)

    assert play.outcome is not None
    assert play.outcome.ending == ending
    assert retold(play, events_of(play), content) == play.outcome


def small_tale(*told: Event) -> list[Event]:
    """A game with one tile left, in which this happens."""
    awoke = {"difficulty": "normal", "matches": 6, "deadly": True, "tiles": 1, "tale": "start_1"}
    return [Event("awoke", awoke), *told]


REVEALED = Event("tile_revealed", {"room": "B"})
PLACED = Event("tile_placed", {"room": "B"})
OUT = Event("went_out", {"room": "B", "side": "n"})
WON = Event("ended", {"ending": "escaped", "won": True, "tale": "escaped_1"})
KNOCKED = Event("knocked_out", {"left": 1})
NORMAL = Setting(1, {"difficulty": "normal"})


def test_nobody_gets_out_while_tiles_are_left():
    """An escape before the last tile is revealed, or after a Knockout, is refused."""
    for early in ((OUT, WON), (REVEALED, PLACED, KNOCKED, OUT, WON)):
        with pytest.raises(ValueError, match="but tell of escaped"):
            outcome_of(CONTENT, NORMAL, small_tale(*early))
    outcome = outcome_of(CONTENT, NORMAL, small_tale(REVEALED, PLACED, OUT, WON))

    assert outcome is not None
    assert outcome.facts["rooms"] == 2
    again = small_tale(REVEALED, PLACED, KNOCKED, REVEALED, PLACED, OUT, WON)
    assert outcome_of(CONTENT, NORMAL, again) is not None


def test_matches_and_cards_are_counted():
    """What burns, what is gained and what is given up or taken, whatever else is told."""
    told = [Event(kind, {}) for kind in ("match_struck", "match_struck", "match_gained")]
    told += [Event(kind, {}) for kind in ("card_given_up", "card_lost", "cleared")]
    end = Event("ended", {"ending": "trapped", "won": False, "tale": "trapped_1"})
    outcome = outcome_of(CONTENT, NORMAL, small_tale(*told, end))

    assert outcome is not None
    assert (outcome.facts["matches"], outcome.facts["cards"]) == (5, 7)


def test_a_collapse_kills_in_the_echo_where_it_was_drawn_and_nowhere_else():
    """After a Collapse somewhere, another room may fade harmlessly."""
    drawn = Event("danger_drawn", {"danger": "collapse", "triggered": True})
    faded = Event("echo_faded", {"room": "B"})

    assert outcome_of(CONTENT, NORMAL, small_tale(drawn, REVEALED, PLACED, faded)) is None
    with pytest.raises(ValueError, match="lead to dark_echo"):
        outcome_of(CONTENT, NORMAL, small_tale(REVEALED, PLACED, drawn, faded))


def test_a_game_that_is_not_over_has_no_outcome():
    """Without its end a game tells of none."""
    play = opened(3, b"\1" * 32)

    assert retold(play, events_of(play)) is None


@pytest.mark.parametrize(
    ("arrange", "names"),
    [
        ((dangers("collapse"),), ("dread", "hall", "hall")),
        ((dangers("terror", "terror"),), ("lair", "lair_2", "hall")),
    ],
)
def test_on_easy_no_event_is_an_instant_death(arrange, names):
    """A fatal echo or a second Terror is told, but the game goes on, and has no outcome yet."""
    stage = Stage(maze(ALONE), lost("A4"), tiles(*names), *arrange, difficulty="easy")
    for door in ("a.w", "b.w"):
        if door in [key.lower() for key in stage.view.doors]:
            card = stage.view.deck[0].id
            stage.say("act give.move", f"walk {door}", f"give_up {card}")
        if stage.kind == "lose_card":
            stage.say(f"lose_card {stage.choices('lose_card')[0]}")
    events = [told.event for told in stage.play.events]

    assert {"echo_faded", "terror_kept"} & {event.kind for event in events}
    assert outcome_of(CONTENT, Setting(1, stage.play.header.options), events) is None


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
