"""YML-01 to YML-11 on every content file that is shipped, not only on made-up ones."""

from __future__ import annotations

import dataclasses
import itertools
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import yaml

from bot.ui.rulebook import Rulebook
from content import escape_the_night, fear_of_the_dark
from content.yaml_source import ContentError, parse, read

REPOSITORY = Path(__file__).parents[2]
ROOT = REPOSITORY / "content"
FILES = sorted(path.relative_to(ROOT) for path in ROOT.rglob("*.yaml"))
LOADERS = {"escape_the_night": escape_the_night.load, "fear_of_the_dark": fear_of_the_dark.load}

WORDS = ("no", "NO", "on", "off", "yes")
ODD = ("0555", "08", "010", "1.10", "1_000", "2024-01-02", "1e3")

every_file = pytest.mark.parametrize("file", FILES, ids=str)


@cache
def text_of(file: Path) -> str:
    """A content file as it is shipped."""
    return (ROOT / file).read_text(encoding="utf-8")


def told(text: str, name: str = "file.yaml") -> str:
    """What the reader says about a text that it refuses."""
    with pytest.raises(ContentError) as caught:
        parse(text, name)
    return str(caught.value)


Found = tuple[tuple[str | int, ...], Any]


def scalars(node: Any, place: tuple[str | int, ...] = ()) -> Iterator[Found]:
    """Every value on one line, with its place in the file."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from scalars(value, (*place, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from scalars(value, (*place, number))
    elif node.start_mark.line == node.end_mark.line:
        yield place, node


@cache
def values_of(file: Path) -> list[Found]:
    """The values of a content file."""
    return list(scalars(yaml.compose(text_of(file))))


def put(file: Path, word: str, share: float) -> tuple[str, Found]:
    """The file with that word in place of one value, so far down; and which one that was."""
    text, found = text_of(file), values_of(file)
    place, node = found[int(share * len(found))]
    return text[: node.start_mark.index] + word + text[node.end_mark.index :], (place, node)


@every_file
def test_what_has_two_readings_is_refused_everywhere(file: Path) -> None:
    """YML-04: each odd number and date, as a value of this file: its line, and the cure."""
    for number, word in enumerate(ODD):
        text, (_, node) = put(file, word, number / len(ODD))
        line = node.start_mark.line + 1
        assert told(text, str(file)).startswith(f"{file}:{line}: {word} has two readings; quote it")


@every_file
def test_words_stay_words_everywhere(file: Path) -> None:
    """YML-01: as a value, as a list item and as a key of this file."""
    text = text_of(file)
    for number, word in enumerate(WORDS):
        changed, (place, _) = put(file, word, number / len(WORDS))
        assert parse(changed, file.name).at(place) == word
    more = f"{text}\nodd_items: [{', '.join(WORDS)}]\nodd_keys: {{ {': 1, '.join(WORDS)}: 1 }}\n"
    document = parse(more, file.name)
    assert document.at(("odd_items",)) == list(WORDS)
    assert document.at(("odd_keys",)) == dict.fromkeys(WORDS, 1)


@every_file
def test_keys_stand_once_in_every_file(file: Path) -> None:
    """YML-02, YML-05, YML-09: a key again, a merge, an anchor and a tab: refused with lines."""
    text = text_of(file)
    first = next(iter(parse(text, file.name).data))
    end = text.count("\n") + 1
    again = re.search(rf"stands twice, on lines (\d+) and {end}$", told(f"{text}{first}: x\n"))
    assert again is not None
    assert text.splitlines()[int(again[1]) - 1].startswith(f"{first}:")
    nested = f"{text}more:\n  inner:\n    a: 1\n    b: 2\n    a: 3\n"
    assert f"lines {end + 2} and {end + 4}" in told(nested)
    assert told(f"{text}<<: {{ {first}: x }}\n").endswith(f":{end}: merging (<<) is not allowed")
    assert f":{end}: anchors" in told(f"{text}more: &a [x]\nless: *a\n")
    assert f":{end + 1}: there is a tab" in told(f"{text}more:\n\tless: 1\n")


@every_file
def test_a_byte_order_mark_changes_nothing(file: Path, tmp_path: Path) -> None:
    """YML-07: nor do the line ends of another system."""
    (tmp_path / "marked.yaml").write_bytes(b"\xef\xbb\xbf" + text_of(file).encode())
    assert read(tmp_path / "marked.yaml").data == parse(text_of(file), file.name).data
    (tmp_path / "ends.yaml").write_bytes(text_of(file).replace("\n", "\r\n").encode())
    assert read(tmp_path / "ends.yaml").data == parse(text_of(file), file.name).data


@pytest.fixture
def copies(tmp_path: Path) -> Path:
    """A copy of all content, to be broken."""
    ignored = shutil.ignore_patterns("*.py", "__pycache__", "fonts")
    return Path(shutil.copytree(ROOT, tmp_path / "content", ignore=ignored))


def check_content(folder: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    """`python -m bot check-content` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "bot", "check-content", str(folder)],
        cwd=REPOSITORY, env={**os.environ, **environ}, capture_output=True, text=True, check=False,
        encoding="utf-8", errors="replace",
    )  # fmt: skip


