"""What the loader of Escape the Night's files refuses, and how it tells an author."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from content.escape_the_night import HERE, load
from content.yaml_source import ContentError


@pytest.fixture
def folder(tmp_path):
    """A copy of the files, to be broken."""
    return Path(shutil.copytree(HERE, tmp_path / "escape_the_night"))


def broken(folder: Path, file: str, old: str, new: str) -> list[str]:
    """The faults told after a change of one file."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        load(folder)
    return [str(fault) for fault in caught.value.all()]


def line_of(folder: Path, file: str, text: str) -> int:
    """The number of the first line with that text."""
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    return next(n for n, line in enumerate(lines, 1) if text in line)


FAULTS = [
    (
        "clues.yaml",
        "failed: { do: sent_outside }",
        "failed: { do: sent_outsied }",
        "open_window",
        r"unknown effect 'sent_outsied' .did you mean 'sent_outside'\?.; known: discard_relics, .*",
    ),
    (
        "clues.yaml",
        "failed: { do: sent_outside }",
        "failed: { do: sent_outside, amount: 2 }",
        "open_window",
        "sent_outside takes no amount",
    ),
    (
        "clues.yaml",
        "{ do: discard_relics, amount: 1 }",
        "{ do: discard_relics, amount: 9 }",
        "laundry_list",
        "discard_relics takes an amount from 1 to 3, not 9",
    ),
    (
        "clues.yaml",
        "{ do: discard_relics, amount: 1 }",
        "{ do: discard_relics }",
        "laundry_list",
        "discard_relics takes an amount from 1 to 3, not 0",
    ),
    (
        "clues.yaml",
        "of: kitchen",
        "of: cellar",
        "dumbwaiter",
        "spirit_away takes the name of a room, not 'cellar'; rooms: chapel, .*",
    ),
    (
        "clues.yaml",
        "solved: { do: spirit_away, of: kitchen }",
        "solved: spirit_away",
        "dumbwaiter",
        r"expected fields \(`name: value`\), not 'spirit_away'",
    ),
    (
        "clues.yaml",
        "failed: { do: sent_outside }",
        "failed: { do: sent_outside, to: moon }",
        "open_window",
        r"unknown field 'to'( \(did you mean 'do'\?\))?",
    ),
    (
        "monsters.yaml",
        "of: clue, amount: 2",
        "of: clues, amount: 2",
        "drowned_governess",
        "foresee takes one of challenge, clue, monster, relic, not 'clues'",
    ),
    (
        "relics.yaml",
        "do: haste, amount: 2",
        "do: haste, amount: 2, of: kitchen",
        "haste_potion",
        "haste takes no 'of'",
    ),
    (
        "guests.yaml",
        "of: o12",
        "of: kitchen",
        "hester_crumb",
        "side_door takes a space such as \"c4\", not 'kitchen'",
    ),
    (
        "guests.yaml",
        "of: o12",
        "of: o13",
        "hester_crumb",
        "side_door speaks of o13, which is no space of the board",
    ),
    (
        "guests.yaml",
        "of: a7-e2",
        "of: a7",
        "ignatius_quill",
        "secret_passage takes two spaces such as \"a1-c4\", not 'a7'",
    ),
    (
        "challenges.yaml",
        "do: bid }",
        "do: bidding }",
        "devils_auction",
        r"unknown effect 'bidding' .did you mean 'bid'\?.; known: allies, .*",
    ),
    (
        "challenges.yaml",
        "tie: both",
        "tie: neither",
        "masked_ball",
        "unknown tie 'neither'; known: again, both, outsider",
    ),
    ("clues.yaml", "difficulty: 5", "difficulty: hard", "warm_teacup", ".*whole number.*"),
    ("clues.yaml", "source: house", "source: me", "warm_teacup", "source is 'me'; .*"),
    (
        "mysterious_man.yaml",
        "faces: [1, 2]",
        "faces: [1, 2, 2]",
        "first",
        "the face 2 stands 2 times on this side, not once",
    ),
    (
        "mysterious_man.yaml",
        "do: finder_outside",
        "do: finder_upstairs",
        "first",
        "unknown effect 'finder_upstairs'.*",
    ),
    (
        "artifacts.yaml",
        "room: study",
        "room: foyer",
        "letter_knife",
        "'foyer' is no artifact room of the board",
    ),
    (
        "artifacts.yaml",
        "room: study",
        "room: kitchen",
        "bone_ladle",
        "letter_knife lies in the kitchen already",
    ),
    (
        "board.yaml",
        '"OOOOCCCGGGGWWWW" # 2',
        '"OOOOCCCGGGGWWW" # 2',
        "board",
        "row 2 has 14 spaces, the first has 15",
    ),
    (
        "board.yaml",
        '"OOOOCCCGGGGWWWW" # 2',
        '"OOOOCCCGGGGWWWX" # 2',
        "board",
        "row 2 has the mark 'X'; marks: .*",
    ),
    (
        "board.yaml",
        "- [b4, b5]",
        "- [b4, b6]",
        "board",
        "b4-b6: a door joins touching spaces of two rooms",
    ),
    (
        "board.yaml",
        "- a1 # observatory",
        "- a4 # observatory",
        "board",
        "a4: a circle has a space of its own in an artifact room",
    ),
    (
        "board.yaml",
        "study: b11",
        "study: a9",
        "board",
        "the study needs a triangle on a space of its own",
    ),
    (
        "board.yaml",
        "ritual: [g8, h8, i8, f9, g9, h9, i9, j9, f10, g10, h10, i10, j10, g11, h11, i11]",
        "ritual: [g8, h8, i8]",
        "board",
        "the circle has 3 spaces; 11 guests need as many",
    ),
    (
        "numbers.yaml",
        "clue: 15, monster: 10",
        "clue: 15, monster: 11",
        "tiles",
        "26 tiles for 25 circles",
    ),
    (
        "numbers.yaml",
        '"10": 16',
        '"12": 16',
        "untimed_actions.12",
        r"'12' is no number of seats \(did you mean '2'\?\); known: any, and 1 to 11",
    ),
    (
        "numbers.yaml",
        '"10": 16',
        '"10": 0',
        "untimed_actions.10",
        "0 actions are no last round; at least 1",
    ),
]


