"""The sensible computer player: what it does, what it cannot know, and the time that it takes."""

from __future__ import annotations

import ast
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from content.fear_of_the_dark import load
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.state import State
from engines.fear_of_the_dark.told import ASKED
from engines.kernel.chance import Chance
from tests.driving import own, play_out
from tests.games.fear_of_the_dark.box import CONTENT
from tests.games.fear_of_the_dark.mazes import CROWDED, Escape, opened
from tests.games.fear_of_the_dark.stage import (
    ALONE,
    Stage,
    hand,
    keep,
    leak,
    location,
    lost,
    matches,
    maze,
    minds,
    tiles,
)

SENSIBLE = GAME.agents["sensible"]
BOX = load().rules
HERE = Path(__file__)


def chosen(play: Escape, rng: bytes = b"dice") -> tuple[str, ...]:
    """What it answers to the question that is open, to one seat of those asked."""
    seat = play.asked[0].seat
    choice = SENSIBLE(play.view(seat), own(play.asked, seat), (), Chance(rng))
    assert choice is not None
    return choice.decision.check(choice.value)


def acted(stage: Stage, count: int = 1) -> list[str]:
    """Its next answers, each as ``kind key``, so many of them."""
    answers: list[str] = []
    while len(answers) < count and not stage.is_over:
        asked = stage.play.asked[0]
        keys = chosen(stage.play)
        answers.append(" ".join((asked.kind, *keys)))
        stage.play.answer(asked.seat, asked.question, asked.kind, keys)
    return answers


# What it does

HALL = """
+-D-+
|...|
D.@.|
|...|
+---+
"""
CORRIDOR = """
+---+ +---+ +---+
|@..| |...| |...|
|...D D...D D...D
|...| |...| |...|
+---+ +---+ +---+
"""


def test_it_looks_before_it_walks():
    """With a Scout card in hand and an unknown door before it, it scouts."""
    stage = Stage(maze(ALONE), lost("A2"), hand("scout", "move", "light"), tiles("lair", "hall"))

    assert acted(stage)[0] == "act play.scout"


def test_it_goes_to_a_door_before_it_scouts():
    """It stops in front of the door with the least useful card, and keeps Scout and Move."""
    stage = Stage(
        maze(HALL), lost("A8"), hand("scout", "move", "clear", "light"), tiles("lair", "hall")
    )

    first, _, last = acted(stage, 3)
    assert (first, last) == ("act two_steps", "plain_card clear_1")
    assert stage.view.lost in {"A2", "A4"}
    assert set(stage.hand) == {"scout", "move", "light"}


def test_a_light_for_the_next_hand_is_the_last_card():
    """Light a match builds five for one match, so it is kept to the end and then played."""
    stage = Stage(maze(ALONE), hand("move", "light"), matches(3), tiles("passage", "hall", "pit"))

    assert acted(stage)[0] == "act play.move"
    while stage.hand != ["light"]:
        acted(stage)
    while stage.kind != "act":
        acted(stage)
    assert acted(stage)[0] == "act play.light"


def test_a_hand_holds_a_light_a_look_and_steps():
    """On open ground it takes Light, Scout and Moves."""
    stage = Stage(maze(ALONE), matches(3), tiles("hall", "passage"))
    stage.say("act strike")

    kind, *cards = acted(stage)[0].split()
    assert kind == "build"
    assert set(stage.hand) == {"light", "scout", "move"}
    assert len(cards) == 3


def test_the_last_hand_has_no_light():
    """Without a match left, Light a match is of no use, and it takes what walks."""
    stage = Stage(maze(ALONE), matches(1), tiles("hall", "passage"))
    stage.say("act strike", "confirm_match yes")
    acted(stage)

    assert "light" not in stage.hand
    assert "move" in stage.hand


def test_a_hand_fits_what_bars_the_way():
    """A hole before the only door wants a Tiptoe, an obstruction a Clear."""
    for mark, action in (("O", "tiptoe"), ("#", "clear")):
        stage = Stage(
            maze(f"+---+\n|@..|\n|..{mark}D\n|...|\n+---+"),
            matches(3),
            hand("light"),
            tiles("hall", "passage"),
        )
        stage.say("act play.light")
        acted(stage)
        assert action in stage.hand


def test_it_clears_what_bars_the_only_way():
    """It goes beside the obstruction and clears it."""
    stage = Stage(
        maze("+---+\n|..@|\n|..#D\n|...|\n+---+"), hand("clear", "move", "light"), tiles("hall")
    )

    assert acted(stage)[0] == "act play.clear"
    assert not stage.view.maze.tokens


def test_it_explores_what_lies_beside_it():
    """An item at arm's length is taken by an Explore card."""
    stage = Stage(
        maze("+---+\n|.1.|\n|.@.D\n|...|\n+---+"),
        hand("explore", "move", "light"),
        location("1", "match", "scrap"),
        tiles("hall"),
    )

    assert acted(stage)[0] == "act play.explore"
    assert stage.kept == ["match"]


