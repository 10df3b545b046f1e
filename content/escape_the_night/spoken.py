"""Whether the words fit what the engine tells and asks: what is missing, unknown or unfitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from content.spoken import Facts, Spoken
from content.words import Words
from content.yaml_source import ContentError
from engines.escape_the_night import told
from engines.escape_the_night.cards import Content
from engines.escape_the_night.effects import duels_of_wits, known
from engines.escape_the_night.game import ENDINGS, GAME
from engines.kernel.facts import samples

_GROUPS: Final = {
    "result": known.RESULTS,
    "follows": known.RESULTS,
    "relic": known.RELICS,
    "man": known.MAN,
    "ability": known.ABILITIES,
    "tally": known.ABILITIES,
    "challenge": known.CHALLENGES,
    "in_short": known.CHALLENGES,
    "secret_room": known.RESULTS,
}
_MAY_LACK: Final = ("follows", "man", "secret_room", "tally")
"""Groups that need not have words for all; but for ``tally`` they fall back on ``result``."""


def check_words(words: Words, content: Content, file: str) -> list[ContentError]:
    """All faults; ``file`` is named for whole sections that are missing."""
    return list(_Check(words, content, file).faults())


class _Check(Spoken):
    def __init__(self, words: Words, content: Content, file: str) -> None:
        super().__init__(words, file)
        self._content = content

    def faults(self) -> Iterator[ContentError]:
        """Section by section."""
        yield from self.sections("titles", "effects")
        yield from self.game()
        yield from self.events(told.EVENTS)
        yield from self.decisions(told.ASKED)
        yield from self.endings(ENDINGS, told.OUTCOME)
        yield from self.table("titles", dict.fromkeys(told.TITLES, samples("seats#*")))
        yield from self.lobby(GAME.options)
        yield from self.refusals()
        yield from self._names()
        yield from self._effects()

    def _names(self) -> Iterator[ContentError]:
        board = self._content.board
        unscored = ("call", "cunning", *known.NEVER_TIED)
        scored = [do for do in known.CHALLENGES if do not in unscored]
        wanted: dict[str, Sequence[str]] = {
            "room": (*board.rooms, *self._content.secret_rooms),
            "colour": ("clue", "monster"),
            "deck": ("clue", "monster", "relic", "challenge"),
            "side": tuple(self._content.mysterious),
            "thing": tuple(duels_of_wits.BEATS),
            "door": duels_of_wits.DOORS,
            "place": duels_of_wits.PLACES,
            "call": ("odd", "even"),
            "plea": ("honest", "brazen"),
            "phase": ("turns", "vote", "challenge", "last_round", "over"),
            "title": told.TITLES,
            "purpose": ("man_again",),
            "procedure": scored,
            "unit": scored,
            "units": scored,
            "opening": ("dice_duel", "best_of", "allies", "glasses"),
        }
        yield from self.names(wanted)

    def _effects(self) -> Iterator[ContentError]:
        facts: Facts = {
            "amount": (1, 2),
            "of": (("a1", "b2"),),
            "room": ("hall",),
            "deck": ("clue",),
        }
        for group, effects in _GROUPS.items():
            spelt = [
                f"{do}_{word}" if word else do
                for do, takes in effects.items()
                for word in ("", *takes.of)
            ]
            yield from self.unknown(f"effects.{group}", spelt)
            for do, takes in effects.items():
                variants = [f"{do}_{word}" for word in takes.of] or [do]
                if all(self.words.has(f"effects.{group}.{name}") for name in variants):
                    names = variants
                else:
                    names = [do]
                if group in _MAY_LACK and not self.words.has(f"effects.{group}.{names[0]}"):
                    continue
                for name in names:
                    yield from self.fits(f"effects.{group}.{name}", facts)
