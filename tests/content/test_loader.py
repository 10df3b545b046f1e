"""Cards, assemblies and digests, on a small made-up game; the authors' sentences in full."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from content.loader import Assembly, LoadedGame, load_dump, read_cards
from content.words import Words
from content.yaml_source import ContentError, Document, parse


@dataclass(frozen=True, slots=True)
class Effect:
    do: str
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Walk:
    kind: Literal["walk"]
    steps: int


@dataclass(frozen=True, slots=True)
class Sleep:
    kind: Literal["sleep"]
    hours: int = 8


@dataclass(frozen=True, slots=True)
class Clue:
    difficulty: int
    solved: Effect | None = None
    colour: Literal["red", "green"] = "red"
    shared: bool = False
    then: tuple[Walk | Sleep, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    clues: Mapping[str, Clue]
    numbers: Mapping[str, int]
    doors: tuple[tuple[str, str], ...] = ()


CLUES = """\
clues:
  lost_doll:
    source: house
    name: Lost Doll
    text: Gain {amount}.
    difficulty: 8
    solved: {do: draw, amount: 1}
  wet_map:
    source: rulebook
    name: Wet Map
    flavour: Ink runs.
    difficulty: 6
    colour: green
"""
NUMBERS = "numbers:\n  '2': 14\n  any: 10\n"
GRAMMAR = "grammar: {and: and, nobody: nobody, seat: 'Seat {number}', twin: '{name} ({number})'}"


def assembled(clues: str = CLUES, numbers: str = NUMBERS) -> Assembly:
    """The small game, put together from two files."""
    assembly = Assembly()
    assembly.add_cards("clues", read_cards(parse(clues, "clues.yaml"), "clues"))
    assembly.add("numbers", parse(numbers, "numbers.yaml"), ("numbers",))
    return assembly


def refusals(assembly: Assembly) -> list[str]:
    """What the author is told about what was put together."""
    with pytest.raises(ContentError) as caught:
        assembly.build(Content)
    return [str(fault) for fault in caught.value.all()]


def card_refusals(text: str, **wanted: Any) -> list[str]:
    """What the author is told about the entries of a file."""
    with pytest.raises(ContentError) as caught:
        read_cards(parse(text, "clues.yaml"), "clues", **wanted)
    return [str(fault) for fault in caught.value.all()]


def test_yaml_becomes_the_engines_dataclasses():
    """A card is described once: its rules reach the engine, its words do not."""
    content = assembled().build(Content)

    assert content == Content(
        clues={
            "lost_doll": Clue(difficulty=8, solved=Effect("draw", 1)),
            "wet_map": Clue(difficulty=6, colour="green"),
        },
        numbers={"2": 14, "any": 10},
    )


def test_lists_of_entries():
    """A file may list its entries instead; then each carries its id."""
    document = parse(
        "clues:\n  - id: lost_doll\n    source: house\n    name: Doll\n    difficulty: 8\n",
        "c.yaml",
    )
    cards = read_cards(document, "clues", count=1)

    assert cards.data == [{"id": "lost_doll", "difficulty": 8}]
    assert cards.names == {"lost_doll": "Doll"}
    assert cards.sources == {"lost_doll": "house"}


def test_words_of_cards():
    """Names, texts and flavours go into the words, under the table's name."""
    cards = read_cards(parse(CLUES, "clues.yaml"), "clues", count=2)
    words = Words.load(parse(GRAMMAR, "en.yaml"), cards.words("clue"))

    assert words.name("clue", "lost_doll") == "Lost Doll"
    assert words.say("texts.clue.lost_doll", {"amount": 3}) == "Gain 3."
    assert words.say("flavours.clue.wet_map") == "Ink runs."
    assert not words.has("texts.clue.wet_map")


def test_a_broken_text_names_its_card():
    """A template that cannot be read is traced to the line of the card's text."""
    cards = read_cards(parse(CLUES.replace("{amount}", "{amount"), "clues.yaml"), "clues")

    with pytest.raises(ContentError, match=r"clues.yaml:5 \(texts.clue.lost_doll\): \{amount"):
        Words.load(parse(GRAMMAR, "en.yaml"), cards.words("clue"))


