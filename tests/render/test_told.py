"""The board without a picture: text form, alt text, hand, heading."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.render import escape_the_night
from bot.render.escape_the_night.telling import initials
from bot.render.escape_the_night.told import plain
from content.words import Words
from content.yaml_source import Document, read
from engines.escape_the_night.cards import Effect
from tests.render.tables import (
    ARTIFACTS,
    CONTENT,
    GUESTS,
    IDS,
    MOMENTS,
    PLAYERS,
    middle,
    table,
    walking,
    with_guests,
    words,
)

every_moment = pytest.mark.parametrize("name", list(MOMENTS))


@every_moment
def test_text_board_is_short_ascii(name: str) -> None:
    """At most 3,500 characters, printable ASCII only, nothing that would end a code block."""
    view, seats = MOMENTS[name]
    text = escape_the_night.board_words(view, words(), seats)
    assert len(text) <= 3500
    assert all(char == "\n" or " " <= char <= "~" for char in text)
    assert "`" not in text


@every_moment
def test_text_board_tells_what_the_picture_shows(name: str) -> None:
    """Every guest with place (in capitals) and player, every artifact, every room, the hour."""
    view, seats = MOMENTS[name]
    text = escape_the_night.board_words(view, words(), seats)
    assert f"hour {view.round} of 10" in text
    lines = text.splitlines()
    for who in view.characters:
        told = next(one for one in lines if words().name("character", who.id) + " (" in one)
        assert f"({who.owner + 1} " in told or f"(Player {who.owner + 1})" in told
        place = "dead" if not who.alive else (who.space or "").upper() or "outside"
        assert f" {place}" in told
        assert ("exhausted" in told) == (who.exhausted and who.alive)
        assert ("acting" in told) == (who.id == view.acting)
    for artifact in ARTIFACTS:
        assert plain(words().name("artifact", artifact)) in text
    rooms = {r: view.dining if k.kind == "dining" else r for r, k in view.board.rooms.items()}
    for room in rooms.values():
        assert plain(words().name("room", room)) in text


def test_text_board_has_a_map_with_walkable_columns() -> None:
    """Three characters a space under its letter: room, what is there, + where one may go."""
    view = walking()
    text = escape_the_night.board_words(view, words(), PLAYERS[:4])
    grid = {line[:2].strip(): line[3:].ljust(45) for line in text.splitlines() if len(line) > 30}
    at = {space: grid[space[1:]][3 * (ord(space[0]) - 97) :][:3] for space in ("a5", "b5", "j10")}
    assert at["a5"][:2] == "L*"
    assert at["b5"] == "LB" + ("+" if "b5" in view.reachable else " ")
    assert at["j10"] == "FE "
    for space in view.reachable:
        assert grid[space[1:]][3 * (ord(space[0]) - 97) + 2] == "+"


def test_text_board_is_cut_only_when_it_must() -> None:
    """A board whose names are far too long still keeps the limit."""
    long = {"names": {"character": dict.fromkeys(IDS, "x" * 900)}}
    wordy = Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"),
        read(CONTENT / "escape_the_night" / "text" / "en_picture.yaml"),
        Document("tests", long, {(): 1}),
    )
    text = escape_the_night.board_words(middle(), wordy, PLAYERS[:4])
    assert len(text) == 3500
    assert text.endswith("...")
    alt = escape_the_night.alt_text(MOMENTS["duel"][0], wordy, PLAYERS[:3])
    assert len(alt) <= 1000


@every_moment
def test_alt_text_says_the_state(name: str) -> None:
    """Hour, artifacts and guests, in at most 1,000 characters and a handful of sentences."""
    view, seats = MOMENTS[name]
    alt = escape_the_night.alt_text(view, words(), seats)
    assert len(alt) <= 1000
    assert f"Hour {view.round} of 10" in alt
    assert f"{len(view.mantle)} of 9" in alt
    assert f"{sum(c.alive for c in view.characters)} of 11" in alt
    if view.duel:
        assert all(words().name("character", i) in alt for i in view.duel.contestants)


def test_hand_lists_each_relic_with_its_text() -> None:
    """A seat reads what its cards are called and what they do."""
    effects = (Effect("bonus", 1),)
    own = replace(table(), seat=0, hand=("lucky_coin",), hand_effects=effects)
    told = escape_the_night.hand_words(own, words())
    assert "Lucky *Coin*" in told
    assert "Heads you win." in told


def test_empty_hand_is_said() -> None:
    """No relics is a sentence, not an empty message."""
    assert escape_the_night.hand_words(replace(table(), seat=0), words())
    assert "\n" not in escape_the_night.hand_words(table(), words())


def test_heading_is_one_line_with_hour_phase_and_turn() -> None:
    """One short line for the top of the table message."""
    bound = words().bound(PLAYERS[:4])
    told = escape_the_night.heading(middle(4), bound)
    assert "\n" not in told
    assert "4 of 10" in told
    assert PLAYERS[0] in told
    vote = escape_the_night.heading(MOMENTS["vote"][0], bound)
    assert "vote" in vote.lower()


def test_initials_are_unique_even_for_like_names() -> None:
    """One letter where it tells apart, two where it does not; never the same for two guests."""
    alike = {"names": {"character": dict.fromkeys(IDS, "Anna Ann")}}
    like = Words.load(
        read(CONTENT / "common" / "en_grammar.yaml"), Document("tests", alike, {(): 1})
    )
    found = initials(table(), like)
    assert len(set(found.values())) == len(IDS)
    assert all(1 <= len(mark) <= 2 for mark in found.values())
    own = initials(table(), words())
    assert [own[ident] for ident in IDS] == [name[0] for name in GUESTS]


def test_plain_keeps_what_ascii_has() -> None:
    """Accents fall off letters, typographic signs become plain ones."""
    assert plain("Séance – “Ódin’s” …") == 'Seance - "Odin\'s" ...'
    assert plain("```小林```") == "''''''"


def test_guest_who_will_be_late_is_told() -> None:
    """Who will miss a turn is marked so, the dead are not."""
    view = replace(middle(), late=(IDS[2], IDS[8]))
    lines = escape_the_night.board_words(view, words(), PLAYERS[:4]).splitlines()
    late = [line for line in lines if "misses a turn" in line]
    assert len(late) == 1
    assert GUESTS[2] in late[0]


def test_monster_that_holds_a_guest_is_named() -> None:
    """A pinned guest's line says by what."""
    view = with_guests(table(), {IDS[2]: {"monster": "coal_thing", "space": "e2"}})
    text = escape_the_night.board_words(view, words(), PLAYERS[:4])
    line = next(one for one in text.splitlines() if GUESTS[2] in one)
    assert "The Thing in the Coal Cellar Below" in line
