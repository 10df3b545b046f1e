"""Fear of the Dark's files: counts, drawings, tokens, and what its loader refuses."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from content.fear_of_the_dark import DECKS, HERE, load
from content.fear_of_the_dark.checks import fields_of, shape_of
from content.yaml_source import ContentError, read
from engines.fear_of_the_dark.cards import Content, Difficulty
from engines.fear_of_the_dark.maze import ITEMS, SECRETS, SIDES, lies

LOADED = load()
RULES: Content = LOADED.rules
IDS = Path(__file__).with_name("fear_of_the_dark_ids.txt")


# Counts and spread


def test_counts():
    """[Components] 15 room tiles, 13 dangers, 9 items, 9 minds, 9 secrets, and the tokens."""
    found = {key: len(getattr(RULES, key)) for key in DECKS}
    numbers = RULES.numbers

    assert found == {"tiles": 15, "dangers": 13, "items": 9, "secrets": 9, "minds": 9}
    assert (numbers.most_matches, numbers.locks, numbers.obstructions) == (6, 4, 10)
    assert (numbers.secret_doors, numbers.leakages) == (2, 1)


def test_figures():
    """[Setup], [Matches], [Mind Cards] and [Difficulty]; C-F1, C-F31."""
    n = RULES.numbers

    assert (n.aside, n.locations, n.pile) == (3, 4, 2)
    assert (n.match_hand, n.light_hand, n.scrap_hand) == (3, 5, 3)
    assert (n.move, n.plain, n.tiptoe, n.terrors) == (4, 2, 2, 2)
    assert n.difficulties == {
        "easy": Difficulty(6, False),
        "normal": Difficulty(6, True),
        "hard": Difficulty(5, True),
        "very_hard": Difficulty(4, True),
    }


def test_ids_are_never_renamed():
    """Journals hold ids, so those once shipped stay; new ones are added to the list."""
    listed = IDS.read_text(encoding="utf-8").split()
    found = [f"{key}.{card}" for key in DECKS for card in getattr(RULES, key)]

    assert sorted(listed) == sorted(found)
    assert len(listed) == len(dict.fromkeys(listed))


def test_sources():
    """Every room is the house's own but the first; the kinds of the cards are the rulebook's."""
    tiles = read(HERE / "tiles.yaml").data
    assert tiles["start"]["start"]["source"] == "rulebook"
    assert {tile["source"] for tile in tiles["tiles"].values()} == {"house"}
    for key in ("dangers", "items", "secrets", "minds"):
        cards = read(HERE / f"{key}.yaml").data[key]
        assert {card["source"] for card in cards.values()} == {"rulebook"}


def test_kinds():
    """Section F of the analysis, and RULE-F1: all dangers but Leakage have the walk icon."""
    assert Counter((card.kind, card.walked) for card in RULES.dangers.values()) == {
        ("terror", True): 3,
        ("knockout", True): 3,
        ("propuh", True): 2,
        ("collapse", True): 2,
        ("locking", True): 2,
        ("leakage", False): 1,
    }
    assert Counter((card.kind, card.instant) for card in RULES.items.values()) == {
        ("match", False): 3,
        ("scrap", False): 3,
        ("key", False): 2,
        ("lever", True): 1,
    }
    kinds = Counter(card.kind for card in RULES.secrets.values())
    assert kinds == {"door": 2, "map": 3, "information": 4}
    assert sum(card.action == "move" for card in RULES.minds.values()) >= 2


def test_the_starting_tile():
    """RULE-F12: the west is free, a hole north, an obstruction south, a lock east; four doors."""
    (lie, *_) = lies(RULES.start)

    assert [lie.fields[n - 1] for n in (5, 4, 2, 8, 6)] == [".", ".", "O", "#", "X"]
    assert lie.doors == SIDES


def test_tokens_are_enough():
    """What is printed and what cards may place lies within the supply."""
    drawn = shape_of(RULES)
    kinds = Counter(card.kind for card in RULES.dangers.values())

    assert 1 + drawn["obstructions"] + kinds["collapse"] <= 10
    assert 1 + drawn["locks"] + kinds["locking"] <= 4
    assert drawn["dangers"] <= 13
    assert drawn["echoes"] in (2, 3)
    assert drawn["dangerous_echoes"] >= 1


def test_locations_are_on_two_rooms_that_stay():
    """Three rooms are set aside, and an echo takes its marks along."""
    for mark in ITEMS + SECRETS:
        rooms = [t for t in RULES.tiles.values() if not t.echo and mark in fields_of(t)]
        assert len(rooms) >= 2, mark


def test_no_two_rooms_are_drawn_alike():
    """However they are turned."""
    seen: dict[tuple[str, tuple[str, ...]], str] = {}
    for name, tile in RULES.tiles.items():
        for lie in lies(tile):
            assert seen.setdefault((lie.fields, lie.doors), name) == name


# What the loader refuses


TILES, NUMBERS = "tiles.yaml", "numbers.yaml"


@pytest.fixture
def folder(tmp_path):
    """A copy of the files, to be broken."""
    return Path(shutil.copytree(HERE, tmp_path / "fear_of_the_dark"))


def faults_of(folder: Path) -> list[str]:
    """The faults told of a folder that does not load."""
    with pytest.raises(ContentError) as caught:
        load(folder)
    return [str(fault) for fault in caught.value.all()]


def broken(folder: Path, file: str, old: str, new: str) -> list[str]:
    """The faults told after a change of one file."""
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return faults_of(folder)


ROWS = ("+-D-+", "|...|", "|...|", "|...|", "+-D-+")
"""A room that nothing is wrong with: doors north and south, nine empty fields."""


def drawn(**rows: str) -> tuple[str, ...]:
    """Its drawing with other rows: `r1` to `r5`."""
    return tuple(rows.get(f"r{n}", row) for n, row in enumerate(ROWS, 1))


def redrawn(folder: Path, tile: str, rows: tuple[str, ...]) -> None:
    """Give a tile another drawing, whatever it has now."""
    path = folder / TILES
    listed = "".join(f'      - "{row}"\n' for row in rows)
    pattern = rf"(\n  {tile}:\n(?:    .*\n)*?    drawing:\n)(?:      - .*\n)+"
    text, count = re.subn(pattern, rf"\g<1>{listed}", path.read_text(encoding="utf-8"))
    assert count == 1
    path.write_text(text, encoding="utf-8")


DRAWINGS = [
    ("well", ROWS[:4], "4 rows, 5 expected"),
    ("well", drawn(r4="|..|"), "row 4 has 4 signs, 5 expected"),
    ("well", drawn(r4="|..?|"), r"row 4: '\?' is not among .*"),
    ("well", drawn(r4="D...|"), r"row 4: 'D' is not among \|"),
    ("well", drawn(r1="#-D-+"), r"row 1: '#' is not among \+"),
    ("start", ("+-D-+", "|...|", "D..XD", "|.#.|", "+-D-+"),
     r"field 2 of the starting tile is 'O', not '\.'"),
    ("start", ("+-D-+", "|.O.|", "D..X|", "|.#.|", "+-D-+"),
     "the starting tile has a door on every side"),
    ("well", drawn(r5="+---+"), "a room has 2 doors or more, not 1, so that the maze stays open"),
    ("well", drawn(r2="|.O.|", r4="|.#.|"),
     "no door leads to a free field, so nobody could ever enter it"),
    ("well", drawn(r3="|OOO|"), "no way between two doors is free of holes and locks"),
    ("well", drawn(r3="|OXO|"), "a lock bars the only way to a door; .*"),
    ("well", drawn(r3="D...|", r4="|.X.|"), "a lock bars the only way to a door; .*"),
]  # fmt: skip


@pytest.mark.parametrize(("tile", "rows", "told"), DRAWINGS, ids=range(len(DRAWINGS)))
def test_faults_of_drawings(folder, tile, rows, told):
    """Each is told at the drawing, or at the row in it, of the tile."""
    redrawn(folder, tile, rows)
    place = rf"fear_of_the_dark/tiles\.yaml:(\d+) \((start|tiles)\.{tile}\.drawing(\.\d)?\)"
    found = [m for m in (re.fullmatch(rf"{place}: {told}", f) for f in faults_of(folder)) if m]

    assert found
    lines = (folder / TILES).read_text(encoding="utf-8").splitlines()
    line = next(n for n, text in enumerate(lines, 1) if text == f"  {tile}:")
    assert line < int(found[0][1]) <= line + 10


def test_an_obstruction_bars_no_way(folder):
    """It can be cleared, by a card at least, so a room may have one across its only way."""
    redrawn(folder, "well", drawn(r3="|O#O|"))

    assert not any("no way" in fault or "bars" in fault for fault in faults_of(folder))


@pytest.mark.parametrize("mark", ITEMS + SECRETS)
def test_a_location_that_is_seldom_drawn(folder, mark):
    """It might not come into the maze at all."""
    keep = next(n for n, t in RULES.tiles.items() if mark in fields_of(t) and not t.echo)
    for name, tile in RULES.tiles.items():
        if mark in fields_of(tile) and name != keep:
            rows = [row[0] + row[1:4].replace(mark, ".") + row[4] for row in tile.drawing[1:4]]
            redrawn(folder, name, (tile.drawing[0], *rows, tile.drawing[4]))

    told = f"the location {mark} is in 1 of the rooms that stay; 2 are needed"
    assert any(fault.endswith(told) for fault in faults_of(folder))


MOVES = (
    "  move_2: { source: rulebook, action: move }\n  move_3: { source: rulebook, action: move }\n"
)
FAULTS = [
    (TILES, "    text: Four doors", "    danger: true\n    text: Four doors", r"start\.start",
     "the starting tile is neither dangerous nor an echo"),
    # Locations
    (NUMBERS, "locations: 4", "locations: 3", "tiles",
     "the location D is drawn, but numbers.locations is 3"),
    (NUMBERS, "locations: 4", "locations: 5", r"numbers\.locations",
     "at most 4 locations have a mark"),
    (NUMBERS, "pile: 2", "pile: 3", r"numbers\.pile",
     "4 locations of 3 cards take 12 items of 9; one is to be left over"),
    # The shape
    (TILES, "  holes: ", "  holes: 1", r"shape\.holes", r"the tiles have \d+, not 1\d+"),
    (TILES, "two: ", "two: 1", r"shape\.doors\.two", r"the tiles have \d+, not 1\d+"),
    (TILES, "  dangerous_echoes:", "  dangerous_rooms:", "shape", "'dangerous_echoes' is missing"),
    (TILES, "shape:\n", "shapes:\n", "shapes", "unknown part 'shapes' .did you mean 'shape'.*"),
    (TILES, "  holes:", "  colour: 1\n  holes:", r"shape\.colour", "unknown field 'colour'"),
    # Cards
    ("dangers.yaml", "kind: leakage, walked: false", "kind: terror, walked: true", "dangers",
     "there is no leakage among the dangers"),
    ("dangers.yaml", "kind: leakage, walked: false", "kind: leakage, walked: true",
     r"dangers\.leakage_1\.walked", "leakage has not the walk icon"),
    ("dangers.yaml", "kind: propuh, walked: true", "kind: propuh, walked: false",
     r"dangers\.propuh_1\.walked", "propuh needs the walk icon"),
    ("dangers.yaml", "kind: propuh", "kind: draught", r"dangers\.propuh_1\.kind",
     "unknown kind 'draught'; known: .*"),
    ("items.yaml", "kind: lever", "kind: key", "items", "there is no lever among the items"),
    ("items.yaml", "kind: key, instant: false", "kind: key, instant: true",
     r"items\.key_1\.instant", "a key is kept"),
    ("items.yaml", "kind: lever, instant: true", "kind: lever, instant: false",
     r"items\.lever_1\.instant", "a lever is instant"),
    ("secrets.yaml", "  map_1: { source: rulebook, kind: map }\n", "", "secrets",
     "secrets: 8 cards, 9 expected"),
    ("minds.yaml", "action: scout", "action: move", "minds", "there is no scout among the minds"),
    ("minds.yaml", MOVES, MOVES.replace("action: move", "action: clear"), "minds",
     "2 Move cards are the least, not 1"),
    # Tokens
    (NUMBERS, "obstructions: 10", "obstructions: 3", r"numbers\.obstructions",
     r"3 for the \d+ that tiles and cards may need"),
    (NUMBERS, "locks: 4", "locks: 2", r"numbers\.locks",
     r"2 for the \d that tiles and cards may need"),
    (NUMBERS, "leakages: 1", "leakages: 0", r"numbers\.leakages",
     "0 for the 1 that tiles and cards may need"),
    (NUMBERS, "secret_doors: 2", "secret_doors: 0", r"numbers\.secret_doors",
     r"0 for the \d that tiles and cards may need"),
    # Figures
    (NUMBERS, "aside: 3", "aside: 15", r"numbers\.aside", "no tile is left for the maze"),
    (NUMBERS, "light_hand: 5", "light_hand: 10", r"numbers\.light_hand",
     "a hand has 1 to 9 cards, not 10"),
    (NUMBERS, "move: 4", "move: 0", r"numbers\.move", "move is 1 or more"),
    (NUMBERS, "matches: 6, deadly: false", "matches: 7, deadly: false",
     r"numbers\.difficulties\.easy\.matches", "1 to 6 matches, not 7"),
    (NUMBERS, "    very_hard:", "    hardest:", r"numbers\.difficulties",
     "the difficulties are easy, hard, normal, very_hard, not easy, hard, hardest, normal"),
    (NUMBERS, "move: 4", "move: far", r"numbers\.move", "expected a whole number, not 'far'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "where", "told"),
    FAULTS,
    ids=[f"{f[0].partition('.')[0]}-{n}" for n, f in enumerate(FAULTS)],
)
def test_faults_are_told_with_file_line_and_place(folder, file, old, new, where, told):
    """One sentence to the author; the line is one of the file that was broken, or of its tiles."""
    faults = broken(folder, file, old, new)
    place = rf" \({where}\)" if where else ""
    fitting = [
        f for f in faults if re.fullmatch(rf"fear_of_the_dark/\w+\.yaml:\d+{place}: {told}", f)
    ]

    assert fitting, faults


def test_more_dangerous_rooms_than_dangers(folder):
    """RULE-F32: each of them draws a card."""
    path = folder / TILES
    text = path.read_text(encoding="utf-8").replace("    danger: true\n", "")
    head, tail = text.split("\ntiles:\n")
    tail = tail.replace("    source: house\n", "    source: house\n    danger: true\n")
    path.write_text(f"{head}\ntiles:\n{tail}", encoding="utf-8")

    assert any("15 dangerous rooms for 13 danger cards" in fault for fault in faults_of(folder))


def test_the_line_is_the_rows(folder):
    """The line told is where the fault stands, not where its tile begins."""
    redrawn(folder, "well", drawn(r4="|..?|"))
    (fault,) = faults_of(folder)
    lines = (folder / TILES).read_text(encoding="utf-8").splitlines()
    row = next(n for n, line in enumerate(lines, 1) if "|..?|" in line)

    assert f":{row} " in fault


def test_all_faults_are_told_at_once(folder):
    """An author mends a folder in one go."""
    path = folder / "items.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("source: rulebook, kind: lever", "kind: lever"), encoding="utf-8")
    faults = broken(folder, "minds.yaml", "source: rulebook", "source: me")

    assert len(faults) == 2


def test_a_missing_file(folder):
    """It is named."""
    (folder / "secrets.yaml").unlink()
    assert faults_of(folder) == ["fear_of_the_dark/secrets.yaml:1: no file"]


def test_a_missing_starting_tile(folder):
    """It goes by its own id, which rooms in play have."""
    faults = broken(folder, TILES, "start:\n  start:", "start:\n  hall:")

    assert any("'start' is missing" in fault for fault in faults)


def test_words_are_no_part_of_the_digest(folder):
    """A new text changes no game in progress; another figure is another version."""
    path = folder / TILES
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("name: Well", "name: Old Well"), encoding="utf-8")
    assert load(folder).digest == LOADED.digest

    path = folder / NUMBERS
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("tiptoe: 2", "tiptoe: 3"), encoding="utf-8")
    assert load(folder).digest != LOADED.digest
