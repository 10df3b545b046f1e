"""How quick and how large pictures are, as ratios: ``python -m tests.bench.pictures``.

The measure is a plain PNG of the same size: what Pillow needs to write the finished picture's
pixels in all their colours, with nothing drawn. Nothing depends on the numbers.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence

from PIL import Image

from bot.render.escape_the_night import board_words, closing, compose, draw
from engines.kernel.game import Outcome
from tests.render.tables import MOMENTS, words


def seconds(work: Callable[[], object], repeat: int) -> float:
    """The shortest processor time of some runs."""
    best = float("inf")
    for _ in range(repeat):
        before = time.process_time()
        work()
        best = min(best, time.process_time() - before)
    return best


def plain(image: Image.Image) -> bytes:
    """The pixels as a PNG, without reducing their colours."""
    out = io.BytesIO()
    image.convert("RGB").save(out, "PNG", compress_level=6)
    return out.getvalue()


def rates(names: Sequence[str] = tuple(MOMENTS), repeat: int = 3) -> dict[str, float]:
    """Ratios over those tables: time and bytes against a plain PNG of the same pixels."""
    view, seats = MOMENTS[names[0]]
    first = seconds(lambda: draw(view, words(), seats), 1)
    tables = [MOMENTS[name] for name in names]
    images = [compose(*_given(table)).image for table in tables]
    measure = seconds(lambda: [plain(image) for image in images], repeat)
    drawn = seconds(lambda: [draw(*_given(table)) for table in tables], repeat)
    composed = seconds(lambda: [compose(*_given(table)) for table in tables], repeat)
    told = seconds(lambda: [board_words(*_given(table)) for table in tables], repeat)
    outcome = Outcome("escaped", won=True, facts={"titles": {"master_of_the_house": [0]}})
    ended = seconds(lambda: closing(view, words(), seats, outcome), repeat)
    each = measure / len(tables)
    sizes = [len(draw(*_given(table))) for table in tables]
    return {
        "first picture of a house : plain PNG": first / each,
        "drawing and encoding : plain PNG": drawn / measure,
        "drawing alone : plain PNG": composed / measure,
        "closing picture : plain PNG": ended / each,
        "text board : plain PNG": told / measure,
        "bytes : bytes of a plain PNG": sum(sizes) / sum(len(plain(image)) for image in images),
        "largest picture, share of 250 KB": max(sizes) / (250 * 1024),
    }


def _given(table):
    view, seats = table
    return view, words(), seats


def main() -> None:
    """Print them."""
    for name, value in rates().items():
        print(f"{name:40}{value:8.3f}")


if __name__ == "__main__":
    main()