def test_a_match_is_used_at_once_and_paper_with_the_last_card():
    """A match gains from nothing, paper from an empty hand."""
    stage = Stage(maze(ALONE), keep("match", "scrap"), hand("move", "light"), matches(3),
                  tiles("hall"))  # fmt: skip
    assert acted(stage)[0] == "act use.match"
    assert acted(stage)[0] != "act use.scrap"

    stage = Stage(maze(ALONE), keep("scrap"), hand("light"), matches(3), tiles("hall"))
    assert acted(stage)[0] == "act use.scrap"


def test_a_key_opens_the_way():
    """Beside a lock on the only way to a door it uses its key."""
    bars = "+---+\n|..@|\n|..XD\n|...|\n+---+"
    stage = Stage(maze(bars), keep("key"), hand("move", "light"), tiles("hall"))

    assert acted(stage)[0] == "act use.key"


def test_it_chooses_between_two_locks_or_obstructions():
    """It turns to the one on the way, not to the other."""
    bars = "+---+\n|.X.|\n|.@XD\n|..X|\n+---+"
    stage = Stage(maze(bars), keep("key"), hand("move"), tiles("hall"))
    stage.say("act use.key")
    assert acted(stage)[0] == "unlock a6"

    stage = Stage(maze(bars.replace("X", "#")), hand("move", "clear"), tiles("hall"))
    stage.say("act play.clear")
    assert acted(stage)[0] == "clear a6"


def test_a_lever_opens_the_way():
    """Of two locks it removes the one that bars a door, not the one in a corner."""
    bars = "+---+\n|X1.|\n|.@XD\n|..X|\n+---+"
    stage = Stage(
        maze(bars), hand("explore", "move"), location("1", "lever"), tiles("hall", "passage")
    )

    assert acted(stage, 2) == ["act play.explore", "lever a6"]


def test_it_goes_around_the_leak():
    """Where a way in the dry is as good, it does not lose its hand."""
    pools = """
    +---+ +---+ +---+
    |...| |...| |...|
    D...D D.@.D D...D
    |...| |...| |...|
    +---+ +---+ +---+
    """
    stage = Stage(
        maze(pools), leak("A"), hand("move", "move", "light"), matches(2), tiles("hall", "pit")
    )
    acted(stage, 2)

    assert stage.view.lost[0] in "CD"
    assert stage.hand


def test_it_leaves_as_soon_as_it_can():
    """With no tile left and a door within a Move, it walks out, be it dark or light."""
    for held in ((), ("move", "scout"), ("clear", "tiptoe")):
        stage = Stage(maze(ALONE), hand(*held), tiles(), matches(2))
        acted(stage, 3)
        assert stage.outcome.won


def test_it_runs_for_the_exit_in_the_dark():
    """Without matches the exit is worth any card, until none is left."""
    stage = Stage(maze(CORRIDOR), tiles(), matches(0), minds("clear", "explore", "light"))
    acted(stage, 20)

    assert stage.outcome.won


def test_it_gives_up_what_it_will_miss_least():
    """In the dark an Explore goes first; Light and Move stay."""
    stage = Stage(maze(ALONE), matches(0), tiles("hall", "pit"))
    answers = acted(stage, 3)

    assert "give_up explore_1" in answers


def test_a_lie_with_a_way_on_is_chosen():
    """Of two lies it takes the one whose second door is not behind a hole."""
    stage = Stage(
        maze("+-D-+\n|.@.|\n|...|\n|...|\n+---+"), hand("scout", "move", "light"), tiles("pit")
    )
    stage.say("act play.scout")
    if stage.kind == "rotate":
        acted(stage)

    room = stage.view.maze.rooms["B"]
    assert room.fields[7] == "."


def test_a_map_and_a_secret_door_are_followed():
    """Both are turned to the way ahead: a wall with nothing behind it, and the nearest door."""
    nook = "+---+\n|.A.|\n|.@.|\n|...|\n+-D-+"
    stage = Stage(
        maze(nook), hand("explore", "move"), location("A", "door", "map"), tiles("hall", "passage")
    )
    acted(stage, 2)
    side = stage.told("secret_door_opened")[0]["side"]
    assert stage.view.maze.door("A", side) == "dark"

    shop = "+-D-+\n|...|\nD...D\n|A@.|\n+-D-+"
    stage = Stage(
        maze(shop),
        hand("explore", "move"),
        location("A", "map"),
        tiles("hall", "passage"),
        difficulty="easy",
    )
    assert acted(stage, 2) == ["act play.explore", "map a.s"]


# No pacing to and fro

BEHIND_RUBBLE = """
+---+ +-D-+
|2.O| |.O.|
D.#.D D.@XD
|O..| |.#.|
+---+ +-D-+
"""
LEADING_ON = (
    "tile_revealed", "item_found", "secret_found", "cleared", "unlocked", "lever_pulled",
    "secret_door_opened", "token_placed", "returned",
)  # fmt: skip


def test_it_does_not_pace_between_a_hole_and_rubble():
    """Each way on is a card or two away, and the first match or the next leads to a new room."""
    held = ("explore", "light", "move", "scout", "tiptoe")
    stage = Stage(
        maze(BEHIND_RUBBLE), hand(*held), matches(4), location("2", "key", "match"),
        tiles("hall", "passage", "pit"),
    )  # fmt: skip
    while stage.view.matches >= 3 and not stage.told("tile_revealed"):
        acted(stage)

    assert stage.told("tile_revealed")


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