def test_text_changes_keep_the_digest():
    """A changed name or text, another order or source is the same game; a number is another."""
    first = assembled()
    reworded = assembled(CLUES.replace("Lost Doll", "Doll").replace("house", "rulebook"))
    head, doll, rest = CLUES.partition("  wet_map")[0].partition("  lost_doll")
    reordered = assembled(f"{head}  wet_map{CLUES.partition('  wet_map')[2]}{doll}{rest}")
    other = assembled(CLUES.replace("difficulty: 8", "difficulty: 7"))
    words = Words.load(parse(GRAMMAR, "en.yaml"))

    assert first.finish(Content, words).digest == reworded.finish(Content, words).digest
    assert first.finish(Content, words).digest == reordered.finish(Content, words).digest
    assert first.finish(Content, words).digest != other.finish(Content, words).digest


def test_a_dump_becomes_the_same_content():
    """A stored game reads back the numbers that it began with."""
    game = assembled().finish(Content, Words.load(parse(GRAMMAR, "en.yaml")))

    assert isinstance(game, LoadedGame)
    assert load_dump(Content, game.dump) == game.rules
    assert json.loads(game.dump)["clues"]["lost_doll"]["difficulty"] == 8
    assert "Doll" not in game.dump
    assert list(load_dump(Content, game.dump).clues) == list(game.rules.clues)


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("ulty: 8", "ulty: '8'", 6, "lost_doll.difficulty): expected a whole number, not '8'"),
        ("ulty: 8", "ulty: true", 6, "lost_doll.difficulty): expected a whole number, not true"),
        ("ulty: 8", "ulty:", 6, "lost_doll.difficulty): expected a whole number, not nothing"),
        ("ulty: 8", "ulty: [8]", 6, "lost_doll.difficulty): expected a whole number, not a list"),
        ("house", "house\n    shared: 1", 4, "lost_doll.shared): expected true or false, not 1"),
        ("do: draw", "do: 7", 7, "lost_doll.solved.do): expected text, not 7"),
        (
            "amount: 1",
            "amuont: 1",
            7,
            "lost_doll.solved.amuont): unknown field 'amuont' (did you mean 'amount'?)",
        ),
        (
            "{do: draw, amount: 1}",
            "draw",
            7,
            "lost_doll.solved): expected fields (`name: value`), not 'draw'",
        ),
        (
            "colour: green",
            "colour: gren",
            13,
            "wet_map.colour): unknown colour 'gren' (did you mean 'green'?); known: green, red",
        ),
        ("colour: green", "then: {}", 13, "wet_map.then): expected a list, not fields"),
        (
            "colour: green",
            "then:\n      - {kind: wlak, steps: 1}",
            14,
            "wet_map.then.0.kind): unknown kind 'wlak' (did you mean 'walk'?); known: sleep, walk",
        ),
        (
            "colour: green",
            "then:\n      - {kind: sleep, hour: 1}",
            14,
            "wet_map.then.0.hour): unknown field 'hour' (did you mean 'hours'?)",
        ),
        (
            "colour: green",
            "then:\n      - {kind: walk}",
            14,
            "wet_map.then.0.steps): the field 'steps' is missing",
        ),
    ],
)
def test_what_an_author_is_told(old, new, line, said):
    """Each fault is one sentence with file, line, place and cure (YML-10, YML-11)."""
    assert CLUES.count(old) == 1

    assert refusals(assembled(CLUES.replace(old, new))) == [f"clues.yaml:{line} (clues.{said}"]


def test_a_misspelt_field_is_unknown_and_missing():
    """YML-11: a slip in a needed field's name gets a suggestion; no default hides it."""
    assert refusals(assembled(CLUES.replace("difficulty: 8", "dificulty: 8"))) == [
        "clues.yaml:2 (clues.lost_doll.difficulty): the field 'difficulty' is missing",
        "clues.yaml:6 (clues.lost_doll.dificulty): unknown field 'dificulty'"
        " (did you mean 'difficulty'?)",
    ]


def test_faults_in_other_parts():
    """A fault is looked for in the file that its part came from."""
    assembly = assembled(numbers="numbers:\n  any: x\n")
    assembly.add("doors", parse("plan:\n  doors:\n    - [a1]\n", "board.yaml"), ("plan", "doors"))

    assert refusals(assembly) == [
        "numbers.yaml:2 (numbers.any): expected a whole number, not 'x'",
        "board.yaml:3 (plan.doors.0.1): the field '1' is missing",
    ]


