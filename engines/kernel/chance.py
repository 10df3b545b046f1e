"""The only place where randomness comes from.

Draw ``k`` (counted from 1 for each purpose) of a number below ``n``: ``x`` is the first eight
bytes, big-endian, of HMAC-SHA256(branch key, "purpose/k/attempt") with attempt = 0, 1, ... until
x < 2**64 - 2**64 % n; the result is x % n. Branch 0 uses the game's key, branch b the key
HMAC-SHA256(game's key, "branch/b"). Shuffles are Fisher-Yates from the top. So whoever is told the
key can check every draw with a few lines in any language.

That would also tell whoever knows it which card lies where. Purposes that must stay unknown after
the game too are *hidden*: they are drawn in the same way under a second key, which nobody is told.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from engines.kernel.errors import RulesBug

T = TypeVar("T")

_SPAN: Final = 1 << 64
_PURPOSE: Final = re.compile(r"[a-z0-9_.-]{1,60}")


@dataclass(frozen=True, slots=True)
class Draw:
    """One line of the ledger: the ``k``-th draw for ``purpose`` below ``n`` gave ``result``."""

    purpose: str
    k: int
    n: int
    result: int
    branch: int = 0
    hidden: bool = False


class Chance:
    """Numbers by purpose; ``ledger`` lists every draw in the order made.

    A game's set-up names its ``hidden`` purposes before it draws; they go by ``hidden_key`` (by
    default they share the key, as in a simulation that keeps nothing from anybody).
    """

    def __init__(self, key: bytes, hidden_key: bytes | None = None) -> None:
        self._keys = (key, key if hidden_key is None else hidden_key)
        self._branch_keys = self._keys
        self.hidden: tuple[str, ...] = ()
        self._counts: dict[str, int] = {}
        self.branch = 0
        self.ledger: list[Draw] = []

    @property
    def calls(self) -> int:
        """How many draws were made so far."""
        return len(self.ledger)

    def switch(self, branch: int) -> None:
        """Draw under another branch's keys from now on; the counts go on."""
        if branch != self.branch:
            self.branch = branch
            label = f"branch/{branch}".encode()
            key, hidden = (hmac.digest(key, label, "sha256") for key in self._keys)
            self._branch_keys = (key, hidden) if branch else self._keys

    def below(self, purpose: str, n: int) -> int:
        """A number from 0 to n - 1, all equally likely."""
        if n < 1:
            raise RulesBug(f"chance for {purpose!r}: no number below {n}")
        k = self._counts.get(purpose, 0) + 1
        if k == 1 and not _PURPOSE.fullmatch(purpose):
            raise RulesBug(f"{purpose!r} is no purpose for chance")
        self._counts[purpose] = k
        hidden = purpose in self.hidden
        key = self._branch_keys[hidden]
        fair = _SPAN - _SPAN % n
        attempt = 0
        while True:
            text = f"{purpose}/{k}/{attempt}".encode()
            x = int.from_bytes(hmac.digest(key, text, "sha256")[:8], "big")
            if x < fair:
                break
            attempt += 1
        result = x % n
        self.ledger.append(Draw(purpose, k, n, result, self.branch, hidden))
        return result

    def die(self, purpose: str, sides: int = 6) -> int:
        """One die: 1 to ``sides``."""
        return self.below(purpose, sides) + 1

    def dice(self, purpose: str, count: int, sides: int = 6) -> tuple[int, ...]:
        """Several dice, in the order rolled."""
        return tuple(self.die(purpose, sides) for _ in range(count))

    def shuffled(self, purpose: str, items: Sequence[T]) -> list[T]:
        """A new list in random order."""
        deck = list(items)
        for top in range(len(deck) - 1, 0, -1):
            other = self.below(purpose, top + 1)
            deck[top], deck[other] = deck[other], deck[top]
        return deck

    def pick(self, purpose: str, items: Sequence[T]) -> T:
        """One of the items. RulesBug if there is none."""
        return items[self.below(purpose, len(items))]
