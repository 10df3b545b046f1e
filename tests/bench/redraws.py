"""What 25 tables that are drawn anew at once do to the loop: ``python -m tests.bench.redraws``.

Boards of every game are drawn through the bot's own ``Pictures`` while a ticker looks how late the
loop comes. Of each delay there are two measures: by the clock, which a busy machine makes longer,
and by the processor time of the loop's own thread, which tells whether it had to work itself.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from bot import titles
from bot.titles import Title
from bot.ui.pictures import Pictures
from content.names import Style
from tests.bench.pictures import played, seconds

TABLES = 25
TICK = 0.005
"""Seconds between two looks."""

LATE = 0.1
"""Seconds of delay that make a stall."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How late the loop came, look by look: seconds by the clock, and of its own work."""

    late: Sequence[float]
    worked: Sequence[float]

    def p99(self) -> float:
        """The delay that one look in a hundred exceeds."""
        return statistics.quantiles(self.late, n=100)[-1] if len(self.late) > 1 else max(self.late)


@dataclass(frozen=True, slots=True)
class Begun:
    """The first boards of a game."""

    title: Title
    names: Sequence[str]
    views: Sequence[Any]

    def draw(self) -> bytes:
        """The last of them."""
        words = self.title.content.words.bound(self.names, Style.PLAIN)
        return self.title.renderer.draw(self.views[-1], words, self.names)


def begun(key: str, count: int, seats: int = 4) -> Begun:
    """A game of that title, played by computer players, answer by answer."""
    title = titles.load(key)
    views = [play.view(None) for play in islice(played(title, seats), count)]
    names = [title.content.words.seat(number) for number in range(seats)]
    return Begun(title, names, views)


async def redrawn(games: Sequence[Begun], count: int) -> tuple[Looks, int]:
    """Draw so many different boards at once; the looks meanwhile, and how many were drawn."""
    pictures, late, worked = Pictures(), list[float](), list[float]()
    is_over = asyncio.Event()

    async def look() -> None:
        while not is_over.is_set():
            began, own = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK)
            late.append(max(0.0, time.perf_counter() - began - TICK))
            worked.append(time.thread_time() - own)

    looking = asyncio.create_task(look())
    boards = [
        pictures.board(one.title, one.views[n // len(games)], [f"{n}{name}" for name in one.names])
        for n, one in zip(range(count), list(games) * count, strict=False)
    ]
    drawn = await asyncio.gather(*boards)
    is_over.set()
    await looking
    return Looks(late, worked), len([one for one in drawn if one is not None])


def rates(count: int = TABLES) -> dict[str, float]:
    """Delays as ratios: the unit is the processor time of one picture."""
    games = [begun(key, 1 + count // len(titles.KEYS)) for key in titles.KEYS]
    one = statistics.median(seconds(game.draw, 2) for game in games)
    looks, drawn = asyncio.run(redrawn(games, count))
    return {
        "boards drawn": drawn,
        "looks at the loop": len(looks.late),
        "p99 delay, ms": looks.p99() * 1000,
        "longest delay, ms": max(looks.late) * 1000,
        "stalls of 100 ms": len([late for late in looks.late if late > LATE]),
        "longest delay : one picture": max(looks.late) / one,
        "longest own work : one picture": max(looks.worked) / one,
    }


def main() -> None:
    """Print them."""
    for name, value in rates().items():
        print(f"{name:40}{value:10.3f}")


if __name__ == "__main__":
    main()
