"""Escape the Night's files: counts, spread and the house."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import content.escape_the_night as files
from bot.ui.rulebook import Rulebook
from content.escape_the_night import HERE, load
from content.yaml_source import read
from engines.escape_the_night.board import plan_of
from engines.escape_the_night.cards import Content
from engines.escape_the_night.effects import known

LOADED = load()
RULES: Content = LOADED.rules
WORDS = LOADED.words
IDS = Path(__file__).with_name("escape_the_night_ids.txt")
DECKS = {deck.key: deck.table for deck in files.DECKS}


def mean(numbers: list[int]) -> Fraction:
    """The exact mean."""
    return Fraction(sum(numbers), len(numbers))


# Counts and spread


def test_counts():
    """[Components] exact figures."""
    found = {key: len(getattr(RULES, key)) for key in DECKS}

    assert found == {
        "clues": 50,
        "monsters": 30,
        "relics": 40,
        "challenges": 20,
        "guests": 11,
        "artifacts": 9,
        "secret_rooms": 3,
    }
    assert RULES.numbers.tiles == {"clue": 15, "monster": 10}
    assert len(RULES.board.circles) == 25


def test_ids_are_never_renamed():
    """Journals and buttons hold ids, so those once shipped stay; new ones are added to the list."""
    listed = IDS.read_text(encoding="utf-8").split()
    found = [f"{key}.{card}" for key in DECKS for card in getattr(RULES, key)]
    found += [f"rooms.{room}" for room in RULES.board.rooms]

    assert sorted(listed) == sorted(found)
    assert len(listed) == len(dict.fromkeys(listed))


def test_sources():
    """The rulebook shows three cards; everything else is the house's own."""
    printed = [
        name
        for path in HERE.glob("*.yaml")
        for cards in read(path).data.values()
        if isinstance(cards, dict)
        for name, card in cards.items()
        if isinstance(card, dict) and card.get("source") == "rulebook"
    ]

    assert sorted(printed) == ["cursed_sea_captain", "haste_potion", "rebirth"]
    assert RULES.monsters["cursed_sea_captain"].difficulty == 8
    assert RULES.relics["haste_potion"].effect.amount == 2


def test_difficulties():
    """Means of 8.2 and 8.7, from 5 to 11 and from 6 to 11."""
    clues = [card.difficulty for card in RULES.clues.values()]
    monsters = [card.difficulty for card in RULES.monsters.values()]

    assert (mean(clues), min(clues), max(clues)) == (Fraction(41, 5), 5, 11)
    assert (mean(monsters), min(monsters), max(monsters)) == (Fraction(87, 10), 6, 11)


def test_a_third_of_clues_and_monsters_do_something():
    """Benefits and harms both."""
    for cards in (RULES.clues, RULES.monsters):
        good = [c for c in cards.values() if getattr(c, "solved", getattr(c, "defeated", None))]
        bad = [c for c in cards.values() if c.failed]

        assert 3 * (len(good) + len(bad)) >= len(cards)
        assert min(len(good), len(bad)) >= 5


def test_relic_mix():
    """The mix that the balance was measured with, and many different things besides."""
    amounts = Counter((card.effect.do, card.effect.amount) for card in RULES.relics.values())
    kinds = Counter(card.effect.do for card in RULES.relics.values())

    assert amounts["bonus", 1] == 6
    assert amounts["bonus", 2] == 4
    assert amounts["haste", 2] == 6
    assert (kinds["bonus"], kinds["reroll"], kinds["haste"], kinds["rebirth"]) == (10, 4, 6, 1)
    assert len(kinds) >= 12
    helping = [c for c in RULES.relics.values() if c.effect.do in ("bonus", "reroll")]
    assert all(card.anyone for card in helping)


def test_challenges_are_of_many_kinds():
    """At least ten procedures; all three meanings of a tie."""
    assert len({card.procedure.do for card in RULES.challenges.values()}) >= 10
    assert {card.tie for card in RULES.challenges.values()} == {"outsider", "again", "both"}


def test_challenges_that_share_a_procedure_differ_in_what_is_at_stake():
    """In whom a tie kills, if it can tie, or in who else may be drawn in; not in figures alone."""
    stakes = [
        (
            card.procedure.do,
            "" if card.procedure.do in known.NEVER_TIED else card.tie,
            card.procedure.of == "pass",
        )
        for card in RULES.challenges.values()
    ]

    assert sorted(stakes) == sorted(dict.fromkeys(stakes))


def test_abilities_are_all_different():
    """One of each kind, and none that adds to a roll against a clue or monster."""
    found = [guest.ability.do for guest in RULES.guests.values()]

    assert sorted(found) == sorted(known.ABILITIES)


def test_untimed_budget():
    """There is a figure for every number of seats."""
    budget = RULES.numbers.untimed_actions

    assert all(budget.get(str(seats), budget.get("any", 0)) > 0 for seats in range(1, 12))


