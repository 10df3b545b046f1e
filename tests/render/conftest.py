"""The fixture for golden pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import PIL
import pytest
from PIL import Image, ImageChops, ImageStat, features

FOLDER = Path(__file__).parent / "golden"
MADE_WITH = FOLDER / "made_with.txt"

MEAN_ELSEWHERE = 2.0
"""How far pixels may differ on average (of 255) where letters are set by other libraries."""


def _libraries() -> str:
    return f"Pillow {PIL.__version__}, FreeType {features.version('freetype2')}\n"


@pytest.fixture
def golden_picture(request: pytest.FixtureRequest) -> Callable[[str, bytes], None]:
    """``golden_picture(name, png)``: the picture equals ``golden/<name>.png``, pixel by pixel.

    Made with other versions of the drawing libraries than the golden ones, it may differ by
    ``MEAN_ELSEWHERE``. On failure the picture and the difference are written beside the golden one.
    """
    regenerate = bool(request.config.getoption("--regenerate", default=False))

    def check(name: str, data: bytes) -> None:
        path = FOLDER / f"{name}.png"
        if regenerate:
            FOLDER.mkdir(exist_ok=True)
            path.write_bytes(data)
            MADE_WITH.write_text(_libraries(), encoding="utf-8")
            return
        actual = FOLDER / f"{name}.actual.png"
        if not path.exists():
            actual.write_bytes(data)
            pytest.fail(f"{path.name} does not exist; see {actual.name}, then --regenerate")
        if data == path.read_bytes():
            return
        actual.write_bytes(data)
        with Image.open(path) as kept, Image.open(actual) as drawn:
            differs = ImageChops.difference(kept.convert("RGB"), drawn.convert("RGB"))
        box = differs.getbbox()
        mean = sum(ImageStat.Stat(differs).mean) / 3
        same_libraries = MADE_WITH.read_text(encoding="utf-8") == _libraries()
        if box is None or (not same_libraries and mean <= MEAN_ELSEWHERE):
            actual.unlink()
            return
        differs.point([min(255, 8 * v) for v in range(256)] * 3).save(FOLDER / f"{name}.diff.png")
        pytest.fail(f"{name} differs by {mean:.3f} on average, within {box}; see {actual.name}")

    return check
