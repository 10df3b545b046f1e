"""Fear of the Dark's words: read aloud in whole games, short, apart from each other, none idle."""

from __future__ import annotations

import re
import shutil
from itertools import product
from pathlib import Path

import pytest

from content.fear_of_the_dark import HERE, load
from content.names import Style
from content.template import tables
from content.yaml_source import ContentError
from engines.fear_of_the_dark import told
from engines.fear_of_the_dark.game import GAME
from engines.kernel.journal import Header
from engines.kernel.playthrough import Playthrough
from tests.content.reading import Reader, fields
from tests.driving import play_out

LOADED = load()
WORDS = LOADED.words
TALES = ("tile_tale", "danger_tale", "danger_averted", "secret_tale", "item_tale", "ending_tale")
BUTTON = 38
"""What a phone shows of a button's label, about."""

IN_MENUS = ("walk", "go_on", "rotate")
"""Questions whose choices depend on what lies around: where that is much, a menu shows them."""


# Games read aloud


@pytest.fixture(scope="module")
def reader():
    """Everything read aloud in games on all difficulties, of random and sensible players."""
    read = Reader(WORDS, longer=dict.fromkeys(IN_MENUS, 100), alike=("build",))
    difficulties, leads = (option.values for option in GAME.options)
    for n, (agent, difficulty, lead) in enumerate(product(GAME.agents, difficulties, leads)):
        seats = 1 + n % 8
        names = [f"Somebody with a Name {seat}" for seat in range(seats)]
        read.words = WORDS.bound(names, Style.PLAIN)
        options = {"difficulty": difficulty, "lead": lead}
        key = f"aloud {n}".encode().hex()
        header = Header(GAME.key, GAME.rules_version, LOADED.digest, key, seats, options)
        play = Playthrough(GAME, LOADED.rules, header, checks=False)

        def look(_, play=play):
            for decision in play.asked[:1]:
                read.read_decision(decision)

        play_out(play, GAME.agents[agent], key=f"players {n}".encode(), each=look)
        read.read_events(play)
        assert play.outcome is not None
        read.words.say(f"endings.{play.outcome.ending}", play.outcome.facts)
    return read


def test_games_are_read_aloud(reader):
    """Whole games, without a word missing, a label too long or two choices that read alike."""
    assert len(reader.kinds) > 20
    assert {"act", "walk", "build", "give_up", "rotate", "go_on"} <= set(reader.asked)
    assert {("walk", "near"), ("walk", "reveal"), ("act", "strike")} <= set(reader.offered)


def test_labels_fit_a_button():
    """At their longest, for every question of which a phone may show five buttons."""
    longest = {
        "field": "M8", "room": "M", "tile": "whispers", "side": "north", "action": "light",
        "location": 4, "steps": 4, "left": 9, "last": True, "new": False, "seat": 0, "least": 1,
        "most": 1, "key": "key", "found": 2,
    }  # fmt: skip
    found: dict[str, str] = {}
    for kind, asked in told.ASKED.items():
        for word in asked.options:
            if kind not in IN_MENUS or word == "back":
                path = f"decisions.{kind}.options.{word}"
                found[path] = WORDS.say(path, longest)

    assert len(found) > 30
    assert {path: label for path, label in found.items() if len(label) > BUTTON} == {}


def test_a_door_or_field_by_itself_fits_a_button():
    """Without anything near it, a way to walk is as short as the other choices."""
    facts = {"room": "M", "side": "s", "steps": 4, "field": "M8", "leaks": True}
    facts = {**facts, "near": ("door", "item"), "least": 1, "most": 1}
    facts |= {"light": True, "drips": False}
    assert len(WORDS.say("decisions.walk.options.field", facts)) <= BUTTON
    assert len(WORDS.say("decisions.walk.options.field", {**facts, "drips": True})) <= BUTTON
    dry = {**facts, "leaks": False}
    for word in ("exit", "reveal", "near"):
        assert len(WORDS.say(f"decisions.walk.options.{word}", dry)) <= BUTTON


