"""The sensible computer player in whole games: where it goes, what it cannot know, its time."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.told import ASKED
from engines.kernel.chance import Chance
from tests.driving import play_out
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.mazes import CROWDED, Escape, opened
from tests.games.fear_of_the_dark.sensible import SENSIBLE, chosen

BOX = load().rules
HERE = Path(__file__)
LEADING_ON = (
    "tile_revealed", "item_found", "secret_found", "cleared", "unlocked", "lever_pulled",
    "secret_door_opened", "token_placed", "returned",
)  # fmt: skip


# No pacing to and fro


def idle_returns(play: Escape) -> int:
    """How often the Lost came back to a field, and between nothing was revealed, found or freed."""
    count = heard = 0
    stood: list[str] = []
    while play.outcome is None:
        asked = play.asked[0]
        if asked.kind == "act":
            stood.append(play.view(asked.seat).lost)
        play.answer(asked.seat, asked.question, asked.kind, chosen(play))
        for told in play.events[heard:]:
            if told.event.kind in LEADING_ON:
                stood.clear()
            elif told.event.kind == "walked":
                field = str(dict(told.event.data)["field"])
                count += field in stood
                stood.append(field)
        heard = len(play.events)
    return count


@pytest.mark.parametrize("difficulty", ["easy", "normal", "hard", "very_hard"])
def test_it_does_not_come_back_for_nothing(difficulty):
    """Ten games of a level: at most one walk in them all that ends where another had begun."""
    games = [opened(1, b"idle %d" % n, content=BOX, difficulty=difficulty) for n in range(10)]

    assert sum(idle_returns(play) for play in games) <= 1


# What it cannot know


def hidden(g: State) -> Callable[[], None]:
    """Remembers the piles that nobody sees; called, it puts them back."""
    flat = [list(pile) for pile in (g.tiles, g.aside, g.dangers, g.boxed)]
    items, secrets = ([list(pile) for pile in piles] for piles in (g.items, g.secrets))

    def put_back() -> None:
        g.tiles, g.aside, g.dangers, g.boxed = flat
        g.items, g.secrets = items, secrets

    return put_back


def stirred(g: State, rng: Chance) -> None:
    """The same table to all that can be seen, with everything hidden in another order.

    Items that an Information has shown stay where they are.
    """
    tiles = rng.shuffled("tiles", [*g.tiles, *g.aside])
    g.tiles, g.aside = tiles[: len(g.tiles)], tiles[len(g.tiles) :]
    g.dangers = rng.shuffled("dangers", g.dangers)
    for piles, seen in ((g.items, set(g.known)), (g.secrets, set[int]())):
        loose = [card for n, pile in enumerate(piles, 1) if n not in seen for card in pile]
        loose = rng.shuffled("cards", loose)
        for number, pile in enumerate(piles, 1):
            if number not in seen:
                pile[:], loose = loose[: len(pile)], loose[len(pile) :]
    g.boxed = rng.shuffled("boxed", g.boxed)


@pytest.mark.parametrize("content", [BOX, CROWDED], ids=["box", "crowded"])
def test_it_sees_no_more_than_the_table(content):
    """At every question of two games: with all that is hidden in another order, the same answer."""
    rng = Chance(b"stir")
    for key in (b"one", b"two"):
        play = opened(1, key, content=content, difficulty="easy")
        while play.outcome is None:
            asked = play.asked[0]
            before = chosen(play)
            g = play._state
            put_back = hidden(g)
            stirred(g, rng)
            assert chosen(play, b"other dice") == before
            put_back()
            play.answer(asked.seat, asked.question, asked.kind, before)


def test_it_imports_nothing_that_knows_more():
    """Its modules know the view, the maze and the kernel, not the state, the rules or the cards."""
    folder = HERE.parents[3] / "engines" / "fear_of_the_dark" / "agents"
    found: set[str] = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add(node.module or "")

    ours = {name for name in found if name.startswith("engines.")}
    parts = {name.split(".")[2] for name in ours if name.startswith("engines.fear_of_the_dark.")}
    assert parts == {"agents", "view", "maze"}
    assert all(name.startswith(("engines.fear_of_the_dark.", "engines.kernel.")) for name in ours)


# Whole games


def test_it_answers_every_kind_of_question_and_comes_to_an_end():
    """Games of every level and box end soon, and never is anything taken back."""
    asked: Counter[str] = Counter()
    for n in range(18):
        play = opened(
            1 + n % 3,
            b"game %d" % n,
            content=(BOX, CROWDED, CONTENT)[n % 3],
            difficulty=("easy", "normal", "hard", "very_hard")[n % 4],
            lead=("anyone", "round")[n % 2],
        )

        def note(step):
            asked[step.entry.kind] += 1
            assert "back" not in (step.entry.value or ())

        play_out(play, SENSIBLE, each=note, limit=400)

    rare = {"clear", "map", "secret_door", "unlock"}
    assert set(ASKED) - set(asked) <= rare, "these four have a test of their own"


def test_it_decides_quickly():
    """Five games; its own share is well below a tenth of a second each."""
    spent = 0.0
    for n in range(5):
        play = opened(1, b"quick %d" % n, content=BOX)
        while play.outcome is None:
            asked = play.asked[0]
            view = play.view(asked.seat)
            begun = time.process_time()
            choice = SENSIBLE(view, [asked], (), Chance(b"quick"))
            spent += time.process_time() - begun
            assert choice is not None
            play.answer(asked.seat, asked.question, asked.kind, choice.value)

    assert spent / 5 < 0.1


def test_it_has_nothing_to_say_when_nothing_is_asked():
    """Without a question there is no answer."""
    play = opened(1, b"quiet")

    assert SENSIBLE(play.view(0), (), (), Chance(b"dice")) is None
