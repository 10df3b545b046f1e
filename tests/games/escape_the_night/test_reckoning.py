"""A night's public tale is added up: what was changed in it does not fit the rest any more.

Dice, their places and the file's digest are checked elsewhere; here they are believed.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from engines.escape_the_night.game import GAME
from engines.escape_the_night.retold import outcome_of
from engines.kernel.event import PUBLIC, Event
from engines.kernel.game import Setting
from engines.kernel.playthrough import Playthrough
from tests.driving import play_out
from tests.games.escape_the_night.house import HOUSE
from tests.games.escape_the_night.nights import header
from tests.plain import plain

SEATS = 4
OPTIONS = {"hourglass": "untimed", "abilities": "on", "secret_room": "on"}

Tale = list[dict[str, Any]]


def told(seats: int, byte: int, options: Mapping[str, str], agent: str = "sensible") -> Tale:
    """The public events of a night in the house, as they are read from a file."""
    play = Playthrough(GAME, HOUSE, header(seats, bytes([byte]) * 32, **options))
    play_out(play, GAME.agents[agent], bytes([byte]), fuss=40)
    public = [n.event for n in play.events if n.event.only is PUBLIC]
    return [{"kind": event.kind, "data": plain(event.data)} for event in public]


def retold(tale: Tale, seats: int = SEATS, options: Mapping[str, str] = OPTIONS) -> Any:
    """The outcome that it tells."""
    events = [Event(one["kind"], one["data"]) for one in tale]
    return outcome_of(HOUSE, Setting(seats, options), events)


@pytest.fixture(scope="module")
def night() -> Tale:
    """One that has everything that the changes below need."""
    return told(SEATS, 6, OPTIONS)


@pytest.mark.parametrize("byte", range(6))
@pytest.mark.parametrize("agent", ["sensible", "random"])
def test_a_true_tale_adds_up(byte, agent):
    """Nights of one to eleven players, with and without abilities and sand."""
    options = {
        "hourglass": ("untimed", "5")[byte % 2],
        "abilities": ("on", "off")[byte // 2 % 2],
        "secret_room": ("off", "on")[byte % 2],
    }
    seats = (1, 2, 3, 5, 8, 11)[byte]

    assert retold(told(seats, byte, options, agent), seats, options) is not None


def first(tale: Tale, kind: str, **facts: object) -> dict[str, Any]:
    """The facts of the first such event."""
    return next(
        one["data"]
        for one in tale
        if one["kind"] == kind and all(one["data"][name] == fact for name, fact in facts.items())
    )


def one_vote_more(tale: Tale) -> None:
    """Somebody has a vote that nobody cast."""
    first(tale, "votes_counted")["totals"][0]["votes"] += 1


def votes_change_hands(tale: Tale) -> None:
    """The guest with the most votes and one with none trade totals, as counted and as read out."""
    totals = first(tale, "votes_counted")["totals"]
    fell = [one["data"] for one in tale if one["kind"] == "votes_fell"][: len(totals)]
    most, none = totals[0], totals[-1]
    assert none["votes"] == 0
    most["character"], none["character"] = none["character"], most["character"]
    next(one for one in fell if one["character"] == none["character"])["character"] = most[
        "character"
    ]


def read_out_wrongly(tale: Tale) -> None:
    """The totals are read out otherwise than they were counted."""
    first(tale, "votes_fell")["votes"] += 1


def somebody_else_goes_in(tale: Tale) -> None:
    """A guest whom nobody voted for is chosen, and called to the challenge."""
    chosen, drawn = first(tale, "chosen"), first(tale, "challenge_drawn")
    other = first(tale, "votes_counted")["totals"][-1]["character"]
    assert other not in chosen["contestants"]
    drawn["contestants"] = chosen["contestants"] = [other, chosen["contestants"][1]]


def called_out_of_turn(tale: Tale) -> None:
    """Another than the chosen is in the challenge."""
    drawn = first(tale, "challenge_drawn")
    drawn["contestants"] = drawn["contestants"][::-1]


def a_better_total(tale: Tale) -> None:
    """The dice are left, their sum is not."""
    first(tale, "attempt_rolled")["total"] += 3


def an_easier_card(tale: Tale) -> None:
    """The number to reach is lower than printed."""
    first(tale, "attempt_rolled")["difficulty"] -= 1


def a_failure_passed_off(tale: Tale) -> None:
    """A clue counts as solved although the roll fell short."""
    failed = next(one for one in tale if one["kind"] == "clue_failed")
    failed["kind"] = "clue_solved"


def a_success_denied(tale: Tale) -> None:
    """A monster withstands a roll that beat it."""
    beaten = next(one for one in tale if one["kind"] == "monster_defeated")
    beaten["kind"] = "monster_withstood"


def the_winner_loses(tale: Tale) -> None:
    """The lower score wins, and the other dies."""
    place = next(n for n, one in enumerate(tale) if one["kind"] == "challenge_scored")
    lost = first(tale[place:], "challenge_lost")
    died = first(tale[place:], "died")
    lost["character"], lost["other_character"] = lost["other_character"], lost["character"]
    died["character"] = lost["character"]


def a_death_without_reason(tale: Tale) -> None:
    """A guest dies who was in no challenge."""
    died = first(tale, "died")
    drawn = first(tale, "challenge_drawn")
    died["character"] = next(c for c in HOUSE.guests if c not in drawn["contestants"])


def help_out_of_nowhere(tale: Tale) -> None:
    """A score is helped by what nobody gave."""
    first(tale, "challenge_scored")["bonus"] += 4


def more_turns(tale: Tale) -> None:
    """The last hour has more turns than are printed."""
    first(tale, "budget_set")["actions"] += 5


def dealt_twice(tale: Tale) -> None:
    """A guest is given to two players."""
    one, other = [e["data"] for e in tale if e["kind"] == "dealt"][:2]
    other["characters"] = one["characters"]


CHANGES: dict[Callable[[Tale], None], str] = {
    one_vote_more: "votes were counted",
    votes_change_hands: "were chosen",
    read_out_wrongly: "had other votes",
    somebody_else_goes_in: "were chosen",
    called_out_of_turn: "were not called out",
    a_better_total: "and it makes",
    an_easier_card: "has difficulty",
    a_failure_passed_off: "came out otherwise",
    a_success_denied: "came out otherwise",
    the_winner_loses: "cannot have lost",
    a_death_without_reason: "no reason to die",
    help_out_of_nowhere: "of help",
    more_turns: "are printed",
    dealt_twice: "was dealt before",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_changed_tale_does_not(night, change):
    """And it is said what does not fit."""
    tale = copy.deepcopy(night)
    change(tale)

    with pytest.raises(ValueError, match=CHANGES[change]):
        retold(tale)


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (SEATS + 1, {}, "in a game for 5"),
        (SEATS - 1, {}, "in a game for 3"),
        (SEATS, {"abilities": "off"}, "abilities"),
        (SEATS, {"secret_room": "off"}, "secret_room"),
        (SEATS, {"hourglass": "5"}, "hourglass"),
    ],
)
def test_a_changed_header_does_not_fit_the_tale(night, seats, options, said):
    """The number of seats and the lobby's choices can be told from the events."""
    with pytest.raises(ValueError, match=said):
        retold(night, seats, {**OPTIONS, **options})


@pytest.mark.parametrize("name", ["abilities", "secret_room"])
def test_what_was_agreed_is_told(name):
    """A header may not claim an option of which the tale knows nothing."""
    tale = told(SEATS, 6, {**OPTIONS, name: "off"})

    with pytest.raises(ValueError, match=f"{name} was agreed"):
        retold(tale)
