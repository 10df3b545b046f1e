"""Whether the words fit what the engine tells and asks: what is missing, unknown or unfitting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from content.faults import closest, listed
from content.template import Fork, Template
from content.words import Words
from content.yaml_source import ContentError
from engines.escape_the_night import told
from engines.escape_the_night.cards import Content
from engines.escape_the_night.effects import duels_of_wits, known
from engines.escape_the_night.game import ENDINGS, GAME

FIVE: Final = 5
_AWAITED: Final[Facts] = {"seats": ((0, 1),), "what": ("",)}
_OPTIONAL: Final[Mapping[str, Facts]] = {
    "button": {},
    "cast": {},
    "cast_again": {},
    "token": {"number": (1,), "count": (6,)},
    "waits": _AWAITED,
    "interrupted": _AWAITED,
}
_PARTS: Final = ("prompt", "meaning", "short", "options", "about", *_OPTIONAL)
_SAMPLES: Final[Mapping[str, tuple[object, ...]]] = {
    "seat": (0,),
    "least": (1, 2),
    "most": (1, 2),
    "key": ("some_id",),
}
_GROUPS: Final = {
    "result": known.RESULTS,
    "relic": known.RELICS,
    "man": known.MAN,
    "ability": known.ABILITIES,
    "challenge": known.CHALLENGES,
    "in_short": known.CHALLENGES,
    "secret_room": known.RESULTS,
}
_MAY_LACK: Final = ("man", "secret_room")
"""Groups that fall back on ``result``."""

Facts = Mapping[str, Sequence[object]]


def check_words(words: Words, content: Content, file: str) -> list[ContentError]:
    """All faults; ``file`` is named for whole sections that are missing."""
    return list(_Check(words, content, file).faults())


class _Check:
    def __init__(self, words: Words, content: Content, file: str) -> None:
        self._words = words
        self._content = content
        self._file = file

    def faults(self) -> Iterator[ContentError]:
        """Section by section."""
        yield from self._game()
        yield from self._table("events", {k: told.samples(f) for k, f in told.EVENTS.items()})
        yield from self._decisions()
        yield from self._table("endings", dict.fromkeys(ENDINGS, told.samples(told.OUTCOME)))
        yield from self._table("titles", dict.fromkeys(told.TITLES, told.samples("seats#*")))
        yield from self._lobby()
        yield from self._refusals()
        yield from self._names()
        yield from self._effects()

    def _fault(self, path: str, message: str) -> ContentError:
        return self._words.fault(path, message, self._file)

    def _table(self, section: str, wanted: Mapping[str, Facts]) -> Iterator[ContentError]:
        """A section that has words for each of these, and for nothing else."""
        yield from self._unknown(section, tuple(wanted))
        for word, facts in wanted.items():
            yield from self._fits(f"{section}.{word}", facts)

    def _unknown(self, section: str, wanted: Sequence[str]) -> Iterator[ContentError]:
        for word in self._words.section(section):
            if word not in wanted:
                message = f"there is no {word!r} in {section}{closest(word, wanted)}"
                yield self._fault(f"{section}.{word}", message)

    def _fits(self, path: str, facts: Facts) -> Iterator[ContentError]:
        """The words are there and speak of nothing but these facts, each as it should."""
        if not self._words.has(path):
            yield self._fault(path, f"the words {path!r} are missing")
            return
        for field in dict.fromkeys(_fields(self._words.template(path))):
            if field not in facts:
                known_facts = listed(tuple(facts)) or "none"
                message = f"nothing is known of {{{field}}}{closest(field, tuple(facts))}"
                yield self._fault(path, f"{message}; facts: {known_facts}")
                continue
            misfits = [self._words.check(path, field, value) for value in facts[field]]
            wrong = next(filter(None, misfits), "")
            if wrong:
                yield self._fault(path, wrong)

    def _game(self) -> Iterator[ContentError]:
        paths = ["game.name", "game.pitch", "game.turn.0"]
        for path in [*paths, *(f"game.five_lines.{n}" for n in range(FIVE))]:
            yield from self._fits(path, {})

    def _decisions(self) -> Iterator[ContentError]:
        yield from self._unknown("decisions", tuple(told.ASKED))
        for kind, asked in told.ASKED.items():
            path = f"decisions.{kind}"
            facts = {**_SAMPLES, **told.samples(asked.about)}
            yield from self._unknown(path, _PARTS)
            yield from self._fits(f"{path}.prompt", facts)
            yield from self._fits(f"{path}.short", {})
            for part, known_facts in {"meaning": facts, **_OPTIONAL}.items():
                if self._words.has(f"{path}.{part}"):
                    yield from self._fits(f"{path}.{part}", known_facts)
            for part in ("options", "about"):
                yield from self._unknown(f"{path}.{part}", (*asked.options, "any"))
            for word, more in asked.options.items():
                yield from self._option(path, word, {**facts, **told.samples(more)})

    def _option(self, path: str, word: str, facts: Facts) -> Iterator[ContentError]:
        """A choice's label, and its second line if it has one."""
        for part in ("options", "about"):
            own, common = f"{path}.{part}.{word}", f"{path}.{part}.any"
            found = own if self._words.has(own) or not self._words.has(common) else common
            if part == "options" or self._words.has(found):
                yield from self._fits(found, facts)

    def _lobby(self) -> Iterator[ContentError]:
        yield from self._unknown("lobby_options", [option.key for option in GAME.options])
        for option in GAME.options:
            values = ("name", "about", *option.values)
            yield from self._table(f"lobby_options.{option.key}", {value: {} for value in values})

    def _refusals(self) -> Iterator[ContentError]:
        """A game may put the bot's own refusals otherwise, and has no others."""
        for path, (before, after) in self._words.replaced("refusals").items():
            if before is None:
                common = [p.partition(".")[2] for p in self._words.replaced("refusals")]
                known_words = [w for w in self._words.section("refusals") if w not in common]
                word = path.partition(".")[2]
                message = f"nothing is ever refused as {word!r}{closest(word, known_words)}"
                yield self._fault(path, message)
                continue
            for field in _fields(after):
                if field not in (facts := tuple(_fields(before))):
                    yield self._fault(
                        path, f"nothing is known of {{{field}}}{closest(field, facts)}"
                    )

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
        for table, idents in wanted.items():
            yield from self._table(f"names.{table}", {ident: {} for ident in idents})

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
            yield from self._unknown(f"effects.{group}", spelt)
            for do, takes in effects.items():
                variants = [f"{do}_{word}" for word in takes.of] or [do]
                if all(self._words.has(f"effects.{group}.{name}") for name in variants):
                    names = variants
                else:
                    names = [do]
                if group in _MAY_LACK and not self._words.has(f"effects.{group}.{names[0]}"):
                    continue
                for name in names:
                    yield from self._fits(f"effects.{group}.{name}", facts)


def _fields(template: Template) -> Iterator[str]:
    """The facts that a template speaks of, at any depth."""
    for part in template:
        if not isinstance(part, str):
            yield part.field
        if isinstance(part, Fork):
            yield from _fields(part.yes)
            yield from _fields(part.no)
