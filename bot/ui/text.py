"""Events, questions and choices put into a table's words.

A game's words are found at these paths:

    game.name, game.pitch, game.five_lines.0..4, game.turn.0..
    lobby_options.<key>.name, lobby_options.<key>.<value>
    events.<kind>                         one line of the log; empty words: nothing is said
    decisions.<kind>.prompt               whose move it is and what is asked. Of a question that any
                                          of several seats may answer only what is asked: the table
                                          says before it who may ({seat} would name all of them)
    decisions.<kind>.meaning              what the choices mean (optional)
    decisions.<kind>.short                what a seat is still out for (optional)
    decisions.<kind>.button               on the button that opens a panel for it (optional)
    decisions.<kind>.cast, .cast_again    on the button that hands an allotment in (optional)
    decisions.<kind>.token                a token of an allotment: {number}, {count} (optional)
    decisions.<kind>.waits                {seats} are still waited for (optional)
    decisions.<kind>.interrupted          {seats} come again after a card (optional)
    decisions.<kind>.options.<word>       a choice: by its word, else its key, else `any`
    decisions.<kind>.about.<word>         a second line for that choice (optional)
    endings.<ending>                      why the game ended
    titles.<title>                        an honour at the end, told of {seats}

Words that are missing are the authors' mistake and stop no game: the key is shown instead.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bot.sessions.faces import Snapshot
from bot.titles import Title
from content.names import Style
from content.template import Fork, Template
from content.words import Words, WordsError
from engines.kernel.decision import Decision, Option
from engines.kernel.event import Numbered
from engines.kernel.game import Outcome

_log = logging.getLogger(__name__)


class Voice:
    """The words of one table: ``words`` for messages, ``plain`` for labels, files and pictures."""

    def __init__(self, title: Title, names: Sequence[str]) -> None:
        self.title = title
        self.names = tuple(names)
        self.words: Words = title.content.words.bound(names, Style.MESSAGE)
        self.plain: Words = title.content.words.bound(names, Style.PLAIN)

    @classmethod
    def of(cls, title: Title, snapshot: Snapshot) -> Voice:
        """The voice for a table as it is seated now."""
        return cls(title, snapshot.seat_names)

    def say(self, path: str, /, **facts: object) -> str:
        """Words for a message."""
        return said(self.words, path, facts)

    def label(self, path: str, /, **facts: object) -> str:
        """Words for a label."""
        return said(self.plain, path, facts)

    @property
    def game_name(self) -> str:
        """The game's name."""
        return self.say("game.name")

    def lines(self, path: str) -> list[str]:
        """A list of paragraphs."""
        count = 0
        while self.words.has(f"{path}.{count}"):
            count += 1
        return [self.say(f"{path}.{n}") for n in range(count)]

    # The board, told by the game's renderer. What it cannot tell is logged and left out.

    def heading(self, view: object) -> str:
        """One short line: where the game stands."""
        return _told(lambda: self.title.renderer.heading(view, self.words), "heading")

    def alt_text(self, view: object) -> str:
        """The picture in two or three sentences."""
        tell = self.title.renderer.alt_text
        names = [self.plain.seat(number) for number in range(len(self.names))]
        return _told(lambda: tell(view, self.plain, names), "alt text")

    def board(self, view: object) -> str:
        """The board in plain text."""
        tell = self.title.renderer.board_words
        return _told(lambda: tell(view, self.plain, self.names), "board")

    def hand(self, view: object) -> str:
        """What the viewing seat holds."""
        return _told(lambda: self.title.renderer.hand_words(view, self.words), "hand")

    def is_empty_hand(self, held: str) -> bool:
        """Whether these are the renderer's words for a hand with nothing in it."""
        path = "picture.hand.none"
        return self.words.has(path) and held == self.say(path)

    # Events

    def named(self, numbered: Numbered) -> list[str]:
        """The cards and other things that an event names."""
        names: list[str] = []
        for field, fact in numbered.event.data.items():
            for one in fact if isinstance(fact, (list, tuple)) else (fact,):
                tables = (table for table in (field, field.removesuffix("s")))
                path = next((p for t in tables if self.words.has(p := f"names.{t}.{one}")), "")
                names += [self.say(path)] if path else []
        return names

    def is_listed(self, numbered: Numbered, held: str) -> bool:
        """Whether all the things that an event names stand in these words already."""
        names = self.named(numbered)
        return bool(names) and all(name in held for name in names)

    def event(self, numbered: Numbered, *, plain: bool = False) -> str:
        """One line of the log; empty if nothing is to be said of it."""
        event = numbered.event
        words = self.plain if plain else self.words
        return said(words, f"events.{event.kind}", event.data)

    def events(self, told: Sequence[Numbered], *, plain: bool = False) -> list[str]:
        """The lines of these events, oldest first."""
        lines = [self.event(numbered, plain=plain) for numbered in told]
        return [line for line in lines if line]

    def newest(self, told: Sequence[Numbered], count: int) -> list[str]:
        """The last lines of these events, oldest first."""
        lines: list[str] = []
        for numbered in reversed(told):
            if len(lines) == count:
                break
            line = self.event(numbered)
            if line:
                lines.insert(0, line)
        return lines

    # Decisions

    def prompt(
        self, decision: Decision, *, plain: bool = False, seats: Sequence[int] | None = None
    ) -> str:
        """What this seat is asked, or all of these seats."""
        words = self.plain if plain else self.words
        facts = _facts(decision) if seats is None else {**_facts(decision), "seat": tuple(seats)}
        return said(words, f"decisions.{decision.kind}.prompt", facts)

    def names_seat(self, kind: str) -> bool:
        """Whether the prompt of that kind says itself whom it asks."""
        path = f"decisions.{kind}.prompt"
        return self.words.has(path) and _speaks_of("seat", self.words.template(path))

    def meaning(self, decision: Decision) -> str:
        """What the choices mean; empty if that goes without saying."""
        path = f"decisions.{decision.kind}.meaning"
        return said(self.words, path, _facts(decision)) if self.words.has(path) else ""

    def short(self, kind: str, *, plain: bool = False) -> str:
        """What that kind of question is called in passing; empty if it has no short name."""
        path = f"decisions.{kind}.short"
        return (self.label(path) if plain else self.say(path)) if self.words.has(path) else ""

    def own(self, kind: str, word: str, otherwise: str) -> str:
        """The path of a kind's own words for something, or of the words for all kinds."""
        path = f"decisions.{kind}.{word}"
        return path if self.words.has(path) else otherwise

    def choice(self, decision: Decision, option: Option, *, plain: bool = True) -> str:
        """The label of a choice."""
        return self._option("options", decision, option, plain) or option.key

    def about(self, decision: Decision, option: Option, *, plain: bool = True) -> str:
        """A second line for a choice; empty if it has none."""
        return self._option("about", decision, option, plain, optional=True)

    def _option(
        self, part: str, decision: Decision, option: Option, plain: bool, optional: bool = False
    ) -> str:
        words = self.plain if plain else self.words
        facts = {**_facts(decision), **option.about, "key": option.key}
        for word in (option.word, option.key, "any"):
            path = f"decisions.{decision.kind}.{part}.{word}"
            if word and words.has(path):
                return said(words, path, facts)
        if not optional:
            _log.warning("no words for option %s of %s", option.key, decision.kind)
        return "" if optional else option.key.replace("_", " ").capitalize()

    def chosen(self, decision: Decision, value: Sequence[str], *, plain: bool = False) -> str:
        """An answer in words: "2 x Ann and 1 x Ben", "the door"."""
        counts: dict[str, int] = {}
        for key in value:
            counts[key] = counts.get(key, 0) + 1
        told: list[str] = []
        for key, count in counts.items():
            try:
                name = self.choice(decision, decision.option(key), plain=plain)
            except KeyError:
                name = key
            told.append(
                self.say("panel.times", count=count, what=name)
                if decision.shape.repeats
                else self.say("panel.once", what=name)
            )
        return self.words.joined(told) if told else self.say("panel.nothing_chosen")

    # The lobby and the end

    def option_name(self, key: str, *, plain: bool = False) -> str:
        """A lobby option's name."""
        return self._optional(f"lobby_options.{key}.name", key, plain)

    def option_value(self, key: str, value: str, *, plain: bool = False) -> str:
        """What a value of a lobby option is called."""
        return self._optional(f"lobby_options.{key}.{value}", value, plain)

    def _optional(self, path: str, key: str, plain: bool) -> str:
        words = self.plain if plain else self.words
        return said(words, path) if words.has(path) else key.replace("_", " ").capitalize()

    def ending(self, outcome: Outcome) -> str:
        """Why the game ended, in one sentence."""
        return self.say(f"endings.{outcome.ending}", **outcome.facts)

    def titles(self, outcome: Outcome) -> list[str]:
        """The honours awarded at the end, where the game has any: its fact `titles`."""
        awarded = outcome.facts.get("titles")
        if not isinstance(awarded, Mapping):
            return []
        return [self.say(f"titles.{title}", seats=seats) for title, seats in awarded.items()]


def said(words: Words, path: str, facts: Mapping[str, object] | None = None) -> str:
    """The words at that path; if they do not fit, the path's last step and a line in the log."""
    try:
        return words.say(path, facts or {})
    except WordsError as error:
        _log.warning("words: %s", error)
        return path.rpartition(".")[2].replace("_", " ").capitalize()


def _told(tell: Callable[[], str], what: str) -> str:
    try:
        return tell()
    except Exception:  # noqa: BLE001 - a fault in telling must not stop a table
        _log.exception("the %s could not be told", what)
        return ""


def _speaks_of(field: str, template: Template) -> bool:
    return any(
        part.field == field
        or (isinstance(part, Fork) and any(_speaks_of(field, b) for b in (part.yes, part.no)))
        for part in template
        if not isinstance(part, str)
    )


def _facts(decision: Decision) -> dict[str, Any]:
    return {
        "least": decision.shape.least,
        "most": decision.shape.most,
        **decision.about,
        "seat": decision.seat,
    }