@pytest.mark.parametrize(
    ("file", "old", "new", "where", "told"),
    FAULTS,
    ids=[f"{f[3]}-{n}" for n, f in enumerate(FAULTS)],
)
def test_faults_are_told_with_file_line_and_card(folder, file, old, new, where, told):
    """One sentence to the author, with what is known instead."""
    (fault,) = broken(folder, file, old, new)
    place, _, sentence = fault.partition("): ")

    assert re.fullmatch(rf"escape_the_night/{file}:\d+ \(.*\b{where}\b.*", place), fault
    assert re.fullmatch(told, sentence), fault


def test_a_circle_that_shuts_a_room(folder):
    """RULE-E7: a guest held in the chapel's doorway would shut out all others."""
    faults = broken(folder, "board.yaml", "- e1 # chapel", "- f3 # chapel")

    assert faults
    assert all("cannot be reached when there is a guest on every other circle" in f for f in faults)


def test_the_line_is_the_effects(folder):
    """The line told is where the fault stands, not where its card begins."""
    line = line_of(folder, "clues.yaml", "of: kitchen")
    (fault,) = broken(folder, "clues.yaml", "of: kitchen", "of: cellar")

    assert fault.startswith(f"escape_the_night/clues.yaml:{line} (clues.dumbwaiter.solved.of): ")


def test_all_faults_are_told_at_once(folder):
    """An author mends a folder in one go."""
    broken(folder, "relics.yaml", "do: haste, amount: 2", "do: haste, amount: 99")
    faults = broken(folder, "clues.yaml", "of: kitchen", "of: cellar")

    assert len(faults) == 2


def test_a_last_round_for_every_table(folder):
    """Without figures for all numbers of seats some tables would have no last round at all."""
    faults = broken(folder, "numbers.yaml", "any: 21", "anny: 21")

    assert any(
        re.search(r"'anny' is no number of seats \(did you mean 'any'\?\)", f) for f in faults
    )
    assert any("'any' is missing: for all other numbers of seats" in f for f in faults)


def test_wrong_types_are_told_before_anything_is_looked_into(folder):
    """Found by the search: rooms that are texts, a plan without rows, a list for a room's name."""
    for file, old, new in (
        ("board.yaml", "foyer: { kind: foyer }", "foyer: kind"),
        ("artifacts.yaml", "room: study", "room: [study]"),
        ("numbers.yaml", "tiles: { clue: 15, monster: 10 }", "tiles: []"),
    ):
        text = (folder / file).read_text(encoding="utf-8")
        (fault,) = broken(folder, file, old, new)
        assert fault.startswith(f"escape_the_night/{file}:")
        assert ": expected " in fault
        (folder / file).write_text(text, encoding="utf-8")
    path = folder / "board.yaml"
    rows = r"(?s)  plan:.*?  marks:"
    path.write_text(re.sub(rows, "  plan: []\n  marks:", path.read_text("utf-8")), encoding="utf-8")
    with pytest.raises(ContentError, match=r"board\.yaml"):
        load(folder)


def test_a_missing_file(folder):
    """It is named."""
    (folder / "monsters.yaml").unlink()
    with pytest.raises(ContentError, match="monsters.yaml"):
        load(folder)


def test_a_missing_card(folder):
    """Counts are the rulebook's."""
    text = (folder / "artifacts.yaml").read_text(encoding="utf-8")
    start = text.index("  glass_orchid:")
    (folder / "artifacts.yaml").write_text(text[:start], encoding="utf-8")
    with pytest.raises(ContentError, match="8 cards, 9 expected"):
        load(folder)


def test_words_are_no_part_of_the_digest(folder):
    """A new text changes no game in progress; a new number is another version."""
    path = folder / "clues.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Still warm", "Still hot"), encoding="utf-8")
    assert load(folder).digest == load().digest

    path.write_text(text.replace("difficulty: 5", "difficulty: 6", 1), encoding="utf-8")
    assert load(folder).digest != load().digest