def test_rule_f43_a_way_through_the_leak_says_so():
    """RULE-F43: to a field and to a door, in the light; in the dark there is nothing to lose, but
    whoever would end in the wet is told.
    """
    facts = {"room": "M", "side": "s", "steps": 4, "field": "M8", "tile": "well", "near": ("door",)}
    facts |= {"leaks": True, "drips": False, "light": True}
    dark = {**facts, "light": False}
    for question in ("walk", "go_on"):
        for word in ("exit", "reveal", "near", "field"):
            path = f"decisions.{question}.options.{word}"
            assert WORDS.say(path, facts).endswith(", through the leak"), path
            assert "leak" not in WORDS.say(path, dark), path
        for word in ("near", "field"):
            path = f"decisions.{question}.options.{word}"
            assert WORDS.say(path, {**dark, "drips": True}).endswith(", where it drips"), path


def test_a_door_leads_out_when_all_rooms_are_known():
    """The question where to walk does not promise a room that there is not."""
    walk = {"action": "move", "steps": 4, "light": True}
    assert "shows the next room" in WORDS.say("decisions.walk.meaning", {**walk, "tiles": 1})
    assert "leads outside" in WORDS.say("decisions.walk.meaning", {**walk, "tiles": 0})


def test_a_find_says_of_what_there_is_no_more():
    """A location holds items and secrets: that one kind is gone says nothing of the other."""
    facts = {"field": "B4", "location": 3, "left": 0}
    item = {**facts, "item": "key", "tale": "key_1"}
    secret = {**facts, "secret": "map", "tale": "map_1"}
    assert "(No more items at location 3.)" in WORDS.say("events.item_found", item)
    assert "(No more secrets at location 3.)" in WORDS.say("events.secret_found", secret)
    assert "(One more secret at" in WORDS.say("events.secret_found", {**secret, "left": 1})


def test_a_match_is_spoken_of_where_one_can_be_struck():
    """Neither without matches nor where it drips is there a cheaper way than a card."""
    facts = {"light": False, "matches": 2, "leaking": False}
    assert "striking a match costs none" in WORDS.say("decisions.act.meaning", facts)
    for other in ({"matches": 0}, {"leaking": True}):
        assert "costs none" not in WORDS.say("decisions.act.meaning", {**facts, **other})
    one = {"matches": 1}
    assert WORDS.say("decisions.act.about.play_light", one).startswith("Burns the only match;")


def test_a_payment_says_for_what():
    """Field or door, if there is one."""
    card = {"purpose": "move", "light": False, "cards": 5, "left": 4}
    nowhere = {"field": None, "room": None, "side": None}
    path = "decisions.give_up.prompt"
    assert WORDS.say(path, {**card, **nowhere, "field": "B4"}).endswith("to walk (B4)?")
    door = {"room": "C", "side": "n"}
    assert WORDS.say(path, {**card, **nowhere, **door}).endswith("to walk (C, north door)?")
    assert WORDS.say(path, {**card, **nowhere, "purpose": "light"}).endswith("to light a match?")
    path = "decisions.plain_card.prompt"
    assert WORDS.say(path, {"steps": 2, **nowhere, "field": "B4"}).endswith("the 2 steps (B4)?")


def test_lies_are_told_apart():
    """By number, doors, what bars a door, and where something is to be found."""
    label = WORDS.say(
        "decisions.rotate.options.lie",
        {
            "number": 2,
            "doors": ("n", "e"),
            "holes": ("n",),
            "barred": (),
            "open": ("e",),
            "shut": (),
            "item_fields": (),
            "secret_fields": (),
        },
    )
    assert label == "2: doors north and east; hole north"
    blocked = {"number": 1, "doors": ("s", "w"), "holes": (), "barred": ("w",), "open": ()}
    blocked |= {"shut": ("s",), "item_fields": ("M4",), "secret_fields": ("M9",)}
    label = WORDS.say("decisions.rotate.options.lie", blocked)
    assert label == "1: doors south and west; blocked west; wall south; item M4; secret M9"


