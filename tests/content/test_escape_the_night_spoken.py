"""Words that do not fit the engine: each told in one sentence, with file and line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from content.escape_the_night import HERE, load
from content.yaml_source import ContentError

EN = "text/en.yaml"


@pytest.fixture
def folder(tmp_path):
    """A copy of the files, to be broken."""
    return Path(shutil.copytree(HERE, tmp_path / "escape_the_night"))


BROKEN = [
    # An event without words, or by another name.
    (EN, '  stayed: "{character} stays put."\n', "", "events:", "the words 'events.stayed'"),
    (EN, "  stayed: ", "  stayd: ", "stayd:", "no 'stayd' in events (did you mean 'stayed'?)"),
    # A fact that nobody tells, and one of the wrong sort.
    (EN, "+{amount} for {character}, {b", "+{amont} for {character}, {b", "amont",
     "nothing is known of {amont} (did you mean 'amount'?)"),
    (EN, "{character} stays put", "{character#One|Two} stays put", "stays put", "is no number"),
    (EN, "A {dice} is rolled", "A {dice:room} is rolled", "is rolled for", "is no room"),
    (EN, "{poisoned?It was", "{poisoned}{poisoned?It was", "glass_drunk:", "cannot be put into"),
    (EN, "{steps} {steps#space|spaces} to {space}", "{steps} {steps#spaceXspaces} to {space}",
     "spaceXspaces", "expected two texts with a | between"),
    # Questions: their kinds, their parts, their facts, their choices.
    (EN, "  face_the_man:\n", "  face_the_men:\n", "face_the_men:", "no 'face_the_men'"),
    (EN, "    short: a discard\n", "", "  discard:", "'decisions.discard.short' are missing"),
    (EN, "    meaning: One of them is", "    meening: One of them is", "meening:",
     "no 'meening' in decisions.glasses (did you mean 'meaning'?)"),
    (EN, "{score} of {limit}", "{score} of {limits}", "{limits}", "nothing is known of {limits}"),
    (EN, "roll: Roll and move, retry:", "rol: Roll and move, retry:", "rol: Roll",
     "'decisions.roll.options.roll' are missing"),
    (EN, "      claim: Put it", "      clam: Put it", "      clam:", "no 'clam'"),
    # Endings, titles, lobby, refusals, names.
    (EN, "  all_dead:", "  all_dad:", "  all_dad:", "no 'all_dad' in endings"),
    (EN, "of the night: {seats}", "of the night: {seat}", "of the night: {seat}", "of {seat}"),
    (EN, '    "20": 20 minutes', '    "21": 20 minutes', '    "21":', "no '21'"),
    (EN, "  too_alike:", "  too_alik:", "  too_alik:",
     "nothing is ever refused as 'too_alik' (did you mean 'too_alike'?)"),
    (EN, "least {least} different guests", "least {lest} different guests", "{lest}",
     "of {lest} (did you mean 'least'?)"),
    (EN, "    lantern: the lantern\n", "", "  thing:", "'names.thing.lantern' are missing"),
    # What sentences on cards are made of.
    (EN, "    hand_over: one", "    hand_ovr: one", "  result:", "'effects.result.hand_over'"),
    (EN, "  anyone: You may", "  anybody: You may", "effects:", "there are no such words"),
    (EN, "discard {amount#a relic|{amount} relics}.\n    hand", "discard {amout}.\n    hand",
     "{amout}", "nothing is known of {amout}"),
    # Difficulties that two dice never make, or always do.
    ("clues.yaml", "difficulty: 9", "difficulty: 99", "difficulty: 99", "and never 99"),
    ("monsters.yaml", "difficulty: 8", "difficulty: 1\n", "difficulty: 1\n", "and never 1"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "line", "told"), BROKEN)
def test_broken_words_are_told_to_their_author(folder, file, old, new, line, told):
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
    fitting = [fault for fault in faults if told in fault]
    assert fitting, faults
    assert fitting[0].startswith(f"escape_the_night/{file}:{number} "), faults


def test_a_section_that_is_missing(folder):
    """The slip has its line; what it leaves missing has only its file."""
    path = folder / EN
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\nendings:\n", "\nendigs:\n"), encoding="utf-8")

    with pytest.raises(ContentError) as caught:
        load(folder)
    first, *others = map(str, caught.value.all())
    assert first.endswith("there is no section 'endigs' (did you mean 'endings'?)")
    assert len(others) == 4
    assert "escape_the_night/text/en.yaml:1 (endings.escaped)" in others[0]
