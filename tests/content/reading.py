"""Reading a game's words aloud, and what its engine's source says that it tells and asks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from content.template import Fork, Template
from content.words import Words
from engines.kernel.decision import Decision, Option
from engines.kernel.event import PUBLIC
from engines.kernel.facts import samples
from engines.kernel.playthrough import Playthrough

ENGINES = Path(__file__).parents[2] / "engines"

LABEL, HINT, PROMPT, EVENT = 60, 90, 150, 400
ID = re.compile(r"[a-z]_[a-z]")
"""What only an id looks like."""


# From the source


class Source:
    """The source of a game's engine."""

    def __init__(self, game: str) -> None:
        self.files = sorted((ENGINES / game).rglob("*.py"))

    def calls(self, name: str) -> Iterator[tuple[ast.Call, str]]:
        """Every call of a function or method of that name in the engine, with its place."""
        for path in self.files:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and _name_of(node.func) == name:
                    yield node, f"{path.name}:{node.lineno}"

    def told(self) -> list[tuple[str, tuple[str, ...] | None, str]]:
        """Kind, facts (None: not to be seen from the source) and place of everything told."""
        found: list[tuple[str, tuple[str, ...] | None, str]] = []
        for call, place in self.calls("tell"):
            kind = text_of(call.args[0])
            if not kind:
                continue  # made up from what is at hand: only a game played can tell
            names = [keyword.arg for keyword in call.keywords if keyword.arg != "only"]
            facts = None if None in names else tuple(name for name in names if name)
            found.append((kind, facts, place))
        return found

    def texts(self, *names: str) -> list[str]:
        """The plain texts among the arguments of calls of functions of these names."""
        kinds: dict[str, None] = {}
        for name in names:
            for call, _ in self.calls(name):
                kinds.update({text_of(a): None for a in call.args if text_of(a)})
        return sorted(kinds)


def _name_of(called: ast.expr) -> str:
    """The last part of what is called."""
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


def text_of(node: ast.expr) -> str:
    """An argument that is a plain text; empty for any other."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return str(node.value) if is_text and isinstance(node, ast.Constant) else ""


def fields(template: Template) -> Iterator[str]:
    """The facts that a template speaks of, at any depth."""
    for part in template:
        if not isinstance(part, str):
            yield part.field
        if isinstance(part, Fork):
            yield from fields(part.yes)
            yield from fields(part.no)


# From the lists of facts


def wrong(facts: Mapping[str, object], listed: str) -> list[str]:
    """The listed facts that are not there, or of another sort."""
    return [
        name
        for name, expected in samples(listed).items()
        if name not in facts or not _fits(facts[name], expected)
    ]


def _fits(value: object, expected: tuple[object, ...]) -> bool:
    """Whether the value is of a sort with one of these."""
    for sample in expected:
        if sample is None or isinstance(sample, bool | int | str):
            if type(value) is type(sample):
                return True
        elif isinstance(sample, tuple):
            if isinstance(value, list | tuple) and all(type(v) is type(sample[0]) for v in value):
                return True
        elif isinstance(value, dict | list | tuple):
            return True
    return False


# From games played


class Reader:
    """Reads aloud everything that a game shows to its seats.

    `longer` has kinds whose choices may have longer labels, with how long. `alike` has kinds that
    offer several cards of one name.
    """

    def __init__(
        self, words: Words, longer: Mapping[str, int] | None = None, alike: tuple[str, ...] = ()
    ) -> None:
        self.words = words
        self.longer = longer or {}
        self.alike = alike
        self.kinds: dict[str, None] = {}
        self.asked: dict[str, None] = {}
        self.offered: dict[tuple[str, str], None] = {}

    def read_events(self, play: Playthrough) -> None:
        """All events, in whatever audience they have."""
        for numbered in play.events:
            event = numbered.event
            said = self.words.say(f"events.{event.kind}", event.data)
            self.kinds[event.kind] = None
            assert len(said) <= EVENT, said
            assert said == " ".join(said.split()), said
            assert not ID.search(said), said
            assert event.only is PUBLIC or said

    def read_decision(self, decision: Decision) -> None:
        """The prompt, what the choices mean, each choice and its second line."""
        self.asked[decision.kind] = None
        facts = {
            "least": decision.shape.least,
            "most": decision.shape.most,
            **decision.about,
            "seat": decision.seat,
        }
        base = f"decisions.{decision.kind}"
        prompt = self.words.say(f"{base}.prompt", facts)
        assert len(prompt) <= PROMPT, prompt
        assert not ID.search(prompt), prompt
        assert self.words.say(f"{base}.short")
        if self.words.has(f"{base}.meaning"):
            self.words.say(f"{base}.meaning", facts)
        labels: dict[str, None] = {}
        for option in decision.options:
            self.offered[decision.kind, option.word or option.key] = None
            about = {**facts, **option.about, "key": option.key}
            path = self._path(decision, option, "options")
            assert path, f"{decision.kind}: no words for {option}"
            label = self.words.say(path, about)
            assert label
            assert len(label) <= self.longer.get(decision.kind, LABEL), label
            assert not ID.search(label), label
            twin = label in labels and decision.kind not in self.alike
            assert not twin, f"two choices of {decision.kind} read {label!r}"
            labels[label] = None
            path = self._path(decision, option, "about")
            hint = self.words.say(path, about) if path else ""
            assert len(hint) <= HINT, hint

    def _path(self, decision: Decision, option: Option, part: str) -> str | None:
        """Where a choice's words stand: by its word, else its key, else ``any``."""
        for word in (option.word, option.key, "any"):
            path = f"decisions.{decision.kind}.{part}.{word}"
            if word and self.words.has(path):
                return path
        return None