def test_costs_are_told():
    """C-F4: what is given up is gone for good; the last match and the last card are named."""
    act = "decisions.act"
    for action in ("move", "tiptoe", "scout", "explore", "clear", "light"):
        assert "for good" in WORDS.say(f"{act}.options.give_{action}", {})
        assert "last card" in WORDS.say(f"{act}.about.give_{action}", {"left": 0})
        assert "8 cards" in WORDS.say(f"{act}.about.give_{action}", {"left": 8})
    assert "last one" in WORDS.say(f"{act}.about.strike", {"left": 0, "found": 0})
    asked = {"last": True, "lit": False, "left": 0, "hand": 3, "found": 0}
    assert WORDS.say("decisions.confirm_match.prompt", asked) == "Strike the last match?"
    assert "there are no more" in WORDS.say("decisions.confirm_match.meaning", asked)
    asked["found"] = 2
    assert "only the 2 matches that were found" in WORDS.say(
        "decisions.confirm_match.meaning", asked
    )
    assert "Only 2 found ones" in WORDS.say(f"{act}.about.strike", {"left": 0, "found": 2})
    card = {"purpose": "move", "light": False, "cards": 1, "left": 0, "action": "scout"}
    assert "last one" in WORDS.say("decisions.give_up.meaning", card)
    assert WORDS.say("decisions.give_up.options.card", card) == "Give up Scout, for good"


def test_prompts_name_no_seat():
    """The table says before a prompt who may answer."""
    for kind in told.ASKED:
        assert "seat" not in list(fields(WORDS.template(f"decisions.{kind}.prompt")))


def test_words_have_the_games_figures():
    """What stands in the words is what stands in the numbers."""
    n = LOADED.rules.numbers
    does = {action: WORDS.name("does", action) for action in ("move", "tiptoe", "light")}

    assert f"Up to {n.move} steps" in does["move"]
    assert f"Up to {n.tiptoe} steps" in does["tiptoe"]
    assert f"a hand of {n.light_hand}" in does["light"]
    act = WORDS.section("decisions.act.options")
    assert act["play_move"].endswith(f"up to {n.move} steps")
    assert f"{n.tiptoe} steps" in act["play_tiptoe"]
    assert act["two_steps"].endswith(f"{n.plain} steps")
    assert act["strike"].endswith(f"a hand of {n.match_hand}")
    assert act["use_scrap"].endswith(f"a hand of {n.scrap_hand}")
    assert act["play_light"].endswith(f"a hand of {n.light_hand}")
    for level, difficulty in n.difficulties.items():
        told_value = WORDS.say(f"lobby_options.difficulty.{level}")
        assert f"{difficulty.matches} matches" in told_value
        assert ("no sudden end" in told_value) is not difficulty.deadly


def test_how_to_play():
    """Five lines for the lobby, then how it goes; all of it fits a message."""
    lines = [WORDS.say(f"game.five_lines.{n}") for n in range(5)]
    turn = [WORDS.say(f"game.turn.{n}") for n in range(len(WORDS._tree["game"]["turn"]))]

    assert not WORDS.has("game.five_lines.5")
    assert sum(len(line) for line in lines) < 1800
    assert sum(len(line) for line in turn) < 1200


# No idle words


def test_every_table_of_names_is_spoken_of():
    """A table that no words look anything up in is out of date."""
    spoken = [
        name
        for path, template in WORDS._templates.items()
        if path.partition(".")[0] in ("events", "decisions", "endings", "sentences")
        for name in (*tables(template), *fields(template))
    ]
    spoken += [name.removesuffix("s") for name in spoken]

    assert [table for table in WORDS.section("names") if table not in spoken] == []


# Tales


@pytest.mark.parametrize("table", TALES)
def test_tales_are_short_and_speak_of_nothing_else(table):
    """Plain sentences: no places for facts, no marks of Markdown, an end to each."""
    for tale, text in WORDS.section(f"names.{table}").items():
        assert not re.search(r"[{}*_`|<>#]", text), tale
        assert text[0].isupper(), tale
        assert text.endswith((".", "?")), tale
        assert len(text) <= 140, tale


def test_no_two_tales_begin_alike():
    """Two games do not read alike, and neither does one game."""
    texts = [text for table in TALES for text in WORDS.section(f"names.{table}").values()]
    begun = [" ".join(text.casefold().split()[:4]) for text in texts]

    assert len(texts) >= 3 * (16 + 6 + 5 + 3 + 4 + 6)
    assert len(dict.fromkeys(begun)) == len(begun)


