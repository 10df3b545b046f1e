"""Every word that a player reads, found by a dotted path and filled with facts.

The words of a game are the bot's own (`content/common`), the game's (`text/en.yaml` in its folder)
and the names and texts of its cards. Each is a template (`content.template`). How a fact is worded:

- Where a place names a table (`{who:character}`) or the field itself is one (`{character}`), a text
  is an id and becomes its name from `names.<table>`. A plural will do: `{characters}`.
- A number under `seat` or `seats`, or with `{x:seat}`, is a seat and becomes its player's name.
- A list becomes "A, B and C", each item worded by the same rules.
- Any other number stands as it is; any other text is taken for something that a player typed, and
  escaped as the style asks (`{x:text}` for text that is made of words already).

The few words that these rules need are the section `grammar`: `and`, `nobody` (an empty list),
`seat` (a seat without a name, with `{number}`) and `twin` (`{name}`, `{number}`: one of two players
of the same name).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from content.faults import closest
from content.names import Style, styled, told_apart
from content.template import Fact, Fork, Template, TemplateError, parse, tables
from content.yaml_source import NOTHING as NOTHING_THERE
from content.yaml_source import ContentError, Document, Place, child, raise_all, read

_WORDINGS: Final = ("seat", "number", "text")
GRAMMAR: Final = ("and", "nobody", "seat", "twin")
NOTHING: Final[Mapping[str, object]] = {}


class WordsError(LookupError):
    """Words that are not there, or facts that do not fit them: our bug, or an author's."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}")


