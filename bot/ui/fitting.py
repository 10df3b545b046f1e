"""Texts made to fit Discord's limits, cut between whole characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

ELLIPSIS: Final = "…"

LABEL: Final = 80  # a button's
OPTION: Final = 100  # a menu option's label and description; an autocomplete choice
PLACEHOLDER: Final = 150
ALT: Final = 1024
TITLE: Final = 45  # a modal's title and its labels

_JOINER: Final = "\u200d"
_SKIN: Final = range(0x1F3FB, 0x1F400)
_FLAG: Final = range(0x1F1E6, 0x1F200)
_TAGS: Final = range(0xE0020, 0xE0080)


def units(text: str) -> int:
    """The length as the strictest reader counts it: characters beyond the BMP are two."""
    return len(text) + sum(char > "\uffff" for char in text)


def fit(text: str, limit: int) -> str:
    """The text in at most ``limit`` units, with an ellipsis where something is missing."""
    if units(text) <= limit:
        return text
    room = limit - len(ELLIPSIS)
    end = 0
    for char in text:
        room -= 1 + (char > "\uffff")
        if room < 0:
            break
        end += 1
    while end and _inside(text, end):
        end -= 1
    kept = text[:end].rstrip()
    escapes = len(kept) - len(kept.rstrip("\\"))
    return kept[: len(kept) - escapes % 2] + ELLIPSIS


def fit_label(text: str, limit: int) -> str:
    """A label on one line; Discord refuses an empty one."""
    return fit(" ".join(text.split()), limit) or ELLIPSIS


def capitalised(text: str) -> str:
    """The text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def fit_lines(lines: Sequence[str], limit: int) -> list[str]:
    """The newest (last) lines that fit together; a single one that is too long is shortened."""
    kept: list[str] = []
    for line in reversed(lines):
        if kept and sum(units(one) + 1 for one in kept) + units(line) > limit:
            break
        kept.insert(0, fit(line, limit))
    return kept


def distinct(labels: Iterable[str], limit: int) -> list[str]:
    """Fitted labels; those that came out alike get a number, so that no two look the same."""
    fitted = [fit_label(label, limit) for label in labels]
    seen: dict[str, int] = {}
    told: list[str] = []
    for label in fitted:
        seen[label] = seen.get(label, 0) + 1
        number = f" ({seen[label]})" if fitted.count(label) > 1 else ""
        told.append(fit(label, limit - len(number)) + number)
    return told


def _inside(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` would go through what is seen as one character."""
    if at >= len(text):
        return False
    char, before = text[at], text[at - 1]
    code = ord(char)
    if _JOINER in (before, char) or unicodedata.category(char) in ("Mn", "Me", "Mc"):
        return True
    if code in _SKIN or code in _TAGS:
        return True
    if code in _FLAG and ord(before) in _FLAG:
        start = at
        while start and ord(text[start - 1]) in _FLAG:
            start -= 1
        return (at - start) % 2 == 1
    return False