def test_missing_and_unknown_parts():
    """A part that the engine does not know, or lacks, names the files that were read."""
    assembly = Assembly()
    assembly.add("numbrs", parse(NUMBERS, "numbers.yaml"), ("numbers",))

    assert refusals(assembly) == [
        "numbers.yaml:1 (clues): the field 'clues' is missing",
        "numbers.yaml:1 (numbers): the field 'numbers' is missing",
        "numbers.yaml:1 (numbers): unknown field 'numbrs' (did you mean 'numbers'?)",
    ]


def test_a_part_is_added_once():
    """Two parts of one name are a mistake of ours."""
    assembly = assembled()

    with pytest.raises(ValueError, match="numbers is put together twice"):
        assembly.add("numbers", parse(NUMBERS, "numbers.yaml"), ("numbers",))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("lost_doll:", "LostDoll:", "clues.yaml:2 (clues.LostDoll): the id 'LostDoll' is not"),
        ("lost_doll:", "lost-doll:", "clues.yaml:2 (clues.lost-doll): the id 'lost-doll' is not"),
        ("source: house", "source: hous", "clues.yaml:3 (clues.lost_doll.source): source is"),
        ("    source: house\n", "", "clues.yaml:2 (clues.lost_doll.source): source is missing;"),
        ("    name: Lost Doll\n", "", "clues.yaml:2 (clues.lost_doll): the field 'name'"),
        ("name: Lost Doll", "name: 7", "clues.yaml:4 (clues.lost_doll.name): name is not text;"),
        ("text: Gain {amount}.", "text:", "clues.yaml:5 (clues.lost_doll.text): text is not text;"),
        ("  wet_map:\n", "  wet_map: 1\n  x:\n", "clues.yaml:8 (clues.wet_map): expected an entry"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_card(old, new, said):
    """Ids are snake_case, sources are stated, words are words."""
    assert card_refusals(CLUES.replace(old, new))[0].startswith(said)


def test_all_cards_faults_at_once():
    """An author is told everything in one go."""
    text = CLUES.replace("source: house", "source: x").replace("name: Wet Map", "name: 3")

    assert len(card_refusals(text)) == 2


def test_ids_are_unique_in_lists():
    """Two entries of one id are refused with both lines."""
    text = "clues:\n" + "  - id: doll\n    source: house\n    name: Doll\n" * 2

    assert card_refusals(text) == [
        "clues.yaml:5 (doll): the id 'doll' also stands on line 2"
    ]  # fmt: skip


def test_wrong_count():
    """A deck has as many cards as the rulebook says; copies count."""
    assert card_refusals(CLUES, count=50) == [
        "clues.yaml:1 (clues): clues: 2 cards, 50 expected"
    ]  # fmt: skip
    copies = CLUES.replace("difficulty: 8", "difficulty: 8\n    count: 49")
    assert read_cards(parse(copies, "clues.yaml"), "clues", count=50).names["wet_map"] == "Wet Map"


@pytest.mark.parametrize("entries", ["clues:", "clues: 3", "clues: []", "clues: {}"])
def test_no_cards(entries):
    """A key without entries is refused."""
    assert "expected entries, each with its id" in card_refusals(entries)[0]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(10**30),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["clues", "numbers", "doors", "a", "difficulty", "solved", "do", "then",
                         "kind", "steps", "colour"]), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(["clues", "numbers", "doors", "b"]), json_values))
def test_wrong_shapes_are_told_tidily(data):
    """YML-13: whatever shape the content has, the author gets sentences, never our traceback."""
    assembly = Assembly()
    for name, part in data.items():
        document = Document(f"{name}.yaml", {name: part}, {(): 1})
        assembly.add(name, document, (name,))
    faults: tuple[ContentError, ...] = ()
    try:
        assembly.build(Content)
    except ContentError as error:
        faults = error.all()

    assert all("\n" not in str(fault) for fault in faults)


def test_a_dump_of_another_type_is_refused():
    """A stored content that the type no longer fits is not bent into it."""
    with pytest.raises(ValidationError):
        load_dump(Content, '{"clues":{},"numbers":{"any":"10"}}')