class Words:
    """Words, bound to the names of those who sit at a table (`bound`), or to none."""

    def __init__(
        self,
        templates: Mapping[str, Template],
        tree: Mapping[str, Any],
        documents: Sequence[Document] = (),
    ) -> None:
        self._templates = templates
        self._tree = tree
        self._documents = documents
        self._seats: tuple[str, ...] = ()
        self._style = Style.MESSAGE

    @classmethod
    def load(cls, *documents: Document) -> Words:
        """The words of these documents; `Cards.words` makes one of the words on cards.

        A later document may say otherwise what an earlier one says. ContentError for whatever is no
        text or no template.
        """
        templates: dict[str, Template] = {}
        tree: dict[str, Any] = {}
        faults: list[ContentError] = []
        for document in documents:
            faults += _merge(tree, document, (), document.data)
        names = tree.get("names")
        known = (*_WORDINGS, *(names if isinstance(names, Mapping) else ()))
        for document in documents:
            faults += _gather(document, (), document.data, templates, known)
        raise_all(faults)
        missing = [word for word in GRAMMAR if f"grammar.{word}" not in templates]
        if missing:
            file = documents[0].file if documents else "words"
            raise ContentError(file, 1, "grammar", f"the words 'grammar.{missing[0]}' are missing")
        return cls(templates, tree, documents)

    def bound(self, names: Sequence[str], style: Style = Style.MESSAGE) -> Words:
        """These words for a table whose seats have these display names.

        `style` tells where they will stand. Names that look alike get their seat's number.
        """
        words = Words(self._templates, self._tree, self._documents)
        words._style = style
        words._seats = told_apart(
            names,
            nameless=lambda number: self._grammar("seat", number=number),
            twin=lambda name, number: self._grammar("twin", name=name, number=number),
        )
        return words

    # Looking

    def has(self, path: str) -> bool:
        """Whether there are words at that path."""
        return path in self._templates

    def section(self, path: str) -> Mapping[str, Any]:
        """The part of the words under that path, as the author wrote it; empty if there is none."""
        part: Any = self._tree
        for step in path.split("."):
            part = part.get(step) if isinstance(part, Mapping) else None
        return part if isinstance(part, Mapping) else {}

    def template(self, path: str) -> Template:
        """What stands at that path. WordsError if there are no words."""
        if path not in self._templates:
            raise WordsError(path, "there are no such words")
        return self._templates[path]

    def fault(self, path: str, message: str, file: str) -> ContentError:
        """What is wrong with the words at that path, where an author finds them.

        For words that are missing that is the part which they are missing from; `file` is named
        where there is none of it either.
        """
        found: tuple[Document, Place] | None = None
        for document in self._documents:
            place: Place = ()
            part: Any = document.data
            for step in path.split("."):
                inner = int(step) if isinstance(part, list) and step.isdecimal() else step
                part = child(part, inner)
                if part is NOTHING_THERE:
                    break
                place = (*place, inner)
            if place and (found is None or len(place) >= len(found[1])):
                found = document, place
        if found is None:
            return ContentError(file, 1, path, message)
        document, place = found
        return ContentError(document.file, document.line(place), path, message)

    def replaced(self, section: str) -> dict[str, tuple[Template | None, Template]]:
        """What a game's own documents say in a section, by path: the bot's own words, and theirs.

        None for what the bot itself has no words for.
        """
        found: dict[str, tuple[Template | None, Template]] = {}
        common = [d for d in self._documents if d.file.startswith("common/")]
        for document in self._documents:
            told: Any = document.data.get(section)
            if document in common or not isinstance(told, Mapping):
                continue
            for word in told:
                path = f"{section}.{word}"
                if not self.has(path):
                    continue  # a group, or a list: no words
                before = [child(child(d.data, section), word) for d in common]
                texts = [parse(text) for text in before if isinstance(text, str)]
                found[path] = (texts[-1] if texts else None, self.template(path))
        return found

    def own_sections(self) -> tuple[str, ...]:
        """The sections of a game's own documents that the bot itself has not."""
        commons = [d.file.startswith("common/") for d in self._documents]
        pairs = list(zip(self._documents, commons, strict=True))
        known = {section for document, common in pairs if common for section in document.data}
        own = [section for document, common in pairs if not common for section in document.data]
        return tuple(section for section in dict.fromkeys(own) if section not in known)

    def check(self, path: str, fact: str, value: object) -> str:
        """What is wrong with every place for that fact in the words there; empty if nothing is.

        Both branches of a choice are looked at, unless the fact itself leads to one of them.
        """
        return next(self._misfits(self.template(path), fact, value), "")

    def _misfits(self, template: Template, field: str, value: object) -> Iterator[str]:
        for part in template:
            if isinstance(part, str):
                continue
            led = False
            try:
                if part.field == field and isinstance(part, Fact):
                    self._worded(part, value)
                elif part.field == field and isinstance(part, Fork):
                    led = True
                    yield from self._misfits(part.branch(value), field, value)
            except TypeError as error:
                yield f"{{{field}}}: {error}"
            if isinstance(part, Fork) and not led:
                yield from self._misfits(part.yes, field, value)
                yield from self._misfits(part.no, field, value)

    def name(self, table: str, ident: str) -> str:
        """The name of a thing; its id in plain writing if it has none."""
        path = f"names.{table}.{ident}"
        return self.say(path) if self.has(path) else ident.replace("_", " ").capitalize()

    def seat(self, seat: int) -> str:
        """The display name of a seat, escaped as the style asks; its number if it has none."""
        if 0 <= seat < len(self._seats):
            return styled(self._seats[seat], self._style)
        return self._grammar("seat", number=seat + 1)

    # Saying

    def say(self, path: str, facts: Mapping[str, object] = NOTHING) -> str:
        """The words at that path, filled with the facts. WordsError if the two do not fit."""
        template = self._templates.get(path)
        if template is None:
            raise WordsError(path, "there are no such words")
        return self._fill(template, facts, path)

    def joined(self, items: Sequence[str]) -> str:
        """A, B and C."""
        if not items:
            return self._grammar("nobody")
        if len(items) == 1:
            return items[0]
        return f"{', '.join(items[:-1])} {self._grammar('and')} {items[-1]}"

    def _grammar(self, word: str, **facts: object) -> str:
        return self._fill(self._templates[f"grammar.{word}"], facts, f"grammar.{word}", plain=True)

    def _fill(
        self, template: Template, facts: Mapping[str, object], path: str, *, plain: bool = False
    ) -> str:
        said = ""
        for part in template:
            if isinstance(part, str):
                said += part
                continue
            if part.field not in facts:
                raise WordsError(path, f"nothing is known of {{{part.field}}}")
            fact = facts[part.field]
            try:
                if isinstance(part, Fork):
                    said += self._fill(part.branch(fact), facts, path, plain=plain)
                else:
                    said += str(fact) if plain else self._worded(part, fact)
            except TypeError as error:
                raise WordsError(path, f"{{{part.field}}}: {error}") from error
        return said

    def _worded(self, place: Fact, fact: object) -> str:
        if isinstance(fact, (list, tuple)):
            return self.joined([self._worded(place, item) for item in fact])
        if fact is None or isinstance(fact, (bool, Mapping)):
            raise TypeError(f"{fact!r} cannot be put into words")
        match place.table:
            case "":
                return self._guessed(place.field, fact)
            case "seat" | "number":
                if type(fact) is int:
                    return self.seat(fact) if place.table == "seat" else str(fact)
            case "text":
                if isinstance(fact, str):
                    return fact
            case table:
                if isinstance(fact, str):
                    return self.name(table, fact)
        raise TypeError(f"{fact!r} is no {place.table}")

    def _guessed(self, field: str, fact: object) -> str:
        if isinstance(fact, str):
            for table in (field, field.removesuffix("s")):
                if f"names.{table}.{fact}" in self._templates:
                    return self.name(table, fact)
            return styled(fact, self._style)
        if type(fact) is int and field in ("seat", "seats"):
            return self.seat(fact)
        return str(fact)


