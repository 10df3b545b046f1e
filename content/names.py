"""Names that players chose: made harmless, made literal, told apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Final

_MARKDOWN: Final = re.compile(r"([\\`*_~|<>\[\]:])")
_LEADING: Final = re.compile(r"^(\d*)([-#+.)])")
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
_BLANK: Final = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that are drawn as nothing."""
_JOINERS: Final = "\u200c\u200d"
_BREAK: Final = "\u200b"


class Style(Enum):
    """Where words will stand: in a message, which reads Markdown, or where all is literal."""

    MESSAGE = "message"
    PLAIN = "plain"


def cleaned(name: str) -> str:
    """The name without what is not seen: controls, direction marks, odd spaces."""
    seen = "".join(
        " " if char.isspace() or char in _BLANK else char
        for char in unicodedata.normalize("NFC", name)
        if char.isspace() or char in _JOINERS or unicodedata.category(char) not in _UNSEEN
    )
    return " ".join(seen.split()).strip(_JOINERS)


def styled(name: str, style: Style) -> str:
    """The name as it must be written to be read literally. No mention in it works any more."""
    text = cleaned(name)
    if style is Style.PLAIN:
        return text
    text = _MARKDOWN.sub(r"\\\1", text)
    text = _LEADING.sub(r"\1\\\2", text)
    return text.replace("@", f"@{_BREAK}")


def told_apart(
    names: Sequence[str],
    *,
    nameless: Callable[[int], str],
    twin: Callable[[str, int], str],
) -> tuple[str, ...]:
    """The cleaned names, each different from all others.

    Those that look alike are written with `twin(name, number)`, empty ones with `nameless(number)`;
    numbers count seats from 1.
    """
    shown = [cleaned(name) or nameless(number) for number, name in enumerate(names, 1)]
    # A number may make a name look like yet another one, but each round leaves fewer alike.
    for _ in names:
        looks = [_look(name) for name in shown]
        alike = [looks.count(look) > 1 for look in looks]
        shown = [
            twin(name, number) if again else name
            for number, (name, again) in enumerate(zip(shown, alike, strict=True), 1)
        ]
    return tuple(shown)


def _look(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()