def test_a_tale_that_chance_chose_is_told():
    """A room's, a danger's, a find's, an ending's; and another one if nobody walked into it."""
    room = {"room": "D", "tile": "well", "tale": "well_2", "danger": False, "echo": False}
    said = WORDS.say("events.tile_revealed", {**room, "how": "walk", "left": 3})
    assert WORDS.name("tile_tale", "well_2") in said
    danger = {"danger": "terror", "tale": "terror_1", "how": "walk"}
    walked = WORDS.say("events.danger_drawn", {**danger, "triggered": True})
    assert WORDS.name("danger_tale", "terror_1") in walked
    scouted = WORDS.say("events.danger_drawn", {**danger, "triggered": False})
    assert WORDS.name("danger_averted", "terror_1") in scouted
    find = {"field": "B3", "location": 2, "left": 0}
    assert WORDS.name("item_tale", "key_3") in WORDS.say(
        "events.item_found", {**find, "item": "key", "tale": "key_3"}
    )
    assert WORDS.name("secret_tale", "map_4") in WORDS.say(
        "events.secret_found", {**find, "secret": "map", "tale": "map_4"}
    )
    assert WORDS.say("events.ended", {"tale": "terror_2"}) == WORDS.name("ending_tale", "terror_2")


def test_an_echo_is_not_said_to_have_doors():
    """The Lost has not seen any when it is gone; of a room that stays the doors are told."""
    room = {"room": "D", "tile": "well", "turn": 1, "doors": ["n", "w"], "from_room": "A"}
    assert WORDS.say("events.tile_placed", {**room, "side": "n", "echo": True}) == ""
    stays = WORDS.say("events.tile_placed", {**room, "side": "n", "echo": False})
    assert stays == "Room D has doors north and west."


# What the loader refuses


@pytest.fixture
def folder(tmp_path):
    """A copy of the files, to be broken."""
    return Path(shutil.copytree(HERE, tmp_path / "fear_of_the_dark"))


EN, EN_TALES = "text/en.yaml", "text/en_tales.yaml"
BROKEN = [
    (EN, "  returned: ", "  retired: ", "retired:", "there is no 'retired' in events"),
    (EN, "the lock on {field} is gone", "the lock on {feld} is gone", "{feld}",
     "nothing is known of {feld} (did you mean 'field'?)"),
    (EN, "  trapped: ", "  traped: ", "traped:", "no 'traped' in endings"),
    (EN, "    round: One leads", "    turns: One leads", "turns:", "no 'turns' in lobby_options"),
    (EN, "    w: west\n", "", "  side:", "the words 'names.side.w' are missing"),
    (EN, "    tiptoe: tiptoe\n", "", "  gait:", "the words 'names.gait.tiptoe' are missing"),
    (EN, "  danger:\n    terror: A danger", "  danger:\n    terrors: A danger", "terrors: A",
     "there is no 'terrors' in cards.danger"),
    (EN, "{doors} doors{holes?", "{dors} doors{holes?", "{dors}", "nothing is known of {dors}"),
    (EN_TALES, "    well_4: ", "    well_5: ", "well_5:", "there is no 'well_5' in names"),
    (EN_TALES, "    well_4: ", "    well_5: ", "  tile_tale:",
     "the words 'names.tile_tale.well_4' are missing"),
    (EN_TALES, "    lever_1: ", "    lever_1: " + 12 * "Up and down. ", "lever_1:",
     "letters, 12 to 140 expected"),
    (EN_TALES, "Three bolts, one after the other, and a little cough.",
     "A click. It is the tidiest sound in the maze.", "locking_4:",
     "the same text as names.danger_tale.locking_2"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "line", "message"), BROKEN)
def test_broken_words_are_told_to_their_author(folder, file, old, new, line, message):
    """A sentence that names the fault, at its line or at the part that it is missing from."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    spoilt = text.replace(old, new, 1)
    path.write_text(spoilt, encoding="utf-8")
    number = spoilt.count("\n", 0, spoilt.index(line)) + 1

    with pytest.raises(ContentError) as caught:
        load(folder)
    faults = [str(fault) for fault in caught.value.all()]
    fitting = [fault for fault in faults if message in fault]
    assert fitting, faults
    assert fitting[0].startswith(f"fear_of_the_dark/{file}:{number} "), faults


def test_a_hand_is_not_said_to_be_useless():
    """Cards are played as answers to the table's question, so none is ever offered beside it: the
    bot's own sentence for that would be wrong, and is replaced.
    """
    ((path, (before, after)),) = WORDS.replaced("hand").items()

    assert path == "hand.nothing_playable"
    assert before is not None
    assert list(fields(after)) == []
    assert "/act" in WORDS.say(path)