def load_folder(folder: Path, *cards: Document) -> Words:
    """The words of the game in that content folder, and on its cards, on top of the bot's own."""
    common = Path(__file__).parent / "common"
    documents = [read(path, common.parent) for path in sorted(common.glob("en*.yaml"))]
    documents += [read(path, folder.parent) for path in sorted((folder / "text").glob("en*.yaml"))]
    return Words.load(*documents, *cards)


def _merge(
    tree: dict[str, Any], document: Document, place: Place, more: Mapping[str, Any]
) -> list[ContentError]:
    """Put a part of a document into the tree; what is words in one place and a group in another."""
    faults: list[ContentError] = []
    for key, value in more.items():
        here = (*place, key)
        is_group = isinstance(value, Mapping)
        if key in tree and isinstance(tree[key], Mapping) != is_group:
            found = "a group of words" if is_group else "no group of words"
            faults.append(document.error(here, f"this is {found}, and was otherwise before"))
        if not is_group:
            tree[key] = value
            continue
        if not isinstance(tree.get(key), Mapping):
            tree[key] = {}
        faults += _merge(tree[key], document, here, value)
    return faults


def _gather(
    document: Document,
    place: Place,
    part: Any,
    templates: dict[str, Template],
    known: Collection[str],
) -> list[ContentError]:
    """Put the templates of a part of a document in, by path; what is wrong with them."""
    if isinstance(part, Mapping):
        inner = part.items()
    elif isinstance(part, list):
        inner = enumerate(part)
    elif not isinstance(part, str):
        return [document.error(place, "expected words; put them in quotes")]
    else:
        try:
            template = parse(part)
        except TemplateError as error:
            return [document.error(place, str(error))]
        templates[".".join(map(str, place))] = template
        return [
            document.error(place, f"there is no table names.{table}{closest(table, known)}")
            for table in tables(template)
            if table not in known
        ]
    return [
        fault
        for step, item in inner
        for fault in _gather(document, (*place, step), item, templates, known)
    ]
