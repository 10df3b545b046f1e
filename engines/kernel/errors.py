"""The kernel's errors, by whose fault they are.

``IllegalAnswer``, ``StaleAnswer`` and ``NotNow`` are the player's and are worded for the player by
the bot: they carry a *problem* (a word id) and facts, never a sentence. ``JournalError`` and
``ReplayDiverged`` are about a stored journal. ``RulesBug`` is ours.
"""

from __future__ import annotations

from collections.abc import Mapping


class AnswerError(Exception):
    """An answer that was not taken; nothing changed."""

    def __init__(self, problem: str, **facts: object) -> None:
        self.problem = problem
        self.facts: Mapping[str, object] = facts
        told = ", ".join(f"{name}={value!r}" for name, value in facts.items())
        super().__init__(f"{problem} ({told})" if told else problem)


class IllegalAnswer(AnswerError):
    """The question is open, but this is no answer to it."""


class StaleAnswer(AnswerError):
    """Nobody asks this seat that question (any more)."""


class NotNow(AnswerError):
    """The question is asked but waits for an interrupt; it will be open again."""


class JournalError(Exception):
    """A stored record cannot be read; ``place`` says which one (0 is the header)."""

    def __init__(self, place: int, reason: str) -> None:
        self.place = place
        self.reason = reason
        super().__init__(f"record {place}: {reason}")


class ReplayDiverged(Exception):
    """A journal does not fit these rules: the entry at ``ply`` was written under other ones."""

    def __init__(self, ply: int, expected: str, found: str) -> None:
        self.ply = ply
        self.expected = expected
        self.found = found
        super().__init__(f"ply {ply}: the journal has {expected}, these rules have {found}")


class RulesBug(BaseException):
    """The rules broke their contract with the kernel.

    A ``BaseException``, so that no card's ``except Exception`` can swallow it.
    """
