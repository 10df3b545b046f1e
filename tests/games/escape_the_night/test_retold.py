"""A night's outcome, found out from its public events alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engines.escape_the_night.game import ENDINGS, GAME
from engines.escape_the_night.retold import HIDDEN, outcome_of
from engines.kernel.event import PUBLIC, Event
from engines.kernel.game import Outcome, Setting
from tests.driving import play_out
from tests.games.escape_the_night.nights import DEADLY, Night, opened
from tests.games.escape_the_night.stage import CONTENT, Stage

RULES = Path(__file__).parents[3] / "engines" / "escape_the_night"

OPEN = """
    attempt call challenge_at_once driven_to duel first glass glass_passed hider house jaws man
    man_again matches move nearest order outsider plea setup.characters setup.secret_room
    setup.starting_seat setup.tiles solo_vote stray_outside strongest tie trade_places
""".split()
"""Purposes whose results all get to see, at once or by the end of what they decide."""


def public(play: Night) -> list[Event]:
    """What all could see."""
    return [told.event for told in play.events if told.event.only is PUBLIC]


def retold(play: Night, events: list[Event], content=CONTENT) -> Outcome | None:
    """The outcome that these events tell."""
    return outcome_of(content, Setting(play.header.seats, play.header.options), events)


def night(seats: int, byte: int, agent: str, content=CONTENT, hourglass: str = "5") -> Night:
    """A whole night by computer players."""
    play = opened(seats, bytes([byte]) * 32, content=content, hourglass=hourglass)
    return play_out(play, GAME.agents[agent], bytes([byte]), fuss=40)


def test_every_ending_is_found_out():
    """Wins with their titles, the sand, the budget, and the last death: as the rules said it."""
    seen: dict[str, int] = {}
    for byte in range(60):
        for agent, content, hourglass in (
            ("sensible", CONTENT, "untimed"),
            ("random", CONTENT, "5"),
            ("random", DEADLY, "untimed"),
        ):
            play = night(1 + byte % 4, byte, agent, content, hourglass)
            assert play.outcome is not None
            assert retold(play, public(play), content) == play.outcome
            seen[play.outcome.ending] = seen.get(play.outcome.ending, 0) + 1
        if set(seen) == set(ENDINGS) and byte >= 8:
            break

    assert set(seen) == set(ENDINGS)


def test_a_night_that_is_not_over_has_no_outcome():
    """Without its end a night tells of none."""
    play = opened(3, b"\1" * 32)

    assert retold(play, public(play)) is None


@pytest.mark.parametrize("hourglass", ["5", "untimed"])
def test_a_tenth_hour_that_is_not_over_has_no_outcome(hourglass):
    """The sand on the table, or turns still counted, are no ending."""
    stage = Stage(lambda g: setattr(g, "round", 10), hourglass=hourglass)
    told = [n.event for n in stage.play.events if n.event.only is PUBLIC]
    assert {"hourglass_turned", "budget_set"} & {event.kind for event in told}

    assert outcome_of(CONTENT, Setting(2, {}), told) is None


def test_an_ending_out_of_nothing_is_refused():
    """A night in its first hour cannot have ended, whatever is told."""
    play = opened(3, b"\1" * 32)
    ended = Event("night_ended", {"ending": "daylight_lost", "won": False, "round": 1})

    with pytest.raises(ValueError, match="no end"):
        retold(play, [*public(play), ended])


@pytest.mark.parametrize(
    "change",
    [
        lambda event: replace(event, data={**event.data, "won": not event.data["won"]}),
        lambda event: replace(event, data={**event.data, "ending": "all_dead"}),
        lambda event: Event("nothing_happened", {}),
    ],
)
def test_an_ending_that_the_events_do_not_lead_to_is_refused(change):
    """What is told at the end is not believed but compared."""
    play = night(2, 3, "sensible", hourglass="untimed")
    events = [change(e) if e.kind == "night_ended" else e for e in public(play)]

    with pytest.raises(ValueError, match="but tell of"):
        retold(play, events)


def test_every_purpose_is_known_to_be_open_or_hidden():
    """A draw that somebody adds is told to nobody by accident: it has to be put on a list."""
    found: set[str] = set()
    for path in sorted(RULES.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        drawn = re.findall(r"chance\.(?:die|dice|below|pick|shuffled)\(\s*(\S[^,)]*)", text)
        drawn += re.findall(r"deeds\.roll\(g, t, ([^,)]*)", text)
        for purpose in drawn:
            if purpose == "purpose":  # deeds.roll passes on what it was called with
                continue
            assert re.fullmatch(r"""f?["'][a-z_.{}]+["']""", purpose), (path.name, purpose)
            plain = purpose.removeprefix("f").strip("\"'")
            decks = ("clue", "relic", "monster", "challenge") if "{deck}" in plain else ("",)
            found |= {plain.replace("{deck}", deck) for deck in decks}

    assert found == {*OPEN, *HIDDEN}
    assert not {*OPEN} & {*HIDDEN}
