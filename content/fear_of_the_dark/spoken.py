"""Whether the words fit what the engine tells and asks: what is missing, unknown or unfitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, get_args

from content.spoken import Spoken
from content.words import Words
from content.yaml_source import ContentError
from engines.fear_of_the_dark import told
from engines.fear_of_the_dark.cards import Action, Content, DangerKind, ItemKind, SecretKind
from engines.fear_of_the_dark.game import GAME
from engines.fear_of_the_dark.maze import SIDES, Token

LEAST_TALE: Final = 12
MOST_TALE: Final = 140
"""Letters of a tale: one line on a phone, or two."""

STRIDES: Final = ("move", "tiptoe")
"""The actions with which one walks."""

UNSCOUTED: Final = "leakage"
"""The danger that always triggers, so that nothing is told of its coming to nothing."""


def check_words(words: Words, content: Content, file: str) -> list[ContentError]:
    """All faults; ``file`` is named for whole sections that are missing."""
    return list(_Check(words, content, file).faults())


class _Check(Spoken):
    def __init__(self, words: Words, content: Content, file: str) -> None:
        super().__init__(words, file)
        self._content = content

    def faults(self) -> Iterator[ContentError]:
        """Section by section."""
        yield from self.sections("hand", "sentences")
        yield from self.game()
        yield from self.events(told.EVENTS)
        yield from self.decisions(told.ASKED)
        yield from self.endings(told.ENDINGS, told.OUTCOME)
        yield from self.lobby(GAME.options)
        yield from self.refusals()
        yield from self.names(self._wanted())
        yield from self._cards()
        yield from self._tales()

    def _wanted(self) -> dict[str, Sequence[str]]:
        """The ids of each table of names."""
        actions = get_args(Action)
        return {
            "tile": ("start", *self._content.tiles),
            "action": actions,
            "does": actions,
            "deed": actions,
            "gait": STRIDES,
            "footing": STRIDES,
            "side": SIDES,
            "danger": get_args(DangerKind),
            "item": get_args(ItemKind),
            "thing": get_args(ItemKind),
            "secret": get_args(SecretKind),
            "token": get_args(Token),
            "difficulty": tuple(self._content.numbers.difficulties),
            "near": told.NEAR,
            "reason": told.REASONS,
        }

    def _cards(self) -> Iterator[ContentError]:
        """What the rules say of each kind that is looked up."""
        wanted = self._wanted()
        for table in ("tile", "action", "danger", "item", "secret"):
            yield from self.table(f"cards.{table}", {ident: {} for ident in wanted[table]})

    def _tales(self) -> Iterator[ContentError]:
        """As many texts as chance chooses from, no two alike, none too long."""
        wanted = self._wanted()
        averted = [kind for kind in wanted["danger"] if kind != UNSCOUTED]
        tables = {
            "tile_tale": wanted["tile"],
            "danger_tale": wanted["danger"],
            "danger_averted": averted,
            "secret_tale": wanted["secret"],
            "item_tale": wanted["item"],
            "ending_tale": told.ENDINGS,
        }
        count = self._content.numbers.tales
        seen: dict[str, str] = {}
        for table, idents in tables.items():
            numbered = [f"{ident}_{n}" for ident in idents for n in range(1, count + 1)]
            yield from self.names({table: numbered})
            for tale, text in self.words.section(f"names.{table}").items():
                if not isinstance(text, str):
                    continue  # told as missing above
                path = f"names.{table}.{tale}"
                if not LEAST_TALE <= len(text) <= MOST_TALE:
                    message = f"{len(text)} letters, {LEAST_TALE} to {MOST_TALE} expected"
                    yield self.fault(path, message)
                first = seen.setdefault(text.casefold(), path)
                if first != path:
                    yield self.fault(path, f"the same text as {first}")