# The house


def test_rooms_and_circles():
    """RULE-E15: nine artifact rooms with 3, 3, 3, 3, 3, 3, 3, 2, 2 circles and a triangle each."""
    plan = plan_of(RULES.board)
    circles = Counter(plan.rooms[space] for space in RULES.board.circles)
    rooms = [room for room, printed in RULES.board.rooms.items() if printed.kind == "artifact"]

    assert sorted(circles.values()) == [2, 2, 3, 3, 3, 3, 3, 3, 3]
    assert sorted(circles) == sorted(rooms) == sorted(RULES.board.triangles)
    assert sorted(card.room for card in RULES.artifacts.values()) == sorted(rooms)
    assert all(plan.rooms[space] == room for room, space in RULES.board.triangles.items())


def test_distances():
    """Triangles lie 6 to 16 steps from the front steps, about 11 on average."""
    board = RULES.board
    away = plan_of(board).distances((board.steps,), lambda space: space in board.circles)
    steps = [away[space] for space in board.triangles.values()]

    assert (min(steps), max(steps)) == (6, 16)
    assert 10 <= mean(steps) <= 12


def test_every_space_is_reached_past_held_guests():
    """RULE-E7: each circle can be entered when a guest is held on every other one."""
    board = RULES.board
    plan = plan_of(board)
    for circle in board.circles:
        others = [space for space in board.circles if space != circle]
        away = plan.distances((board.steps,), lambda space, shut=others: space in shut)

        assert circle in away
        assert all(space in away for space in plan.rooms if space not in others)


def test_the_picture_has_room_for_it():
    """At most sixteen columns and twelve rows."""
    assert len(RULES.board.plan) <= 12
    assert max(len(line) for line in RULES.board.plan) <= 16


def test_the_ritual_circle():
    """RULE-E26: a space for each of eleven guests, all of them in the foyer."""
    ritual = RULES.board.ritual

    assert len(dict.fromkeys(ritual)) == len(ritual) >= 11
    assert {plan_of(RULES.board).rooms[space] for space in ritual} == {"foyer"}


# Words on cards


@pytest.mark.parametrize("key", list(DECKS))
def test_each_card_has_a_name_and_a_text_of_its_own(key):
    """No two alike, none too long to read on a phone."""
    names = [WORDS.name(DECKS[key], card) for card in getattr(RULES, key)]
    texts = [WORDS.say(f"texts.{DECKS[key]}.{card}") for card in getattr(RULES, key)]

    assert len(dict.fromkeys(names)) == len(names)
    assert len(dict.fromkeys(texts)) == len(texts)
    assert max(len(name) for name in names) <= 32
    assert min(len(text) for text in texts) >= 12
    assert max(len(text) for text in texts) <= 300


def test_effects_are_put_into_words():
    """A card says what it does, with its own figures."""
    assert WORDS.say("texts.clue.locked_diary") == (
        "The lock is on the inside. Solved: draw one more relic. Failed: discard a relic."
    )
    assert WORDS.say("texts.monster.mother_of_moths").endswith("Failed: discard 2 relics.")
    assert WORDS.say("texts.relic.haste_potion").endswith("2 more spaces in a move under way.")
    assert "You may play it on anybody's turn" in WORDS.say("texts.relic.roller_skates")
    assert WORDS.say("names.relic_effect.hip_flask").startswith("+1 to a roll")
    assert WORDS.say("texts.man_first.1") == WORDS.say("texts.man_first.2")


def test_a_challenge_says_what_its_tie_means():
    """Unless it never ties."""
    assert WORDS.say("texts.challenge.devils_auction").endswith("A tie kills both.")
    assert "tie" not in WORDS.say("texts.challenge.last_match")


def test_every_effect_has_words():
    """Also those that no card uses at present: an author may."""
    groups = {"result": known.RESULTS, "relic": known.RELICS, "man": known.MAN}
    groups |= {"ability": known.ABILITIES, "challenge": known.CHALLENGES}
    for group, effects in groups.items():
        for do, takes in effects.items():
            of = [f"{do}_{word}" for word in takes.of] or [do]
            told = [WORDS.has(f"effects.{group}.{name}") for name in of]

            assert all(told) or WORDS.has(f"effects.{group}.{do}"), f"{group}.{do}"


# Short rules


def test_rules_by_topic():
    """Twelve to eighteen topics that cover the rulebook's headings, short enough to read."""
    topics = Rulebook.load({"escape_the_night": None})

    assert 12 <= len(topics.topics) <= 18
    assert all(len(topic.text) <= 900 for topic in topics.topics)
    for heading in (
        "win",
        "titles",
        "components",
        "setting up",
        "turn",
        "clue",
        "monster",
        "relic",
        "artifact",
        "mysterious man",
        "vote",
        "death challenge",
        "tie",
        "round sequence",
        "last hour",
        "hourglass",
        "playing alone",
    ):
        assert topics.search(heading), heading
