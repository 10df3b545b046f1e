"""A strict reader of YAML: what an author wrote, or one sentence naming the file and the line.

Only what every YAML reader agrees on is accepted. Plain scalars are text, whole numbers, `true`,
`false` or null, as in YAML 1.2; `no`, `on` and `yes` are text. What another reader would take for
something else (0555, 1.10, 1_000, 1:30, a date) has to be quoted. Anchors, aliases, merges, tags,
tabs, duplicate keys and further documents are refused. Keys of mappings are always text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from yaml.composer import Composer
from yaml.error import Mark, MarkedYAMLError
from yaml.events import AliasEvent
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.resolver import BaseResolver
from yaml.scanner import Scanner

MAX_BYTES: Final = 512 * 1024
MAX_DEPTH: Final = 24
_TOLD: Final = 600
"""A fault is told in at most so many characters, however much of the file it quotes."""

Json = None | bool | int | str | list[Any] | dict[str, Any]
Place = tuple[str | int, ...]
"""Where in a file: mapping keys and list indices from the top."""

_INT: Final = re.compile(r"[-+]?(0|[1-9][0-9]{0,14})")
_NUMBER_LIKE: Final = re.compile(
    r"[-+]?(0x[0-9a-f_]+|0o?[0-7_]+|0b[01_]+|\.inf|\.nan|\.?[0-9][0-9_.:]*(e[-+]?[0-9]+)?)",
    re.IGNORECASE,
)
_DATE_LIKE: Final = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?")
_OTHER_CASE: Final = ("True", "TRUE", "False", "FALSE", "Null", "NULL")


class ContentError(Exception):
    """A fault in a content file, told to its author in one sentence.

    `where` names the entry (a card's id, or the place in the file), empty for the whole file.
    `others` are further faults found in the same go.
    """

    def __init__(self, file: str, line: int, where: str, message: str) -> None:
        self.file = file
        self.line = line
        self.where = where
        self.message = message
        self.others: tuple[ContentError, ...] = ()
        entry = f" ({where})" if where else ""
        # What the author wrote is quoted in it: that must not break the line.
        told = " ".join(f"{file}:{line}{entry}: {message}".split())
        super().__init__(told if len(told) <= _TOLD else f"{told[: _TOLD - 1]}…")

    def all(self) -> tuple[ContentError, ...]:
        """The fault itself, then the others."""
        return (self, *self.others)


def raise_all(faults: Sequence[ContentError]) -> None:
    """Raise the first fault, carrying the others; nothing if there is none."""
    if faults:
        first = faults[0]
        first.others = tuple(faults[1:])
        raise first


@dataclass(frozen=True, slots=True)
class Document:
    """One file's content, and the line on which each part of it stands."""

    file: str
    data: dict[str, Any]
    lines: Mapping[Place, int]

    def line(self, place: Place) -> int:
        """The line of that place, or of the nearest part around it that is in the file."""
        while place not in self.lines:
            place = place[:-1]
        return self.lines[place]

    def where(self, place: Place) -> str:
        """The id of the innermost entry around the place, else the place itself, dotted."""
        found = ""
        part: Any = self.data
        for step in place:
            part = child(part, step)
            if isinstance(part, dict) and isinstance(part.get("id"), str):
                found = part["id"]
        return found or ".".join(str(step) for step in place)

    def error(self, place: Place, message: str) -> ContentError:
        """A fault at that place, to be raised or collected."""
        return ContentError(self.file, self.line(place), self.where(place), message)

    def at(self, place: Place) -> Any:
        """The value at that place. ContentError if there is none."""
        part: Any = self.data
        for depth, step in enumerate(place):
            inner = child(part, step)
            if inner is NOTHING:
                raise self.error(place[:depth], f"'{step}' is missing")
            part = inner
        return part


NOTHING: Final = object()
"""What `child` finds where there is nothing."""


def child(part: Any, step: str | int) -> Any:
    """The part of a mapping or list at that step, or `NOTHING`."""
    if isinstance(part, dict) and step in part:
        return part[step]
    if isinstance(part, list) and isinstance(step, int) and 0 <= step < len(part):
        return part[step]
    return NOTHING


def read(path: Path, root: Path | None = None) -> Document:
    """Read a file; errors name it relative to `root`. ContentError says what is wrong with it."""
    name = str(path.relative_to(root)) if root else path.name
    try:
        size = path.stat().st_size
        raw = path.read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        raise ContentError(name, 1, "", f"cannot be read: {error.strerror}") from error
    if size > MAX_BYTES:
        raise ContentError(name, 1, "", f"{size} bytes; at most {MAX_BYTES} are read")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ContentError(name, line, "", "not UTF-8; save the file as UTF-8") from error
    return parse(text, name)


def parse(text: str, name: str) -> Document:
    """The document that the text holds. ContentError says what is wrong with it."""
    if "\t" in text:
        line = text.count("\n", 0, text.index("\t")) + 1
        raise ContentError(name, line, "", "there is a tab on this line; use spaces")
    try:
        node = _Loader(text, name).get_single_node()
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ContentError(
            name, line, "", f"character {error.character!r} is not allowed"
        ) from error
    except MarkedYAMLError as error:
        raise ContentError(name, _line(error), "", _reason(error)) from error
    if node is None:
        raise ContentError(name, 1, "", "the file is empty")
    if not isinstance(node, MappingNode):
        raise ContentError(name, node.start_mark.line + 1, "", "expected `name: value` at the top")
    lines: dict[Place, int] = {}
    data = _Converter(name, lines).value(node, ())
    return Document(name, data, lines)


def _line(error: MarkedYAMLError) -> int:
    mark: Mark | None = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else 1


def _reason(error: MarkedYAMLError) -> str:
    parts = [part for part in (error.context, error.problem) if part]
    return " ".join(" ".join(parts).split()) or "not YAML"


class _Loader(Reader, Scanner, Parser, Composer, BaseResolver):
    """PyYAML up to nodes, without its own ideas of what plain scalars mean."""

    def __init__(self, text: str, name: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        BaseResolver.__init__(self)
        self._name = name
        self._depth = 0

    def compose_node(self, parent: Node | None, index: Any) -> Node | None:
        """Refuse what could make a small file large, or mean something else elsewhere."""
        event: Any = self.peek_event()
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent) or event.anchor is not None:
            raise ContentError(self._name, line, "", "anchors (&) and aliases (*) are not allowed")
        if event.tag is not None:
            raise ContentError(self._name, line, "", f"the tag {event.tag!r} is not allowed")
        if self._depth == MAX_DEPTH:
            raise ContentError(self._name, line, "", f"nested more than {MAX_DEPTH} levels deep")
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node


@dataclass(frozen=True, slots=True)
class _Converter:
    name: str
    lines: dict[Place, int]

    def value(self, node: Node, place: Place) -> Any:
        line: int = node.start_mark.line + 1
        self.lines.setdefault(place, line)
        if isinstance(node, MappingNode):
            return dict(self._pairs(node, place))
        if isinstance(node, SequenceNode):
            return [self.value(item, (*place, n)) for n, item in enumerate(node.value)]
        return self._scalar(node, line)

    def _pairs(self, node: MappingNode, place: Place) -> Iterator[tuple[str, Any]]:
        seen: dict[str, int] = {}
        for key_node, value_node in node.value:
            line: int = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode) or not key_node.value:
                raise ContentError(self.name, line, "", "a key must be a word")
            key: str = key_node.value
            if key == "<<" and key_node.style is None:
                raise ContentError(self.name, line, "", "merging (<<) is not allowed")
            if key in seen:
                twice = f"the key {key!r} stands twice, on lines {seen[key]} and {line}"
                raise ContentError(self.name, line, "", twice)
            seen[key] = line
            self.lines[(*place, key)] = line
            yield key, self.value(value_node, (*place, key))

    def _scalar(self, node: Node, line: int) -> bool | int | str | None:
        text: str = node.value
        if not isinstance(node, ScalarNode) or node.style is not None:
            return text
        if text in ("", "~", "null"):
            return None
        if text in ("true", "false"):
            return text == "true"
        if _INT.fullmatch(text):
            return int(text)
        if text in _OTHER_CASE:
            said = f"{text} has two readings; write {text.lower()}, or quote it if it is a word"
            raise ContentError(self.name, line, "", said)
        if _NUMBER_LIKE.fullmatch(text) or _DATE_LIKE.fullmatch(text):
            raise ContentError(self.name, line, "", f'{text} has two readings; quote it: "{text}"')
        return text
