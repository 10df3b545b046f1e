"""How quick and how large pictures are, as ratios: ``python -m tests.bench.pictures``.

Every game of the registry is measured, by what computer players come to see in one game of it. The
measure is a plain PNG of the same size: what Pillow needs to write the finished picture's pixels in
all their colours, with nothing drawn. Nothing depends on the numbers.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PIL import Image

from bot import titles
from bot.titles import Title
from bot.tools.playing import Play, Player, header_for
from bot.tools.titles import checked_options
from content.names import Style
from content.words import Words
from engines.kernel.game import Outcome
from engines.kernel.playthrough import Playthrough

MOST_BYTES = 250 * 1024


@dataclass(frozen=True, slots=True)
class Seen:
    """What one game had to show: views from its beginning to its end, and how it ended."""

    title: Title
    words: Words
    names: Sequence[str]
    views: Sequence[Any]
    outcome: Outcome

    def given(self, view: Any) -> tuple[Any, Words, Sequence[str]]:
        """What a renderer is given."""
        return view, self.words, self.names


def played(title: Title, seats: int) -> Iterator[Play]:
    """A game by computer players: before its first answer, and after each until it has ended."""
    header = header_for(title, seats, checked_options(title, {}), "bench", 1)
    play: Play = Playthrough(title.game, title.content.rules, header, checks=False)
    player = Player(play, title.game.agents["sensible"], "bench", 1)
    yield play
    while play.outcome is None:
        player.step()
        yield play


def seen(key: str, count: int, seats: int = 4) -> Seen:
    """A game of that title, seen at so many moments that lie equally far apart."""
    title = titles.load(key)
    moments = played(title, seats)
    play = next(moments)
    views = [play.view(None), *(play.view(None) for _ in moments)]
    assert play.outcome is not None
    names = [title.content.words.seat(number) for number in range(seats)]
    words = title.content.words.bound(names, Style.PLAIN)
    chosen = [views[n * (len(views) - 2) // max(1, count - 1)] for n in range(count)]
    return Seen(title, words, names, chosen, play.outcome)


def seconds(work: Callable[[], object], repeat: int) -> float:
    """The shortest processor time of some runs."""
    best = float("inf")
    for _ in range(repeat):
        before = time.process_time()
        work()
        best = min(best, time.process_time() - before)
    return best


def plain(picture: bytes) -> bytes:
    """The picture's pixels as a PNG, without reducing their colours."""
    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        image.convert("RGB").save(out, "PNG", compress_level=6)
    return out.getvalue()


def rates(key: str, count: int = 12, repeat: int = 3) -> dict[str, float]:
    """Ratios over one game of that title: time and bytes against plain PNGs of the same pixels."""
    game = seen(key, count)
    renderer = game.title.renderer
    first = seconds(lambda: renderer.draw(*game.given(game.views[0])), 1)
    drawn = [renderer.draw(*game.given(view)) for view in game.views]
    ending = (*game.given(game.views[-1]), game.outcome)
    closing = renderer.closing(*ending)
    plains = [plain(picture) for picture in drawn]
    measure = seconds(lambda: [plain(picture) for picture in drawn], repeat)
    draw = seconds(lambda: [renderer.draw(*game.given(view)) for view in game.views], repeat)
    told = seconds(lambda: [renderer.board_words(*game.given(v)) for v in game.views], repeat)
    ended = seconds(lambda: renderer.closing(*ending), repeat)
    each = measure / count
    return {
        "first picture : plain PNG": first / each,
        "picture : plain PNG": draw / measure,
        "closing picture : plain PNG": ended / each,
        "text board : plain PNG": told / measure,
        "bytes : bytes of a plain PNG": sum(map(len, drawn)) / sum(map(len, plains)),
        "largest picture, share of 250 KB": max(map(len, [*drawn, closing])) / MOST_BYTES,
    }


def main() -> None:
    """Print them, game by game."""
    for key in titles.KEYS:
        print(key)
        for name, value in rates(key).items():
            print(f"  {name:40}{value:8.3f}")


if __name__ == "__main__":
    main()
