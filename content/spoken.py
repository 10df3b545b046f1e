"""Whether a game's words fit what its engine tells and asks: missing, unknown or unfitting ones.

What all games have is here; a game's own check builds on it (`content.escape_the_night.spoken`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from content.faults import closest, listed
from content.template import Fork, Template
from content.words import Words
from content.yaml_source import ContentError
from engines.kernel.facts import Asked, samples
from engines.kernel.game import GameOption

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
_SECTIONS: Final = (
    "game", "events", "decisions", "endings", "lobby_options", "names", "texts", "flavours",
    "cards", "picture", "refusals",
)  # fmt: skip
"""What every game's words may have; a game may put some of the bot's own words otherwise too."""
_PARTS: Final = ("prompt", "meaning", "short", "options", "about", *_OPTIONAL)
_SAMPLES: Final[Mapping[str, tuple[object, ...]]] = {
    "seat": (0,),
    "least": (1, 2),
    "most": (1, 2),
    "key": ("some_id",),
}

Facts = Mapping[str, Sequence[object]]
"""By fact, values of the sorts that it may have."""


class Spoken:
    """The checks of one game's words; `file` is named for whole sections that are missing."""

    def __init__(self, words: Words, file: str) -> None:
        self.words = words
        self.file = file

    def game(self) -> Iterator[ContentError]:
        """Its name, how it is played, and the lines for the lobby."""
        paths = ["game.name", "game.pitch", "game.turn.0"]
        for path in [*paths, *(f"game.five_lines.{n}" for n in range(FIVE))]:
            yield from self.fits(path, {})

    def sections(self, *more: str) -> Iterator[ContentError]:
        """No section that nobody reads; ``more`` are this game's own."""
        known = (*_SECTIONS, *more)
        for section in self.words.own_sections():
            if section not in known:
                message = f"there is no section {section!r}{closest(section, known)}"
                yield self.fault(section, message)
        yield from self._looked_up()

    def _looked_up(self) -> Iterator[ContentError]:
        """What is looked up in the rules is a text for each card, and nothing else."""
        for table, texts in self.words.section("cards").items():
            for ident in texts if isinstance(texts, Mapping) else ("",):
                path = f"cards.{table}.{ident}".rstrip(".")
                if not isinstance(texts, Mapping) or not self.words.has(path):
                    yield self.fault(path, "expected a text for each card")

    def events(self, told: Mapping[str, str]) -> Iterator[ContentError]:
        """Each event by its kind, with its facts in short (`engines.kernel.facts`)."""
        return self.table("events", {kind: samples(facts) for kind, facts in told.items()})

    def decisions(self, kinds: Mapping[str, Asked]) -> Iterator[ContentError]:
        """Each kind of question: its parts, and the labels of its options."""
        yield from self.unknown("decisions", tuple(kinds))
        for kind, asked in kinds.items():
            path = f"decisions.{kind}"
            facts = {**_SAMPLES, **samples(asked.about)}
            yield from self.unknown(path, _PARTS)
            yield from self.fits(f"{path}.prompt", facts)
            yield from self.fits(f"{path}.short", {})
            for part, known_facts in {"meaning": facts, **_OPTIONAL}.items():
                if self.words.has(f"{path}.{part}"):
                    yield from self.fits(f"{path}.{part}", known_facts)
            for part in ("options", "about"):
                yield from self.unknown(f"{path}.{part}", (*asked.options, "any"))
            for word, more in asked.options.items():
                yield from self._option(path, word, {**facts, **samples(more)})

    def _option(self, path: str, word: str, facts: Facts) -> Iterator[ContentError]:
        """A choice's label, and its second line if it has one."""
        for part in ("options", "about"):
            own, common = f"{path}.{part}.{word}", f"{path}.{part}.any"
            found = own if self.words.has(own) or not self.words.has(common) else common
            if part == "options" or self.words.has(found):
                yield from self.fits(found, facts)

    def endings(self, endings: Sequence[str], outcome: str) -> Iterator[ContentError]:
        """Why the game ended, with the facts of its outcome in short."""
        return self.table("endings", dict.fromkeys(endings, samples(outcome)))

    def lobby(self, options: Sequence[GameOption]) -> Iterator[ContentError]:
        """What can be chosen in the lobby, and what it means."""
        yield from self.unknown("lobby_options", [option.key for option in options])
        for option in options:
            values = ("name", "about", *option.values)
            yield from self.table(f"lobby_options.{option.key}", {value: {} for value in values})

    def refusals(self) -> Iterator[ContentError]:
        """A game may put the bot's own refusals otherwise, and has no others."""
        for word in self.words.section("refusals"):
            if not self.words.has(f"refusals.{word}"):
                yield self.fault(f"refusals.{word}", "expected words, not a group or a list")
        for path, (before, after) in self.words.replaced("refusals").items():
            if before is None:
                common = [p.partition(".")[2] for p in self.words.replaced("refusals")]
                known_words = [w for w in self.words.section("refusals") if w not in common]
                word = path.partition(".")[2]
                message = f"nothing is ever refused as {word!r}{closest(word, known_words)}"
                yield self.fault(path, message)
                continue
            for field in _fields(after):
                if field not in (facts := tuple(_fields(before))):
                    message = f"nothing is known of {{{field}}}{closest(field, facts)}"
                    yield self.fault(path, message)

    def names(self, tables: Mapping[str, Sequence[str]]) -> Iterator[ContentError]:
        """Tables of names that have one for each of these ids and for no other."""
        for table, idents in tables.items():
            yield from self.table(f"names.{table}", {ident: {} for ident in idents})

    # What these are made of

    def fault(self, path: str, message: str) -> ContentError:
        """A fault at the words of that path, or at what they are missing from."""
        return self.words.fault(path, message, self.file)

    def table(self, section: str, wanted: Mapping[str, Facts]) -> Iterator[ContentError]:
        """A section that has words for each of these, and for nothing else."""
        yield from self.unknown(section, tuple(wanted))
        for word, facts in wanted.items():
            yield from self.fits(f"{section}.{word}", facts)

    def unknown(self, section: str, wanted: Sequence[str]) -> Iterator[ContentError]:
        """What is in a section and not wanted there."""
        for word in self.words.section(section):
            if word not in wanted:
                message = f"there is no {word!r} in {section}{closest(word, wanted)}"
                yield self.fault(f"{section}.{word}", message)

    def fits(self, path: str, facts: Facts) -> Iterator[ContentError]:
        """The words are there and speak of nothing but these facts, each as it should."""
        if not self.words.has(path):
            yield self.fault(path, f"the words {path!r} are missing")
            return
        for field in dict.fromkeys(_fields(self.words.template(path))):
            if field not in facts:
                known_facts = listed(tuple(facts)) or "none"
                message = f"nothing is known of {{{field}}}{closest(field, tuple(facts))}"
                yield self.fault(path, f"{message}; facts: {known_facts}")
                continue
            misfits = [self.words.check(path, field, value) for value in facts[field]]
            wrong = next(filter(None, misfits), "")
            if wrong:
                yield self.fault(path, wrong)


def _fields(template: Template) -> Iterator[str]:
    """The facts that a template speaks of, at any depth."""
    for part in template:
        if not isinstance(part, str):
            yield part.field
        if isinstance(part, Fork):
            yield from _fields(part.yes)
            yield from _fields(part.no)
