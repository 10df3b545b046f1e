"""Content files that were mutilated, or that say something else than they should."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bot.ui.rulebook import Rulebook
from content import escape_the_night, fear_of_the_dark
from content.loader import LoadedGame
from content.yaml_source import ContentError, parse
from tests.fuzz.mutants import PATIENT, bounded, damaged_data, damaged_text, short

ROOT = Path(escape_the_night.__file__).parent.parent
LOADERS: dict[str, Callable[[Path], LoadedGame[Any]]] = {
    "escape_the_night": escape_the_night.load,
    "fear_of_the_dark": fear_of_the_dark.load,
}
SHORT = short(15)

pytestmark = PATIENT


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of all content."""
    folder = tmp_path_factory.mktemp("content") / "content"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "fonts"))
    return folder


@dataclass(frozen=True, slots=True)
class Loaded:
    """A title as far as the rulebook looks at one."""

    content: LoadedGame[Any]


def files_of(game: str) -> list[Path]:
    """A game's files, relative to the content folder."""
    return sorted(path.relative_to(ROOT) for path in (ROOT / game).rglob("*.yaml"))


def tidy(copies: Path, game: str, file: Path, text: str) -> None:
    """Load the game with that text in place of one file: it loads, or each fault names a place."""
    path = copies / file
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    try:
        with bounded(10):
            loaded = LOADERS[game](copies / game)
            Rulebook.load({game: Loaded(loaded)}, copies)
    except ContentError as error:
        for fault in error.all():
            assert fault.file
            assert fault.line >= 1
            assert len(str(fault).splitlines()) == 1
            assert len(str(fault)) < 10_000
    finally:
        shutil.copyfile(ROOT / file, path)


@pytest.mark.parametrize("game", LOADERS)
@SHORT
@given(data=st.data())
def test_mutilated_text(copies: Path, game: str, data: st.DataObject) -> None:
    """Cut, doubled and mistyped text: a sentence with file and line, or a game."""
    file = data.draw(st.sampled_from(files_of(game)))
    text = data.draw(damaged_text((ROOT / file).read_text(encoding="utf-8")))
    tidy(copies, game, file, text)


@pytest.mark.parametrize("game", LOADERS)
@SHORT
@given(data=st.data())
def test_wrong_shapes(copies: Path, game: str, data: st.DataObject) -> None:
    """Lists for maps, nothing for something, huge numbers, misspelt fields: the same."""
    file = data.draw(st.sampled_from(files_of(game)))
    whole = parse((ROOT / file).read_text(encoding="utf-8"), file.name).data
    text = yaml.safe_dump(data.draw(damaged_data(whole)), allow_unicode=True, sort_keys=False)
    tidy(copies, game, file, text)


@pytest.mark.parametrize("shape", ["null", "x", "7", "[x]", "{}", "{tile: x}", "{tile: null}"])
@pytest.mark.parametrize("group", ["names", "grammar", "titles"])
def test_a_group_of_words_of_another_shape(copies: Path, group: str, shape: str) -> None:
    """What is a group elsewhere and none in one file, or the other way round: a fault with a place.

    Found by the search: ``names`` of nothing, where a later document has some.
    """
    for game in LOADERS:
        for path in sorted((ROOT / game / "text").glob("en*.yaml"))[:2]:
            tidy(copies, game, path.relative_to(ROOT), f"{group}: {shape}\n")


@pytest.mark.parametrize("shape", ["null", "7", "[x]", "[[x]]", "{}", "{a: x}", "''"])
def test_a_text_of_another_shape(copies: Path, shape: str) -> None:
    """Something else where there is one text among many; found by the search in a tale."""
    tales = (ROOT / "fear_of_the_dark/text/en_tales.yaml").read_text(encoding="utf-8")
    first = next(line for line in tales.splitlines() if line.startswith("    "))
    changed = tales.replace(first, f"{first.partition(':')[0]}: {shape}", 1)
    tidy(copies, "fear_of_the_dark", Path("fear_of_the_dark/text/en_tales.yaml"), changed)
    for game in LOADERS:
        words = (ROOT / game / "text/en.yaml").read_text(encoding="utf-8")
        for more in (
            f"cards: {shape}",
            f"cards: {{ odd: {shape} }}",
            f"cards: {{ odd: {{ a: {shape} }} }}",
        ):
            if "\ncards:" not in words:
                tidy(copies, game, Path(game) / "text/en.yaml", f"{words}\n{more}\n")


@pytest.mark.parametrize("shape", ["[]", "{}", "[x]", "{a: b}"])
def test_a_refusal_of_another_shape(copies: Path, shape: str) -> None:
    """Found by the search: no words, and nothing that would be told as such before."""
    for game in LOADERS:
        file = Path(game) / "text/en.yaml"
        words = (ROOT / file).read_text(encoding="utf-8")
        changed = words.replace("\nrefusals:\n", f"\nrefusals:\n  odd: {shape}\n", 1)
        assert changed != words
        tidy(copies, game, file, changed)


def told_of(text: str) -> str:
    """What is wrong with a text; empty if nothing is."""
    try:
        parse(text, "any.yaml")
    except ContentError as error:
        return str(error)
    return ""


@SHORT
@given(text=st.text(max_size=300))
def test_any_text(text: str) -> None:
    """The reader takes any text: a document, or one ContentError."""
    with bounded(2):
        assert told_of(text) == "" or told_of(text).startswith("any.yaml:")


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n",
        "a: " + "[" * 5000,
        "a: " + "{a: " * 5000,
        "- " * 5000,
        "? " * 5000,
        "a:\n" + "".join(" " * n + "a:\n" for n in range(1, 2000)),
        "a: " + "9" * 100_000,
        "'" + "x" * 400_000,
        "a: |\n" + " x\n" * 100_000,
        "".join(f"k{n}: {n}\n" for n in range(15_000)),
    ],
    ids=lambda text: text[:12],
)
def test_bombs(text: str) -> None:
    """Small files that want to be large, or deep: refused or read, at once."""
    with bounded(8):
        assert len(told_of(text)) < 1000
