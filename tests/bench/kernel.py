"""How quick the kernel is, as ratios: ``python -m tests.bench.kernel``. Nothing depends on it.

Absolute numbers are those of one machine on one day; the ratios are what a change should not spoil.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from engines.kernel.chance import Chance
from engines.kernel.playthrough import Playthrough
from tests.driving import answer_again, play_out
from tests.toy.senate import CONTENT, SENATE, header


def seconds(work: Callable[[], object], repeat: int = 3) -> float:
    """The shortest of some runs."""
    best = float("inf")
    for _ in range(repeat):
        before = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - before)
    return best


def journals(count: int) -> list[Playthrough]:
    """Finished games of the toy."""
    played = []
    for n in range(count):
        top = header(5, key=f"{n:064x}", length="long", cards="two")
        played.append(play_out(Playthrough(SENATE, CONTENT, top), SENATE.agents["random"]))
    return played


def rates(count: int = 20) -> dict[str, float]:
    """Entries a second with and without checks, draws a second of both generators; and ratios."""
    games = journals(count)
    entries = sum(play.ply for play in games)

    def replay(checks: bool) -> None:
        for play in games:
            again = Playthrough(SENATE, CONTENT, play.header, checks=checks)
            for entry in play.entries:
                answer_again(again, entry)

    draws = count * 500
    chance, plain = Chance(b"bench"), random.Random(1)
    found = {
        "entries/s with checks": entries / seconds(lambda: replay(True)),
        "entries/s without checks": entries / seconds(lambda: replay(False)),
        "draws/s of Chance": draws / seconds(lambda: chance.dice("die", draws)),
        "draws/s of random.Random": draws
        / seconds(lambda: [plain.randrange(6) for _ in range(draws)]),
    }
    checked, unchecked, ours, theirs = found.values()
    found["without checks : with checks"] = unchecked / checked
    found["random.Random : Chance"] = theirs / ours
    return found


def main() -> None:
    """Print them."""
    for name, value in rates().items():
        print(f"{name:32}{value:12.1f}")


if __name__ == "__main__":
    main()
