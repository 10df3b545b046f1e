"""The strict YAML reader: what it takes, and the sentence it says otherwise."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from content.yaml_source import ContentError, Document, parse, read

ROOT = Path(__file__).parents[2]


def refusal(text: str) -> str:
    """What the reader says about the text."""
    with pytest.raises(ContentError) as caught:
        parse(text, "cards.yaml")
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_plain_values():
    """Whole numbers, true, false, null and text are read as YAML 1.2 reads them."""
    document = parse(
        "a: 7\nb: -3\nc: true\nd: false\ne: null\nf: ~\ng:\nh: plain words\ni: [0, x]", "f.yaml"
    )

    assert document.data == {
        "a": 7, "b": -3, "c": True, "d": False, "e": None, "f": None, "g": None,
        "h": "plain words", "i": [0, "x"],
    }  # fmt: skip


@pytest.mark.parametrize("word", ["no", "NO", "on", "off", "yes", "Yes", "y", "n"])
def test_words_stay_words(word):
    """YML-01: `no` and its like are text as a value, a list item and a key."""
    document = parse(f"id: {word}\nitems:\n  - {word}\n{word}: 1", "f.yaml")

    assert document.data == {"id": word, "items": [word], word: 1}


@pytest.mark.parametrize(
    "value",
    (
        "0555 08 010 1.10 1_000 1e3 1:30 0x1F 0o17 0b1 -07 .5 3. 2024-01-02 2024-01-02T10:00:00 "
        ".inf -.INF .nan +1.0e-3 12345678901234567890 190:20:30"
    ).split(),
)
def test_two_readings_are_refused(value):
    """YML-04: what some reader takes for another number or a date has to be quoted."""
    said = refusal(f"a: 1\nid: {value}")

    assert said == f'cards.yaml:2: {value} has two readings; quote it: "{value}"'
    assert parse(f'id: "{value}"', "f.yaml").data == {"id": value}


@pytest.mark.parametrize("value", ["True", "FALSE", "Null"])
def test_capital_literals_are_refused(value):
    """True is text to one reader and a truth value to the next: the author decides."""
    assert f"{value} has two readings; write {value.lower()}" in refusal(f"a: {value}")


@pytest.mark.parametrize("value", ["3e", "1a", "7b", "2nd", "1/2", "+", "-x", "a1", "10 rooms"])
def test_words_with_digits_stay_words(value):
    """Coordinates and the like need no quotes."""
    assert parse(f"a: {value}", "f.yaml").data == {"a": value}


def test_keys_are_text():
    """Numbers and truth values as keys are kept as written."""
    assert parse("1: a\ntrue: b\n0555: c", "f.yaml").data == {"1": "a", "true": "b", "0555": "c"}


@pytest.mark.parametrize(
    ("text", "lines"),
    [("a: 1\nb: 2\na: 3", "1 and 3"), ("x:\n  a: 1\n  b: 2\n  a: 3", "2 and 4")],
)
def test_duplicate_keys(text, lines):
    """YML-02: a key that stands twice is refused, with both lines."""
    assert refusal(text).endswith(f"the key 'a' stands twice, on lines {lines}")


@pytest.mark.parametrize("quote", ["'a'", '"a"'])
def test_duplicate_keys_in_quotes(quote):
    """Quotes do not make a key another key."""
    assert "stands twice" in refusal(f"a: 1\n{quote}: 2")


def test_merge_is_refused():
    """YML-02: no merge can bring a key in a second time."""
    assert refusal("a: 1\n<<: {a: 2}") == "cards.yaml:2: merging (<<) is not allowed"
    assert parse('"<<": 1', "f.yaml").data == {"<<": 1}


def test_alias_bomb(tmp_path):
    """YML-05: the small file that grows without end is refused at its first anchor, at once."""
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9)
    )
    path = tmp_path / "bomb.yaml"
    path.write_text(bomb, encoding="utf-8")
    start = time.process_time()

    with pytest.raises(ContentError, match=r"bomb.yaml:1: anchors .* not allowed"):
        read(path)

    assert time.process_time() - start < 1


def test_bare_alias():
    """An alias without its anchor gets the same sentence."""
    assert "anchors (&) and aliases (*)" in refusal("a: 1\nb: *a")


def test_deep_nesting():
    """Brackets without end are refused, not recursed into."""
    assert "nested more than 24 levels deep" in refusal("a: " + "[" * 5000)


def test_size_limit(tmp_path):
    """A file beyond the limit is not even parsed."""
    path = tmp_path / "big.yaml"
    path.write_text("a: " + "x" * 600_000, encoding="utf-8")

    with pytest.raises(ContentError, match="big.yaml:1: 600003 bytes; at most 524288 are read"):
        read(path)


def test_byte_order_mark_under_c_locale(tmp_path):
    """YML-07: with a byte-order mark, and whatever the locale, the same content is read."""
    plain, marked = tmp_path / "plain.yaml", tmp_path / "marked.yaml"
    plain.write_bytes("first: é\n".encode())
    marked.write_bytes(b"\xef\xbb\xbf" + "first: é\n".encode())
    code = (
        "import sys; from pathlib import Path; from content.yaml_source import read;"
        "print(*(ascii(read(Path(p)).data) for p in sys.argv[1:]), sep='|')"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    done = subprocess.run(
        [sys.executable, "-c", code, plain, marked],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.strip() == r"{'first': '\xe9'}|{'first': '\xe9'}"


def test_other_encoding(tmp_path):
    """YML-07: a file in another encoding is refused with the line, not garbled."""
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"a: 1\nb: caf\xe9\n")

    with pytest.raises(ContentError, match="latin.yaml:2: not UTF-8; save the file as UTF-8"):
        read(path)


def test_tabs():
    """YML-09: a tab gets one sentence with the line and the cure."""
    assert refusal("a:\n  b: 1\n\tc: 2") == (
        "cards.yaml:3: there is a tab on this line; use spaces"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1, 2", "cards.yaml:1: while parsing a flow sequence"),
        ("a: 1\n b: 2", "cards.yaml:2: mapping values are not allowed here"),
        ("a: 'x\n", "cards.yaml:2: while scanning a quoted scalar"),
        ("a: 1\n---\nb: 2", "cards.yaml:2: expected a single document"),
        ("", "cards.yaml:1: the file is empty"),
        ("# only a remark", "cards.yaml:1: the file is empty"),
        ("- a\n- b", "cards.yaml:1: expected `name: value` at the top"),
        ("words", "cards.yaml:1: expected `name: value` at the top"),
        ("a: !!python/name:os.system x", "cards.yaml:1: the tag"),
        ("a: !x 1", "cards.yaml:1: the tag '!x' is not allowed"),
        ("a: 1\nb: \x07", "cards.yaml:2: character"),
        ("? [a, b]\n: 1", "cards.yaml:1: a key must be a word"),
        ("'': 1", "cards.yaml:1: a key must be a word"),
    ],
)
def test_broken_files(text, said):
    """Whatever is wrong is said in one sentence with file and line."""
    assert refusal(text).startswith(said)


def test_missing_file(tmp_path):
    """A file that is not there is the author's affair, too."""
    with pytest.raises(ContentError, match="none.yaml:1: cannot be read: No such file"):
        read(tmp_path / "none.yaml")


def test_every_part_knows_its_line():
    """Errors found later name the line, and the entry by its id."""
    document = parse(
        "count: 2\ncards:\n  - id: doll\n    effect:\n      name: move\n  - id: lamp\n", "c.yaml"
    )

    assert document.line(("cards", 0, "effect", "name")) == 5
    assert document.line(("cards", 1)) == 6
    assert document.line(("cards", 1, "missing", "deeper")) == 6
    assert document.where(("cards", 0, "effect", "name")) == "doll"
    assert document.where(("count",)) == "count"
    assert str(document.error(("cards", 0, "effect"), "no")) == "c.yaml:4 (doll): no"
    assert document.at(("cards", 1, "id")) == "lamp"
    with pytest.raises(ContentError, match=r"c.yaml:6 \(lamp\): 'name' is missing"):
        document.at(("cards", 1, "name"))


def test_names_are_relative_to_the_root(tmp_path):
    """Sentences name a file as its author knows it."""
    (tmp_path / "game").mkdir()
    path = tmp_path / "game" / "cards.yaml"
    path.write_text("a: 1", encoding="utf-8")

    document = read(path, tmp_path)

    assert isinstance(document, Document)
    assert document.file == str(Path("game") / "cards.yaml")
