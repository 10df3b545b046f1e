"""docs/kernel.md stays true: its code runs, and its game behaves as the page says."""

import io
import re
from contextlib import redirect_stdout
from pathlib import Path

from engines.kernel.agents import random_agent
from engines.kernel.playthrough import Playthrough
from tests.driving import play_out
from tests.kernel.small import say, start, told

PAGE = Path(__file__).parents[2] / "docs" / "kernel.md"


def blocks() -> list[str]:
    """The page's Python, block by block."""
    return re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def page() -> tuple[dict, str]:
    """What all blocks define, and what they print."""
    names: dict = {"__name__": "docs_kernel"}
    printed = io.StringIO()
    with redirect_stdout(printed):
        for number, block in enumerate(blocks()):
            exec(compile(block, f"{PAGE.name}, block {number}", "exec"), names)
    return names, printed.getvalue()


def test_the_page_runs():
    """Every block runs, in order, in one namespace; the game ends and tells of it."""
    names, printed = page()

    assert names["play"].outcome.ending in {"fell", "arrived", "gave_up"}
    assert printed.startswith("1 named {'seat': 1}\n4 voted {'turn': 1, 'down': 3, 'stay': 0}\n")


def test_the_game_is_about_forty_lines():
    """The rules and the game, without imports and blank lines, are as short as promised."""
    code = [line for line in blocks()[0].splitlines() if line and "import" not in line]

    assert len(code) <= 50


def test_the_pages_game_can_be_played_to_every_end():
    """Computer players reach all three endings, and each game replays."""
    names, _ = page()
    well, header = names["Well"](), names["header"]
    endings = []
    for n in range(40):
        play = Playthrough(well, None, type(header)("well", 1, "none", f"{n:064x}", 3, {}))
        play_out(play, random_agent, bytes([n]))
        assert play.outcome is not None
        endings.append(play.outcome.ending)
        assert Playthrough.replay(well, None, play.header, play.entries).events == play.events

    assert {"fell", "arrived", "gave_up"} == {*endings}


def test_a_rope_is_an_offer_as_the_page_says():
    """It may be thrown during the vote, which goes on under its number with its answers."""
    names, _ = page()
    play = Playthrough(names["Well"](), None, names["header"])
    say(play, 0, "seat_1", kind="name")
    say(play, 2, "stay", kind="vote")
    number = play.asked[0].question
    say(play, 0, "rope_0", kind="throw")

    assert play.view(None) == {"depth": 1, "leader": 1, "ropes": ()}
    assert [(d.question, d.current) for d in play.asked] == [
        (number, None),
        (number, None),
        (number, ("stay",)),
    ]


def test_the_pages_timer_runs_out():
    """The coroutine about time tells that it is too late."""
    names, _ = page()

    async def rules(t, notes):
        g = names["State"]([[], []])
        await names["in_time"](g, t)

    play = start(rules, 2)
    play.run_out(play.timers[0].question)

    assert told(play) == ["too_late"]