def test_all_files_marked_under_the_c_locale(copies: Path) -> None:
    """YML-07, YML-11: a process without UTF-8 and with strays in its environment reads the same."""
    plain = check_content(ROOT)
    for path in copies.rglob("*.yaml"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    strays = {"NAME": "7", "CONTENT": "x", "CLUES": "[]", "YAML": "no", "DIFFICULTY": "12"}
    marked = check_content(copies, **locale, **strays)
    assert (plain.returncode, marked.returncode) == (0, 0), marked.stderr
    assert plain.stdout == marked.stdout


def bomb() -> str:
    """306 bytes that want to become nine to the ninth."""
    first = 'a: &a ["x","x","x","x","x","x","x","x","x"]\n'
    letters = "abcdefghi"
    return first + "".join(
        f"{new}: &{new} [{','.join([f'*{old}'] * 9)}]\n" for old, new in itertools.pairwise(letters)
    )


_MEASURED = """
import resource, sys, time
from pathlib import Path
from content.yaml_source import ContentError, read
before, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
try:
    read(Path(sys.argv[1]))
except ContentError as error:
    print(error, file=sys.stderr)
took = time.process_time() - began
print(took, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows measures memory otherwise")
def test_an_alias_bomb_costs_nothing(tmp_path: Path) -> None:
    """YML-05: in a process of its own: under a second of work, and under fifty megabytes more."""
    path = tmp_path / "bomb.yaml"
    path.write_text(bomb(), encoding="utf-8")
    assert path.stat().st_size < 400
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, path],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr.startswith("bomb.yaml:1: anchors (&) and aliases (*) are not allowed")
    seconds, megabytes = map(float, done.stdout.split())
    assert seconds < 1
    assert megabytes < 50


def test_a_bomb_in_a_games_folder(copies: Path) -> None:
    """YML-05: as a content file of a game it is one line of the author's, and nothing else."""
    (copies / "escape_the_night" / "clues.yaml").write_text(bomb(), encoding="utf-8")
    done = check_content(copies)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("escape_the_night/clues.yaml:1: anchors")


# Misspelt fields


def optional(kind: Any, seen: dict[Any, None] | None = None) -> Iterator[str]:
    """The names of all fields of a content type that an author may leave out, at any depth."""
    seen = {} if seen is None else seen
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and kind not in seen:
        seen[kind] = None
        hints = get_type_hints(kind, include_extras=True)
        for one in dataclasses.fields(kind):
            if (one.default, one.default_factory) != (dataclasses.MISSING, dataclasses.MISSING):
                yield one.name
            yield from optional(hints[one.name], seen)
    for part in get_args(kind):
        yield from optional(part, seen)


def loads(copies: Path, game: str) -> list[str]:
    """Everything that is wrong with a game's files, as at a start of the bot."""
    try:
        LOADERS[game](copies / game)
        Rulebook.load({game: None}, copies)
    except ContentError as error:
        return [str(fault) for fault in error.all()]
    return []


def written(game: str, name: str) -> Iterator[tuple[Path, int]]:
    """Where in a game's own files a field of that name stands."""
    for file in FILES:
        if file.parts[0] == game and len(file.parts) == 2:
            for match in re.finditer(rf"(?<![\w]){name}:", text_of(file)):
                yield file, match.start()


FIELDS = [
    (game, name)
    for game, load in LOADERS.items()
    for name in sorted({*optional(type(load().rules)), "text", "keywords"})
]


@pytest.mark.parametrize(("game", "name"), FIELDS, ids=str)
def test_each_optional_field_misspelt(copies: Path, game: str, name: str) -> None:
    """YML-11: no field that may be left out vanishes by a slip: its line, and what was meant."""
    found = next(written(game, name), None)
    if found is None:
        assert name in ("flavour", "count", "text", "keywords"), f"{name} is used nowhere"
        return
    file, at = found
    text = text_of(file)
    slip = f"{name}x" if len(name) < 4 else name[:-1]
    (copies / file).write_text(f"{text[:at]}{slip}{text[at + len(name) :]}", encoding="utf-8")
    line = text.count("\n", 0, at) + 1
    faults = loads(copies, game)
    meant = [fault for fault in faults if fault.startswith(f"{file}:{line} ")]
    assert any(f"'{slip}' (did you mean '{name}'?)" in fault for fault in meant), faults


@pytest.mark.parametrize("kind", ["rules", "words", "help"])
@pytest.mark.parametrize("game", LOADERS)
def test_a_part_that_nobody_reads(copies: Path, game: str, kind: str) -> None:
    """YML-11: whatever stands at the top of a file beside what is read there is told."""
    files = {
        file
        for file in FILES
        if file.parts[0] == game
        and ("words" if "text" in file.parts else "help" if "help" in file.stem else "rules")
        == kind
    }
    wanted: list[str] = []
    for file in files:
        part = f"odd_{file.stem}"
        text = text_of(file)
        (copies / file).write_text(f"{text}\n{part}:\n  of: no use\n", encoding="utf-8")
        line = text.count("\n") + 2
        wanted.append(f"{file}:{line} ({part})")
    assert wanted
    assert sorted(fault.split(": ")[0] for fault in loads(copies, game)) == sorted(wanted)


@pytest.mark.parametrize("number", ["7", "-3", "true"])
@pytest.mark.parametrize("file", ["escape_the_night/relics.yaml", "fear_of_the_dark/tiles.yaml"])
def test_numbers_where_text_is_meant(copies: Path, file: str, number: str) -> None:
    """YML-10: a bare number, or a truth value, as a label and as an id: the path, and the cure."""
    game = file.partition("/")[0]
    text = text_of(Path(file))
    (copies / file).write_text(re.sub(r"name: .*", f"name: {number}", text, count=1))
    (fault,) = loads(copies, game)
    assert re.fullmatch(rf"{file}:\d+ \([\w.]+\.name\): name is not text; put it in quotes", fault)
    ident = re.search(r"^  (\w+):$", text, re.MULTILINE)
    assert ident is not None
    changed = text.replace(f"  {ident[1]}:\n", f"  {number}:\n", 1)
    (copies / file).write_text(changed, encoding="utf-8")
    faults = loads(copies, game)
    snake = number == "true"  # as good an id as any; what asks for the old one is told
    assert snake or any(f"the id '{number}' is not snake_case" in fault for fault in faults)
