"""A renderer for tests that are not about pictures: a tiny picture whose colour is the view."""

from __future__ import annotations

import io
import zlib
from collections.abc import Sequence
from typing import Any

from PIL import Image

from content.words import Words


class PlainPicture:
    """Quick, and different for every view."""

    def draw(self, view: Any, words: Words, seats: Sequence[str]) -> bytes:
        return _png(repr((view, tuple(seats))))

    def closing(self, view: Any, words: Words, seats: Sequence[str], outcome: Any) -> bytes:
        return _png(repr((view, outcome)))

    def board_words(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        return "\n".join(["+---+", *seats, "+---+"])

    def alt_text(self, view: Any, words: Words, seats: Sequence[str]) -> str:
        return f"Chapter {view.chapter}."

    def hand_words(self, view: Any, words: Words) -> str:
        return ", ".join(view.hand) or "empty"

    def heading(self, view: Any, words: Words) -> str:
        return f"chapter {view.chapter}"


def _png(seen: str) -> bytes:
    shade = zlib.crc32(seen.encode())
    data = io.BytesIO()
    Image.new("RGB", (8, 8), (shade & 255, shade >> 8 & 255, shade >> 16 & 255)).save(data, "PNG")
    return data.getvalue()
